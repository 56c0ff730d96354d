//! What a service does about the facts it hears: kind -> effect, and what goes before a snapshot.

use std::{collections::HashMap, error::Error, fmt, panic::AssertUnwindSafe, sync::Arc};

use futures::{FutureExt as _, future::BoxFuture};
use prost::{Message, Name};
use sqlx::PgConnection;

use crate::Fact;

/// Why an effect failed.
pub(super) type Failure = Box<dyn Error + Send + Sync>;

type Effect = Arc<dyn for<'c> Fn(&'c mut PgConnection, &[u8]) -> BoxFuture<'c, Result<(), Failure>> + Send + Sync>;
type Clearing = Arc<dyn for<'c> Fn(&'c mut PgConnection) -> BoxFuture<'c, Result<(), Failure>> + Send + Sync>;

/// What is done about facts of one kind.
#[derive(Clone)]
struct Reaction {
    /// Not about a snapshot's rows.
    live_only: bool,
    effect: Effect,
}

/// How a fact comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DeliveryKind {
    /// As what just happened.
    Live,
    /// As what is so, perhaps for years: a row of a snapshot.
    Snapshot,
}

/// The effects of one source's facts. Each runs in the transaction that moves the cursor, and must not commit; facts
/// may come again after a snapshot, so effects are idempotent. Several about one kind run in the order they were named.
#[derive(Clone, Default)]
pub struct Handlers {
    reactions: HashMap<String, Vec<Reaction>>,
    before_snapshot: Vec<Clearing>,
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
        self,
        effect: impl for<'c> Fn(&'c mut PgConnection, M) -> BoxFuture<'c, Result<(), E>> + Send + Sync + 'static,
    ) -> Self
    where
        M: Message + Name + Default,
        E: Into<Failure> + 'static,
    {
        self.reacting(false, effect)
    }

    /// Does `effect` about each fact of the kind `M` that just happened, and nothing about a snapshot's rows, which are
    /// not even asked for: what tells somebody must not ring for what is two years old because a consumer is new.
    #[must_use]
    pub fn on_live<M, E>(
        self,
        effect: impl for<'c> Fn(&'c mut PgConnection, M) -> BoxFuture<'c, Result<(), E>> + Send + Sync + 'static,
    ) -> Self
    where
        M: Message + Name + Default,
        E: Into<Failure> + 'static,
    {
        self.reacting(true, effect)
    }

    fn reacting<M, E>(
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
        self.reactions.entry(M::full_name()).or_default().push(Reaction { live_only, effect });
        self
    }

    /// Does `clearing` first in the transaction that takes a snapshot: a snapshot tells what is, not what ceased to be,
    /// so a copy of another service's state is emptied before it is filled anew. Several run in the order they were
    /// named.
    #[must_use]
    pub fn before_snapshot<E: Into<Failure> + 'static>(
        mut self,
        clearing: impl for<'c> Fn(&'c mut PgConnection) -> BoxFuture<'c, Result<(), E>> + Send + Sync + 'static,
    ) -> Self {
        self.before_snapshot.push(Arc::new(move |conn| clearing(conn).map(|done| done.map_err(Into::into)).boxed()));
        self
    }

    /// The kinds whose rows a snapshot is asked for.
    pub(super) fn state_kinds(&self) -> Vec<String> {
        let state = self.reactions.iter().filter(|(_, reactions)| reactions.iter().any(|reaction| !reaction.live_only));
        state.map(|(kind, _)| kind.clone()).collect()
    }

    pub(super) fn know(&self, kind: &str) -> bool {
        self.reactions.contains_key(kind)
    }

    /// Does what is to be done about a fact; a panic is a failure like any other.
    pub(super) async fn apply(&self, conn: &mut PgConnection, fact: &Fact, told: DeliveryKind) -> Result<(), Failure> {
        let Some(reactions) = self.reactions.get(&fact.kind) else { return Ok(()) };
        let done = AssertUnwindSafe(async {
            for reaction in reactions.iter().filter(|reaction| told == DeliveryKind::Live || !reaction.live_only) {
                (reaction.effect)(&mut *conn, &fact.payload).await?;
            }
            Ok::<_, Failure>(())
        });
        done.catch_unwind().await.unwrap_or_else(|_| Err("the effect panicked".into()))
    }

    pub(super) async fn clear(&self, conn: &mut PgConnection) -> Result<(), Failure> {
        for clearing in &self.before_snapshot {
            clearing(&mut *conn).await?;
        }
        Ok(())
    }
}

impl fmt::Debug for Handlers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Handlers").field("kinds", &self.reactions.keys()).finish_non_exhaustive()
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
