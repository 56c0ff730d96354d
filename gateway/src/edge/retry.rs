//! One retry of idempotent calls when an upstream is unavailable, within a budget of a tenth of all calls.

use std::{
    future::Future,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
    time::Duration,
};

use bytes::Bytes;
use http::{Request, Response};
use http_body_util::{BodyExt as _, Full};
use portia_proto::is_idempotent;
use tokio::time::{Instant, Sleep, sleep};
use tonic::{Code, Status, body::Body};
use tower::{
    Service, ServiceExt as _,
    retry::{
        Policy, Retry,
        budget::{Budget as _, TpsBudget},
    },
};

/// The period of the retry budget.
const BUDGET_PERIOD: Duration = Duration::from_secs(10);
/// Retries per second without earlier calls: ten in a period.
const MIN_RETRIES_PER_SECOND: u32 = 1;
/// Retries per call.
const RETRY_RATIO: f32 = 0.1;
/// A slower failure leaves too little time for a second attempt.
const MAX_FIRST_ATTEMPT: Duration = Duration::from_millis(250);

/// The budget for retries. Clones share it.
#[derive(Clone, Debug)]
pub struct RetryBudget(Arc<TpsBudget>);

impl Default for RetryBudget {
    fn default() -> Self {
        Self(Arc::new(TpsBudget::new(BUDGET_PERIOD, MIN_RETRIES_PER_SECOND, RETRY_RATIO)))
    }
}

/// The decision about the retry of one call.
#[derive(Clone, Debug)]
struct RetryOnce {
    budget: RetryBudget,
    begun: Instant,
    retried: bool,
}

impl<B> Policy<Request<Full<Bytes>>, Response<B>, Status> for RetryOnce {
    type Future = Sleep;

    fn retry(
        &mut self,
        _: &mut Request<Full<Bytes>>,
        result: &mut Result<Response<B>, Status>,
    ) -> Option<Self::Future> {
        if self.retried || !is_unavailable(result) || self.begun.elapsed() > MAX_FIRST_ATTEMPT {
            return None;
        }
        self.retried = true;
        self.budget.0.withdraw().then(|| sleep(jitter(self.begun)))
    }

    fn clone_request(&mut self, request: &Request<Full<Bytes>>) -> Option<Request<Full<Bytes>>> {
        (!self.retried).then(|| request.clone())
    }
}

/// A transport that retries idempotent calls once.
#[derive(Clone)]
pub struct Retrying<S> {
    inner: S,
    budget: RetryBudget,
}

impl<S> Retrying<S> {
    /// Around a transport.
    pub const fn new(inner: S, budget: RetryBudget) -> Self {
        Self { inner, budget }
    }
}

impl<S, B> Service<Request<Body>> for Retrying<S>
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
        self.budget.0.deposit();
        if !is_idempotent(request.uri().path()) {
            return Box::pin(self.inner.call(request));
        }
        // The service that was polled ready makes the first attempt.
        let spare = self.inner.clone();
        let ready = std::mem::replace(&mut self.inner, spare);
        let policy = RetryOnce { budget: self.budget.clone(), begun: Instant::now(), retried: false };
        Box::pin(async move {
            let (parts, body) = request.into_parts();
            let bytes = body.collect().await?.to_bytes();
            let attempt = ready.map_request(|request: Request<Full<Bytes>>| request.map(Body::new));
            Retry::new(policy, attempt).call(Request::from_parts(parts, Full::new(bytes))).await
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
    use std::sync::atomic::{AtomicUsize, Ordering};

    use primitives::error::{ErrorKind, new_status};

    use super::*;

    /// Calls `path` on an upstream whose first `failures` responses are errors. Returns the attempts and the final code.
    async fn call(budget: &RetryBudget, path: &str, kind: ErrorKind, failures: usize) -> (usize, Code) {
        let attempts = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&attempts);
        let upstream = tower::service_fn(move |request: Request<Body>| {
            let attempt = count.fetch_add(1, Ordering::SeqCst);
            async move {
                let body = request.into_body().collect().await.unwrap().to_bytes();
                assert_eq!(body, "message", "every attempt sends the whole request");
                if attempt < failures { Err(new_status(kind, "TEST", "")) } else { Ok(Response::new(())) }
            }
        });
        let request = Request::post(path).body(Body::new(Full::new(Bytes::from("message")))).unwrap();
        let result = Retrying::new(upstream, budget.clone()).oneshot(request).await;
        (attempts.load(Ordering::SeqCst), result.map_or_else(|status| status.code(), |_| Code::Ok))
    }

    const READ: &str = "/portia.feed.v1.FeedService/ListPosts";
    const WRITE: &str = "/portia.feed.v1.FeedService/CreatePost";

    #[tokio::test(start_paused = true)]
    async fn an_idempotent_call_is_retried_once_when_the_upstream_is_unavailable() {
        let budget = RetryBudget::default();
        assert_eq!(call(&budget, READ, ErrorKind::Unavailable, 1).await, (2, Code::Ok));
        assert_eq!(call(&budget, READ, ErrorKind::Unavailable, 2).await, (2, Code::Unavailable));
        assert_eq!(call(&budget, READ, ErrorKind::NotFound, 1).await, (1, Code::NotFound));
        assert_eq!(call(&budget, WRITE, ErrorKind::Unavailable, 1).await, (1, Code::Unavailable));
    }

    #[tokio::test(start_paused = true)]
    async fn ten_calls_allow_one_retry() {
        let budget = RetryBudget::default();
        // The reserve of a period.
        while budget.0.withdraw() {}
        for _ in 0..9 {
            assert_eq!(call(&budget, WRITE, ErrorKind::Unavailable, 0).await, (1, Code::Ok));
        }
        assert_eq!(call(&budget, READ, ErrorKind::Unavailable, 1).await, (2, Code::Ok), "the tenth call");
        assert_eq!(call(&budget, READ, ErrorKind::Unavailable, 1).await, (1, Code::Unavailable), "the eleventh");
    }

    #[test]
    fn only_idempotent_calls_are_retried() {
        assert!(is_idempotent(READ));
        assert!(is_idempotent("/portia.auth.v1.AuthService/ResolveSession"));
        assert!(is_idempotent("/portia.social_graph.v1.SocialGraphService/LeaveCommunity"));
        for once in [
            WRITE,
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
}
