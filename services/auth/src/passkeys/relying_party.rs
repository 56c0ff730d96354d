//! The relying party of WebAuthn: Portia at the origin of the client.

use serde::Deserialize;
use uuid::Uuid;
use webauthn_rs::prelude::{
    AuthenticationResult, CreationChallengeResponse, Credential, CredentialID, DiscoverableAuthentication,
    DiscoverableKey, Passkey, PasskeyRegistration, PublicKeyCredential, RegisterPublicKeyCredential,
    RequestChallengeResponse, Url, Webauthn, WebauthnBuilder, WebauthnError,
};
use webauthn_rs_proto::ResidentKeyRequirement;

use crate::error::Error;

/// The name that devices show beside a passkey.
const NAME: &str = "Portia";

/// Verifies the answers of browsers at one origin. The id of the relying party is the host of the origin.
pub struct RelyingParty(Webauthn);

impl RelyingParty {
    /// Creates the relying party at an origin that the gateway accepted.
    ///
    /// # Errors
    /// [`Error::PasskeysUnavailable`] for an IP address: the standard requires a name.
    pub fn new(origin: &str) -> Result<Self, Error> {
        let url = Url::parse(origin).map_err(|_| Error::PasskeysUnavailable)?;
        let host = url.domain().ok_or(Error::PasskeysUnavailable)?;
        let built = WebauthnBuilder::new(host, &url).and_then(|builder| builder.rp_name(NAME).build());
        built.map(Self).map_err(|_| Error::PasskeysUnavailable)
    }

    /// Returns the options of a new passkey: discoverable, with a verified user, without attestation, and not on a
    /// device that has one.
    pub fn start_registration(
        &self,
        member: Uuid,
        username: &str,
        existing: Vec<CredentialID>,
    ) -> Result<(CreationChallengeResponse, PasskeyRegistration), Error> {
        let started = self.0.start_passkey_registration(member, username, username, Some(existing));
        let (mut options, state) = started.map_err(failed)?;
        // The library only prefers a discoverable key, but a sign-in without a username needs one.
        if let Some(selection) = &mut options.public_key.authenticator_selection {
            selection.resident_key = Some(ResidentKeyRequirement::Required);
            selection.require_resident_key = true;
        }
        Ok((options, state))
    }

    /// Verifies the answer to a registration.
    ///
    /// # Errors
    /// [`Error::PasskeyRefused`].
    pub fn finish_registration(
        &self,
        answer: &RegisterPublicKeyCredential,
        state: &PasskeyRegistration,
    ) -> Result<Credential, Error> {
        let verified = self.0.finish_passkey_registration(answer, state);
        verified.map(Passkey::into).map_err(|error| {
            tracing::debug!(%error, "a new passkey was refused");
            Error::PasskeyRefused
        })
    }

    /// Returns the options of a sign-in: any passkey of this site, with a verified user.
    pub fn start_authentication(&self) -> Result<(RequestChallengeResponse, DiscoverableAuthentication), Error> {
        let (mut options, state) = self.0.start_discoverable_authentication().map_err(failed)?;
        // The client shows a dialog on request, not a suggestion at a field.
        options.mediation = None;
        Ok((options, state))
    }

    /// Verifies an assertion: challenge, origin, no frame of another origin, relying party, user verification, signature and counter.
    /// `None` when it is refused.
    pub fn finish_authentication(
        &self,
        answer: &PublicKeyCredential,
        state: DiscoverableAuthentication,
        credential: Credential,
    ) -> Option<AuthenticationResult> {
        if !is_of_top_page(&answer.response.client_data_json) {
            tracing::warn!("an assertion was made in a frame of another origin");
            return None;
        }
        let key = DiscoverableKey::from(Passkey::from(credential));
        match self.0.finish_discoverable_authentication_v2(answer, state, &key) {
            Ok(result) => Some(result),
            Err(WebauthnError::CredentialPossibleCompromise) => {
                tracing::warn!("the counter of a passkey went back: its key may have been copied");
                None
            }
            Err(error) => {
                tracing::debug!(%error, "an assertion was refused");
                None
            }
        }
    }
}

/// The part of the client data that the library checks for registrations only (WebAuthn Level 3, section 7.2, step 13).
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct EmbeddedIn {
    #[serde(default)]
    cross_origin: Option<bool>,
    #[serde(default)]
    top_origin: Option<String>,
}

/// Whether the page that asked for the passkey was not framed by another origin: Portia is shown in no frame.
fn is_of_top_page(client_data: &[u8]) -> bool {
    serde_json::from_slice::<EmbeddedIn>(client_data)
        .is_ok_and(|frame| !frame.cross_origin.unwrap_or(false) && frame.top_origin.is_none())
}

fn failed(error: WebauthnError) -> Error {
    tracing::error!(%error, "cannot begin a ceremony");
    Error::Randomness
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_relying_party_needs_an_origin_with_a_name() {
        for good in ["https://portia.example", "http://localhost:8080", "https://portia.example:8443"] {
            assert!(RelyingParty::new(good).is_ok(), "{good}");
        }
        for bad in ["http://127.0.0.1:8080", "http://[::1]:8080", "https://192.0.2.1", "portia.example", "", "\0"] {
            assert!(matches!(RelyingParty::new(bad), Err(Error::PasskeysUnavailable)), "{bad}");
        }
    }

    #[test]
    fn a_new_passkey_is_discoverable_and_verifies_its_user_without_attestation() {
        let party = RelyingParty::new("https://portia.example").unwrap();
        let (options, _) = party.start_registration(Uuid::nil(), "ana", Vec::new()).unwrap();
        let json = serde_json::to_value(&options).unwrap();
        let options = &json["publicKey"];
        assert_eq!(options["rp"], serde_json::json!({"id": "portia.example", "name": "Portia"}));
        assert_eq!(options["authenticatorSelection"]["residentKey"], "required");
        assert_eq!(options["authenticatorSelection"]["requireResidentKey"], true);
        assert_eq!(options["authenticatorSelection"]["userVerification"], "required");
        assert_eq!(options["attestation"], "none");
    }
}
