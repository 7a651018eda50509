//! `cargo xtask docs`: the manual's tables and the type checkers' definitions, from the tables that bind the functions.

use std::path::Path;

/// The manual, whose tables stand between [`BEGIN`] and [`END`].
const MANUAL: &str = "REPL.md";
const BEGIN: &str = "<!-- made by `cargo xtask docs`: what stands from here to the end mark is not to be edited -->\n";
const END: &str = "<!-- end -->\n";
/// The definition file.
const DEFINITIONS: &str = "stdlib/types/simrun.d.luau";

/// Writes both at `root`; with `check` writes nothing.
///
/// # Errors
/// A file that cannot be read or written, a manual without its marks; with `check` a file that is not what would be written.
pub fn run(root: &Path, check: bool) -> Result<(), String> {
    let read = |name: &str| std::fs::read_to_string(root.join(name)).map_err(|why| format!("{name}: {why}"));
    let manual = with_tables(&read(MANUAL)?, &simrun_script::docs::reference())?;
    for (name, made) in [(MANUAL, manual), (DEFINITIONS, simrun_script::docs::definitions())] {
        let same = read(name).is_ok_and(|found| found == made);
        if check && !same {
            return Err(format!("{name} is not what `cargo xtask docs` writes; run it and commit the file"));
        }
        if !same {
            let folder = root.join(name).parent().map_or(Ok(()), std::fs::create_dir_all);
            folder.and_then(|()| std::fs::write(root.join(name), made)).map_err(|why| format!("{name}: {why}"))?;
        }
        println!("{name}: {}", if same { "as made" } else { "written" });
    }
    Ok(())
}

/// The manual with these tables between its marks.
fn with_tables(manual: &str, tables: &str) -> Result<String, String> {
    let missing = || format!("{MANUAL}: the marks {BEGIN:?} and {END:?} do not stand in it, in this order");
    let (before, rest) = manual.split_once(BEGIN).ok_or_else(missing)?;
    let (_, after) = rest.split_once(END).ok_or_else(missing)?;
    Ok(format!("{before}{BEGIN}\n{tables}\n{END}{after}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_go_between_the_marks_and_nothing_else_changes() {
        let manual = format!("# one\n{BEGIN}old\n{END}\n# two\n");
        let made = with_tables(&manual, "new\n").expect("it has its marks");
        assert_eq!(made, format!("# one\n{BEGIN}\nnew\n\n{END}\n# two\n"));
        assert_eq!(with_tables(&made, "new\n"), Ok(made.clone()));
        assert!(with_tables("# one\n", "new").is_err());
    }

    #[test]
    fn a_page_that_differs_is_found_and_mended() {
        let folder = std::env::temp_dir().join(format!("xtask-docs-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        std::fs::write(folder.join(MANUAL), format!("# one\n{BEGIN}{END}")).expect("a file");
        assert!(run(&folder, true).is_err_and(|why| why.starts_with("REPL.md is not")));
        run(&folder, false).expect("both are written");
        run(&folder, true).expect("both are as made");
        std::fs::write(folder.join(DEFINITIONS), "declare x: number\n").expect("a file");
        assert!(run(&folder, true).is_err_and(|why| why.starts_with(DEFINITIONS)));
        std::fs::remove_dir_all(&folder).expect("it was there");
    }
}
