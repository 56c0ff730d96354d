//! The credentials of a call: the token of the process, and the token of the member for which the gateway calls.

use std::sync::Arc;

use http::HeaderName;
use tonic::Status;

use super::{
    KeyError, Signer,
    presented::{Presented, PresentedToken, bearer},
};
use primitives::{
    clock::Clock,
    error::{ErrorKind, new_status},
};

/// The header with the token of the member.
pub const MEMBER_HEADER: HeaderName = HeaderName::from_static("portia-member");

/// The tokens of one member, by audience. Clones share them.
#[derive(Clone)]
pub struct MemberTokens(Arc<[(&'static str, Arc<PresentedToken>)]>);

impl MemberTokens {
    /// Stores the tokens with the names of their audiences, except tokens for unknown services.
    ///
    /// # Errors
    /// When a token is not a header value.
    pub fn new(tokens: impl IntoIterator<Item = (impl AsRef<str>, String)>) -> Result<Self, KeyError> {
        let known = tokens.into_iter().filter_map(|(name, token)| Some((access::service(name.as_ref())?, token)));
        let presented = |token: &str| Ok::<_, KeyError>(Arc::new(PresentedToken::new(bearer(token)?)));
        Ok(Self(known.map(|(audience, token)| Ok((audience, presented(&token)?))).collect::<Result<_, KeyError>>()?))
    }

    fn of(&self, audience: &str) -> Option<&Arc<PresentedToken>> {
        self.0.iter().find(|(name, _)| *name == audience).map(|(_, token)| token)
    }
}

impl std::fmt::Debug for MemberTokens {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("MemberTokens")
    }
}

/// The identity of a caller. The transport turns it into the tokens for its service.
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

    /// Returns the tokens for a service.
    ///
    /// # Errors
    /// INTERNAL when the process cannot sign, or has no token of the member for this service.
    pub(crate) fn present(&self, audience: &'static str) -> Result<Presented, Status> {
        let process = self.process.presented(audience, self.clock.now()).map_err(|error| {
            tracing::error!(%error, "the token of the process cannot be signed");
            internal()
        })?;
        let Some(member) = &self.member else { return Ok(Presented { process, member: None }) };
        let member = member.of(audience).ok_or_else(|| {
            tracing::error!(audience, "the member has no token for this service");
            internal()
        })?;
        Ok(Presented { process, member: Some(Arc::clone(member)) })
    }
}

fn internal() -> Status {
    new_status(ErrorKind::Internal, "TOKEN", "Something went wrong on our side. Please try again.")
}
