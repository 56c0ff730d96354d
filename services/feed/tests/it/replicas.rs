//! Two replicas with bodies of their own, compared with the statements that read posts without bodies
//! (BatchGetPosts) and comments without kept pages (a page after a token).

use std::{collections::HashMap, sync::Arc};

use chassis::lifecycle::Upstreams;
use portia_proto::feed::{
    BatchGetPostBodiesRequest, BatchGetPostBodiesResponse, BatchGetPostsRequest, GetPostRequest, ListCommentsRequest,
    ListCommentsResponse, ListPostsRequest, ListPostsResponse, Post, PostSort, feed_service_client::FeedServiceClient,
};
use primitives::input::{Cursor, PageSize};
use prost::Message as _;
use rpc::{Call, Transport};
use serde::{Deserialize, Serialize};
use sqlx::{AssertSqlSafe, Row as _};
use testkit::Builder;
use uuid::Uuid;

use crate::fixtures::{Fixture, member};

/// A token before the first comment: a page after a token is never kept.
#[derive(Serialize, Deserialize)]
struct BeforeAll {
    /// In microseconds: the year 2100.
    commented: i64,
    id: Uuid,
}

impl Cursor for BeforeAll {}

impl BeforeAll {
    fn token() -> String {
        Self { commented: 4_102_444_800_000_000, id: Uuid::max() }.to_token()
    }
}

/// The replica of the fixture, and another one of the same database.
pub struct Replicas {
    pub fixture: Fixture,
    other: FeedServiceClient<Transport>,
}

impl Replicas {
    pub async fn start() -> Self {
        Self::with_settings(|builder| builder).await
    }

    pub async fn with_settings(settings: impl FnOnce(Builder) -> Builder) -> Self {
        let fixture = Fixture::with_upstreams(settings).await;
        Self::of(fixture).await
    }

    /// Starts the other replica.
    pub async fn of(fixture: Fixture) -> Self {
        let context = &fixture.harness.context;
        let routes = feed::start(Arc::clone(context)).await.unwrap();
        let upstreams = Upstreams::local();
        upstreams.slot("feed").fill(rpc::wrap("feed", routes, Arc::clone(&context.keyring)));
        let other = FeedServiceClient::new(upstreams.transport("feed").unwrap());
        Self { fixture, other }
    }

    /// Creates a call of a visitor or a member.
    pub fn caller(&self, viewer: Option<Uuid>) -> Call {
        viewer.map_or_else(|| self.fixture.as_visitor(), |viewer| self.fixture.as_member(viewer))
    }

    /// Reads a page of a list, and asserts that both replicas show each post like the statement without bodies. Each
    /// reads it twice, so that the second time all bodies are in memory.
    pub async fn page(&self, viewer: Option<Uuid>, request: ListPostsRequest, when: &str) -> Vec<Post> {
        let who = self.caller(viewer);
        let mut pages = Vec::new();
        for feed in [&self.fixture.feed, &self.other, &self.fixture.feed, &self.other] {
            let page = feed.clone().list_posts(who.request(request.clone()).unwrap()).await;
            let page = page.unwrap_or_else(|status| panic!("{when}: {status}")).into_inner();
            if request.sort() == PostSort::Relevant {
                self.compare_relevant(viewer, &request, &page, when).await;
            }
            pages.push(page.posts);
        }
        let ids: Vec<String> = pages[0].iter().map(|post| post.id.clone()).collect();
        let read = self.fixture.batch_get_posts(&who, BatchGetPostsRequest { post_ids: ids.clone() }).await.unwrap();
        let mut read: HashMap<String, Post> = read.posts.into_iter().map(|post| (post.id.clone(), post)).collect();
        let read: Vec<Post> = ids.iter().filter_map(|id| read.remove(id)).collect();
        for page in &pages {
            assert_eq!(page.len(), read.len(), "{when}, seen by {viewer:?}");
            for (post, expected) in page.iter().zip(&read) {
                assert_eq!(post, expected, "{when}, seen by {viewer:?}");
                assert_eq!(post.encode_to_vec(), expected.encode_to_vec());
            }
        }
        for feed in [&self.fixture.feed, &self.other] {
            let request = ListPostsRequest { without_bodies: true, ..request.clone() };
            // The background task may delete the row of a deleted original between the two calls.
            let (listed, bodies) = loop {
                let listed = feed.clone().list_posts(who.request(request.clone()).unwrap()).await.unwrap();
                let (listed, sent) = (listed.get_ref().posts.clone(), listed.into_inner().bodies);
                let ids = BatchGetPostBodiesRequest { post_ids: ids.clone() };
                let bodies = self.fixture.batch_get_post_bodies(&who, ids).await.unwrap();
                for body in &sent {
                    assert!(bodies.bodies.iter().all(|read| read.version != body.version || read == body), "{when}");
                }
                let versions: HashMap<&str, &[u8]> =
                    bodies.posts.iter().map(|post| (post.id.as_str(), post.version.as_slice())).collect();
                if listed.iter().all(|own| own.version.is_empty() || versions[own.id.as_str()] == own.version) {
                    break (listed, bodies);
                }
            };
            let complete: Vec<Post> = listed.into_iter().map(|own| with_body(own, &bodies)).collect();
            assert_eq!(complete, read, "{when}, without bodies, seen by {viewer:?}");
        }
        read
    }

