//! The sessions of cookies: resolved by auth, cached for ten seconds, dropped when they end.

use std::{sync::Arc, time::Duration};

use chassis::{ServiceContext, config};
use chrono::{DateTime, TimeDelta, Utc};
use moka::{policy::EvictionPolicy, sync::Cache};
use portia_proto::auth::{ModeratorChanged, ResolveSessionRequest, SecurityNoticeCreated, SessionEnded};
use primitives::{clock::Clock, error::StatusDetails};
use prost::{Message as _, Name as _};
use rpc::{Call, identity::MemberTokens};
use sha2::{Digest as _, Sha256};
use tonic::Status;
use uuid::Uuid;

use crate::edge::{cache::Count, recent_values::RecentValues, upstreams::Clients};

/// The label of the metrics.
const CACHE: &str = "sessions";
/// The time for which a resolved session is valid without asking auth again.
const VALID_FOR: TimeDelta = TimeDelta::seconds(10);
/// The maximum time in which auth can still return, or the cache contain, an ended session.
const ENDED_FOR: Duration = Duration::from_secs(30);
/// The maximum of cached sessions: with seven tokens each some 4 kB, 40 MB. Further ones are resolved by auth each time.
const MAX_SESSIONS: u64 = 10_000;
/// The maximum of sessions that ended and of members whose role or credentials changed; an id and a time each.
const MAX_CHANGES: usize = 50_000;
/// The maximum of members whose requests are counted, more than have sessions here: the count of one that leaves begins again.
const MAX_COUNTED: u64 = 50_000;
/// The time for which the requests of a member are counted after the last resolution of a session.
const COUNTS_KEPT: Duration = Duration::from_mins(5);
/// 256 bits in base64url.
const TOKEN_LENGTH: usize = 43;

/// A resolved session.
#[derive(Clone, Debug)]
pub struct Session {
    /// The member.
    pub member: Uuid,
    /// The session.
    pub id: Uuid,
    /// Whether the member is a moderator.
    pub moderator: bool,
    /// The member's tokens for the services.
    pub tokens: MemberTokens,
    /// The requests of the member, of all sessions.
    pub counts: Arc<RequestCounts>,
    resolved_at: DateTime<Utc>,
}

/// Why a cookie has no session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Absent {
    /// The session expired by time less than a day ago. No person ended it.
    Expired,
    /// Any other cookie, also none.
    Ended,
}

/// The requests of a member to this gateway.
#[derive(Debug, Default)]
pub struct RequestCounts {
    /// GET and HEAD.
    pub reads: Count,
    /// All others.
    pub writes: Count,
}

/// The cache of sessions. Clones share it.
#[derive(Clone)]
pub struct Sessions {
    services: Clients,
    clock: Clock,
    /// The sessions by the SHA-256 of the cookie, so that a memory dump contains no cookie.
    known: Cache<[u8; 32], Session>,
    ended: Arc<RecentValues<()>>,
    /// The members whose role or credentials changed lately, with the time: sessions that were resolved before are out of date.
    changed: Arc<RecentValues<DateTime<Utc>>>,
    /// The requests of members, for their sessions. Longer than a session is cached and than the limits need to refill.
    counts: Cache<Uuid, Arc<RequestCounts>>,
    /// Called with the id of every session that ends.
    on_end: Arc<dyn Fn(Uuid) + Send + Sync>,
}

impl Sessions {
    /// An empty cache. Calls `on_end` for every session that ends from now on.
    ///
    /// # Errors
    /// When the address of auth is not configured.
    pub fn open(
        context: &ServiceContext,
        services: Clients,
        on_end: impl Fn(Uuid) + Send + Sync + 'static,
    ) -> Result<Self, config::Error> {
        telemetry::cache_requests(CACHE, 0, 0);
        let sessions = Self {
            services,
            clock: context.clock.clone(),
            known: Cache::builder().max_capacity(MAX_SESSIONS).time_to_live(ENDED_FOR).build(),
            ended: Arc::new(RecentValues::new(ENDED_FOR, MAX_CHANGES)),
            changed: Arc::new(RecentValues::new(ENDED_FOR, MAX_CHANGES)),
            counts: Cache::builder()
                .max_capacity(MAX_COUNTED)
                .eviction_policy(EvictionPolicy::lru())
                .time_to_idle(COUNTS_KEPT)
                .build(),
            on_end: Arc::new(on_end),
        };
        let cache = sessions.clone();
        outbox::watch(context, "auth", move |delivery| cache.apply(&delivery))?;
        Ok(sessions)
    }

