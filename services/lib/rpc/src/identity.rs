//! The identity of callers: the process, and the member for which the gateway calls, in short-lived Ed25519 tokens.
//!
//! Every call carries the token of its process. The gateway adds the token of the member. Each token names the one
//! service that may accept it, its audience, so that a service cannot present a token that it received to another one.

mod credentials;
mod keys;
mod presented;
mod tokens;

use tonic::Status;
use uuid::Uuid;

pub use credentials::{Credentials, MEMBER_HEADER, MemberTokens};
pub use keys::{KeyError, KeyPair, public_set, read_public_set};
pub(crate) use presented::{Presented, of_bearer};
pub use tokens::{Keyring, Signed, Signer};

use primitives::error::{ErrorKind, new_status};

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
    /// Returns the actor of a request.
    ///
    /// # Errors
    /// UNAUTHENTICATED when the authentication layer added none.
    pub fn of<T>(request: &tonic::Request<T>) -> Result<&Self, Status> {
        request.extensions().get().ok_or_else(|| refused("NO_TOKEN", "Sign in required"))
    }

    /// Returns the calling member; `None` for a visitor.
    ///
    /// # Errors
    /// As [`Self::of`].
    pub fn viewer<T>(request: &tonic::Request<T>) -> Result<Option<Uuid>, Status> {
        Ok(match Self::of(request)? {
            Self::Member { id, .. } => Some(*id),
            Self::Service(_) => None,
        })
    }

    /// Returns the calling member.
    ///
    /// # Errors
    /// UNAUTHENTICATED for any other caller.
    pub fn member<T>(request: &tonic::Request<T>) -> Result<Uuid, Status> {
        Self::viewer(request)?.ok_or_else(|| refused("SIGN_IN_REQUIRED", "Sign in required"))
    }

    /// Returns the calling member, who is a moderator.
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
