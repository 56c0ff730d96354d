//! Whether an amount is the pay of the position: it is the object of a word for a pay, in a statement of plain words alone.

use std::sync::LazyLock;

use regex::Regex;

use super::{
    amount::Interval,
    currency::{is_code, pattern},
    words::{EMPLOYERS, ENDS, GIVING, PAY, PEOPLE, PLACES, POSITIONS, TITLES, has, is_plain},
};

/// A title of a position has at most this many words.
const MAX_TITLE: usize = 5;
/// A heading is at most this far from an amount, in bytes.
const MAX_DISTANCE: usize = 160;
/// The longest statement of a pay, in bytes.
const MAX_STATEMENT: usize = 400;
/// A stipend is compared with the salary in this many sentences before it.
const MAX_SENTENCES: usize = 12;
/// Another amount, in [`Tokens`].
const SUM: &str = "#";
const PERIODS: &str = "hourly daily weekly monthly yearly annual annually";

static SUMS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?i)[$€£₱](?: ?[a-z]{3}\b)? ?\d(?:[\d,.]*\d)?k?|\b(?:php|p)?\d+(?:,\d{3})+(?:\.\d+)?k?|\b\d+k\b")
});
static TOKEN: LazyLock<Regex> = LazyLock::new(|| pattern(r"#|[\p{L}\p{N}]+|[,:()+&/]"));
/// `In compliance with the Colorado Equal Pay Act, `: why the pay is stated.
static REASON: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)^\W*(?:in (?:accordance|compliance) with|pursuant to|consistent with|as required (?:by|under)|to comply with) [^:$€£₱]{0,100}?\b(?:laws?|acts?|ordinances?|regulations?|requirements?)\b[^,:$€£₱]{0,40},",
    )
});
/// Marks and words between the two ends of a range.
static JOINT: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?i)-|>|→|/|~|\b(?:to|up|through|thru|until|max|maximum|high|highest|upper)\b"));
static LEAST: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)\b(?:minimum|min|lowest|low)\b\.?"));
static MOST: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)\b(?:maximum|max|highest|high)\b\.?"));

/// Words and marks of a text in lower case. Apostrophes are no limits: `401(k)s`, `workers'`.
struct Tokens(Vec<String>);

impl Tokens {
    fn of(text: &str) -> Self {
        let text = SUMS.replace_all(text, SUM).to_lowercase().replace(['\'', '\u{2019}'], "");
        Self(TOKEN.find_iter(&text).map(|token| token.as_str().to_owned()).collect())
    }

    fn get(&self, at: usize) -> &str {
        self.0.get(at).map_or("", String::as_str)
    }

    /// The token before another one.
    fn before(&self, at: usize) -> &str {
        at.checked_sub(1).map_or("", |before| self.get(before))
    }

    fn has_any(&self, words: &[&str]) -> bool {
        self.0.iter().any(|token| words.contains(&token.as_str()))
    }
}

fn is_word(token: &str) -> bool {
    token.starts_with(char::is_alphanumeric)
}

/// The meaning of a text for the amount behind it.
#[derive(Debug, PartialEq)]
enum Meaning {
    /// It is a pay, with an interval if that is stated before it.
    Pay(Option<Interval>),
    /// Nothing, or the label of a place or a level: `New York:`.
    Label,
    /// It gives what follows: `We offer`.
    Giving,
    /// It may be something else.
    Doubt,
}

/// What the words around an amount are compared with.
pub struct Context {
    /// The words of the place of work, which a statement of the pay may repeat.
    place: Tokens,
    /// Earlier years are history.
    year: i32,
}

impl Context {
    pub fn new(place: Option<&str>, year: i32) -> Self {
        Self { place: Tokens::of(place.unwrap_or_default()), year }
    }

    /// Whether the title that a source gives an amount names a pay, or nothing but a place or a level.
    pub fn is_title_of_pay(&self, title: &str) -> bool {
        let tokens = Tokens::of(title);
        tokens.has_any(&["salary"])
            || title.to_lowercase().contains("pay range")
            || self.meaning(title) != Meaning::Doubt
    }

