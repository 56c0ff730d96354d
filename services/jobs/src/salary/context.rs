//! Whether the words around an amount say that it is the pay of the position, and not a bonus, a budget, or the pay of others.

use std::sync::LazyLock;

use regex::Regex;

use super::{
    amount::Interval,
    currency::pattern,
    words::{BASES, ENDS, NEUTRAL, OTHER, PAY, PURPOSES, ROLES, UPPER_BOUNDS},
};

/// A label of a place or a level may be this long.
const MAX_LABEL: usize = 40;
/// The distance from the words for a pay in bytes.
const MAX_DISTANCE: usize = 160;

/// The pay of other times, and statements of others about it. A posting is about the present.
static HISTORY: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?x)\b(?:
        (?:prior|previous|past|last|preceding|earlier)\ (?:\w+\ )?(?:years?|months?|cycles?|seasons?|incumbents?|holders?|class(?:es)?)
        | previously | (?:prior|past|former)\ (?:salar|wage|pay)\w* | minimum\ wages? | earned | received | ranged | started | we\ paid | salary\ histor\w+ | averag\w+ | medians? | historical(?:ly)? | formerly | was | were | had\ been | used\ to | ago
        | 19\d\d | 20[01]\d | 202[0-5]
        # Those of others.
        | predecessors? | bls | glassdoor | payscale | surveys? | estimated\ by
        )\b",
    )
});
static TOKEN: LazyLock<Regex> = LazyLock::new(|| pattern(r"[\p{L}\p{N}]+|[,:()+&/]"));

/// Words and marks of a text in lower case. Apostrophes are no limits: `401(k)s`, `workers'`.
struct Tokens(Vec<String>);

impl Tokens {
    fn of(text: &str) -> Self {
        let text = text.to_lowercase().replace(['\'', '\u{2019}'], "");
        Self(TOKEN.find_iter(&text).map(|token| token.as_str().to_owned()).collect())
    }

    /// The place of the last word for another amount.
    fn last_other(&self) -> Option<usize> {
        let word = |at: usize| self.0.get(at).map_or("", String::as_str);
        let is_title = |at: usize| {
            ROLES.contains(&word(at + 1))
                || ROLES.contains(&word(at + 2))
                    && !matches!(word(at + 1), "for" | "of" | "to" | "per" | "a" | "the" | "," | ":")
        };
        (0..self.0.len()).rev().find(|at| OTHER.contains(&word(*at)) && !is_title(*at))
    }

    /// The place of the last word of a list.
    fn last(&self, words: &[&str]) -> Option<usize> {
        self.0.iter().rposition(|token| words.contains(&token.as_str()))
    }

    fn last_few(&self, many: usize) -> &[String] {
        self.0.get(self.0.len().saturating_sub(many)..).unwrap_or_default()
    }

    fn since(&self, at: usize) -> &[String] {
        self.0.get(at..).unwrap_or_default()
    }
}

/// Whether a text names another amount.
pub fn names_other(text: &str) -> bool {
    Tokens::of(text).last_other().is_some()
}

fn any(tokens: &[String], words: &[&str]) -> bool {
    tokens.iter().any(|token| words.contains(&token.as_str()))
}

/// The meaning of a text for the amount behind it.
#[derive(Debug, PartialEq)]
enum Meaning {
    /// It is a pay, with an interval if that is stated before it.
    Pay(Option<Interval>),
    /// It is something else.
    Other,
    /// It says nothing.
    Open,
}

/// Returns the meaning of the text before an amount. `is_range`: the amount is no upper bound.
fn before(text: &str, is_range: bool) -> Meaning {
    let start = text.ceil_char_boundary(text.len().saturating_sub(MAX_DISTANCE));
    let text = text.get(start..).unwrap_or(text);
    let tokens = Tokens::of(text);
    if HISTORY.is_match(&text.to_lowercase()) || !is_range && any(tokens.last_few(4), UPPER_BOUNDS) {
        return Meaning::Other;
    }
    let other = tokens.last_other();
    let Some(pay) = pay_of(&tokens) else {
        let says_other = other.is_some() || any(tokens.last_few(6), PURPOSES);
        return if says_other { Meaning::Other } else { Meaning::Open };
    };
    let behind = tokens.since(pay + 1);
    let has_purpose = any(behind, PURPOSES)
        && !any(behind, BASES)
        && tokens.0.get(pay).is_some_and(|word| !matches!(word.as_str(), "salary" | "salaries" | "wage" | "wages"));
    let is_addition = any(behind, &["plus", "+", "along", "addition", "additional", "well"])
        || any(behind.get(behind.len().saturating_sub(3)..).unwrap_or_default(), &["and", "with", "&"])
            && !any(behind, &["between"])
            && !any(tokens.last_few(1), &[":"]);
    if other.is_some_and(|other| other > pay) || has_purpose || is_addition {
        return Meaning::Other;
    }
    Meaning::Pay(interval(tokens.since(pay.saturating_sub(2))))
}

