//! A script and the modules that it requires as one text: the checker knows one text at a time.

/// How a script asks for a module of the library.
const REQUIRE: &str = "require(\"@std/";

/// A text to be checked.
pub struct Bundle {
    /// The modules, each a function that is called, and then the script.
    pub text: String,
    /// Lines before the script.
    before: usize,
}

impl Bundle {
    /// Of a script; `module` reads a module by its name.
    pub fn of(script: &str, module: impl Fn(&str) -> Result<String, String>) -> Result<Self, String> {
        let mut modules = Vec::new();
        gather(script, &module, &mut modules)?;
        let mut text = String::new();
        for (name, module) in &modules {
            // Types are exported at the top level alone.
            let module = required(module).replace("export type ", "type ");
            text += &format!("local {} = (function()\n{module}\nend)()\n", local(name));
        }
        let before = text.lines().count();
        text += &required(script);
        Ok(Self { text, before })
    }

    /// The script's line, from 0, where it is one of the script's.
    pub fn line_of(&self, line: usize) -> Option<usize> {
        line.checked_sub(self.before)
    }
}

/// The modules that a text requires, each after those that it requires itself.
fn gather(text: &str, module: &impl Fn(&str) -> Result<String, String>, found: &mut Vec<(String, String)>) -> Result<(), String> {
    for name in names(text) {
        if found.iter().all(|(known, _)| *known != name) {
            let own = module(&name)?;
            gather(&own, module, found)?;
            found.push((name, own));
        }
    }
    Ok(())
}

fn names(text: &str) -> Vec<String> {
    let code = text.lines().map(|line| line.split("--").next().unwrap_or_default());
    let asked = code.filter_map(|line| line.split_once(REQUIRE));
    asked.filter_map(|(_, rest)| Some(rest.split_once("\")")?.0.to_owned())).collect()
}

/// The text with what it requires in its places; columns stay what they were.
fn required(text: &str) -> String {
    // The checker is strict by itself, and a directive stands before all else or nowhere.
    let plain = text.replacen("--!strict", "-- strict", 1);
    names(text).iter().fold(plain, |text, name| {
        let asked = format!("{REQUIRE}{name}\")");
        text.replace(&asked, &format!("{:width$}", local(name), width = asked.len()))
    })
}

fn local(name: &str) -> String {
    format!("std_{}", name.replace('/', "_"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_stand_before_the_script_once_each_and_its_lines_are_its_own() {
        let module = |name: &str| {
            Ok(if name == "a" { "local b = require(\"@std/b\")\nreturn b".to_owned() } else { "return 1".to_owned() })
        };
        let bundle = Bundle::of("local a = require(\"@std/a\")\nlocal b = require(\"@std/b\")\nprint(a, b)", module).unwrap();
        let place = |text: &str| bundle.text.lines().position(|line| line.contains(text)).unwrap();
        assert!(place("local std_b =") < place("local std_a ="));
        assert_eq!(bundle.text.matches("local std_b =").count(), 1);
        assert_eq!(bundle.line_of(place("print(a, b)")), Some(2));
        assert_eq!(bundle.line_of(place("local std_a =")), None);
    }
}
