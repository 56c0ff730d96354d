//! The pay in one line, formatted from numbers or found in a description; none when it is in doubt.

mod amount;
mod context;
mod currency;
mod words;

use std::{borrow::Cow, iter::successors, sync::LazyLock};

use regex::Regex;

use amount::{Amount, Interval};
use context::Context;
use currency::{Currency, Sign, pattern};

/// Larger numbers are not a pay.
const MAX_PAY: f64 = 1e8;
/// A description with a pay has fewer amounts before it.
const MAX_AMOUNTS: usize = 300;
/// No year is history.
const ANY_YEAR: i32 = 0;

/// `$72,000 – $84,000 per year`; `None` without a plausible number, a currency, or an interval that is one.
pub fn format_pay(least: Option<f64>, most: Option<f64>, currency: &str, interval: &str) -> Option<String> {
    let plausible = |amount: Option<f64>| amount.filter(|amount| (0.01..MAX_PAY).contains(amount));
    let currency = currency.trim().to_uppercase();
    let sign = match currency::of_code(&currency) {
        Some(known) => known.sign.to_owned(),
        None if currency.len() == 3 && currency.bytes().all(|b| b.is_ascii_uppercase()) => format!("{currency} "),
        None => return None,
    };
    let per = per(interval)?;
    let amount = |amount: f64| format!("{sign}{}", grouped(amount));
    let pay = match (plausible(least), plausible(most)) {
        (Some(least), Some(most)) if least < most => format!("{} \u{2013} {}", amount(least), amount(most)),
        (Some(least), Some(most)) if least > most => return None,
        (Some(one), _) | (None, Some(one)) => amount(one),
        (None, None) => return None,
    };
    Some(format!("{pay}{per}"))
}

/// The end of a line for the interval of a source, such as `per-year-salary`; empty when it states none, and `None` for an
/// interval of two weeks or half a month, and for a single payment.
fn per(interval: &str) -> Option<&'static str> {
    let interval = interval.to_lowercase();
    let others = ["semi", "bi-", "biw", "bim", "one-time", "one time", "bonus", "quarter"];
    if others.iter().any(|other| interval.contains(other))
        || interval.trim_start().starts_with(|c| ('2'..='9').contains(&c))
    {
        return None;
    }
    let words = ["hour", "hr", "dai", "day", "week", "month", "year", "annum", "annual", "yr"];
    let word = words.iter().find(|word| interval.contains(*word));
    Some(word.and_then(|word| Interval::of(word)).map_or("", Interval::text))
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