    /// Whether an amount is the pay, and the interval stated before it. `sentences` are those before it, the nearest first.
    pub fn is_pay<'a>(
        &self,
        before: &str,
        behind: &str,
        sentences: impl Iterator<Item = &'a str> + Clone,
        is_range: bool,
        has_interval: bool,
    ) -> Option<Option<Interval>> {
        if before.len() > MAX_STATEMENT {
            return None;
        }
        let headings = sentences.filter(|heading| heading.contains(char::is_alphanumeric));
        let statement = statement(before);
        let is_beside_salary = || {
            headings.clone().take(MAX_SENTENCES).any(|heading| Tokens::of(heading).has_any(&["salary", "competitive"]))
        };
        let is_bound = before.trim_end().ends_with(['<', '>', '\u{2264}', '\u{2265}']);
        if is_bound || ends_with_addition(&statement) || statement.has_any(&["stipend"]) && is_beside_salary() {
            return None;
        }
        let meaning = self.meaning_of(if is_range { self.without_opening(statement) } else { statement });
        match (meaning, self.behind(behind)) {
            (Meaning::Doubt, _) | (_, Meaning::Doubt) => None,
            (Meaning::Pay(interval), _) => Some(interval),
            (_, Meaning::Pay(_)) => Some(None),
            (Meaning::Giving, _) => None,
            (Meaning::Label, _) => {
                let mut distance = before.len();
                for heading in headings {
                    distance += heading.len();
                    match self.meaning(heading) {
                        Meaning::Pay(interval) if heading.ends_with([':', '\n']) || is_range => return Some(interval),
                        Meaning::Label if distance < MAX_DISTANCE => {}
                        // The end of a paragraph is no heading.
                        _ if heading.trim_end().ends_with(['.', '!']) => break,
                        _ => return None,
                    }
                }
                // A range with an interval in a line of its own.
                (is_range && has_interval && self.names_position(before)).then_some(None)
            }
        }
    }

    fn meaning(&self, text: &str) -> Meaning {
        if text.len() > MAX_STATEMENT {
            return Meaning::Doubt;
        }
        self.meaning_of(statement(text))
    }

    /// The statement of a range from 'the salary range for this position', without what opens the sentence. A year before
    /// that may be of the past.
    fn without_opening(&self, mut tokens: Tokens) -> Tokens {
        let is_of_position = |at: &usize| {
            tokens.get(*at) == "for"
                && tokens.get(at + 1) == "this"
                && (at + 2..at + 6).any(|at| has(POSITIONS, tokens.get(at)))
        };
        let before = |end: usize, list: &str| (0..end).rev().find(|at| has(list, tokens.get(*at)));
        let start = (0..tokens.0.len()).find(is_of_position).and_then(|end| before(before(end, PAY)?, "the our a an"));
        let is_past = |token: &String| token.parse::<i32>().is_ok_and(|year| (1_900..self.year).contains(&year));
        match start {
            Some(start) if !tokens.0.iter().take(start).any(is_past) => Tokens(tokens.0.split_off(start)),
            _ => tokens,
        }
    }

    /// Returns the meaning of the words before an amount, from the beginning of its statement.
    fn meaning_of(&self, tokens: Tokens) -> Meaning {
        if !(0..tokens.0.len()).all(|at| self.is_admitted(&tokens, at)) {
            return Meaning::Doubt;
        }
        let is_hiring_range = |at: usize| tokens.get(at) == "hiring" && tokens.get(at + 1).starts_with("range");
        let is_pay = |at: &usize| has(PAY, tokens.get(*at)) || is_hiring_range(*at);
        let gives = |tokens: &[String]| tokens.iter().any(|token| has(GIVING, token));
        let Some(pay) = (0..tokens.0.len()).rev().find(is_pay) else {
            return if gives(&tokens.0) { Meaning::Giving } else { Meaning::Label };
        };
        let label = (0..pay).rev().find(|at| tokens.get(*at) == ":").unwrap_or(0);
        let first = (label..pay).find(is_pay).unwrap_or(pay);
        let between = tokens.0.get(first..pay).unwrap_or_default();
        let are_two = between.iter().any(|token| matches!(token.as_str(), "," | "and" | "&" | "+"));
        let is_part = gives(tokens.0.get(pay..).unwrap_or_default());
        if are_two || is_part || is_of_others(&tokens, pay) {
            return Meaning::Doubt;
        }
        Meaning::Pay(interval(tokens.0.get(pay.saturating_sub(5)..).unwrap_or_default()))
    }

    /// Returns the meaning of the text behind an amount, to the end of its phrase.
    fn behind(&self, text: &str) -> Meaning {
        let text = text.get(..text.floor_char_boundary(MAX_STATEMENT)).unwrap_or_default();
        if begins_with_other_end(text) {
            return Meaning::Doubt;
        }
        let tokens = Tokens::of(text);
        let is_end = |token: &String| has(ENDS, token) || matches!(token.as_str(), "," | ":" | ")" | "+" | "&" | "/");
        let phrase =
            Tokens(tokens.0.into_iter().skip_while(|token| token == "(").take_while(|token| !is_end(token)).collect());
        if !(0..phrase.0.len()).all(|at| self.is_admitted(&phrase, at)) {
            Meaning::Doubt
        } else if phrase.0.iter().any(|token| has(PAY, token)) {
            Meaning::Pay(None)
        } else {
            Meaning::Label
        }
    }

    /// Whether a label is nothing but the title of a position, its level or its place.
    fn names_position(&self, label: &str) -> bool {
        let tokens = Tokens::of(label);
        let lists = [PEOPLE, POSITIONS, PLACES, TITLES, "for the this zone tier grade"];
        let is_other = |token: &str| is_word(token) && is_plain(token) && !lists.iter().any(|list| has(list, token));
        (0..tokens.0.len()).all(|at| self.is_admitted(&tokens, at) && !is_other(tokens.get(at)))
    }

    /// Whether a token may stand in the statement of a pay.
    fn is_admitted(&self, tokens: &Tokens, at: usize) -> bool {
        let token = tokens.get(at);
        if token == SUM {
            return tokens.get(at + 1) == "or";
        }
        match token {
            // Benefits are a part of a pay, as in 'Salary and Benefits', but none.
            "benefits" => return (0..at).any(|at| has(PAY, tokens.get(at))),
            // `$85,000 CAN` may be Canadian.
            "can" => return tokens.get(at + 1) == "be",
            "below" => return has("listed range ranges", tokens.before(at)),
            "as" => return tokens.get(at + 1) == "follows",
            "within" => return tokens.get(at + 1) == "the",
            "state" => return tokens.get(at + 1) == "of" || is_of_title(tokens, at),
            _ => {}
        }
        if let Ok(number) = token.parse::<i32>() {
            return self.is_admitted_number(tokens, at, number);
        }
        let is_letter = token.chars().nth(1).is_none();
        is_letter
            || is_plain(token)
            || is_code(token)
            || self.place.0.iter().any(|word| word == token)
            || is_of_title(tokens, at)
    }

    /// Whether a number is a year that is no history, a grade, or counts units of time.
    fn is_admitted_number(&self, tokens: &Tokens, at: usize, number: i32) -> bool {
        let before = tokens.0.get(..at).unwrap_or_default().iter().rev().find(|token| is_word(token));
        let grades = "grade sg gs jg level step tier zone band";
        let is_grade = before.is_some_and(|before| has(grades, before) || before.parse::<u8>().is_ok());
        let is_unit = |next: usize| has("hour hours week weeks month months year years", tokens.get(next));
        let is_counted = (at + 1..at + 4).any(is_unit);
        (self.year..2_100).contains(&number) || number < 100 && (is_grade || is_counted)
    }
}

