//! Search in one kind or in all kinds, with one round of calls.

use std::{collections::HashMap, sync::Arc};

use axum::extract::State;
use http::Uri;
use portia_proto::{
    feed::SearchPostsRequest,
    jobs::SearchJobsRequest,
    news::{SearchArticlesRequest, SearchResourcesRequest},
    profile::SearchMembersRequest,
    social_graph::{BatchFindConnectionsRequest, SearchCommunitiesRequest},
};
use rpc::Call;
use serde::Deserialize;
use tonic::Status;
use utoipa::IntoParams;

use crate::api::rate_limits;
use crate::{
    api::{
        connections::views::Connection,
        posts::views::{Post, people_of},
        search::views::{Kind, Person, SearchResults},
        state::Gateway,
    },
    edge::{
        answer::ApiResponse,
        authentication::Caller,
        extract::{Params, unless_empty},
        limits::Client,
        problem::Problem,
    },
};

/// Default and maximum number of entries per kind in a search of all kinds.
const DEFAULT_PER_KIND: i32 = 3;
const MAX_PER_KIND: i32 = 5;

/// The query of `search`.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct SearchQuery {
    /// The search text, at most 200 characters.
    #[serde(default)]
    #[param(required, min_length = 1, max_length = 200)]
    q: String,
    /// Only this type. A few results of every type when absent.
    #[serde(default, rename = "type", deserialize_with = "unless_empty")]
    #[param(rename = "type", inline = false, nullable = false)]
    kind: Option<Kind>,
    /// The cursor of the next page, from the `Link` header of the previous one. Only with `type`.
    #[serde(default)]
    #[param(required = false)]
    cursor: String,
    /// The number of entries per page: at most 100, 20 by default. Without `type`: at most 5 per type, 3 by default.
    #[serde(default)]
    #[param(required = false)]
    limit: i32,
}

/// The part of a query that every service receives.
struct ServiceQuery {
    query: String,
    page_size: i32,
    page_token: String,
}

/// A page of one kind: entries, next page token, matched terms.
type Page<T> = (Vec<T>, String, Vec<String>);

impl ServiceQuery {
    fn parse(query: SearchQuery) -> Result<(Self, Option<Kind>), Problem> {
        let SearchQuery { q: query, kind, cursor: page_token, limit } = query;
        let page_size = match kind {
            Some(_) => limit,
            None if !page_token.is_empty() => {
                return Err(Problem::field("cursor", "Ask for one type to go on."));
            }
            None if limit == 0 => DEFAULT_PER_KIND,
            None => limit.min(MAX_PER_KIND),
        };
        Ok((Self { query, page_size, page_token }, kind))
    }
}

/// Searches all types or one type. Tolerates spelling errors, and finds only what the caller may see. In a search of all
/// types, the lists of an unavailable service are null, and `X-Degraded` names the service.
#[utoipa::path(get, path = "/api/search", operation_id = "search", tag = "search", params(SearchQuery),
    responses((status = 200, description = "The results, best first. `Link` contains the URL of the next page of one type.",
        body = SearchResults)))]
pub async fn search(
    State(gateway): State<Arc<Gateway>>,
    caller: Caller,
    client: Client,
    uri: Uri,
    Params(query): Params<SearchQuery>,
) -> Result<ApiResponse<SearchResults>, Problem> {
    match caller.member {
        Some(member) => gateway.limits.take(rate_limits::SEARCHES, &member.to_string()).await?,
        None => gateway.limits.take_from(rate_limits::VISITOR_SEARCHES, &client).await?,
    }
    let (service_query, kind) = ServiceQuery::parse(query)?;
    let (call, is_searched) = (&caller.call, |expected: Kind| kind.is_none_or(|kind| kind == expected));
    let (people, posts, communities, resources, jobs, news) = tokio::join!(
        call_if(is_searched(Kind::People), members(&gateway, call, &service_query)),
        call_if(is_searched(Kind::Posts), posts(&gateway, call, &service_query)),
        call_if(is_searched(Kind::Communities), communities(&gateway, call, &service_query)),
        call_if(is_searched(Kind::Resources), resources(&gateway, call, &service_query)),
        call_if(is_searched(Kind::Jobs), jobs(&gateway, call, &service_query)),
        call_if(is_searched(Kind::News), articles(&gateway, call, &service_query)),
    );
    let mut responses = Responses { single_kind: kind.is_some(), ..Responses::default() };
    let people = responses.part("profile", people)?;
    let posts = responses.part("feed", posts)?;
    let communities = responses.part("social-graph", communities)?;
    let resources = responses.part("news", resources)?;
    let jobs = responses.part("jobs", jobs)?;
    let news = responses.part("news", news)?;
    let posts = match posts {
        Some(posts) => {
            let authors = gateway.members.cards(call, posts.iter().flat_map(people_of)).await;
            responses.unavailable.extend(authors.degraded());
            let signer = gateway.addresses.given_to(caller.member);
            Some(posts.into_iter().map(|post| Post::of(post, &authors, signer)).collect())
        }
        None => None,
    };
    let people = match people {
        Some(people) => Some(
            with_connections(&gateway, &caller, people.into_iter().map(Into::into).collect(), &mut responses).await,
        ),
        None => None,
    };
    let Responses { next, mut terms, unavailable, .. } = responses;
    terms.sort();
    terms.dedup_by(|later, earlier| later.starts_with(earlier.as_str()));
    let found = SearchResults {
        people,
        posts,
        communities: communities.map(|communities| communities.into_iter().map(Into::into).collect()),
        resources: resources.map(|resources| resources.into_iter().map(Into::into).collect()),
        jobs: jobs.map(|jobs| jobs.into_iter().map(Into::into).collect()),
        news: news.map(|news| news.into_iter().map(Into::into).collect()),
        terms,
    };
    Ok(ApiResponse::ok(found).next_page(&uri, &next).degraded_by(&unavailable))
}

