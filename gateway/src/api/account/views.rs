//! Requests and responses for accounts: password reset and change, sessions, recovery codes, closing.

use chrono::{DateTime, Utc};
use portia_proto::auth as pb;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::api::account::passkey_views::PasskeyAssertion;
use crate::edge::timestamps::{moment, required_moment};

pub use crate::api::contract::auth::{PasswordAdvice, RecoveryCodesLeft, ResetMethod, ResetMethods};

/// The account whose password was forgotten. An absent field counts as empty.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CheckUsername {
    /// The username. Case-insensitive; surrounding whitespace is ignored.
    #[serde(default)]
    #[schema(format = "username", required)]
    pub username: String,
}

/// A new password and, unless the browser is trusted, a proof. An absent field counts as empty.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ResetPassword {
    /// The username. Case-insensitive; surrounding whitespace is ignored.
    #[serde(default)]
    #[schema(format = "username", required, min_length = 3, max_length = 64)]
    pub username: String,
    /// The new password, 6 to 128 characters.
    #[serde(default)]
    #[schema(format = "password", required, min_length = 6, max_length = 128)]
    pub password: String,
    /// A recovery code. Case-insensitive, with or without hyphens.
    pub recovery_code: Option<String>,
    /// Six digits of the authenticator app, beside a recovery code: after 401 `SECOND_FACTOR_REQUIRED`.
    #[schema(nullable = false)]
    pub one_time_code: Option<String>,
    /// The token of an operator link.
    pub token: Option<String>,
    /// The answer of a passkey to a challenge for a reset.
    #[schema(nullable = false)]
    pub passkey: Option<PasskeyAssertion>,
    /// The solution of the `challenge` of a refusal, as in a registration.
    #[schema(nullable = false)]
    pub proof_of_work: Option<String>,
}

/// The current and the new password. An absent field counts as empty.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChangePassword {
    /// The current password.
    #[serde(default)]
    #[schema(format = "password", required, min_length = 6, max_length = 128)]
    pub current_password: String,
    /// The new password, 6 to 128 characters.
    #[serde(default)]
    #[schema(format = "password", required, min_length = 6, max_length = 128)]
    pub new_password: String,
    /// The solution of the `challenge` of a refusal, as in a registration.
    #[schema(nullable = false)]
    pub proof_of_work: Option<String>,
}

/// A session of the signed-in member.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OpenSession {
    /// UUIDv7.
    #[schema(format = Uuid)]
    pub id: String,
    /// The `User-Agent` of the browser; empty when unknown.
    pub browser: String,
    /// The IP address at sign-in; empty when unknown.
    pub address: String,
    /// The time of the sign-in.
    pub created_at: DateTime<Utc>,
    /// The time of the last request, to the minute.
    pub last_seen_at: DateTime<Utc>,
    /// Whether this is the session of the request.
    pub current: bool,
    /// Since when its browser is trusted; null when it is not.
    #[schema(required)]
    pub trusted_since: Option<DateTime<Utc>>,
}

impl From<pb::OpenSession> for OpenSession {
    fn from(session: pb::OpenSession) -> Self {
        let browser = session.browser.unwrap_or_default();
        Self {
            id: session.id,
            browser: browser.user_agent,
            address: browser.address,
            created_at: required_moment(session.created_at),
            last_seen_at: required_moment(session.last_seen_at),
            current: session.is_current,
            trusted_since: moment(session.trusted_since),
        }
    }
}

/// A browser that may reset the password without another proof.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TrustedBrowser {
    /// The id of the session of its last sign-in.
    #[schema(format = Uuid)]
    pub id: String,
    /// The `User-Agent` of the browser; empty when unknown.
    pub browser: String,
    /// The IP address at the last sign-in; empty when unknown.
    pub address: String,
    /// Since when it is trusted.
    pub trusted_since: DateTime<Utc>,
    /// The time of its last request, to the minute.
    pub last_seen_at: DateTime<Utc>,
    /// Whether its session is open. Signing out on the browser itself keeps the trust.
    pub signed_in: bool,
    /// Whether this is the browser of the request.
    pub current: bool,
}

impl From<pb::TrustedBrowserSummary> for TrustedBrowser {
    fn from(trusted: pb::TrustedBrowserSummary) -> Self {
        let browser = trusted.browser.unwrap_or_default();
        Self {
            id: trusted.session_id,
            browser: browser.user_agent,
            address: browser.address,
            trusted_since: required_moment(trusted.since),
            last_seen_at: required_moment(trusted.last_seen_at),
            signed_in: trusted.is_signed_in,
            current: trusted.is_current,
        }
    }
}

/// The beginning of the hash of a password that is being typed. An absent field counts as empty.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CheckPassword {
    /// The first three hexadecimal digits of the SHA-256 of the password in lower case (NFC, UTF-8). Empty for the minimum length
    /// only.
    #[serde(default)]
    #[schema(required = false, pattern = "^([0-9a-f]{3})?$")]
    pub hash_prefix: String,
}

/// An empty object. The body may be omitted.
#[derive(Default, Deserialize, ToSchema)]
pub struct RenewRecoveryCodes {}

/// New recovery codes. They are returned only once.
#[derive(Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RecoveryCodes {
    /// Eight codes, each for one password reset.
    pub codes: Vec<String>,
}

/// Requests to close the account. An absent confirmation counts as empty.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CloseAccount {
    /// The username of the account, as confirmation.
    #[serde(default)]
    #[schema(format = "username", required)]
    pub confirmation: String,
}
