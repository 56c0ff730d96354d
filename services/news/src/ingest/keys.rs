//! The keys by which copies of a story are found: pairs of words of the title, and the fingerprint of the description, each
//! bound to a day. A key is therefore in few rows, however many articles there are.

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};
use crawler::canonical::fingerprint;

/// The longest words of a title that form keys: two titles of one story share at least two of them.
const MAX_WORDS: usize = 5;
/// Shorter words are in too many titles.
const MIN_WORD: usize = 4;
/// The fewest words of a description whose fingerprint identifies a text.
const MIN_DESCRIPTION: usize = 12;

/// The most days between two copies of one story.
pub const DAYS: i64 = 3;

/// The keys of an article, without a day.
#[derive(Debug)]
pub struct Keys {
    words: Vec<String>,
    fingerprint: Option<String>,
}

impl Keys {
    /// The keys of a title and a description.
    pub fn of(title: &str, description: Option<&str>) -> Self {
        let lower = title.to_lowercase();
        let words = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| word.chars().count() >= MIN_WORD);
        let mut words: Vec<&str> = words.collect::<BTreeSet<_>>().into_iter().collect();
        words.sort_by_key(|word| std::cmp::Reverse(word.chars().count()));
        words.truncate(MAX_WORDS);
        words.sort_unstable();
        let description = description.filter(|text| text.split_whitespace().count() >= MIN_DESCRIPTION);
        Self { words: pairs(&words), fingerprint: description.map(|text| format!("#{}", hex(fingerprint(&[text])))) }
    }

    /// The keys of an article of that day.
    pub fn on(&self, at: DateTime<Utc>) -> Vec<String> {
        let day = day(at);
        self.words.iter().chain(&self.fingerprint).map(|key| bound(key, day)).collect()
    }

    /// The keys of articles within [`DAYS`] of that day.
    pub fn around(&self, at: DateTime<Utc>) -> Vec<String> {
        spread(self.words.iter().chain(&self.fingerprint), at)
    }

    /// The same for the description only.
    pub fn fingerprints_around(&self, at: DateTime<Utc>) -> Vec<String> {
        spread(self.fingerprint.iter(), at)
    }
}

/// All pairs of words; a single word is its own key.
fn pairs(words: &[&str]) -> Vec<String> {
    if let [only] = words {
        return vec![(*only).to_owned()];
    }
    let later = |place: usize| words.iter().skip(place + 1);
    words.iter().enumerate().flat_map(|(place, one)| later(place).map(move |other| format!("{one} {other}"))).collect()
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
        let keys = Keys::of("Supreme Court Bars Wine", None);
        let expected = ["bars court", "bars supreme", "bars wine", "court supreme", "court wine", "supreme wine"];
        assert_eq!(keys.on(monday()), expected.map(|pair| format!("{pair}@20514")));
        assert_eq!(keys.around(monday()).len(), 6 * 7);
        assert!(keys.fingerprints_around(monday()).is_empty());
        assert_eq!(Keys::of("To Wine", None).on(monday()), ["wine@20514"], "one word is better than none");
        assert_eq!(Keys::of("It is so", None).on(monday()), Vec::<String>::new());
    }

    #[test]
    fn copies_share_a_key_within_three_days() {
        let there = Keys::of("Wine ban struck down by Supreme Court", Some(LEAD));
        let here = Keys::of("Supreme Court Strikes Down a Ban on Wine", None);
        for days in -DAYS..=DAYS {
            let around = here.around(monday() + TimeDelta::days(days));
            assert!(there.on(monday()).iter().any(|key| around.contains(key)), "{days}");
        }
        let around = here.around(monday() + TimeDelta::days(DAYS + 1));
        assert!(!there.on(monday()).iter().any(|key| around.contains(key)));
    }

    #[test]
    fn a_long_description_is_a_key() {
        let (one, other) = (Keys::of("A title", Some(LEAD)), Keys::of("Quite another one", Some(&LEAD.to_uppercase())));
        assert!(
            one.on(monday()).iter().any(|key| other.fingerprints_around(monday()).contains(key)),
            "case makes no difference"
        );
        assert!(Keys::of("A title", Some("Read on.")).fingerprints_around(monday()).is_empty());
    }

    #[test]
    fn a_title_of_many_words_has_few_keys() {
        let title: String = (0..200_000).map(|n| format!("word{n} ")).collect();
        assert_eq!(Keys::of(&title, None).on(monday()).len(), MAX_WORDS * (MAX_WORDS - 1) / 2);
        assert_eq!(Keys::of("\u{0}", None).on(monday()), Vec::<String>::new());
    }
}
