//! Indexing: writes documents in the transaction of their change, and learns new words in the background.

use std::{collections::HashSet, pin::Pin, time::Duration};

use chassis::ServiceContext;
use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::{
    Search,
    sql::{query, query_as},
    tokenization::{is_gram, tokenize},
};

/// The most words of a title and of a body.
const MAX_TITLE_WORDS: usize = 64;
const MAX_BODY_WORDS: usize = 256;
/// The same for words of scripts without spaces. A text has one or two of them for each letter.
const MAX_TITLE_GRAMS: usize = 256;
const MAX_BODY_GRAMS: usize = 768;
/// The state of a document whose words are in all three tables.
const COMPLETE: i16 = 4;
/// Documents in one step of background work.
const BATCH: i64 = 100;
/// The interval of background work.
const INTERVAL: Duration = Duration::from_secs(1);
/// 2000-01-01, the epoch of `at`, in Unix seconds.
const EPOCH: i64 = 946_684_800;

/// The audience of public documents.
pub const PUBLIC: i32 = 0;

/// The audience number of an id. Two ids may share a number, so the service filters the results.
#[must_use]
pub fn audience(id: Uuid) -> i32 {
    let (high, low) = id.as_u64_pair();
    let mixed = (high ^ low.rotate_left(32)).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 34;
    i32::try_from(mixed).unwrap_or(i32::MAX).max(1)
}

/// Reads the documents of some ids and omits deleted ones.
pub type ReadDocuments = for<'c> fn(&'c mut PgConnection, Vec<Uuid>) -> DocumentsFuture<'c>;

/// The documents that a [`ReadDocuments`] returns.
pub type DocumentsFuture<'c> = Pin<Box<dyn Future<Output = Result<Vec<Document>, sqlx::Error>> + Send + 'c>>;

/// A searchable document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    pub(crate) id: Uuid,
    pub(crate) audience: i32,
    pub(crate) at: i32,
    pub(crate) title: Vec<String>,
    pub(crate) body: Vec<String>,
}

impl Document {
    /// A public document. `at` is the time that orders results.
    #[must_use]
    pub fn new<'t>(
        id: Uuid,
        at: DateTime<Utc>,
        title: impl IntoIterator<Item = &'t str>,
        body: impl IntoIterator<Item = &'t str>,
    ) -> Self {
        let mut seen = HashSet::new();
        let mut distinct = |texts: &mut dyn Iterator<Item = &'t str>, mut words: usize, mut grams: usize| {
            let mut distinct = Vec::new();
            for word in texts.flat_map(tokenize) {
                let left = if is_gram(&word) { &mut grams } else { &mut words };
                if *left > 0 && seen.insert(word.clone()) {
                    *left -= 1;
                    distinct.push(word);
                }
            }
            distinct
        };
        let title = distinct(&mut title.into_iter(), MAX_TITLE_WORDS, MAX_TITLE_GRAMS);
        let body = distinct(&mut body.into_iter(), MAX_BODY_WORDS, MAX_BODY_GRAMS);
        Self { id, audience: PUBLIC, at: seconds_since_epoch(at), title, body }
    }

    /// Restricts the document to an audience from 0 to 2^30 - 1.
    #[must_use]
    pub fn for_audience(self, audience: i32) -> Self {
        Self { audience: audience & 0x3fff_ffff, ..self }
    }

    /// The columns of `search_documents`, for COPY: id, first partition, time, title, body, state.
    #[must_use]
    pub fn as_row(&self) -> (Uuid, i32, i32, &[String], &[String], i16) {
        (self.id, partition(self.audience), self.at, &self.title, &self.body, COMPLETE)
    }
}

/// A time in seconds since [`EPOCH`], clamped to the range of the column.
pub(crate) fn seconds_since_epoch(at: DateTime<Utc>) -> i32 {
    let seconds = at.timestamp().saturating_sub(EPOCH);
    i32::try_from(seconds).unwrap_or(if seconds < 0 { i32::MIN } else { i32::MAX })
}

