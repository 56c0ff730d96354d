//! Tokens: signed by their process or, for members, by auth; verified by the service that they name.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, PoisonError, RwLock,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use chrono::{DateTime, TimeDelta, Utc};
use http::HeaderValue;
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation, jwk::JwkSet};
use moka::sync::Cache;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::{
    Actor, KeyError, KeyPair,
    presented::{PresentedToken, Verified, bearer},
};
use primitives::clock::Clock;

/// The lifetime of a token.
const LIFETIME: TimeDelta = TimeDelta::seconds(60);
/// The accepted difference between the clocks of two machines.
const LEEWAY: TimeDelta = TimeDelta::seconds(5);
/// The lifetime of a token with the leeway: a verified one is not kept longer.
const VERIFIED_FOR: Duration = Duration::from_secs(65);
/// The maximum of verified tokens, some 17 MB. auth signs new ones for an active session every 20 s, so a process has at most
/// four of them for each session; standalone, where all seven services share a keyring, 28. Further ones are verified again.
const MAX_VERIFIED: u64 = 28_672;
/// The prefix of key ids of the member keys of auth; the key ids of a process begin with `services/<name>/`.
const MEMBERS: &str = "members/";
const SERVICES: &str = "services/";

#[derive(Debug, Serialize, Deserialize)]
struct Claims {
    iss: String,
    sub: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    sid: Option<Uuid>,
    /// Whether the member is a moderator.
    #[serde(rename = "mod", default, skip_serializing_if = "std::ops::Not::not")]
    moderator: bool,
    /// The one service that may accept the token.
    aud: String,
    iat: i64,
    exp: i64,
}

/// Tokens with their audiences, and the expiry of all.
pub type Signed = (Vec<(&'static str, String)>, DateTime<Utc>);

/// A private key, and the header of its tokens.
struct SigningKey {
    key: EncodingKey,
    header: Header,
}

/// Tokens by audience, with their expiry.
type OwnTokens = HashMap<&'static str, (Arc<PresentedToken>, DateTime<Utc>)>;

/// Signs tokens with one private key. auth has one for members; every process has one for itself.
pub struct Signer {
    key: RwLock<Arc<SigningKey>>,
    /// The service that owns the key; `auth` for members.
    issuer: String,
    /// The last token of the process for each audience, reused for half of its lifetime.
    own: Mutex<OwnTokens>,
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
        Ok(Self { key: RwLock::new(Arc::new(SigningKey::of(pair))), issuer, own: Mutex::default() })
    }

    /// Signs with another key from now on.
    ///
    /// # Errors
    /// When it is a key of another owner.
    pub fn replace(&self, pair: &KeyPair) -> Result<(), KeyError> {
        let mut key = self.key.write().unwrap_or_else(PoisonError::into_inner);
        let current = key.header.kid.as_deref().and_then(owner);
        if owner(pair.kid()).is_none() || owner(pair.kid()) != current {
            return Err(KeyError::KeyId(pair.kid().to_owned()));
        }
        *key = Arc::new(SigningKey::of(pair));
        drop(key);
        self.own.lock().unwrap_or_else(PoisonError::into_inner).clear();
        Ok(())
    }

    fn key(&self) -> Arc<SigningKey> {
        Arc::clone(&self.key.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Signs the tokens for a member, one for each service, and returns them with their expiry.
    ///
    /// # Errors
    /// When signing fails.
    pub fn member(&self, id: Uuid, session: Uuid, now: DateTime<Utc>) -> Result<Signed, KeyError> {
        self.sign_all(id, session, false, now)
    }

    /// Signs the tokens for a member who is a moderator, and returns them with their expiry.
    ///
    /// # Errors
    /// When signing fails.
    pub fn moderator(&self, id: Uuid, session: Uuid, now: DateTime<Utc>) -> Result<Signed, KeyError> {
        self.sign_all(id, session, true, now)
    }

    /// Returns the token of this process for a service, as the value of the header `authorization`.
    ///
    /// # Errors
    /// When signing fails.
    pub fn service(&self, audience: &'static str, now: DateTime<Utc>) -> Result<HeaderValue, KeyError> {
        Ok(self.presented(audience, now)?.value().clone())
    }

    pub(super) fn presented(
        &self,
        audience: &'static str,
        now: DateTime<Utc>,
    ) -> Result<Arc<PresentedToken>, KeyError> {
        let mut own = self.own.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((token, expires)) = own.get(audience) {
            let left = *expires - now;
            // A token from before the clock was set back has more time left, and would be reused for as long.
            if left > LIFETIME / 2 && left <= LIFETIME {
                return Ok(Arc::clone(token));
            }
        }
        let expires = now + LIFETIME;
        let token = bearer(&self.sign(audience, self.issuer.clone(), None, false, now)?)?;
        let token = Arc::new(PresentedToken::new(token));
        own.insert(audience, (Arc::clone(&token), expires));
        Ok(token)
    }

    fn sign_all(&self, id: Uuid, session: Uuid, moderator: bool, now: DateTime<Utc>) -> Result<Signed, KeyError> {
        let token = |audience| Ok((audience, self.sign(audience, id.to_string(), Some(session), moderator, now)?));
        Ok((access::services().map(token).collect::<Result<_, KeyError>>()?, now + LIFETIME))
    }

    fn sign(
        &self,
        audience: &str,
        sub: String,
        sid: Option<Uuid>,
        moderator: bool,
        now: DateTime<Utc>,
    ) -> Result<String, KeyError> {
        let (iat, exp) = (now.timestamp(), (now + LIFETIME).timestamp());
        let claims = Claims { iss: self.issuer.clone(), sub, sid, moderator, aud: audience.to_owned(), iat, exp };
        let signing = self.key();
        Ok(jsonwebtoken::encode(&signing.header, &claims, &signing.key)?)
    }
}

impl SigningKey {
    fn of(pair: &KeyPair) -> Self {
        let mut header = Header::new(Algorithm::EdDSA);
        header.kid = Some(pair.kid().to_owned());
        Self { key: pair.encoding_key(), header }
    }
}

impl std::fmt::Debug for Signer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Signer").field("kid", &self.key().header.kid).finish_non_exhaustive()
    }
}

#[derive(PartialEq, Eq)]
enum Owner<'a> {
    Members,
    Service(&'a str),
}

fn next_id() -> u64 {
    static KEYRINGS: AtomicU64 = AtomicU64::new(0);
    KEYRINGS.fetch_add(1, Ordering::Relaxed)
}

fn decoding_keys(set: &JwkSet) -> Result<HashMap<String, DecodingKey>, KeyError> {
    let mut keys = HashMap::new();
    for jwk in &set.keys {
        let kid = jwk.common.key_id.clone().ok_or_else(|| KeyError::KeyId("(none)".to_owned()))?;
        if owner(&kid).is_none() {
            return Err(KeyError::KeyId(kid));
        }
        keys.insert(kid, DecodingKey::from_jwk(jwk)?);
    }
    Ok(keys)
}

/// Returns the subjects a key may sign for, from its id.
fn owner(kid: &str) -> Option<Owner<'_>> {
    if kid.starts_with(MEMBERS) {
        return Some(Owner::Members);
    }
    kid.strip_prefix(SERVICES)?.split_once('/').map(|(name, _)| Owner::Service(name))
}

