//! Every route of the gateway, by the caller it requires.

use std::sync::{Arc, LazyLock};

use axum::{
    Router,
    extract::{Request, State},
    response::{IntoResponse, Response},
    routing::get,
};
use http::{HeaderName, HeaderValue, Method, StatusCode};
use telemetry::HttpServerLayer;
use tower::ServiceBuilder;
use utoipa::openapi::OpenApi;
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::{
    api::{
        account::handlers as account,
        activity::handlers as activity,
        applications::{files as application_files, handlers as applications},
        auth::{handlers as auth, passkeys, reauthentication, reset, totp},
        communities::{admission, handlers as communities, moderation as community_moderation},
        connections::{blocks, follows, handlers as connections},
        docs::Docs,
        events::handlers as events,
        export::handlers as export,
        feed_control::handlers as feed_control,
        jobs::handlers as jobs,
        link_previews::PageTags,
        live::{handlers as live, registration},
        media,
        members::{handlers as users, namesakes},
        messaging::{attachments, conversations, groups, message_changes, message_search, messages, unread},
        moderation::{
            appeals, attachments as reported_attachments, members as moderated_members, reports as moderated_reports,
            statistics as moderation_stats, suspension_appeals,
        },
        news::handlers as news,
        notifications::handlers as notifications,
        onboarding::handlers as onboarding,
        openapi, policy_reports,
        posts::{comment_likes, comments, handlers as posts, likes, link_previews, pdf_files, pictures},
        privacy::handlers as privacy,
        profile::{endorsements, handlers as profile},
        push::handlers as push,
        reports::handlers as reports,
        resources::handlers as resources,
        saved_items::handlers as saved,
        school::handlers as school,
        search::handlers as search,
        source_status::handlers as status,
        state::{AppState, Gateway},
        topics::handlers as topics,
        well_known,
    },
    edge::{
        headers,
        layers::{EdgeLayer, Parts},
        pdf,
        problem::Problem,
        route_attributes::RouteAttributes,
        security_log::SecurityLog,
    },
};

/// The maximum body of a picture upload, in bytes.
const PICTURE: usize = 8 << 20;
/// The maximum body of a form that contains a picture, in bytes.
const PICTURE_IN_FORM: usize = 768 * 1024;
/// The maximum body of an article, or of a profile with thirty positions, in bytes.
const LONG_TEXT: usize = 256 * 1024;

/// The header that tells search engines how they may use a page.
const ROBOTS: HeaderName = HeaderName::from_static("x-robots-tag");

// The messages of the specification for visitors.
const TO_LIKE: &str = "Please sign in to like posts";
const TO_LIKE_COMMENT: &str = "Please sign in to like comments";
const TO_COMMENT: &str = "Please sign in to comment on posts";
const TO_CONNECT: &str = "Please sign in to connect with other users";

/// The API with the attributes of its routes. The OpenAPI document is generated from these lists.
pub(crate) fn api() -> (OpenApiRouter<AppState>, RouteAttributes) {
    let mut attributes = RouteAttributes::default();
    let (public, member) = (public(&mut attributes), member(&mut attributes));
    (OpenApiRouter::with_openapi(openapi::base()).merge(public).merge(member), attributes)
}

/// The OpenAPI 3.1 document.
#[must_use]
pub fn document() -> OpenApi {
    openapi::complete(api().0.split_for_parts().1)
}

/// The document as stored in `openapi.json`.
#[must_use]
pub fn document_json() -> String {
    document().to_pretty_json().unwrap_or_default() + "\n"
}

/// Rendered once per process.
static DOCS: LazyLock<Docs> = LazyLock::new(|| Docs::new(document_json()));

