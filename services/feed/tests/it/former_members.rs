//! A former member of a community sees and may delete only their own posts and comments there.

use portia_proto::feed::{
    BatchGetPostBodiesRequest, BatchGetPostsRequest, Comment, DeleteCommentRequest, DeletePostRequest,
    GetCommentRequest, ListActivityRequest, ListCommentReactionsRequest, ListCommentsRequest, ListPostsRequest,
    ListReactionsRequest, ListRepliesRequest, Post, PostSort, RemoveReactionRequest,
};
use rpc::Call;

use crate::{
    export::export,
    fixtures::{Fixture, community, member},
};

const AUTHOR: u128 = 1;
const FELLOW: u128 = 2;

/// A post of AUTHOR in a community, with a reaction of both, two comments of FELLOW and a reply of AUTHOR.
struct Thread {
    fixture: Fixture,
    post: Post,
    comment: Comment,
    reply: Comment,
}

impl Thread {
    async fn start() -> Self {
        let fixture = Fixture::new().await;
        fixture.join_community(community(1), &[AUTHOR, FELLOW].map(member)).await;
        let post = fixture.create_post_in(member(AUTHOR), community(1), "Ours").await;
        for who in [AUTHOR, FELLOW] {
            fixture.like(member(who), &post.id).await;
        }
        let comment = fixture.create_comment_of(member(FELLOW), &post.id, "For members").await;
        let reply = fixture.create_reply_of(member(AUTHOR), &comment, "Mine").await;
        fixture.like_comment(member(FELLOW), &comment.id).await;
        fixture.create_comment_of(member(FELLOW), &post.id, "For members, too").await;
        Self { fixture, post, comment, reply }
    }

    fn author(&self) -> Call {
        self.fixture.as_member(member(AUTHOR))
    }

    /// Returns the post from every RPC that returns it whole to its author.
    async fn posts(&self) -> Vec<(&'static str, Post)> {
        let (fixture, who, id) = (&self.fixture, self.author(), self.post.id.clone());
        let list = |sort: PostSort, author_id: Option<String>| ListPostsRequest {
            sort: sort.into(),
            author_id,
            ..Default::default()
        };
        let own = fixture.list_posts(&who, list(PostSort::Recent, Some(member(AUTHOR).to_string()))).await.unwrap();
        let home = fixture.list_posts(&who, list(PostSort::Relevant, None)).await.unwrap();
        let several = fixture.batch_get_posts(&who, BatchGetPostsRequest { post_ids: vec![id.clone()] }).await.unwrap();
        let of = |posts: Vec<Post>| posts.into_iter().find(|post| post.id == id).unwrap();
        vec![
            ("own list", of(own.posts)),
            ("home", of(home.posts)),
            ("BatchGetPosts", of(several.posts)),
            ("GetPost", fixture.get_post_as(&who, &id).await),
        ]
    }

    /// Returns the numbers of comments, replies and reactions that lists show to the author, and whether single
    /// comments are found.
    async fn answers(&self) -> Vec<(&'static str, usize)> {
        let (fixture, who) = (&self.fixture, self.author());
        let (post_id, comment_id) = (self.post.id.clone(), self.comment.id.clone());
        let first = ListCommentsRequest { post_id: post_id.clone(), page_size: 1, ..Default::default() };
        let first = fixture.list_comments(&who, first).await.unwrap();
        // A position that a member had before leaving.
        let fellow = fixture.as_member(member(FELLOW));
        let known = ListCommentsRequest { post_id: post_id.clone(), page_size: 1, ..Default::default() };
        let page_token = fixture.list_comments(&fellow, known).await.unwrap().next_page_token;
        let second = ListCommentsRequest { post_id: post_id.clone(), page_size: 1, page_token, ..Default::default() };
        let second = fixture.list_comments(&who, second).await.unwrap();
        let reactions = ListReactionsRequest { post_id, ..Default::default() };
        let reactions = fixture.list_reactions(&who, reactions).await.unwrap().reactions;
        let replies = ListRepliesRequest { comment_id: comment_id.clone(), ..Default::default() };
        let replies = fixture.list_replies(&who, replies).await.map_or(0, |page| page.replies.len());
        let liked = ListCommentReactionsRequest { comment_id: comment_id.clone(), ..Default::default() };
        let liked = fixture.list_comment_reactions(&who, liked).await.map_or(0, |page| page.reactions.len());
        let found = fixture.get_comment(&who, GetCommentRequest { comment_id }).await.is_ok();
        let activity = ListActivityRequest { member_id: member(FELLOW).to_string(), ..Default::default() };
        let activity = fixture.list_activity(&who, activity).await.unwrap().activities;
        vec![
            ("first comments", first.comments.len()),
            ("next comments", second.comments.len()),
            ("reactions", reactions.len()),
            ("replies", replies),
            ("reactions to a comment", liked),
            ("comment", usize::from(found)),
            ("activity of a fellow", activity.len()),
        ]
    }
}

