//! Connections that requests pass on to each other.
//!
//! sqlx takes a connection back in a task of its own, with a round trip to Postgres. For a request of one statement
//! both cost about as much as the statement. So a connection stays here for a tenth of a second, and then goes back to
//! sqlx: callers that wait there get one soon. A connection that is not clean is left to sqlx at once.

use std::{
    collections::VecDeque,
    ops::{Deref, DerefMut},
    pin::pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::{Context, Poll, Waker},
    time::{Duration, Instant},
};

use sqlx::{Connection as _, PgConnection, PgPool, Postgres, pool::PoolConnection};
use tokio::sync::{Notify, oneshot};

use primitives::log_position::read_after;

use crate::{standby::Standby, wait};

/// The time for which a connection is lent to requests.
const LOAN: Duration = Duration::from_millis(100);
/// The part of the connections that may be here unused.
const KEPT_OF: u32 = 2;
/// The fewest waiting requests among which the pool looks for abandoned ones.
const MANY_WAITING: usize = 64;

/// Where a connection comes from.
pub trait Connections: Sync {
    /// Lends a connection.
    ///
    /// # Errors
    /// When none is free in time, or none can be opened.
    fn lend(&self) -> impl Future<Output = Result<Connection, sqlx::Error>> + Send;

    /// Lends a connection for statements without a transaction.
    ///
    /// # Errors
    /// As [`Self::lend`].
    fn lend_for_statements(&self) -> impl Future<Output = Result<Connection, sqlx::Error>> + Send {
        self.lend()
    }
}

/// A pool whose connections go from request to request. Clones share it. The pool of sqlx below is for everything else.
#[derive(Clone)]
pub struct Pool {
    pool: PgPool,
    lent: Arc<Lent>,
    standby: Option<Arc<Standby>>,
}

/// The connections between requests.
struct Lent {
    state: Mutex<State>,
    most: usize,
    /// The first connection is kept.
    kept: Notify,
    metrics: wait::Handles,
}

#[derive(Default)]
struct State {
    kept: Vec<Loan>,
    waiting: VecDeque<oneshot::Sender<Loan>>,
    /// The number of waiting requests at which abandoned ones are removed.
    many_waiting: usize,
    is_closed: bool,
}

/// A connection that sqlx lent.
struct Loan {
    connection: PoolConnection<Postgres>,
    since: Instant,
}

/// A connection of a request. Dropped, it is passed on.
pub struct Connection {
    /// Until it is dropped.
    loan: Option<Loan>,
    lent: Option<Arc<Lent>>,
}

impl Pool {
    /// Passes on the connections of `pool`, until it is closed. Within a runtime.
    #[must_use]
    pub fn of(pool: &PgPool) -> Self {
        let most = usize::try_from(pool.options().get_max_connections() / KEPT_OF).unwrap_or(usize::MAX).max(1);
        let metrics = wait::Handles::of(pool);
        let lent = Arc::new(Lent { state: Mutex::default(), most, kept: Notify::new(), metrics });
        tokio::spawn(Arc::clone(&lent).end_loans(pool.close_event()));
        Self { pool: pool.clone(), lent, standby: None }
    }

    /// Lends connections to the standby for calls that only read.
    #[must_use]
    pub fn with_standby(self, standby: Arc<Standby>) -> Self {
        Self { standby: Some(standby), ..self }
    }

    async fn loan(&self) -> Result<Loan, sqlx::Error> {
        if let Some(loan) = self.lent.take() {
            return Ok(loan);
        }
        // sqlx tests or opens a connection, which would be closed if another one came first.
        let sqlx_has_some = self.pool.num_idle() > 0 || self.pool.size() < self.pool.options().get_max_connections();
        if sqlx_has_some {
            return Ok(Loan::of(self.pool.acquire().await?));
        }
        let passed = match self.lent.wait() {
            Ok(loan) => return Ok(loan),
            Err(passed) => passed,
        };
        tokio::select! {
            biased;
            Ok(loan) = passed => Ok(loan),
            acquired = self.pool.acquire() => Ok(Loan::of(acquired?)),
        }
    }
}

impl Deref for Pool {
    type Target = PgPool;

    fn deref(&self) -> &PgPool {
        &self.pool
    }
}

impl Connections for Pool {
    async fn lend(&self) -> Result<Connection, sqlx::Error> {
        let wait = self.lent.metrics.wait();
        let loan = self.loan().await?;
        wait.succeed();
        Ok(Connection { loan: Some(loan), lent: Some(Arc::clone(&self.lent)) })
    }

