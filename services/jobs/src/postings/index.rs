//! Finding what is not among the newest: by the index, which is asked for the words, and where they are in many postings for
//! one window of time after the other, from the newest back.
//!
//! The index tells which postings fit, but neither in order nor how many they are: thousands may, all of them old. So it
//! is never asked for more than [`CROWD`]. Where that is not all, it is asked for what is newer than the newest of those, and
//! so on back; a window that has a crowd by itself is halved: months, then days.

use chrono::{DateTime, Days, Utc};
use primitives::input::LikePatterns;
use sqlx::PgConnection;
use uuid::Uuid;

use super::{
    telling::{telling, tells_apart},
    windows::{Extent, around},
};
use crate::convert::Browse;

/// As many of a window are looked at; the statement has the number in it, for the planner.
const CROWD: usize = 100;
/// Windows a list looks into. Only words that each stand in thousands of postings and hardly ever together need more:
/// what is older is not found by them.
const MOST: u32 = 64;

/// A posting that the index found.
struct Hit {
    id: Uuid,
    posted_at: DateTime<Utc>,
    /// It has all that is looked for: the index is not asked for everything.
    fits: bool,
}

/// The first that fit, the newest first; `None` when the index is of no use for these words.
pub async fn find(
    db: &mut PgConnection,
    browse: &Browse,
    words: &LikePatterns,
    now: DateTime<Utc>,
) -> Result<Option<Vec<Uuid>>, sqlx::Error> {
    let Some(telling) = telling(words) else { return Ok(None) };
    if !tells_apart(db, &telling).await? {
        return Ok(None);
    }
    let wanted = usize::try_from(browse.size.to_fetch()).unwrap_or(usize::MAX);
    let mut found = hits(db, browse, telling, now).await?;
    if found.len() >= CROWD {
        let newest = found.iter().filter(|hit| hit.fits).map(|hit| hit.posted_at).max();
        found.clear();
        let mut windows = months(db, browse).await?.map(|extent| around(extent, newest)).unwrap_or_default();
        let mut left = MOST;
        while left > 0
            && found.len() < wanted
            && let Some(window) = windows.pop()
        {
            left -= 1;
            let hits = hits_within(db, browse, telling, &window.facets(), now).await?;
            if hits.len() < CROWD {
                found.extend(hits.into_iter().filter(|hit| hit.fits));
            } else if let Some(halves) = window.halves() {
                windows.extend(halves);
            } else {
                found.extend(of_day(db, browse, window.begins(), now).await?);
            }
        }
    }
    found.retain(|hit| hit.fits);
    found.sort_by_key(|hit| std::cmp::Reverse((hit.posted_at, hit.id)));
    Ok(Some(found.into_iter().take(wanted).map(|hit| hit.id).collect()))
}

/// The months in which something open was posted that may be on the page.
async fn months(db: &mut PgConnection, browse: &Browse) -> Result<Option<Extent>, sqlx::Error> {
    let extent = sqlx::query!(
        "select min(posted_at) as first, max(posted_at) as last
        from jobs.postings
        where closed_at is null
            and (posted_at, id) < ($1, $2)",
        browse.after.at,
        browse.after.id,
    );
    let extent = extent.fetch_one(db).await?;
    Ok(extent.first.zip(extent.last).map(|(first, last)| Extent::between(first, last)))
}

/// The one statement that asks the index; `$besides` is what it is asked for besides the words.
///
/// What it is asked for stands in statements of their own, so that the planner does not know it: of what it takes for common
/// it would read the table from its beginning.
macro_rules! hits {
    ($besides:literal, $browse:expr, $telling:expr, $now:expr $(, $facets:expr)* $(,)?) => {{
        let [one, two, three] = $telling;
        sqlx::query_as!(
            Hit,
            r#"select
                id, posted_at,
                (
                    (posted_at, id) < ($1, $2)
                    and (application_deadline is null or application_deadline > $3)
                    and searched like all (array(select lower(word) from unnest($4::text[]) as word))
                ) as "fits!"
            from (
                select id, posted_at, application_deadline, searched
                from jobs.postings
                where closed_at is null
                    and searched like (select lower($5))
                    and searched like (select lower($6))
                    and searched like (select lower($7))"#
                + $besides
                + "
                limit 100
            ) as crowd",
            $browse.after.at,
            $browse.after.id,
            $now,
            $browse.patterns(),
            one,
            two,
            three
            $(, $facets)*
        )
    }};
}

/// Some of those that fit, in any order: all of them when they are fewer than [`CROWD`].
async fn hits(
    db: &mut PgConnection,
    browse: &Browse,
    telling: [&str; 3],
    now: DateTime<Utc>,
) -> Result<Vec<Hit>, sqlx::Error> {
    if browse.filters.is_none() {
        // To be asked for no facets at all is more than the index can do: it would look at everything.
        return hits!("", browse, telling, now).fetch_all(db).await;
    }
    let hits = hits!(
        "
                    and facets @> (select $8::text[])",
        browse,
        telling,
        now,
        browse.facets() as &[&str],
    );
    hits.fetch_all(db).await
}

/// The same of a window.
async fn hits_within(
    db: &mut PgConnection,
    browse: &Browse,
    telling: [&str; 3],
    window: &[String],
    now: DateTime<Utc>,
) -> Result<Vec<Hit>, sqlx::Error> {
    let hits = hits!(
        "
                    and facets @> (select $8::text[])
                    and facets && (select $9::text[])",
        browse,
        telling,
        now,
        browse.facets() as &[&str],
        window,
    );
    hits.fetch_all(db).await
}

/// The newest that fit of a day that is a crowd by itself: that many soon fill a page.
async fn of_day(
    db: &mut PgConnection,
    browse: &Browse,
    from: DateTime<Utc>,
    now: DateTime<Utc>,
) -> Result<Vec<Hit>, sqlx::Error> {
    let hits = sqlx::query_as!(
        Hit,
        r#"select id, posted_at, true as "fits!"
        from jobs.postings
        where closed_at is null
            and posted_at >= $1
            and posted_at < $2
            and (posted_at, id) < ($3, $4)
            and (application_deadline is null or application_deadline > $5)
            and facets @> $6
            and searched like all (array(select lower(word) from unnest($7::text[]) as word))
        order by posted_at desc, id desc
        limit $8"#,
        from,
        from + Days::new(1),
        browse.after.at,
        browse.after.id,
        now,
        browse.facets() as &[&str],
        browse.patterns(),
        browse.size.to_fetch(),
    );
    hits.fetch_all(db).await
}
