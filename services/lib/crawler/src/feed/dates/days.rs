//! The day of a date.

use std::ops::Range;

use chrono::{NaiveDate, Weekday};

use super::tokens::Token;

/// The names of months in English, German, French, Spanish, Filipino, Portuguese, Italian, Dutch, Indonesian, Russian and Arabic,
/// without accents. An abbreviation is the beginning of a name.
const MONTHS: [&[&str]; 12] = [
    &["january", "januar", "janner", "janvier", "enero", "janeiro", "gennaio", "januari", "январь", "января", "يناير"],
    &[
        "february",
        "februar",
        "feber",
        "fevrier",
        "febrero",
        "pebrero",
        "fevereiro",
        "febbraio",
        "februari",
        "февраль",
        "февраля",
        "فبراير",
    ],
    &[
        "march",
        "marz",
        "maerz",
        "mrz",
        "mars",
        "marzo",
        "marso",
        "marco",
        "maart",
        "mrt",
        "maret",
        "март",
        "марта",
        "مارس",
    ],
    &["april", "avril", "abril", "aprile", "апрель", "апреля", "ابريل"],
    &["may", "mai", "mayo", "maio", "maggio", "mei", "маи", "мая", "مايو"],
    &["june", "juni", "juin", "junio", "hunyo", "junho", "giugno", "июнь", "июня", "يونيو", "يونيه"],
    &["july", "juli", "juillet", "julio", "hulyo", "julho", "luglio", "июль", "июля", "يوليو", "يوليه"],
    &["august", "aout", "agosto", "augustus", "agustus", "август", "августа", "اغسطس"],
    &[
        "september",
        "septembre",
        "septiembre",
        "setiembre",
        "setyembre",
        "setembro",
        "settembre",
        "сентябрь",
        "сентября",
        "سبتمبر",
    ],
    &["october", "oktober", "octobre", "octubre", "oktubre", "outubro", "ottobre", "октябрь", "октября", "اكتوبر"],
    &["november", "novembre", "noviembre", "nobyembre", "novembro", "ноябрь", "ноября", "نوفمبر"],
    &[
        "december",
        "dezember",
        "decembre",
        "diciembre",
        "disyembre",
        "dezembro",
        "dicembre",
        "desember",
        "декабрь",
        "декабря",
        "ديسمبر",
    ],
];

/// The names of weekdays that begin like a month: `mar.` is a Tuesday in French, Spanish, Filipino and Italian.
const TUESDAYS: [&str; 3] = ["mardi", "martes", "martedi"];

/// The fewest letters of an abbreviation.
const MIN_NAME: usize = 3;

/// The possible days of the words and numbers of a text, the likeliest first. Other words say nothing: weekdays are often wrong.
pub(super) fn candidates(tokens: &[Token]) -> Vec<NaiveDate> {
    // A year may look like an offset, as in `25-Nov-2026`.
    let days = of(tokens);
    if days.is_empty() { of(without_offset(tokens)) } else { days }
}

fn of(tokens: &[Token]) -> Vec<NaiveDate> {
    let numbers: Vec<&str> = tokens
        .iter()
        .filter_map(|token| match token {
            Token::Number(number) => Some(number.as_str()),
            _ => None,
        })
        .collect();
    let days = match (month(tokens), numbers.as_slice()) {
        (Some(month), [one, other]) => named(month, one, other),
        (Some(_), _) => Vec::new(),
        (None, [number]) if number.len() == 8 => {
            let part = |range: Range<usize>| number.get(range).unwrap_or_default();
            vec![day(part(0..4), part(4..6), part(6..8))]
        }
        (None, _) => numeric(tokens),
    };
    days.into_iter().flatten().collect()
}

/// A day without the offset of its zone: `2026-11-25-05:00`, `25 Nov 2026 +0800`.
fn without_offset(tokens: &[Token]) -> &[Token] {
    let begins = |token: &Token| token.is('+') || token.is('-');
    let Some(at) = tokens.iter().rposition(begins) else { return tokens };
    let (day, offset) = tokens.split_at_checked(at).unwrap_or((tokens, &[]));
    let is_offset = offset.iter().skip(1).all(|token| token.is(':') || matches!(token, Token::Number(_)));
    if is_offset { day } else { tokens }
}