/// The routes for every caller. Visitors see what is public; a member may see more.
fn public(attributes: &mut RouteAttributes) -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(policy_reports::report))
        .routes(routes!(auth::register))
        .routes(routes!(auth::login))
        .routes(routes!(auth::logout))
        .routes(routes!(passkeys::start_sign_in))
        .routes(routes!(passkeys::sign_in))
        .routes(routes!(passkeys::start_reset))
        .routes(routes!(reset::check_username))
        .routes(routes!(reset::check_password))
        .routes(routes!(reset::reset_password))
        .routes(routes!(suspension_appeals::appeal))
        .routes(routes!(posts::list))
        .routes(routes!(posts::get))
        .routes(routes!(pdf_files::download))
        .routes(routes!(likes::list))
        .routes(routes!(comments::list))
        .routes(routes!(comments::get))
        .routes(routes!(comments::replies))
        .routes(routes!(comment_likes::list))
        .routes(attributes.sheddable(routes!(topics::list)))
        .routes(routes!(topics::posts))
        .routes(routes!(users::profile))
        .routes(routes!(namesakes::list))
        .routes(routes!(activity::list))
        .routes(routes!(endorsements::list))
        .routes(attributes.sheddable(routes!(communities::list)))
        .routes(routes!(communities::get))
        .routes(routes!(communities::members))
        .routes(attributes.sheddable(routes!(events::list)))
        .routes(routes!(events::get))
        .routes(routes!(events::attendees))
        .routes(routes!(events::calendar))
        .routes(routes!(resources::list))
        .routes(routes!(resources::get))
        .routes(routes!(jobs::list))
        .routes(routes!(jobs::get))
        .routes(attributes.sheddable(routes!(jobs::stats)))
        .routes(attributes.coalesced(routes!(jobs::refresh)))
        .routes(attributes.sheddable(routes!(news::list)))
        .routes(routes!(news::get))
        .routes(attributes.sheddable(routes!(news::sources)))
        .routes(attributes.coalesced(routes!(news::refresh)))
        .routes(attributes.sheddable(routes!(search::search)))
        .routes(attributes.sheddable(routes!(status::sources)))
}

/// The routes for signed-in members. Visitors get 401. One function per group: an unoptimised build needs 6 KB of stack for each
/// route of a chain.
fn member(attributes: &mut RouteAttributes) -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .merge(member_account(attributes))
        .merge(member_posts(attributes))
        .merge(member_people(attributes))
        .merge(member_work(attributes))
        .merge(moderation())
        .merge(member_conversations())
        .merge(message_attachments(attributes))
}

/// Account, profile and privacy.
fn member_account(attributes: &mut RouteAttributes) -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(auth::me))
        .routes(routes!(account::change_password))
        .routes(routes!(reauthentication::reauthenticate, reauthentication::check))
        .routes(routes!(account::sessions, account::end_sessions))
        .routes(routes!(account::end_session))
        .routes(routes!(account::trusted_browsers))
        .routes(routes!(account::end_trust))
        .routes(routes!(account::recovery_codes, account::renew_recovery_codes))
        .routes(routes!(passkeys::list, passkeys::create))
        .routes(routes!(passkeys::start_registration))
        .routes(routes!(passkeys::start_proof))
        .routes(routes!(passkeys::rename, passkeys::delete))
        .routes(routes!(totp::get, totp::create, totp::delete))
        .routes(routes!(totp::confirm))
        .routes(routes!(account::close_account))
        .routes(attributes.long_body(Method::PATCH, PICTURE_IN_FORM, routes!(profile::update)))
        .routes(attributes.long_body(Method::PUT, LONG_TEXT, routes!(profile::replace)))
        .routes(routes!(endorsements::give, endorsements::withdraw, endorsements::hide))
        .routes(routes!(onboarding::update))
        .routes(routes!(privacy::get, privacy::update))
        .routes(routes!(export::download))
}

