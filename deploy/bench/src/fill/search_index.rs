//! The search index: documents by COPY, in the format of the services, then all entries at once.

use anyhow::Context as _;
use chrono::{DateTime, Utc};
use search::{Document, Order, PUBLIC, Search, audience};
use sqlx::{AssertSqlSafe, PgConnection};
use uuid::Uuid;

use super::Progress;
use crate::copy::copy;

/// The number of documents per batch.
const BATCH: i64 = 20_000;
/// The number of the audience that news uses for resources.
const RESOURCES: i32 = 1;

/// A schema, the audience of rows without their own, and a query of at most `$2` rows after id `$1`: id, audience,
/// time, titles, other texts. The same columns as in the `search.rs` of each service.
type SourceRows = (&'static str, i32, &'static str);

const SOURCES: [SourceRows; 6] = [
    (
        "profile",
        PUBLIC,
        "select id, null::uuid, created_at, array[full_name, username], array_remove(array[headline, school], null) || array(
            select name
            from profile.skills
            where member_id = m.id
            order by position
        )
        from profile.members m
        where id > $1
        order by id
        limit $2",
    ),
    (
        "social_graph",
        PUBLIC,
        "select id, null::uuid, created_at, array[name], array_remove(array[description], null)
        from social_graph.communities
        where id > $1
        order by id
        limit $2",
    ),
    (
        "feed",
        PUBLIC,
        "select id, community_id, created_at, array_remove(array[title], null), array[content]
        from feed.posts
        where id > $1
            and content <> ''
        order by id
        limit $2",
    ),
    (
        "jobs",
        PUBLIC,
        "select id, null::uuid, posted_at, array[title], array_remove(
            array[company, location, practice_area, description], null
        )
        from jobs.postings
        where id > $1
            and closed_at is null
        order by id
        limit $2",
    ),
    (
        "news",
        PUBLIC,
        "select a.id, null::uuid, a.listed_at, array[a.title], array_remove(array[a.description, a.author, s.name], null)
        from news.articles a
        join news.sources s on s.id = a.source_id
        where a.id > $1
            and a.leads
        order by a.id
        limit $2",
    ),
    (
        "news",
        RESOURCES,
        "select id, null::uuid, approved_at, array[title], array_remove(array[description], null)
        from news.resources
        where id > $1
            and approved_at is not null
        order by id
        limit $2",
    ),
];

/// A row of those statements.
type Entry = (Uuid, Option<Uuid>, DateTime<Utc>, Vec<String>, Vec<String>);

pub(super) async fn fill(db: &mut PgConnection, progress: Progress<'_>) -> anyhow::Result<()> {
    progress("Indexing every word for the search ...");
    sqlx::raw_sql("set maintenance_work_mem = '512MB'").execute(&mut *db).await?;
    for schema in ["profile", "social_graph", "feed", "jobs", "news"] {
        // A new Portia would index its documents at its start.
        let empty = format!("truncate {schema}.search_documents, {schema}.search_entries, {schema}.search_words");
        sqlx::raw_sql(AssertSqlSafe(empty)).execute(&mut *db).await?;
        for entries in SOURCES.iter().filter(|(of, ..)| *of == schema) {
            documents(db, entries).await?;
        }
        let indexed = Search::of(schema, order_of(schema)).build_entries(db).await;
        indexed.with_context(|| format!("The search of {schema} could not be filled"))?;
    }
    sqlx::raw_sql("reset maintenance_work_mem").execute(&mut *db).await?;
    Ok(())
}

/// The order of the results, as in the `search.rs` of each service: it decides which entries there are.
#[must_use]
pub fn order_of(schema: &str) -> Order {
    if ["profile", "social_graph"].contains(&schema) { Order::Titles } else { Order::Exact }
}

async fn documents(db: &mut PgConnection, (schema, of, statement): &SourceRows) -> anyhow::Result<()> {
    let mut after = Uuid::nil();
    loop {
        #[expect(clippy::disallowed_methods, reason = "the macros know one service's tables each")]
        let entries: Vec<Entry> =
            sqlx::query_as(AssertSqlSafe(*statement)).bind(after).bind(BATCH).fetch_all(&mut *db).await?;
        let Some(last) = entries.last() else { return Ok(()) };
        after = last.0;
        let columns = format!("{schema}.search_documents (id, shelf, at, title, body, state)");
        copy(db, &columns, entries, |row, (id, place, at, title, body)| {
            let document = Document::new(id, at, title.iter().map(String::as_str), body.iter().map(String::as_str));
            let document = document.for_audience(place.map_or(*of, audience));
            let (id, shelf, at, title, body, state) = document.as_row();
            row.put(id).put(shelf).put(at).put(title).put(body).put(state);
        })
        .await?;
    }
}
