//! The credentials of a call: the token of the process, and that of the member for which the gateway calls.

use std::sync::Arc;

use http::{HeaderMap, HeaderName, HeaderValue, header::AUTHORIZATION};
use tonic::Status;

use super::{KeyError, Signer};
use primitives::{
    clock::Clock,
    error::{ErrorKind, new_status},
};

/// The header with the token of the member.
pub const MEMBER_HEADER: HeaderName = HeaderName::from_static("portia-member");

/// The tokens of one member, by audience. Clones share them.
#[derive(Clone)]
pub struct MemberTokens(Arc<[(&'static str, HeaderValue)]>);

impl MemberTokens {
    /// The tokens with the names of their audiences. Those for unknown services are left out.
    ///
    /// # Errors
    /// When a token is not a header value.
    pub fn new(tokens: impl IntoIterator<Item = (impl AsRef<str>, String)>) -> Result<Self, KeyError> {
        let known = tokens.into_iter().filter_map(|(name, token)| Some((access::service(name.as_ref())?, token)));
        Ok(Self(known.map(|(audience, token)| Ok((audience, bearer(&token)?))).collect::<Result<_, KeyError>>()?))
    }

    fn of(&self, audience: &str) -> Option<&HeaderValue> {
        self.0.iter().find(|(name, _)| *name == audience).map(|(_, token)| token)
    }
}

impl std::fmt::Debug for MemberTokens {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("MemberTokens")
    }
}

/// The identity of a caller. The transport turns it into the headers for its service.
#[derive(Clone, Debug)]
pub struct Credentials {
    process: Arc<Signer>,
    clock: Clock,
    member: Option<MemberTokens>,
}

impl Credentials {
    /// A process that calls for itself.
    #[must_use]
    pub const fn of_process(signer: Arc<Signer>, clock: Clock) -> Self {
        Self { process: signer, clock, member: None }
    }

    /// The same process, calling for a member.
    #[must_use]
    pub fn with_member(&self, tokens: &MemberTokens) -> Self {
        Self { member: Some(tokens.clone()), ..self.clone() }
    }

    /// Writes the headers for a service.
    ///
    /// # Errors
    /// INTERNAL when the process cannot sign, or has no token of the member for this service.
    pub(crate) fn write(&self, audience: &'static str, headers: &mut HeaderMap) -> Result<(), Status> {
        let own = self.process.service(audience, self.clock.now()).map_err(|error| {
            tracing::error!(%error, "the token of the process cannot be signed");
            internal()
        })?;
        headers.insert(AUTHORIZATION, own);
        if let Some(member) = &self.member {
            let token = member.of(audience).ok_or_else(|| {
                tracing::error!(audience, "the member has no token for this service");
                internal()
            })?;
            headers.insert(MEMBER_HEADER, token.clone());
        }
        Ok(())
    }
}

fn internal() -> Status {
    new_status(ErrorKind::Internal, "TOKEN", "Something went wrong on our side. Please try again.")
}

/// A token as the value of a header, which is not shown in logs and not indexed by HTTP/2.
pub(super) fn bearer(token: &str) -> Result<HeaderValue, KeyError> {
    let mut value = HeaderValue::try_from(format!("Bearer {token}")).map_err(|_| KeyError::Header)?;
    value.set_sensitive(true);
    Ok(value)
}
