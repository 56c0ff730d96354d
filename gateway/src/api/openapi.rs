//! The parts of the OpenAPI document that all operations share.

mod rules;

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
        applications::views::ApplicationFileKind,
        jobs::JobLocation,
        live::views::{
            LiveApplication, LiveCommunity, LiveConnection, LiveConversation, LiveEvent, LiveHello, LiveMessage,
            LiveMessageRef, LiveParticipant, LivePost, LivePostRef, LiveProfile,
        },
        messaging::views::ConversationFolder,
        posts::requests::{FeedKind, FeedSort},
        resources::ResourceType,
        search::views as search,
    },
    edge::problem,
};

const DESCRIPTION: &str = "The API of Portia, a professional network for law students and legal professionals. An \
                           absent value is null, an empty list is []. The next page of a list is in \
                           `Link: <...>; rel=\"next\"`. Errors are application/problem+json with a message for \
                           members in `error`.";

#[derive(utoipa::OpenApi)]
// utoipa does not find schemas of parameters and of stream events by itself.
#[openapi(components(schemas(
    problem::Body,
    ApplicationFileKind,
    ConversationFolder,
    FeedKind,
    FeedSort,
    JobLocation,
    LiveApplication,
    LiveCommunity,
    LiveConnection,
    LiveConversation,
    LiveEvent,
    LiveHello,
    LiveMessage,
    LiveMessageRef,
    LiveParticipant,
    LivePost,
    LivePostRef,
    LiveProfile,
    ResourceType,
    search::Kind
)))]
struct Schemas;

/// The document without routes: name, version, the schema of errors, authentication.
pub(crate) fn base() -> OpenApi {
    let mut info = Info::new("Portia", "1");
    info.description = Some(DESCRIPTION.to_owned());
    let mut document = OpenApiBuilder::from(Schemas::openapi()).info(info).build();
    let cookie = SecurityScheme::ApiKey(ApiKey::Cookie(ApiKeyValue::with_description(
        "portia_session",
        "Set by sign-in and registration; named __Host-portia_session over https.",
    )));
    document.components.get_or_insert_default().add_security_scheme("session", cookie);
    document
}

/// Adds the error response and the rules of fields to every operation.
pub(crate) fn complete(mut document: OpenApi) -> OpenApi {
    for item in document.paths.paths.values_mut() {
        operations(item).for_each(add_error_response);
    }
    rules::add(&mut document);
    document
}

/// Each operation of a path.
pub(crate) fn operations(item: &mut PathItem) -> impl Iterator<Item = &mut Operation> {
    let PathItem { get, put, post, delete, patch, .. } = item;
    [get, put, post, delete, patch].into_iter().flatten()
}

/// Every operation has the same error response.
fn add_error_response(operation: &mut Operation) {
    let content = ContentBuilder::new().schema(Some(Ref::from_schema_name(problem::Body::name()))).build();
    let response = ResponseBuilder::new()
        .description("The request was refused.")
        .content("application/problem+json", content)
        .build();
    operation.responses.responses.insert("default".to_owned(), RefOr::T(response));
}
