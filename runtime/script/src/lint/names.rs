//! Names that stand for nothing: members that the API's tables have not, and assignments to what is declared nowhere. Without scopes: a
//! name that is declared anywhere in the text counts as declared, so that what is told is wrong for certain.

use super::lexer::Token;
use super::{Finding, Rule};
use crate::api::{MODULES, TABLES, constants, entries};
use crate::nearest::nearest;
use std::collections::BTreeSet;

const KEYWORDS: [&str; 24] = [
    "and", "break", "continue", "do", "else", "elseif", "end", "export", "false", "for", "function", "if", "in", "local", "nil",
    "not", "or", "repeat", "return", "then", "true", "type", "until", "while",
];

/// What is wrong with a text's names, in its order.
pub(super) fn names(tokens: &[Token<'_>]) -> Vec<Finding> {
    let declared = declared(tokens);
    (0..tokens.len())
        .filter_map(|at| unknown_member(tokens, at, &declared).or_else(|| undeclared(tokens, at, &declared)))
        .collect()
}

/// The names that a text uses without declaring them, each once, in its order.
pub(crate) fn free_names(text: &str) -> Vec<&str> {
    let tokens = super::tokens(text);
    let declared = declared(&tokens);
    let mut found = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let used = stands_alone(&tokens, at) && !is_assigned(&tokens, at) && !declared.contains(token.text);
        if used && !found.contains(&token.text) {
            found.push(token.text);
        }
    }
    found
}

/// What a text calls, or asks for a member, that stands for nothing: it is declared nowhere, and not among what is `known`.
pub(crate) fn unknown_globals(text: &str, known: &BTreeSet<String>) -> Vec<Finding> {
    let tokens = super::tokens(text);
    let mut there = declared(&tokens);
    // What is assigned and not declared is told of as that.
    there.extend((0..tokens.len()).filter(|at| is_assigned(&tokens, *at)).map(|at| tokens[at].text));
    there.extend(known.iter().map(String::as_str));
    let used = (0..tokens.len()).filter(|at| stands_alone(&tokens, *at) && is_used(&tokens, *at));
    let unknown = used.map(|at| &tokens[at]).filter(|token| !there.contains(token.text));
    let finding = |token: &Token<'_>| Finding {
        line: token.line,
        column: token.column,
        rule: Rule::UnknownName,
        found: format!("there is no '{}'", token.text),
        accepted: "a name that is declared, or what help() lists".to_owned(),
        meant: nearest(token.text, there.iter().copied()).map(str::to_owned),
    };
    unknown.map(finding).collect()
}

/// Whether a name is called or asked for a member, as no type is that is nowhere declared.
fn is_used(tokens: &[Token<'_>], at: usize) -> bool {
    let text = |ahead: usize| tokens.get(at + ahead).map_or("", |token| token.text);
    match text(1) {
        "(" => true,
        "." => is_name(text(2)),
        ":" => is_name(text(2)) && text(3) == "(",
        _ => false,
    }
}

fn unknown_member(tokens: &[Token<'_>], at: usize, declared: &BTreeSet<&str>) -> Option<Finding> {
    let table = tokens[at].text;
    let (dot, member) = (tokens.get(at + 1)?, tokens.get(at + 2)?);
    let of_api = || MODULES.iter().chain(&TABLES).any(|(name, _)| *name == table);
    if dot.text != "." || !is_name(member.text) || !stands_alone(tokens, at) || declared.contains(table) || !of_api() {
        return None;
    }
    let functions = entries().filter(|entry| entry.module == table).map(|entry| entry.name);
    let known: Vec<&str> = functions.chain(constants().filter(|one| one.home == table).map(|one| one.name)).collect();
    let accepted = || format!("what help({table}) lists");
    (!known.contains(&member.text)).then(|| not_there(table, member, known.iter().copied(), accepted()))
}

/// The names under which a text has modules, with what it requires for each; not those that it declares more than once.
pub(crate) fn required(text: &str) -> Vec<(&str, &str)> {
    let tokens = super::tokens(text);
    let declared = declarations(&tokens);
    let lines = text.lines().filter_map(|line| {
        let (name, rest) = line.strip_prefix("local ")?.split_once(" = require(\"")?;
        Some((name, rest.split_once("\")")?.0))
    });
    lines.filter(|(name, _)| declared.iter().filter(|known| *known == name).count() == 1).collect()
}

/// What a text asks of the table that it has under a name, and that is not among the table's.
pub(crate) fn unknown_members(text: &str, table: &str, known: &[String]) -> Vec<Finding> {
    let tokens = super::tokens(text);
    let asked = (0..tokens.len()).filter(|at| tokens[*at].text == table && stands_alone(&tokens, *at));
    let members = asked.filter_map(|at| tokens.get(at + 2).filter(|_| tokens[at + 1].text == "."));
    let unknown = members.filter(|member| is_name(member.text) && !known.iter().any(|known| known == member.text));
    unknown.map(|member| not_there(table, member, known.iter().map(String::as_str), known.join(", "))).collect()
}

fn not_there<'a>(table: &str, member: &Token<'_>, known: impl Iterator<Item = &'a str>, accepted: String) -> Finding {
    Finding {
        line: member.line,
        column: member.column,
        rule: Rule::UnknownName,
        found: format!("{table}.{}, which there is not", member.text),
        accepted,
        meant: nearest(member.text, known).map(|meant| format!("{table}.{meant}")),
    }
}

fn undeclared(tokens: &[Token<'_>], at: usize, declared: &BTreeSet<&str>) -> Option<Finding> {
    let Token { text, line, column } = tokens[at];
    let wrong = stands_alone(tokens, at) && is_assigned(tokens, at) && !may_be_key(tokens, at) && !declared.contains(text);
    wrong.then(|| Finding {
        line,
        column,
        rule: Rule::Undeclared,
        found: format!("{text} is assigned and declared nowhere"),
        accepted: format!("a name that is declared, or 'local {text}'"),
        meant: nearest(text, declared.iter().copied()).map(str::to_owned),
    })
}

fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphabetic() || c == '_') && !KEYWORDS.contains(&text)
}

