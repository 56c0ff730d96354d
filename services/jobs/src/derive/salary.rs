//! The pay in one line: formatted from numbers, or found in a description.

use super::words::Words;

/// Larger numbers are not a pay.
const MAX_PAY: f64 = 1e8;

/// Currencies and their signs.
const SIGNS: [(&str, &str); 5] = [("USD", "$"), ("EUR", "\u{20ac}"), ("GBP", "\u{a3}"), ("CAD", "CA$"), ("AUD", "A$")];

/// Words for intervals; the first match wins.
const INTERVALS: [(&str, &str); 9] = [
    ("hour", " per hour"),
    ("hr", " per hour"),
    ("day", " per day"),
    ("week", " per week"),
    ("month", " per month"),
    ("year", " per year"),
    ("annum", " per year"),
    ("annual", " per year"),
    ("yr", " per year"),
];

/// `$72,000 – $84,000 per year`; `None` without a plausible number.
pub fn format_pay(least: Option<f64>, most: Option<f64>, currency: &str, interval: &str) -> Option<String> {
    let plausible = |amount: Option<f64>| amount.filter(|amount| (0.01..MAX_PAY).contains(amount));
    let currency = currency.trim().to_uppercase();
    let sign = match SIGNS.iter().find(|(code, _)| *code == currency) {
        Some((_, sign)) => (*sign).to_owned(),
        None if currency.len() == 3 && currency.bytes().all(|b| b.is_ascii_uppercase()) => format!("{currency} "),
        None => return None,
    };
    let amount = |amount: f64| format!("{sign}{}", grouped(amount));
    let pay = match (plausible(least), plausible(most)) {
        (Some(least), Some(most)) if least < most => format!("{} \u{2013} {}", amount(least), amount(most)),
        (Some(one), _) | (None, Some(one)) => amount(one),
        (None, None) => return None,
    };
    Some(format!("{pay}{}", per(interval)))
}

fn per(interval: &str) -> &'static str {
    let interval = interval.to_lowercase();
    INTERVALS.iter().find(|(word, _)| interval.contains(word)).map_or("", |(_, per)| per)
}

