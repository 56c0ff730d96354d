//! Requests and responses of passkeys. The credentials are the JSON forms of WebAuthn Level 3.

use portia_proto::auth as pb;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use crate::edge::{origin::RequestOrigin, problem::Problem};

pub use crate::api::contract::auth::Passkey;

/// What a browser needs to create or use a passkey.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PasskeyChallenge {
    /// To be sent with the answer. Valid once, for five minutes.
    pub ceremony: String,
    /// The argument of `parseCreationOptionsFromJSON` or `parseRequestOptionsFromJSON` of `PublicKeyCredential`.
    #[schema(value_type = Object)]
    pub options: Value,
}

impl PasskeyChallenge {
    /// The challenge with the options that auth rendered.
    pub fn new(ceremony: String, options: &str) -> Result<Self, Problem> {
        Ok(Self { ceremony, options: serde_json::from_str(options).map_err(|_| Problem::internal())? })
    }
}

/// The beginning of a sign-in or of a reset by passkey. The body may be omitted.
#[derive(Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StartPasskey {
    /// The solution of the `challenge` of a refusal, as in a registration.
    #[schema(nullable = false)]
    pub proof_of_work: Option<String>,
}

/// A new passkey. An absent name counts as empty.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NewPasskey {
    /// The name, in one line of 1 to 60 characters.
    #[serde(default)]
    #[schema(required, min_length = 1, max_length = 60)]
    pub name: String,
    /// The `ceremony` of the challenge.
    pub ceremony: String,
    /// The answer of the browser.
    pub credential: RegistrationCredential,
}

/// The answer to a challenge for a new passkey: `RegistrationResponseJSON`.
#[derive(Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RegistrationCredential {
    /// The id of the credential, base64url.
    pub id: String,
    /// The same as `id`.
    pub raw_id: String,
    /// Always `public-key`.
    #[serde(rename = "type")]
    pub kind: String,
    /// The answer of the authenticator.
    pub response: AttestationResponse,
}

/// The answer of an authenticator that created a key.
#[derive(Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AttestationResponse {
    /// What the browser signed for, base64url.
    #[serde(rename = "clientDataJSON")]
    pub client_data: String,
    /// The public key with the state of the authenticator, base64url.
    pub attestation_object: String,
}

/// A sign-in by passkey.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PasskeySignIn {
    /// The `ceremony` of the challenge.
    pub ceremony: String,
    /// The answer of the browser.
    pub credential: AssertionCredential,
    /// Whether the computer is shared. The session cookie then ends with the browser, and the browser is not trusted.
    #[serde(default)]
    #[schema(required = false)]
    pub shared_computer: bool,
}

/// The answer of a passkey to a challenge.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PasskeyAssertion {
    /// The `ceremony` of the challenge.
    pub ceremony: String,
    /// The answer of the browser.
    pub credential: AssertionCredential,
}

impl PasskeyAssertion {
    /// The assertion of a client at an origin.
    pub fn into_proto(self, RequestOrigin(origin): RequestOrigin) -> pb::PasskeyAssertion {
        pb::PasskeyAssertion { ceremony: self.ceremony, credential: to_json(&self.credential), origin }
    }
}

/// The answer to a challenge for the use of a passkey: `AuthenticationResponseJSON`.
#[derive(Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AssertionCredential {
    /// The id of the credential, base64url.
    pub id: String,
    /// The same as `id`.
    pub raw_id: String,
    /// Always `public-key`.
    #[serde(rename = "type")]
    pub kind: String,
    /// The answer of the authenticator.
    pub response: AssertionResponse,
}

/// The answer of an authenticator that used a key.
#[derive(Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AssertionResponse {
    /// What the browser signed for, base64url.
    #[serde(rename = "clientDataJSON")]
    pub client_data: String,
    /// The state of the authenticator, base64url.
    pub authenticator_data: String,
    /// The signature over both, base64url.
    pub signature: String,
    /// The id of the member, base64url; null or absent for a key that is not discoverable, which is refused.
    pub user_handle: Option<String>,
}

/// The JSON that auth parses. These types have string fields only, which always serialise.
pub fn to_json(credential: &impl Serialize) -> String {
    serde_json::to_string(credential).unwrap_or_default()
}
