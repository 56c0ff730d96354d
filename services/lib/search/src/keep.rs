//! Writing: what a document consists of, put and taken away with what it tells of, and the words learnt from it.

use std::{collections::HashSet, future::Future, pin::Pin, time::Duration};

use chassis::ServiceContext;
use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::{
    Search,
    sql::{query, query_as},
    words::words,
};

/// Words of a title, and of a body, that are kept.
const TITLE: usize = 64;
const BODY: usize = 256;
/// Documents written or read at a time.
const LOT: i64 = 100;
/// How soon new words are learnt, and what waits to be read anew is read.
const LEARN_EVERY: Duration = Duration::from_secs(1);
/// 2000-01-01, where the seconds of `at` begin.
const BEGINNING: i64 = 946_684_800;

/// Who may find a document: a number a service makes up, or everybody.
pub const EVERYBODY: i32 = 0;

/// The number of an audience that has an id: a community. Two may share one: who may see what is found, the page decides.
#[must_use]
pub fn audience(place: Uuid) -> i32 {
    let (high, low) = place.as_u64_pair();
    let mixed = (high ^ low.rotate_left(32)).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 34;
    i32::try_from(mixed).unwrap_or(i32::MAX).max(1)
}

/// How a service reads what is to be found of some ids; those that are no more are left out.
pub type Read = for<'c> fn(
    &'c mut PgConnection,
    Vec<Uuid>,
) -> Pin<Box<dyn Future<Output = Result<Vec<Document>, sqlx::Error>> + Send + 'c>>;

/// Something that may be found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    pub(crate) id: Uuid,
    pub(crate) audience: i32,
    pub(crate) at: i32,
    pub(crate) title: Vec<String>,
    pub(crate) body: Vec<String>,
}

impl Document {
    /// What a thing is called and what it says, found by everybody; `at` is what the newest are the newest by.
    #[must_use]
    pub fn new<'t>(
        id: Uuid,
        at: DateTime<Utc>,
        title: impl IntoIterator<Item = &'t str>,
        body: impl IntoIterator<Item = &'t str>,
    ) -> Self {
        let mut seen = HashSet::new();
        let mut each_once = |texts: &mut dyn Iterator<Item = &'t str>, most: usize| -> Vec<String> {
            texts.flat_map(words).filter(|word| seen.insert(word.clone())).take(most).collect()
        };
        let title = each_once(&mut title.into_iter(), TITLE);
        let body = each_once(&mut body.into_iter(), BODY);
        Self { id, audience: EVERYBODY, at: moment(at), title, body }
    }

    /// Found by an audience only: not negative, and less than 2^30.
    #[must_use]
    pub fn within(self, audience: i32) -> Self {
        Self { audience: audience & 0x3fff_ffff, ..self }
    }

    /// The document as rows: its two shelves' first, its moment, its words by spaces. For whoever fills tables by COPY.
    #[must_use]
    pub fn as_row(&self) -> (Uuid, i32, i32, &[String], &[String]) {
        (self.id, shelf(self.audience), self.at, &self.title, &self.body)
    }
}

/// A moment as the tables have it.
pub(crate) fn moment(at: DateTime<Utc>) -> i32 {
    let seconds = at.timestamp().saturating_sub(BEGINNING);
    i32::try_from(seconds).unwrap_or(if seconds < 0 { i32::MIN } else { i32::MAX })
}

/// Titles stand on one shelf of an audience, bodies on the next.
pub(crate) fn shelf(audience: i32) -> i32 {
    audience.saturating_mul(2)
}

impl Search {
    /// Puts documents, or puts them anew, in the transaction of the change they tell of. They are found by their words as
    /// soon as that is committed; by other forms of words that nobody used before, within two seconds. What they no longer
    /// say is forgotten where nobody else says it.
    ///
    /// # Errors
    /// As any statement.
    pub async fn put(&self, conn: &mut PgConnection, documents: &[Document]) -> Result<(), sqlx::Error> {
        if documents.is_empty() {
            return Ok(());
        }
        let ids: Vec<Uuid> = documents.iter().map(|document| document.id).collect();
        let mut dropped = self.lift(conn, &ids).await?;
        query(&self.sql.put)
            .bind(&ids)
            .bind(documents.iter().map(|document| shelf(document.audience)).collect::<Vec<_>>())
            .bind(documents.iter().map(|document| document.at).collect::<Vec<_>>())
            .bind(documents.iter().map(|document| document.title.join(" ")).collect::<Vec<_>>())
            .bind(documents.iter().map(|document| document.body.join(" ")).collect::<Vec<_>>())
            .execute(&mut *conn)
            .await?;
        for word in documents.iter().flat_map(|document| document.title.iter().chain(&document.body)) {
            dropped.remove(word);
        }
        self.forget(conn, dropped).await
    }

