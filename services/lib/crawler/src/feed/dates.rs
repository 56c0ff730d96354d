//! Dates of feeds: standard, nearly standard, and historic formats.

use chrono::{DateTime, FixedOffset, NaiveDate, NaiveDateTime, NaiveTime, Offset as _, TimeDelta, TimeZone as _, Utc};

/// The longest date in bytes.
const MAX_LENGTH: usize = 100;
/// 1990-01-01: no feed is older.
const FIRST: DateTime<Utc> = match DateTime::from_timestamp(631_152_000, 0) {
    Some(first) => first,
    None => DateTime::UNIX_EPOCH,
};

/// Formats with a time of day. `%B` accepts full and short names of months; `%y` comes before `%Y`, which would read the year 26.
const TIMES: [&str; 14] = [
    "%d %B %y %H:%M:%S%.f",
    "%d %B %Y %H:%M:%S%.f",
    "%d %B %y %H:%M",
    "%d %B %Y %H:%M",
    "%d %B %Y %I:%M %p",
    "%B %d, %Y %H:%M:%S",
    "%B %d, %Y %H:%M",
    "%B %d, %Y %I:%M %p",
    "%B %d %H:%M:%S %Y",
    "%Y-%m-%dT%H:%M:%S%.f",
    "%Y-%m-%dT%H:%M",
    "%Y-%m-%d %H:%M:%S%.f",
    "%Y-%m-%d %H:%M",
    "%m/%d/%Y %H:%M:%S",
];

/// Formats without a time of day. American feeds begin with the month.
const DAYS: [&str; 7] = ["%d %B %y", "%d %B %Y", "%B %d, %Y", "%Y-%m-%d", "%Y/%m/%d", "%Y%m%d", "%m/%d/%Y"];

/// Names of zones with their hours from UTC: those of RFC 822 and of Europe.
const ZONES: [(&str, i32); 19] = [
    ("Z", 0),
    ("UT", 0),
    ("UTC", 0),
    ("GMT", 0),
    ("WET", 0),
    ("WEST", 1),
    ("BST", 1),
    ("CET", 1),
    ("CEST", 2),
    ("EET", 2),
    ("EEST", 3),
    ("EST", -5),
    ("EDT", -4),
    ("CST", -6),
    ("CDT", -5),
    ("MST", -7),
    ("MDT", -6),
    ("PST", -8),
    ("PDT", -7),
];

/// Parses a date; UTC without a zone, midnight without a time of day. `None` when it is unreadable, more than a day ahead of
/// `now`, or before 1990.
pub(super) fn parse(raw: &str, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
    let raw = raw.trim();
    if raw.len() > MAX_LENGTH {
        return None;
    }
    let is_plausible = |at: &DateTime<Utc>| *at >= FIRST && *at <= now + TimeDelta::days(1);
    let standard = DateTime::parse_from_rfc3339(raw).or_else(|_| DateTime::parse_from_rfc2822(raw));
    standard.ok().map(|at| at.to_utc()).filter(is_plausible).or_else(|| parse_leniently(raw).find(is_plausible))
}

/// The possible times of a text, the likeliest first.
fn parse_leniently(raw: &str) -> impl Iterator<Item = DateTime<Utc>> {
    let (text, zone) = split(raw);
    let times: Vec<NaiveDateTime> =
        TIMES.iter().filter_map(|format| NaiveDateTime::parse_from_str(&text, format).ok()).collect();
    let days: Vec<NaiveDate> = DAYS.iter().filter_map(|format| NaiveDate::parse_from_str(&text, format).ok()).collect();
    let midnights = days.into_iter().map(|day| day.and_time(NaiveTime::MIN));
    times
        .into_iter()
        .chain(midnights)
        .filter_map(move |at| zone.from_local_datetime(&at).single())
        .map(|at| at.to_utc())
}

/// The text without weekday, which is often wrong, and without zone; and the zone.
fn split(raw: &str) -> (String, FixedOffset) {
    // The name of a zone in brackets follows its offset.
    let raw = raw.split_once('(').map_or(raw, |(date, _)| date);
    let mut words: Vec<&str> = raw.split_whitespace().collect();
    if words.first().is_some_and(|word| is_weekday(word)) {
        words.remove(0);
    }
    let mut offset = words.last().and_then(|word| zone(word));
    if offset.is_some() {
        words.pop();
        // `GMT+0200` in two words.
        if words.last().is_some_and(|word| zone(word).is_some()) {
            words.pop();
        }
    }
    let mut text = words.join(" ").replace("Sept ", "Sep ").replace(" 24:", " 00:");
    if offset.is_none() {
        // `10:00:00+0200` and `10:00Z` in one word. The dashes of a day come before the first colon.
        let colon = text.find(':').unwrap_or(text.len());
        let at = text.get(colon..).and_then(|time| time.find(['+', '-', 'Z'])).map(|at| colon + at);
        if let Some((at, found)) = at.and_then(|at| Some((at, zone(text.get(at..)?)?))) {
            text.truncate(at);
            offset = Some(found);
        }
    }
    (text.trim_end().to_owned(), offset.unwrap_or_else(|| Utc.fix()))
}

fn is_weekday(word: &str) -> bool {
    let word = word.trim_end_matches([',', '.']).to_lowercase();
    word.chars().all(char::is_alphabetic)
        && ["mon", "tue", "wed", "thu", "fri", "sat", "sun"].iter().any(|day| word.starts_with(day))
}

