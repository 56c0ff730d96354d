//! The statement that reads articles, and its selections.

use chrono::{DateTime, NaiveDate, Utc};
use sqlx::{
    Postgres,
    postgres::{PgArguments, PgRow},
    query::Map,
};
use uuid::Uuid;

/// A statement with bound arguments.
pub(super) type Statement<M> = Map<'static, Postgres, M, PgArguments>;

/// Maps a database row to a [`Row`].
pub(super) trait Mapper: FnMut(PgRow) -> sqlx::Result<Row> + Send {}
impl<F: FnMut(PgRow) -> sqlx::Result<Row> + Send> Mapper for F {}

/// A row of the statements below.
pub(super) struct Row {
    pub(super) id: Uuid,
    pub(super) title: String,
    pub(super) description: Option<String>,
    pub(super) author: Option<String>,
    pub(super) url: String,
    pub(super) source: String,
    pub(super) source_name: String,
    pub(super) published_at: Option<DateTime<Utc>>,
    pub(super) published_date: Option<NaiveDate>,
    pub(super) is_demo: bool,
    pub(super) copy_sources: Vec<String>,
    pub(super) copy_names: Vec<String>,
    pub(super) copy_urls: Vec<String>,
}

/// Reads the articles whose ids `$selection` returns. The selection reads index entries only, so that a deep page is cheap;
/// all other columns are joined here, for the rows of the page.
macro_rules! articles {
    ($selection:literal $(, $argument:expr)* $(,)?) => {
        sqlx::query_as!(
            $crate::articles::rows::Row,
            r#"
            select
                a.id,
                a.title,
                a.description,
                a.author,
                a.url,
                a.source_id as source,
                s.name as source_name,
                a.published_at,
                a.published_date,
                s.connector = 'demo' as "is_demo!",
                copies.sources as "copy_sources!",
                copies.names as "copy_names!",
                copies.urls as "copy_urls!"
            from (
            "#
                + $selection
                + r#"
            ) selected
            join news.articles a on a.id = selected.id
            join news.sources s on s.id = a.source_id
            cross join lateral (
                select
                    array_agg(c.source_id order by c.listed_at, c.id) as sources,
                    array_agg(n.name order by c.listed_at, c.id) as names,
                    array_agg(c.url order by c.listed_at, c.id) as urls
                from (
                    select id, source_id, url, listed_at
                    from news.articles
                    where story_id = a.story_id
                    order by listed_at, id
                    limit 10
                ) c
                join news.sources n on n.id = c.source_id
            ) copies
            order by a.listed_at desc, a.id desc
            "#
            $(, $argument)*
        )
    };
}

pub(super) use articles;

pub(super) fn by_id(id: Uuid) -> Statement<impl Mapper> {
    articles!(
        "
        select id
        from news.articles
        where id = $1
        ",
        id,
    )
}

/// The leaders of clusters among `ids`.
pub(super) fn leaders_by_ids(ids: &[Uuid]) -> Statement<impl Mapper> {
    articles!(
        "
        select id
        from news.articles
        where id = any((select $1::uuid[])::uuid[])
            and leads
        limit 101
        ",
        ids,
    )
}

pub(super) fn by_ids(ids: &[Uuid]) -> Statement<impl Mapper> {
    articles!(
        "
        select id
        from news.articles
        where id = any((select $1::uuid[])::uuid[])
        limit 101
        ",
        ids,
    )
}

/// A page of the leaders of all clusters.
pub(super) fn leaders(offset: i64) -> Statement<impl Mapper> {
    articles!(
        "
        select id
        from news.articles
        where leads
        order by listed_at desc, id desc
        offset (select $1::bigint)
        limit 13
        ",
        offset,
    )
}

/// A page of the articles of one source.
pub(super) fn of_source(offset: i64, source: &str) -> Statement<impl Mapper> {
    articles!(
        "
        select id
        from news.articles
        where source_id = $2
        order by listed_at desc, id desc
        offset (select $1::bigint)
        limit 13
        ",
        offset,
        source,
    )
}
