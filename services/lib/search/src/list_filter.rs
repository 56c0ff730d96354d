//! The filter `search` of list endpoints: every word must occur literally in a row (`like '%word%'`), newest rows first.
//!
//! No plan suits both a word of every row and a word of three rows in a hundred thousand, and the number of matches is unknown
//! beforehand. The lists therefore work in three steps, each of them bounded:
//!
//! 1. Scan the newest rows. A frequent word fills the page there.
//! 2. Otherwise read a trigram index (`gin_trgm_ops`) in windows of time, from the newest back, until the page is full. The
//!    index returns its matches without an order, so that one read of all windows would sort thousands of old rows.
//! 3. An index serves only words with a run of three letters or digits. Without such a word, older rows are not found.
//!
//! Limits are literals in these statements: for a bound limit, the planner assumes a tenth of the table.
//!
//! The statements stay in the services, because the windows differ: one list has fixed windows, which a single statement reads;
//! the other one combines filters, and halves a window that has too many matches.

use primitives::input::LikePatterns;

/// The shortest run of letters and digits that a trigram index serves.
pub const TRIGRAM: usize = 3;

/// Returns the patterns that a trigram index serves, in decreasing order of their longest runs of letters and digits.
#[must_use]
pub fn indexed_words(words: &LikePatterns) -> Vec<&str> {
    let mut indexed: Vec<&str> =
        words.all.iter().map(String::as_str).filter(|word| longest_run(word) >= TRIGRAM).collect();
    indexed.sort_by_key(|word| std::cmp::Reverse(longest_run(word)));
    indexed
}

/// The longest run of letters and digits in a pattern.
fn longest_run(pattern: &str) -> usize {
    pattern.split(|c: char| !c.is_alphanumeric()).map(|run| run.chars().count()).max().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_run_of_letters_is_measured() {
        for (word, length) in [("%law%", 3), (r"%5\%%", 1), ("%a-bc%", 2), ("%%", 0), ("%caf\u{e9}%", 4)] {
            assert_eq!(longest_run(word), length, "{word}");
        }
    }

    #[test]
    fn words_with_long_runs_come_first_and_short_ones_are_left_out() {
        let words = LikePatterns::parse_optional("search", "of law at 100% fairness x admiralty").unwrap().unwrap();
        assert_eq!(indexed_words(&words), ["%admiralty%", "%fairness%", "%law%", r"%100\%%"]);
    }
}
