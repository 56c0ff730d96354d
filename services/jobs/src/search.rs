//! Full-text search for open postings. The index follows changes after a moment, because a crawl brings thousands.

#[cfg(test)]
mod query_cost;

use std::sync::LazyLock;

use ::search::{Document, DocumentsFuture, Order, PUBLIC, Search, SearchPage, SearchQuery};
use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{error::Error, postings::Posting};

/// The index of postings.
pub static JOBS: LazyLock<Search> = LazyLock::new(|| Search::of("jobs", Order::Exact));

/// Reads the documents of the open postings among `ids`.
pub fn read_documents(db: &mut PgConnection, ids: Vec<Uuid>) -> DocumentsFuture<'_> {
    Box::pin(async move {
        let postings = sqlx::query!(
            "select id, title, company, location, practice_area, description, posted_at
            from jobs.postings
            where id = any($1)
                and closed_at is null",
            &ids,
        );
        let postings = postings.fetch_all(db).await?;
        Ok(postings
            .iter()
            .map(|posting| {
                let body = [&posting.company].into_iter().chain(&posting.location).chain(&posting.practice_area);
                let body = body.chain([&posting.description]).map(String::as_str);
                Document::new(posting.id, posting.posted_at, [posting.title.as_str()], body)
            })
            .collect())
    })
}

/// Searches open postings. An expired one is omitted before it is closed.
pub async fn search(
    db: &mut PgConnection,
    viewer: Option<Uuid>,
    query: SearchQuery,
    now: DateTime<Utc>,
) -> Result<SearchPage<Posting>, Error> {
    let mut executor = JOBS.execute(query, vec![PUBLIC]);
    while let Some(ids) = executor.next(db).await? {
        executor.accept(open_by_ids(db, viewer, &ids, now).await?, |posting: &Posting| posting.id);
    }
    Ok(executor.page())
}

async fn open_by_ids(
    db: &mut PgConnection,
    viewer: Option<Uuid>,
    ids: &[Uuid],
    now: DateTime<Utc>,
) -> Result<Vec<Posting>, sqlx::Error> {
    let postings = sqlx::query_as!(
        Posting,
        r#"select
            p.id, p.title, p.company, p.location, p.summary as description, p.employment_type, p.experience_level,
            p.practice_area, p.salary, s.name as source, p.application_deadline, p.application_deadline_date,
            p.external_url, p.posted_at, p.posted_date,
            p.closed_at, s.connector = 'demo' as "is_demo!",
            exists (
                select
                from jobs.applications a
                where a.member_id = $1
                    and a.posting_id = p.id
            ) as "is_applied!"
        from jobs.postings p
        join jobs.sources s on s.id = p.source_id
        where p.id = any((select $2::uuid[])::uuid[])
            and p.closed_at is null
            and (p.application_deadline is null or p.application_deadline > $3)"#,
        viewer,
        ids,
        now,
    );
    postings.fetch_all(db).await
}
