//! Amounts in a text: numbers, ranges of two, and their intervals.

use std::sync::LazyLock;

use regex::{Captures, Regex};

use super::currency::{self, COUNTRIES, CURRENCIES, NATIONALITIES, OTHER_CODES, OTHER_DOLLARS, Sign, pattern};

/// The period that a pay is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interval {
    Hour,
    Day,
    Week,
    Month,
    Year,
}

impl Interval {
    /// The interval that a text names, such as `/hr`, `p.a.`, `monthly` or `per year`.
    pub fn of(text: &str) -> Option<Self> {
        let word = text.to_lowercase();
        let word = word.trim_start_matches(|c: char| !c.is_ascii_alphabetic());
        let word =
            ["per ", "each ", "every ", "an ", "a "].iter().find_map(|each| word.strip_prefix(each)).unwrap_or(word);
        let begins = |beginnings: &[&str]| beginnings.iter().any(|beginning| word.trim_start().starts_with(beginning));
        if begins(&["hour", "hr", "ph"]) {
            Some(Self::Hour)
        } else if begins(&["day", "dai"]) {
            Some(Self::Day)
        } else if begins(&["week", "wk"]) {
            Some(Self::Week)
        } else if begins(&["mo", "mth"]) {
            Some(Self::Month)
        } else if begins(&["y", "annu", "p.", "pa", "p a"]) {
            Some(Self::Year)
        } else {
            None
        }
    }

    /// Returns the end of a pay.
    pub const fn text(self) -> &'static str {
        match self {
            Self::Hour => " per hour",
            Self::Day => " per day",
            Self::Week => " per week",
            Self::Month => " per month",
            Self::Year => " per year",
        }
    }

    /// Returns the least and the most plausible pay, in dollars of the United States.
    pub const fn bounds(self) -> (f64, f64) {
        match self {
            Self::Hour => (7.0, 1_500.0),
            Self::Day => (50.0, 8_000.0),
            Self::Week => (200.0, 20_000.0),
            Self::Month => (500.0, 80_000.0),
            Self::Year => (15_000.0, 3_000_000.0),
        }
    }
}

/// An amount or a range in a text.
#[derive(Debug)]
pub struct Amount<'a> {
    pub sign: Sign,
    pub least: f64,
    pub most: Option<f64>,
    pub interval: Option<Interval>,
    /// The text before it, without its sign.
    pub before: &'a str,
    /// The codes and words beside its numbers.
    pub adjacent: &'a str,
    /// Its end in the text.
    pub end: usize,
}

const NUMBER: &str = r"(?:\d{1,3}(?: \d{3})+\b|\d+(?:[.,']\d+)*)";
const INTERVAL: &str = r"(?i:(?:/ ?per|per ?/|/|per|an|a|each|every) ?(?:hours?|hrs?|days?|weeks?|wks?|months?|mon?s?|mths?|years?|yrs?|annum)\b\.?|p\. ?a\.|p\.?a\b|(?:/ ?)?(?:hourly|daily|weekly|monthly|yearly|annually|annual)\b)";

/// A number, or two with something between them. A list item begins another line, so no part of it matches a line break.
static AMOUNT: LazyLock<Regex> = LazyLock::new(|| {
    let codes = CURRENCIES.iter().map(|currency| currency.code).collect::<Vec<_>>().join("|");
    let code = format!(
        r"\(?(?:in )?(?:(?:(?i:{codes})|{OTHER_CODES}|{OTHER_DOLLARS}|Php|CDN)\b|[€£₱](?:\B|$)|(?i:(?:us|u\.s\.) dollars?|(?:{NATIONALITIES})(?: (?:dollars?|funds|currency))?|(?:{COUNTRIES}) dollars?|euros?|(?:philippine |mexican )?pesos?)\b)\)?"
    );
    let suffix = |n: u8| {
        format!(
            r"(?P<suffix{n}>\+?(?: ?{code})?(?: (?:gross|net|base|basic))?(?: ?\(?(?P<interval{n}>{INTERVAL})\)?)?(?: ?{code})?)"
        )
    };
    let prefix = r"(?:(?:[A-Za-z.]{1,4} ?)?[$€£₱₹¥₩]|[A-Z]{2,3}|Php|PhP|P|Rs\.?)";
    pattern(&format!(
        r"(?P<first>{NUMBER})(?P<times1> ?(?:[kK]\b|(?i:thousand)\b))?{}(?: *(?P<between>-+|~|(?i:\bto\b|\bthrough\b|\band\b|\bup to\b)) *(?P<prefix>{prefix})? ?(?P<second>{NUMBER})(?P<times2> ?(?:[kK]\b|(?i:thousand)\b))?{})?",
        suffix(1),
        suffix(2),
    ))
});
/// Numbers of other things, and multiples that are no pay.
static NOT_AN_AMOUNT: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"^(?:\d|[.,]\d|%| ?(?:percent|million|billion|trillion|mm?|mn|bn?|lakhs?|lpa|crores?)\b|\(k\))")
});
/// Things that a second number without a sign counts.
static COUNTED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(?:[ -]?(?:hours?|hrs?|days?|weeks?|months?|years?|yrs?|%|percent|people|employees|attorneys|lawyers|positions?|\(k\))|[a-z])",
    )
});
/// Intervals that no pay is shown for.
static OTHER_INTERVAL: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^ ?\(?(?:(?:/|per\b|each\b|every\b) ?[a-z0-9]|(?:bi|semi|twice)[ -]?(?:weekly|monthly|annual|a\b)|fortnight)",
    )
});
static BETWEEN: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)\bbetween\b.{0,12}$"));