/// The title partition of an audience; its body partition is the next number.
pub(crate) fn partition(audience: i32) -> i32 {
    audience.saturating_mul(2)
}

impl Search {
    /// Indexes documents in the transaction of their change. Their words are found after the commit, related forms of new
    /// words within two seconds. Deletes words that no document has any more.
    ///
    /// # Errors
    /// When a statement fails.
    pub async fn index(&self, conn: &mut PgConnection, documents: &[Document]) -> Result<(), sqlx::Error> {
        if documents.is_empty() {
            return Ok(());
        }
        let ids: Vec<Uuid> = documents.iter().map(|document| document.id).collect();
        let mut dropped = self.delete_entries(conn, &ids).await?;
        query(&self.sql.insert_documents)
            .bind(&ids)
            .bind(documents.iter().map(|document| partition(document.audience)).collect::<Vec<_>>())
            .bind(documents.iter().map(|document| document.at).collect::<Vec<_>>())
            .bind(documents.iter().map(|document| document.title.join(" ")).collect::<Vec<_>>())
            .bind(documents.iter().map(|document| document.body.join(" ")).collect::<Vec<_>>())
            .execute(&mut *conn)
            .await?;
        for word in documents.iter().flat_map(|document| document.title.iter().chain(&document.body)) {
            dropped.remove(word);
        }
        self.delete_unused_words(conn, dropped).await
    }

    /// Indexes the documents of `ids`, and removes the ids without a document.
    ///
    /// # Errors
    /// When a statement fails.
    pub async fn update(
        &self,
        conn: &mut PgConnection,
        ids: &[Uuid],
        documents: &[Document],
    ) -> Result<(), sqlx::Error> {
        self.index(conn, documents).await?;
        let indexed: HashSet<Uuid> = documents.iter().map(|document| document.id).collect();
        let removed: Vec<Uuid> = ids.iter().copied().filter(|id| !indexed.contains(id)).collect();
        if removed.is_empty() { Ok(()) } else { self.remove(conn, &removed).await }
    }

    /// Deletes documents and the words that only they have.
    ///
    /// # Errors
    /// When a statement fails.
    pub async fn remove(&self, conn: &mut PgConnection, ids: &[Uuid]) -> Result<(), sqlx::Error> {
        let dropped = self.delete_entries(conn, ids).await?;
        query(&self.sql.delete_documents).bind(ids).execute(&mut *conn).await?;
        self.delete_unused_words(conn, dropped).await
    }

    /// Deletes the entries of documents and returns their words.
    async fn delete_entries(&self, conn: &mut PgConnection, ids: &[Uuid]) -> Result<HashSet<String>, sqlx::Error> {
        let words: Vec<(Vec<String>,)> = query_as(&self.sql.lock_documents).bind(ids).fetch_all(&mut *conn).await?;
        if words.is_empty() {
            return Ok(HashSet::new());
        }
        query(&self.sql.delete_entries).bind(ids).execute(conn).await?;
        Ok(words.into_iter().flat_map(|(words,)| words).collect())
    }

    /// Deletes the words that no document has.
    async fn delete_unused_words(&self, conn: &mut PgConnection, words: HashSet<String>) -> Result<(), sqlx::Error> {
        if words.is_empty() {
            return Ok(());
        }
        query(&self.sql.delete_unused_words).bind(words.into_iter().collect::<Vec<_>>()).execute(conn).await?;
        Ok(())
    }

    /// Marks documents to be read again within two seconds, for changes of many documents.
    ///
    /// # Errors
    /// When a statement fails.
    pub async fn mark_stale(&self, conn: &mut PgConnection, ids: &[Uuid]) -> Result<(), sqlx::Error> {
        query(&self.sql.mark_stale).bind(ids).execute(conn).await?;
        Ok(())
    }

