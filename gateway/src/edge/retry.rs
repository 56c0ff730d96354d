//! One retry of idempotent calls when an upstream is unavailable, within their time and a budget of a tenth of all calls.

use std::{
    future::Future,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
    time::Duration,
};

use http::{Request, Response, request::Parts};
use http_body_util::{BodyExt as _, Full};
use portia_proto::is_idempotent;
use primitives::log_position::READ_AFTER;
use rpc::{set_time_left, time_left};
use tokio::time::{Instant, sleep};
use tonic::{Code, Status, body::Body};
use tower::{
    Service, ServiceExt as _,
    retry::budget::{Budget as _, TpsBudget},
};

/// The period of the retry budget.
const BUDGET_PERIOD: Duration = Duration::from_secs(10);
/// Retries per second without earlier calls: ten in a period.
const MIN_RETRIES_PER_SECOND: u32 = 1;
/// Retries per call.
const RETRY_RATIO: f32 = 0.1;
/// The longest pause before a retry.
const MAX_JITTER: Duration = Duration::from_millis(40);

/// The budget for retries. Clones share it.
#[derive(Clone, Debug)]
pub struct RetryBudget(Arc<TpsBudget>);

impl Default for RetryBudget {
    fn default() -> Self {
        Self(Arc::new(TpsBudget::new(BUDGET_PERIOD, MIN_RETRIES_PER_SECOND, RETRY_RATIO)))
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
        let mut upstream = std::mem::replace(&mut self.inner, spare);
        let budget = self.budget.clone();
        let begun = Instant::now();
        Box::pin(async move {
            let (parts, body) = request.into_parts();
            let message = body.collect().await?.to_bytes();
            let request = |parts: Parts| Request::from_parts(parts, Body::new(Full::new(message.clone())));
            let result = upstream.call(request(parts.clone())).await;
            // The time for both attempts; none for a stream.
            let timeout = time_left(&parts.headers);
            if !is_unavailable(&result) || !is_in_time(begun, timeout) || !budget.0.withdraw() {
                return result;
            }
            let pause = jitter(begun);
            // The second attempt may not read from a standby, which may be what is unavailable.
            let mut request = request(parts);
            request.headers_mut().remove(READ_AFTER);
            if let Some(timeout) = timeout {
                set_time_left(request.headers_mut(), timeout.saturating_sub(begun.elapsed() + pause));
            }
            sleep(pause).await;
            upstream.ready().await?.call(request).await
        })
    }
}

/// Whether at least as much time is left as the first attempt took. One that ends with its process has waited for as long as all calls
/// do at that moment, and the second attempt may take as long.
fn is_in_time(begun: Instant, timeout: Option<Duration>) -> bool {
    timeout.is_none_or(|timeout| begun.elapsed() * 2 + MAX_JITTER <= timeout)
}

fn is_unavailable<B>(result: &Result<Response<B>, Status>) -> bool {
    match result {
        Ok(response) => Status::from_header_map(response.headers()).is_some_and(|s| s.code() == Code::Unavailable),
        Err(status) => status.code() == Code::Unavailable,
    }
}

/// 10 ms to [`MAX_JITTER`], so that concurrent failures do not retry together. The nanoseconds are random enough.
fn jitter(begun: Instant) -> Duration {
    Duration::from_millis(10 + u64::from(begun.elapsed().subsec_nanos() % 31))
}

#[cfg(test)]
mod tests {
    use std::sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    };

    use bytes::Bytes;
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

    /// Sends a read with two seconds left; every attempt fails after `duration`. Returns the time left to each attempt.
    async fn times_of_attempts(duration: Duration) -> Vec<Duration> {
        let times = Arc::new(Mutex::new(Vec::new()));
        let known = Arc::clone(&times);
        let upstream = tower::service_fn(move |request: Request<Body>| {
            known.lock().unwrap().push(time_left(request.headers()).unwrap());
            async move {
                sleep(duration).await;
                Err::<Response<()>, _>(new_status(ErrorKind::Unavailable, "TEST", ""))
            }
        });
        let mut request = Request::post(READ).body(Body::empty()).unwrap();
        set_time_left(request.headers_mut(), Duration::from_secs(2));
        Retrying::new(upstream, RetryBudget::default()).oneshot(request).await.unwrap_err();
        std::mem::take(&mut *times.lock().unwrap())
    }

    #[tokio::test(start_paused = true)]
    async fn a_call_is_retried_within_its_time_when_half_of_it_is_left() {
        let seconds = Duration::from_secs_f32;
        let [first, second] = times_of_attempts(seconds(0.9)).await[..] else { panic!("two attempts") };
        assert_eq!(first, seconds(2.0));
        assert!(
            seconds(1.05) < second && second <= seconds(1.09),
            "{second:?} is what the first one and the pause leave"
        );
        assert_eq!(times_of_attempts(seconds(1.0)).await, [seconds(2.0)], "too little is left");
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
