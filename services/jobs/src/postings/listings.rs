//! Listings: the open postings of every set of filters by time, so that a filtered list is one range of an index. Written
//! in the transaction that opens, changes or closes a posting.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

/// Returns the number of a listing: three bits per filter with the number of its value in the contract, or 0 for no
/// filter; the higher bits of the location follow the others. Equal to `jobs.filter_sets` in the migration, which
/// returns the listings of a posting.
#[must_use]
pub const fn number(location: i32, practice_area: i32, experience_level: i32, employment_type: i32) -> i32 {
    location % 8 + practice_area * 8 + experience_level * 64 + employment_type * 512 + location / 8 * 4096
}

/// Removes postings from the listings. Called before a posting changes or closes, because its columns locate the rows. The
/// caller has locked the openings.
///
/// # Errors
/// When the statement fails.
pub async fn remove(db: &mut PgConnection, postings: &[Uuid]) -> Result<(), sqlx::Error> {
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

/// Adds the open ones of these postings to the listings. The caller has locked the openings.
///
/// # Errors
/// When the statement fails.
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

/// Whether at most 500 postings of a listing follow: reading each of them is then cheapest and complete.
///
/// # Errors
/// When the statement fails.
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
