//! One retry of idempotent calls when an upstream is unavailable, within a budget of a tenth of all calls.

use std::{
    future::Future,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    task::{Context, Poll},
    time::{Duration, Instant},
};

use http::{Request, Response};
use http_body_util::{BodyExt as _, Full};
use portia_proto::is_idempotent;
use tonic::{Code, Status, body::Body};
use tower::Service;

/// The cost of a retry; every call earns 1.
const RETRY_COST: u32 = 10;
/// The maximum balance: ten consecutive retries, then one per ten calls.
const MAX_BALANCE: u32 = 10 * RETRY_COST;
/// A slower failure leaves too little time for a second attempt.
const MAX_FIRST_ATTEMPT: Duration = Duration::from_millis(250);
/// The budget for retries. Clones share it.
#[derive(Clone, Debug)]
pub struct RetryBudget(Arc<AtomicU32>);

impl Default for RetryBudget {
    fn default() -> Self {
        Self(Arc::new(AtomicU32::new(MAX_BALANCE)))
    }
}

impl RetryBudget {
    fn earn(&self) {
        let earned = |balance: u32| (balance < MAX_BALANCE).then(|| balance + 1);
        // An error means the maximum is reached.
        let _ = self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, earned);
    }

    fn spend(&self) -> bool {
        self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |balance| balance.checked_sub(RETRY_COST)).is_ok()
    }
}

/// A transport that retries idempotent calls once.
#[derive(Clone)]
pub struct RetryOnce<S> {
    inner: S,
    budget: RetryBudget,
}

impl<S> RetryOnce<S> {
    /// Around a transport.
    pub const fn new(inner: S, budget: RetryBudget) -> Self {
        Self { inner, budget }
    }
}

impl<S, B> Service<Request<Body>> for RetryOnce<S>
where
    S: Service<Request<Body>, Response = Response<B>, Error = Status> + Clone + Send + 'static,
    S::Future: Send + 'static,
    B: Send + 'static,
{
    type Response = Response<B>;
    type Error = Status;
    type Future = Pin<Box<dyn Future<Output = Result<Response<B>, Status>> + Send>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Status>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        self.budget.earn();
        if !is_idempotent(request.uri().path()) {
            return Box::pin(self.inner.call(request));
        }
        // The service that was polled ready makes the first attempt.
        let spare = self.inner.clone();
        let mut ready = std::mem::replace(&mut self.inner, spare);
        let budget = self.budget.clone();
        Box::pin(async move {
            let (parts, body) = request.into_parts();
            let bytes = body.collect().await?.to_bytes();
            let attempt = || Request::from_parts(parts.clone(), Body::new(Full::new(bytes.clone())));
            let begun = Instant::now();
            let first = ready.call(attempt()).await;
            if !is_unavailable(&first) || begun.elapsed() > MAX_FIRST_ATTEMPT || !budget.spend() {
                return first;
            }
            tokio::time::sleep(jitter(begun)).await;
            std::future::poll_fn(|cx| ready.poll_ready(cx)).await?;
            ready.call(attempt()).await
        })
    }
}

fn is_unavailable<B>(result: &Result<Response<B>, Status>) -> bool {
    match result {
        Ok(response) => Status::from_header_map(response.headers()).is_some_and(|s| s.code() == Code::Unavailable),
        Err(status) => status.code() == Code::Unavailable,
    }
}

/// 10 to 40 ms, so that concurrent failures do not retry together. The nanoseconds are random enough.
fn jitter(begun: Instant) -> Duration {
    Duration::from_millis(10 + u64::from(begun.elapsed().subsec_nanos() % 31))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_idempotent_calls_are_retried() {
        assert!(is_idempotent("/portia.feed.v1.FeedService/ListPosts"));
        assert!(is_idempotent("/portia.auth.v1.AuthService/ResolveSession"));
        assert!(is_idempotent("/portia.social_graph.v1.SocialGraphService/LeaveCommunity"));
        for once in [
            "/portia.feed.v1.FeedService/CreatePost",
            "/portia.auth.v1.AuthService/Register",
            "/portia.social_graph.v1.SocialGraphService/UpdateEvent",
            // A repetition would clear messages that arrive in between.
            "/portia.messaging.v1.MessagingService/ClearConversation",
            "/portia.messaging.v1.MessagingService/SendMessage",
            // A repetition would lose the result of the first attempt.
            "/portia.jobs.v1.JobsService/RefreshJobs",
            "/portia.jobs.v1.JobsService/Apply",
            "/portia.jobs.v1.JobsService/UpdateApplication",
            "/portia.news.v1.NewsService/SuggestResource",
            "",
            "/",
        ] {
            assert!(!is_idempotent(once), "{once}");
        }
    }

    #[test]
    fn ten_calls_pay_for_one_retry() {
        let budget = RetryBudget::default();
        while budget.spend() {}
        for _ in 0..RETRY_COST - 1 {
            budget.earn();
        }
        assert!(!budget.spend());
        budget.earn();
        assert!(budget.spend());
        assert!(!budget.spend());
    }
}
