//! Saved items: feed stores the references, their owners return the entities, in one round of calls.

use std::{collections::HashMap, sync::Arc};

use axum::extract::{FromRequestParts, Path, State};
use http::{StatusCode, Uri, request::Parts};
use portia_proto::{
    feed::{self, BatchGetPostsRequest, ListSavedItemsRequest, SaveItemRequest, UnsaveItemRequest},
    jobs::{BatchGetJobsRequest, GetJobRequest},
    news::{BatchGetArticlesRequest, BatchGetResourcesRequest, GetArticleRequest, GetResourceRequest},
    social_graph::{BatchGetEventsRequest, GetEventRequest},
};
use primitives::ids;
use rpc::Call;
use serde::Deserialize;
use tonic::Status;
use utoipa::IntoParams;

use crate::api::ids::{OfArticle, OfEvent, OfJob, OfPost, OfResource};
use crate::api::rate_limits;
use crate::edge::limits::Limits;
use crate::edge::upstreams::FeedClient;
use crate::{
    api::{
        events::views::Event,
        posts::views::{self as posts, Post},
        saved_items::views::{SavedId, SavedItem, SavedKind},
        state::Gateway,
    },
    edge::{
        answer::ApiResponse,
        authentication::Member,
        extract::{Noun, Params, unless_empty},
        problem::Problem,
        timestamps::required_moment,
    },
};

/// The maximum page size: the maximum of ids in one batch request of an owner.
const MAX_PAGE: i32 = 100;
/// The maximum of saved items of a member.
const MAX_ITEMS: i32 = 1_000;
/// The prefix of resources that are part of the web client.
const BUILT_IN: &str = "builtin-";

/// The query of `listSavedItems`.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ListSavedItemsQuery {
    /// Only items of this kind. All kinds when absent or empty.
    #[serde(default, deserialize_with = "unless_empty")]
    #[param(inline = false, nullable = false)]
    kind: Option<SavedKind>,
    /// The cursor of the next page, from the `Link` header of the previous one.
    #[serde(default)]
    #[param(required = false)]
    cursor: String,
    /// The number of entries per page, at most 100; 20 by default.
    #[serde(default)]
    #[param(required = false)]
    limit: i32,
}

/// Lists the saved items of the signed-in member, last saved first. While a service is unavailable, its items are missing
/// and `X-Degraded` names the service.
#[utoipa::path(get, path = "/api/saved-items", operation_id = "listSavedItems", tag = "saved", params(ListSavedItemsQuery),
    security(("session" = [])),
    responses((status = 200, description = "A page of the list. `Link` contains the URL of the next page.", body = [SavedItem])))]
pub async fn list(
    State(gateway): State<Arc<Gateway>>,
    member: Member,
    uri: Uri,
    Params(query): Params<ListSavedItemsQuery>,
) -> Result<ApiResponse<Vec<SavedItem>>, Problem> {
    let kind = query.kind.map_or(feed::SavedKind::Unspecified, Into::into).into();
    let request = ListSavedItemsRequest { kind, page_size: query.limit.min(MAX_PAGE), page_token: query.cursor };
    let page = gateway.clients.feed().list_saved_items(member.call.request(request)?).await?.into_inner();
    let saved: Vec<_> = page.items.iter().filter_map(|item| Some((SavedId::of(item)?, item.saved_at))).collect();
    let ids = |kind| {
        let of_kind = saved.iter().map(|(item, _)| item).filter(|item| item.kind == kind);
        of_kind.map(|item| item.id.clone()).filter(|id| !id.starts_with(BUILT_IN)).collect()
    };
    let call = &member.call;
    let (posts, jobs, articles, resources, events) = tokio::join!(
        posts(&gateway, call, ids(SavedKind::Post)),
        jobs(&gateway, call, ids(SavedKind::Job)),
        articles(&gateway, call, ids(SavedKind::Article)),
        resources(&gateway, call, ids(SavedKind::Resource)),
        events(&gateway, call, ids(SavedKind::Event)),
    );
    let mut owners = OwnerResponses { single_kind: query.kind.is_some(), ..OwnerResponses::default() };
    let mut posts = owners.part(SavedKind::Post, "feed", posts)?;
    let mut jobs = owners.part(SavedKind::Job, "jobs", jobs)?;
    let mut articles = owners.part(SavedKind::Article, "news", articles)?;
    let mut resources = owners.part(SavedKind::Resource, "news", resources)?;
    let mut events = owners.part(SavedKind::Event, "social-graph", events)?;
    let shown = posts.values().flat_map(posts::people_of).chain(events.values().flat_map(Event::members));
    let people = gateway.members.cards(call, shown).await;
    let OwnerResponses { missing, mut unavailable, .. } = owners;
    unavailable.extend(people.degraded());
    let signer = gateway.addresses.given_to(member.id);
    let items = saved.into_iter().filter(|(item, _)| !missing.contains(&item.kind)).map(|(item, saved_at)| {
        let SavedId { kind, id } = &item;
        let is_kind = |expected: SavedKind| *kind == expected;
        SavedItem {
            saved_at: required_moment(saved_at),
            post: is_kind(SavedKind::Post)
                .then(|| posts.remove(id))
                .flatten()
                .map(|post| Post::of(post, &people, signer)),
            job: is_kind(SavedKind::Job).then(|| jobs.remove(id)).flatten().map(Into::into),
            article: is_kind(SavedKind::Article).then(|| articles.remove(id)).flatten().map(Into::into),
            resource: is_kind(SavedKind::Resource).then(|| resources.remove(id)).flatten().map(Into::into),
            event: is_kind(SavedKind::Event)
                .then(|| events.remove(id))
                .flatten()
                .map(|event| Event::of(event, &people)),
            item,
        }
    });
    Ok(ApiResponse::ok(items.collect()).next_page(&uri, &page.next_page_token).degraded_by(&unavailable))
}

