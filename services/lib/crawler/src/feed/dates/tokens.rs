//! The words, numbers and signs of a date.

use chrono_tz::{TZ_VARIANTS, Tz};
use unicode_normalization::{UnicodeNormalization as _, char::is_combining_mark};

/// A part of a date.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// ASCII digits.
    Number(String),
    /// Letters in lower case without accents.
    Word(String),
    /// The name of a zone: `America/New_York`, `PST8PDT`.
    Zone(Tz),
    Mark(Mark),
}

/// A sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mark {
    pub(super) sign: char,
    /// Whether no space follows.
    pub(super) is_prefix: bool,
}

impl Token {
    pub(super) fn is(&self, sign: char) -> bool {
        self.sign() == Some(sign)
    }

    pub(super) fn sign(&self) -> Option<char> {
        match self {
            Self::Mark(mark) => Some(mark.sign),
            _ => None,
        }
    }

    pub(super) fn is_word(&self, expected: &str) -> bool {
        matches!(self, Self::Word(word) if word == expected)
    }
}

/// Splits a text. Comments (RFC 5322, section 3.2.2) are left out.
pub(super) fn read(raw: &str) -> Vec<Token> {
    let text = without_comments(&raw.nfkc().collect::<String>());
    let (mut tokens, mut rest) = (Vec::new(), text.trim_start());
    while let Some(first) = rest.chars().next() {
        let (token, length) = if let Some(zone) = zone(rest) {
            zone
        } else if first.is_ascii_digit() {
            let digits = run(rest, |c| c.is_ascii_digit());
            (Token::Number(digits.to_owned()), digits.len())
        } else if first.is_alphabetic() {
            let word = run(rest, |c| c.is_alphabetic() || is_combining_mark(c));
            let plain = word.nfkd().filter(|c| !is_combining_mark(*c)).flat_map(char::to_lowercase);
            (Token::Word(plain.collect()), word.len())
        } else {
            let behind = rest.chars().nth(1);
            let is_prefix = behind.is_some_and(|c| !c.is_whitespace());
            (Token::Mark(Mark { sign: sign(first), is_prefix }), first.len_utf8())
        };
        match token {
            // `20261125100000`. As milliseconds, fourteen digits would be after 2286.
            Token::Number(digits) if digits.len() == 14 => {
                let (day, time) = digits.split_at_checked(8).unwrap_or((&digits, ""));
                tokens.extend([
                    Token::Number(day.to_owned()),
                    Token::Word("t".to_owned()),
                    Token::Number(time.to_owned()),
                ]);
            }
            token => tokens.push(token),
        }
        rest = rest.get(length..).unwrap_or_default().trim_start();
    }
    tokens
}

/// The sign that is meant.
fn sign(c: char) -> char {
    match c {
        '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
        c => c,
    }
}

fn run(text: &str, is_part: impl Fn(char) -> bool) -> &str {
    let end = text.find(|c: char| !is_part(c)).unwrap_or(text.len());
    text.get(..end).unwrap_or(text)
}

/// The zone at the beginning, in any case, and the length of its name.
fn zone(text: &str) -> Option<(Token, usize)> {
    let name = run(text, |c| c.is_ascii_alphanumeric() || matches!(c, '/' | '_' | '+' | '-'));
    let begins = name.starts_with(|c: char| c.is_ascii_alphabetic());
    // Words of letters only, as EST and `Cuba`, are no names here: most are words or have a known offset.
    if !begins || !name.contains(|c: char| c == '/' || c.is_ascii_digit()) {
        return None;
    }
    let zone = TZ_VARIANTS.iter().find(|zone| zone.name().eq_ignore_ascii_case(name))?;
    Some((Token::Zone(*zone), name.len()))
}

/// Removes the text in round brackets; an unclosed bracket reaches to the end.
fn without_comments(text: &str) -> String {
    let mut depth = 0_usize;
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            // Year, month and day in Chinese, Japanese and Korean.
            '\u{5e74}' | '\u{6708}' | '\u{b144}' | '\u{c6d4}' if depth == 0 => out.push('-'),
            '\u{65e5}' | '\u{c77c}' if depth == 0 => out.push(' '),
            c if depth == 0 => out.push(c),
            _ => {}
        }
    }
    out
}