    fn apply(&self, delivery: &outbox::Delivery<'_>) {
        match delivery {
            outbox::Delivery::Gap => self.known.invalidate_all(),
            outbox::Delivery::Fact(fact) if fact.kind == SessionEnded::full_name() => {
                let ended = SessionEnded::decode(fact.payload.as_slice()).ok();
                if let Some(id) = ended.and_then(|ended| Uuid::try_parse(&ended.session_id).ok()) {
                    self.end(id);
                }
            }
            outbox::Delivery::Fact(fact) if fact.kind == ModeratorChanged::full_name() => {
                let changed = ModeratorChanged::decode(fact.payload.as_slice()).ok();
                self.ask_again(changed.map(|changed| changed.member_id));
            }
            // A new password also replaces the cookie of the session that set it, which has not ended.
            outbox::Delivery::Fact(fact) if fact.kind == SecurityNoticeCreated::full_name() => {
                let notice = SecurityNoticeCreated::decode(fact.payload.as_slice()).ok();
                self.ask_again(notice.map(|notice| notice.member_id));
            }
            outbox::Delivery::Fact(_) => {}
        }
    }

    /// The sessions of the member are resolved again.
    fn ask_again(&self, member: Option<String>) {
        if let Some(member) = member.and_then(|member| Uuid::try_parse(&member).ok()) {
            self.changed.insert(member, self.clock.now());
        }
    }

    /// Whether the session was resolved lately, and its member has the same role and credentials since.
    fn is_current(&self, session: &Session, now: DateTime<Utc>) -> bool {
        let has_changed = self.changed.get(session.member).is_some_and(|at| session.resolved_at <= at);
        now - session.resolved_at < VALID_FOR && !has_changed
    }

    /// Ends a session, also for responses of auth in transit.
    pub fn end(&self, id: Uuid) {
        self.ended.insert(id, ());
        (self.on_end)(id);
    }

    /// Ends sessions like [`Self::end`], by the ids in a response of auth.
    pub fn end_all(&self, ids: &[String]) {
        ids.iter().filter_map(|id| Uuid::try_parse(id).ok()).for_each(|id| self.end(id));
    }

    /// Drops a cookie that was replaced. Its session continues.
    pub fn forget(&self, cookie: &str) {
        self.known.invalidate(&key_of(cookie));
    }

    /// The session of a cookie, or why it has none.
    ///
    /// # Errors
    /// When auth is unavailable. The caller is then unknown, not a visitor.
    pub async fn resolve(&self, cookie: &str, call: &Call) -> Result<Result<Session, Absent>, Status> {
        if !is_token(cookie) {
            return Ok(Err(Absent::Ended));
        }
        let key = key_of(cookie);
        let now = self.clock.now();
        let known = self.known.get(&key).filter(|session| self.is_current(session, now));
        telemetry::cache_requests(CACHE, usize::from(known.is_some()), usize::from(known.is_none()));
        let session = match known {
            Some(session) => session,
            None => match self.resolve_uncached(cookie, call, now).await? {
                Ok(session) => {
                    self.known.insert(key, session.clone());
                    session
                }
                Err(absent) => return Ok(Err(absent)),
            },
        };
        Ok(if self.has_ended(session.id) { Err(Absent::Ended) } else { Ok(session) })
    }

    /// Whether the session ended recently.
    pub fn has_ended(&self, id: Uuid) -> bool {
        self.ended.get(id).is_some()
    }

    async fn resolve_uncached(
        &self,
        cookie: &str,
        call: &Call,
        now: DateTime<Utc>,
    ) -> Result<Result<Session, Absent>, Status> {
        let request = call.request(ResolveSessionRequest { session_token: cookie.to_owned() })?;
        let resolved = match self.services.auth().resolve_session(request).await {
            Ok(answer) => answer.into_inner(),
            Err(status) => {
                return match StatusDetails::from(&status).reason.as_str() {
                    "SESSION_ENDED" => Ok(Err(Absent::Ended)),
                    "SESSION_EXPIRED" => Ok(Err(Absent::Expired)),
                    _ => Err(status),
                };
            }
        };
        let member = Uuid::try_parse(&resolved.member_id).ok();
        let id = Uuid::try_parse(&resolved.session_id).ok();
        let tokens = MemberTokens::new(resolved.member_tokens.into_iter().map(|token| (token.audience, token.token)));
        let tokens = tokens.map_err(|error| Status::internal(error.to_string()))?;
        let session = member.zip(id).map(|(member, id)| Session {
            member,
            id,
            moderator: resolved.moderator,
            tokens,
            counts: self.counts.get_with(member, Arc::default),
            resolved_at: now,
        });
        Ok(session.ok_or(Absent::Ended))
    }
}

fn key_of(cookie: &str) -> [u8; 32] {
    Sha256::digest(cookie.as_bytes()).into()
}

/// Whether the text has the form of a token: 256 bits in base64url.
pub fn is_token(cookie: &str) -> bool {
    cookie.len() == TOKEN_LENGTH && cookie.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_')
}
