//! Luau's text in tokens, as far as the lints need: names, numbers, signs; texts and comments are passed over.

/// A token: a name, a number or a sign. A text is a token of its opening quote alone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Token<'t> {
    pub text: &'t str,
    /// From 1.
    pub line: usize,
    /// In characters, from 1.
    pub column: usize,
}

impl Token<'_> {
    /// Its value, where it is a decimal number.
    pub fn number(&self) -> Option<f64> {
        let digits = self.text.starts_with(|c: char| c.is_ascii_digit() || c == '.');
        if digits { self.text.replace('_', "").parse().ok() } else { None }
    }
}

/// The tokens of a text. A text that is no Luau gives some tokens or other.
pub(super) fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut lexer = Lexer { text, at: 0, line: 1, line_start: 0, braces: Vec::new(), out: Vec::new() };
    while lexer.next() {}
    lexer.out
}

struct Lexer<'t> {
    text: &'t str,
    at: usize,
    line: usize,
    line_start: usize,
    /// Open braces; whether each opened an expression in a text.
    braces: Vec<bool>,
    out: Vec<Token<'t>>,
}

impl<'t> Lexer<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn skip(&mut self, bytes: usize) {
        let passed = &self.text[self.at..self.at + bytes];
        self.line += passed.matches('\n').count();
        if let Some(last) = passed.rfind('\n') {
            self.line_start = self.at + last + 1;
        }
        self.at += bytes;
    }

    fn push(&mut self, bytes: usize) {
        let column = self.text[self.line_start..self.at].chars().count() + 1;
        self.out.push(Token { text: &self.rest()[..bytes], line: self.line, column });
        self.skip(bytes);
    }

    /// Passes one token, text or comment; whether there was any.
    fn next(&mut self) -> bool {
        let rest = self.rest();
        let Some(first) = rest.chars().next() else { return false };
        match first {
            _ if first.is_whitespace() => self.skip(first.len_utf8()),
            '-' if rest.starts_with("--") => {
                let length = long_bracket(&rest[2..]).map_or_else(|| rest.find('\n').unwrap_or(rest.len()), |long| long + 2);
                self.skip(length);
            }
            '[' if long_bracket(rest).is_some() => self.skip(long_bracket(rest).unwrap_or(1)),
            '"' | '\'' => {
                let end = quoted(rest, &[first, '\n']);
                self.skip(end);
            }
            '`' => self.interpolated(1),
            '}' if self.braces.pop() == Some(true) => self.interpolated(1),
            '{' => {
                self.braces.push(false);
                self.push(1);
            }
            _ if first.is_alphabetic() || first == '_' => {
                self.push(rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len()));
            }
            _ if first.is_ascii_digit() || (first == '.' && rest[1..].starts_with(|c: char| c.is_ascii_digit())) => {
                self.push(number(rest));
            }
            _ => self.push(if rest.starts_with("^=") { 2 } else { first.len_utf8() }),
        }
        true
    }

    /// A part of a text between backticks, after `from` bytes, to its end or to the expression that it holds.
    fn interpolated(&mut self, from: usize) {
        let rest = self.rest();
        let end = from + quoted_from(&rest[from..], &['`', '{']);
        if rest[..end].len() > from && rest[..end].ends_with('{') {
            self.braces.push(true);
        }
        self.skip(end);
    }
}

/// Bytes of a text in quotes with both quotes, or to what ends it.
fn quoted(rest: &str, ends: &[char]) -> usize {
    1 + quoted_from(&rest[1..], ends)
}

/// Bytes to the end of the first of some characters that no backslash stands before.
fn quoted_from(rest: &str, ends: &[char]) -> usize {
    let mut escaped = false;
    for (at, c) in rest.char_indices() {
        if escaped {
            escaped = false;
        } else if c == '\\' {
            escaped = true;
        } else if ends.contains(&c) {
            return at + c.len_utf8();
        }
    }
    rest.len()
}

/// Bytes of `[==[ … ]==]`, if that is what begins here.
fn long_bracket(rest: &str) -> Option<usize> {
    let inner = rest.strip_prefix('[')?;
    let level = inner.len() - inner.trim_start_matches('=').len();
    inner[level..].strip_prefix('[')?;
    let close = format!("]{}]", "=".repeat(level));
    Some(rest.find(&close).map_or(rest.len(), |at| at + close.len()))
}

/// Bytes of a number, with its exponent's sign.
fn number(rest: &str) -> usize {
    let bytes = rest.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let exponent = at > 0 && matches!(bytes[at - 1], b'e' | b'E') && !rest.starts_with("0x");
        let part = bytes[at].is_ascii_alphanumeric() || bytes[at] == b'_' || (bytes[at] == b'.' && !rest[at..].starts_with(".."));
        if !(part || exponent && matches!(bytes[at], b'+' | b'-')) {
            break;
        }
        at += 1;
    }
    at
}
