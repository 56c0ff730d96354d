//! Well-known addresses: where to report a vulnerability (RFC 9116), and where to change a password.

use std::sync::Arc;

use axum::{
    extract::State,
    response::{IntoResponse as _, Redirect, Response},
};
use chrono::{Days, SecondsFormat};
use http::header;

use crate::{
    api::state::Gateway,
    edge::{origin::RequestOrigin, problem::Problem},
};

/// How long a copy of `security.txt` is valid.
const VALID_FOR: Days = Days::new(180);

/// `security.txt`, if the operator configured an address for reports.
pub async fn security_txt(
    State(gateway): State<Arc<Gateway>>,
    RequestOrigin(origin): RequestOrigin,
) -> Result<Response, Problem> {
    let contact = gateway.security_contact.as_ref().ok_or(Problem::not_found("This does not exist."))?;
    let expires = gateway.clock.now() + VALID_FOR;
    let text = format!(
        "Contact: {contact}\nExpires: {}\nPreferred-Languages: en, fil\nCanonical: {origin}/.well-known/security.txt\n",
        expires.to_rfc3339_opts(SecondsFormat::Secs, true)
    );
    Ok(([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], text).into_response())
}

/// Leads password managers to the form.
pub async fn change_password() -> Redirect {
    Redirect::to("/settings")
}
