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

type ApiResponse = Result<i32, Status>;

/// The running call, if any. It continues while a request waits for it.
#[derive(Default)]
pub struct Coalesced(Mutex<Option<WeakShared<BoxFuture<'static, ApiResponse>>>>);

impl Coalesced {
    /// The result of the running call, or of `begin` when there is none. A request waits no longer than its deadline.
    /// # Errors
    /// As the call, and DEADLINE_EXCEEDED.
    pub async fn ask(&self, call: &Call, begin: impl Future<Output = ApiResponse> + Send + 'static) -> ApiResponse {
        let answer = self.join(begin);
        match call.deadline() {
            None => answer.await,
            Some(deadline) => timeout_at(deadline, answer).await.unwrap_or_else(|_| {
                Err(new_status(ErrorKind::Timeout, "DEADLINE_EXCEEDED", "This took too long. Please try again."))
            }),
        }
    }

    fn join(
        &self,
        begin: impl Future<Output = ApiResponse> + Send + 'static,
    ) -> Shared<BoxFuture<'static, ApiResponse>> {
        let mut under_way = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let joined = under_way.as_ref().and_then(WeakShared::upgrade);
        // One that has its answer already is not under way any more.
        joined.filter(|call| call.peek().is_none()).unwrap_or_else(|| {
            let begun = begin.in_current_span().boxed().shared();
            *under_way = begun.downgrade();
            begun
        })
    }
}
