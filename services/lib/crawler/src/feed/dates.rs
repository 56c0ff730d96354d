//! Dates of feeds: standard, nearly standard, and historic formats, in the languages of feeds.
//!
//! A date is read as words and numbers, not by a list of formats: first its time of day, then its zone, and the rest is the day.

mod days;
mod tokens;
mod zones;

use std::ops::Range;

use chrono::{DateTime, NaiveTime, TimeDelta, Timelike as _, Utc};

use tokens::{Mark, Token};
use zones::Zone;

/// The longest date in bytes.
const MAX_LENGTH: usize = 128;
/// 1990-01-01: no feed is older.
const FIRST: DateTime<Utc> = match DateTime::from_timestamp(631_152_000, 0) {
    Some(first) => first,
    None => DateTime::UNIX_EPOCH,
};

/// A parsed date.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Published {
    /// To microseconds. Midnight in UTC for a day.
    pub(super) at: DateTime<Utc>,
    /// Whether the text has no time of day.
    pub(super) is_day: bool,
}

/// Parses a date; UTC without a zone or with an unknown one (RFC 5322, section 4.3). Of the ambiguous `4/5/2026` the month comes
/// first, unless that is impossible; with full stops, the day. `None` when it is unreadable, more than a day ahead of `now`, or
/// before 1990.
pub(super) fn parse(raw: &str, now: DateTime<Utc>) -> Option<Published> {
    let raw = raw.trim();
    if raw.len() > MAX_LENGTH {
        return None;
    }
    let is_plausible = |at: &DateTime<Utc>| *at >= FIRST && *at <= now + TimeDelta::days(1);
    let tokens = tokens::read(raw);
    if let Some(at) = epoch(&tokens) {
        return Some(Published { at, is_day: false }).filter(|published| is_plausible(&published.at));
    }
    let Some((time, before, behind)) = find_time(&tokens) else {
        let midnights = days::candidates(&tokens).into_iter().map(|day| day.and_time(NaiveTime::MIN).and_utc());
        return midnights.into_iter().find(is_plausible).map(|at| Published { at, is_day: true });
    };
    let (since_midnight, behind) = time.since_midnight(behind)?;
    let (zone, rest) = Zone::find(before, behind)?;
    let mut times = days::candidates(&rest).into_iter().filter_map(|day| {
        // 24:00 is the beginning of the next day.
        zone.to_utc(day.and_time(NaiveTime::MIN).checked_add_signed(since_midnight)?)
    });
    let at = times.find(is_plausible)?;
    Some(Published { at: at.with_nanosecond(at.nanosecond() / 1_000 * 1_000)?, is_day: false })
}

/// Reads a number alone: seconds, milliseconds or microseconds since 1970.
fn epoch(tokens: &[Token]) -> Option<DateTime<Utc>> {
    let number = match tokens {
        [Token::Number(number)] | [Token::Number(number), Token::Mark(Mark { sign: '.', .. }), Token::Number(_)] => {
            number
        }
        _ => return None,
    };
    let value: i64 = number.parse().ok()?;
    match number.len() {
        9 | 10 => DateTime::from_timestamp(value, 0),
        12 | 13 => DateTime::from_timestamp_millis(value),
        15 | 16 => DateTime::from_timestamp_micros(value),
        _ => None,
    }
}

/// A time of day as written.
struct Time {
    hour: u32,
    minute: u32,
    second: u32,
    micros: i64,
}

/// The first time of day, and the parts of the text before and behind it: `15:04:05.678`, `3:05 PM`, `3 PM`, `10h30`, `10.30 Uhr`,
/// `T100000`, `T10`.
fn find_time(tokens: &[Token]) -> Option<(Time, &[Token], &[Token])> {
    (0..tokens.len()).find_map(|at| {
        let (before, from) = tokens.split_at_checked(at)?;
        let (time, behind) = Time::read(from)?;
        (!ends_in_offset(before)).then_some((time, before, behind))
    })
}

/// Whether an offset continues behind this text: `2026-11-25+05:00` has a zone and no time, `2026-11-25+05:00:00` too.
fn ends_in_offset(before: &[Token]) -> bool {
    let is_sign = |token: &Token| matches!(token, Token::Mark(Mark { sign: '+' | '-', is_prefix: true }));
    match before {
        [.., sign, Token::Number(hours), colon] if hours.len() <= 2 && colon.is(':') => is_sign(sign),
        [.., sign] => is_sign(sign),
        [] => false,
    }
}