/// Posts, comments, reactions, feeds, saved items, topics and reports.
fn member_posts(attributes: &mut RouteAttributes) -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(attributes.long_body(Method::POST, LONG_TEXT, routes!(posts::create)))
        .routes(attributes.long_body(Method::PATCH, LONG_TEXT, routes!(posts::update, posts::delete)))
        .routes(attributes.long_body(Method::POST, PICTURE, routes!(pictures::upload)))
        .routes(attributes.long_body(Method::POST, pdf::MAX_BODY, routes!(pdf_files::upload)))
        .routes(routes!(link_previews::preview))
        .routes(attributes.sign_in(TO_LIKE, routes!(likes::set, likes::delete)))
        .routes(attributes.sign_in(TO_COMMENT, routes!(comments::create)))
        .routes(routes!(comments::update, comments::delete))
        .routes(attributes.sign_in(TO_LIKE_COMMENT, routes!(comment_likes::set, comment_likes::delete)))
        .routes(routes!(feed_control::reasons))
        .routes(routes!(feed_control::hidden_posts))
        .routes(routes!(feed_control::hide, feed_control::unhide))
        .routes(routes!(feed_control::mutes, feed_control::mute))
        .routes(routes!(feed_control::unmute))
        .routes(routes!(saved::list))
        .routes(routes!(saved::ids))
        .routes(routes!(saved::save, saved::unsave))
        .routes(routes!(topics::follow, topics::unfollow))
        .routes(routes!(reports::report))
}

/// Connections, blocks, follows, communities and events.
fn member_people(attributes: &mut RouteAttributes) -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(users::connections))
        .routes(attributes.sheddable(routes!(users::suggestions)))
        .routes(routes!(users::dismiss))
        .routes(attributes.sign_in(TO_CONNECT, routes!(connections::find, connections::request)))
        .routes(attributes.sign_in(TO_CONNECT, routes!(connections::answer, connections::remove)))
        .routes(routes!(blocks::list))
        .routes(routes!(blocks::block, blocks::unblock))
        .routes(routes!(follows::list))
        .routes(routes!(follows::get, follows::follow, follows::unfollow))
        .routes(routes!(communities::create))
        .routes(routes!(communities::update, community_moderation::dissolve))
        .routes(routes!(communities::set_role, community_moderation::remove))
        .routes(routes!(communities::join, communities::leave))
        .routes(routes!(admission::own_invitations))
        .routes(routes!(admission::requests))
        .routes(routes!(admission::approve, admission::decline))
        .routes(routes!(admission::invitations))
        .routes(routes!(admission::invite, admission::withdraw))
        .routes(routes!(community_moderation::bans))
        .routes(routes!(community_moderation::unban))
        .routes(routes!(community_moderation::log))
        .routes(routes!(community_moderation::transfer))
        .routes(routes!(events::create))
        .routes(routes!(events::update, events::cancel))
        .routes(routes!(events::attend, events::unattend))
}

/// Resources and applications.
fn member_work(attributes: &mut RouteAttributes) -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(resources::suggest))
        .routes(routes!(applications::list))
        .routes(routes!(applications::get, applications::update))
        .routes(routes!(applications::apply))
        .routes(attributes.long_body(
            Method::PUT,
            pdf::MAX_BODY,
            routes!(application_files::download, application_files::upload, application_files::delete),
        ))
}

/// Reports, appeals and suspensions; verifications by stewards.
fn moderation() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(moderated_reports::list))
        .routes(routes!(moderated_reports::get))
        .routes(routes!(moderated_reports::decide))
        .routes(routes!(reported_attachments::picture))
        .routes(routes!(reported_attachments::file))
        .routes(routes!(appeals::list))
        .routes(routes!(appeals::decide))
        .routes(routes!(appeals::get, appeals::appeal))
        .routes(routes!(moderated_members::list))
        .routes(routes!(moderated_members::suspend))
        .routes(routes!(moderated_members::restore))
        .routes(routes!(suspension_appeals::list))
        .routes(routes!(suspension_appeals::decide))
        .routes(routes!(moderation_stats::get))
        .routes(routes!(moderation_stats::log))
        .routes(routes!(school::list))
        .routes(routes!(school::verify))
        .routes(routes!(school::withdraw))
        .routes(routes!(school::decisions))
}

