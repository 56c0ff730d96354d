//! Handlers are asynchronous functions by name.

use futures::{FutureExt as _, future::BoxFuture};
use sqlx::PgConnection;

use super::Failure;

/// An `async fn(&mut PgConnection, &S, F) -> Result<(), E>`: the effect of a fact, or of several.
pub trait Apply<'c, S, F>: Send + Sync + 'static {
    /// Runs the effect in the transaction of the connection.
    fn apply(&self, db: &'c mut PgConnection, state: &'c S, fact: F) -> BoxFuture<'c, Result<(), Failure>>;
}

impl<'c, S, F, E, R, H> Apply<'c, S, F> for H
where
    S: 'c,
    E: Into<Failure>,
    R: Future<Output = Result<(), E>> + Send + 'c,
    H: Fn(&'c mut PgConnection, &'c S, F) -> R + Send + Sync + 'static,
{
    fn apply(&self, db: &'c mut PgConnection, state: &'c S, fact: F) -> BoxFuture<'c, Result<(), Failure>> {
        self(db, state, fact).map(|done| done.map_err(Into::into)).boxed()
    }
}

/// An `async fn(&mut PgConnection) -> Result<(), E>`: the cleanup before a snapshot.
pub trait Clear<'c>: Send + Sync + 'static {
    /// Empties tables in the transaction of the connection.
    fn clear(&self, db: &'c mut PgConnection) -> BoxFuture<'c, Result<(), Failure>>;
}

impl<'c, E, R, H> Clear<'c> for H
where
    E: Into<Failure>,
    R: Future<Output = Result<(), E>> + Send + 'c,
    H: Fn(&'c mut PgConnection) -> R + Send + Sync + 'static,
{
    fn clear(&self, db: &'c mut PgConnection) -> BoxFuture<'c, Result<(), Failure>> {
        self(db).map(|done| done.map_err(Into::into)).boxed()
    }
}
