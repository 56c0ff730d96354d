//! Every route of the gateway, by the caller it requires.

use std::sync::{Arc, LazyLock};

use axum::{
    Router,
    extract::{DefaultBodyLimit, Request, State},
    middleware::from_fn_with_state,
    response::{IntoResponse, Response},
    routing::get,
};
use http::{Method, StatusCode};
use telemetry::HttpServerLayer;
use tower_http::catch_panic::CatchPanicLayer;
use utoipa::openapi::OpenApi;
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::{
    api::{
        Gateway,
        account::handlers as account,
        activity::handlers as activity,
        applications::handlers as applications,
        auth::{handlers as auth, reset},
        communities::handlers as communities,
        connections::{blocks, handlers as connections},
        docs::Docs,
        events::handlers as events,
        export::handlers as export,
        jobs::handlers as jobs,
        live::handlers as live,
        media,
        members::handlers as users,
        messaging::{conversations, messages, unread},
        news::handlers as news,
        notifications::handlers as notifications,
        openapi,
        posts::{comments, handlers as posts, likes, pictures},
        profile::{endorsements, handlers as profile},
        reports::handlers as reports,
        resources::handlers as resources,
        saved_items::handlers as saved,
        search::handlers as search,
        source_status::handlers as status,
    },
    edge::{
        authentication::SignInSentences,
        compression, headers,
        load::{self, RouteLimits},
        origin,
        problem::Problem,
    },
};

/// The message for visitors on routes that have their own sentence in the specification.
pub(crate) const SIGN_IN_SENTENCES: SignInSentences = &[
    ("/api/posts/{id}/likes", "Please sign in to like posts"),
    ("/api/posts/{id}/comments", "Please sign in to comment on posts"),
    ("/api/connections", "Please sign in to connect with other users"),
    ("/api/connections/{id}", "Please sign in to connect with other users"),
];

/// The limits of routes that differ from the usual ones.
pub(crate) const LIMITS: RouteLimits = RouteLimits {
    // A picture is the body or travels in a form; thirty positions and an article are long.
    long_bodies: &[
        (Method::POST, "/api/pictures", 8 << 20),
        (Method::PATCH, "/api/users/{id}", 768 * 1024),
        (Method::PUT, "/api/users/{id}/profile", 256 * 1024),
        (Method::POST, "/api/posts", 256 * 1024),
        (Method::PATCH, "/api/posts/{id}", 256 * 1024),
    ],
    sheddable: &[
        "/api/users/{id}/suggestions",
        "/api/communities",
        "/api/events",
        "/api/jobs/stats/overview",
        "/api/news",
        "/api/news/sources/list",
        "/api/search",
        "/api/status",
    ],
    waiting: &["/api/jobs/refresh", "/api/news/refresh"],
};

/// The API. Its OpenAPI document is generated from these lists.
pub(crate) fn api() -> OpenApiRouter<Arc<Gateway>> {
    OpenApiRouter::with_openapi(openapi::frame()).merge(public()).merge(member())
}

/// The OpenAPI 3.1 document.
#[must_use]
pub fn document() -> OpenApi {
    openapi::complete(api().split_for_parts().1)
}

/// The document as stored in `openapi.json`.
#[must_use]
pub fn document_json() -> String {
    document().to_pretty_json().unwrap_or_default() + "\n"
}

/// Rendered once per process.
static DOCS: LazyLock<Docs> = LazyLock::new(|| Docs::new(document_json()));

/// The routes for every caller. Visitors see what is public; a member may see more.
fn public() -> OpenApiRouter<Arc<Gateway>> {
    OpenApiRouter::new()
        .routes(routes!(auth::register))
        .routes(routes!(auth::login))
        .routes(routes!(auth::logout))
        .routes(routes!(reset::check_username))
        .routes(routes!(reset::reset_password))
        .routes(routes!(posts::list))
        .routes(routes!(posts::one))
        .routes(routes!(likes::list))
        .routes(routes!(comments::list))
        .routes(routes!(users::profile))
        .routes(routes!(activity::list))
        .routes(routes!(endorsements::list))
        .routes(routes!(communities::list))
        .routes(routes!(communities::one))
        .routes(routes!(communities::members))
        .routes(routes!(events::list))
        .routes(routes!(events::one))
        .routes(routes!(events::attendees))
        .routes(routes!(events::calendar))
        .routes(routes!(resources::list))
        .routes(routes!(resources::one))
        .routes(routes!(jobs::list))
        .routes(routes!(jobs::one))
        .routes(routes!(jobs::stats))
        .routes(routes!(jobs::refresh))
        .routes(routes!(news::articles))
        .routes(routes!(news::one))
        .routes(routes!(news::sources))
        .routes(routes!(news::refresh))
        .routes(routes!(search::search))
        .routes(routes!(status::sources))
}