/// Conversations, notifications and live events.
fn member_conversations() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(conversations::list, conversations::open))
        .routes(routes!(messages::thread, conversations::clear))
        .routes(routes!(groups::create))
        .routes(routes!(groups::update))
        .routes(routes!(groups::members, groups::add_members))
        .routes(routes!(groups::remove_member))
        .routes(routes!(conversations::accept))
        .routes(routes!(conversations::mute, conversations::unmute))
        .routes(routes!(messages::send))
        .routes(routes!(message_changes::get, message_changes::edit, message_changes::delete))
        .routes(routes!(message_changes::react))
        .routes(routes!(message_search::search))
        .routes(routes!(messages::read))
        .routes(routes!(messages::typing))
        .routes(routes!(unread::unread))
        .routes(routes!(notifications::list))
        .routes(routes!(notifications::read))
        .routes(routes!(notifications::settings, notifications::update_settings))
        .routes(routes!(push::settings))
        .routes(routes!(push::subscribe))
        .routes(routes!(push::unsubscribe))
        .routes(routes!(live::stream))
        .routes(routes!(registration::set))
}

/// Pictures and files of messages.
fn message_attachments(attributes: &mut RouteAttributes) -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(attributes.long_body(Method::POST, PICTURE, routes!(attachments::upload_picture)))
        .routes(attributes.long_body(Method::POST, pdf::MAX_BODY, routes!(attachments::upload_file)))
        .routes(routes!(attachments::picture))
        .routes(routes!(attachments::file))
}

/// The router of the gateway: `api`, its documentation, pictures, the web client, and the layers around them.
pub(crate) fn router(api: OpenApiRouter<AppState>, gateway: AppState) -> Router {
    let (api, _) = api.split_for_parts();
    let limits = gateway.0.limits.clone();
    let layers = EdgeLayer::new(Parts {
        authentication: gateway.0.authentication.clone(),
        limits: limits.clone(),
        load: gateway.0.load.clone(),
        origin: gateway.0.origin.clone(),
        security_log: SecurityLog::new(limits.clone(), gateway.0.authentication.cookies.clone()),
    });
    let telemetry = HttpServerLayer::new("gateway", move |extensions| limits.is_from_trusted_hop(extensions));
    api.route("/api/openapi.json", get(async || DOCS.document()))
        .route("/api/docs", get(async || DOCS.reader()))
        .route("/media/{name}", get(media::picture))
        .route("/media/signed/{name}", get(media::signed_picture))
        .route("/.well-known/security.txt", get(well_known::security_txt))
        .route("/.well-known/change-password", get(well_known::change_password))
        .fallback(web_client)
        .method_not_allowed_fallback(method_not_allowed)
        // One layer: axum boxes and clones each of several for every request.
        .layer(ServiceBuilder::new().layer(telemetry).layer(layers))
        .with_state(gateway)
}

/// The response without a route: 404 below `/api`, else a file or the page of the web client.
async fn web_client(State(gateway): State<Arc<Gateway>>, request: Request) -> Response {
    match &gateway.assets {
        Some(assets) if !headers::is_api(request.uri().path()) => {
            let (mut parts, _) = request.into_parts();
            let PageTags { html, noindex } = gateway.previews.tags(&mut parts).await;
            let mut response = assets.answer(&parts, &html, gateway.authentication.cookies.sent_in(&parts.headers));
            if noindex {
                response.headers_mut().insert(ROBOTS, HeaderValue::from_static("noindex"));
            }
            response
        }
        _ => Problem::not_found("This does not exist.").into_response(),
    }
}

async fn method_not_allowed() -> Problem {
    Problem::new(StatusCode::METHOD_NOT_ALLOWED, "METHOD_NOT_ALLOWED", "This cannot be done here.")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edge::load::Load;

    #[test]
    fn reads_of_side_cards_are_sheddable_and_writes_are_not() {
        let load = Load::new(1, Arc::new(api().1));
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