    /// Compares the order of a page by relevance, which may come from the replica's memory, with the order of the
    /// statement.
    async fn compare_relevant(
        &self,
        viewer: Option<Uuid>,
        request: &ListPostsRequest,
        page: &ListPostsResponse,
        when: &str,
    ) {
        let (size, now) = (PageSize::parse(request.page_size).unwrap(), self.fixture.harness.clock.now());
        let mut conn = self.fixture.pool().acquire().await.unwrap();
        let listed = feed::relevant_page_by_statement(&mut conn, viewer, size, &request.page_token, now).await.unwrap();
        let Some((ids, next_page_token)) = listed else { return };
        let ids: Vec<String> = ids.iter().map(Uuid::to_string).collect();
        let shown: Vec<String> = page.posts.iter().map(|post| post.id.clone()).collect();
        assert_eq!((shown, &page.next_page_token), (ids, &next_page_token), "{when}, the order for {viewer:?}");
    }

    /// Compares a single post: it is the listed one with the whole text.
    pub async fn compare_single(&self, viewer: Option<Uuid>, listed: &Post, when: &str) {
        let who = self.caller(viewer);
        let text = self.value(format!("select content from feed.posts where id = '{}'", listed.id)).await;
        for feed in [&self.fixture.feed, &self.other] {
            let request = who.request(GetPostRequest { post_id: listed.id.clone(), ..Default::default() }).unwrap();
            let single = feed.clone().get_post(request).await.unwrap().into_inner().post.unwrap();
            let expected = Post { content: text.clone(), ..listed.clone() };
            let expected = Post { mentioned_ids: single.mentioned_ids.clone(), ..expected };
            assert_eq!(single, expected, "{when}, seen by {viewer:?}");
            self.compare_known(viewer, &single, when, feed).await;
        }
    }

    /// Asserts that a caller that keeps bodies has the same post: from the body of the first response, and from the
    /// second response without a body.
    async fn compare_known(
        &self,
        viewer: Option<Uuid>,
        single: &Post,
        when: &str,
        feed: &FeedServiceClient<Transport>,
    ) {
        let (mut body, mut sent) = (Post::default(), 0);
        for time in ["first", "second"] {
            let known_version = Some(body.version.clone());
            let request = GetPostRequest { post_id: single.id.clone(), known_version };
            let request = self.caller(viewer).request(request).unwrap();
            let response = feed.clone().get_post(request).await.unwrap().into_inner();
            let own = response.post.unwrap();
            sent += usize::from(response.body.is_some());
            body = response.body.unwrap_or(body);
            assert_eq!(own.version, body.version, "{when}, the {time} time, seen by {viewer:?}");
            let complete = if own.version.is_empty() { own } else { add_body(own, &body) };
            assert_eq!(complete, *single, "{when}, the {time} time, seen by {viewer:?}");
        }
        // The background task may delete the row of a deleted original between the two calls.
        assert!(sent <= 1 || body.repost.is_some(), "{when}, seen by {viewer:?}");
    }

    /// Compares the first pages of the comments on a post with the pages after a token. Each replica reads a page
    /// twice, so that the second one is in memory.
    pub async fn compare_comments(&self, viewer: Option<Uuid>, post: &Post, when: &str) {
        for page_size in [3, 20] {
            let request = ListCommentsRequest { post_id: post.id.clone(), page_size, ..Default::default() };
            let mut pages = Vec::new();
            for feed in [&self.fixture.feed, &self.other, &self.fixture.feed, &self.other] {
                let request = self.caller(viewer).request(request.clone()).unwrap();
                pages.push(feed.clone().list_comments(request).await.unwrap().into_inner());
            }
            let after_token = ListCommentsRequest { page_token: BeforeAll::token(), ..request.clone() };
            let own = self.fixture.list_comments(&self.caller(viewer), after_token).await.unwrap();
            for page in &pages {
                assert_eq!(*page, own, "{when}, comments seen by {viewer:?}");
                assert_eq!(page.encode_to_vec(), own.encode_to_vec());
            }
            for feed in [&self.fixture.feed, &self.other] {
                self.compare_known_comments(viewer, &request, &own, when, feed).await;
            }
        }
    }

