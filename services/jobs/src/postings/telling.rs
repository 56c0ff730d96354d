//! What the index over texts can be asked: it knows letters and digits in threes, and no two letters.

use primitives::input::LikePatterns;
use sqlx::PgConnection;

/// Letters in a row that the index needs.
const PIECE: usize = 3;
/// What every text is like.
const ANYTHING: &str = "%";

/// The words that the index is asked for: the three with the longest runs of letters and digits. `None` when it can look
/// up none of them.
pub fn telling(words: &LikePatterns) -> Option<[&str; 3]> {
    let mut known: Vec<&str> = words.all.iter().map(String::as_str).filter(|word| piece(word) >= PIECE).collect();
    known.sort_by_key(|word| std::cmp::Reverse(piece(word)));
    let mut known = known.into_iter();
    let first = known.next()?;
    Some([first, known.next().unwrap_or(ANYTHING), known.next().unwrap_or(ANYTHING)])
}

/// The longest run of letters and digits in a pattern.
fn piece(pattern: &str) -> usize {
    pattern.split(|c: char| !c.is_alphanumeric()).map(|run| run.chars().count()).max().unwrap_or_default()
}

/// What the index knows of a word: letters and digits in threes, as patterns.
fn pieces(patterns: &[&str]) -> Vec<String> {
    let runs = patterns.iter().flat_map(|pattern| pattern.split(|c: char| !c.is_alphanumeric()));
    let letters: Vec<Vec<char>> = runs.map(|run| run.chars().collect()).collect();
    let pieces = letters.iter().flat_map(|run| run.windows(PIECE));
    pieces.map(|piece| format!("%{}%", piece.iter().collect::<String>())).collect()
}

/// Whether the index tells these words apart from others: words of which every piece is in every tenth text are found by
/// reading all of them. Some of the newest say so.
pub async fn tells_apart(db: &mut PgConnection, telling: &[&str]) -> Result<bool, sqlx::Error> {
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
        &pieces(telling),
    )
    .fetch_one(db)
    .await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_index_is_asked_for_the_words_that_tell_most() {
        for (search, asked) in [
            ("law", Some(["%law%", "%", "%"])),
            ("of law at 100% fairness x admiralty clerk", Some(["%admiralty%", "%fairness%", "%clerk%"])),
            ("a-b-c-d-e-f law", Some(["%law%", "%", "%"])),
            ("m&a 5%", None),
            ("%%%%%%", None),
        ] {
            let words = LikePatterns::parse_optional("search", search).unwrap().unwrap();
            assert_eq!(telling(&words), asked, "{search}");
        }
    }

    #[test]
    fn the_index_knows_words_in_threes() {
        assert_eq!(
            pieces(&["%law%", "%m&a-clerk%", "%", "%óscar%"]),
            ["%law%", "%cle%", "%ler%", "%erk%", "%ósc%", "%sca%", "%car%"]
        );
    }
}
