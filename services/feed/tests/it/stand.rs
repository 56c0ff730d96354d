//! A feed of one test's own, and short ways to ask it.

use portia_proto::feed::{self as proto, feed_service_client::FeedServiceClient};
use primitives::error::{ErrorKind, StatusDetails};
use rpc::{Call, Transport};
use sqlx::{AssertSqlSafe, PgPool, Row as _};
use testkit::{Builder, Harness};
use tonic::Request;
use uuid::Uuid;

/// The service under test.
pub struct Stand {
    pub harness: Harness,
    feed: FeedServiceClient<Transport>,
}

/// The `n`th member of a test, in a bucket of their own.
pub fn member(n: u128) -> Uuid {
    Uuid::from_u128(0x0193_0000_0000_7000_8000_0000_0000_0000 | n << 10 | n & 0x3ff)
}

/// The `n`th community of a test.
pub fn community(n: u128) -> Uuid {
    Uuid::from_u128(0x0193_0000_0000_7000_8000_0001_0000_0000 | n << 10 | n & 0x3ff)
}

/// An id nothing has.
pub const NOWHERE: &str = "01930000-0000-7000-8000-ffffffffffff";

/// Tries again while there is no connection to be had: where more race than the pool has, on a busy machine the last of
/// them wait longer than the pool lets them.
pub async fn patiently<T, F>(attempt: impl Fn() -> F) -> Result<T, StatusDetails>
where
    F: Future<Output = Result<T, StatusDetails>>,
{
    loop {
        match attempt().await {
            Err(refused) if refused.kind == ErrorKind::Unavailable => tokio::task::yield_now().await,
            answered => return answered,
        }
    }
}

macro_rules! rpcs {
    ($($name:ident: $request:ident -> $response:ident;)+) => {
        impl Stand {
            $(pub async fn $name(&self, who: &Call, what: proto::$request) -> Result<proto::$response, StatusDetails> {
                let request: Request<_> = who.request(what).expect("there is time");
                let answer = self.feed.clone().$name(request).await;
                answer.map(tonic::Response::into_inner).map_err(|status| StatusDetails::from(&status))
            })+
        }
    };
}

rpcs! {
    create_post: CreatePostRequest -> CreatePostResponse;
    list_posts: ListPostsRequest -> ListPostsResponse;
    get_post: GetPostRequest -> GetPostResponse;
    update_post: UpdatePostRequest -> UpdatePostResponse;
    delete_post: DeletePostRequest -> DeletePostResponse;
    search_posts: SearchPostsRequest -> SearchPostsResponse;
    set_reaction: SetReactionRequest -> SetReactionResponse;
    remove_reaction: RemoveReactionRequest -> RemoveReactionResponse;
    list_reactions: ListReactionsRequest -> ListReactionsResponse;
    create_comment: CreateCommentRequest -> CreateCommentResponse;
    update_comment: UpdateCommentRequest -> UpdateCommentResponse;
    delete_comment: DeleteCommentRequest -> DeleteCommentResponse;
    list_comments: ListCommentsRequest -> ListCommentsResponse;
    list_activity: ListActivityRequest -> ListActivityResponse;
    batch_get_posts: BatchGetPostsRequest -> BatchGetPostsResponse;
    save_item: SaveItemRequest -> SaveItemResponse;
    unsave_item: UnsaveItemRequest -> UnsaveItemResponse;
    list_saved_items: ListSavedItemsRequest -> ListSavedItemsResponse;
    report_item: ReportItemRequest -> ReportItemResponse;
    get_post_stats: GetPostStatsRequest -> GetPostStatsResponse;
}

impl Stand {
    pub async fn new() -> Self {
        Self::beside(|builder| builder).await
    }

    /// A feed with upstreams.
    pub async fn beside(upstreams: impl FnOnce(Builder) -> Builder) -> Self {
        let builder = Harness::of("feed").database(&feed::MIGRATOR).await;
        let harness = upstreams(builder).start(feed::start).await;
        let feed = FeedServiceClient::new(harness.transport());
        Self { harness, feed }
    }

    pub fn pool(&self) -> &PgPool {
        self.harness.pool()
    }

    /// A call in a member's name.
    pub fn by(&self, member: Uuid) -> Call {
        self.harness.actors.member(member)
    }

    /// A call for a visitor.
    pub fn visitor(&self) -> Call {
        self.harness.actors.service("gateway")
    }

    /// Lets time pass.
    pub fn wait(&self, seconds: i64) {
        self.harness.clock.advance(chrono::TimeDelta::seconds(seconds));
    }

    pub async fn post(&self, author: Uuid, content: &str) -> proto::Post {
        let request = proto::CreatePostRequest { content: content.to_owned(), ..Default::default() };
        let who = self.by(author);
        patiently(|| self.create_post(&who, request.clone())).await.unwrap().post.unwrap()
    }

    /// A post of the author's in a community.
    pub async fn post_in(&self, author: Uuid, community: Uuid, content: &str) -> proto::Post {
        let community_id = Some(community.to_string());
        let request = proto::CreatePostRequest { content: content.to_owned(), community_id, ..Default::default() };
        self.create_post(&self.by(author), request).await.unwrap().post.unwrap()
    }

    /// One post as `who` sees it.
    pub async fn seen(&self, who: &Call, post: &str) -> proto::Post {
        let request = proto::GetPostRequest { post_id: post.to_owned() };
        self.get_post(who, request).await.unwrap().post.unwrap()
    }

