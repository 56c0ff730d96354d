//! The tokens of a session, signed at most every 20 seconds: services verify a string that they know at no cost.

use std::{sync::Arc, time::Duration};

use chrono::{DateTime, TimeDelta, Utc};
use moka::sync::Cache;
use rpc::identity::{KeyError, Signed, Signer};
use uuid::Uuid;

use super::ResolvedSession;

/// The age at which tokens are signed anew. They are valid for 60 seconds, and a gateway uses a resolved session for ten.
const REUSED_FOR: TimeDelta = TimeDelta::seconds(20);
/// The most sessions whose tokens are kept, some 4 kB each. Tokens of further sessions are signed each time.
const MAX_SESSIONS: u64 = 8_192;

/// Signs the tokens of sessions. Whether a session exists, and the role of its member, is read before each call.
#[derive(Clone, Debug)]
pub struct MemberTokens {
    signer: Arc<Signer>,
    /// By session and role, with the time of the signature.
    signed: Cache<(Uuid, bool), (DateTime<Utc>, Arc<Signed>)>,
}

impl MemberTokens {
    /// Creates an empty store for tokens, which `signer` signs with the key of auth for members.
    #[must_use]
    pub fn new(signer: Arc<Signer>) -> Self {
        let kept = Duration::from_secs(REUSED_FOR.num_seconds().unsigned_abs());
        Self { signer, signed: Cache::builder().max_capacity(MAX_SESSIONS).time_to_live(kept).build() }
    }

    /// Returns the tokens of a session that was read just now.
    ///
    /// # Errors
    /// When signing fails.
    pub fn of(&self, resolved: &ResolvedSession, now: DateTime<Utc>) -> Result<Arc<Signed>, KeyError> {
        let (session, moderator) = (&resolved.session, resolved.moderator);
        let key = (session.id, moderator);
        if let Some((at, signed)) = self.signed.get(&key)
            && (TimeDelta::zero()..REUSED_FOR).contains(&(now - at))
        {
            return Ok(signed);
        }
        let (member, id) = (session.member, session.id);
        let signed =
            if moderator { self.signer.moderator(member, id, now) } else { self.signer.member(member, id, now) };
        let signed = Arc::new(signed?);
        self.signed.insert(key, (now, Arc::clone(&signed)));
        Ok(signed)
    }
}