/// The state shared by the responses of the owners.
#[derive(Default)]
struct OwnerResponses {
    /// The query names one kind: without its owner the request fails.
    single_kind: bool,
    /// Kinds whose owner is unavailable.
    missing: Vec<SavedKind>,
    unavailable: Vec<&'static str>,
}

impl OwnerResponses {
    fn part<T>(
        &mut self,
        kind: SavedKind,
        owner: &'static str,
        result: Result<HashMap<String, T>, Status>,
    ) -> Result<HashMap<String, T>, Problem> {
        match result.map_err(Problem::from) {
            Ok(entities) => Ok(entities),
            Err(problem) if problem.is_outage() && !self.single_kind => {
                self.missing.push(kind);
                self.unavailable.push(owner);
                Ok(HashMap::new())
            }
            Err(problem) => Err(problem),
        }
    }
}

/// The batch request of one kind, unless the page has none of it.
macro_rules! owners {
    ($($entities:ident: $service:ident.$method:ident($request:ident { $ids:ident }) -> $entity:ty;)+) => {$(
        async fn $entities(gateway: &Gateway, call: &Call, ids: Vec<String>) -> Result<HashMap<String, $entity>, Status> {
            if ids.is_empty() {
                return Ok(HashMap::new());
            }
            let request = call.request($request { $ids: ids })?;
            let answer = gateway.clients.$service().$method(request).await?.into_inner();
            Ok(answer.$entities.into_iter().map(|entity| (entity.id.clone(), entity)).collect())
        }
    )+};
}

owners! {
    posts: feed.batch_get_posts(BatchGetPostsRequest { post_ids }) -> feed::Post;
    jobs: jobs.batch_get_jobs(BatchGetJobsRequest { job_ids }) -> portia_proto::jobs::Job;
    articles: news.batch_get_articles(BatchGetArticlesRequest { article_ids }) -> portia_proto::news::Article;
    resources: news.batch_get_resources(BatchGetResourcesRequest { resource_ids }) -> portia_proto::news::Resource;
    events: graph.batch_get_events(BatchGetEventsRequest { event_ids }) -> portia_proto::social_graph::Event;
}

/// Lists the ids of all saved items, to mark saved entities.
#[utoipa::path(get, path = "/api/saved-items/ids", operation_id = "listSavedIds", tag = "saved",
    security(("session" = [])),
    responses((status = 200, description = "At most 1,000 ids, last saved first.", body = [SavedId])))]
pub async fn ids(State(mut feed): State<FeedClient>, member: Member) -> Result<ApiResponse<Vec<SavedId>>, Problem> {
    let request = ListSavedItemsRequest { page_size: MAX_ITEMS, ..ListSavedItemsRequest::default() };
    let page = feed.list_saved_items(member.call.request(request)?).await?.into_inner();
    Ok(ApiResponse::ok(page.items.iter().filter_map(SavedId::of).collect()))
}

