//! The tokens of a call. Sent to another process they are headers; within this one they are passed on with the result of their check.

use std::sync::{Arc, OnceLock};

use chrono::{DateTime, Utc};
use http::{HeaderMap, HeaderValue, header::AUTHORIZATION};

use super::{Actor, KeyError, MEMBER_HEADER};

const SCHEME: &str = "Bearer ";

/// The claims of a verified token.
#[derive(Clone, Debug)]
pub(super) struct Verified {
    pub(super) actor: Actor,
    /// `None` for a name that is no service.
    pub(super) audience: Option<&'static str>,
    pub(super) expires: DateTime<Utc>,
}

/// A token, and its claims once a keyring verified it.
pub(crate) struct PresentedToken {
    value: HeaderValue,
    /// The id and the result of the keyring. A process has one keyring.
    verified: OnceLock<(u64, Verified)>,
}

impl PresentedToken {
    /// The token in the value of a header.
    pub(super) const fn new(value: HeaderValue) -> Self {
        Self { value, verified: OnceLock::new() }
    }

    pub(super) const fn value(&self) -> &HeaderValue {
        &self.value
    }

    pub(super) fn text(&self) -> Option<&str> {
        of_bearer(&self.value)
    }

    /// Returns the first result of `verify`. `None` is not kept.
    pub(super) fn verified_by(&self, verify: impl FnOnce() -> Option<(u64, Verified)>) -> Option<&(u64, Verified)> {
        if self.verified.get().is_none() {
            // A concurrent call may have set it.
            let _ = self.verified.set(verify()?);
        }
        self.verified.get()
    }
}

/// The tokens of one call for its service. Only a call within this process has them in the extensions of its request:
/// another process cannot set them.
#[derive(Clone)]
pub(crate) struct Presented {
    pub(crate) process: Arc<PresentedToken>,
    pub(crate) member: Option<Arc<PresentedToken>>,
}

impl Presented {
    /// Writes them as headers, for another process.
    pub(crate) fn write(&self, headers: &mut HeaderMap) {
        headers.insert(AUTHORIZATION, self.process.value.clone());
        if let Some(member) = &self.member {
            headers.insert(MEMBER_HEADER, member.value.clone());
        }
    }
}

/// A token as the value of a header, which is not shown in logs and not indexed by HTTP/2.
pub(super) fn bearer(token: &str) -> Result<HeaderValue, KeyError> {
    let mut value = HeaderValue::try_from(format!("{SCHEME}{token}")).map_err(|_| KeyError::Header)?;
    value.set_sensitive(true);
    Ok(value)
}

/// The token in the value of a header.
pub(crate) fn of_bearer(header: &HeaderValue) -> Option<&str> {
    header.to_str().ok()?.strip_prefix(SCHEME)
}
