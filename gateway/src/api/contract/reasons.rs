//! The stated reasons of decisions.

use portia_proto::{auth, feed};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Declares every reason once.
macro_rules! reasons {
    ($(#[doc = $about:literal] $reason:ident,)+) => {
        /// The stated reason of a decision.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
        #[serde(rename_all = "kebab-case")]
        pub enum DecisionReason {
            $(#[doc = $about] $reason,)+
        }

        impl DecisionReason {
            /// `None` when no reason is stated, or for one that this version does not know.
            pub const fn of(reason: feed::DecisionReason) -> Option<Self> {
                match reason {
                    feed::DecisionReason::Unspecified => None,
                    $(feed::DecisionReason::$reason => Some(Self::$reason),)+
                }
            }
        }

        impl From<DecisionReason> for feed::DecisionReason {
            fn from(reason: DecisionReason) -> Self {
                match reason {
                    $(DecisionReason::$reason => Self::$reason,)+
                }
            }
        }

        impl From<DecisionReason> for auth::ModerationReason {
            fn from(reason: DecisionReason) -> Self {
                match reason {
                    $(DecisionReason::$reason => Self::$reason,)+
                }
            }
        }
    };
}

reasons! {
    /// Advertising or repeated content.
    Spam,
    /// Harassment of a person.
    Harassment,
    /// False information.
    FalseInformation,
    /// An account or a text that pretends to be of another person.
    Impersonation,
    /// Confidential information between a lawyer and a client.
    PrivilegedInformation,
    /// Illegal content.
    Illegal,
    /// Another reason, explained in the note.
    Other,
    /// No rule is broken. Only for dismissals, restorations and overturned removals.
    NoViolation,
    /// The matter was settled in another way. Only for dismissals, restorations and overturned removals.
    Resolved,
}
