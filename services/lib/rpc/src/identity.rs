//! The identity of callers: members and services, in short-lived Ed25519 tokens that every process verifies.

mod keys;

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};

use chrono::{DateTime, TimeDelta, Utc};
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation, jwk::JwkSet};
use moka::sync::Cache;
use serde::{Deserialize, Serialize};
use tonic::Status;
use uuid::Uuid;

pub use keys::{KeyError, KeyPair, public_set};

use primitives::{
    clock::Clock,
    error::{ErrorKind, new_status},
};

/// The lifetime of a token.
const LIFETIME: TimeDelta = TimeDelta::seconds(60);
/// The accepted difference between the clocks of two machines.
const LEEWAY: TimeDelta = TimeDelta::seconds(5);
const AUDIENCE: &str = "portia";
/// The prefix of key ids of the member keys of auth; `services/<name>/` is that of a process.
const MEMBERS: &str = "members/";
const SERVICES: &str = "services/";

/// The subject of a verified token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Actor {
    /// A signed-in member.
    Member {
        /// The id of the member.
        id: Uuid,
        /// The id of the session.
        session: Uuid,
        /// Whether the member is a moderator.
        moderator: bool,
    },
    /// A process without a member: the gateway for a visitor, a consumer of facts.
    Service(String),
}

impl Actor {
    /// The actor of a request.
    ///
    /// # Errors
    /// UNAUTHENTICATED when the authentication layer added none.
    pub fn of<T>(request: &tonic::Request<T>) -> Result<&Self, Status> {
        request.extensions().get().ok_or_else(|| refused("NO_TOKEN", "Sign in required"))
    }

    /// The calling member; `None` for a visitor.
    ///
    /// # Errors
    /// As [`Self::of`].
    pub fn viewer<T>(request: &tonic::Request<T>) -> Result<Option<Uuid>, Status> {
        Ok(match Self::of(request)? {
            Self::Member { id, .. } => Some(*id),
            Self::Service(_) => None,
        })
    }

    /// The calling member.
    ///
    /// # Errors
    /// UNAUTHENTICATED for any other caller.
    pub fn member<T>(request: &tonic::Request<T>) -> Result<Uuid, Status> {
        Self::viewer(request)?.ok_or_else(|| refused("SIGN_IN_REQUIRED", "Sign in required"))
    }

    /// The calling member, who is a moderator.
    ///
    /// # Errors
    /// UNAUTHENTICATED for a visitor; NOT_FOUND for another member, like an unknown route.
    pub fn moderator<T>(request: &tonic::Request<T>) -> Result<Uuid, Status> {
        match Self::of(request)? {
            Self::Member { id, moderator: true, .. } => Ok(*id),
            Self::Member { .. } => Err(new_status(ErrorKind::NotFound, "NOT_FOUND", "This does not exist.")),
            Self::Service(_) => Err(refused("SIGN_IN_REQUIRED", "Sign in required")),
        }
    }

    /// Accepts one service only.
    ///
    /// # Errors
    /// PERMISSION_DENIED for any other caller.
    pub fn require_service<T>(request: &tonic::Request<T>, name: &str) -> Result<(), Status> {
        match Self::of(request)? {
            Self::Service(service) if service == name => Ok(()),
            _ => Err(new_status(ErrorKind::Forbidden, "SERVICE_ONLY", "This call is not open to you.")),
        }
    }

    /// Accepts every service, and no member.
    ///
    /// # Errors
    /// PERMISSION_DENIED for a member.
    pub fn require_any_service<T>(request: &tonic::Request<T>) -> Result<&str, Status> {
        match Self::of(request)? {
            Self::Service(service) => Ok(service),
            Self::Member { .. } => {
                Err(new_status(ErrorKind::Forbidden, "SERVICE_ONLY", "This call is not open to you."))
            }
        }
    }
}

fn refused(reason: &'static str, message: &str) -> Status {
    new_status(ErrorKind::Unauthenticated, reason, message)
}

#[derive(Debug, Serialize, Deserialize)]
struct Claims {
    iss: String,
    sub: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    sid: Option<Uuid>,
    /// Whether the member is a moderator.
    #[serde(rename = "mod", default, skip_serializing_if = "std::ops::Not::not")]
    moderator: bool,
    aud: String,
    iat: i64,
    exp: i64,
}

/// Signs tokens with one private key. auth has one for members; every process has one for itself.
pub struct Signer {
    key: EncodingKey,
    header: Header,
    /// The service that owns the key; `auth` for members.
    issuer: String,
    /// The last service token, reused for half of its lifetime.
    own: Mutex<Option<(String, DateTime<Utc>)>>,
}

