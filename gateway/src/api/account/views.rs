//! What a member does with an account: resetting and changing the password, sessions, recovery codes, closing.

use chrono::{DateTime, Utc};
use portia_proto::auth as wire;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::edge::timestamps::{moment, required_moment};

/// Whose password is forgotten. A field left out counts as empty, so that one sentence answers both.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CheckUsername {
    /// In either case; trimmed.
    #[serde(default)]
    #[schema(required)]
    pub username: String,
}

/// How the account's owner may go on.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ResetMethods {
    /// Best first.
    pub methods: Vec<ResetMethod>,
}

impl From<&wire::CheckUsernameResponse> for ResetMethods {
    fn from(answer: &wire::CheckUsernameResponse) -> Self {
        Self { methods: answer.methods().filter_map(ResetMethod::of).collect() }
    }
}

/// How somebody may prove that an account is theirs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ResetMethod {
    /// This browser has signed in to the account before: nothing else is asked.
    TrustedBrowser,
    /// One of the account's recovery codes.
    RecoveryCode,
    /// A one-time link from the people who run this Portia.
    OperatorLink,
}

impl ResetMethod {
    fn of(method: wire::ProofMethod) -> Option<Self> {
        match method {
            wire::ProofMethod::TrustedBrowser => Some(Self::TrustedBrowser),
            wire::ProofMethod::RecoveryCode => Some(Self::RecoveryCode),
            wire::ProofMethod::OperatorLink => Some(Self::OperatorLink),
            wire::ProofMethod::Unspecified => None,
        }
    }
}

/// A new password and, unless the browser is trusted, a proof. A field left out counts as empty.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ResetPassword {
    /// In either case; trimmed.
    #[serde(default)]
    #[schema(required)]
    pub username: String,
    /// 6 to 128 characters.
    #[serde(default)]
    #[schema(required)]
    pub password: String,
    /// One of the account's recovery codes; in either case, with or without hyphens.
    #[schema(nullable = false)]
    pub recovery_code: Option<String>,
    /// From an operator's link.
    #[schema(nullable = false)]
    pub token: Option<String>,
}

/// The present password and a new one. A field left out counts as empty.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChangePassword {
    /// The present one.
    #[serde(default)]
    #[schema(required)]
    pub current_password: String,
    /// 6 to 128 characters.
    #[serde(default)]
    #[schema(required)]
    pub new_password: String,
}

/// A session as its owner sees it.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OpenSession {
    /// UUIDv7.
    #[schema(format = Uuid)]
    pub id: String,
    /// What the browser calls itself (`User-Agent`); empty when it did not say.
    pub browser: String,
    /// Where it signed in from; empty when unknown.
    pub address: String,
    /// When it signed in.
    pub created_at: DateTime<Utc>,
    /// Precise to a minute.
    pub last_seen_at: DateTime<Utc>,
    /// The one that asks.
    pub current: bool,
}

impl From<wire::OpenSession> for OpenSession {
    fn from(session: wire::OpenSession) -> Self {
        let browser = session.browser.unwrap_or_default();
        Self {
            id: session.id,
            browser: browser.user_agent,
            address: browser.address,
            created_at: required_moment(session.created_at),
            last_seen_at: required_moment(session.last_seen_at),
            current: session.is_current,
        }
    }
}

/// What is left of the recovery codes.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RecoveryCodesLeft {
    /// Of eight.
    pub remaining: i32,
    /// When they were made; null when none ever were.
    #[schema(required)]
    pub made_at: Option<DateTime<Utc>>,
}

impl From<wire::GetRecoveryCodesResponse> for RecoveryCodesLeft {
    fn from(left: wire::GetRecoveryCodesResponse) -> Self {
        Self { remaining: left.remaining, made_at: moment(left.made_at) }
    }
}

/// Asks for new recovery codes.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RenewRecoveryCodes {
    /// Needed when the session is older than 15 minutes (`PASSWORD_REQUIRED`).
    #[schema(nullable = false)]
    pub password: Option<String>,
}

/// New recovery codes, told this once.
#[derive(Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RecoveryCodes {
    /// Eight, each good for one reset.
    pub codes: Vec<String>,
}

/// Asks for the account to be closed. A confirmation left out counts as empty.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CloseAccount {
    /// The account's username, typed.
    #[serde(default)]
    #[schema(required)]
    pub confirmation: String,
    /// Needed when the session is older than 15 minutes (`PASSWORD_REQUIRED`).
    #[schema(nullable = false)]
    pub password: Option<String>,
}