/// Verifies tokens against the public keys of auth and of every process.
#[derive(Debug)]
pub struct Keyring {
    /// Differs from the id of every other keyring of this process, and changes with the keys.
    id: AtomicU64,
    keys: RwLock<HashMap<String, DecodingKey>>,
    validation: Validation,
    clock: Clock,
    /// Verified tokens until they expire: a signature check costs more than an in-process call.
    verified: Cache<String, Verified>,
}

impl Keyring {
    /// Creates a keyring with the keys of a JWK set. A rotated key stays in the set until its last token has expired.
    ///
    /// # Errors
    /// When a key is not an Ed25519 key, or has no id or an invalid one.
    pub fn new(set: &JwkSet, clock: Clock) -> Result<Self, KeyError> {
        let keys = RwLock::new(decoding_keys(set)?);
        let mut validation = Validation::new(Algorithm::EdDSA);
        // Expiry is checked below, against the injected clock, and the audience for each service that shares the keyring.
        validation.validate_exp = false;
        validation.validate_aud = false;
        validation.set_required_spec_claims(&["exp", "aud", "iss", "sub"]);
        let verified = Cache::builder().max_capacity(MAX_VERIFIED).time_to_live(VERIFIED_FOR).build();
        Ok(Self { id: AtomicU64::new(next_id()), keys, validation, clock, verified })
    }

    /// Verifies with the keys of another set from now on. A token of a removed key is invalid at once.
    ///
    /// # Errors
    /// As [`Self::new`]; the keys stay.
    pub fn replace(&self, set: &JwkSet) -> Result<(), KeyError> {
        let keys = decoding_keys(set)?;
        *self.keys.write().unwrap_or_else(PoisonError::into_inner) = keys;
        self.id.store(next_id(), Ordering::Relaxed);
        self.verified.invalidate_all();
        Ok(())
    }

    /// Returns the subject of a token for the service `audience`, or `None` when the token is invalid (forged, expired,
    /// for another service, signed with the key of another subject).
    #[must_use]
    pub fn verify(&self, token: &str, audience: &str) -> Option<Actor> {
        let known = self.verified.get(token);
        let verified = match known {
            Some(verified) => verified,
            None => {
                let verified = self.decode(token)?;
                self.verified.insert(token.to_owned(), verified.clone());
                verified
            }
        };
        self.is_valid(&verified, audience).then_some(verified.actor)
    }

    /// Like [`Self::verify`], for a token that was not sent: its signature is checked once, and everything else each time.
    pub(crate) fn verify_presented(&self, token: &PresentedToken, audience: &str) -> Option<Actor> {
        let id = self.id.load(Ordering::Relaxed);
        let (keyring, verified) = token.verified_by(|| Some((id, self.decode(token.text()?)?)))?;
        if *keyring != id {
            return self.verify(token.text()?, audience);
        }
        self.is_valid(verified, audience).then(|| verified.actor.clone())
    }

    fn is_valid(&self, verified: &Verified, audience: &str) -> bool {
        verified.audience == Some(audience) && self.clock.now() < verified.expires + LEEWAY
    }

    fn decode(&self, token: &str) -> Option<Verified> {
        let kid = jsonwebtoken::decode_header(token).ok()?.kid?;
        let keys = self.keys.read().unwrap_or_else(PoisonError::into_inner);
        let claims = jsonwebtoken::decode::<Claims>(token, keys.get(&kid)?, &self.validation).ok()?.claims;
        drop(keys);
        let actor = match owner(&kid)? {
            Owner::Members => {
                let id = Uuid::try_parse(&claims.sub).ok()?;
                Actor::Member { id, session: claims.sid?, moderator: claims.moderator }
            }
            // A service signs for itself only.
            Owner::Service(name) if name == claims.sub => Actor::Service(claims.sub),
            Owner::Service(_) => return None,
        };
        let expires = DateTime::from_timestamp(claims.exp, 0)?;
        Some(Verified { actor, audience: access::service(&claims.aud), expires })
    }
}

#[cfg(test)]
mod tests;