impl Signer {
    /// A signer with a key pair. The id of the key determines the subjects it may sign for.
    ///
    /// # Errors
    /// When the key id has neither of the two forms, or the key is not an Ed25519 key.
    pub fn new(pair: &KeyPair) -> Result<Self, KeyError> {
        let issuer = match owner(pair.kid()) {
            Some(Owner::Members) => "auth".to_owned(),
            Some(Owner::Service(name)) => name.to_owned(),
            None => return Err(KeyError::KeyId(pair.kid().to_owned())),
        };
        let mut header = Header::new(Algorithm::EdDSA);
        header.kid = Some(pair.kid().to_owned());
        Ok(Self { key: pair.encoding_key(), header, issuer, own: Mutex::new(None) })
    }

    /// A token for a member, and its expiry.
    ///
    /// # Errors
    /// When signing fails.
    pub fn member(&self, id: Uuid, session: Uuid, now: DateTime<Utc>) -> Result<(String, DateTime<Utc>), KeyError> {
        self.sign(id.to_string(), Some(session), false, now)
    }

    /// A token for a member who is a moderator, and its expiry.
    ///
    /// # Errors
    /// When signing fails.
    pub fn moderator(&self, id: Uuid, session: Uuid, now: DateTime<Utc>) -> Result<(String, DateTime<Utc>), KeyError> {
        self.sign(id.to_string(), Some(session), true, now)
    }

    /// The token of this process.
    ///
    /// # Errors
    /// When signing fails.
    pub fn service(&self, now: DateTime<Utc>) -> Result<String, KeyError> {
        let mut own = self.own.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((token, expires)) = own.as_ref()
            && *expires - now > LIFETIME / 2
        {
            return Ok(token.clone());
        }
        let (token, expires) = self.sign(self.issuer.clone(), None, false, now)?;
        *own = Some((token.clone(), expires));
        Ok(token)
    }

    fn sign(
        &self,
        sub: String,
        sid: Option<Uuid>,
        moderator: bool,
        now: DateTime<Utc>,
    ) -> Result<(String, DateTime<Utc>), KeyError> {
        let expires = now + LIFETIME;
        let claims = Claims {
            iss: self.issuer.clone(),
            sub,
            sid,
            moderator,
            aud: AUDIENCE.to_owned(),
            iat: now.timestamp(),
            exp: expires.timestamp(),
        };
        Ok((jsonwebtoken::encode(&self.header, &claims, &self.key)?, expires))
    }
}

impl std::fmt::Debug for Signer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Signer").field("kid", &self.header.kid).finish_non_exhaustive()
    }
}

enum Owner<'a> {
    Members,
    Service(&'a str),
}

/// The subjects a key may sign for, from its id.
fn owner(kid: &str) -> Option<Owner<'_>> {
    if kid.starts_with(MEMBERS) {
        return Some(Owner::Members);
    }
    kid.strip_prefix(SERVICES)?.split_once('/').map(|(name, _)| Owner::Service(name))
}

/// Verifies tokens against the public keys of auth and of every process.
#[derive(Debug)]
pub struct Keyring {
    keys: HashMap<String, DecodingKey>,
    validation: Validation,
    clock: Clock,
    /// Verified tokens until they expire: a signature check costs more than an in-process call.
    verified: Cache<String, (Actor, DateTime<Utc>)>,
}

impl Keyring {
    /// The keys of a JWK set. A rotated key stays in the set until its last token has expired.
    ///
    /// # Errors
    /// When a key is not an Ed25519 key, or has no id or an invalid one.
    pub fn new(set: &JwkSet, clock: Clock) -> Result<Self, KeyError> {
        let mut keys = HashMap::new();
        for jwk in &set.keys {
            let kid = jwk.common.key_id.clone().ok_or_else(|| KeyError::KeyId("(none)".to_owned()))?;
            if owner(&kid).is_none() {
                return Err(KeyError::KeyId(kid));
            }
            keys.insert(kid, DecodingKey::from_jwk(jwk)?);
        }
        let mut validation = Validation::new(Algorithm::EdDSA);
        validation.set_audience(&[AUDIENCE]);
        // Expiry is checked below, against the injected clock.
        validation.validate_exp = false;
        validation.set_required_spec_claims(&["exp", "aud", "iss", "sub"]);
        Ok(Self { keys, validation, clock, verified: Cache::new(4096) })
    }

