//! What a word is: letters and digits, small and without accents; and how far one is from another.

use unicode_normalization::{UnicodeNormalization as _, char::is_combining_mark};

/// The longest word kept, in characters: what is longer is found by its beginning.
const LONGEST: usize = 40;
/// A word this long may be mistyped twice.
const LONG: usize = 8;

/// The words of a text, in its order, with those that are in it twice.
pub fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut letters = 0;
    for c in text.nfkd().filter(|c| !is_combining_mark(*c)).flat_map(char::to_lowercase) {
        if !c.is_alphanumeric() {
            words.extend((letters > 0).then(|| std::mem::take(&mut word)));
            letters = 0;
        } else if letters < LONGEST {
            plain(c, &mut word);
            letters += 1;
        }
    }
    words.extend((letters > 0).then_some(word));
    words
}

/// Letters that no accent can be taken off from, as people without them on their keyboard write them.
fn plain(c: char, word: &mut String) {
    match c {
        'ß' => word.push_str("ss"),
        'æ' => word.push_str("ae"),
        'œ' => word.push_str("oe"),
        'ø' => word.push('o'),
        'đ' | 'ð' => word.push('d'),
        'ł' => word.push('l'),
        'þ' => word.push_str("th"),
        'ı' => word.push('i'),
        c => word.push(c),
    }
}

/// Whether typing errors are looked for in a word: two or three letters are too near to too many others, and a number is
/// another number.
pub fn may_be_mistyped(word: &str) -> bool {
    word.chars().count() > 3 && !word.chars().any(|c| c.is_ascii_digit())
}

/// How many letters were left out, put in, taken for others or swapped with their neighbour, where that may have happened:
/// once in a word, twice in a long one.
pub fn slips(typed: &str, meant: &str) -> Option<usize> {
    let (typed, meant): (Vec<char>, Vec<char>) = (typed.chars().collect(), meant.chars().collect());
    let most = if typed.len() < LONG { 1 } else { 2 };
    if typed.len().abs_diff(meant.len()) > most {
        return None;
    }
    let mut before: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=meant.len()).collect();
    for (i, t) in typed.iter().enumerate() {
        let mut row = Vec::with_capacity(above.len());
        row.push(i + 1);
        for (j, m) in meant.iter().enumerate() {
            let at = |row: &[usize], j: usize| row.get(j).copied().unwrap_or(usize::MAX - 1);
            let mut least = (at(&above, j) + usize::from(t != m)).min(at(&above, j + 1) + 1).min(at(&row, j) + 1);
            let swapped = i > 0 && j > 0 && typed.get(i - 1) == Some(m) && meant.get(j - 1) == Some(t);
            if swapped {
                least = least.min(at(&before, j - 1) + 1);
            }
            row.push(least);
        }
        before = std::mem::replace(&mut above, row);
    }
    above.last().copied().filter(|slips| *slips <= most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_small_plain_and_apart() {
        for (text, expected) in [
            ("José Núñez-Ångström", vec!["jose", "nunez", "angstrom"]),
            ("isabel.reyes@up.edu", vec!["isabel", "reyes", "up", "edu"]),
            ("O\u{2019}Brien \u{ab}Straße\u{bb} № 5", vec!["o", "brien", "strasse", "no", "5"]),
            ("  \u{200b} !? ", vec![]),
            ("ｆｕｌｌ ﬁle", vec!["full", "file"]),
            ("право 法律", vec!["право", "法律"]),
        ] {
            assert_eq!(words(text), expected, "{text}");
        }
    }

    #[test]
    fn a_word_has_an_end() {
        assert_eq!(words(&"a".repeat(5_000)), ["a".repeat(LONGEST)]);
        assert_eq!(words(&"ß".repeat(5_000)), ["s".repeat(2 * LONGEST)]);
    }

    #[test]
    fn slips_are_counted_up_to_what_is_forgiven() {
        for (typed, meant, expected) in [
            ("isabl", "isabel", Some(1)),
            ("reys", "reyes", Some(1)),
            ("reeys", "reyes", Some(1)),
            ("isobel", "isabel", Some(1)),
            ("isabell", "isabel", Some(1)),
            ("isbl", "isabel", None),
            ("litigatoin", "litigation", Some(1)),
            ("constituional", "constitutional", Some(1)),
            ("jurisprudance", "jurisprudence", Some(1)),
            ("jurispudance", "jurisprudence", Some(2)),
            ("law", "law", Some(0)),
            ("", "a", Some(1)),
        ] {
            assert_eq!(slips(typed, meant), expected, "{typed} {meant}");
        }
    }
}
