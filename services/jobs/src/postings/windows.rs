//! Finding what is not among the newest: by the index, one window of time after the other, from the newest back.
//!
//! The index tells which postings fit, but neither in order nor how many they are: thousands may, all of them old. So it
//! is asked for a window of time, and never for more than [`CROWD`] of what is in it. Where that is not all, the window
//! is halved: months, then days. A window in which nothing fits costs next to nothing.

use chassis::input::Words;
use chrono::{DateTime, Days, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

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
/// Letters in a row that the index needs.
const PIECE: usize = 3;
/// What every text is like.
const ANYTHING: &str = "%";

/// Months or days since 1970, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Window {
    Months(i64, i64),
    Days(i64, i64),
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

/// The words that the index is asked for: the three with the longest runs of letters and digits. `None` when it can look
/// up none of them.
fn telling(words: &Words) -> Option<[&str; 3]> {
    let mut known: Vec<&str> = words.all.iter().map(String::as_str).filter(|word| piece(word) >= PIECE).collect();
    known.sort_by_key(|word| std::cmp::Reverse(piece(word)));
    let mut known = known.into_iter();
    let first = known.next()?;
    Some([first, known.next().unwrap_or(ANYTHING), known.next().unwrap_or(ANYTHING)])
}

/// The longest run of letters and digits in a pattern.
fn piece(pattern: &str) -> usize {
    pattern.split(|c: char| !c.is_alphanumeric()).map(|run| run.chars().count()).max().unwrap_or_default()
}

/// The first that fit, the newest first; `None` when the index cannot look up any of the words.
pub async fn find(
    db: &mut PgConnection,
    browse: &Browse,
    now: DateTime<Utc>,
) -> Result<Option<Vec<Uuid>>, sqlx::Error> {
    let telling = match browse.words.as_ref().map(telling) {
        Some(None) => return Ok(None),
        known => known.flatten(),
    };
    let wanted = usize::try_from(browse.size.to_fetch()).unwrap_or(usize::MAX);
    let mut found = hits(db, browse, telling, &["all".to_owned()], now).await?;
    if found.len() >= CROWD {
        found.clear();
        let mut windows: Vec<Window> =
            months(db, browse).await?.and_then(Window::halves).into_iter().flatten().collect();
        let mut left = MOST;
        while left > 0
            && found.len() < wanted
            && let Some(window) = windows.pop()
        {
            left -= 1;
            let hits = hits(db, browse, telling, &window.facets(), now).await?;
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
async fn months(db: &mut PgConnection, browse: &Browse) -> Result<Option<Window>, sqlx::Error> {
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
    Ok(extent.first.zip(extent.last).map(|(first, last)| Window::Months(month(first), month(last))))
}

/// The one statement that asks the index; `$looked_up` is what it is asked for besides filters and window.
///
/// What it is asked for stands in statements of their own, so that the planner does not know it: of what it takes for common
/// it would read the table from its beginning.
macro_rules! hits {
    ($looked_up:literal, $browse:expr, $window:expr, $now:expr $(, $word:expr)* $(,)?) => {
        sqlx::query_as!(
            Hit,
            r#"select
                id, posted_at,
                (
                    (posted_at, id) < ($3, $4)
                    and (application_deadline is null or application_deadline > $5)
                    and searched like all (array(select lower(word) from unnest($6::text[]) as word))
                ) as "fits!"
            from (
                select id, posted_at, application_deadline, searched
                from jobs.postings
                where closed_at is null
                    and facets @> (select $1::text[])
                    and facets && (select $2::text[])"#
                + $looked_up
                + "
                limit 100
            ) as crowd",
            &$browse.facets as &[&str],
            $window,
            $browse.after.at,
            $browse.after.id,
            $now,
            $browse.patterns()
            $(, $word)*
        )
    };
}

/// Some of a window, in any order: all of it when they are fewer than [`CROWD`].
async fn hits(
    db: &mut PgConnection,
    browse: &Browse,
    telling: Option<[&str; 3]>,
    window: &[String],
    now: DateTime<Utc>,
) -> Result<Vec<Hit>, sqlx::Error> {
    let Some([one, two, three]) = telling else {
        return hits!("", browse, window, now).fetch_all(db).await;
    };
    let hits = hits!(
        "
                    and searched like (select lower($7))
                    and searched like (select lower($8))
                    and searched like (select lower($9))",
        browse,
        window,
        now,
        one,
        two,
        three,
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
        &browse.facets as &[&str],
        browse.patterns(),
        browse.size.to_fetch(),
    );
    hits.fetch_all(db).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_index_is_asked_for_the_words_that_tell_most() {
        for (search, asked) in [
            ("law", Some(["%law%", "%", "%"])),
            ("of law at 100% fairness x admiralty clerk", Some(["%admiralty%", "%fairness%", "%clerk%"])),
            ("a-b-c-d-e-f law", Some(["%law%", "%", "%"])),
            ("m&a 5%", None),
            ("%%%%%%", None),
        ] {
            let words = Words::parse_optional("search", search).unwrap().unwrap();
            assert_eq!(telling(&words), asked, "{search}");
        }
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
