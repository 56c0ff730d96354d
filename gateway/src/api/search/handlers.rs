//! Searching everything, or one kind of it, in one round of calls.

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
        Gateway,
        connections::views::Connection,
        posts::views::{Post, people_of},
        search::views::{Kind, Person, SearchResults},
    },
    edge::{
        answer::ApiResponse,
        authentication::Caller,
        extract::{Params, unless_empty},
        limits::Client,
        problem::Problem,
    },
};

/// Entries of each kind where all are asked for, when nothing else is said, and at most.
const FEW: i32 = 3;
const MOST_OF_ALL: i32 = 5;

/// What is looked for.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Which {
    /// The words, at most 200 characters.
    #[serde(default)]
    #[param(max_length = 200)]
    q: String,
    /// Only this kind; all of them, a few of each, when left out.
    #[serde(default, rename = "type", deserialize_with = "unless_empty")]
    #[param(rename = "type", inline = false, nullable = false)]
    kind: Option<Kind>,
    /// Where the last page ended, from its `Link` header. Only one kind has pages.
    #[serde(default)]
    #[param(required = false)]
    cursor: String,
    /// Entries a page: at most 100, 20 when left out; of all kinds at most 5 of each, 3 when left out.
    #[serde(default)]
    #[param(required = false)]
    limit: i32,
}

/// What the services are asked.
struct Asked {
    query: String,
    page_size: i32,
    page_token: String,
}

/// A kind's answer: its entries, where it goes on, and what made them match.
type Page<T> = (Vec<T>, String, Vec<String>);

impl Asked {
    fn parse(which: Which) -> Result<(Self, Option<Kind>), Problem> {
        let Which { q: query, kind, cursor: page_token, limit } = which;
        let page_size = match kind {
            Some(_) => limit,
            None if !page_token.is_empty() => {
                return Err(Problem::field("cursor", "Ask for one type to go on."));
            }
            None if limit == 0 => FEW,
            None => limit.min(MOST_OF_ALL),
        };
        Ok((Self { query, page_size, page_token }, kind))
    }
}

/// Looks for words in everything, or in one kind: typing errors are forgiven, and nothing is found that the caller may not
/// see. Of all kinds the answer is whole even while a service is away: its lists are null, and `X-Degraded` names it.
#[utoipa::path(get, path = "/api/search", operation_id = "search", tag = "search", params(Which),
    responses((status = 200, description = "What was found, the best first. `Link` names the next page of one kind.",
        body = SearchResults)))]
pub async fn search(
    State(gateway): State<Arc<Gateway>>,
    caller: Caller,
    client: Client,
    uri: Uri,
    Params(which): Params<Which>,
) -> Result<ApiResponse<SearchResults>, Problem> {
    match caller.member {
        Some(member) => gateway.limits.take(rate_limits::SEARCHES, &member.to_string()).await?,
        None => gateway.limits.take(rate_limits::VISITOR_SEARCHES, &client.key()).await?,
    }
    let (asked, kind) = Asked::parse(which)?;
    let (call, wanted) = (&caller.call, |one: Kind| kind.is_none_or(|kind| kind == one));
    let (people, posts, communities, resources, jobs, news) = tokio::join!(
        only(wanted(Kind::People), members(&gateway, call, &asked)),
        only(wanted(Kind::Posts), posts(&gateway, call, &asked)),
        only(wanted(Kind::Communities), communities(&gateway, call, &asked)),
        only(wanted(Kind::Resources), resources(&gateway, call, &asked)),
        only(wanted(Kind::Jobs), jobs(&gateway, call, &asked)),
        only(wanted(Kind::News), articles(&gateway, call, &asked)),
    );
    let mut whole = Whole { alone: kind.is_some(), ..Whole::default() };
    let people = whole.part("profile", people)?;
    let posts = whole.part("feed", posts)?;
    let communities = whole.part("social-graph", communities)?;
    let resources = whole.part("news", resources)?;
    let jobs = whole.part("jobs", jobs)?;
    let news = whole.part("news", news)?;
    let posts = match posts {
        Some(posts) => {
            let authors = gateway.members.cards(call, posts.iter().flat_map(people_of)).await;
            whole.away.extend(authors.degraded());
            Some(posts.into_iter().map(|post| Post::of(post, &authors)).collect())
        }
        None => None,
    };
    let people = match people {
        Some(people) => {
            Some(standing(&gateway, &caller, people.into_iter().map(Into::into).collect(), &mut whole).await)
        }
        None => None,
    };
    let Whole { next, mut terms, away, .. } = whole;
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
    Ok(ApiResponse::ok(found).next_page(&uri, &next).degraded_by(&away))
}

/// Where the caller stands with each of the people found, where they are all that is looked for.
async fn standing(gateway: &Gateway, caller: &Caller, mut people: Vec<Person>, whole: &mut Whole) -> Vec<Person> {
    let Some(me) = caller.member.filter(|_| whole.alone && !people.is_empty()) else { return people };
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
        // Each button asks for itself then.
        Err(_) => whole.away.push("social-graph"),
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

/// What the parts have in common.
#[derive(Default)]
struct Whole {
    /// One kind is all that was asked for: without it there is no answer.
    alone: bool,
    next: String,
    terms: Vec<String>,
    away: Vec<&'static str>,
}

impl Whole {
    fn part<T>(
        &mut self,
        service: &'static str,
        asked: Option<Result<Page<T>, Status>>,
    ) -> Result<Option<Vec<T>>, Problem> {
        let Some(asked) = asked else { return Ok(None) };
        match asked.map_err(|status| Problem::from(status).renamed("query", "q")) {
            Ok((rows, next, mut terms)) => {
                self.terms.append(&mut terms);
                if self.alone {
                    self.next = next;
                }
                Ok(Some(rows))
            }
            Err(problem) if problem.is_outage() && !self.alone => {
                self.away.push(service);
                Ok(None)
            }
            Err(problem) => Err(problem),
        }
    }
}

async fn only<T>(wanted: bool, asked: impl Future<Output = T>) -> Option<T> {
    if wanted { Some(asked.await) } else { None }
}

/// A kind's one call.
macro_rules! kinds {
    ($($kind:ident: $service:ident.$method:ident($request:ident) -> $found:ty;)+) => {$(
        async fn $kind(gateway: &Gateway, call: &Call, asked: &Asked) -> Result<Page<$found>, Status> {
            let Asked { query, page_size, page_token } = asked;
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
