//! Stores crawled postings, a batch per transaction. A posting is recognised by its address and title, or by its fingerprint.
//! Titles are equal without regard to case and spaces.
//!
//! A posting with a known exact address is updated, and reopened if it was closed. A posting with another title there
//! is the same only if no other posting of this source has this address: employers list all positions on one page, which
//! several sources may crawl. A posting with only
//! a known fingerprint, or with a known title at an address that differs in its tracking, has moved, unless the crawl
//! also contains the old address: two addresses in one crawl are two positions with one title. Both are decided at the
//! end of the crawl. A posting of two sources belongs to the first as long as the first is configured. A posting
//! removed by an operator stays closed at its address.

mod columns;

use std::collections::{HashMap, HashSet};

use crawler::canonical::exact;
use outbox::UnitOfWork;
use primitives::ids::Ids;
use sqlx::PgConnection;
use url::Url;
use uuid::Uuid;

use crate::{
    connectors::Connector,
    derive::ParsedPosting,
    expiry,
    postings::listings,
    sources::LeasedSource,
    stats::{self, Sign},
};

/// Postings per transaction.
pub const BATCH: usize = 100;
/// The most stored postings that are compared with a batch.
const MAX_KNOWN: i64 = 20_000;

/// A stored posting.
struct KnownPosting {
    id: Uuid,
    url: String,
    external_url: Option<String>,
    title: String,
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
    /// Postings of other sources, and removed ones, that the crawl contains as well. They say nothing about misses.
    others: HashSet<Uuid>,
    /// Postings with the fingerprint of a stored one that is not among `ids`: moved, unless the crawl also contains the old
    /// address.
    pub undecided: Vec<ParsedPosting>,
}

/// Writes a batch, adds it to `seen`, and returns the number of new postings. `is_last` decides which postings have moved. The
/// caller has locked the source.
///
/// # Errors
/// When a statement fails.
pub async fn write_batch(
    work: &mut UnitOfWork<'_>,
    leased: &LeasedSource,
    found: Vec<ParsedPosting>,
    seen: &mut SeenPostings,
    is_last: bool,
) -> Result<i32, sqlx::Error> {
    expiry::lock_openings(work.db).await?;
    let is_demo = leased.connector == Connector::Demo;
    if is_demo && stats::has_real_postings(work.db).await? {
        return Ok(0);
    }
    let known = read_known(work.db, leased, &found).await?;
    let (changes, additions) = classify(work.ids, &known, found, seen, is_last);
    let new = i32::try_from(additions.len()).unwrap_or(i32::MAX);
    let changed = columns::find_changed(work.db, &changes, leased.id(), is_demo).await?;
    let mut rows = changes;
    rows.retain(|(id, _)| changed.contains_key(id));
    rows.extend(additions);
    if !rows.is_empty() {
        let before: Vec<Uuid> = changed.keys().copied().collect();
        stats::adjust(work.db, &before, Sign::Removed).await?;
        listings::remove(work.db, &before).await?;
        columns::upsert(work.db, &rows, leased.id(), is_demo, work.now).await?;
        let after: Vec<Uuid> = rows.iter().map(|(id, _)| *id).collect();
        stats::adjust(work.db, &after, Sign::Added).await?;
        listings::add(work.db, &after).await?;
    }
    let reopened = changed.values().any(|was_closed| *was_closed);
    if !is_demo && (new > 0 || reopened) {
        expiry::close_demo(work).await?;
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
            p.id, p.url, p.external_url, p.title, p.fingerprint, p.closed_at is null as "is_open!",
            (p.source_id <> $3 and s.is_on) as "is_of_another_source!", p.removed_at is not null as "is_removed!"
        from jobs.postings p
        join jobs.sources s on s.id = p.source_id
        where p.url = any($1)
            or (p.closed_at is null and p.fingerprint = any($2))
        order by p.closed_at is null desc, p.id
        limit $4"#,
        &urls,
        &fingerprints,
        leased.id(),
        MAX_KNOWN,
    )
    .fetch_all(db)
    .await
}

/// Returns the title without case and surplus spaces, in which two sources of one posting differ.
fn folded(title: &str) -> String {
    title.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ")
}

type Rows = Vec<(Uuid, ParsedPosting)>;

