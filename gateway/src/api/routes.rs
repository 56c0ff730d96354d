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
        applications::{files as application_files, handlers as applications},
        auth::{handlers as auth, passkeys, reauthentication, reset, totp},
        communities::handlers as communities,
        connections::handlers as connections,
        docs::Docs,
        events::handlers as events,
        export::handlers as export,
        feed_control::handlers as feed_control,
        generated, jobs,
        link_previews::PageTags,
        live::{handlers as live, registration},
        media,
        members::handlers as users,
        messaging::{attachments, conversations, groups, message_changes, messages},
        moderation::{
            attachments as reported_attachments, members as moderated_members, reports as moderated_reports,
            suspension_appeals,
        },
        news::handlers as news,
        notifications::handlers as notifications,
        onboarding::handlers as onboarding,
        openapi, policy_reports,
        posts::{comments, handlers as posts, likes, link_previews, pdf_files, pictures},
        profile::handlers as profile,
        push,
        reports::handlers as reports,
        saved_items::handlers as saved,
        school,
        search::handlers as search,
        source_status as status,
        state::{AppState, Gateway},
        topics, well_known,
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
        .routes(routes!(generated::feed::list_reactions))
        .routes(routes!(comments::list))
        .routes(routes!(generated::feed::get_comment))
        .routes(routes!(generated::feed::list_replies))
        .routes(routes!(generated::feed::list_comment_reactions))
        .routes(attributes.sheddable(routes!(generated::feed::list_topics)))
        .routes(routes!(topics::posts))
        .routes(routes!(users::profile))
        .routes(routes!(generated::profile::list_namesakes))
        .routes(routes!(generated::feed::list_activity))
        .routes(routes!(generated::profile::list_endorsements))
        .routes(attributes.sheddable(routes!(generated::social_graph::list_communities)))
        .routes(routes!(generated::social_graph::get_community))
        .routes(routes!(generated::social_graph::list_members))
        .routes(attributes.sheddable(routes!(generated::social_graph::list_events)))
        .routes(routes!(generated::social_graph::get_event))
        .routes(routes!(generated::social_graph::list_attendees))
        .routes(routes!(events::calendar))
        .routes(routes!(generated::news::list_resources))
        .routes(routes!(generated::news::get_resource))
        .routes(routes!(generated::jobs::list_jobs))
        .routes(routes!(generated::jobs::get_job))
        .routes(attributes.sheddable(routes!(generated::jobs::get_stats)))
        .routes(attributes.coalesced(routes!(jobs::refresh)))
        .routes(attributes.sheddable(routes!(news::list)))
        .routes(routes!(generated::news::get_article))
        .routes(attributes.sheddable(routes!(generated::news::list_sources)))
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
        .routes(routes!(generated::auth::list_sessions, account::end_sessions))
        .routes(routes!(account::end_session))
        .routes(routes!(generated::auth::list_trusted_browsers))
        .routes(routes!(generated::auth::delete_trusted_browser))
        .routes(routes!(generated::auth::get_recovery_codes, account::renew_recovery_codes))
        .routes(routes!(generated::auth::list_passkeys, passkeys::create))
        .routes(routes!(passkeys::start_registration))
        .routes(routes!(passkeys::start_proof))
        .routes(routes!(generated::auth::update_passkey, generated::auth::delete_passkey))
        .routes(routes!(generated::auth::get_totp, totp::create, generated::auth::delete_totp))
        .routes(routes!(generated::auth::confirm_totp))
        .routes(routes!(account::close_account))
        .routes(attributes.long_body(Method::PATCH, PICTURE_IN_FORM, routes!(profile::update)))
        .routes(attributes.long_body(Method::PUT, LONG_TEXT, routes!(profile::replace)))
        .routes(routes!(
            generated::profile::endorse_skill,
            generated::profile::withdraw_endorsement,
            generated::profile::hide_endorsement
        ))
        .routes(routes!(onboarding::update))
        .routes(routes!(generated::profile::get_privacy_settings, generated::profile::update_privacy_settings))
        .routes(routes!(export::download))
}