impl Time {
    /// The time at the beginning of the text, and the rest.
    fn read(from: &[Token]) -> Option<(Self, &[Token])> {
        let minutes = |mark: &Token, behind: &[Token]| {
            mark.is(':')
                || mark.is_word("h")
                || (mark.is('.') && behind.first().is_some_and(|word| word.is_word("uhr")))
        };
        match from {
            [Token::Number(hour), one, Token::Number(minute), other, Token::Number(second), behind @ ..]
                if one.is(':') && other.is(':') && second.len() == 2 =>
            {
                let (micros, behind) = fraction(behind);
                Some((Self { micros, ..Self::of(hour, minute, second)? }, behind))
            }
            [Token::Number(hour), mark, Token::Number(minute), behind @ ..]
                if minutes(mark, behind) && minute.len() == 2 =>
            {
                Some((Self::of(hour, minute, "0")?, behind))
            }
            [Token::Number(hour), word, behind @ ..] if word.is_word("h") || word.is_word("uhr") => {
                Some((Self::of(hour, "0", "0")?, behind))
            }
            [Token::Number(hour), behind @ ..] if meridiem(behind).0.is_some() => {
                Some((Self::of(hour, "0", "0")?, behind))
            }
            [word, Token::Number(digits), behind @ ..] if word.is_word("t") && matches!(digits.len(), 4 | 6) => {
                let part = |range: Range<usize>| digits.get(range).unwrap_or("0");
                let (micros, behind) = fraction(behind);
                Some((Self { micros, ..Self::of(part(0..2), part(2..4), part(4..6))? }, behind))
            }
            [word, Token::Number(hour), behind @ ..]
                if word.is_word("t") && hour.len() == 2 && !behind.first().is_some_and(|next| next.is(':')) =>
            {
                Some((Self::of(hour, "0", "0")?, behind))
            }
            _ => None,
        }
    }

    fn of(hour: &str, minute: &str, second: &str) -> Option<Self> {
        let number = |digits: &str| if digits.len() <= 2 { digits.parse().ok() } else { None };
        Some(Self { hour: number(hour)?, minute: number(minute)?, second: number(second)?, micros: 0 })
    }

    /// The time since midnight with the half of the day that follows it, and the rest of the text. `None` when it is impossible.
    fn since_midnight(self, behind: &[Token]) -> Option<(TimeDelta, &[Token])> {
        let (half, behind) = meridiem(behind);
        let hour = match half {
            Some(Half::Morning) if self.hour == 12 => 0,
            Some(Half::Afternoon) if self.hour < 12 => self.hour + 12,
            _ => self.hour,
        };
        let is_possible = hour <= 24 && self.minute < 60 && self.second <= 60;
        // A leap second is read as the one before it.
        let seconds = i64::from((hour * 60 + self.minute) * 60 + self.second.min(59));
        is_possible.then(|| (TimeDelta::seconds(seconds) + TimeDelta::microseconds(self.micros), behind))
    }
}

/// The fraction of a second at the beginning of the text, in microseconds.
fn fraction(from: &[Token]) -> (i64, &[Token]) {
    match from {
        [Token::Mark(Mark { sign: '.' | ',', is_prefix: true }), Token::Number(digits), behind @ ..] => {
            let micros: String = digits.chars().chain("000000".chars()).take(6).collect();
            (micros.parse().unwrap_or_default(), behind)
        }
        _ => (0, from),
    }
}

/// A half of the day.
enum Half {
    Morning,
    Afternoon,
}

/// `AM`, `p.m.` at the beginning of the text, and the rest.
fn meridiem(from: &[Token]) -> (Option<Half>, &[Token]) {
    let half = |letter: &str| match letter {
        "a" | "am" => Some(Half::Morning),
        "p" | "pm" => Some(Half::Afternoon),
        _ => None,
    };
    match from {
        [Token::Word(word), behind @ ..] if word.len() == 2 && half(word).is_some() => (half(word), behind),
        [Token::Word(word), stop, m, behind @ ..]
            if word.len() == 1 && half(word).is_some() && stop.is('.') && m.is_word("m") =>
        {
            (half(word), behind)
        }
        _ => (None, from),
    }
}

#[cfg(test)]
mod tests;