/// Returns the exact form of the address that the source gave, because the canonical form has lost it.
fn exact_url(url: &str, external_url: Option<&str>) -> String {
    let given = external_url.unwrap_or(url);
    Url::parse(given).map_or_else(|_| given.to_owned(), |url| exact(&url))
}

impl SeenPostings {
    fn contains(&self, id: &Uuid) -> bool {
        self.ids.contains(id) || self.others.contains(id)
    }
}

/// The stored postings at a canonical address with their exact addresses.
type AtAddress<'a> = HashMap<&'a str, Vec<(&'a KnownPosting, String)>>;

/// Splits a batch into changes of stored postings and new postings. Postings of another source, duplicates and undecided ones
/// are left out.
fn classify(
    ids: &Ids,
    known: &[KnownPosting],
    found: Vec<ParsedPosting>,
    seen: &mut SeenPostings,
    is_last: bool,
) -> (Rows, Rows) {
    let mut by_url = AtAddress::new();
    let mut by_fingerprint: HashMap<&[u8], Vec<&KnownPosting>> = HashMap::new();
    for known in known {
        let exact_url = exact_url(&known.url, known.external_url.as_deref());
        by_url.entry(&known.url).or_default().push((known, exact_url));
        if let Some(fingerprint) = known.fingerprint.as_ref().filter(|_| known.is_open) {
            by_fingerprint.entry(fingerprint).or_default().push(known);
        }
    }
    let found: Vec<(String, ParsedPosting)> =
        found.into_iter().map(|found| (exact_url(&found.url, found.external_url.as_deref()), found)).collect();
    let mut titles: HashMap<String, HashSet<String>> = HashMap::new();
    for (exact_url, found) in &found {
        titles.entry(exact_url.clone()).or_default().insert(folded(&found.title));
    }
    let (mut changes, mut additions, mut added) = (Rows::new(), Rows::new(), HashSet::new());
    for (exact_url, found) in found {
        let here = by_url.get(found.url.as_str()).map_or(&[][..], Vec::as_slice);
        let (at_address, elsewhere): (Vec<_>, Vec<_>) = here.iter().partition(|(_, exact)| *exact == exact_url);
        let at_address = || at_address.iter().map(|(known, _)| *known);
        let title = folded(&found.title);
        let is_foreign = |known: &KnownPosting| known.is_open && known.is_of_another_source;
        let same = at_address().find(|known| folded(&known.title) == title);
        // Another title at its address: it has changed, unless several postings have the address.
        let is_shared = titles.get(&exact_url).is_some_and(|titles| titles.len() > 1)
            || at_address().filter(|known| !is_foreign(known) && (known.is_open || seen.contains(&known.id))).count()
                > 1;
        let mut own = at_address().filter(|known| !is_foreign(known) && !seen.contains(&known.id));
        let retitled = own.next().filter(|_| same.is_none() && !is_shared);
        let retracked = elsewhere.iter().map(|(known, _)| *known).filter(|known| folded(&known.title) == title);
        let alike = by_fingerprint.get(found.fingerprint.as_slice()).map_or(&[][..], Vec::as_slice).iter().copied();
        let alike: Vec<&KnownPosting> = alike.chain(retracked).collect();
        let is_of_another_source = alike.iter().any(|alike| alike.is_open && alike.is_of_another_source);
        let moved = alike.iter().copied().find(|alike| !is_foreign(alike) && !seen.contains(&alike.id));
        if !is_last && same.is_none() && (retitled.is_some() || moved.is_some()) {
            seen.undecided.push(found);
            continue;
        }
        let Some(known) = same.or(retitled).or(moved) else {
            if !is_of_another_source && added.insert((exact_url, title)) {
                let id = ids.new_owner();
                seen.ids.insert(id);
                additions.push((id, found));
            }
            continue;
        };
        // A posting that the crawl contains twice is stored once.
        if seen.contains(&known.id) {
            continue;
        }
        // A closed posting of another source may be taken over, unless that source lists it at another address.
        let is_foreign = if known.is_open { known.is_of_another_source } else { is_of_another_source };
        if known.is_removed || is_foreign {
            seen.others.insert(known.id);
        } else {
            seen.ids.insert(known.id);
            changes.push((known.id, found));
        }
    }
    (changes, additions)
}

#[cfg(test)]
mod tests;
