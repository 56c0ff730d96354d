//! Permissions: visitors read, members write, other callers are refused.

use portia_proto::feed::{
    BatchGetPostBodiesRequest, BatchGetPostsRequest, CreateCommentRequest, CreatePostRequest, GetCommentRequest,
    GetPostRequest, GetPostStatsRequest, ListActivityRequest, ListCommentReactionsRequest, ListCommentsRequest,
    ListPostsRequest, ListReactionsRequest, ListRepliesRequest, ListSavedItemsRequest, PostSort, ReactionKind,
    RemoveCommentReactionRequest, RemoveReactionRequest, SaveItemRequest, SavedKind, SetCommentReactionRequest,
    SetReactionRequest, UnsaveItemRequest,
};
use primitives::error::{ErrorKind, StatusDetails};
use rpc::Call;

use crate::fixtures::{Fixture, member};

/// Returns the result of each RPC.
async fn call_every_rpc(fixture: &Fixture, who: &Call, post: &str) -> [(&'static str, Option<StatusDetails>); 21] {
    let post_id = || post.to_owned();
    // The comment of another call.
    let comments = ListCommentsRequest { post_id: post_id(), ..Default::default() };
    let known = fixture.list_comments(&fixture.as_visitor(), comments).await.unwrap().comments.remove(0);
    let comment_id = || known.id.clone();
    let replies = ListRepliesRequest { comment_id: comment_id(), ..Default::default() };
    let liked = ListCommentReactionsRequest { comment_id: comment_id(), ..Default::default() };
    let like = SetCommentReactionRequest { comment_id: comment_id(), kind: ReactionKind::Like.into() };
    let unlike = RemoveCommentReactionRequest { comment_id: comment_id() };
    let sort = PostSort::Relevant.into();
    let create = CreatePostRequest { content: "Mine".to_owned(), ..Default::default() };
    let comment = CreateCommentRequest { post_id: post_id(), content: "Mine".to_owned(), ..Default::default() };
    let set = SetReactionRequest { post_id: post_id(), kind: ReactionKind::Like.into() };
    let reactions = ListReactionsRequest { post_id: post_id(), ..Default::default() };
    let comments = ListCommentsRequest { post_id: post_id(), ..Default::default() };
    let activity = ListActivityRequest { member_id: member(1).to_string(), ..Default::default() };
    let kind = SavedKind::Post.into();
    [
        ("ListPosts", fixture.list_posts(who, ListPostsRequest { sort, ..Default::default() }).await.err()),
        ("GetPost", fixture.get_post(who, GetPostRequest { post_id: post_id(), ..Default::default() }).await.err()),
        ("ListReactions", fixture.list_reactions(who, reactions).await.err()),
        ("ListComments", fixture.list_comments(who, comments).await.err()),
        ("GetComment", fixture.get_comment(who, GetCommentRequest { comment_id: comment_id() }).await.err()),
        ("ListReplies", fixture.list_replies(who, replies).await.err()),
        ("ListCommentReactions", fixture.list_comment_reactions(who, liked).await.err()),
        ("ListActivity", fixture.list_activity(who, activity).await.err()),
        ("BatchGetPosts", fixture.batch_get_posts(who, BatchGetPostsRequest { post_ids: vec![post_id()] }).await.err()),
        (
            "BatchGetPostBodies",
            fixture.batch_get_post_bodies(who, BatchGetPostBodiesRequest { post_ids: vec![post_id()] }).await.err(),
        ),
        ("CreatePost", fixture.create_post(who, create).await.err()),
        ("SetReaction", fixture.set_reaction(who, set).await.err()),
        ("RemoveReaction", fixture.remove_reaction(who, RemoveReactionRequest { post_id: post_id() }).await.err()),
        ("SetCommentReaction", fixture.set_comment_reaction(who, like).await.err()),
        ("RemoveCommentReaction", fixture.remove_comment_reaction(who, unlike).await.err()),
        ("CreateComment", fixture.create_comment(who, comment).await.err()),
        ("SaveItem", fixture.save_item(who, SaveItemRequest { kind, id: post_id() }).await.err()),
        ("UnsaveItem", fixture.unsave_item(who, UnsaveItemRequest { kind, id: post_id() }).await.err()),
        ("ListSavedItems", fixture.list_saved_items(who, ListSavedItemsRequest::default()).await.err()),
        ("GetPostStats", fixture.get_post_stats(who, GetPostStatsRequest {}).await.err()),
        ("ExportMember", fixture.export_member(who).await.err()),
    ]
}

#[tokio::test]
async fn a_member_may_call_every_rpc() {
    let fixture = Fixture::new().await;
    let post = fixture.create_post_of(member(1), "Open to all").await;
    fixture.create_comment_of(member(1), &post.id, "Open too").await;
    for who in [member(1), member(2)] {
        for (rpc, refused) in call_every_rpc(&fixture, &fixture.as_member(who), &post.id).await {
            assert_eq!(refused, None, "{rpc}");
        }
    }
}

#[tokio::test]
async fn a_visitor_may_read_only() {
    let fixture = Fixture::new().await;
    let post = fixture.create_post_of(member(1), "Open to all").await;
    fixture.create_comment_of(member(1), &post.id, "Open too").await;
    let outcome = call_every_rpc(&fixture, &fixture.as_visitor(), &post.id).await;
    for (rpc, refused) in &outcome[..10] {
        assert_eq!(*refused, None, "{rpc}");
    }
    for (rpc, refused) in &outcome[10..] {
        assert_eq!(refused.as_ref().map(|refused| refused.kind), Some(ErrorKind::Unauthenticated), "{rpc}");
    }
    assert_eq!(fixture.count("select count(*) from feed.posts").await, 1);
    assert_eq!(fixture.count("select count(*) from feed.comments").await, 1);
    assert_eq!(fixture.count("select count(*) from feed.comment_reactions").await, 0);
}

#[tokio::test]
async fn other_callers_are_refused() {
    let fixture = Fixture::new().await;
    let post = fixture.create_post_of(member(1), "Open to all").await;
    fixture.create_comment_of(member(1), &post.id, "Open too").await;
    let expired = fixture.as_member(member(1));
    fixture.advance_clock(3_600);
    for who in [fixture.harness.actors.invalid_token(), expired] {
        for (rpc, refused) in call_every_rpc(&fixture, &who, &post.id).await {
            assert_eq!(refused.map(|refused| refused.kind), Some(ErrorKind::Unauthenticated), "{rpc}");
        }
    }
}
