//! What a service does about the facts it hears: kind -> effect, and what goes before a snapshot.

use std::{collections::HashMap, error::Error, fmt, panic::AssertUnwindSafe, sync::Arc};

use futures::{FutureExt as _, future::BoxFuture};
use prost::{Message, Name};
use sqlx::PgConnection;

use super::Fact;

/// Why an effect failed.
pub(super) type Failure = Box<dyn Error + Send + Sync>;

type Effect = Arc<dyn for<'c> Fn(&'c mut PgConnection, &[u8]) -> BoxFuture<'c, Result<(), Failure>> + Send + Sync>;
type Clearing = Arc<dyn for<'c> Fn(&'c mut PgConnection) -> BoxFuture<'c, Result<(), Failure>> + Send + Sync>;

/// The effects of one source's facts. Each runs in the transaction that moves the cursor, and must not commit; facts
/// may come again after a snapshot, so effects are idempotent.
#[derive(Clone, Default)]
pub struct Handlers {
    effects: HashMap<String, Effect>,
    before_snapshot: Option<Clearing>,
}

impl Handlers {
    /// Hears nothing yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Does `effect` about each fact of the kind `M`:
    /// `.on(|conn, fact: MemberRegistered| Box::pin(async move { .. }))`.
    #[must_use]
    pub fn on<M, E>(
        mut self,
        effect: impl for<'c> Fn(&'c mut PgConnection, M) -> BoxFuture<'c, Result<(), E>> + Send + Sync + 'static,
    ) -> Self
    where
        M: Message + Name + Default,
        E: Into<Failure> + 'static,
    {
        let effect: Effect = Arc::new(move |conn, payload| match M::decode(payload) {
            Ok(fact) => effect(conn, fact).map(|done| done.map_err(Into::into)).boxed(),
            Err(error) => futures::future::ready(Err(error.into())).boxed(),
        });
        self.effects.insert(M::full_name(), effect);
        self
    }

    /// Does `clearing` first in the transaction that takes a snapshot: a snapshot tells what is, not what ceased to be,
    /// so a copy of another service's state is emptied before it is filled anew.
    #[must_use]
    pub fn before_snapshot<E: Into<Failure> + 'static>(
        mut self,
        clearing: impl for<'c> Fn(&'c mut PgConnection) -> BoxFuture<'c, Result<(), E>> + Send + Sync + 'static,
    ) -> Self {
        self.before_snapshot = Some(Arc::new(move |conn| clearing(conn).map(|done| done.map_err(Into::into)).boxed()));
        self
    }

    /// The kinds somebody cares about.
    pub(super) fn kinds(&self) -> Vec<String> {
        self.effects.keys().cloned().collect()
    }

    pub(super) fn know(&self, kind: &str) -> bool {
        self.effects.contains_key(kind)
    }

    /// Does what is to be done about a fact; a panic is a failure like any other.
    pub(super) async fn apply(&self, conn: &mut PgConnection, fact: &Fact) -> Result<(), Failure> {
        let Some(effect) = self.effects.get(&fact.kind) else { return Ok(()) };
        let done = AssertUnwindSafe(async { effect(conn, &fact.payload).await }).catch_unwind();
        done.await.unwrap_or_else(|_| Err("the effect panicked".into()))
    }

    pub(super) async fn clear(&self, conn: &mut PgConnection) -> Result<(), Failure> {
        match &self.before_snapshot {
            Some(clearing) => clearing(conn).await,
            None => Ok(()),
        }
    }
}

impl fmt::Debug for Handlers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Handlers").field("kinds", &self.kinds()).finish_non_exhaustive()
    }
}

/// Whether the database was away, which says nothing about the fact.
pub(super) fn is_away(failure: &(dyn Error + 'static)) -> bool {
    let mut cause = Some(failure);
    while let Some(error) = cause {
        if error.is::<std::io::Error>() || error.downcast_ref::<sqlx::Error>().is_some_and(lost_connection) {
            return true;
        }
        cause = error.source();
    }
    false
}

fn lost_connection(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::Io(_) | sqlx::Error::Tls(_) | sqlx::Error::PoolTimedOut | sqlx::Error::PoolClosed => true,
        // Connection failures, too many connections, shutting down.
        sqlx::Error::Database(error) => {
            error.code().is_some_and(|code| ["08", "53", "57P"].iter().any(|class| code.starts_with(class)))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, thiserror::Error)]
    #[error("the feed failed")]
    struct Wrapped(#[source] sqlx::Error);

    #[test]
    fn an_absent_database_is_told_from_a_poison_fact() {
        assert!(is_away(&Wrapped(sqlx::Error::PoolTimedOut)));
        assert!(is_away(&Wrapped(sqlx::Error::Io(std::io::ErrorKind::BrokenPipe.into()))));
        assert!(!is_away(&Wrapped(sqlx::Error::RowNotFound)));
    }
}