/// The routes for signed-in members. Visitors get 401.
fn member() -> OpenApiRouter<Arc<Gateway>> {
    OpenApiRouter::new()
        .routes(routes!(auth::me))
        .routes(routes!(account::change_password))
        .routes(routes!(account::sessions, account::end_sessions))
        .routes(routes!(account::end_session))
        .routes(routes!(account::recovery_codes, account::renew_recovery_codes))
        .routes(routes!(account::close_account))
        .routes(routes!(posts::create))
        .routes(routes!(posts::update, posts::remove))
        .routes(routes!(pictures::upload))
        .routes(routes!(likes::set, likes::remove))
        .routes(routes!(comments::create))
        .routes(routes!(comments::update, comments::remove))
        .routes(routes!(profile::update))
        .routes(routes!(profile::replace))
        .routes(routes!(endorsements::give, endorsements::withdraw, endorsements::hide))
        .routes(routes!(export::download))
        .routes(routes!(users::connections))
        .routes(routes!(users::suggestions))
        .routes(routes!(users::dismiss))
        .routes(routes!(connections::find, connections::request))
        .routes(routes!(connections::answer, connections::remove))
        .routes(routes!(blocks::list))
        .routes(routes!(blocks::block, blocks::unblock))
        .routes(routes!(communities::create))
        .routes(routes!(communities::update))
        .routes(routes!(communities::set_role))
        .routes(routes!(communities::join, communities::leave))
        .routes(routes!(events::create))
        .routes(routes!(events::update, events::call_off))
        .routes(routes!(events::attend, events::unattend))
        .routes(routes!(resources::suggest))
        .routes(routes!(applications::list))
        .routes(routes!(applications::one, applications::update))
        .routes(routes!(applications::apply))
        .routes(routes!(saved::list))
        .routes(routes!(saved::ids))
        .routes(routes!(saved::save, saved::unsave))
        .routes(routes!(reports::report))
        .routes(routes!(conversations::list, conversations::open))
        .routes(routes!(messages::thread, conversations::clear))
        .routes(routes!(conversations::accept))
        .routes(routes!(messages::send))
        .routes(routes!(messages::read))
        .routes(routes!(messages::typing))
        .routes(routes!(unread::unread))
        .routes(routes!(notifications::list))
        .routes(routes!(notifications::read))
        .routes(routes!(notifications::settings, notifications::update_settings))
        .routes(routes!(live::stream))
}

/// Everything the gateway answers.
pub(crate) fn router(gateway: Arc<Gateway>) -> Router {
    let (api, _) = api().split_for_parts();
    api.route("/api/openapi.json", get(async || DOCS.document()))
        .route("/api/docs", get(async || DOCS.reader()))
        .route("/media/{name}", get(media::picture))
        .fallback(elsewhere)
        .method_not_allowed_fallback(not_allowed)
        .layer(from_fn_with_state(Arc::clone(&gateway), load::bound))
        .layer(from_fn_with_state(Arc::clone(&gateway), load::read_body))
        .layer(DefaultBodyLimit::disable())
        .layer(from_fn_with_state(Arc::clone(&gateway), origin::guard))
        .layer(CatchPanicLayer::custom(|_| Problem::internal().into_response()))
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
            let tags = gateway.previews.tags(&mut parts).await;
            assets.answer(&parts, &tags)
        }
        _ => Problem::not_found("This does not exist.").into_response(),
    }
}

async fn not_allowed() -> Problem {
    Problem::new(StatusCode::METHOD_NOT_ALLOWED, "METHOD_NOT_ALLOWED", "This cannot be done here.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_of_side_cards_are_sheddable_and_writes_are_not() {
        let load = load::Load::new(1, LIMITS);
        for card in ["/api/users/{id}/suggestions", "/api/communities", "/api/events", "/api/search", "/api/status"] {
            assert!(load.is_sheddable(&Method::GET, card), "{card}");
        }
        for main in ["/api/posts", "/api/communities/{id}", "/api/events/{id}", "/api/jobs", "/api/news/{id}"] {
            assert!(!load.is_sheddable(&Method::GET, main), "{main}");
        }
        for list in ["/api/communities", "/api/events"] {
            assert!(!load.is_sheddable(&Method::POST, list), "{list}");
        }
    }
}