/// Finds the last word for a pay, except the pay of something else, as in 'billing rate' and 'wellness stipend'.
fn pay_of(tokens: &Tokens) -> Option<usize> {
    let at = tokens.last(PAY)?;
    let before = tokens.0.get(..at).unwrap_or_default();
    let phrase = before.iter().rev().filter(|token| !PAY.contains(&token.as_str())).take(2);
    let is_mark = |token: &&String| !token.starts_with(char::is_alphanumeric) || matches!(token.as_str(), "and" | "or");
    let modifiers: Vec<String> = phrase.take_while(|token| !is_mark(token)).cloned().collect();
    let is_of_position = modifiers.first().is_some_and(|nearest| ROLES.contains(&nearest.as_str()));
    if is_of_position && !any(&modifiers, &["outside"]) {
        return Some(at);
    }
    (!any(&modifiers, OTHER) && !any(&modifiers, PURPOSES)).then_some(at)
}

/// The interval in words around a word for a pay: 'hourly rate', 'salary per month'.
fn interval(tokens: &[String]) -> Option<Interval> {
    let adverbs = ["hourly", "daily", "weekly", "monthly", "yearly", "annual", "annually"];
    let units = ["hour", "day", "week", "month", "year", "annum"];
    tokens.iter().enumerate().rev().find_map(|(at, token)| {
        let is_per = at
            .checked_sub(1)
            .and_then(|before| tokens.get(before))
            .is_some_and(|before| matches!(before.as_str(), "per" | "/"));
        let is_two_words = at
            .checked_sub(1)
            .and_then(|before| tokens.get(before))
            .is_some_and(|before| matches!(before.as_str(), "bi" | "semi"));
        let names = adverbs.contains(&token.as_str()) && !is_two_words || units.contains(&token.as_str()) && is_per;
        names.then(|| Interval::of(token)).flatten()
    })
}

/// Returns the meaning of the text behind an amount, to the end of its phrase.
fn behind(text: &str) -> Meaning {
    let tokens = Tokens::of(text);
    let is_end =
        |token: &String| ENDS.contains(&token.as_str()) || matches!(token.as_str(), "," | ":" | ")" | "+" | "&" | "/");
    let phrase: Vec<String> =
        tokens.0.iter().skip_while(|token| *token == "(").take_while(|token| !is_end(token)).take(9).cloned().collect();
    let near = phrase.get(..phrase.len().min(5)).unwrap_or_default();
    if any(&phrase, OTHER) || any(near, PURPOSES) {
        Meaning::Other
    } else if any(near, PAY) {
        Meaning::Pay(None)
    } else {
        Meaning::Open
    }
}

/// Whether an amount is the pay, and the interval stated before it. `sentences` are the sentences before it, the
/// nearest first.
pub fn is_pay<'a>(
    text_before: &str,
    text_behind: &str,
    sentences: impl Iterator<Item = &'a str>,
    is_range: bool,
    has_interval: bool,
) -> Option<Option<Interval>> {
    let (before_it, behind_it) = (before(text_before, is_range), behind(text_behind));
    match (before_it, behind_it) {
        (Meaning::Other, _) | (_, Meaning::Other) => None,
        (Meaning::Pay(interval), _) => Some(interval),
        (Meaning::Open, Meaning::Pay(_)) => Some(None),
        (Meaning::Open, Meaning::Open) => {
            if !is_label(text_before) {
                return None;
            }
            let mut distance = text_before.len();
            for heading in sentences.map(str::trim).filter(|heading| !heading.is_empty()) {
                distance += heading.len();
                match before(heading, true) {
                    Meaning::Other => return None,
                    Meaning::Pay(interval) => return Some(interval),
                    Meaning::Open if distance < MAX_DISTANCE && is_label(heading) => {}
                    Meaning::Open => break,
                }
            }
            // A range with an interval in a line of its own.
            (is_range && has_interval && is_empty(text_before) && is_empty(text_behind)).then_some(None)
        }
    }
}

/// Nothing, neutral words, or the label of a place or a level: `New York:`.
fn is_label(text: &str) -> bool {
    let text = text.trim();
    let is_short = text.len() <= MAX_LABEL && (text.ends_with([':', '-', ')']) || text.is_empty());
    is_short
        || Tokens::of(text)
            .0
            .iter()
            .all(|token| NEUTRAL.contains(&token.as_str()) || !token.starts_with(char::is_alphanumeric))
}

fn is_empty(text: &str) -> bool {
    !text.contains(char::is_alphanumeric)
}
