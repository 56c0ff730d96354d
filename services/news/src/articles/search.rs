//! The filter `search` of the list, as `search::list_filter` describes it. The windows are partitions of 30 days.

use chrono::{DateTime, Utc};
use primitives::input::LikePatterns;
use search::list_filter::indexed_words;
use sqlx::PgConnection;

use super::{
    PAGE_SIZE,
    rows::{Mapper, Row, Statement, articles},
};

/// Articles that a scan reads beyond the page and the pages before it.
const SCAN: i64 = 1_000;
/// The same for words that are too short for the index, which find no older articles.
const LONG_SCAN: i64 = 20_000;

/// The start of the first partition and the days of each, as in the generated column `shelves`.
const FIRST_PARTITION: DateTime<Utc> = match DateTime::from_timestamp(946_684_800, 0) {
    Some(first) => first,
    None => DateTime::UNIX_EPOCH,
};
const PARTITION_DAYS: i64 = 30;

/// Finds the matches of a page, and one more.
pub(super) async fn search(
    db: &mut PgConnection,
    source: Option<&str>,
    words: &LikePatterns,
    offset: i64,
    now: DateTime<Utc>,
) -> Result<Vec<Row>, sqlx::Error> {
    let needed = offset + PAGE_SIZE as i64 + 1;
    let indexed_word = indexed_words(words).first().copied();
    let depth = needed + if indexed_word.is_some() { SCAN } else { LONG_SCAN };
    let scanned = match source {
        None => scan_leaders(offset, words, depth).fetch_all(&mut *db).await?,
        Some(source) => scan_source(offset, words, depth, source).fetch_all(&mut *db).await?,
    };
    match indexed_word {
        Some(word) if scanned.len() <= PAGE_SIZE => {
            let Some(oldest) = oldest_partition(db).await? else { return Ok(scanned) };
            read_index(offset, words, word, source, partition_of(now), oldest).fetch_all(db).await
        }
        _ => Ok(scanned),
    }
}

/// The partition of a day.
fn partition_of(at: DateTime<Utc>) -> i32 {
    i32::try_from((at - FIRST_PARTITION).num_days() / PARTITION_DAYS).unwrap_or(i32::MAX)
}

/// The partition of the oldest cluster; no copy is older than its leader.
async fn oldest_partition(db: &mut PgConnection) -> Result<Option<i32>, sqlx::Error> {
    let oldest = sqlx::query_scalar!(
        r#"select shelves[1]::integer as "partition!"
        from news.articles
        where leads
        order by listed_at, id
        limit 1"#,
    );
    oldest.fetch_optional(db).await
}

/// Scans from the newest cluster.
fn scan_leaders(offset: i64, words: &LikePatterns, depth: i64) -> Statement<impl Mapper> {
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
            and searched ~* all ($4::text[])
        order by listed_at desc, id desc
        offset $1
        limit 13
        ",
        offset,
        &words.all,
        depth,
        &words.exact,
    )
}

/// Scans from the newest article of a source.
fn scan_source(offset: i64, words: &LikePatterns, depth: i64, source: &str) -> Statement<impl Mapper> {
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
            and searched ~* all ($5::text[])
        order by listed_at desc, id desc
        offset $1
        limit 13
        ",
        offset,
        &words.all,
        depth,
        source,
        &words.exact,
    )
}

/// Reads the index for one word (it does not serve `all`), partition by partition from `newest` to `oldest`, until the page is
/// full. `offset 0` keeps the planner from scanning by time instead.
fn read_index(
    offset: i64,
    words: &LikePatterns,
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
            from generate_series($5::integer, $6::integer, -1) as partition (n)
            cross join lateral (
                select id, listed_at
                from (
                    select id, listed_at
                    from news.articles
                    where searched like lower($3)
                        and searched like all ((select array_agg(lower(word)) from unnest($2::text[]) word)::text[])
                        and searched ~* all ($7::text[])
                        and shelves @> array[concat($4::text || ' ', partition.n)]
                        and case when $4::text is null then leads else true end
                    offset 0
                ) matches
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
        &words.all,
        word,
        source,
        newest,
        oldest,
        &words.exact,
    )
}