/// The month that is named.
fn month(tokens: &[Token]) -> Option<u32> {
    let words = tokens.iter().filter_map(|token| match token {
        Token::Word(word) if word.chars().count() >= MIN_NAME => Some(word.as_str()),
        _ => None,
    });
    let of = |word: &str| (1..).zip(MONTHS).find(|(_, names)| names.iter().any(|name| name.starts_with(word)));
    let named: Vec<(&str, u32)> = words.filter_map(|word| Some((word, of(word)?.0))).collect();
    let is_tuesday = |word: &str| TUESDAYS.iter().any(|name| name.starts_with(word));
    let other = named.iter().find(|(word, _)| !is_tuesday(word));
    // The weekday comes first: `mar, 3 mar 2026`.
    other.or_else(|| named.last()).map(|(_, month)| *month)
}

/// A day and a year beside the name of a month. A year of two digits comes last: `25-Nov-26`.
fn named(month: u32, one: &str, other: &str) -> Vec<Option<NaiveDate>> {
    let of = |year_text: &str, day: &str| NaiveDate::from_ymd_opt(year(year_text)?, month, small(day)?);
    if one.len() > 2 { vec![of(one, other)] } else { vec![of(other, one), of(one, other)] }
}

/// A date of numbers and signs.
fn numeric(tokens: &[Token]) -> Vec<Option<NaiveDate>> {
    // A sign behind the date separates it from the time.
    let end = tokens.iter().rposition(|token| matches!(token, Token::Number(_))).map_or(0, |last| last + 1);
    let start = tokens.iter().position(|token| matches!(token, Token::Number(_))).unwrap_or(0);
    match tokens.get(start..end).unwrap_or_default() {
        [Token::Number(one), first, Token::Number(two), second, Token::Number(three)]
            if first.sign() == second.sign() =>
        {
            let (month_first, day_first) = (day(three, one, two), day(three, two, one));
            match first.sign() {
                Some('-' | '/' | '.') if one.len() == 4 => vec![day(one, two, three)],
                Some('.') => vec![day_first, month_first],
                Some('-' | '/') => vec![month_first, day_first],
                _ => vec![],
            }
        }
        [Token::Number(year), Token::Number(month), Token::Number(of_month)] if year.len() == 4 => {
            vec![day(year, month, of_month)]
        }
        // ISO 8601: the day of a week, `2026-W48-3`, and of a year, `2026-329`.
        [Token::Number(year), dash, w, Token::Number(week), other, Token::Number(weekday)]
            if dash.is('-') && w.is_word("w") && other.is('-') =>
        {
            vec![day_of_week(year, week, weekday)]
        }
        [Token::Number(year), w, Token::Number(digits)] if w.is_word("w") && digits.len() == 3 => {
            let (week, weekday) = digits.split_at_checked(2).unwrap_or_default();
            vec![day_of_week(year, week, weekday)]
        }
        [Token::Number(year), dash, Token::Number(ordinal)]
            if dash.is('-') && year.len() == 4 && ordinal.len() == 3 =>
        {
            let day = year.parse().ok().zip(ordinal.parse().ok());
            vec![day.and_then(|(year, ordinal)| NaiveDate::from_yo_opt(year, ordinal))]
        }
        _ => vec![],
    }
}

fn day(year_text: &str, month: &str, day: &str) -> Option<NaiveDate> {
    NaiveDate::from_ymd_opt(year(year_text)?, small(month)?, small(day)?)
}

fn day_of_week(year: &str, week: &str, weekday: &str) -> Option<NaiveDate> {
    let weekday = Weekday::try_from(weekday.parse::<u8>().ok()?.checked_sub(1)?).ok()?;
    NaiveDate::from_isoywd_opt(year.parse().ok()?, week.parse().ok()?, weekday)
}

/// A year, which may be written with two or three digits (RFC 5322, section 4.3).
fn year(digits: &str) -> Option<i32> {
    let number: i32 = digits.parse().ok()?;
    match digits.len() {
        2 if number < 50 => Some(2_000 + number),
        2 | 3 => Some(1_900 + number),
        4 => Some(number),
        _ => None,
    }
}

/// A day or a month.
fn small(digits: &str) -> Option<u32> {
    if digits.len() <= 2 { digits.parse().ok() } else { None }
}
