//! Requests and responses of registration, sign-in, sign-out and proving again.

use portia_proto::auth::RegistrationForm;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::api::{account::passkey_views::PasskeyAssertion, members::views::User};

/// A sign-in. An absent field counts as empty.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LoginRequest {
    /// The username, 3 to 64 characters. Surrounding whitespace is ignored.
    #[serde(default)]
    #[schema(format = "username", required, min_length = 3, max_length = 64)]
    pub username: String,
    /// The password, 6 to 128 characters.
    #[serde(default)]
    #[schema(format = "password", required, min_length = 6, max_length = 128)]
    pub password: String,
    /// Six digits of an authenticator app, or a recovery code: after 401 `SECOND_FACTOR_REQUIRED`, which only the right password
    /// gets.
    #[schema(nullable = false)]
    pub one_time_code: Option<String>,
    /// Whether the computer is shared. The session cookie then ends with the browser, and the browser is not trusted.
    #[serde(default)]
    #[schema(required = false)]
    pub shared_computer: bool,
    /// The solution of the `challenge` of a refusal, as in a registration.
    #[schema(nullable = false)]
    pub proof_of_work: Option<String>,
}

/// A registration. An absent field counts as empty.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RegisterRequest {
    /// The username: 3 to 64 letters, digits and `_.@+-`. Surrounding whitespace is ignored.
    #[serde(default)]
    #[schema(format = "username", required, min_length = 3, max_length = 64)]
    pub username: String,
    /// The password, 6 to 128 characters.
    #[serde(default)]
    #[schema(format = "password", required, min_length = 6, max_length = 128)]
    pub password: String,
    /// The full name, 2 to 100 characters without check marks.
    #[serde(default)]
    #[schema(format = "line", required, min_length = 2, max_length = 100)]
    pub full_name: String,
    /// The headline, in one line of at most 200 characters.
    #[schema(format = "line", max_length = 200)]
    pub headline: Option<String>,
    /// The location, at most 100 characters.
    #[schema(format = "line", max_length = 100)]
    pub location: Option<String>,
    /// The law school, at most 200 characters.
    #[schema(format = "line", max_length = 200)]
    pub school: Option<String>,
    /// The year of graduation as text, at most 10 characters.
    #[schema(format = "year", max_length = 10)]
    pub graduation_year: Option<String>,
    /// Whether the computer is shared. The session cookie then ends with the browser, and the browser is not trusted.
    #[serde(default)]
    #[schema(required = false)]
    pub shared_computer: bool,
    /// The solution of the `challenge` of a refusal, as ALTCHA encodes it: base64 of the JSON with `algorithm`, `challenge`, `number`,
    /// `salt` and `signature`. Valid once.
    #[schema(nullable = false)]
    pub proof_of_work: Option<String>,
}

impl RegisterRequest {
    /// The part of the form that profile stores.
    pub fn form(&self) -> RegistrationForm {
        RegistrationForm {
            full_name: self.full_name.clone(),
            headline: self.headline.clone(),
            location: self.location.clone(),
            school: self.school.clone(),
            graduation_year: self.graduation_year.clone(),
        }
    }
}

/// A proof of the signed-in member. The password counts when several are given, then the code; an empty text counts as absent.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Reauthenticate {
    /// The password.
    #[schema(nullable = false)]
    pub password: Option<String>,
    /// Six digits of an authenticator app, or a recovery code: case-insensitive, with or without hyphens.
    #[schema(nullable = false)]
    pub one_time_code: Option<String>,
    /// The answer of a passkey to a challenge for a proof.
    #[schema(nullable = false)]
    pub passkey: Option<PasskeyAssertion>,
    /// The solution of the `challenge` of a refusal, as in a registration.
    #[schema(nullable = false)]
    pub proof_of_work: Option<String>,
}

/// An empty object. The body may be omitted.
#[derive(Default, Deserialize, ToSchema)]
pub struct CreateTotp {}

/// The secret for an authenticator app. It is returned only once.
#[derive(Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TotpSecret {
    /// 160 bits in base 32, to type into an app.
    pub secret: String,
    /// The same as an `otpauth:` address, for a QR code.
    pub uri: String,
}

/// The signed-in member.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SignedIn {
    /// The member.
    #[serde(flatten)]
    pub user: User,
    /// True when this sign-in reactivated a closed account; otherwise absent.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schema(required = false)]
    pub reopened: bool,
    /// True for a moderator; otherwise absent.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schema(required = false)]
    pub moderator: bool,
    /// The school whose steward the member is; absent for others.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub steward_of: Option<String>,
}

/// The member of the session.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Me {
    /// The member.
    #[serde(flatten)]
    pub user: User,
    /// True for a moderator; otherwise absent.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schema(required = false)]
    pub moderator: bool,
    /// The school whose steward the member is; absent for others.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub steward_of: Option<String>,
}

/// An empty object. The body may be omitted.
#[derive(Default, Deserialize, ToSchema)]
pub struct LogoutRequest {}
