//! Sessions as the cookie brings them: resolved by auth, remembered for ten seconds, dropped when they end.

use std::{sync::Arc, time::Duration};

use chassis::{ServiceContext, config};
use chrono::{DateTime, TimeDelta, Utc};
use moka::sync::Cache;
use portia_proto::auth::{ResolveSessionRequest, SessionEnded};
use primitives::{clock::Clock, error::StatusDetails};
use prost::{Message as _, Name as _};
use rpc::Call;
use sha2::{Digest as _, Sha256};
use tonic::Status;
use uuid::Uuid;

use crate::edge::upstreams::Clients;

/// How long a resolved session is believed without asking again.
const BELIEVED: TimeDelta = TimeDelta::seconds(10);
/// As long as an ended session may still be on its way here from auth, or believed.
const REMEMBERED: Duration = Duration::from_secs(30);
/// Sessions remembered at most.
const SESSIONS: u64 = 50_000;
/// 256 bits in base64url.
const TOKEN_LENGTH: usize = 43;

/// Who a cookie speaks for.
#[derive(Clone, Debug)]
pub struct Session {
    /// The member.
    pub member: Uuid,
    /// The session.
    pub id: Uuid,
    /// What services believe.
    pub token: Arc<str>,
    resolved_at: DateTime<Utc>,
}

/// The sessions seen lately; clones share them.
#[derive(Clone)]
pub struct Sessions {
    services: Clients,
    clock: Clock,
    /// By the cookie's SHA-256: a memory dump signs nobody in.
    known: Cache<[u8; 32], Session>,
    ended: Cache<Uuid, ()>,
    /// Told of each that ends.
    on_end: Arc<dyn Fn(Uuid) + Send + Sync>,
}

impl Sessions {
    /// Knows none yet, and hears from now on which ones end, of which it tells `on_end`.
    ///
    /// # Errors
    /// When auth's address is not configured.
    pub fn open(
        context: &ServiceContext,
        services: Clients,
        on_end: impl Fn(Uuid) + Send + Sync + 'static,
    ) -> Result<Self, config::Error> {
        let sessions = Self {
            services,
            clock: context.clock.clone(),
            known: Cache::builder().max_capacity(SESSIONS).time_to_live(REMEMBERED).build(),
            ended: Cache::builder().max_capacity(SESSIONS).time_to_live(REMEMBERED).build(),
            on_end: Arc::new(on_end),
        };
        let told = sessions.clone();
        outbox::watch(context, "auth", move |heard| told.hear(&heard))?;
        Ok(sessions)
    }

    fn hear(&self, heard: &outbox::Delivery<'_>) {
        match heard {
            outbox::Delivery::Gap => self.known.invalidate_all(),
            outbox::Delivery::Fact(fact) if fact.kind == SessionEnded::full_name() => {
                let ended = SessionEnded::decode(fact.payload.as_slice()).ok();
                if let Some(id) = ended.and_then(|ended| Uuid::try_parse(&ended.session_id).ok()) {
                    self.end(id);
                }
            }
            outbox::Delivery::Fact(_) => {}
        }
    }

    /// From now on this session is over, also for answers of auth that are still on their way.
    pub fn end(&self, id: Uuid) {
        self.ended.insert(id, ());
        (self.on_end)(id);
    }

    /// As [`Self::end`], for ids as auth tells them.
    pub fn end_all(&self, ids: &[String]) {
        ids.iter().filter_map(|id| Uuid::try_parse(id).ok()).for_each(|id| self.end(id));
    }

    /// Who a cookie speaks for; `None` when it is garbage, expired or revoked.
    ///
    /// # Errors
    /// When auth cannot be asked: then nobody knows, which is not the same as nobody.
    pub async fn resolve(&self, cookie: &str, call: &Call) -> Result<Option<Session>, Status> {
        if !is_token(cookie) {
            return Ok(None);
        }
        let key: [u8; 32] = Sha256::digest(cookie.as_bytes()).into();
        let now = self.clock.now();
        let known = self.known.get(&key).filter(|session| now - session.resolved_at < BELIEVED);
        let session = match known {
            Some(session) => session,
            None => match self.ask(cookie, call, now).await? {
                Some(session) => {
                    self.known.insert(key, session.clone());
                    session
                }
                None => return Ok(None),
            },
        };
        Ok((!self.has_ended(session.id)).then_some(session))
    }

    /// Whether it ended of late.
    pub fn has_ended(&self, id: Uuid) -> bool {
        self.ended.contains_key(&id)
    }

    async fn ask(&self, cookie: &str, call: &Call, now: DateTime<Utc>) -> Result<Option<Session>, Status> {
        let request = call.request(ResolveSessionRequest { session_token: cookie.to_owned() })?;
        let resolved = match self.services.auth().resolve_session(request).await {
            Ok(answer) => answer.into_inner(),
            Err(status) if StatusDetails::from(&status).reason == "SESSION_ENDED" => return Ok(None),
            Err(status) => return Err(status),
        };
        let member = Uuid::try_parse(&resolved.member_id).ok();
        let id = Uuid::try_parse(&resolved.session_id).ok();
        Ok(member.zip(id).map(|(member, id)| Session {
            member,
            id,
            token: resolved.member_token.into(),
            resolved_at: now,
        }))
    }
}

/// Whether it could be a token of ours: 256 bits in base64url.
pub fn is_token(cookie: &str) -> bool {
    cookie.len() == TOKEN_LENGTH && cookie.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_')
}