/// Whether a word is a part of the title of a position.
fn is_of_title(tokens: &Tokens, at: usize) -> bool {
    let follows_this = (at.saturating_sub(MAX_TITLE)..at).any(|at| tokens.get(at) == "this");
    for token in (at + 1..at + MAX_TITLE).map(|next| tokens.get(next)) {
        let is_noun = [PEOPLE, POSITIONS, EMPLOYERS].iter().any(|list| has(list, token));
        if is_noun && (follows_this || has(TITLES, tokens.get(at))) {
            return true;
        }
        let is_title = if follows_this { is_word(token) && !is_plain(token) } else { has(TITLES, token) };
        if !is_title {
            return false;
        }
    }
    false
}

/// The tokens of the statement that the amount belongs to, without those of an amount in the same sentence before it.
fn statement(text: &str) -> Tokens {
    let mut tokens = Tokens::of(&REASON.replace(text, ""));
    let is_end = |at: &usize| tokens.get(*at) == SUM && matches!(tokens.get(at + 1), "," | "+" | "and" | "plus");
    if let Some(end) = (0..tokens.0.len()).rev().find(is_end) {
        tokens.0.drain(..=end + 1);
    }
    tokens
}

/// Whether the amount comes in addition to what is before it: `Competitive salary and a ..`, `Salary DOE, ..`.
fn ends_with_addition(tokens: &Tokens) -> bool {
    let last = tokens.0.get(tokens.0.len().saturating_sub(3)..).unwrap_or_default();
    let is_between = tokens.has_any(&["between"]);
    let is_label = last.last().is_some_and(|token| token == ":");
    let adds = |token: &String| matches!(token.as_str(), "and" | "with" | "&" | "+");
    let follows_grade = last.iter().rev().nth(1).is_some_and(|token| token.parse::<u8>().is_ok());
    last.last().is_some_and(|token| token == ",") && !follows_grade || !is_label && !is_between && last.iter().any(adds)
}

