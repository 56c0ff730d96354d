//! The handlers of a consumer: kind -> effect, and the cleanup before a snapshot.

mod effect;
mod kinds;

use std::{collections::HashMap, error::Error, fmt, panic::AssertUnwindSafe, sync::Arc};

use futures::{FutureExt as _, future::BoxFuture};
use sqlx::PgConnection;

pub use self::{
    effect::{Apply, Clear},
    kinds::{FactKinds, FactMessage, Reversible},
};

use self::kinds::{One, decode_all};
use crate::Fact;

/// The error of a handler.
pub(super) type Failure = Box<dyn Error + Send + Sync>;

type OfFact = Arc<dyn for<'c> Fn(&'c mut PgConnection, &[u8]) -> BoxFuture<'c, Result<(), Failure>> + Send + Sync>;
type OfBatch = Arc<dyn for<'c> Fn(&'c mut PgConnection, &[Fact]) -> BoxFuture<'c, Result<(), Failure>> + Send + Sync>;
type Cleanup = Arc<dyn for<'c> Fn(&'c mut PgConnection) -> BoxFuture<'c, Result<(), Failure>> + Send + Sync>;

/// The effect of a handler.
#[derive(Clone)]
enum Effect {
    /// Of one fact.
    Fact(OfFact),
    /// Of consecutive facts of its kinds.
    Batch(OfBatch),
}

/// A handler of facts of one kind.
#[derive(Clone)]
struct Handler {
    scope: Scope,
    effect: Effect,
    /// The registration, which may be of two kinds.
    registration: usize,
}

/// The origin of a fact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DeliveryKind {
    /// It just happened.
    Live,
    /// A row of a snapshot: state of any age.
    Snapshot,
}

/// The facts that a handler gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scope {
    All,
    Live,
    Snapshot,
}

impl Scope {
    fn contains(self, delivery: DeliveryKind) -> bool {
        match self {
            Self::All => true,
            Self::Live => delivery == DeliveryKind::Live,
            Self::Snapshot => delivery == DeliveryKind::Snapshot,
        }
    }
}

/// The state that a handler gets beside the connection and its fact.
pub trait State: Clone + Send + Sync + 'static {}

impl<S: Clone + Send + Sync + 'static> State for S {}

/// The handlers of the facts of one source. A handler runs in the transaction that moves the cursor and must not
/// commit. It is idempotent, because a fact can repeat after a snapshot. Handlers of one kind run in the order of
/// registration.
#[derive(Clone, Default)]
pub struct Handlers {
    handlers: HashMap<String, Vec<Handler>>,
    registrations: usize,
    before_snapshot: Vec<Cleanup>,
}

impl Handlers {
    /// No handlers.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Runs `effect` for every fact of the kind `M`, with a state of the consumer: `.on(&notifier, member_registered)` for
    /// `async fn member_registered(db: &mut PgConnection, notifier: &Notifier, fact: MemberRegistered) -> Result<(), Error>`.
    #[must_use]
    pub fn on<S: State, M: FactMessage>(self, state: &S, effect: impl for<'c> Apply<'c, S, M>) -> Self {
        self.register(Scope::All, state, effect)
    }

    /// Runs `effect` for every new fact of the kind `M`, but not for the rows of a snapshot, which are not even
    /// requested: a new consumer must not notify members of facts that are two years old.
    #[must_use]
    pub fn on_live<S: State, M: FactMessage>(self, state: &S, effect: impl for<'c> Apply<'c, S, M>) -> Self {
        self.register(Scope::Live, state, effect)
    }

    /// Like [`Self::on_live`], for effects that cost less together: `effect` gets the facts of the kind `M` that follow one another
    /// in a transaction. When it fails, it gets each of them alone.
    #[must_use]
    pub fn on_live_batch<S: State, M: FactMessage>(self, state: &S, effect: impl for<'c> Apply<'c, S, Vec<M>>) -> Self {
        self.register_batch(Scope::Live, state, effect)
    }

    /// Like [`Self::on`], for effects that cost less together: `effect` gets the facts of the kind `M` that follow one another, in a
    /// snapshot up to a thousand. One fact may occur twice. When it fails, it gets each of them alone.
    #[must_use]
    pub fn on_batch<S: State, M: FactMessage>(self, state: &S, effect: impl for<'c> Apply<'c, S, Vec<M>>) -> Self {
        self.register_batch(Scope::All, state, effect)
    }

    /// Like [`Self::on_batch`], for the rows of a snapshot alone: new facts of the kind have another handler, for instance
    /// [`Self::on_live_any`].
    #[must_use]
    pub fn on_snapshot_batch<S: State, M: FactMessage>(
        self,
        state: &S,
        effect: impl for<'c> Apply<'c, S, Vec<M>>,
    ) -> Self {
        self.register_batch(Scope::Snapshot, state, effect)
    }

    /// Like [`Self::on_live_batch`], for several kinds, for instance a change and its [reversal](Reversible), in their order. Otherwise
    /// each change of the kind would end a batch, and members take likes back while others like.
    #[must_use]
    pub fn on_live_any<S: State, F: FactKinds>(self, state: &S, effect: impl for<'c> Apply<'c, S, Vec<F>>) -> Self {
        self.add(&F::kinds(), Scope::Live, Effect::Batch(of_batch(state, effect, |facts| facts)))
    }

