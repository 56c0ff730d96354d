//! Transactions: begun so that a caller that gives up leaves no open transaction, and rolled back unless they are committed.

use std::ops::{Deref, DerefMut};

use sqlx::{Connection as _, PgConnection, SqlStr, postgres::PgTransactionManager};
use sqlx_core::transaction::TransactionManager as _;
use tokio::runtime::Handle;

use crate::pool::{Connection, Connections};

/// A transaction. Dropped before [`Transaction::commit`], it is rolled back.
pub struct Transaction {
    connection: Connection,
    is_open: bool,
}

impl Transaction {
    /// Begins a transaction with `statement`, or with BEGIN.
    pub(crate) async fn begin(
        connections: &impl Connections,
        statement: Option<&'static str>,
    ) -> Result<Self, sqlx::Error> {
        let mut beginning = Beginning(Some(connections.lend().await?));
        if let Some(connection) = &mut beginning.0 {
            PgTransactionManager::begin(connection, statement.map(SqlStr::from_static)).await?;
        }
        let connection = beginning.0.take().ok_or(sqlx::Error::BeginFailed)?;
        Ok(Self { connection, is_open: true })
    }

    /// Commits.
    ///
    /// # Errors
    /// When a deferred constraint refuses it, or its outcome is unknown.
    pub async fn commit(mut self) -> Result<(), sqlx::Error> {
        PgTransactionManager::commit(&mut self.connection).await?;
        self.is_open = false;
        Ok(())
    }

    /// Rolls back, and waits for it.
    ///
    /// # Errors
    /// When the database is unavailable.
    pub async fn rollback(mut self) -> Result<(), sqlx::Error> {
        PgTransactionManager::rollback(&mut self.connection).await?;
        self.is_open = false;
        Ok(())
    }
}

impl Deref for Transaction {
    type Target = PgConnection;

    fn deref(&self) -> &PgConnection {
        &self.connection
    }
}

impl DerefMut for Transaction {
    fn deref_mut(&mut self) -> &mut PgConnection {
        &mut self.connection
    }
}

impl Drop for Transaction {
    fn drop(&mut self) {
        if self.is_open {
            // Sent when sqlx takes the connection back: it is not clean now.
            PgTransactionManager::start_rollback(&mut self.connection);
        }
    }
}

/// A connection until the answer to its BEGIN. The caller can be cancelled meanwhile (deadline, hang-up), and sqlx rolls back only a
/// transaction that it knows to have begun: otherwise the connection would return to the pool with an open transaction, which the
/// statements of the next request would join and never commit.
struct Beginning(Option<Connection>);

impl Drop for Beginning {
    fn drop(&mut self) {
        let Some(mut connection) = self.0.take() else { return };
        let Ok(runtime) = Handle::try_current() else { return };
        runtime.spawn(async move {
            // BEGIN may have failed, and also left a transaction: one that accepts no statement.
            let begun = connection.flush().await;
            let ended = sqlx::raw_sql("rollback").execute(&mut *connection).await;
            if let Err(error) = ended {
                tracing::debug!(%error, ?begun, "an abandoned transaction ended with its connection");
                connection.close();
            }
        });
    }
}