impl<'a> Amount<'a> {
    /// Finds the first amount from `at`, in a text with plain spaces and hyphens, and returns where to look for the
    /// next one.
    pub fn find(text: &'a str, at: usize) -> Option<(Option<Self>, usize)> {
        let found = AMOUNT.captures_at(text, at)?;
        let first = found.name("first")?;
        // Without the second number, which may be another amount.
        let next = found.name("suffix1").map_or(first.end(), |suffix| suffix.end());
        Some((Self::of(text, &found, next), next))
    }

    fn of(text: &'a str, found: &Captures<'a>, end_of_first: usize) -> Option<Self> {
        let part = |name: &str| found.name(name).map(|part| part.as_str());
        let (sign, before) = currency::before(text.get(..found.name("first")?.start())?);
        let is_european = matches!(sign, Sign::Stated(currency) if matches!(currency.code, "EUR" | "BRL" | "CHF"))
            || part("suffix1").is_some_and(|suffix| suffix.contains("EUR") || suffix.contains('\u{20ac}'));
        let mut least = number(part("first")?, part("times1").is_some(), is_european)?;
        let mut end = end_of_first;
        let mut most = None;
        if let Some(between) = part("between")
            && (!between.eq_ignore_ascii_case("and") || BETWEEN.is_match(before))
        {
            let second = number(part("second")?, part("times2").is_some(), is_european);
            let (second_end, has_sign) = (found.get(0)?.end(), part("prefix").is_some());
            let rest = text.get(second_end..)?;
            let has_suffix = part("suffix2").is_some_and(|suffix| !suffix.trim().is_empty());
            let is_counted = !has_suffix && COUNTED.is_match(rest);
            // `$85-100k`: the unit of the second number applies to both.
            let thousands = least < 1_000.0 && second.is_some_and(|second| second >= 10_000.0);
            let first = if thousands { least * 1_000.0 } else { least };
            let is_range = second.is_some_and(|second| first <= second && second <= first * 10.0);
            match (is_range, has_sign) {
                (true, true) => (least, most, end) = (first, second, second_end),
                (true, false) if !is_counted => (least, most, end) = (first, second, second_end),
                // The ends of a range in other currencies, or of another kind.
                (false, true) => return None,
                (_, false) => {}
            }
            if most.is_some() && has_sign {
                let sign_of_second = currency::before(text.get(..found.name("second")?.start())?).0;
                let agrees = sign == sign_of_second || sign == Sign::None || sign_of_second == Sign::Dollar;
                if !agrees {
                    return None;
                }
            }
        }
        let adjacent = text.get(found.name("first")?.end()..end)?;
        let behind = text.get(end..)?;
        let is_glued = before.len() == found.name("first")?.start()
            && before.ends_with(|c: char| c.is_alphanumeric() || c == '.' || c == ',');
        if is_glued || NOT_AN_AMOUNT.is_match(&beginning(behind)) {
            return None;
        }
        let interval = |name: &str| part(name).and_then(Interval::of);
        let interval = match (interval("interval1"), most.and(interval("interval2"))) {
            (Some(one), Some(other)) if one != other => return None,
            (one, other) => one.or(other),
        };
        if interval.is_none() && OTHER_INTERVAL.is_match(&beginning(behind)) {
            return None;
        }
        Some(Self { sign, least, most, interval, before, adjacent, end })
    }
}

/// The first bytes in lower case.
fn beginning(text: &str) -> String {
    text.get(..text.floor_char_boundary(24)).unwrap_or_default().to_lowercase()
}

/// `85,000`, `42.50`, `85 000`, `45'000`, or `45.000,50` where that is usual; `None` for other groups of digits.
fn number(digits: &str, is_thousands: bool, is_european: bool) -> Option<f64> {
    let digits = digits.replace([' ', '\''], ",");
    let swapped = || {
        digits
            .chars()
            .map(|c| {
                if c == '.' {
                    ','
                } else if c == ',' {
                    '.'
                } else {
                    c
                }
            })
            .collect::<String>()
    };
    let tail = |mark: char| digits.rsplit_once(mark).map_or(0, |(_, tail)| tail.len());
    let european = is_european && (tail('.') == 3 || (digits.contains(',') && matches!(tail(','), 1 | 2)));
    let digits = if european { swapped() } else { digits };
    let (whole, cents) = digits.split_once('.').unwrap_or((&digits, ""));
    let mut groups = whole.split(',');
    let first = groups.next().unwrap_or_default();
    let rest: Vec<&str> = groups.collect();
    let is_grouped = rest.iter().all(|group| group.len() == 3) && (rest.is_empty() || first.len() <= 3);
    // Lakhs: `12,00,000`.
    let is_indian = rest.len() > 1
        && rest
            .split_last()
            .is_some_and(|(last, others)| last.len() == 3 && others.iter().all(|group| group.len() == 2));
    if !(is_grouped || is_indian) || cents.len() > 2 && !is_thousands {
        return None;
    }
    let number: f64 = format!("{}.{cents}", whole.replace(',', "")).parse().ok()?;
    Some(if is_thousands { number * 1_000.0 } else { number })
}
