//! What a story is looked for by: two words its title is likely to share with another source's copy, and the mark of what
//! it says, each bound to a day. So a key stands in few rows however large the newsroom grows.

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};
use crawler::canonical::fingerprint;

/// Words of a title that count, the longest: two titles of one story share two of them at least.
const WORDS: usize = 5;
/// Shorter words are in too many titles.
const LONG: usize = 4;
/// Words a description needs before the same words mean the same text.
const TELLING: usize = 12;

/// Days between two copies of one story, at most.
pub const DAYS: i64 = 3;

/// What a story would be found by, on any day.
#[derive(Debug)]
pub struct Keys {
    words: Vec<String>,
    mark: Option<String>,
}

/// The keys of a title and what is told under it.
pub fn of(title: &str, description: Option<&str>) -> Keys {
    let lower = title.to_lowercase();
    let words = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| word.chars().count() >= LONG);
    let mut words: Vec<&str> = words.collect::<BTreeSet<_>>().into_iter().collect();
    words.sort_by_key(|word| std::cmp::Reverse(word.chars().count()));
    words.truncate(WORDS);
    words.sort_unstable();
    let telling = description.filter(|text| text.split_whitespace().count() >= TELLING);
    Keys { words: pairs(&words), mark: telling.map(|text| format!("#{}", hex(fingerprint(&[text])))) }
}

/// Each two of them; of one alone, that.
fn pairs(words: &[&str]) -> Vec<String> {
    if let [only] = words {
        return vec![(*only).to_owned()];
    }
    let later = |place: usize| words.iter().skip(place + 1);
    words.iter().enumerate().flat_map(|(place, one)| later(place).map(move |other| format!("{one} {other}"))).collect()
}

impl Keys {
    /// As a row of that day has them.
    pub fn on(&self, at: DateTime<Utc>) -> Vec<String> {
        let day = day(at);
        self.words.iter().chain(&self.mark).map(|key| bound(key, day)).collect()
    }

    /// As rows of the days around have them.
    pub fn around(&self, at: DateTime<Utc>) -> Vec<String> {
        spread(self.words.iter().chain(&self.mark), at)
    }

    /// The same for what is told alone, and not the title.
    pub fn mark_around(&self, at: DateTime<Utc>) -> Vec<String> {
        spread(self.mark.iter(), at)
    }
}

fn spread<'a>(keys: impl Iterator<Item = &'a String>, at: DateTime<Utc>) -> Vec<String> {
    let day = day(at);
    keys.flat_map(|key| (day - DAYS..=day + DAYS).map(move |day| bound(key, day))).collect()
}

fn bound(key: &str, day: i64) -> String {
    format!("{key}@{day}")
}

/// Days since 1970.
fn day(at: DateTime<Utc>) -> i64 {
    at.timestamp().div_euclid(86_400)
}

fn hex(bytes: [u8; 16]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use chrono::TimeDelta;

    use super::*;

    const LEAD: &str =
        "The justices heard argument on Monday in a case about who may sell wine to whom across state lines.";

    fn monday() -> DateTime<Utc> {
        DateTime::from_timestamp(1_772_442_000, 0).unwrap()
    }

    #[test]
    fn a_key_is_two_long_words_on_a_day() {
        let keys = of("Supreme Court Bars Wine", None);
        let expected = ["bars court", "bars supreme", "bars wine", "court supreme", "court wine", "supreme wine"];
        assert_eq!(keys.on(monday()), expected.map(|pair| format!("{pair}@20514")));
        assert_eq!(keys.around(monday()).len(), 6 * 7);
        assert!(keys.mark_around(monday()).is_empty());
        assert_eq!(of("To Wine", None).on(monday()), ["wine@20514"], "one word is better than none");
        assert_eq!(of("It is so", None).on(monday()), Vec::<String>::new());
    }

    #[test]
    fn who_is_looked_for_within_three_days_is_found() {
        let there = of("Wine ban struck down by Supreme Court", Some(LEAD));
        let here = of("Supreme Court Strikes Down a Ban on Wine", None);
        for days in -DAYS..=DAYS {
            let looked = here.around(monday() + TimeDelta::days(days));
            assert!(there.on(monday()).iter().any(|key| looked.contains(key)), "{days}");
        }
        let looked = here.around(monday() + TimeDelta::days(DAYS + 1));
        assert!(!there.on(monday()).iter().any(|key| looked.contains(key)));
    }

    #[test]
    fn what_is_told_is_a_key_when_it_is_long_enough_to_be_telling() {
        let (one, other) = (of("A title", Some(LEAD)), of("Quite another one", Some(&LEAD.to_uppercase())));
        assert!(
            one.on(monday()).iter().any(|key| other.mark_around(monday()).contains(key)),
            "case makes no difference"
        );
        assert!(of("A title", Some("Read on.")).mark_around(monday()).is_empty());
    }

    #[test]
    fn a_title_of_many_words_has_few_keys() {
        let title: String = (0..200_000).map(|n| format!("word{n} ")).collect();
        assert_eq!(of(&title, None).on(monday()).len(), WORDS * (WORDS - 1) / 2);
        assert_eq!(of("\u{0}", None).on(monday()), Vec::<String>::new());
    }
}
