//! Taking in what a crawl found: a hundred postings a transaction, each recognised by its address or by what it says.
//!
//! Who is known by the address is brought up to date, and opened again if it was closed. Who is known only by title,
//! company and location has moved, unless its old address is still told of: two addresses in one crawl are two positions
//! of one name. So that is decided last. Two sources that tell of the same share it: it belongs to the one that told of it
//! first, as long as that one is on. What an operator removed stays closed at its address, whoever tells of it.

mod columns;

use std::collections::{HashMap, HashSet};

use chrono::{DateTime, Utc};
use outbox::Outbox;
use primitives::ids::Ids;
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{
    closing,
    connectors::Connector,
    listings,
    sources::Leased,
    stats::{self, Sign},
};

/// Postings a transaction takes in.
pub const BATCH: usize = 100;

/// A posting as a crawl found it, everything derived.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// The canonical address: what it is recognised by.
    pub url: String,
    /// Of title, company and location: what it is recognised by at another address.
    pub fingerprint: [u8; 16],
    /// What the position is called.
    pub title: String,
    /// Who employs.
    pub company: String,
    /// Where; a remote posting's says so.
    pub location: Option<String>,
    /// Whether it can be done from anywhere.
    pub remote: bool,
    /// Plain text.
    pub description: String,
    /// As the column has it.
    pub employment_type: Option<&'static str>,
    /// As the column has it.
    pub experience_level: Option<&'static str>,
    /// As the column has it.
    pub practice_area: Option<&'static str>,
    /// In one line.
    pub salary: Option<String>,
    /// Until when one may apply.
    pub application_deadline: Option<DateTime<Utc>>,
    /// Where one applies, when that is not here.
    pub external_url: Option<String>,
    /// Since when it is published, where that is told.
    pub posted_at: Option<DateTime<Utc>>,
}

/// A posting that is known.
struct Known {
    id: Uuid,
    url: String,
    fingerprint: Option<Vec<u8>>,
    is_open: bool,
    /// Another source that is on tells of it.
    is_anothers: bool,
    /// An operator closed it for good.
    is_removed: bool,
}

/// What a crawl has told of so far.
#[derive(Debug, Default)]
pub struct Seen {
    /// Postings that are known by now.
    pub ids: HashSet<Uuid>,
    /// What one of them may have become that is not among `ids` yet: it has moved there unless the crawl still tells of it
    /// at its own address.
    pub undecided: Vec<Found>,
}

/// Takes a batch in. The source must be held. `seen` is what this crawl has told of so far, and comes to hold more.
/// `is_last` says that nothing is left to wait for before it is decided what has moved. Returns how many were new.
///
/// # Errors
/// As any statement.
#[expect(clippy::too_many_arguments, reason = "the transaction, what it is made with, and what is taken in")]
pub async fn batch(
    db: &mut PgConnection,
    outbox: &Outbox,
    ids: &Ids,
    leased: &Leased,
    found: Vec<Found>,
    seen: &mut Seen,
    is_last: bool,
    now: DateTime<Utc>,
) -> Result<i32, sqlx::Error> {
    closing::hold(db).await?;
    let is_demo = leased.connector == Connector::Demo;
    if is_demo && stats::anything_real(db).await? {
        return Ok(0);
    }
    let known = known(db, leased, &found).await?;
    let (changes, additions) = sort(ids, &known, found, seen, is_last);
    let new = i32::try_from(additions.len()).unwrap_or(i32::MAX);
    let differing = columns::differing(db, &changes, leased.source_id, is_demo).await?;
    let mut rows = changes;
    rows.retain(|(id, _)| differing.contains_key(id));
    rows.extend(additions);
    if !rows.is_empty() {
        let before: Vec<Uuid> = differing.keys().copied().collect();
        stats::count(db, &before, Sign::Taken).await?;
        listings::take(db, &before).await?;
        columns::put(db, &rows, leased.source_id, is_demo, now).await?;
        let after: Vec<Uuid> = rows.iter().map(|(id, _)| *id).collect();
        stats::count(db, &after, Sign::Added).await?;
        listings::add(db, &after).await?;
    }
    let reopened = differing.values().any(|was_closed| *was_closed);
    if !is_demo && (new > 0 || reopened) {
        closing::hide_demo(db, outbox, now).await?;
    }
    sqlx::query!("update jobs.crawls set new_items = new_items + $2 where id = $1", leased.crawl_id, new)
        .execute(db)
        .await?;
    Ok(new)
}

async fn known(db: &mut PgConnection, leased: &Leased, found: &[Found]) -> Result<Vec<Known>, sqlx::Error> {
    let urls: Vec<String> = found.iter().map(|found| found.url.clone()).collect();
    let fingerprints: Vec<Vec<u8>> = found.iter().map(|found| found.fingerprint.to_vec()).collect();
    sqlx::query_as!(
        Known,
        r#"select
            p.id, p.url, p.fingerprint, p.closed_at is null as "is_open!",
            (p.source_id <> $3 and s.is_on) as "is_anothers!", p.removed_at is not null as "is_removed!"
        from jobs.postings p
        join jobs.sources s on s.id = p.source_id
        where p.url = any($1)
            or (p.closed_at is null and p.fingerprint = any($2))
        order by p.id"#,
        &urls,
        &fingerprints,
        leased.source_id,
    )
    .fetch_all(db)
    .await
}

type Rows = Vec<(Uuid, Found)>;

/// Which of the found change a posting that is known, and which are new. The rest are another source's, told twice, or
/// not decided yet.
fn sort(ids: &Ids, known: &[Known], found: Vec<Found>, seen: &mut Seen, is_last: bool) -> (Rows, Rows) {
    let by_url: HashMap<&str, &Known> = known.iter().map(|known| (known.url.as_str(), known)).collect();
    let mut by_fingerprint: HashMap<&[u8], Vec<&Known>> = HashMap::new();
    for open in known.iter().filter(|known| known.is_open) {
        if let Some(fingerprint) = &open.fingerprint {
            by_fingerprint.entry(fingerprint).or_default().push(open);
        }
    }
    let (mut changes, mut additions, mut added) = (Rows::new(), Rows::new(), HashSet::new());
    for found in found {
        let alike = by_fingerprint.get(found.fingerprint.as_slice()).map_or(&[][..], Vec::as_slice);
        let is_anothers = alike.iter().any(|alike| alike.is_anothers);
        let moved = alike.iter().find(|alike| !alike.is_anothers && !seen.ids.contains(&alike.id));
        let id = match (by_url.get(found.url.as_str()), moved) {
            (Some(same), _) if same.is_removed => continue,
            // A closed one of another's may be taken over, unless that one tells of it at another address.
            (Some(same), _) => {
                let is_theirs = if same.is_open { same.is_anothers } else { is_anothers };
                (!is_theirs).then_some(same.id)
            }
            (None, Some(_)) if !is_last => {
                seen.undecided.push(found);
                continue;
            }
            (None, Some(moved)) => Some(moved.id),
            (None, None) => {
                if !is_anothers && added.insert(found.url.clone()) {
                    let id = ids.new_owner();
                    seen.ids.insert(id);
                    additions.push((id, found));
                }
                continue;
            }
        };
        // Whoever was told of already in this crawl is not again.
        if let Some(id) = id.filter(|id| seen.ids.insert(*id)) {
            changes.push((id, found));
        }
    }
    (changes, additions)
}

#[cfg(test)]
mod tests;