/// The `{kind}` and `{id}` of a path. An invalid id is answered with 404.
pub struct ItemPath(SavedId);

impl<S: Send + Sync> FromRequestParts<S> for ItemPath {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let raw = Path::<(SavedKind, String)>::from_request_parts(parts, state).await;
        let Path((kind, raw)) = raw.map_err(|_| Problem::not_found("This does not exist."))?;
        let built_in = kind == SavedKind::Resource && is_built_in(&raw);
        let id = if built_in { Some(raw) } else { ids::parse("id", &raw).ok().map(|id| id.to_string()) };
        let id = id.ok_or(Problem::not_found(missing(kind)))?;
        Ok(Self(SavedId { kind, id }))
    }
}

/// Whether the resource is part of the web client. Only the client knows which ones exist.
fn is_built_in(id: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    id.strip_prefix(BUILT_IN).is_some_and(|name| (1..=32).contains(&name.len()) && name.bytes().all(plain))
}

const fn missing(kind: SavedKind) -> &'static str {
    match kind {
        SavedKind::Post => OfPost::MISSING,
        SavedKind::Job => OfJob::MISSING,
        SavedKind::Article => OfArticle::MISSING,
        SavedKind::Resource => OfResource::MISSING,
        SavedKind::Event => OfEvent::MISSING,
    }
}

/// Saves an item. Repeated requests have no effect.
#[utoipa::path(put, path = "/api/saved-items/{kind}/{id}", operation_id = "saveItem", tag = "saved",
    security(("session" = [])),
    params(("kind" = SavedKind, Path, description = "The kind of item."),
        ("id" = String, Path, description = "The id of the item; `builtin-<name>` for a resource that is part of the client.")),
    responses((status = 204, description = "The item is saved.")))]
pub async fn save(
    State(gateway): State<Arc<Gateway>>,
    member: Member,
    ItemPath(item): ItemPath,
) -> Result<StatusCode, Problem> {
    member.limit(&gateway.limits, rate_limits::REACTIONS).await?;
    ensure_item_exists(&gateway, &member.call, &item).await?;
    let request = SaveItemRequest { kind: feed::SavedKind::from(item.kind).into(), id: item.id };
    gateway.clients.feed().save_item(member.call.request(request)?).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Checks with the owner that the entity exists; feed checks posts itself.
async fn ensure_item_exists(gateway: &Gateway, call: &Call, item: &SavedId) -> Result<(), Problem> {
    let (services, id) = (&gateway.clients, item.id.clone());
    match item.kind {
        SavedKind::Post => {}
        SavedKind::Resource if id.starts_with(BUILT_IN) => {}
        SavedKind::Job => drop(services.jobs().get_job(call.request(GetJobRequest { job_id: id })?).await?),
        SavedKind::Article => {
            drop(services.news().get_article(call.request(GetArticleRequest { article_id: id })?).await?);
        }
        SavedKind::Resource => {
            drop(services.news().get_resource(call.request(GetResourceRequest { resource_id: id })?).await?);
        }
        SavedKind::Event => drop(services.graph().get_event(call.request(GetEventRequest { event_id: id })?).await?),
    }
    Ok(())
}

/// Removes a saved item. Succeeds when it is not saved too.
#[utoipa::path(delete, path = "/api/saved-items/{kind}/{id}", operation_id = "unsaveItem", tag = "saved",
    security(("session" = [])),
    params(("kind" = SavedKind, Path, description = "The kind of item."),
        ("id" = String, Path, description = "The id of the item; `builtin-<name>` for a resource that is part of the client.")),
    responses((status = 204, description = "The item is not saved.")))]
pub async fn unsave(
    State(mut feed): State<FeedClient>,
    State(limits): State<Limits>,
    member: Member,
    ItemPath(item): ItemPath,
) -> Result<StatusCode, Problem> {
    member.limit(&limits, rate_limits::REACTIONS).await?;
    let request = UnsaveItemRequest { kind: feed::SavedKind::from(item.kind).into(), id: item.id };
    feed.unsave_item(member.call.request(request)?).await?;
    Ok(StatusCode::NO_CONTENT)
}
