//! Registration and sign-in forms.

use portia_proto::auth::RegistrationForm;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::api::members::views::User;

/// A sign-in. A field left out counts as empty, so that one sentence answers both.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LoginRequest {
    /// At least 3 characters; trimmed.
    #[serde(default)]
    #[schema(required)]
    pub username: String,
    /// 6 to 128 characters.
    #[serde(default)]
    #[schema(required)]
    pub password: String,
    /// 'This is a shared computer': the session ends with the browser, which is not trusted with a reset either.
    #[serde(default)]
    #[schema(required = false)]
    pub shared_computer: bool,
}

/// A registration. A field left out counts as empty, so that one sentence answers both.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RegisterRequest {
    /// 3 to 64 of letters, digits and `_.@+-`; trimmed.
    #[serde(default)]
    #[schema(required)]
    pub username: String,
    /// 6 to 128 characters.
    #[serde(default)]
    #[schema(required)]
    pub password: String,
    /// 2 to 100 characters.
    #[serde(default)]
    #[schema(required)]
    pub full_name: String,
    /// What they say they are, in a line.
    pub headline: Option<String>,
    /// Where they are.
    pub location: Option<String>,
    /// Where they study or studied.
    pub school: Option<String>,
    /// A text.
    pub graduation_year: Option<String>,
    /// 'This is a shared computer': the session ends with the browser, which is not trusted with a reset either.
    #[serde(default)]
    #[schema(required = false)]
    pub shared_computer: bool,
}

impl RegisterRequest {
    /// What profile keeps of it.
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

/// Who signed in.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SignedIn {
    /// The member.
    #[serde(flatten)]
    pub user: User,
    /// True when the account was closed, and is open again; else left out.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schema(required = false)]
    pub reopened: bool,
}

/// Nothing to say: `{}`, or no body at all.
#[derive(Default, Deserialize, ToSchema)]
pub struct LogoutRequest {}