#[tokio::test]
async fn a_former_member_sees_only_the_own_post_without_what_others_did() {
    let thread = Thread::start().await;
    for (rpc, post) in thread.posts().await {
        assert_eq!((post.like_count, post.comment_count), (2, 3), "{rpc}");
        assert_eq!(post.community.unwrap().name, "Moot Court Society", "{rpc}");
    }
    for (list, number) in thread.answers().await {
        assert!(number > 0, "{list}");
    }
    thread.fixture.leave_community(community(1), member(AUTHOR)).await;
    for (rpc, post) in thread.posts().await {
        assert_eq!((post.like_count, post.comment_count), (0, 0), "{rpc}");
        assert_eq!((post.reactions.len(), post.comments.len()), (0, 0), "{rpc}");
        assert_eq!((post.community.unwrap().name.as_str(), post.content.as_str()), ("", "Ours"), "{rpc}");
    }
    for (list, number) in thread.answers().await {
        assert_eq!(number, 0, "{list}");
    }
    // The fellow, and the author who joins again, see everything.
    let fellow = thread.fixture.as_member(member(FELLOW));
    assert_eq!(thread.fixture.get_post_as(&fellow, &thread.post.id).await.comments.len(), 2);
    thread.fixture.join_community(community(1), &[member(AUTHOR)]).await;
    for (rpc, post) in thread.posts().await {
        assert_eq!((post.like_count, post.comment_count), (2, 3), "{rpc}");
    }
    thread.fixture.assert_counters().await;
}

#[tokio::test]
async fn the_export_of_a_former_member_has_the_numbers_that_lists_show() {
    let thread = Thread::start().await;
    let fixture = &thread.fixture;
    fixture.like_comment(member(FELLOW), &thread.reply.id).await;
    let numbers = async || {
        let records = export(fixture, member(AUTHOR)).await;
        let number = |section: &str, name: &str| {
            let (_, record) = records.iter().find(|(of, _)| of == section).unwrap();
            record[name].as_i64().unwrap()
        };
        [("posts", "likeCount"), ("posts", "commentCount"), ("comments", "likeCount")]
            .map(|(section, name)| number(section, name))
    };
    assert_eq!(numbers().await, [2, 3, 1]);
    fixture.leave_community(community(1), member(AUTHOR)).await;
    fixture.create_comment_of(member(FELLOW), &thread.post.id, "After").await;
    assert_eq!(numbers().await, [0, 0, 0]);
    fixture.join_community(community(1), &[member(AUTHOR)]).await;
    assert_eq!(numbers().await, [2, 4, 1]);
}

#[tokio::test]
async fn the_export_counts_nothing_of_a_comment_behind_a_block() {
    let fixture = Fixture::new().await;
    let post = fixture.create_post_of(member(FELLOW), "Theirs").await;
    let comment = fixture.create_comment_of(member(AUTHOR), &post.id, "Mine").await;
    fixture.like_comment(member(FELLOW), &comment.id).await;
    fixture.create_reply_of(member(FELLOW), &comment, "Answer").await;
    let numbers = async || {
        let records = export(&fixture, member(AUTHOR)).await;
        let (_, record) = records.into_iter().find(|(of, _)| of == "comments").unwrap();
        (record["likeCount"].as_i64().unwrap(), record["replyCount"].as_i64().unwrap())
    };
    assert_eq!(numbers().await, (1, 1));
    fixture.block_member(member(FELLOW), member(AUTHOR)).await;
    assert_eq!(numbers().await, (0, 0));
}

#[tokio::test]
async fn the_bodies_that_gateways_keep_are_those_of_members() {
    let thread = Thread::start().await;
    thread.fixture.leave_community(community(1), member(AUTHOR)).await;
    for (rpc, post) in thread.posts().await {
        assert!(post.comments.is_empty(), "the author reads first: {rpc}");
    }
    let home = ListPostsRequest { sort: PostSort::Relevant.into(), without_bodies: true, ..Default::default() };
    let home = thread.fixture.list_posts(&thread.author(), home).await.unwrap().posts;
    assert_eq!((home.len(), home[0].content.as_str()), (1, "Ours"), "the page has the author's own body");
    let request = BatchGetPostBodiesRequest { post_ids: vec![thread.post.id.clone()] };
    let of_author = thread.fixture.batch_get_post_bodies(&thread.author(), request.clone()).await.unwrap();
    assert!(of_author.bodies.is_empty(), "{of_author:?}");
    let fellow = thread.fixture.as_member(member(FELLOW));
    assert_eq!(thread.fixture.get_post_as(&fellow, &thread.post.id).await.comments.len(), 2);
    let of_fellow = thread.fixture.batch_get_post_bodies(&fellow, request).await.unwrap();
    assert_eq!(of_fellow.bodies.len(), 1);
}

#[tokio::test]
async fn a_former_member_deletes_own_content_only() {
    let thread = Thread::start().await;
    let fixture = &thread.fixture;
    fixture.leave_community(community(1), member(AUTHOR)).await;
    let delete = |comment: &Comment| DeleteCommentRequest { comment_id: comment.id.clone(), reason: 0 };
    let refused = fixture.delete_comment(&thread.author(), delete(&thread.comment)).await.unwrap_err();
    assert_eq!(refused.reason, "COMMENT_NOT_FOUND");
    assert_eq!(fixture.count("select count(*) from feed.comments").await, 3);
    let unlike = RemoveReactionRequest { post_id: thread.post.id.clone() };
    let left = fixture.remove_reaction(&thread.author(), unlike).await.unwrap();
    assert_eq!(left.like_count, 0, "the reactions of members are not counted to a former one");
    assert_eq!(fixture.count("select like_count from feed.posts").await, 1);
    fixture.delete_comment(&thread.author(), delete(&thread.reply)).await.unwrap();
    assert_eq!(fixture.count("select count(*) from feed.comments").await, 2);
    fixture.assert_counters().await;
    let request = DeletePostRequest { post_id: thread.post.id.clone(), reason: 0 };
    fixture.delete_post(&thread.author(), request).await.unwrap();
}
