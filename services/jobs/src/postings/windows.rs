//! Finding what is not among the newest: by the index, which is asked for the words, and where they are in many postings for
//! one window of time after the other, from the newest back.
//!
//! The index tells which postings fit, but neither in order nor how many they are: thousands may, all of them old. So it
//! is never asked for more than [`CROWD`]. Where that is not all, it is asked for the newest month, the two before, the four
//! before those; a window that has a crowd by itself is halved: months, then days.

use chassis::input::Words;
use chrono::{DateTime, Days, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use super::telling::{telling, tells_apart};
use crate::convert::Browse;

/// As many of a window are looked at; the statement has the number in it, for the planner.
const CROWD: usize = 100;
/// Windows a list looks into. Only words that each stand in thousands of postings and hardly ever together need more:
/// what is older is not found by them.
const MOST: u32 = 64;
/// Days of a month, as the facet has it.
const MONTH: i64 = 32;
/// In seconds.
const DAY: i64 = 86_400;

/// Months or days since 1970, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Window {
    Months(i64, i64),
    Days(i64, i64),
}

/// The months in which something was posted.
#[derive(Clone, Copy)]
struct Extent {
    first: i64,
    last: i64,
}

/// A posting that the index found.
struct Hit {
    id: Uuid,
    posted_at: DateTime<Utc>,
    /// It has all that is looked for: the index is not asked for everything.
    fits: bool,
}

impl Window {
    /// What one of the column `facets` is.
    fn facets(self) -> Vec<String> {
        match self {
            Self::Months(from, until) => (from..=until).map(|month| format!("m{month}")).collect(),
            Self::Days(from, until) => (from..=until).map(|day| format!("d{day}")).collect(),
        }
    }

    /// Its first moment.
    fn begins(self) -> DateTime<Utc> {
        let day = match self {
            Self::Months(month, _) => month * MONTH,
            Self::Days(day, _) => day,
        };
        DateTime::from_timestamp(day * DAY, 0).unwrap_or_default()
    }

    /// Its older half and its newer one; `None` for a day.
    fn halves(self) -> Option<[Self; 2]> {
        let half = |from: i64, until: i64| from + (until - from) / 2;
        match self {
            Self::Months(month, until) if month == until => {
                Self::Days(month * MONTH, month * MONTH + MONTH - 1).halves()
            }
            Self::Months(from, until) => {
                Some([Self::Months(from, half(from, until)), Self::Months(half(from, until) + 1, until)])
            }
            Self::Days(day, until) if day == until => None,
            Self::Days(from, until) => {
                Some([Self::Days(from, half(from, until)), Self::Days(half(from, until) + 1, until)])
            }
        }
    }
}

/// Windows for all of some months, each as long as all newer ones: the oldest first, as they are taken from the end.
fn widening(Extent { first, last }: Extent) -> Vec<Window> {
    let (mut windows, mut last, mut months) = (Vec::new(), last, 1);
    while last >= first {
        windows.push(Window::Months(first.max(last - months + 1), last));
        last -= months;
        months *= 2;
    }
    windows.reverse();
    windows
}

/// The first that fit, the newest first; `None` when the index is of no use for these words.
pub async fn find(
    db: &mut PgConnection,
    browse: &Browse,
    words: &Words,
    now: DateTime<Utc>,
) -> Result<Option<Vec<Uuid>>, sqlx::Error> {
    let Some(telling) = telling(words) else { return Ok(None) };
    if !tells_apart(db, &telling).await? {
        return Ok(None);
    }
    let wanted = usize::try_from(browse.size.to_fetch()).unwrap_or(usize::MAX);
    let mut found = hits(db, browse, telling, now).await?;
    if found.len() >= CROWD {
        found.clear();
        let mut windows = months(db, browse).await?.map(widening).unwrap_or_default();
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
    let month = |at: DateTime<Utc>| at.timestamp().div_euclid(DAY * MONTH);
    let extent = sqlx::query!(
        "select min(posted_at) as first, max(posted_at) as last
        from jobs.postings
        where closed_at is null
            and (posted_at, id) < ($1, $2)",
        browse.after.at,
        browse.after.id,
    );
    let extent = extent.fetch_one(db).await?;
    Ok(extent.first.zip(extent.last).map(|(first, last)| Extent { first: month(first), last: month(last) }))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_widen_from_the_newest_back_and_leave_nothing_out() {
        let months = |first, last| widening(Extent { first, last });
        assert_eq!(
            months(600, 611),
            [Window::Months(600, 604), Window::Months(605, 608), Window::Months(609, 610), Window::Months(611, 611)]
        );
        assert_eq!(months(-1, 0), [Window::Months(-1, -1), Window::Months(0, 0)]);
    }

    #[test]
    fn a_window_is_halved_into_days_each_once() {
        let mut windows = vec![Window::Months(600, 604)];
        let mut days = Vec::new();
        while let Some(window) = windows.pop() {
            match window.halves() {
                Some(halves) => windows.extend(halves),
                None => days.extend(window.facets()),
            }
        }
        let newest_first: Vec<String> = (600 * 32..605 * 32).rev().map(|day| format!("d{day}")).collect();
        assert_eq!(days, newest_first);
        assert_eq!(Window::Months(3, 5).facets(), ["m3", "m4", "m5"]);
    }
}