    /// Takes documents away, and with them the words that were theirs alone.
    ///
    /// # Errors
    /// As any statement.
    pub async fn remove(&self, conn: &mut PgConnection, ids: &[Uuid]) -> Result<(), sqlx::Error> {
        let dropped = self.lift(conn, ids).await?;
        query(&self.sql.remove).bind(ids).execute(&mut *conn).await?;
        self.forget(conn, dropped).await
    }

    /// Takes the entries of documents away, and says of which words.
    async fn lift(&self, conn: &mut PgConnection, ids: &[Uuid]) -> Result<HashSet<String>, sqlx::Error> {
        let held: Vec<(Vec<String>,)> = query_as(&self.sql.hold).bind(ids).fetch_all(&mut *conn).await?;
        if held.is_empty() {
            return Ok(HashSet::new());
        }
        query(&self.sql.lift).bind(ids).execute(conn).await?;
        Ok(held.into_iter().flat_map(|(words,)| words).collect())
    }

    /// Forgets words that documents had, unless others have them.
    async fn forget(&self, conn: &mut PgConnection, words: HashSet<String>) -> Result<(), sqlx::Error> {
        if words.is_empty() {
            return Ok(());
        }
        query(&self.sql.forget).bind(words.into_iter().collect::<Vec<_>>()).execute(conn).await?;
        Ok(())
    }

    /// Has documents read anew within two seconds: for changes of many things at once.
    ///
    /// # Errors
    /// As any statement.
    pub async fn stale(&self, conn: &mut PgConnection, ids: &[Uuid]) -> Result<(), sqlx::Error> {
        query(&self.sql.stale).bind(ids).execute(conn).await?;
        Ok(())
    }

    /// Reads anew what is to be, and learns new words, every second until the process stops.
    pub fn work(&self, context: &ServiceContext, db: &PgPool, read: Read) {
        let (search, db) = (self.clone(), db.clone());
        context.tasks.spawn("search", move |stopped: CancellationToken| {
            let (search, db) = (search.clone(), db.clone());
            async move {
                loop {
                    tokio::select! {
                        () = stopped.cancelled() => return Ok(()),
                        () = tokio::time::sleep(LEARN_EVERY) => {}
                    }
                    while !stopped.is_cancelled() && search.catch_up(&db, read).await? {}
                }
            }
        });
    }

    /// Reads a lot anew and learns one; says whether there was anything to do.
    ///
    /// # Errors
    /// As any statement; what was not done is done next time.
    pub async fn catch_up(&self, db: &PgPool, read: Read) -> anyhow::Result<bool> {
        Ok(self.refresh(db, read).await? | self.learn(db).await?)
    }

    /// Their rows are locked until they are read and written, so that no older reading overwrites a newer one.
    async fn refresh(&self, db: &PgPool, read: Read) -> anyhow::Result<bool> {
        let mut tx = db::begin(db).await?;
        let stale: Vec<(Uuid,)> = query_as(&self.sql.stalest).bind(LOT).fetch_all(&mut *tx).await?;
        if stale.is_empty() {
            return Ok(false);
        }
        let mut gone: HashSet<Uuid> = stale.iter().map(|(id,)| *id).collect();
        let documents = read(&mut tx, gone.iter().copied().collect()).await?;
        for document in &documents {
            gone.remove(&document.id);
        }
        self.put(&mut tx, &documents).await?;
        if !gone.is_empty() {
            self.remove(&mut tx, &gone.into_iter().collect::<Vec<_>>()).await?;
        }
        tx.commit().await?;
        Ok(true)
    }

    async fn learn(&self, db: &PgPool) -> anyhow::Result<bool> {
        let mut tx = db::begin(db).await?;
        let learnt = query(&self.sql.learn).execute(&mut *tx).await?.rows_affected() > 0;
        tx.commit().await?;
        Ok(learnt)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_of_the_title_is_none_of_the_body_and_there_is_an_end_to_both() {
        let at = DateTime::from_timestamp(BEGINNING + 5, 0).unwrap();
        let long: String = (0..999).map(|n| format!("word{n} ")).collect();
        let document = Document::new(Uuid::nil(), at, ["Law Clerk", "law"], ["The clerk's law", &long]);
        assert_eq!((document.at, document.title), (5, vec!["law".to_owned(), "clerk".to_owned()]));
        assert_eq!(document.body.len(), BODY);
        assert_eq!(&document.body[..3], ["the", "s", "word0"]);
    }

    #[test]
    fn no_place_has_everybodys_number() {
        for n in [0, 1, u128::MAX, 0x0193_0000_0000_7000_8000_0000_0000_0401] {
            let audience = audience(Uuid::from_u128(n));
            assert!((1..1 << 30).contains(&audience), "{n}: {audience}");
        }
    }

    #[test]
    fn moments_before_and_after_what_a_number_holds_are_its_first_and_last() {
        assert_eq!(moment(DateTime::<Utc>::MIN_UTC), i32::MIN);
        assert_eq!(moment(DateTime::<Utc>::MAX_UTC), i32::MAX);
    }
}
