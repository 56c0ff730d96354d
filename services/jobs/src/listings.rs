//! Listings: for every set of filters the open postings that pass it, by time, so that a filtered list is one range of an
//! index. Kept in the transaction that opens, changes or closes a posting.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

/// What a listing is called: the contract's numbers of the four filters' values, three bits each; 0 for one that lets
/// everything through. As `jobs.filter_sets` in the table's migration has it, which says in which sets a posting is.
#[must_use]
pub const fn number(location: i32, practice_area: i32, experience_level: i32, employment_type: i32) -> i32 {
    location + practice_area * 8 + experience_level * 64 + employment_type * 512
}

/// Takes postings off the listings: to be called before they change or are closed, as it is by what they are that their
/// rows are found. The openings must be held.
///
/// # Errors
/// As any statement.
pub async fn take(db: &mut PgConnection, postings: &[Uuid]) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "delete from jobs.listings l
        using jobs.postings p
        cross join lateral jobs.filter_sets(p.facets) as f (filters)
        where p.id = any($1)
            and p.closed_at is null
            and l.filters = f.filters
            and l.posted_at = p.posted_at
            and l.posting_id = p.id",
        postings,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Puts those of the postings on the listings that are open. The openings must be held.
///
/// # Errors
/// As any statement.
pub async fn add(db: &mut PgConnection, postings: &[Uuid]) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "insert into jobs.listings (filters, posted_at, posting_id)
        select f.filters, p.posted_at, p.id
        from jobs.postings p
        cross join lateral jobs.filter_sets(p.facets) as f (filters)
        where p.id = any($1)
            and p.closed_at is null",
        postings,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Whether no more than 500 are left of a listing: looking at each is then cheaper than anything else, and finds all.
///
/// # Errors
/// As any statement.
pub async fn is_short(db: &mut PgConnection, listing: i32, at: DateTime<Utc>, id: Uuid) -> Result<bool, sqlx::Error> {
    sqlx::query_scalar!(
        r#"select count(*) <= 500 as "short!"
        from (
            select
            from jobs.listings
            where filters = $1
                and (posted_at, posting_id) < ($2, $3)
            limit 501
        ) as left_over"#,
        listing,
        at,
        id,
    )
    .fetch_one(db)
    .await
}
