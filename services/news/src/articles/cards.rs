//! The statements that read articles: what is the same whichever they are, and which they are.

use chrono::{DateTime, Utc};
use sqlx::{
    Postgres,
    postgres::{PgArguments, PgRow},
    query::Map,
};
use uuid::Uuid;

/// A statement with everything bound, ready to run.
pub(super) type Statement<M> = Map<'static, Postgres, M, PgArguments>;

/// What turns a database row into ours.
pub(super) trait Mapper: FnMut(PgRow) -> sqlx::Result<Row> + Send {}
impl<F: FnMut(PgRow) -> sqlx::Result<Row> + Send> Mapper for F {}

/// An article as the statements below read it.
pub(super) struct Row {
    pub(super) id: Uuid,
    pub(super) title: String,
    pub(super) description: Option<String>,
    pub(super) author: Option<String>,
    pub(super) url: String,
    pub(super) source: String,
    pub(super) source_name: String,
    pub(super) published_at: Option<DateTime<Utc>>,
    pub(super) is_demo: bool,
    pub(super) copy_sources: Vec<String>,
    pub(super) copy_names: Vec<String>,
    pub(super) copy_urls: Vec<String>,
}

/// Articles by `$found`, which says which (their ids). It reads no more of them than an index holds, so that a deep page
/// passes over index entries only; everything a card shows is joined here, for the page's few rows.
macro_rules! articles {
    ($found:literal $(, $argument:expr)* $(,)?) => {
        sqlx::query_as!(
            $crate::articles::cards::Row,
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
                s.connector = 'demo' as "is_demo!",
                told.sources as "copy_sources!",
                told.names as "copy_names!",
                told.urls as "copy_urls!"
            from (
            "#
                + $found
                + r#"
            ) found
            join news.articles a on a.id = found.id
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
            ) told
            order by a.listed_at desc, a.id desc
            "#
            $(, $argument)*
        )
    };
}

pub(super) use articles;

/// One.
pub(super) fn one(id: Uuid) -> Statement<impl Mapper> {
    articles!(
        "
        select id
        from news.articles
        where id = $1
        ",
        id,
    )
}

/// Those of some that stand for their stories.
pub(super) fn among(ids: &[Uuid]) -> Statement<impl Mapper> {
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

/// Those there are of some.
pub(super) fn several(ids: &[Uuid]) -> Statement<impl Mapper> {
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

/// A page of stories, each as the copy that stands for it.
pub(super) fn stories(offset: i64) -> Statement<impl Mapper> {
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

/// A page of what a source told.
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
