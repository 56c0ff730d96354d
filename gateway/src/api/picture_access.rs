//! Whether a viewer may see a picture now: the answer of its owner, kept for two seconds.
//!
//! Pictures follow their owner: within five seconds after a post, a profile picture or an account is deleted, hidden, restricted,
//! closed or suspended, its addresses are not found, and after a restoration they are found again. An answer lives from the
//! start of its call, so it is two seconds late at most, however long the call takes. Facts would permit older answers, but a
//! gateway that lost one would show a deleted picture.

use std::{sync::Arc, time::Duration};

use chrono::{DateTime, TimeDelta, Utc};
use futures::{
    FutureExt as _,
    future::{BoxFuture, Shared},
};
use moka::sync::Cache;
use picture_store::Name;
use portia_proto::{feed, profile};
use primitives::clock::Clock;
use tonic::Status;
use tracing::Instrument as _;

use crate::edge::{authentication::Authentication, problem::Problem, signed_addresses::Viewer, upstreams::Clients};

/// The label of the metrics.
const CACHE: &str = "picture_access";
/// The maximum age of an answer.
const MAX_AGE: TimeDelta = TimeDelta::seconds(2);
/// The memory of an answer is freed after this time.
const STORED_FOR: Duration = Duration::from_secs(2);
/// The timeout of a call, which serves every request that waits for it.
const CALL_TIMEOUT: Duration = Duration::from_secs(2);
/// The maximum of answers, of some 500 bytes each: also those about names that do not exist.
const ANSWERS: u64 = 20_000;

/// The service that knows who may see a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Owner {
    /// The service of members' pictures.
    Profile,
    /// The service of pictures of posts and link previews.
    Feed,
}

/// One shared call for the concurrent requests of an answer.
#[derive(Clone)]
struct Answer {
    call: Shared<BoxFuture<'static, Result<bool, Status>>>,
    asked_at: DateTime<Utc>,
}

impl Answer {
    /// Returns whether the owner must be asked again.
    fn is_old(&self, now: DateTime<Utc>) -> bool {
        now - self.asked_at >= MAX_AGE
    }
}

type Key = (Owner, Name, Viewer);

/// The recent answers. Clones share them.
#[derive(Clone)]
pub struct PictureAccess {
    clients: Clients,
    authentication: Authentication,
    clock: Clock,
    answers: Cache<Arc<Key>, Answer>,
}

impl PictureAccess {
    /// An empty cache of answers.
    pub fn new(clients: Clients, authentication: Authentication, clock: Clock) -> Self {
        telemetry::cache_requests(CACHE, 0, 0);
        let answers = Cache::builder().max_capacity(ANSWERS).time_to_live(STORED_FOR).build();
        Self { clients, authentication, clock, answers }
    }

    /// Whether the viewer may see the picture.
    ///
    /// # Errors
    /// 503 when the owner does not answer: a picture that may be deleted is not sent.
    pub async fn is_visible(&self, owner: Owner, name: &Name, viewer: Viewer) -> Result<bool, Problem> {
        let key = Arc::new((owner, name.clone(), viewer));
        let now = self.clock.now();
        let entry = self.answers.entry(Arc::clone(&key));
        let entry = entry.or_insert_with_if(|| self.ask(&key, now), |answer| answer.is_old(now));
        telemetry::cache_requests(CACHE, usize::from(!entry.is_fresh()), usize::from(entry.is_fresh()));
        entry.into_value().call.await.map_err(|status| {
            // The next request asks again.
            self.answers.invalidate(&key);
            tracing::warn!(code = ?status.code(), "the owner of a picture did not answer");
            Problem::busy("PICTURES_UNAVAILABLE")
        })
    }

    fn ask(&self, key: &Arc<Key>, now: DateTime<Utc>) -> Answer {
        let (clients, key) = (self.clients.clone(), Arc::clone(key));
        let call = self.authentication.service_call(CALL_TIMEOUT);
        let work = async move {
            let (owner, name, viewer) = &*key;
            let hash = name.hash().to_owned();
            Ok::<_, Status>(match owner {
                Owner::Profile => {
                    let request = profile::CheckPictureRequest { hash, viewer_id: viewer.member_id() };
                    clients.profile().check_picture(call.request(request)?).await?.into_inner().visible
                }
                Owner::Feed => {
                    let moderator = *viewer == Viewer::Moderators;
                    let request = feed::CheckPictureRequest { hash, member_id: viewer.member_id(), moderator };
                    clients.feed().check_picture(call.request(request)?).await?.into_inner().visible
                }
            })
        };
        // The call continues when the request that started it ends.
        let task = tokio::spawn(work.in_current_span());
        let failed = |_| Err(Status::internal("the call ended without an answer"));
        let call = task.map(move |answer| answer.unwrap_or_else(failed)).boxed().shared();
        Answer { call, asked_at: now }
    }
}
