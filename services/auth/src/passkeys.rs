//! Passkeys: WebAuthn credentials of members, which sign in and prove the ownership of an account.
//!
//! The library verifies the answers of browsers. A ceremony is a challenge that waits for its answer: it is stored, valid once,
//! and bound to its purpose.

pub mod ceremonies;
pub mod credentials;
pub mod relying_party;

pub use ceremonies::Purpose;
pub use credentials::{Assertion, MAX_PASSKEYS, StoredPasskey, VerifiedUse};
pub use relying_party::RelyingParty;
