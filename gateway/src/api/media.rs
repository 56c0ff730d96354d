//! Pictures: immutable, addressed by the hash in their names. Not part of the JSON API.

use std::sync::Arc;

use axum::{
    extract::State,
    response::{IntoResponse as _, Response},
};
use http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use picture_store::Name;
use primitives::error::ErrorChain;

use crate::api::rate_limits;
use crate::{
    api::state::Gateway,
    edge::{assets::is_known, limits::Client, problem::Problem},
};

/// A picture never changes under its name.
const FOREVER: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");

/// A stored picture. Public.
pub async fn picture(
    State(gateway): State<Arc<Gateway>>,
    client: Client,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    // Not percent-decoded: a valid name needs no escapes.
    let Some(name) = Name::from_address(uri.path()) else { return Ok(not_found()) };
    gateway.limits.take(rate_limits::PICTURES_SHOWN, &client.key()).await?;
    let found = gateway.pictures.get(&name).await.map_err(|error| {
        tracing::warn!(error = %ErrorChain(&error), "a picture could not be read");
        Problem::busy("PICTURES_AWAY")
    })?;
    let Some(jpeg) = found else { return Ok(not_found()) };
    let etag = HeaderValue::from_str(&format!("\"{}\"", name.hash())).map_err(|_| Problem::internal())?;
    let cached = [(header::CACHE_CONTROL, FOREVER), (header::ETAG, etag.clone())];
    Ok(if is_known(&headers, &etag) {
        (StatusCode::NOT_MODIFIED, cached).into_response()
    } else {
        (cached, [(header::CONTENT_TYPE, "image/jpeg")], jpeg).into_response()
    })
}

/// Not cached, because the picture may be stored later.
fn not_found() -> Response {
    (StatusCode::NOT_FOUND, [(header::CACHE_CONTROL, "no-store")]).into_response()
}
