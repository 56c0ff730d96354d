//! The VAPID key of the installation (RFC 8292), in the database: all replicas sign with it, and browsers subscribe with it.

use std::{fmt, sync::Arc};

use anyhow::Context as _;
use aws_lc_rs::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair as _};
use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use chrono::{DateTime, TimeDelta, Utc};
use http::HeaderValue;
use jsonwebtoken::{Algorithm, EncodingKey, Header};
use serde::Serialize;
use sqlx::PgPool;
use url::Url;

/// The lifetime of a token; push services accept at most a day.
const LIFETIME: TimeDelta = TimeDelta::hours(12);

/// The key pair. Clones share it.
#[derive(Clone)]
pub struct VapidKey(Arc<Keys>);

struct Keys {
    private: EncodingKey,
    public: Vec<u8>,
}

#[derive(Serialize)]
struct Claims<'a> {
    aud: String,
    exp: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    sub: Option<&'a str>,
}

impl VapidKey {
    /// Reads the stored key, which the first process creates. Of two concurrent processes, one inserts and both read
    /// that key.
    pub async fn load_or_create(db: &PgPool, now: DateTime<Utc>) -> anyhow::Result<Self> {
        let find = || sqlx::query!("select private_key, public_key from messaging.vapid_keys where id = 1");
        if let Some(row) = find().fetch_optional(db).await? {
            return Ok(Self::new(&row.private_key, row.public_key));
        }
        let pair = EcdsaKeyPair::generate(&ECDSA_P256_SHA256_FIXED_SIGNING).context("a key of push")?;
        let private = pair.to_pkcs8v1().context("a key of push")?;
        sqlx::query!(
            "insert into messaging.vapid_keys (id, private_key, public_key, created_at)
            values (1, $1, $2, $3)
            on conflict (id) do nothing",
            private.as_ref(),
            pair.public_key().as_ref(),
            now,
        )
        .execute(db)
        .await?;
        let row = find().fetch_one(db).await?;
        Ok(Self::new(&row.private_key, row.public_key))
    }

    fn new(private: &[u8], public: Vec<u8>) -> Self {
        Self(Arc::new(Keys { private: EncodingKey::from_ec_der(private), public }))
    }

    /// Returns the public key, an uncompressed point.
    pub fn public(&self) -> &[u8] {
        &self.0.public
    }

    /// Returns the `Authorization` for a push service.
    pub fn authorization(
        &self,
        endpoint: &Url,
        contact: Option<&str>,
        now: DateTime<Utc>,
    ) -> anyhow::Result<HeaderValue> {
        let aud = endpoint.origin().ascii_serialization();
        let claims = Claims { aud, exp: (now + LIFETIME).timestamp(), sub: contact };
        let token = jsonwebtoken::encode(&Header::new(Algorithm::ES256), &claims, &self.0.private)?;
        let mut value =
            HeaderValue::from_str(&format!("vapid t={token}, k={}", URL_SAFE_NO_PAD.encode(&self.0.public)))?;
        value.set_sensitive(true);
        Ok(value)
    }
}

impl fmt::Debug for VapidKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("VapidKey").finish_non_exhaustive()
    }
}