/// Posts, comments, reactions, feeds, saved items, topics and reports.
fn member_posts(attributes: &mut RouteAttributes) -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(attributes.long_body(Method::POST, LONG_TEXT, routes!(posts::create)))
        .routes(attributes.long_body(Method::PATCH, LONG_TEXT, routes!(posts::update, generated::feed::delete_post)))
        .routes(attributes.long_body(Method::POST, PICTURE, routes!(pictures::upload)))
        .routes(attributes.long_body(Method::POST, pdf::MAX_BODY, routes!(pdf_files::upload)))
        .routes(routes!(link_previews::preview))
        .routes(attributes.sign_in(TO_LIKE, routes!(likes::set, generated::feed::remove_reaction)))
        .routes(attributes.sign_in(TO_COMMENT, routes!(comments::create)))
        .routes(routes!(generated::feed::update_comment, generated::feed::delete_comment))
        .routes(
            attributes
                .sign_in(TO_LIKE_COMMENT, routes!(likes::set_on_comment, generated::feed::remove_comment_reaction)),
        )
        .routes(routes!(generated::feed::list_post_reasons))
        .routes(routes!(feed_control::hidden_posts))
        .routes(routes!(generated::feed::hide_post, generated::feed::unhide_post))
        .routes(routes!(generated::feed::list_mutes, feed_control::mute))
        .routes(routes!(generated::feed::delete_mute))
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
        .routes(attributes.sheddable(routes!(generated::social_graph::list_suggestions)))
        .routes(routes!(generated::social_graph::dismiss_suggestion))
        .routes(attributes.sign_in(TO_CONNECT, routes!(connections::find, connections::request)))
        .routes(
            attributes.sign_in(TO_CONNECT, routes!(connections::answer, generated::social_graph::remove_connection)),
        )
        .routes(routes!(generated::social_graph::list_blocks))
        .routes(routes!(connections::block, generated::social_graph::unblock_member))
        .routes(routes!(generated::social_graph::list_follows))
        .routes(routes!(
            generated::social_graph::get_follow,
            connections::follow,
            generated::social_graph::unfollow_member
        ))
        .routes(routes!(generated::social_graph::create_community))
        .routes(routes!(communities::update, generated::social_graph::dissolve_community))
        .routes(routes!(generated::social_graph::set_member_role, generated::social_graph::remove_member))
        .routes(routes!(generated::social_graph::join_community, communities::leave))
        .routes(routes!(generated::social_graph::list_own_invitations))
        .routes(routes!(generated::social_graph::list_join_requests))
        .routes(routes!(communities::approve, communities::decline))
        .routes(routes!(generated::social_graph::list_invitations))
        .routes(routes!(generated::social_graph::invite_member, generated::social_graph::withdraw_invitation))
        .routes(routes!(generated::social_graph::list_bans))
        .routes(routes!(generated::social_graph::unban_member))
        .routes(routes!(generated::social_graph::list_community_log))
        .routes(routes!(generated::social_graph::transfer_community))
        .routes(routes!(generated::social_graph::create_event))
        .routes(routes!(events::update, generated::social_graph::cancel_event))
        .routes(routes!(generated::social_graph::attend_event, generated::social_graph::unattend_event))
}

/// Resources and applications.
fn member_work(attributes: &mut RouteAttributes) -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(generated::news::suggest_resource))
        .routes(routes!(generated::jobs::list_my_applications))
        .routes(routes!(applications::get, generated::jobs::update_application))
        .routes(routes!(generated::jobs::apply))
        .routes(attributes.long_body(
            Method::PUT,
            pdf::MAX_BODY,
            routes!(application_files::download, application_files::upload, application_files::delete),
        ))
}

/// Reports, appeals and suspensions; verifications by stewards.
fn moderation() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(generated::feed::list_reports))
        .routes(routes!(moderated_reports::get))
        .routes(routes!(generated::feed::decide_report))
        .routes(routes!(reported_attachments::picture))
        .routes(routes!(reported_attachments::file))
        .routes(routes!(generated::feed::list_appeals))
        .routes(routes!(generated::feed::decide_appeal))
        .routes(routes!(generated::feed::get_removal, generated::feed::appeal_removal))
        .routes(routes!(generated::auth::list_suspended_members))
        .routes(routes!(moderated_members::suspend))
        .routes(routes!(generated::auth::restore_member))
        .routes(routes!(suspension_appeals::list))
        .routes(routes!(suspension_appeals::decide))
        .routes(routes!(generated::feed::get_moderation_stats))
        .routes(routes!(generated::auth::list_moderation_log))
        .routes(routes!(generated::profile::list_school_members))
        .routes(routes!(generated::profile::verify_member))
        .routes(routes!(school::withdraw))
        .routes(routes!(generated::profile::list_verification_decisions))
}

/// Conversations, notifications and live events.
fn member_conversations() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(conversations::list, conversations::open))
        .routes(routes!(messages::thread, generated::messaging::clear_conversation))
        .routes(routes!(groups::create))
        .routes(routes!(groups::update))
        .routes(routes!(generated::messaging::list_group_members, groups::add_members))
        .routes(routes!(generated::messaging::remove_group_member))
        .routes(routes!(conversations::accept))
        .routes(routes!(conversations::mute, conversations::unmute))
        .routes(routes!(messages::send))
        .routes(routes!(message_changes::get, message_changes::edit, generated::messaging::delete_message))
        .routes(routes!(message_changes::react))
        .routes(routes!(generated::messaging::search_messages))
        .routes(routes!(generated::messaging::mark_read))
        .routes(routes!(messages::typing))
        .routes(routes!(conversations::unread))
        .routes(routes!(generated::messaging::list_notifications))
        .routes(routes!(notifications::read))
        .routes(routes!(notifications::settings, notifications::update_settings))
        .routes(routes!(generated::messaging::get_push_settings))
        .routes(routes!(push::subscribe))
        .routes(routes!(generated::messaging::delete_push_subscription))
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