/// Adds the connection between the caller and each person, if the query names people only.
async fn with_connections(
    gateway: &Gateway,
    caller: &Caller,
    mut people: Vec<Person>,
    responses: &mut Responses,
) -> Vec<Person> {
    let Some(me) = caller.member.filter(|_| responses.single_kind && !people.is_empty()) else { return people };
    let member_ids = people.iter().map(|person| person.id.clone()).collect();
    match connections(gateway, &caller.call, BatchFindConnectionsRequest { member_ids }).await {
        Ok(connections) => {
            let me = me.to_string();
            let mut of: HashMap<String, _> =
                connections.into_iter().map(|found| (Connection::other(&found, &me).to_owned(), found)).collect();
            for person in &mut people {
                person.connection = Some(of.remove(&person.id).map(Connection::from));
            }
        }
        // Each button requests its own state then.
        Err(_) => responses.unavailable.push("social-graph"),
    }
    people
}

async fn connections(
    gateway: &Gateway,
    call: &Call,
    request: BatchFindConnectionsRequest,
) -> Result<Vec<portia_proto::social_graph::Connection>, Status> {
    let answer = gateway.clients.graph().batch_find_connections(call.request(request)?).await?;
    Ok(answer.into_inner().connections)
}

/// The state shared by the responses of the services.
#[derive(Default)]
struct Responses {
    /// The query names one kind: without its service the request fails.
    single_kind: bool,
    next: String,
    terms: Vec<String>,
    unavailable: Vec<&'static str>,
}

impl Responses {
    fn part<T>(
        &mut self,
        service: &'static str,
        result: Option<Result<Page<T>, Status>>,
    ) -> Result<Option<Vec<T>>, Problem> {
        let Some(result) = result else { return Ok(None) };
        match result.map_err(|status| Problem::from(status).renamed("query", "q")) {
            Ok((rows, next, mut terms)) => {
                self.terms.append(&mut terms);
                if self.single_kind {
                    self.next = next;
                }
                Ok(Some(rows))
            }
            Err(problem) if problem.is_outage() && !self.single_kind => {
                self.unavailable.push(service);
                Ok(None)
            }
            Err(problem) => Err(problem),
        }
    }
}

async fn call_if<T>(is_searched: bool, call: impl Future<Output = T>) -> Option<T> {
    if is_searched { Some(call.await) } else { None }
}

/// One call per kind.
macro_rules! kinds {
    ($($kind:ident: $service:ident.$method:ident($request:ident) -> $found:ty;)+) => {$(
        async fn $kind(gateway: &Gateway, call: &Call, service_query: &ServiceQuery) -> Result<Page<$found>, Status> {
            let ServiceQuery { query, page_size, page_token } = service_query;
            let (query, page_token) = (query.clone(), page_token.clone());
            let request = call.request($request { query, page_size: *page_size, page_token })?;
            let page = gateway.clients.$service().$method(request).await?.into_inner();
            Ok((page.$kind, page.next_page_token, page.terms))
        }
    )+};
}

kinds! {
    posts: feed.search_posts(SearchPostsRequest) -> portia_proto::feed::Post;
    communities: graph.search_communities(SearchCommunitiesRequest) -> portia_proto::social_graph::Community;
    resources: news.search_resources(SearchResourcesRequest) -> portia_proto::news::Resource;
    jobs: jobs.search_jobs(SearchJobsRequest) -> portia_proto::jobs::Job;
    articles: news.search_articles(SearchArticlesRequest) -> portia_proto::news::Article;
    members: profile.search_members(SearchMembersRequest) -> portia_proto::profile::FoundMember;
}
