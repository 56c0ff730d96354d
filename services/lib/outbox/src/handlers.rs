//! The handlers of a consumer: kind -> effect, and the cleanup before a snapshot.

use std::{collections::HashMap, error::Error, fmt, panic::AssertUnwindSafe, sync::Arc};

use futures::{FutureExt as _, future::BoxFuture};
use prost::{Message, Name};
use sqlx::PgConnection;

use crate::Fact;

/// The error of a handler.
pub(super) type Failure = Box<dyn Error + Send + Sync>;

type Effect = Arc<dyn for<'c> Fn(&'c mut PgConnection, &[u8]) -> BoxFuture<'c, Result<(), Failure>> + Send + Sync>;
type Cleanup = Arc<dyn for<'c> Fn(&'c mut PgConnection) -> BoxFuture<'c, Result<(), Failure>> + Send + Sync>;

/// A handler of facts of one kind.
#[derive(Clone)]
struct Handler {
    /// Not for the rows of a snapshot.
    live_only: bool,
    effect: Effect,
}

/// The origin of a fact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DeliveryKind {
    /// It just happened.
    Live,
    /// A row of a snapshot: state of any age.
    Snapshot,
}

/// The handlers of the facts of one source. A handler runs in the transaction that moves the cursor and must not
/// commit. It is idempotent, because a fact can repeat after a snapshot. Handlers of one kind run in the order of
/// registration.
#[derive(Clone, Default)]
pub struct Handlers {
    handlers: HashMap<String, Vec<Handler>>,
    before_snapshot: Vec<Cleanup>,
}

impl Handlers {
    /// No handlers.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Runs `effect` for every fact of the kind `M`:
    /// `.on(|conn, fact: MemberRegistered| Box::pin(async move { .. }))`.
    #[must_use]
    pub fn on<M, E>(
        self,
        effect: impl for<'c> Fn(&'c mut PgConnection, M) -> BoxFuture<'c, Result<(), E>> + Send + Sync + 'static,
    ) -> Self
    where
        M: Message + Name + Default,
        E: Into<Failure> + 'static,
    {
        self.register(false, effect)
    }

    /// Runs `effect` for every new fact of the kind `M`, but not for the rows of a snapshot, which are not even
    /// requested: a new consumer must not notify members of facts that are two years old.
    #[must_use]
    pub fn on_live<M, E>(
        self,
        effect: impl for<'c> Fn(&'c mut PgConnection, M) -> BoxFuture<'c, Result<(), E>> + Send + Sync + 'static,
    ) -> Self
    where
        M: Message + Name + Default,
        E: Into<Failure> + 'static,
    {
        self.register(true, effect)
    }

    fn register<M, E>(
        mut self,
        live_only: bool,
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
        self.handlers.entry(M::full_name()).or_default().push(Handler { live_only, effect });
        self
    }

    /// Runs `cleanup` first in the transaction of a snapshot. A snapshot contains no deletions, so a copy of the state
    /// of another service is emptied before it is filled again. Cleanups run in the order of registration.
    #[must_use]
    pub fn before_snapshot<E: Into<Failure> + 'static>(
        mut self,
        cleanup: impl for<'c> Fn(&'c mut PgConnection) -> BoxFuture<'c, Result<(), E>> + Send + Sync + 'static,
    ) -> Self {
        self.before_snapshot.push(Arc::new(move |conn| cleanup(conn).map(|done| done.map_err(Into::into)).boxed()));
        self
    }

    /// The kinds to request of a snapshot.
    pub(super) fn state_kinds(&self) -> Vec<String> {
        let state = self.handlers.iter().filter(|(_, handlers)| handlers.iter().any(|handler| !handler.live_only));
        state.map(|(kind, _)| kind.clone()).collect()
    }

    pub(super) fn handles(&self, kind: &str) -> bool {
        self.handlers.contains_key(kind)
    }

    /// Runs the handlers of a fact. A panic is a failure.
    pub(super) async fn apply(
        &self,
        conn: &mut PgConnection,
        fact: &Fact,
        delivery: DeliveryKind,
    ) -> Result<(), Failure> {
        let Some(handlers) = self.handlers.get(&fact.kind) else { return Ok(()) };
        let done = AssertUnwindSafe(async {
            for handler in handlers.iter().filter(|handler| delivery == DeliveryKind::Live || !handler.live_only) {
                (handler.effect)(&mut *conn, &fact.payload).await?;
            }
            Ok::<_, Failure>(())
        });
        done.catch_unwind().await.unwrap_or_else(|_| Err("the handler panicked".into()))
    }

    pub(super) async fn clear(&self, conn: &mut PgConnection) -> Result<(), Failure> {
        for cleanup in &self.before_snapshot {
            cleanup(&mut *conn).await?;
        }
        Ok(())
    }
}

impl fmt::Debug for Handlers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Handlers").field("kinds", &self.handlers.keys()).finish_non_exhaustive()
    }
}

/// Whether the database was unavailable, which is not a failure of the fact.
pub(super) fn is_unavailable(failure: &(dyn Error + 'static)) -> bool {
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
    fn an_unavailable_database_differs_from_a_failing_fact() {
        assert!(is_unavailable(&Wrapped(sqlx::Error::PoolTimedOut)));
        assert!(is_unavailable(&Wrapped(sqlx::Error::Io(std::io::ErrorKind::BrokenPipe.into()))));
        assert!(!is_unavailable(&Wrapped(sqlx::Error::RowNotFound)));
    }
}
