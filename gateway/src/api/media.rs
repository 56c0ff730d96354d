//! Pictures, addressed by the hash in their names; pictures of posts need a signature. Not part of the JSON API.
//!
//! The content never changes under its name, but the permission does, so the gateway asks the owner: picture_access.rs.

use std::sync::Arc;

use axum::{
    extract::State,
    response::{IntoResponse as _, Response},
};
use http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use picture_store::{Name, Pictures};
use primitives::error::ErrorChain;

use crate::{
    api::{picture_access::Owner, rate_limits, state::Gateway},
    edge::{
        assets::is_known,
        limits::Client,
        problem::Problem,
        signed_addresses::{Permission, Viewer},
    },
};

/// A picture that everyone may see. A browser shows a deleted one for a day at most.
const PUBLIC: HeaderValue = HeaderValue::from_static("public, max-age=86400");
/// A picture that the session permits: another member may use the browser next.
const OF_SESSION: HeaderValue = HeaderValue::from_static("private, max-age=0, must-revalidate");

/// A private picture in the browser of a shared computer.
const NOT_STORED: HeaderValue = HeaderValue::from_static("no-store");

/// The present picture of a member, for visitors when the profile is public, else for the members of its audience.
pub async fn picture(
    State(gateway): State<Arc<Gateway>>,
    client: Client,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    // Not percent-decoded: a valid name needs no escapes.
    let Some(name) = Name::from_address(uri.path()) else { return Ok(not_found()) };
    gateway.limits.take(rate_limits::PICTURES_SHOWN, &client.key()).await?;
    let access = &gateway.picture_access;
    // Visitors first: most profiles are public, and their pictures need no session.
    if access.is_visible(Owner::Profile, &name, Viewer::Visitor).await? {
        return send(&gateway.pictures, &name, &headers, PUBLIC).await;
    }
    let Some(member) = gateway.authentication.member(&headers).await? else { return Ok(not_found()) };
    if !access.is_visible(Owner::Profile, &name, Viewer::Member(member)).await? {
        return Ok(not_found());
    }
    send(&gateway.pictures, &name, &headers, private(&gateway, &headers, OF_SESSION)).await
}

/// A picture of a post, for a signed address. Not found without a valid signature, and when its viewer may not see it now.
pub async fn signed_picture(
    State(gateway): State<Arc<Gateway>>,
    client: Client,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let Some(name) = Name::from_signed_address(uri.path()) else { return Ok(not_found()) };
    gateway.limits.take(rate_limits::PICTURES_SHOWN, &client.key()).await?;
    let (viewer, cached) = match gateway.addresses.verify(uri.path(), uri.query().unwrap_or_default()) {
        Some(Permission::Permanent) => (Viewer::Visitor, PUBLIC),
        // Everyone who has the address could use it after the role has ended: the present role decides.
        Some(Permission::Temporary { viewer: Viewer::Moderators, .. }) => {
            if !gateway.authentication.is_moderator(&headers).await? {
                return Ok(not_found());
            }
            (Viewer::Moderators, private(&gateway, &headers, OF_SESSION))
        }
        // Only the browser may cache it, until the address expires.
        Some(Permission::Temporary { viewer, seconds }) => {
            let cached = HeaderValue::try_from(format!("private, max-age={seconds}"));
            (viewer, private(&gateway, &headers, cached.map_err(|_| Problem::internal())?))
        }
        None => return Ok(not_found()),
    };
    if !gateway.picture_access.is_visible(Owner::Feed, &name, viewer).await? {
        return Ok(not_found());
    }
    send(&gateway.pictures.signed(), &name, &headers, cached).await
}

/// How long a browser may store a picture that not everyone sees: on a shared computer not at all.
fn private(gateway: &Gateway, headers: &HeaderMap, cached: HeaderValue) -> HeaderValue {
    if gateway.authentication.cookies.is_on_shared_computer(headers) { NOT_STORED } else { cached }
}

async fn send(
    pictures: &Pictures,
    name: &Name,
    headers: &HeaderMap,
    cache_control: HeaderValue,
) -> Result<Response, Problem> {
    let found = pictures.get(name).await.map_err(|error| {
        tracing::warn!(error = %ErrorChain(&error), "a picture could not be read");
        Problem::busy("PICTURES_UNAVAILABLE")
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

/// Not cached, because the picture may be stored or shown again later.
fn not_found() -> Response {
    (StatusCode::NOT_FOUND, [(header::CACHE_CONTROL, "no-store")]).into_response()
}