    pub async fn react(&self, member: Uuid, post: &str, kind: proto::ReactionKind) -> i64 {
        let request = proto::SetReactionRequest { post_id: post.to_owned(), kind: kind.into() };
        let who = self.by(member);
        patiently(|| self.set_reaction(&who, request.clone())).await.unwrap().like_count
    }

    pub async fn like(&self, member: Uuid, post: &str) -> i64 {
        self.react(member, post, proto::ReactionKind::Like).await
    }

    pub async fn unlike(&self, member: Uuid, post: &str) -> i64 {
        let request = proto::RemoveReactionRequest { post_id: post.to_owned() };
        let who = self.by(member);
        patiently(|| self.remove_reaction(&who, request.clone())).await.unwrap().like_count
    }

    pub async fn comment(&self, member: Uuid, post: &str, content: &str) -> proto::Comment {
        let request = proto::CreateCommentRequest {
            post_id: post.to_owned(),
            content: content.to_owned(),
            idempotency_key: None,
        };
        let who = self.by(member);
        patiently(|| self.create_comment(&who, request.clone())).await.unwrap().comment.unwrap()
    }

    /// Two members are connected, as social-graph would tell.
    pub async fn connect(&self, one: Uuid, other: Uuid) {
        let mut conn = self.pool().acquire().await.unwrap();
        feed::graph::connected(&mut conn, self.harness.context.ids.new_owner(), one, other).await.unwrap();
    }

    /// Members belong to a community, as social-graph would tell.
    pub async fn join(&self, community: Uuid, members: &[Uuid]) {
        let mut conn = self.pool().acquire().await.unwrap();
        feed::graph::named(&mut conn, community, "Moot Court Society").await.unwrap();
        for member in members {
            feed::graph::joined(&mut conn, *member, community).await.unwrap();
        }
    }

    /// A member has left it.
    pub async fn leave(&self, community: Uuid, member: Uuid) {
        let mut conn = self.pool().acquire().await.unwrap();
        feed::graph::left(&mut conn, member, community).await.unwrap();
    }

    /// A member blocks another.
    pub async fn block(&self, blocker: Uuid, blocked: Uuid) {
        let mut conn = self.pool().acquire().await.unwrap();
        feed::graph::blocked(&mut conn, blocker, blocked).await.unwrap();
    }

    /// A member studies there, as profile would tell.
    pub async fn study(&self, member: Uuid, school: &str) {
        let mut conn = self.pool().acquire().await.unwrap();
        feed::schools::note(&mut conn, member, &feed::schools::Key::of(Some(school))).await.unwrap();
    }

    /// A picture of a member's, piece by piece.
    pub async fn upload(
        &self,
        member: Uuid,
        file: &[u8],
        key: Option<&str>,
    ) -> Result<proto::UploadPictureResponse, StatusDetails> {
        let first = proto::UploadPictureRequest { chunk: Vec::new(), idempotency_key: key.map(str::to_owned) };
        let pieces = file.chunks((file.len() / 2).clamp(1, 1 << 20));
        let pieces = pieces.map(|piece| proto::UploadPictureRequest { chunk: piece.to_vec(), idempotency_key: None });
        let pieces: Vec<_> = [first].into_iter().chain(pieces).collect();
        let request = self.by(member).request(futures::stream::iter(pieces)).expect("there is time");
        let answer = self.feed.clone().upload_picture(request).await;
        answer.map(tonic::Response::into_inner).map_err(|status| StatusDetails::from(&status))
    }

    /// The stream of everything feed keeps of a member.
    pub async fn export(&self, who: &Call) -> Result<tonic::Streaming<proto::ExportMemberResponse>, StatusDetails> {
        let request = who.request(proto::ExportMemberRequest {}).expect("there is time");
        let answer = self.feed.clone().export_member(request).await;
        answer.map(tonic::Response::into_inner).map_err(|status| StatusDetails::from(&status))
    }

    /// What a query counts.
    pub async fn count(&self, query: &str) -> i64 {
        sqlx::raw_sql(AssertSqlSafe(query.to_owned())).fetch_one(self.pool()).await.unwrap().get(0)
    }

    /// Every counter and rank follows from the rows it counts: at once, or, of what is nobody's any more and is being cleared
    /// away in bites, in the end.
    pub async fn assert_counters_true(&self) {
        let wrong = |whose: &str| {
            format!(
                "select count(*)
                from feed.posts p
                where author_id {whose} '00000000-0000-0000-0000-000000000000'
                    and (
                        like_count <> (select count(*) from feed.reactions where post_id = p.id)
                        or comment_count <> (select count(*) from feed.comments where post_id = p.id)
                        or share_count <> (select count(*) from feed.posts where repost_of = p.id)
                    )"
            )
        };
        assert_eq!(self.count(&wrong("<>")).await, 0, "counters differ from what they count");
        let cleared = async { while self.count(&wrong("=")).await > 0 {} };
        tokio::time::timeout(std::time::Duration::from_secs(30), cleared)
            .await
            .expect("what is nobody's is cleared away");
        for row in sqlx::raw_sql("select rank, freshness, like_count, comment_count, created_at from feed.posts")
            .fetch_all(self.pool())
            .await
            .unwrap()
        {
            let freshness: f64 = row.get(1);
            assert_eq!(freshness, feed::ranking::freshness(row.get(4)));
            let formula = feed::ranking::rank(freshness, row.get(2), row.get(3));
            assert!((row.get::<f64, _>(0) - formula).abs() < 1e-9, "the rank is not its formula's");
        }
    }
}
