//! Pictures as browsers get them: immutable, by the hash in their name. Outside the API: nothing here is JSON.

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

/// A member's picture, for everybody.
pub async fn picture(
    State(gateway): State<Arc<Gateway>>,
    client: Client,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    // Read as it was sent: a name of ours needs no escapes, so what has some is no name.
    let Some(name) = Name::from_address(uri.path()) else { return Ok(none()) };
    gateway.limits.take(rate_limits::PICTURES_SHOWN, &client.key()).await?;
    let found = gateway.pictures.get(&name).await.map_err(|error| {
        tracing::warn!(error = %ErrorChain(&error), "a picture could not be read");
        Problem::busy("PICTURES_AWAY")
    })?;
    let Some(jpeg) = found else { return Ok(none()) };
    let etag = HeaderValue::from_str(&format!("\"{}\"", name.hash())).map_err(|_| Problem::internal())?;
    let lasting = [(header::CACHE_CONTROL, FOREVER), (header::ETAG, etag.clone())];
    Ok(if is_known(&headers, &etag) {
        (StatusCode::NOT_MODIFIED, lasting).into_response()
    } else {
        (lasting, [(header::CONTENT_TYPE, "image/jpeg")], jpeg).into_response()
    })
}

/// Not to be remembered: the next moment may have the picture.
fn none() -> Response {
    (StatusCode::NOT_FOUND, [(header::CACHE_CONTROL, "no-store")]).into_response()
}