    fn register_batch<S: State, M: FactMessage>(
        self,
        scope: Scope,
        state: &S,
        effect: impl for<'c> Apply<'c, S, Vec<M>>,
    ) -> Self {
        let facts = |facts: Vec<One<M>>| facts.into_iter().map(|One(fact)| fact).collect();
        self.add(&[M::full_name()], scope, Effect::Batch(of_batch(state, effect, facts)))
    }

    fn register<S: State, M: FactMessage>(self, scope: Scope, state: &S, effect: impl for<'c> Apply<'c, S, M>) -> Self {
        let shared = Arc::new((state.clone(), effect));
        let effect: OfFact = Arc::new(move |conn, payload| match M::decode(payload) {
            Ok(fact) => applied(&shared, conn, fact),
            Err(error) => futures::future::ready(Err(error.into())).boxed(),
        });
        self.add(&[M::full_name()], scope, Effect::Fact(effect))
    }

    fn add(mut self, kinds: &[String], scope: Scope, effect: Effect) -> Self {
        for kind in kinds {
            let handler = Handler { scope, effect: effect.clone(), registration: self.registrations };
            self.handlers.entry(kind.clone()).or_default().push(handler);
        }
        self.registrations += 1;
        self
    }

    /// Runs `cleanup` first in the transaction of a snapshot. A snapshot contains no deletions, so a copy of the state
    /// of another service is emptied before it is filled again. Cleanups run in the order of registration.
    #[must_use]
    pub fn before_snapshot(mut self, cleanup: impl for<'c> Clear<'c>) -> Self {
        self.before_snapshot.push(Arc::new(move |conn| cleanup.clear(conn)));
        self
    }

    /// Like [`Self::before_snapshot`], with a state of the consumer: `async fn(&mut PgConnection, &S, ()) -> Result<(), E>`.
    #[must_use]
    pub fn before_snapshot_with<S: State>(mut self, state: &S, cleanup: impl for<'c> Apply<'c, S, ()>) -> Self {
        let shared = Arc::new((state.clone(), cleanup));
        self.before_snapshot.push(Arc::new(move |conn| applied(&shared, conn, ())));
        self
    }

    /// Returns the kinds to request of a snapshot.
    pub(super) fn state_kinds(&self) -> Vec<String> {
        let of_state = |handler: &Handler| handler.scope.contains(DeliveryKind::Snapshot);
        let state = self.handlers.iter().filter(|(_, handlers)| handlers.iter().any(of_state));
        state.map(|(kind, _)| kind.clone()).collect()
    }

    /// Returns the kinds with a handler.
    pub(super) fn kinds(&self) -> Vec<String> {
        self.handlers.keys().cloned().collect()
    }

    pub(super) fn handles(&self, kind: &str) -> bool {
        self.handlers.contains_key(kind)
    }

    /// Whether consecutive facts of these kinds are applied together: every handler of them must take both kinds, and
    /// several facts, because handlers of one kind alternate otherwise.
    pub(super) fn takes_together(&self, delivery: DeliveryKind, kind: &str, next: &str) -> bool {
        let of = |kind: &str| {
            let handlers = self.handlers.get(kind).map(Vec::as_slice).unwrap_or_default();
            handlers.iter().filter(move |handler| handler.scope.contains(delivery))
        };
        let takes = |(one, other): (&Handler, &Handler)| {
            one.registration == other.registration && matches!(one.effect, Effect::Batch(_))
        };
        of(kind).count() == of(next).count() && of(kind).zip(of(next)).all(takes)
    }

    /// Runs the handlers of a fact, or of consecutive ones that it [takes together](Self::takes_together). A panic is a failure.
    pub(super) async fn apply(
        &self,
        conn: &mut PgConnection,
        facts: &[Fact],
        delivery: DeliveryKind,
    ) -> Result<(), Failure> {
        let handlers = facts.first().and_then(|fact| self.handlers.get(&fact.kind));
        let Some(handlers) = handlers else { return Ok(()) };
        let done = AssertUnwindSafe(async {
            for handler in handlers.iter().filter(|handler| handler.scope.contains(delivery)) {
                match &handler.effect {
                    Effect::Batch(effect) => effect(&mut *conn, facts).await?,
                    Effect::Fact(effect) => {
                        for fact in facts {
                            effect(&mut *conn, &fact.payload).await?;
                        }
                    }
                }
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

/// An effect of decoded facts, as the handler takes them.
fn of_batch<S: State, F: FactKinds, T: Send + 'static>(
    state: &S,
    effect: impl for<'c> Apply<'c, S, T>,
    as_taken: impl Fn(Vec<F>) -> T + Send + Sync + 'static,
) -> OfBatch {
    let shared = Arc::new((state.clone(), effect));
    Arc::new(move |conn, facts| match decode_all(facts) {
        Ok(facts) => applied(&shared, conn, as_taken(facts)),
        Err(error) => futures::future::ready(Err(error.into())).boxed(),
    })
}

/// Runs a handler with its state.
fn applied<'c, S: State, F: Send + 'static>(
    shared: &Arc<(S, impl for<'x> Apply<'x, S, F>)>,
    conn: &'c mut PgConnection,
    fact: F,
) -> BoxFuture<'c, Result<(), Failure>> {
    let shared = Arc::clone(shared);
    async move {
        let (state, effect) = &*shared;
        effect.apply(conn, state, fact).await
    }
    .boxed()
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
        // Also a database that cannot write: no fact is dead because a disk was full.
        sqlx::Error::Database(error) => error.code().is_some_and(|code| db::is_refused_for_now(&code)),
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
