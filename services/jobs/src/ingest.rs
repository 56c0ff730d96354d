//! Stores crawled postings, a batch per transaction. A posting is recognised by its address or by its fingerprint.
//!
//! A posting with a known address is updated, and reopened if it was closed. A posting with only a known fingerprint has moved,
//! unless the crawl also contains the old address: two addresses in one crawl are two positions with one title. That is
//! decided at the end of the crawl. A posting of two sources belongs to the first, as long as that one is configured. A posting
//! removed by an operator stays closed at its address.

mod columns;

use std::collections::{HashMap, HashSet};

use chrono::{DateTime, Utc};
use outbox::Outbox;
use primitives::ids::Ids;
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{
    connectors::Connector,
    dates::DateOrTime,
    expiry,
    postings::{
        listings,
        stats::{self, Sign},
    },
    sources::LeasedSource,
};

/// Postings per transaction.
pub const BATCH: usize = 100;

/// A crawled posting with its derived columns.
#[derive(Clone, Debug, PartialEq)]
pub struct ParsedPosting {
    /// The canonical form of the address.
    pub url: String,
    /// Of title, company and location.
    pub fingerprint: [u8; 16],
    /// The title of the position.
    pub title: String,
    /// The employer.
    pub company: String,
    /// The place; that of a remote posting contains 'remote'.
    pub location: Option<String>,
    /// Whether the work is remote.
    pub remote: bool,
    /// Plain text.
    pub description: String,
    /// A value of the column.
    pub employment_type: Option<&'static str>,
    /// A value of the column.
    pub experience_level: Option<&'static str>,
    /// A value of the column.
    pub practice_area: Option<&'static str>,
    /// In one line.
    pub salary: Option<String>,
    /// The end of applications.
    pub application_deadline: Option<DateOrTime>,
    /// Where members apply, when not here.
    pub external_url: Option<String>,
    /// The publication, if the source states it.
    pub posted_at: Option<DateOrTime>,
}

/// A stored posting.
struct KnownPosting {
    id: Uuid,
    url: String,
    fingerprint: Option<Vec<u8>>,
    is_open: bool,
    /// It belongs to another configured source.
    is_of_another_source: bool,
    /// An operator removed it.
    is_removed: bool,
}

/// The postings of a crawl so far.
#[derive(Debug, Default)]
pub struct SeenPostings {
    /// Stored postings.
    pub ids: HashSet<Uuid>,
    /// Postings with the fingerprint of a stored one that is not among `ids`: moved, unless the crawl also contains the old
    /// address.
    pub undecided: Vec<ParsedPosting>,
}

/// Writes a batch, adds it to `seen`, and returns the number of new postings. `is_last` decides which postings have moved. The
/// caller has locked the source.
///
/// # Errors
/// When a statement fails.
#[expect(clippy::too_many_arguments, reason = "the transaction, its context, and the batch")]
pub async fn write_batch(
    db: &mut PgConnection,
    outbox: &Outbox,
    ids: &Ids,
    leased: &LeasedSource,
    found: Vec<ParsedPosting>,
    seen: &mut SeenPostings,
    is_last: bool,
    now: DateTime<Utc>,
) -> Result<i32, sqlx::Error> {
    expiry::lock_openings(db).await?;
    let is_demo = leased.connector == Connector::Demo;
    if is_demo && stats::has_real_postings(db).await? {
        return Ok(0);
    }
    let known = read_known(db, leased, &found).await?;
    let (changes, additions) = classify(ids, &known, found, seen, is_last);
    let new = i32::try_from(additions.len()).unwrap_or(i32::MAX);
    let changed = columns::find_changed(db, &changes, leased.id(), is_demo).await?;
    let mut rows = changes;
    rows.retain(|(id, _)| changed.contains_key(id));
    rows.extend(additions);
    if !rows.is_empty() {
        let before: Vec<Uuid> = changed.keys().copied().collect();
        stats::adjust(db, &before, Sign::Removed).await?;
        listings::remove(db, &before).await?;
        columns::upsert(db, &rows, leased.id(), is_demo, now).await?;
        let after: Vec<Uuid> = rows.iter().map(|(id, _)| *id).collect();
        stats::adjust(db, &after, Sign::Added).await?;
        listings::add(db, &after).await?;
    }
    let reopened = changed.values().any(|was_closed| *was_closed);
    if !is_demo && (new > 0 || reopened) {
        expiry::close_demo(db, outbox, now).await?;
    }
    Ok(new)
}

async fn read_known(
    db: &mut PgConnection,
    leased: &LeasedSource,
    found: &[ParsedPosting],
) -> Result<Vec<KnownPosting>, sqlx::Error> {
    let urls: Vec<String> = found.iter().map(|found| found.url.clone()).collect();
    let fingerprints: Vec<Vec<u8>> = found.iter().map(|found| found.fingerprint.to_vec()).collect();
    sqlx::query_as!(
        KnownPosting,
        r#"select
            p.id, p.url, p.fingerprint, p.closed_at is null as "is_open!",
            (p.source_id <> $3 and s.is_on) as "is_of_another_source!", p.removed_at is not null as "is_removed!"
        from jobs.postings p
        join jobs.sources s on s.id = p.source_id
        where p.url = any($1)
            or (p.closed_at is null and p.fingerprint = any($2))
        order by p.id"#,
        &urls,
        &fingerprints,
        leased.id(),
    )
    .fetch_all(db)
    .await
}

type Rows = Vec<(Uuid, ParsedPosting)>;

/// Splits a batch into changes of stored postings and new postings. Postings of another source, duplicates and undecided ones
/// are left out.
fn classify(
    ids: &Ids,
    known: &[KnownPosting],
    found: Vec<ParsedPosting>,
    seen: &mut SeenPostings,
    is_last: bool,
) -> (Rows, Rows) {
    let by_url: HashMap<&str, &KnownPosting> = known.iter().map(|known| (known.url.as_str(), known)).collect();
    let mut by_fingerprint: HashMap<&[u8], Vec<&KnownPosting>> = HashMap::new();
    for open in known.iter().filter(|known| known.is_open) {
        if let Some(fingerprint) = &open.fingerprint {
            by_fingerprint.entry(fingerprint).or_default().push(open);
        }
    }
    let (mut changes, mut additions, mut added) = (Rows::new(), Rows::new(), HashSet::new());
    for found in found {
        let alike = by_fingerprint.get(found.fingerprint.as_slice()).map_or(&[][..], Vec::as_slice);
        let is_of_another_source = alike.iter().any(|alike| alike.is_of_another_source);
        let moved = alike.iter().find(|alike| !alike.is_of_another_source && !seen.ids.contains(&alike.id));
        let id = match (by_url.get(found.url.as_str()), moved) {
            (Some(same), _) if same.is_removed => continue,
            // A closed posting of another source may be taken over, unless that source has it at another address.
            (Some(same), _) => {
                let is_foreign = if same.is_open { same.is_of_another_source } else { is_of_another_source };
                (!is_foreign).then_some(same.id)
            }
            (None, Some(_)) if !is_last => {
                seen.undecided.push(found);
                continue;
            }
            (None, Some(moved)) => Some(moved.id),
            (None, None) => {
                if !is_of_another_source && added.insert(found.url.clone()) {
                    let id = ids.new_owner();
                    seen.ids.insert(id);
                    additions.push((id, found));
                }
                continue;
            }
        };
        // A posting that the crawl contains twice is stored once.
        if let Some(id) = id.filter(|id| seen.ids.insert(*id)) {
            changes.push((id, found));
        }
    }
    (changes, additions)
}

#[cfg(test)]
mod tests;
