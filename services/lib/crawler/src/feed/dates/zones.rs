//! The zone of a time.

use chrono::{DateTime, FixedOffset, NaiveDateTime, Offset as _, TimeZone as _, Utc};
use chrono_tz::Tz;

use super::tokens::{Mark, Token};

/// Names of zones with their minutes from UTC. For a name of several zones, the list has the zone of RFC 822, else the
/// most populous one.
const ZONES: [(&str, i32); 93] = [
    ("acdt", 630),
    ("acst", 570),
    ("adt", -180),
    ("aedt", 660),
    ("aest", 600),
    ("akdt", -480),
    ("akst", -540),
    ("art", -180),
    ("ast", -240),
    ("awst", 480),
    ("bdt", 360),
    ("bnt", 480),
    ("bot", -240),
    ("brst", -120),
    ("brt", -180),
    ("bst", 60),
    ("cat", 120),
    ("cdt", -300),
    ("cest", 120),
    ("cet", 60),
    ("chst", 600),
    ("clst", -180),
    ("clt", -240),
    ("cot", -300),
    ("cst", -360),
    ("eat", 180),
    ("ect", -300),
    ("edt", -240),
    ("eest", 180),
    ("eet", 120),
    ("est", -300),
    ("fjt", 720),
    ("get", 240),
    ("gmt", 0),
    ("gst", 240),
    ("hadt", -540),
    ("hast", -600),
    ("hkt", 480),
    ("hst", -600),
    ("ict", 420),
    ("idt", 180),
    ("irst", 210),
    ("ist", 330),
    ("jst", 540),
    ("kst", 540),
    ("mdt", -360),
    ("mesz", 120),
    ("met", 60),
    ("mez", 60),
    ("mmt", 390),
    ("msd", 240),
    ("msk", 180),
    ("mst", -420),
    ("mvt", 300),
    ("myt", 480),
    ("ndt", -150),
    ("npt", 345),
    ("nst", -210),
    ("nzdt", 780),
    ("nzst", 720),
    ("pdt", -420),
    ("pet", -300),
    ("pgt", 600),
    ("phst", 480),
    ("pht", 480),
    ("pkt", 300),
    ("pst", -480),
    ("pyst", -180),
    ("pyt", -240),
    ("ret", 240),
    ("sast", 120),
    ("sgt", 480),
    ("slst", 330),
    ("sst", -660),
    ("trt", 180),
    ("tst", 480),
    ("uct", 0),
    ("ut", 0),
    ("utc", 0),
    ("uyt", -180),
    ("uzt", 300),
    ("vet", -240),
    ("vlat", 600),
    ("wast", 120),
    ("wat", 60),
    ("west", 60),
    ("wet", 0),
    ("wib", 420),
    ("wit", 540),
    ("wita", 480),
    ("yekt", 300),
    ("z", 0),
    ("zulu", 0),
];

/// A zone.
#[derive(Clone, Copy)]
pub(super) enum Zone {
    Offset(FixedOffset),
    Named(Tz),
}

impl Zone {
    /// Finds the zone of a time in the parts of the text before and behind it, and returns both parts without its
    /// offset. An unknown zone is UTC. `None` for an impossible offset.
    pub(super) fn find(before: &[Token], behind: &[Token]) -> Option<(Self, Vec<Token>)> {
        // The sign separates the parts, so that a number before the time and one behind it are no date.
        let gap = [Token::Mark(Mark { sign: ' ', is_prefix: false })];
        let joined = |first: &[Token], second: &[Token]| [before, gap.as_slice(), first, second].concat();
        if let Some((minutes, start, end)) = (0..behind.len()).find_map(|at| offset(behind, at)) {
            let rest = joined(behind.get(..start)?, behind.get(end..)?);
            return Some((Self::Offset(FixedOffset::east_opt(minutes * 60)?), rest));
        }
        let mut all = behind.iter().chain(before);
        let named = all.find_map(|token| match token {
            Token::Zone(zone) => Some(Self::Named(*zone)),
            Token::Word(word) => known(word).and_then(|minutes| FixedOffset::east_opt(minutes * 60)).map(Self::Offset),
            Token::Number(_) | Token::Mark(_) => None,
        });
        Some((named.unwrap_or(Self::Offset(Utc.fix())), joined(behind, &[])))
    }

    /// Converts a local time to the instant. Of an hour that exists twice, the first counts. A time that a change of
    /// the clock skips is read with the offset before it.
    pub(super) fn to_utc(self, local: NaiveDateTime) -> Option<DateTime<Utc>> {
        match self {
            Self::Offset(offset) => Some(offset.from_local_datetime(&local).single()?.to_utc()),
            Self::Named(zone) => {
                let earliest = zone.from_local_datetime(&local).earliest().map(|at| at.to_utc());
                earliest.or_else(|| {
                    let before = zone.offset_from_utc_datetime(&(local - chrono::TimeDelta::days(1))).fix();
                    Some(before.from_local_datetime(&local).single()?.to_utc())
                })
            }
        }
    }
}

fn known(word: &str) -> Option<i32> {
    ZONES.binary_search_by(|(name, _)| (*name).cmp(word)).ok().and_then(|at| ZONES.get(at)).map(|(_, minutes)| *minutes)
}

/// The offset in minutes at this place behind a time, and its first and last token: `+0200`, `-05:00`, `GMT+2`.
fn offset(behind: &[Token], at: usize) -> Option<(i32, usize, usize)> {
    let (before, from) = behind.split_at_checked(at)?;
    let follows = match before.last() {
        None => true,
        Some(Token::Word(word)) => known(word).is_some(),
        Some(_) => false,
    };
    let [Token::Mark(Mark { sign: sign @ ('+' | '-'), is_prefix: true }), Token::Number(digits), rest @ ..] = from
    else {
        return None;
    };
    // Seconds are left out: `+08:00:00`, `+080000`.
    let digits = if digits.len() == 6 { digits.get(..4)? } else { digits };
    if !follows || digits.len() > 4 {
        return None;
    }
    let number: i32 = digits.parse().ok()?;
    let (minutes, length) = match rest {
        [colon, Token::Number(minutes), behind @ ..] if digits.len() <= 2 && colon.is(':') && minutes.len() == 2 => {
            let has_seconds = matches!(behind, [colon, Token::Number(_), ..] if colon.is(':'));
            (number * 60 + minutes.parse::<i32>().ok()?, if has_seconds { 6 } else { 4 })
        }
        _ if digits.len() <= 2 => (number * 60, 2),
        _ => (number / 100 * 60 + number % 100, 2),
    };
    Some((if *sign == '-' { -minutes } else { minutes }, at, at + length))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_zones_are_sorted() {
        assert!(ZONES.is_sorted());
    }
}