/// `EST`, `+0200`, `-05:00`, `GMT+2`.
fn zone(word: &str) -> Option<FixedOffset> {
    if let Some((_, hours)) = ZONES.iter().find(|(name, _)| name.eq_ignore_ascii_case(word)) {
        return FixedOffset::east_opt(hours * 3_600);
    }
    let word = word.strip_prefix("GMT").or_else(|| word.strip_prefix("UTC")).unwrap_or(word);
    let (sign, digits) = match (word.strip_prefix('+'), word.strip_prefix('-')) {
        (Some(digits), _) => (1, digits),
        (_, Some(digits)) => (-1, digits),
        _ => return None,
    };
    let digits: String = digits.chars().filter(|c| *c != ':').collect();
    if digits.is_empty() || digits.len() > 4 || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let number: i32 = digits.parse().ok()?;
    let (hours, minutes) = if digits.len() <= 2 { (number, 0) } else { (number / 100, number % 100) };
    FixedOffset::east_opt(sign * (hours * 3_600 + minutes * 60))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn now() -> DateTime<Utc> {
        "2026-11-22T12:00:00Z".parse().unwrap()
    }

    fn read(raw: &str) -> Option<String> {
        parse(raw, now()).map(|at| at.format("%Y-%m-%dT%H:%M:%S").to_string())
    }

    #[test]
    fn dates_are_parsed_in_every_usual_format() {
        for raw in [
            "2026-11-20T15:04:05Z",
            "2026-11-20T15:04:05+00:00",
            "2026-11-20T15:04:05.678Z",
            "2026-11-20T10:04:05-0500",
            "2026-11-20T10:04:05-05:00",
            "2026-11-20T15:04:05",
            "2026-11-20 15:04:05",
            "2026-11-20 15:04:05 UTC",
            "2026-11-20 16:04:05 +0100",
            "Fri, 20 Nov 2026 15:04:05 GMT",
            "Fri, 20 Nov 2026 15:04:05 +0000",
            "Fri, 20 Nov 2026 15:04:05 -0000",
            "Mon, 20 Nov 2026 15:04:05 GMT",
            "Friday, 20 November 2026 15:04:05 GMT",
            "Fri, 20 Nov 26 15:04:05 GMT",
            "Fri, 20 Nov 2026 15:04:05",
            "Fri 20 Nov 2026 15:04:05 UTC",
            "20 Nov 2026 15:04:05 Z",
            "Fri,  20   Nov 2026  15:04:05 GMT (Coordinated Universal Time)",
            "Fri, 20 Nov 2026 10:04:05 EST",
            "Fri, 20 Nov 2026 16:04:05 CET",
            "Fri, 20 Nov 2026 17:04:05 GMT+0200",
            "Fri, 20 Nov 2026 17:04:05 GMT +0200",
            "Fri Nov 20 15:04:05 2026",
            "November 20, 2026 15:04:05",
            "  \n Fri, 20 Nov 2026 15:04:05 GMT \t",
        ] {
            assert_eq!(read(raw).as_deref(), Some("2026-11-20T15:04:05"), "{raw}");
        }
        for (raw, expected) in [
            ("2026-11-20", "2026-11-20T00:00:00"),
            ("20 Nov 2026", "2026-11-20T00:00:00"),
            ("Nov 20, 2026", "2026-11-20T00:00:00"),
            ("11/20/2026", "2026-11-20T00:00:00"),
            ("20261120", "2026-11-20T00:00:00"),
            ("Tue, 15 Sept 2026 9:05 EDT", "2026-09-15T13:05:00"),
            ("Tue, 15 Sep 2026 24:00:00 GMT", "2026-09-15T00:00:00"),
            ("September 15, 2026 3:05 PM", "2026-09-15T15:05:00"),
        ] {
            assert_eq!(read(raw).as_deref(), Some(expected), "{raw}");
        }
    }

    #[test]
    fn an_unreadable_or_implausible_date_is_none() {
        for raw in [
            "",
            "yesterday",
            "Fri, 32 Nov 2026 15:04:05 GMT",
            "0000-00-00T00:00:00Z",
            "0001-01-01T00:00:00Z",
            "1970-01-01T00:00:00Z",
            "1989-12-31T23:59:59Z",
            "2026-11-23T12:00:01Z",
            "2099-01-01",
            "10000-01-01T00:00:00Z",
            "infinity",
            "1763650000",
            "Fri, 20 Nov 2026 15:04:05 +9999",
            "\u{0665} Nov 2026",
        ] {
            assert_eq!(read(raw), None, "{raw}");
        }
        assert_eq!(read(&"1".repeat(1 << 20)), None);
        assert_eq!(read("1990-01-01T00:00:00Z").as_deref(), Some("1990-01-01T00:00:00"));
        assert_eq!(read("2026-11-23T12:00:00Z").as_deref(), Some("2026-11-23T12:00:00"), "a clock may run ahead a day");
    }

    proptest! {
        #[test]
        fn every_parsed_date_is_plausible(raw in prop_oneof![
            any::<String>(),
            "[A-Za-z]{3},? [0-9]{1,2} [A-Za-z]{3,9} [0-9]{2,5} [0-9]{1,2}:[0-9]{2}(:[0-9]{2})? ?([A-Z]{1,4}|[+-][0-9:]{2,6})?",
            "[0-9]{1,5}[-/][0-9]{1,2}[-/][0-9]{1,4}[T ]?[0-9:.]{0,12}[Z+-]?[0-9:]{0,5}",
        ]) {
            if let Some(at) = parse(&raw, now()) {
                prop_assert!(at >= FIRST && at <= now() + TimeDelta::days(1), "{} of {}", at, raw);
            }
        }
    }
}