/// A name that is no member of anything and no type.
fn stands_alone(tokens: &[Token<'_>], at: usize) -> bool {
    let before = |back: usize| at.checked_sub(back).map_or("", |place| tokens[place].text);
    // The second of two dots joins texts.
    let free = !matches!(before(1), ":" | "type") && (before(1) != "." || before(2) == ".");
    free && is_name(tokens[at].text)
}

/// `name =` or `name +=`, and no comparison.
fn is_assigned(tokens: &[Token<'_>], at: usize) -> bool {
    let sign = |ahead: usize| tokens.get(at + ahead).map_or("", |token| token.text);
    match sign(1) {
        "=" => sign(2) != "=",
        "+" | "-" | "*" | "%" => sign(2) == "=",
        "/" | "." => sign(2) == "=" || (sign(2) == sign(1) && sign(3) == "="),
        "^=" => true,
        _ => false,
    }
}

/// Whether a name that is assigned may be a table's key, one of several, or a type: only what stands at a statement's beginning is told.
fn may_be_key(tokens: &[Token<'_>], at: usize) -> bool {
    at.checked_sub(1).is_some_and(|before| matches!(tokens[before].text, "{" | "," | ";" | "<"))
}

/// Every name that a text declares. Names of types are among them.
fn declared<'t>(tokens: &[Token<'t>]) -> BTreeSet<&'t str> {
    declarations(tokens).into_iter().collect()
}

/// Names as they are declared, in their order: locals, functions, what functions and loops are given.
fn declarations<'t>(tokens: &[Token<'t>]) -> Vec<&'t str> {
    let mut found = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let rest = &tokens[at + 1..];
        let length = match token.text {
            "local" => locals(rest),
            "for" => rest.iter().take_while(|token| !matches!(token.text, "=" | "in")).count(),
            "function" => parameters(rest),
            _ => 0,
        };
        found.extend(rest[..length].iter().map(|token| token.text).filter(|text| is_name(text)));
    }
    found
}

/// Tokens of the names behind `local`: to their values, or to the end of a line that no comma ends.
fn locals(rest: &[Token<'_>]) -> usize {
    let ends = |(place, token): (usize, &Token<'_>)| {
        let before = place.checked_sub(1).map(|before| &rest[before]);
        let next_line = before.is_some_and(|before| token.line > before.line && before.text != ",");
        next_line || matches!(token.text, "=" | ";") || KEYWORDS.contains(&token.text)
    };
    rest.iter().enumerate().position(ends).unwrap_or(rest.len())
}

/// Tokens behind `function`: its name, if it has one, and its parameters.
fn parameters(rest: &[Token<'_>]) -> usize {
    let mut open = 0;
    let closes = |token: &Token<'_>| {
        open += i32::from(token.text == "(") - i32::from(token.text == ")");
        open == 0 && token.text == ")"
    };
    rest.iter().position(closes).unwrap_or(rest.len())
}
