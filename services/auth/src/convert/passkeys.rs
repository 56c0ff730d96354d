//! Requests and responses of passkeys.

use portia_proto::auth as pb;
use primitives::{
    error::Violation,
    input::{Form, InvalidRequest},
};
use serde::de::DeserializeOwned;
use webauthn_rs::prelude::RegisterPublicKeyCredential;

use super::{parse_browser_token, timestamp};
use crate::{
    credentials::token::Token,
    error::Error,
    passkeys::{
        RelyingParty,
        credentials::{Assertion, PasskeyName, StoredPasskey},
    },
    recovery::trusted_browsers::TrustRequest,
    sessions::Browser,
};

/// The name of a passkey.
pub fn parse_passkey_name(raw: &str) -> Result<PasskeyName, Violation> {
    PasskeyName::parse("name", raw, 1, "Name this passkey.")
}

/// The JSON of a credential.
fn parse_credential<C: DeserializeOwned>(raw: &str) -> Result<C, Violation> {
    serde_json::from_str(raw).map_err(|_| Violation::new("credential", "This is not the answer of an authenticator."))
}

/// The answer to a registration.
pub struct NewPasskey {
    /// The token of the ceremony; `None` when it is malformed.
    pub ceremony: Option<Token>,
    /// The answer of the browser.
    pub credential: RegisterPublicKeyCredential,
    /// The origin of the client.
    pub relying_party: RelyingParty,
    /// Given by the member.
    pub name: PasskeyName,
    /// The browser of the request.
    pub browser: Browser,
}

impl NewPasskey {
    /// Validates an answer.
    ///
    /// # Errors
    /// [`Error::Invalid`] or [`Error::PasskeysUnavailable`].
    pub fn parse(raw: pb::CreatePasskeyRequest) -> Result<Self, Error> {
        let mut form = Form::default();
        let name = form.take(parse_passkey_name(&raw.name));
        let credential = form.take(parse_credential(&raw.credential));
        let (name, credential) = form.finish(name.zip(credential))?;
        Ok(Self {
            ceremony: Token::parse(&raw.ceremony),
            credential,
            relying_party: RelyingParty::new(&raw.origin)?,
            name,
            browser: Browser::from(raw.browser),
        })
    }
}

/// The answer of a browser that used a passkey.
///
/// # Errors
/// [`Error::Invalid`] or [`Error::PasskeysUnavailable`].
pub fn parse_assertion(raw: &pb::PasskeyAssertion) -> Result<Assertion, Error> {
    Ok(Assertion {
        ceremony: Token::parse(&raw.ceremony),
        credential: parse_credential(&raw.credential).map_err(InvalidRequest::from)?,
        relying_party: RelyingParty::new(&raw.origin)?,
    })
}

/// A sign-in by passkey before verification.
#[derive(Debug)]
pub struct PasskeyLogin {
    /// The answer of the browser.
    pub assertion: Assertion,
    /// The browser of the session.
    pub browser: Browser,
    /// Whether to trust the browser.
    pub trust: TrustRequest,
}

impl TryFrom<pb::LoginWithPasskeyRequest> for PasskeyLogin {
    type Error = Error;

    fn try_from(raw: pb::LoginWithPasskeyRequest) -> Result<Self, Error> {
        let token = parse_browser_token(&raw.trusted_browser_token);
        Ok(Self {
            assertion: parse_assertion(&raw.passkey.unwrap_or_default())?,
            browser: Browser::from(raw.browser),
            trust: TrustRequest { token, is_shared: raw.shared_computer },
        })
    }
}

/// A passkey as its owner sees it.
pub fn passkey_to_pb(passkey: StoredPasskey) -> pb::Passkey {
    pb::Passkey {
        id: passkey.id.to_string(),
        name: passkey.name,
        created_at: Some(timestamp(passkey.created_at)),
        last_used_at: passkey.last_used_at.map(timestamp),
        backed_up: passkey.backed_up,
    }
}
