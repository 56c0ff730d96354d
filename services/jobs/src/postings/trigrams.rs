//! The words that the trigram index serves: runs of at least three letters and digits.

use primitives::input::LikePatterns;
use search::list_filter::{TRIGRAM, indexed_words};
use sqlx::PgConnection;

/// The pattern that matches every text.
const ANYTHING: &str = "%";

/// Selects the three words with the longest runs of letters and digits; `None` when the index serves no word.
pub fn select_words(words: &LikePatterns) -> Option<[&str; 3]> {
    let mut indexed = indexed_words(words).into_iter();
    let first = indexed.next()?;
    Some([first, indexed.next().unwrap_or(ANYTHING), indexed.next().unwrap_or(ANYTHING)])
}

/// The trigrams of words, as patterns.
fn trigrams(patterns: &[&str]) -> Vec<String> {
    let runs = patterns.iter().flat_map(|pattern| pattern.split(|c: char| !c.is_alphanumeric()));
    let letters: Vec<Vec<char>> = runs.map(|run| run.chars().collect()).collect();
    let trigrams = letters.iter().flat_map(|run| run.windows(TRIGRAM));
    trigrams.map(|trigram| format!("%{}%", trigram.iter().collect::<String>())).collect()
}

/// Whether the index is selective for these words, estimated from the newest postings: when every trigram is in a tenth of the
/// texts, the index would read all of those.
pub async fn is_selective(db: &mut PgConnection, words: &[&str]) -> Result<bool, sqlx::Error> {
    sqlx::query_scalar!(
        r#"select count(*) < 4 as "rare!"
        from (
            select searched
            from jobs.postings
            where closed_at is null
            order by posted_at desc, id desc
            limit 40
        ) as sample
        where searched like all (array(select lower(piece) from unnest($1::text[]) as piece))"#,
        &trigrams(words),
    )
    .fetch_one(db)
    .await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_with_the_longest_runs_are_selected() {
        for (search, expected) in [
            ("law", Some(["%law%", "%", "%"])),
            ("of law at 100% fairness x admiralty clerk", Some(["%admiralty%", "%fairness%", "%clerk%"])),
            ("a-b-c-d-e-f law", Some(["%law%", "%", "%"])),
            ("m&a 5%", None),
            ("%%%%%%", None),
        ] {
            let words = LikePatterns::parse_optional("search", search).unwrap().unwrap();
            assert_eq!(select_words(&words), expected, "{search}");
        }
    }

    #[test]
    fn words_are_split_into_trigrams() {
        assert_eq!(
            trigrams(&["%law%", "%m&a-clerk%", "%", "%óscar%"]),
            ["%law%", "%cle%", "%ler%", "%erk%", "%ósc%", "%sca%", "%car%"]
        );
    }
}
