//! Pictures: immutable, addressed by the hash in their names; those of posts with a signature. Not part of the JSON API.

use std::sync::Arc;

use axum::{
    extract::State,
    response::{IntoResponse as _, Response},
};
use http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use picture_store::{Name, Pictures};
use primitives::error::ErrorChain;

use crate::api::rate_limits;
use crate::{
    api::state::Gateway,
    edge::{assets::is_known, limits::Client, problem::Problem, signed_addresses::Permission},
};

/// A picture never changes under its name.
const FOREVER: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");

/// What the browser of a shared computer must not store.
const NOT_STORED: HeaderValue = HeaderValue::from_static("no-store");

/// A picture of a member. Public.
pub async fn picture(
    State(gateway): State<Arc<Gateway>>,
    client: Client,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    // Not percent-decoded: a valid name needs no escapes.
    let Some(name) = Name::from_address(uri.path()) else { return Ok(not_found()) };
    gateway.limits.take(rate_limits::PICTURES_SHOWN, &client.key()).await?;
    send(&gateway.pictures, &name, &headers, FOREVER).await
}

/// A picture of a post, for a signed address. Not found without a valid signature.
pub async fn signed_picture(
    State(gateway): State<Arc<Gateway>>,
    client: Client,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let Some(name) = Name::from_signed_address(uri.path()) else { return Ok(not_found()) };
    gateway.limits.take(rate_limits::PICTURES_SHOWN, &client.key()).await?;
    let cached = match gateway.addresses.verify(uri.path(), uri.query().unwrap_or_default()) {
        Some(Permission::Permanent) => FOREVER,
        Some(Permission::Seconds(_)) if gateway.authentication.cookies.is_on_shared_computer(&headers) => NOT_STORED,
        // Of the browser alone, and until the address expires.
        Some(Permission::Seconds(seconds)) => {
            HeaderValue::try_from(format!("private, max-age={seconds}, immutable")).map_err(|_| Problem::internal())?
        }
        None => return Ok(not_found()),
    };
    send(&gateway.pictures.signed(), &name, &headers, cached).await
}

async fn send(
    pictures: &Pictures,
    name: &Name,
    headers: &HeaderMap,
    cache_control: HeaderValue,
) -> Result<Response, Problem> {
    let found = pictures.get(name).await.map_err(|error| {
        tracing::warn!(error = %ErrorChain(&error), "a picture could not be read");
        Problem::busy("PICTURES_AWAY")
    })?;
    let Some(jpeg) = found else { return Ok(not_found()) };
    let etag = HeaderValue::from_str(&format!("\"{}\"", name.hash())).map_err(|_| Problem::internal())?;
    let cached = [(header::CACHE_CONTROL, cache_control), (header::ETAG, etag.clone())];
    Ok(if is_known(headers, &etag) {
        (StatusCode::NOT_MODIFIED, cached).into_response()
    } else {
        (cached, [(header::CONTENT_TYPE, "image/jpeg")], jpeg).into_response()
    })
}

/// Not cached, because the picture may be stored later.
fn not_found() -> Response {
    (StatusCode::NOT_FOUND, [(header::CACHE_CONTROL, "no-store")]).into_response()
}
