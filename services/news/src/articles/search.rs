//! Searching articles: every word must occur, literally; newest first. There are two ways, and how many articles match
//! decides which is short.
//!
//! Walking down from the newest ends soon when many match. The index of three-letter pieces leads to those that match, and
//! is short when few do. Nobody knows beforehand how many it will be, so the walk goes first, over a bounded number of
//! articles. The index is asked for one shelf (thirty days) after the other until the page is full: so what thousands of
//! old articles have costs no more than a shelf of them.

use chrono::{DateTime, Utc};
use primitives::input::LikePatterns;
use sqlx::PgConnection;

use super::{
    PAGE,
    cards::{Mapper, Row, Statement, articles},
};

/// Articles a walk passes besides as many as the page and the pages before it need.
const STROLL: i64 = 1_000;
/// The same where the words are too short for the index: what is older is not found by them.
const HIKE: i64 = 20_000;
/// Letters the index needs.
const PIECE: usize = 3;

/// When the first shelf begins, and how many days are on one: the table reckons with the same.
const FIRST_SHELF: DateTime<Utc> = match DateTime::from_timestamp(946_684_800, 0) {
    Some(first) => first,
    None => DateTime::UNIX_EPOCH,
};
const SHELF: i64 = 30;

/// A page of what matches, and one more.
pub(super) async fn search(
    db: &mut PgConnection,
    source: Option<&str>,
    words: &LikePatterns,
    offset: i64,
    now: DateTime<Utc>,
) -> Result<Vec<Row>, sqlx::Error> {
    let needed = offset + PAGE as i64 + 1;
    let telling = words.all.iter().max_by_key(|word| piece(word)).filter(|word| piece(word) >= PIECE);
    let reach = needed + if telling.is_some() { STROLL } else { HIKE };
    let walked = match source {
        None => stories(offset, &words.all, reach).fetch_all(&mut *db).await?,
        Some(source) => of_source(offset, &words.all, reach, source).fetch_all(&mut *db).await?,
    };
    match telling {
        Some(word) if walked.len() <= PAGE => {
            let Some(oldest) = oldest_shelf(db).await? else { return Ok(walked) };
            indexed(offset, &words.all, word, source, shelf(now), oldest).fetch_all(db).await
        }
        _ => Ok(walked),
    }
}

/// The shelf of a day.
fn shelf(at: DateTime<Utc>) -> i32 {
    i32::try_from((at - FIRST_SHELF).num_days() / SHELF).unwrap_or(i32::MAX)
}

/// The shelf of the oldest story; no copy is older than what leads.
async fn oldest_shelf(db: &mut PgConnection) -> Result<Option<i32>, sqlx::Error> {
    let oldest = sqlx::query_scalar!(
        r#"select shelves[1]::integer as "shelf!"
        from news.articles
        where leads
        order by listed_at, id
        limit 1"#,
    );
    oldest.fetch_optional(db).await
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

/// From the index, which is asked for one word (none serves `all`) and one shelf after the other, from `newest` to
/// `oldest`: rows come in the order of the shelves, and none is looked at behind the one that fills the page. `offset 0`
/// keeps the planner from walking all the same.
fn indexed(
    offset: i64,
    words: &[String],
    word: &str,
    source: Option<&str>,
    newest: i32,
    oldest: i32,
) -> Statement<impl Mapper> {
    articles!(
        "
        select id
        from (
            select matching.id, matching.listed_at
            from generate_series($5::integer, $6::integer, -1) as shelf (n)
            cross join lateral (
                select id, listed_at
                from (
                    select id, listed_at
                    from news.articles
                    where searched like lower($3)
                        and searched like all ((select array_agg(lower(word)) from unnest($2::text[]) word)::text[])
                        and shelves @> array[concat($4::text || ' ', shelf.n)]
                        and case when $4::text is null then leads else true end
                    offset 0
                ) shelved
                order by listed_at desc, id desc
                limit $1::bigint + 13
            ) matching
            limit $1::bigint + 13
        ) first
        order by listed_at desc, id desc
        offset $1
        limit 13
        ",
        offset,
        words,
        word,
        source,
        newest,
        oldest,
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