/// Whether the pay is one of others, or for the work of others, by its subject.
fn is_of_others(tokens: &Tokens, pay: usize) -> bool {
    let before = tokens.before(pay);
    let names_any = |lists: &[&str]| tokens.0.iter().any(|token| lists.iter().any(|list| has(list, token)));
    match tokens.get(pay) {
        // 'Students pay' and 'you pay', but 'associate pay'; 'we pay our office'.
        "pay" | "pays" => {
            before == "you"
                || before.ends_with('s') && has(PEOPLE, before)
                || (pay..tokens.0.len()).any(|at| has(EMPLOYERS, tokens.get(at)))
        }
        // 'We earn', 'the firm paid', 'this position paid' in the past, and 'lawyers in Ohio are paid'.
        "paid" | "earn" => {
            let is_in_place = |at: usize| tokens.get(at) == "in" && has(PLACES, tokens.get(at + 1));
            tokens.has_any(&["we"]) || has(EMPLOYERS, before) || has(POSITIONS, before) || (0..pay).any(is_in_place)
        }
        // Hourly rates of a firm are those of its clients.
        "rate" if has("pay salary wage", before) => false,
        "rate" => names_any(&[PEOPLE, EMPLOYERS]) || !names_any(&[PERIODS]),
        "rates" => !has("pay salary wage", before),
        "hourly" => names_any(&[PEOPLE, EMPLOYERS]),
        _ => false,
    }
}

/// The interval in words around a word for a pay: 'hourly rate', 'salary per month'.
fn interval(tokens: &[String]) -> Option<Interval> {
    let word = |at: Option<usize>| at.and_then(|at| tokens.get(at)).map_or("", String::as_str);
    tokens.iter().enumerate().rev().find_map(|(at, token)| {
        let before = word(at.checked_sub(1));
        let names =
            has(PERIODS, token) || has("hour day week month year annum", token) && matches!(before, "per" | "/");
        names.then(|| Interval::of(token)).flatten()
    })
}

/// Whether a text begins with the other end of a range that cannot be read: `(entry) - $100,000`.
fn begins_with_other_end(text: &str) -> bool {
    let Some(sum) = SUMS.find(text) else { return false };
    let between = text.get(..sum.start()).unwrap_or_default();
    let words = Tokens::of(between);
    let is_plain = |token: &String| {
        !is_word(token) && !matches!(token.as_str(), "+" | "&")
            || is_plain(token)
            || has("up through thru until senior", token)
    };
    (words.0.iter().all(is_plain) || MOST.is_match(between)) && JOINT.is_match(between)
}

/// The text before an amount without a word for the least pay, if it has one. `is_range`: the amount has both ends.
pub fn without_least(text: &str, is_range: bool) -> Option<String> {
    LEAST.is_match(text).then(|| {
        let text = if is_range { MOST.replace_all(text, "") } else { text.into() };
        LEAST.replace_all(&text, "").into_owned()
    })
}

/// Whether a text between two amounts says that the second one is the most: `. Maximum salary: `.
pub fn names_most(text: &str) -> bool {
    let words = Tokens::of(&MOST.replace(text, ""));
    let admitted = |token: &String| !is_word(token) || has(PAY, token) || has("and the a an of is range annual", token);
    MOST.is_match(text) && words.0.iter().all(admitted)
}
