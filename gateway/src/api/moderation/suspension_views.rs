//! Appeals against suspensions, as moderators see them.

use serde::Deserialize;
use utoipa::ToSchema;

pub use crate::api::contract::auth::SuspensionAppeal;

/// The appeal of a suspended member.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AppealSuspension {
    /// The token of the refused sign-in.
    pub token: String,
    /// Why the suspension should end.
    #[schema(format = "text", min_length = 1, max_length = 1000)]
    pub text: String,
}
