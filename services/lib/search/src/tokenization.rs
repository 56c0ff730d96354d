//! Tokenization: words are runs of letters and digits, in lower case and without accents; and their edit distance.

use unicode_normalization::{UnicodeNormalization as _, char::is_combining_mark};

/// The longest indexed word in characters. A longer one is truncated.
const MAX_LENGTH: usize = 40;
/// From this length on, two edits are accepted.
const LONG: usize = 8;

/// The words of a text in order, with duplicates.
pub fn tokenize(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut letters = 0;
    for c in text.nfkd().filter(|c| !is_combining_mark(*c)).flat_map(char::to_lowercase) {
        if !c.is_alphanumeric() {
            words.extend((letters > 0).then(|| std::mem::take(&mut word)));
            letters = 0;
        } else if letters < MAX_LENGTH {
            push_plain(c, &mut word);
            letters += 1;
        }
    }
    words.extend((letters > 0).then_some(word));
    words
}

/// Replaces letters without a decomposition by their common transcription.
fn push_plain(c: char, word: &mut String) {
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

/// The number of insertions, deletions, substitutions and swaps of adjacent letters. `None` above the accepted number: one,
/// or two in a long word.
pub fn edit_distance(typed: &str, meant: &str) -> Option<usize> {
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
    above.last().copied().filter(|distance| *distance <= most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_in_lower_case_and_without_accents() {
        for (text, expected) in [
            ("José Núñez-Ångström", vec!["jose", "nunez", "angstrom"]),
            ("isabel.reyes@up.edu", vec!["isabel", "reyes", "up", "edu"]),
            ("O\u{2019}Brien \u{ab}Straße\u{bb} № 5", vec!["o", "brien", "strasse", "no", "5"]),
            ("  \u{200b} !? ", vec![]),
            ("ｆｕｌｌ ﬁle", vec!["full", "file"]),
            ("право 法律", vec!["право", "法律"]),
        ] {
            assert_eq!(tokenize(text), expected, "{text}");
        }
    }

    #[test]
    fn a_long_word_is_truncated() {
        assert_eq!(tokenize(&"a".repeat(5_000)), ["a".repeat(MAX_LENGTH)]);
        assert_eq!(tokenize(&"ß".repeat(5_000)), ["s".repeat(2 * MAX_LENGTH)]);
    }

    #[test]
    fn the_edit_distance_is_limited_by_the_length_of_the_word() {
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
            assert_eq!(edit_distance(typed, meant), expected, "{typed} {meant}");
        }
    }
}
