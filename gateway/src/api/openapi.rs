//! The OpenAPI document: what the handlers say about themselves, and what is true of all of them.

use utoipa::{
    OpenApi as _, ToSchema as _,
    openapi::{
        ContentBuilder, Info, OpenApi, OpenApiBuilder, Ref, RefOr, ResponseBuilder,
        path::{Operation, PathItem},
        security::{ApiKey, ApiKeyValue, SecurityScheme},
    },
};

use crate::{
    api::{
        jobs::views::JobLocation,
        live::views::{LiveConversation, LiveMessage, LiveParticipant},
        messaging::views::ConversationFolder,
        posts::requests::FeedSort,
        resources::views::ResourceType,
        search::views as search,
    },
    edge::problem,
};

const DESCRIPTION: &str = "A professional network for law students and legal professionals. Values that are absent \
                           are null, lists without entries are []. Lists go on where `Link: <...>; rel=\"next\"` \
                           says. Every error is application/problem+json with a sentence for people in `error`.";

#[derive(utoipa::OpenApi)]
// utoipa does not find schemas of parameters and of stream events by itself.
#[openapi(components(schemas(
    problem::Body,
    ConversationFolder,
    FeedSort,
    JobLocation,
    LiveConversation,
    LiveMessage,
    LiveParticipant,
    ResourceType,
    search::Kind
)))]
struct Frame;

/// What the document says before any route: a name, a version, the shape of errors, how one signs in.
pub(crate) fn frame() -> OpenApi {
    let mut info = Info::new("Portia", "1");
    info.description = Some(DESCRIPTION.to_owned());
    let mut frame = OpenApiBuilder::from(Frame::openapi()).info(info).build();
    let cookie = SecurityScheme::ApiKey(ApiKey::Cookie(ApiKeyValue::with_description(
        "portia_session",
        "Set by sign-in and registration; named __Host-portia_session over https.",
    )));
    frame.components.get_or_insert_default().add_security_scheme("session", cookie);
    frame
}

/// Adds to the document of the routes what is true of all of them.
pub(crate) fn complete(mut document: OpenApi) -> OpenApi {
    for item in document.paths.paths.values_mut() {
        operations(item).for_each(refuse);
    }
    document
}

/// Each operation of a path.
pub(crate) fn operations(item: &mut PathItem) -> impl Iterator<Item = &mut Operation> {
    let PathItem { get, put, post, delete, patch, .. } = item;
    [get, put, post, delete, patch].into_iter().flatten()
}

/// Any operation can be refused, and always in the same words.
fn refuse(operation: &mut Operation) {
    let content = ContentBuilder::new().schema(Some(Ref::from_schema_name(problem::Body::name()))).build();
    let response =
        ResponseBuilder::new().description("Why it was refused.").content("application/problem+json", content).build();
    operation.responses.responses.insert("default".to_owned(), RefOr::T(response));
}