/// The end of a sentence, of a list item, or of a part of a sentence that stands alone.
static END_OF_SENTENCE: LazyLock<Regex> = LazyLock::new(|| pattern(r#"[\n;•|]|[.!?]+["')]?(?: +|$)"#));
/// A full stop behind them ends no sentence.
const ABBREVIATIONS: [&str; 16] =
    ["approx", "e.g", "i.e", "p.a", "u.s", "no", "st", "vs", "inc", "ltd", "co", "est", "min", "max", "d.c", "a.k.a"];

/// Whether the title that a source gives an amount names no other payment than a pay.
pub fn is_title_of_pay(title: &str) -> bool {
    Context::new(None, ANY_YEAR).is_title_of_pay(title)
}

/// Finds the first pay in a description. `place` is the place of work, which tells which dollars a `$` may be. A pay of a
/// year before `year` is history.
pub fn find_pay(description: &str, place: Option<&str>, year: i32) -> Option<String> {
    let text = plain(description);
    let sentences = sentences(&text);
    let context = Context::new(place, year);
    let amounts = successors(Amount::find(&text, 0), |(_, next)| Amount::find(&text, *next));
    let mut lines =
        amounts.take(MAX_AMOUNTS).filter_map(|(amount, _)| read(amount?, &text, &sentences, &context, place));
    lines.next()
}

/// Reads a summary that a source states as the pay. A plain `$` in it is the dollar of the United States.
pub fn read_summary(summary: &str) -> Option<String> {
    find_pay(&format!("Salary: {summary}"), None, ANY_YEAR)
}

fn read(
    amount: Amount<'_>,
    text: &str,
    sentences: &[(usize, usize)],
    context: &Context,
    place: Option<&str>,
) -> Option<String> {
    let at = amount.before.len();
    let current = sentences.iter().rposition(|(start, _)| *start <= at)?;
    let (start, _) = *sentences.get(current)?;
    let before = text.get(start..at)?;
    let (amount, before) = match context::without_least(before, amount.most.is_some()) {
        Some(before) if amount.most.is_some() => (amount, Cow::Owned(before)),
        Some(before) => (with_most(amount, text)?, Cow::Owned(before)),
        None => (amount, Cow::Borrowed(before)),
    };
    let (_, end) = *sentences.iter().find(|(_, end)| *end >= amount.end)?;
    let behind = text.get(amount.end..end)?;
    let earlier = sentences.get(..current)?.iter().rev().filter_map(|(start, end)| {
        // With the line break, which tells a heading.
        text.get(*start..*end + usize::from(text.get(*end..)?.starts_with('\n')))
    });
    let interval_before = context.is_pay(&before, behind, earlier, amount.most.is_some(), amount.interval.is_some())?;
    let adjacent = format!("{} {}", currency::with_dollars(amount.adjacent), names_only(behind));
    let currency = currency::resolve(amount.sign, &adjacent, text.get(start..end)?, text, place)?;
    let interval = amount.interval.or(interval_before);
    is_plausible(&amount, currency, interval)
        .then(|| format_pay(Some(amount.least), amount.most, currency.code, interval.map_or("", Interval::text)))
        .flatten()
}

/// The range of an amount after a word for the least: `Minimum salary: $85,000. Maximum salary: $100,000`.
fn with_most<'a>(least: Amount<'a>, text: &'a str) -> Option<Amount<'a>> {
    let most = Amount::find(text, least.end)?.0?;
    let is_range = most.most.is_none() && least.least < most.least;
    let agrees = least.sign == most.sign && least.interval == most.interval;
    let between = text.get(least.end..most.before.len())?;
    (is_range && agrees && context::names_most(between)).then_some(Amount {
        most: Some(most.least),
        end: most.end,
        ..least
    })
}

/// The name of a currency right behind an amount: `CAD per year`, `(in Canadian dollars)`.
fn names_only(behind: &str) -> &str {
    let end = behind.find([',', '.', ':', '$']).unwrap_or(behind.len()).min(28);
    behind.get(..behind.floor_char_boundary(end)).unwrap_or_default()
}

fn is_plausible(amount: &Amount<'_>, currency: &Currency, interval: Option<Interval>) -> bool {
    let (least, most) = match interval {
        Some(interval) => interval.bounds(),
        None if currency.is_monthly => (Interval::Month.bounds().0, Interval::Year.bounds().1),
        None => Interval::Year.bounds(),
    };
    let is_pay = |number: f64| (least * currency.unit..most * currency.unit).contains(&number);
    // A number without a sign could be a year.
    let has_sign = amount.sign != Sign::None || !(1_900.0..2_100.0).contains(&amount.least);
    has_sign && is_pay(amount.least) && amount.most.is_none_or(is_pay)
}

/// The text with plain spaces and hyphens.
fn plain(text: &str) -> String {
    let spaces = |c: char| match c {
        '\u{a0}' | '\u{2007}' | '\u{2009}' | '\u{200a}' | '\u{202f}' | '\t' | '\r' => ' ',
        '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
        '\u{2019}' => '\'',
        '\u{ff04}' => '$',
        other => other,
    };
    text.chars().map(spaces).collect()
}

/// The beginnings and ends of the sentences.
fn sentences(text: &str) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut start = 0;
    for end in END_OF_SENTENCE.find_iter(text) {
        let before = text.get(start..end.start()).unwrap_or_default();
        let word = before.rsplit([' ', '(']).next().unwrap_or_default().to_lowercase();
        if end.as_str().starts_with('.') && ABBREVIATIONS.contains(&word.as_str()) {
            continue;
        }
        found.push((start, end.start()));
        start = end.end();
    }
    found.push((start, text.len()));
    found
}

#[cfg(test)]
mod tests;