    /// Indexes stale documents and learns new words every second, in an idle process less often, until the process stops.
    pub fn spawn_indexing(&self, context: &ServiceContext, db: &PgPool, read: ReadDocuments) {
        let (search, db, activity) = (self.clone(), db.clone(), context.activity.clone());
        context.tasks.spawn("search", move |stopped: CancellationToken| {
            let (search, db, activity) = (search.clone(), db.clone(), activity.clone());
            async move {
                loop {
                    tokio::select! {
                        () = stopped.cancelled() => return Ok(()),
                        () = activity.pause(INTERVAL) => {}
                    }
                    while !stopped.is_cancelled() && search.index_pending(&db, read).await? {}
                }
            }
        });
    }

    /// Indexes one batch of stale documents and learns one batch of words. False when nothing was pending.
    ///
    /// # Errors
    /// When a statement fails; the next call repeats the work.
    pub async fn index_pending(&self, db: &PgPool, read: ReadDocuments) -> anyhow::Result<bool> {
        Ok(self.index_stale(db, read).await? | self.learn_words(db).await?)
    }

    /// Locks the rows from reading to writing, so that an older state does not overwrite a newer one.
    async fn index_stale(&self, db: &PgPool, read: ReadDocuments) -> anyhow::Result<bool> {
        let mut tx = db::begin(db).await?;
        let stale: Vec<(Uuid,)> = query_as(&self.sql.lock_stale).bind(BATCH).fetch_all(&mut *tx).await?;
        if stale.is_empty() {
            return Ok(false);
        }
        let ids: Vec<Uuid> = stale.into_iter().map(|(id,)| id).collect();
        let documents = read(&mut tx, ids.clone()).await?;
        self.update(&mut tx, &ids, &documents).await?;
        tx.commit().await?;
        Ok(true)
    }

    async fn learn_words(&self, db: &PgPool) -> anyhow::Result<bool> {
        let mut tx = db::begin(db).await?;
        let learnt = query(&self.sql.learn_words).execute(&mut *tx).await?.rows_affected() > 0;
        tx.commit().await?;
        Ok(learnt)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_the_title_are_not_repeated_in_the_body_and_both_are_limited() {
        let at = DateTime::from_timestamp(EPOCH + 5, 0).unwrap();
        let long: String = (0..999).map(|n| format!("word{n} ")).collect();
        let document = Document::new(Uuid::nil(), at, ["Law Clerk", "law"], ["The clerk's law", &long]);
        assert_eq!((document.at, document.title), (5, vec!["law".to_owned(), "clerk".to_owned()]));
        assert_eq!(document.body.len(), MAX_BODY_WORDS);
        assert_eq!(&document.body[..3], ["the", "s", "word0"]);
    }

    #[test]
    fn letters_of_scripts_without_spaces_leave_room_for_words() {
        let at = DateTime::from_timestamp(EPOCH, 0).unwrap();
        let long: String = (0x4e00..0x4e00 + 2_000).filter_map(char::from_u32).collect();
        let document = Document::new(Uuid::nil(), at, ["法律 law"], [long.as_str(), "and words"]);
        assert_eq!(document.title, ["法律", "法", "律", "law"]);
        assert_eq!(document.body.len(), MAX_BODY_GRAMS + 2);
        assert_eq!(&document.body[MAX_BODY_GRAMS..], ["and", "words"]);
    }

    #[test]
    fn no_id_has_the_number_of_the_public_audience() {
        for n in [0, 1, u128::MAX, 0x0193_0000_0000_7000_8000_0000_0000_0401] {
            let audience = audience(Uuid::from_u128(n));
            assert!((1..1 << 30).contains(&audience), "{n}: {audience}");
        }
    }

    #[test]
    fn times_outside_the_range_of_the_column_are_clamped() {
        assert_eq!(seconds_since_epoch(DateTime::<Utc>::MIN_UTC), i32::MIN);
        assert_eq!(seconds_since_epoch(DateTime::<Utc>::MAX_UTC), i32::MAX);
    }
}
