//! The service under test: actions of members and the invariants of the counters.

use portia_proto::feed::{self as proto, feed_service_client::FeedServiceClient};
use primitives::error::{ErrorKind, StatusDetails};
use rpc::{Call, Transport};
use sqlx::{AssertSqlSafe, PgPool, Row as _};
use testkit::{Builder, Harness};
use tonic::Request;
use uuid::Uuid;

/// The service under test.
pub struct Fixture {
    pub harness: Harness,
    pub feed: FeedServiceClient<Transport>,
}

/// Returns the `n`th member of a test, in a separate bucket.
pub fn member(n: u128) -> Uuid {
    Uuid::from_u128(0x0193_0000_0000_7000_8000_0000_0000_0000 | n << 10 | n & 0x3ff)
}

/// Returns the `n`th community of a test.
pub fn community(n: u128) -> Uuid {
    Uuid::from_u128(0x0193_0000_0000_7000_8000_0001_0000_0000 | n << 10 | n & 0x3ff)
}

/// An unknown id.
pub const UNKNOWN_ID: &str = "01930000-0000-7000-8000-ffffffffffff";

/// Retries while no connection is available: with more tasks than connections, the last ones exceed the time limit of the
/// pool on a busy machine.
pub async fn retry_unavailable<T, F>(attempt: impl Fn() -> F) -> Result<T, StatusDetails>
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
        impl Fixture {
            $(pub async fn $name(&self, who: &Call, what: proto::$request) -> Result<proto::$response, StatusDetails> {
                let request: Request<_> = who.request(what).expect("the deadline is in the future");
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
    check_picture: CheckPictureRequest -> CheckPictureResponse;
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
    get_comment: GetCommentRequest -> GetCommentResponse;
    list_replies: ListRepliesRequest -> ListRepliesResponse;
    set_comment_reaction: SetCommentReactionRequest -> SetCommentReactionResponse;
    remove_comment_reaction: RemoveCommentReactionRequest -> RemoveCommentReactionResponse;
    list_comment_reactions: ListCommentReactionsRequest -> ListCommentReactionsResponse;
    list_activity: ListActivityRequest -> ListActivityResponse;
    batch_get_posts: BatchGetPostsRequest -> BatchGetPostsResponse;
    batch_get_post_bodies: BatchGetPostBodiesRequest -> BatchGetPostBodiesResponse;
    save_item: SaveItemRequest -> SaveItemResponse;
    unsave_item: UnsaveItemRequest -> UnsaveItemResponse;
    list_saved_items: ListSavedItemsRequest -> ListSavedItemsResponse;
    report_item: ReportItemRequest -> ReportItemResponse;
    list_topic_posts: ListTopicPostsRequest -> ListTopicPostsResponse;
    list_topics: ListTopicsRequest -> ListTopicsResponse;
    follow_topic: FollowTopicRequest -> FollowTopicResponse;
    unfollow_topic: UnfollowTopicRequest -> UnfollowTopicResponse;
    list_post_reasons: ListPostReasonsRequest -> ListPostReasonsResponse;
    hide_post: HidePostRequest -> HidePostResponse;
    unhide_post: UnhidePostRequest -> UnhidePostResponse;
    list_hidden_posts: ListHiddenPostsRequest -> ListHiddenPostsResponse;
    create_mute: CreateMuteRequest -> CreateMuteResponse;
    delete_mute: DeleteMuteRequest -> DeleteMuteResponse;
    list_mutes: ListMutesRequest -> ListMutesResponse;
    list_reports: ListReportsRequest -> ListReportsResponse;
    get_report: GetReportRequest -> GetReportResponse;
    decide_report: DecideReportRequest -> DecideReportResponse;
    list_appeals: ListAppealsRequest -> ListAppealsResponse;
    decide_appeal: DecideAppealRequest -> DecideAppealResponse;
    get_moderation_stats: GetModerationStatsRequest -> GetModerationStatsResponse;
    get_removal: GetRemovalRequest -> GetRemovalResponse;
    appeal_removal: AppealRemovalRequest -> AppealRemovalResponse;
    get_post_stats: GetPostStatsRequest -> GetPostStatsResponse;
}

impl Fixture {
    pub async fn new() -> Self {
        Self::with_upstreams(|builder| builder).await
    }

    /// Starts the service with upstreams.
    pub async fn with_upstreams(upstreams: impl FnOnce(Builder) -> Builder) -> Self {
        // Members of the fixture have no connections, so that their accounts count as new: only tests of the allowance limit them.
        let builder = Harness::of("feed").database(&feed::MIGRATOR).await.with("rate_limit_scale", 1_000);
        let harness = upstreams(builder).start(feed::start).await;
        let feed = FeedServiceClient::new(harness.transport());
        Self { harness, feed }
    }

    pub fn pool(&self) -> &PgPool {
        self.harness.pool()
    }

    /// Creates a call of a member.
    pub fn as_member(&self, member: Uuid) -> Call {
        self.harness.actors.member(member)
    }

    /// Creates a call of a moderator.
    pub fn as_moderator(&self, member: Uuid) -> Call {
        self.harness.actors.moderator(member)
    }

    /// Creates a call for a visitor.
    pub fn as_visitor(&self) -> Call {
        self.harness.actors.service("gateway")
    }

    /// Advances the clock.
    pub fn advance_clock(&self, seconds: i64) {
        self.harness.clock.advance(chrono::TimeDelta::seconds(seconds));
    }

    pub async fn create_post_of(&self, author: Uuid, content: &str) -> proto::Post {
        let request = proto::CreatePostRequest { content: content.to_owned(), ..Default::default() };
        let who = self.as_member(author);
        retry_unavailable(|| self.create_post(&who, request.clone())).await.unwrap().post.unwrap()
    }

    /// Creates a post in a community.
    pub async fn create_post_in(&self, author: Uuid, community: Uuid, content: &str) -> proto::Post {
        let community_id = Some(community.to_string());
        let request = proto::CreatePostRequest { content: content.to_owned(), community_id, ..Default::default() };
        self.create_post(&self.as_member(author), request).await.unwrap().post.unwrap()
    }

    /// Returns a post as `who` sees it.
    pub async fn get_post_as(&self, who: &Call, post: &str) -> proto::Post {
        let request = proto::GetPostRequest { post_id: post.to_owned(), ..Default::default() };
        self.get_post(who, request).await.unwrap().post.unwrap()
    }

    pub async fn set_reaction_of(&self, member: Uuid, post: &str, kind: proto::ReactionKind) -> i64 {
        let request = proto::SetReactionRequest { post_id: post.to_owned(), kind: kind.into() };
        let who = self.as_member(member);
        retry_unavailable(|| self.set_reaction(&who, request.clone())).await.unwrap().like_count
    }

    pub async fn like(&self, member: Uuid, post: &str) -> i64 {
        self.set_reaction_of(member, post, proto::ReactionKind::Like).await
    }

    pub async fn unlike(&self, member: Uuid, post: &str) -> i64 {
        let request = proto::RemoveReactionRequest { post_id: post.to_owned() };
        let who = self.as_member(member);
        retry_unavailable(|| self.remove_reaction(&who, request.clone())).await.unwrap().like_count
    }

    pub async fn create_comment_of(&self, member: Uuid, post: &str, content: &str) -> proto::Comment {
        let request =
            proto::CreateCommentRequest { post_id: post.to_owned(), content: content.to_owned(), ..Default::default() };
        let who = self.as_member(member);
        retry_unavailable(|| self.create_comment(&who, request.clone())).await.unwrap().comment.unwrap()
    }

    pub async fn create_reply_of(&self, member: Uuid, to: &proto::Comment, content: &str) -> proto::Comment {
        let request = proto::CreateCommentRequest {
            post_id: to.post_id.clone(),
            content: content.to_owned(),
            reply_to: Some(to.id.clone()),
            ..Default::default()
        };
        let who = self.as_member(member);
        retry_unavailable(|| self.create_comment(&who, request.clone())).await.unwrap().comment.unwrap()
    }

    /// Returns a comment as `who` sees it.
    pub async fn get_comment_as(&self, who: &Call, comment: &str) -> proto::Comment {
        let request = proto::GetCommentRequest { comment_id: comment.to_owned() };
        self.get_comment(who, request).await.unwrap().comment.unwrap()
    }

    pub async fn like_comment(&self, member: Uuid, comment: &str) -> i64 {
        let kind = proto::ReactionKind::Like.into();
        let request = proto::SetCommentReactionRequest { comment_id: comment.to_owned(), kind };
        let who = self.as_member(member);
        retry_unavailable(|| self.set_comment_reaction(&who, request.clone())).await.unwrap().like_count
    }

    pub async fn unlike_comment(&self, member: Uuid, comment: &str) -> i64 {
        let request = proto::RemoveCommentReactionRequest { comment_id: comment.to_owned() };
        let who = self.as_member(member);
        retry_unavailable(|| self.remove_comment_reaction(&who, request.clone())).await.unwrap().like_count
    }

    /// Inserts a connection into the read model.
    pub async fn connect_pair(&self, one: Uuid, other: Uuid) {
        let mut conn = self.pool().acquire().await.unwrap();
        feed::read_model::connections::insert_all(&mut conn, &[self.harness.context.ids.new_owner()], &[one], &[other])
            .await
            .unwrap();
    }

    /// Inserts a community and memberships into the read model.
    pub async fn join_community(&self, community: Uuid, members: &[Uuid]) {
        let mut conn = self.pool().acquire().await.unwrap();
        feed::read_model::communities::set_name(&mut conn, community, "Moot Court Society").await.unwrap();
        for member in members {
            feed::read_model::communities::set_membership(&mut conn, *member, community, false).await.unwrap();
        }
    }

    /// Makes a member an owner or moderator in the read model.
    pub async fn moderate_community(&self, community: Uuid, member: Uuid) {
        let mut conn = self.pool().acquire().await.unwrap();
        feed::read_model::communities::set_membership(&mut conn, member, community, true).await.unwrap();
    }

    /// Deletes a membership from the read model.
    pub async fn leave_community(&self, community: Uuid, member: Uuid) {
        let mut conn = self.pool().acquire().await.unwrap();
        feed::read_model::communities::delete_membership(&mut conn, member, community).await.unwrap();
    }

    /// Inserts a block into the read model.
    pub async fn block_member(&self, blocker: Uuid, blocked: Uuid) {
        let mut conn = self.pool().acquire().await.unwrap();
        feed::read_model::blocks::insert_all(&mut conn, &[blocker], &[blocked]).await.unwrap();
    }

    /// Sets the school of a member in the read model.
    pub async fn set_school(&self, member: Uuid, school: &str) {
        let mut conn = self.pool().acquire().await.unwrap();
        feed::read_model::schools::set(
            &mut conn,
            member,
            &feed::read_model::schools::SchoolKey::from_text(Some(school)),
        )
        .await
        .unwrap();
    }

    /// Sets the privacy settings of a member in the read model.
    pub async fn set_privacy(&self, member: Uuid, audience: &str, activity_shown: bool) {
        use portia_proto::profile::{PrivacySettings, ProfileAudience};

        let audience = match audience {
            "public" => ProfileAudience::Public,
            "members" => ProfileAudience::Members,
            "connections" => ProfileAudience::Connections,
            other => panic!("{other}"),
        };
        let settings = PrivacySettings { profile_audience: audience.into(), activity_shown, ..Default::default() };
        let mut conn = self.pool().acquire().await.unwrap();
        feed::read_model::privacy::set(&mut conn, member, Some(settings)).await.unwrap();
    }

    /// Uploads a picture in chunks.
    pub async fn upload_picture(
        &self,
        member: Uuid,
        file: &[u8],
        key: Option<&str>,
    ) -> Result<proto::UploadPictureResponse, StatusDetails> {
        let first = proto::UploadPictureRequest { chunk: Vec::new(), idempotency_key: key.map(str::to_owned) };
        let pieces = file.chunks((file.len() / 2).clamp(1, 1 << 20));
        let pieces = pieces.map(|piece| proto::UploadPictureRequest { chunk: piece.to_vec(), idempotency_key: None });
        let pieces: Vec<_> = [first].into_iter().chain(pieces).collect();
        let request =
            self.as_member(member).request(futures::stream::iter(pieces)).expect("the deadline is in the future");
        let answer = self.feed.clone().upload_picture(request).await;
        answer.map(tonic::Response::into_inner).map_err(|status| StatusDetails::from(&status))
    }

    /// Returns the stream of a member's export.
    pub async fn export_member(
        &self,
        who: &Call,
    ) -> Result<tonic::Streaming<proto::ExportMemberResponse>, StatusDetails> {
        let request = who.request(proto::ExportMemberRequest {}).expect("the deadline is in the future");
        let answer = self.feed.clone().export_member(request).await;
        answer.map(tonic::Response::into_inner).map_err(|status| StatusDetails::from(&status))
    }

    /// Returns the result of a counting query.
    pub async fn count(&self, query: &str) -> i64 {
        sqlx::raw_sql(AssertSqlSafe(query.to_owned())).fetch_one(self.pool()).await.unwrap().get(0)
    }

    /// Asserts that every counter and rank matches its rows: immediately, or eventually while deleted posts are removed
    /// in batches.
    pub async fn assert_counters(&self) {
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
        let of_comments = "select count(*)
            from feed.comments c
            join feed.posts p on p.id = c.post_id
            where p.author_id <> '00000000-0000-0000-0000-000000000000'
                and (
                    c.like_count <> (select count(*) from feed.comment_reactions where comment_id = c.id)
                    or c.reply_count <> (select count(*) from feed.comments where reply_to = c.id)
                )";
        assert_eq!(self.count(of_comments).await, 0, "counters of comments differ from what they count");
        let cleared = async {
            while self.count(&wrong("=")).await > 0 {
                testkit::pause().await;
            }
        };
        tokio::time::timeout(std::time::Duration::from_secs(120), cleared)
            .await
            .expect("the rows of deleted posts are removed");
        for row in sqlx::raw_sql("select rank, freshness, like_count, comment_count, created_at from feed.posts")
            .fetch_all(self.pool())
            .await
            .unwrap()
        {
            let freshness: f64 = row.get(1);
            assert_eq!(freshness, feed::freshness(row.get(4)));
            let formula = feed::ranking::rank(freshness, row.get(2), row.get(3));
            assert!((row.get::<f64, _>(0) - formula).abs() < 1e-9, "the rank differs from the formula");
        }
    }
}
