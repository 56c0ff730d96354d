//! One shared call for concurrent requests for the same work.

use std::sync::{Mutex, PoisonError};

use futures::{
    FutureExt as _,
    future::{BoxFuture, Shared, WeakShared},
};
use primitives::error::{ErrorKind, new_status};
use rpc::Call;
use tokio::time::timeout_at;
use tonic::Status;
use tracing::Instrument as _;

type CallResult = Result<i32, Status>;

/// The running call, if any. It continues while a request waits for it.
#[derive(Default)]
pub struct Coalesced(Mutex<Option<WeakShared<BoxFuture<'static, CallResult>>>>);

impl Coalesced {
    /// The result of the running call, or of `start` if no call is running. A request waits until its deadline.
    ///
    /// # Errors
    /// The error of the call, or DEADLINE_EXCEEDED.
    pub async fn run(&self, call: &Call, start: impl Future<Output = CallResult> + Send + 'static) -> CallResult {
        let result = self.join(start);
        match call.deadline() {
            None => result.await,
            Some(deadline) => timeout_at(deadline, result).await.unwrap_or_else(|_| {
                Err(new_status(ErrorKind::Timeout, "DEADLINE_EXCEEDED", "This took too long. Please try again."))
            }),
        }
    }

    fn join(&self, start: impl Future<Output = CallResult> + Send + 'static) -> Shared<BoxFuture<'static, CallResult>> {
        let mut running = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let joined = running.as_ref().and_then(WeakShared::upgrade);
        // A completed call is not joined: a later request needs a newer result.
        joined.filter(|call| call.peek().is_none()).unwrap_or_else(|| {
            let started = start.in_current_span().boxed().shared();
            *running = started.downgrade();
            started
        })
    }
}