/// `185000` as `185,000`; cents only where there are some.
fn grouped(amount: f64) -> String {
    let cents = (amount * 100.0).round();
    let whole = format!("{:.0}", (cents / 100.0).floor());
    let mut grouped = String::new();
    for (at, digit) in whole.chars().enumerate() {
        if at > 0 && (whole.len() - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    let rest = cents % 100.0;
    if rest >= 1.0 { format!("{grouped}.{rest:02.0}") } else { grouped }
}

/// Words shortly before an amount that is a pay, as opposed to funding or a settlement.
const ABOUT_PAY: [&str; 12] = [
    "salary",
    "salaries",
    "compensation",
    "pay",
    "pays",
    "paid",
    "wage",
    "wages",
    "stipend",
    "hourly",
    "rate",
    "rates",
];
/// The distance in bytes.
const MAX_DISTANCE: usize = 160;
/// The bytes after an amount that may contain its interval.
const INTERVAL_RANGE: usize = 24;

/// The beginnings of an interval after an amount.
const AS_AN_INTERVAL: [&str; 10] = ["per", "/", "a ", "an ", "annual", "hourly", "weekly", "monthly", "yearly", "each"];

/// Finds the first pay in dollars in a description.
pub fn find_pay(description: &str) -> Option<String> {
    description.match_indices('$').find_map(|(at, _)| {
        let before = Words::of(&[description.get(floor(description, at.saturating_sub(MAX_DISTANCE))..at)?]);
        if !before.contains_any(&ABOUT_PAY) {
            return None;
        }
        let (least, rest) = amount(description.get(at + 1..)?)?;
        let (most, rest) = match upto(rest).and_then(amount) {
            Some((most, rest)) => (Some(most), rest),
            None => (None, rest),
        };
        let behind = rest.get(..floor(rest, INTERVAL_RANGE)).unwrap_or(rest).trim_start();
        let behind = if AS_AN_INTERVAL.iter().any(|word| behind.starts_with(word)) { behind } else { "" };
        let interval =
            if per(behind).is_empty() && before.contains_any(&["hourly"]) { " per hour" } else { per(behind) };
        // `$85-100k`: the unit of the second number applies to both.
        let least = if least < 1_000.0 && most.is_some_and(|most| most >= 10_000.0) { least * 1_000.0 } else { least };
        let plausible = match interval {
            " per hour" => (7.0..1_500.0).contains(&least),
            " per day" | " per week" | " per month" => (50.0..60_000.0).contains(&least),
            _ => (15_000.0..3_000_000.0).contains(&least),
        };
        if plausible { format_pay(Some(least), most, "USD", interval) } else { None }
    })
}

/// A number such as `85,000`, `42.50` or `85k`, and what follows.
fn amount(text: &str) -> Option<(f64, &str)> {
    let end = text.find(|c: char| !matches!(c, '0'..='9' | ',' | '.')).unwrap_or(text.len());
    let (digits, rest) = text.split_at(end);
    let number: f64 = digits.trim_end_matches(['.', ',']).replace(',', "").parse().ok()?;
    if let Some(rest) = rest.strip_prefix(['k', 'K']) {
        return Some((number * 1_000.0, rest));
    }
    // `$5 million` is no pay.
    let next = rest.trim_start().to_lowercase();
    if ["m", "b"].iter().any(|much| next.starts_with(much) && !next.starts_with("mo")) {
        None
    } else {
        Some((number, rest))
    }
}

/// What follows a dash, or 'to', between two amounts.
fn upto(text: &str) -> Option<&str> {
    let text = text.trim_start();
    let text = text.strip_prefix("USD").unwrap_or(text).trim_start();
    let text = ["-", "\u{2013}", "\u{2014}", "to "].iter().find_map(|between| text.strip_prefix(between))?;
    Some(text.trim_start().trim_start_matches("US").trim_start_matches('$'))
}

/// The character boundary at or before `at`.
fn floor(text: &str, at: usize) -> usize {
    text.floor_char_boundary(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_become_a_line() {
        for (least, most, currency, interval, line) in [
            (Some(72_000.0), Some(84_000.0), "USD", "per-year-salary", Some("$72,000 \u{2013} $84,000 per year")),
            (Some(120_579.0), Some(120_579.0), "usd", "year", Some("$120,579 per year")),
            (Some(42.5), None, "USD", "hour", Some("$42.50 per hour")),
            (None, Some(1_234_567.0), "EUR", "", Some("\u{20ac}1,234,567")),
            (Some(90_000.0), Some(0.0), "CHF", "per-month-salary", Some("CHF 90,000 per month")),
            (Some(0.0), Some(0.0), "USD", "year", None),
            (Some(f64::NAN), Some(f64::INFINITY), "USD", "year", None),
            (Some(1.0), None, "dollars", "", None),
            (Some(1.0), None, "", "", None),
        ] {
            assert_eq!(format_pay(least, most, currency, interval).as_deref(), line, "{least:?} {most:?}");
        }
    }

    #[test]
    fn a_description_is_quoted_where_it_names_a_pay() {
        for (description, line) in [
            ("The salary range is $85,000 - $100,000 annually.", Some("$85,000 \u{2013} $100,000 per year")),
            ("Compensation: $85,000.00 \u{2013} $100,000.00", Some("$85,000 \u{2013} $100,000")),
            ("Pay is $120k to $140k, with benefits", Some("$120,000 \u{2013} $140,000")),
            ("base salary $120-140k", Some("$120,000 \u{2013} $140,000")),
            ("Hourly rate: $27.50", Some("$27.50 per hour")),
            ("pay of $38 per hour for six weeks", Some("$38 per hour")),
            ("Ten weeks, paid $25 per hour.", Some("$25 per hour")),
            ("Our corporate clients won $250,000", None),
            ("payments of $250,000 a year", None),
            ("We have won $5 million in back pay. Our salaries: $5 million", None),
            ("pays dues of $250", None),
            ("raised $80,000,000 in a series B", None),
            ("salary: competitive ($$$)", None),
            ("salary $", None),
            ("salary \u{e9}$85,000\u{e9}", Some("$85,000")),
        ] {
            assert_eq!(find_pay(description).as_deref(), line, "{description}");
        }
    }
}
