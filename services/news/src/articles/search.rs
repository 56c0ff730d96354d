//! Searching articles: every word must occur, literally; newest first. There are two ways, and how many articles match
//! decides which is short.
//!
//! Walking down from the newest ends soon when many match. The index of three-letter pieces leads to all that match, and
//! is short when few do. Nobody knows beforehand how many it will be, so the walk goes first, over a bounded number of
//! articles; what is so rare that they do not fill the page is rare enough for the index.

use chassis::input::Words;
use sqlx::PgConnection;

use super::{
    PAGE,
    cards::{Mapper, Row, Statement, articles},
};

/// Articles a walk passes besides those that the page and the pages before it need.
const STROLL: i64 = 1_000;
/// The same where the words are too short for the index: what is older is not found by them.
const HIKE: i64 = 20_000;
/// Letters the index needs.
const PIECE: usize = 3;

/// A page of what matches, and one more.
pub(super) async fn search(
    db: &mut PgConnection,
    source: Option<&str>,
    words: &Words,
    offset: i64,
) -> Result<Vec<Row>, sqlx::Error> {
    let needed = offset + PAGE as i64 + 1;
    let telling = words.all.iter().max_by_key(|word| piece(word)).filter(|word| piece(word) >= PIECE);
    let reach = if telling.is_some() { STROLL + 4 * needed } else { HIKE + needed };
    let walked = match source {
        None => stories(offset, &words.all, reach).fetch_all(&mut *db).await?,
        Some(source) => of_source(offset, &words.all, reach, source).fetch_all(&mut *db).await?,
    };
    match telling {
        Some(word) if walked.len() <= PAGE => indexed(offset, &words.all, word, source).fetch_all(db).await,
        _ => Ok(walked),
    }
}

/// The longest run of letters and digits in a word: what the index is asked for.
fn piece(word: &str) -> usize {
    word.split(|c: char| !c.is_alphanumeric()).map(|run| run.chars().count()).max().unwrap_or_default()
}

/// Down from the newest story.
fn stories(offset: i64, words: &[String], reach: i64) -> Statement<impl Mapper> {
    articles!(
        "
        select id
        from (
            select id, listed_at, searched
            from news.articles
            where leads
            order by listed_at desc, id desc
            limit $3
        ) newest
        where searched like all ((select array_agg(lower(word)) from unnest($2::text[]) word)::text[])
        order by listed_at desc, id desc
        offset $1
        limit 13
        ",
        offset,
        words,
        reach,
    )
}

/// Down from a source's newest article.
fn of_source(offset: i64, words: &[String], reach: i64, source: &str) -> Statement<impl Mapper> {
    articles!(
        "
        select id
        from (
            select id, listed_at, searched
            from news.articles
            where source_id = $4
            order by listed_at desc, id desc
            limit $3
        ) newest
        where searched like all ((select array_agg(lower(word)) from unnest($2::text[]) word)::text[])
        order by listed_at desc, id desc
        offset $1
        limit 13
        ",
        offset,
        words,
        reach,
        source,
    )
}

/// From the index, which is asked for one word: none serves `all`. `offset 0` keeps the planner from walking all the same.
fn indexed(offset: i64, words: &[String], word: &str, source: Option<&str>) -> Statement<impl Mapper> {
    articles!(
        "
        select id
        from (
            select id, listed_at
            from news.articles
            where searched like lower($3)
                and searched like all ((select array_agg(lower(word)) from unnest($2::text[]) word)::text[])
                and case when $4::text is null then leads else source_id = $4 end
            offset 0
        ) matching
        order by listed_at desc, id desc
        offset $1
        limit 13
        ",
        offset,
        words,
        word,
        source,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_index_is_asked_for_the_longest_run_of_letters() {
        for (word, length) in [("%law%", 3), (r"%5\%%", 1), ("%a-bc%", 2), ("%%", 0), ("%caf\u{e9}%", 4)] {
            assert_eq!(piece(word), length, "{word}");
        }
    }
}
