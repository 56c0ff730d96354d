//! One more attempt for calls that may be repeated, when a neighbour was away, within a tenth of all calls.

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
use tonic::{Code, Status, body::Body};
use tower::Service;

/// What calls earn and retries cost, in tenths of a retry: ten calls pay for one.
const COST: u32 = 10;
/// Savings at most: ten retries in a row, then one for every ten calls.
const MOST: u32 = 10 * COST;
/// A failure slower than this left too little time for another attempt.
const QUICK: Duration = Duration::from_millis(250);
/// RPCs whose repetition changes nothing, by how their names begin.
const REPEATABLE: [&str; 29] = [
    "List",
    "Search",
    "Get",
    "BatchGet",
    "Find",
    "ResolveSession",
    "CheckUsername",
    "EnsureMember",
    "Logout",
    "SetReaction",
    "RemoveReaction",
    "EndorseSkill",
    "WithdrawEndorsement",
    "HideEndorsement",
    "DismissSuggestion",
    "BlockMember",
    "UnblockMember",
    "JoinCommunity",
    "LeaveCommunity",
    "AttendEvent",
    "UnattendEvent",
    "MatchNames",
    "OpenConversation",
    "AcceptRequest",
    "MarkRead",
    "MarkNotificationsRead",
    "SetNotificationSwitches",
    "SaveItem",
    "UnsaveItem",
];

/// What may be spent on retries; clones share it.
#[derive(Clone, Debug)]
pub struct Budget(Arc<AtomicU32>);

impl Default for Budget {
    fn default() -> Self {
        Self(Arc::new(AtomicU32::new(MOST)))
    }
}

impl Budget {
    fn earn(&self) {
        let earned = |saved: u32| (saved < MOST).then(|| saved + 1);
        // An error means the savings are full.
        let _ = self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, earned);
    }

    fn spend(&self) -> bool {
        self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |saved| saved.checked_sub(COST)).is_ok()
    }
}

/// A way to a neighbour that tries once more where that is safe.
#[derive(Clone)]
pub struct Retrying<S> {
    inner: S,
    budget: Budget,
}

impl<S> Retrying<S> {
    /// Around a transport.
    pub const fn new(inner: S, budget: Budget) -> Self {
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
        self.budget.earn();
        if !is_repeatable(request.uri().path()) {
            return Box::pin(self.inner.call(request));
        }
        // The one that was polled ready makes the first attempt.
        let spare = self.inner.clone();
        let mut ready = std::mem::replace(&mut self.inner, spare);
        let budget = self.budget.clone();
        Box::pin(async move {
            let (parts, body) = request.into_parts();
            let bytes = body.collect().await?.to_bytes();
            let attempt = || Request::from_parts(parts.clone(), Body::new(Full::new(bytes.clone())));
            let begun = Instant::now();
            let first = ready.call(attempt()).await;
            if !was_away(&first) || begun.elapsed() > QUICK || !budget.spend() {
                return first;
            }
            tokio::time::sleep(jitter(begun)).await;
            std::future::poll_fn(|cx| ready.poll_ready(cx)).await?;
            ready.call(attempt()).await
        })
    }
}

fn is_repeatable(path: &str) -> bool {
    path.rsplit('/').next().is_some_and(|method| REPEATABLE.iter().any(|name| method.starts_with(name)))
}

fn was_away<B>(result: &Result<Response<B>, Status>) -> bool {
    match result {
        Ok(response) => Status::from_header_map(response.headers()).is_some_and(|s| s.code() == Code::Unavailable),
        Err(status) => status.code() == Code::Unavailable,
    }
}

/// 10 to 40 ms: requests that failed together do not come back together. The nanoseconds are chance enough.
fn jitter(begun: Instant) -> Duration {
    Duration::from_millis(10 + u64::from(begun.elapsed().subsec_nanos() % 31))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_changes_nothing_is_repeated() {
        assert!(is_repeatable("/portia.feed.v1.FeedService/ListPosts"));
        assert!(is_repeatable("/portia.auth.v1.AuthService/ResolveSession"));
        assert!(is_repeatable("/portia.social_graph.v1.SocialGraphService/LeaveCommunity"));
        for once in [
            "/portia.feed.v1.FeedService/CreatePost",
            "/portia.auth.v1.AuthService/Register",
            "/portia.social_graph.v1.SocialGraphService/UpdateEvent",
            // What somebody wrote in between must not be cleared with the rest.
            "/portia.messaging.v1.MessagingService/ClearConversation",
            "/portia.messaging.v1.MessagingService/SendMessage",
            // What came of the first attempt would be told by nobody.
            "/portia.jobs.v1.JobsService/RefreshJobs",
            "/portia.jobs.v1.JobsService/Apply",
            "/portia.jobs.v1.JobsService/UpdateApplication",
            "/portia.news.v1.NewsService/SuggestResource",
            "",
            "/",
        ] {
            assert!(!is_repeatable(once), "{once}");
        }
    }

    #[test]
    fn ten_calls_pay_for_one_retry() {
        let budget = Budget::default();
        while budget.spend() {}
        for _ in 0..COST - 1 {
            budget.earn();
        }
        assert!(!budget.spend());
        budget.earn();
        assert!(budget.spend());
        assert!(!budget.spend());
    }
}