    /// Compares the pages in the same way for a caller that keeps them.
    async fn compare_known_comments(
        &self,
        viewer: Option<Uuid>,
        request: &ListCommentsRequest,
        own: &ListCommentsResponse,
        when: &str,
        feed: &FeedServiceClient<Transport>,
    ) {
        let mut kept = ListCommentsResponse::default();
        for time in ["first", "second"] {
            let known_version = Some(kept.version.clone());
            let request = ListCommentsRequest { known_version, ..request.clone() };
            let request = self.caller(viewer).request(request).unwrap();
            let response = feed.clone().list_comments(request).await.unwrap().into_inner();
            let what = format!("{when}, comments kept the {time} time, seen by {viewer:?}");
            if response.version.is_empty() || response.version != kept.version {
                assert!(time == "first" || response.version.is_empty(), "{what}");
                kept = response.clone();
            } else {
                assert!(response.comments.is_empty() && response.next_page_token.is_empty(), "{what}");
            }
            let mut comments = kept.comments.clone();
            for reacted in response.reacted {
                let comment = comments.iter_mut().find(|comment| comment.id == reacted.id);
                comment.expect("a comment of the page").reactions = reacted.reactions;
            }
            assert_eq!((&comments, &kept.next_page_token), (&own.comments, &own.next_page_token), "{what}");
        }
    }

    /// Reads and compares all posts as a visitor and members see them.
    pub async fn everything(&self, viewers: &[Option<Uuid>], when: &str) -> Vec<Vec<Post>> {
        let mut seen = Vec::new();
        for viewer in viewers {
            let recent = ListPostsRequest { sort: PostSort::Recent.into(), page_size: 100, ..Default::default() };
            let posts = self.page(*viewer, recent, when).await;
            for post in &posts {
                self.compare_single(*viewer, post, when).await;
                self.compare_comments(*viewer, post, when).await;
            }
            seen.push(posts);
        }
        seen
    }

    /// Returns the versions of all posts, as far as their own rows determine them.
    pub async fn row_versions(&self) -> String {
        let rows = "select coalesce(string_agg(id::text || xmin::text, ',' order by id), '')
                || (select xmin::text from feed.hidden_members_changes)
            from feed.posts";
        self.value(rows.to_owned()).await
    }

    async fn value(&self, query: String) -> String {
        sqlx::raw_sql(AssertSqlSafe(query)).fetch_one(self.fixture.pool()).await.unwrap().get(0)
    }
}

/// Adds the body to a listed post that has a version, and asserts that both lists have the same parts of the viewer.
fn with_body(own: Post, bodies: &BatchGetPostBodiesResponse) -> Post {
    if own.version.is_empty() {
        return own;
    }
    let others = bodies.posts.iter().find(|post| post.id == own.id).unwrap();
    let sorted = |post: &Post| {
        let mut comments = post.comments.clone();
        comments.sort_by(|a, b| a.id.cmp(&b.id));
        Post { comments, ..post.clone() }
    };
    assert_eq!(sorted(others), sorted(&own), "both lists have the same parts of the viewer");
    let body = bodies.bodies.iter().find(|body| body.id == own.id && body.version == own.version).unwrap();
    add_body(own, body)
}

fn add_body(own: Post, body: &Post) -> Post {
    let mut post = Post { version: Vec::new(), community: own.community, ..body.clone() };
    if let Some(mine) = own.reactions.first() {
        post.reactions.retain(|reaction| reaction.member_id != mine.member_id);
        post.reactions.insert(0, mine.clone());
        post.reactions.truncate(20);
    }
    for comment in &mut post.comments {
        if let Some(reacted) = own.comments.iter().find(|reacted| reacted.id == comment.id) {
            comment.reactions.clone_from(&reacted.reactions);
        }
    }
    post
}

/// Returns a visitor, a member with reactions and an author.
pub fn viewers() -> [Option<Uuid>; 3] {
    [None, Some(member(2)), Some(member(1))]
}