    async fn lend_for_statements(&self) -> Result<Connection, sqlx::Error> {
        if let Some(standby) = &self.standby
            && let Some(position) = read_after()
            && let Some(connection) = standby.lend_after(position).await
        {
            return Ok(connection);
        }
        self.lend().await
    }
}

impl Connections for PgPool {
    async fn lend(&self) -> Result<Connection, sqlx::Error> {
        let metrics = wait::Handles::of(self);
        let wait = metrics.wait();
        let loan = Loan::of(self.acquire().await?);
        wait.succeed();
        Ok(Connection { loan: Some(loan), lent: None })
    }
}

impl Lent {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take(&self) -> Option<Loan> {
        self.state().kept.pop()
    }

    /// Returns a kept connection, or a receiver of the next one that is passed on.
    fn wait(&self) -> Result<Loan, oneshot::Receiver<Loan>> {
        let mut state = self.state();
        if let Some(loan) = state.kept.pop() {
            return Ok(loan);
        }
        if state.waiting.len() >= state.many_waiting.max(MANY_WAITING) {
            state.waiting.retain(|waiting| !waiting.is_closed());
            state.many_waiting = 2 * state.waiting.len();
        }
        let (pass, passed) = oneshot::channel();
        state.waiting.push_back(pass);
        Err(passed)
    }

    /// Passes a connection on. Otherwise it is dropped, and sqlx takes it back.
    fn give_back(&self, mut loan: Loan) {
        if loan.is_over() || !loan.is_clean() {
            return;
        }
        let mut state = self.state();
        if state.is_closed {
            drop(state);
            return;
        }
        while let Some(waiting) = state.waiting.pop_front() {
            match waiting.send(loan) {
                Ok(()) => return,
                Err(back) => loan = back,
            }
        }
        if state.kept.len() < self.most {
            state.kept.push(loan);
            let is_first = state.kept.len() == 1;
            drop(state);
            if is_first {
                self.kept.notify_one();
            }
        } else {
            drop(state);
            drop(loan);
        }
    }

    /// Gives the kept connections back to sqlx, each after its time, and all when the pool is closed.
    async fn end_loans(self: Arc<Self>, closed: impl Future<Output = ()>) {
        let mut closed = pin!(closed);
        loop {
            tokio::select! {
                () = &mut closed => break,
                () = self.kept.notified() => {}
            }
            while !self.state().kept.is_empty() {
                tokio::select! {
                    () = &mut closed => break,
                    () = tokio::time::sleep(LOAN) => drop(self.take_over_loans()),
                }
            }
        }
        let mut state = self.state();
        state.is_closed = true;
        let all = std::mem::take(&mut *state);
        state.is_closed = true;
        drop(state);
        drop(all);
    }

    fn take_over_loans(&self) -> Vec<Loan> {
        self.state().kept.extract_if(.., |loan| loan.is_over()).collect()
    }
}

impl Loan {
    fn of(connection: PoolConnection<Postgres>) -> Self {
        Self { connection, since: Instant::now() }
    }

    fn is_over(&self) -> bool {
        self.since.elapsed() >= LOAN
    }

    /// Whether everything that was sent is answered. A request that was abandoned leaves a statement behind.
    fn is_clean(&mut self) -> bool {
        let flushed = pin!(self.connection.flush());
        matches!(flushed.poll(&mut Context::from_waker(Waker::noop())), Poll::Ready(Ok(())))
    }
}

impl Connection {
    /// Closes a connection in an unknown state.
    pub(crate) fn close(mut self) {
        if let Some(mut loan) = self.loan.take() {
            loan.connection.close_on_drop();
        }
    }

    fn loan(&self) -> &Loan {
        // It is taken in `drop` only.
        self.loan.as_ref().unwrap_or_else(|| unreachable!("the connection is there until it is dropped"))
    }
}

impl Deref for Connection {
    type Target = PgConnection;

    fn deref(&self) -> &PgConnection {
        &self.loan().connection
    }
}

impl DerefMut for Connection {
    fn deref_mut(&mut self) -> &mut PgConnection {
        match &mut self.loan {
            Some(loan) => &mut loan.connection,
            None => unreachable!("the connection is there until it is dropped"),
        }
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        if let Some((loan, lent)) = self.loan.take().zip(self.lent.take()) {
            lent.give_back(loan);
        }
    }
}
