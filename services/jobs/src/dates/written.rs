//! Dates as people write them: `December 1, 2026`, `25/12/2026`. One that may be two days is none.

use chrono::{FixedOffset, Month, NaiveDate, NaiveTime, Weekday};

/// Reads a date. A local time behind it is left out.
pub(super) fn date(raw: &str) -> Option<NaiveDate> {
    let text = raw.to_lowercase().replace(',', " ");
    let mut words: Vec<&str> = text.split_whitespace().collect();
    if words.first().is_some_and(|word| word.trim_end_matches('.').parse::<Weekday>().is_ok()) {
        words.remove(0);
    }
    let (date, rest) = named(&words).or_else(|| {
        let (first, rest) = words.split_first()?;
        Some((iso(first).or_else(|| numeric(first)).or_else(|| dashed(first))?, rest))
    })?;
    (is_time(rest) || is_zone(rest)).then_some(date)
}

/// The date at the beginning that names its month, and the rest.
fn named<'a, 'b>(words: &'a [&'b str]) -> Option<(NaiveDate, &'a [&'b str])> {
    let without_of: Vec<&str> = words.iter().copied().filter(|word| *word != "of").take(3).collect();
    let length = words.len().min(3 + usize::from(words.get(1) == Some(&"of")));
    let [one, two, three] = *without_of.as_slice() else { return None };
    let date = of_parts(one, two, three)?;
    Some((date, words.get(length..)?))
}

/// `01-dec-2026`.
fn dashed(word: &str) -> Option<NaiveDate> {
    let parts: Vec<&str> = word.split('-').collect();
    let [one, two, three] = *parts.as_slice() else { return None };
    of_parts(one, two, three)
}

/// A day, the name of a month, and a year, in the orders in which they are written.
fn of_parts(one: &str, two: &str, three: &str) -> Option<NaiveDate> {
    [(one, two, three), (two, one, three), (three, two, one)].into_iter().find_map(|(day, month, year)| {
        let month = match month.trim_end_matches('.') {
            "sept" => Month::September,
            name => name.parse().ok()?,
        };
        let day = ["st", "nd", "rd", "th"].iter().find_map(|ending| day.strip_suffix(ending)).unwrap_or(day);
        NaiveDate::from_ymd_opt(of_year(year)?, month.number_from_month(), small(day)?)
    })
}

/// `20261201`, `2026-12-01`, `2026/12/01`, also with a zone.
fn iso(word: &str) -> Option<NaiveDate> {
    let date = word.strip_suffix('z').unwrap_or(word);
    let is_basic = date.len() == 8 && date.bytes().all(|byte| byte.is_ascii_digit());
    if is_basic {
        return NaiveDate::parse_from_str(date, "%Y%m%d").ok();
    }
    let (day, zone) = date.split_at_checked("2026-12-01".len())?;
    let is_offset = zone.is_empty() || zone.parse::<FixedOffset>().is_ok();
    let forms = ["%Y-%m-%d", "%Y/%m/%d", "%Y.%m.%d"];
    forms.iter().find_map(|form| NaiveDate::parse_from_str(day, form).ok()).filter(|_| is_offset)
}

/// `12/25/2026` and `25.12.2026`; `None` if the month may be either number.
fn numeric(word: &str) -> Option<NaiveDate> {
    let sign = word.chars().find(|c| matches!(c, '/' | '-' | '.'))?;
    let parts: Vec<&str> = word.split(sign).collect();
    let [one, two, year] = *parts.as_slice() else { return None };
    let year = of_year(year)?;
    let of = |month: &str, day: &str| NaiveDate::from_ymd_opt(year, small(month)?, small(day)?);
    match (of(one, two), of(two, one)) {
        (Some(one), Some(other)) => Some(one).filter(|one| *one == other),
        (one, other) => one.or(other),
    }
}

/// Whether the words are a local time, or none.
fn is_time(words: &[&str]) -> bool {
    let time = words
        .iter()
        .filter(|word| **word != "at")
        .copied()
        .collect::<String>()
        .replace("a.m.", "am")
        .replace("p.m.", "pm");
    let hour = time.strip_suffix("am").or_else(|| time.strip_suffix("pm"));
    let forms = ["%H:%M", "%H:%M:%S", "%I:%M%p"];
    time.is_empty()
        || hour.is_some_and(|hour| small(hour).is_some())
        || forms.iter().any(|form| NaiveTime::parse_from_str(&time, form).is_ok())
}

/// Whether the words are a zone alone, which a day does not need.
fn is_zone(words: &[&str]) -> bool {
    matches!(words, [zone] if matches!(*zone, "utc" | "gmt" | "z") || zone.parse::<FixedOffset>().is_ok())
}

/// A year of four digits: two digits may be a day.
fn of_year(digits: &str) -> Option<i32> {
    if digits.len() == 4 { digits.parse().ok() } else { None }
}

/// A number of one or two digits.
fn small(digits: &str) -> Option<u32> {
    if digits.len() <= 2 { digits.parse().ok() } else { None }
}
