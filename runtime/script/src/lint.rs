//! What can be said of a script without running it: whether it compiles, whether it raises to powers by C's `pow`, whose last digit
//! differs between systems, and which of its names stand for nothing.

mod lexer;
mod names;

pub(crate) use names::{free_names, required, unknown_globals, unknown_members};

use lexer::{Token, tokens};
use mlua::chunk::Compiler;

/// What is wrong at a place of a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// From 1.
    pub line: usize,
    /// In characters, from 1.
    pub column: usize,
    /// Which rule.
    pub rule: Rule,
    /// What was found.
    pub found: String,
    /// What is accepted.
    pub accepted: String,
    /// What was probably meant, where something was.
    pub meant: Option<String>,
}

/// The rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// It compiles.
    Syntax,
    /// `x ^ y` only for the exponents that Luau works out itself.
    Pow,
    /// A member of one of the API's tables is there.
    UnknownName,
    /// What is assigned is declared.
    Undeclared,
}

/// Exponents that Luau multiplies out or takes the root for; all others go to C's `pow`.
const SAFE_EXPONENTS: [f64; 3] = [2.0, 3.0, 0.5];

/// Everything wrong with a script's text, in its order; text that does not compile is told of once.
#[must_use]
pub fn lint(text: &str) -> Vec<Finding> {
    let tokens = tokens(text);
    match Compiler::new().compile(text) {
        Err(error) => vec![syntax(&error, &tokens)],
        Ok(_) => {
            let mut found = powers(&tokens);
            found.extend(names::names(&tokens));
            found.sort_by_key(|finding| (finding.line, finding.column));
            found
        }
    }
}

/// The compiler says `:12: Expected 'end' to close …, got <eof>`: the column is that of what it got.
fn syntax(error: &mlua::Error, tokens: &[Token<'_>]) -> Finding {
    let said = match error {
        mlua::Error::SyntaxError { message, .. } => message.clone(),
        other => other.to_string(),
    };
    let said = said.lines().next().unwrap_or_default();
    let numbered = said.split(':').position(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()));
    let parts: Vec<&str> = said.splitn(numbered.map_or(1, |at| at + 2), ':').collect();
    let line = numbered.and_then(|at| parts.get(at)?.parse().ok()).unwrap_or(1);
    let message = parts.last().unwrap_or(&said).trim();
    let (found, accepted) = match message.strip_prefix("Expected ").and_then(|rest| rest.rsplit_once(", got ")) {
        Some((expected, got)) => (got.to_owned(), expected.to_owned()),
        None => (message.to_owned(), "text that compiles".to_owned()),
    };
    let mut there = tokens.iter().filter(|token| token.line == line);
    let token = there.clone().find(|token| found.trim_matches('\'') == token.text).or_else(|| there.next());
    Finding { line, column: token.map_or(1, |token| token.column), rule: Rule::Syntax, found, accepted, meant: None }
}

fn powers(tokens: &[Token<'_>]) -> Vec<Finding> {
    let mut found = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        if !matches!(token.text, "^" | "^=") {
            continue;
        }
        let exponent = tokens.get(index + 1);
        // `x ^ 2 ^ y` is `x ^ (2 ^ y)`.
        let ends = tokens.get(index + 2).is_none_or(|next| next.text != "^");
        let safe = exponent.and_then(|token| token.number()).is_some_and(|number| SAFE_EXPONENTS.contains(&number));
        if !(safe && ends) {
            found.push(Finding {
                line: token.line,
                column: token.column,
                rule: Rule::Pow,
                found: format!("{} {}", token.text, exponent.map_or("", |token| token.text)).trim_end().to_owned(),
                accepted: "the exponents 2, 3 and 0.5; math.pow(x, y) for others, which is the same on every system".to_owned(),
                meant: None,
            });
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(text: &str) -> Vec<(usize, usize, Rule)> {
        lint(text).into_iter().map(|finding| (finding.line, finding.column, finding.rule)).collect()
    }

    #[test]
    fn only_the_three_exponents_pass() {
        assert_eq!(places("local a, x = 1, 2\nreturn a ^ 2 + a^3 + a ^ 0.5 + a ^ 5e-1"), []);
        for wrong in ["a ^ x", "a ^ 4", "a ^ -2", "a ^ (2)", "a ^ 2 ^ x", "2 ^ 10", "a ^ 0x3p"] {
            let text = format!("local a, x = 1, 2\nreturn {wrong}");
            assert_eq!(places(&text).first().map(|place| place.0), Some(2), "{wrong}");
        }
        assert_eq!(places("local a = 2\na ^= 4\nreturn a"), [(2, 3, Rule::Pow)]);
    }

    #[test]
    fn texts_and_comments_are_passed_over_and_expressions_in_texts_are_not() {
        let text =
            "-- a ^ b\n--[==[ a ^ b\n]] ^ ]==] local a = '^ \\' ^' .. \"^\" .. [[\n^ b]]\nreturn `^ {a ^ a} ^` .. `{`{a}^`}^`";
        assert_eq!(places(text), [(5, 14, Rule::Pow)]);
    }

    #[test]
    fn members_that_the_api_has_not_are_told_with_what_was_meant() {
        let text = "local function step(fig)\n\tmotion.relese(fig)\n\tmotion.hit(fig, Bone.typo)\n\treturn Bone.chst .. sim.time()\nend\nreturn { step = step }";
        let found = lint(text);
        let told: Vec<_> = found.iter().map(|one| (one.line, one.column, one.meant.as_deref())).collect();
        assert_eq!(told, [(2, 9, Some("motion.release")), (3, 23, None), (4, 14, Some("Bone.chest"))], "{found:?}");
        // Whoever calls something else by a module's name means that.
        assert_eq!(
            places("local function f(figure, draw)\n\treturn figure.nose, { motion = draw.x, y = t.motion.z }\nend\nreturn f"),
            []
        );
    }

    #[test]
    fn assigning_what_is_declared_nowhere_is_told_and_keys_and_comparisons_are_not() {
        let found = lint("local step, n = 1, 0\nstp = step\nfor i = 1, 3 do\n\tn += i\n\tnn += 1\nend\nreturn step");
        let told: Vec<_> = found.iter().map(|one| (one.line, one.rule, one.meant.as_deref())).collect();
        assert_eq!(told, [(2, Rule::Undeclared, Some("step")), (5, Rule::Undeclared, Some("n"))], "{found:?}");
        let fine = "type Way = { x: number }\nlocal a: number, b: { [string]: number }\na, b = 1, {}\nlocal t = { x = 1,\n\ty = function(c, d: (number) -> number, e)\n\t\tc, e = d(c), 2\n\t\te = 3\n\tend; z = 2 }\nfunction g() return if a == 1 then a <= 2 else b end\ng = nil\nt.w = a == 1\nfor k, v in t do v = k end\nreturn t";
        assert_eq!(places(fine), []);
    }

    #[test]
    fn a_line_s_free_names_are_those_that_it_does_not_declare() {
        assert_eq!(free_names("local a = bck:get_up(a, x.y, { z = w }) .. w"), ["bck", "x", "w"]);
    }

    #[test]
    fn what_does_not_compile_is_told_with_its_line() {
        let found = lint("local a = 1\nlocal = 2\n");
        assert_eq!((found.len(), found[0].line, found[0].column, found[0].rule), (1, 2, 7, Rule::Syntax), "{found:?}");
        assert!(found[0].found.contains('='), "{found:?}");
    }
}
