//! The route list: every route there is, in one place.

use std::sync::Arc;

use axum::{
    Router,
    extract::{DefaultBodyLimit, Request, State},
    middleware::from_fn_with_state,
    response::{IntoResponse, Response},
    routing::get,
};
use http::StatusCode;
use serde::Deserialize;
use telemetry::HttpServerLayer;
use tower_http::catch_panic::CatchPanicLayer;
use utoipa::IntoParams;
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::{
    Gateway, account, activity, applications, auth, blocks, comments, communities, compression, connections, docs,
    endorsements, events, export, headers, jobs, likes, live, load, media,
    messaging::{self, conversations, messages},
    news, notifications, openapi, origin, pictures, posts, previews,
    problem::Problem,
    profile, reports, reset, resources, saved, search, status, users,
};

/// Where a list goes on.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Paging {
    /// Where the last page ended, from its `Link` header.
    #[serde(default)]
    #[param(required = false)]
    pub cursor: String,
    /// Entries a page, at most 100; 20 when left out.
    #[serde(default)]
    #[param(required = false)]
    pub limit: i32,
}

/// The API. Its OpenAPI document is read off these lines.
pub(crate) fn api() -> OpenApiRouter<Arc<Gateway>> {
    OpenApiRouter::with_openapi(openapi::frame())
        .routes(routes!(auth::register))
        .routes(routes!(auth::login))
        .routes(routes!(auth::logout))
        .routes(routes!(auth::me))
        .routes(routes!(reset::check_username))
        .routes(routes!(reset::reset_password))
        .routes(routes!(account::change_password))
        .routes(routes!(account::sessions, account::end_sessions))
        .routes(routes!(account::end_session))
        .routes(routes!(account::recovery_codes, account::renew_recovery_codes))
        .routes(routes!(account::close_account))
        .routes(routes!(posts::list, posts::create))
        .routes(routes!(posts::one, posts::update, posts::remove))
        .routes(routes!(pictures::upload))
        .routes(routes!(likes::list, likes::set, likes::remove))
        .routes(routes!(comments::list, comments::create))
        .routes(routes!(comments::update, comments::remove))
        .routes(routes!(profile::update))
        .routes(routes!(users::profile, profile::replace))
        .routes(routes!(activity::list))
        .routes(routes!(endorsements::list, endorsements::give, endorsements::withdraw, endorsements::hide))
        .routes(routes!(export::download))
        .routes(routes!(users::connections))
        .routes(routes!(users::suggestions))
        .routes(routes!(users::dismiss))
        .routes(routes!(connections::find, connections::request))
        .routes(routes!(connections::answer, connections::remove))
        .routes(routes!(blocks::list))
        .routes(routes!(blocks::block, blocks::unblock))
        .routes(routes!(communities::list, communities::create))
        .routes(routes!(communities::one, communities::update))
        .routes(routes!(communities::members))
        .routes(routes!(communities::set_role))
        .routes(routes!(communities::join, communities::leave))
        .routes(routes!(events::list, events::create))
        .routes(routes!(events::one, events::update, events::call_off))
        .routes(routes!(events::attend, events::unattend))
        .routes(routes!(events::attendees))
        .routes(routes!(events::calendar))
        .routes(routes!(resources::list, resources::suggest))
        .routes(routes!(resources::one))
        .routes(routes!(jobs::list))
        .routes(routes!(jobs::one))
        .routes(routes!(jobs::stats))
        .routes(routes!(jobs::refresh))
        .routes(routes!(applications::list))
        .routes(routes!(applications::one, applications::update))
        .routes(routes!(applications::apply))
        .routes(routes!(news::articles))
        .routes(routes!(news::one))
        .routes(routes!(news::sources))
        .routes(routes!(news::refresh))
        .routes(routes!(search::search))
        .routes(routes!(saved::list))
        .routes(routes!(saved::ids))
        .routes(routes!(saved::save, saved::unsave))
        .routes(routes!(reports::report))
        .routes(routes!(status::sources))
        .routes(routes!(conversations::list, conversations::open))
        .routes(routes!(messages::thread, conversations::clear))
        .routes(routes!(conversations::accept))
        .routes(routes!(messages::send))
        .routes(routes!(messages::read))
        .routes(routes!(messages::typing))
        .routes(routes!(messaging::unread))
        .routes(routes!(notifications::list))
        .routes(routes!(notifications::read))
        .routes(routes!(notifications::settings, notifications::update_settings))
        .routes(routes!(live::stream))
}

/// Everything the gateway answers.
pub(crate) fn router(gateway: Arc<Gateway>) -> Router {
    let (api, _) = api().split_for_parts();
    api.route("/api/openapi.json", get(docs::document))
        .route("/api/docs", get(docs::reader))
        .route("/media/{name}", get(media::picture))
        .fallback(elsewhere)
        .method_not_allowed_fallback(not_allowed)
        .layer(from_fn_with_state(Arc::clone(&gateway), load::bound))
        .layer(from_fn_with_state(Arc::clone(&gateway), load::read_body))
        .layer(DefaultBodyLimit::disable())
        .layer(from_fn_with_state(Arc::clone(&gateway), origin::guard))
        .layer(CatchPanicLayer::custom(|_| Problem::our_fault().into_response()))
        .layer(compression::layer())
        .layer(from_fn_with_state(Arc::clone(&gateway), headers::secure))
        .layer(HttpServerLayer::new("gateway"))
        .with_state(gateway)
}

/// What no route answers: an unknown part of the API, else a file or a screen.
async fn elsewhere(State(gateway): State<Arc<Gateway>>, request: Request) -> Response {
    match &gateway.assets {
        Some(assets) if !headers::is_api(request.uri().path()) => {
            let (mut parts, _) = request.into_parts();
            let tags = previews::tags(&gateway, &mut parts).await;
            assets.answer(&parts, &tags)
        }
        _ => Problem::not_found("This does not exist.").into_response(),
    }
}

async fn not_allowed() -> Problem {
    Problem::new(StatusCode::METHOD_NOT_ALLOWED, "METHOD_NOT_ALLOWED", "This cannot be done here.")
}