    /// The subject of a token, or `None` when the token is invalid (forged, expired, signed with the key of another
    /// subject).
    #[must_use]
    pub fn verify(&self, token: &str) -> Option<Actor> {
        let now = self.clock.now();
        if let Some((actor, expires)) = self.verified.get(token) {
            return (now < expires + LEEWAY).then_some(actor);
        }
        let kid = jsonwebtoken::decode_header(token).ok()?.kid?;
        let key = self.keys.get(&kid)?;
        let claims = jsonwebtoken::decode::<Claims>(token, key, &self.validation).ok()?.claims;
        let expires = DateTime::from_timestamp(claims.exp, 0)?;
        if now >= expires + LEEWAY {
            return None;
        }
        let actor = match owner(&kid)? {
            Owner::Members => {
                let id = Uuid::try_parse(&claims.sub).ok()?;
                Actor::Member { id, session: claims.sid?, moderator: claims.moderator }
            }
            // A service signs for itself only.
            Owner::Service(name) if name == claims.sub => Actor::Service(claims.sub),
            Owner::Service(_) => return None,
        };
        self.verified.insert(token.to_owned(), (actor.clone(), expires));
        Some(actor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Fixture {
        clock: Clock,
        members: Signer,
        feed: Signer,
        ring: Keyring,
    }

    fn fixture() -> Fixture {
        let clock = Clock::fixed(DateTime::UNIX_EPOCH + TimeDelta::days(20_000));
        let members = KeyPair::generate("members/1").unwrap();
        let feed = KeyPair::generate("services/feed/1").unwrap();
        let ring = Keyring::new(&public_set(&[&members, &feed]), clock.clone()).unwrap();
        Fixture { clock, members: Signer::new(&members).unwrap(), feed: Signer::new(&feed).unwrap(), ring }
    }

    #[test]
    fn a_member_token_is_valid_until_it_expires() {
        let f = fixture();
        let (id, session) = (Uuid::from_u128(1), Uuid::from_u128(2));
        let (token, _) = f.members.member(id, session, f.clock.now()).unwrap();
        assert_eq!(f.ring.verify(&token), Some(Actor::Member { id, session, moderator: false }));
        f.clock.advance(TimeDelta::seconds(64));
        assert_eq!(f.ring.verify(&token), Some(Actor::Member { id, session, moderator: false }), "within the leeway");
        f.clock.advance(TimeDelta::seconds(1));
        assert_eq!(f.ring.verify(&token), None, "the cache expires with the token");
    }

    #[test]
    fn only_the_token_of_a_moderator_passes_as_one() {
        let f = fixture();
        let (id, session) = (Uuid::from_u128(1), Uuid::from_u128(2));
        let request = |token: &str| {
            let mut request = tonic::Request::new(());
            request.extensions_mut().insert(f.ring.verify(token).unwrap());
            request
        };
        let (moderator, _) = f.members.moderator(id, session, f.clock.now()).unwrap();
        assert_eq!(Actor::moderator(&request(&moderator)).unwrap(), id);
        assert_eq!(Actor::member(&request(&moderator)).unwrap(), id, "a moderator is a member");
        let (member, _) = f.members.member(id, session, f.clock.now()).unwrap();
        assert_eq!(Actor::moderator(&request(&member)).unwrap_err().code(), tonic::Code::NotFound);
        let service = f.feed.service(f.clock.now()).unwrap();
        assert_eq!(Actor::moderator(&request(&service)).unwrap_err().code(), tonic::Code::Unauthenticated);
    }

    #[test]
    fn a_service_cannot_sign_for_a_member_or_for_another() {
        let f = fixture();
        let (forged, _) = f.feed.member(Uuid::from_u128(1), Uuid::from_u128(2), f.clock.now()).unwrap();
        assert_eq!(f.ring.verify(&forged), None);
        assert_eq!(f.ring.verify(&f.feed.service(f.clock.now()).unwrap()), Some(Actor::Service("feed".to_owned())));
    }

    #[test]
    fn unknown_keys_and_malformed_tokens_are_refused() {
        let f = fixture();
        let unknown = Signer::new(&KeyPair::generate("members/1").unwrap()).unwrap();
        let (token, _) = unknown.member(Uuid::from_u128(1), Uuid::from_u128(2), f.clock.now()).unwrap();
        assert_eq!(f.ring.verify(&token), None);
        for garbage in ["", "a.b.c", "eyJhbGciOiJub25lIn0.e30."] {
            assert_eq!(f.ring.verify(garbage), None, "{garbage}");
        }
    }

    #[test]
    fn both_keys_verify_during_rotation() {
        let f = fixture();
        let (old, new) = (KeyPair::generate("members/old").unwrap(), KeyPair::generate("members/new").unwrap());
        let ring = Keyring::new(&public_set(&[&old, &new]), f.clock.clone()).unwrap();
        for pair in [&old, &new] {
            let signer = Signer::new(pair).unwrap();
            let (token, _) = signer.member(Uuid::from_u128(1), Uuid::from_u128(2), f.clock.now()).unwrap();
            assert!(ring.verify(&token).is_some());
        }
    }

    #[test]
    fn a_service_reuses_its_token_for_half_of_its_lifetime() {
        let f = fixture();
        let first = f.feed.service(f.clock.now()).unwrap();
        f.clock.advance(TimeDelta::seconds(20));
        assert_eq!(f.feed.service(f.clock.now()).unwrap(), first);
        f.clock.advance(TimeDelta::seconds(20));
        assert_ne!(f.feed.service(f.clock.now()).unwrap(), first);
    }
}
