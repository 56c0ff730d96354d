//! Who may do what: visitors read, members write, nobody else passes.

use portia_proto::feed::{
    BatchGetPostsRequest, CreateCommentRequest, CreatePostRequest, GetPostRequest, GetPostStatsRequest,
    ListActivityRequest, ListCommentsRequest, ListPostsRequest, ListReactionsRequest, ListSavedItemsRequest, PostSort,
    ReactionKind, RemoveReactionRequest, SaveItemRequest, SavedKind, SetReactionRequest, UnsaveItemRequest,
};
use primitives::error::{ErrorKind, StatusDetails};
use rpc::Call;

use crate::stand::{Stand, member};

/// Every RPC once, and what became of it.
async fn everything(stand: &Stand, who: &Call, post: &str) -> [(&'static str, Option<StatusDetails>); 15] {
    let post_id = || post.to_owned();
    let sort = PostSort::Relevant.into();
    let create = CreatePostRequest { content: "Mine".to_owned(), ..Default::default() };
    let comment = CreateCommentRequest { post_id: post_id(), content: "Mine".to_owned(), idempotency_key: None };
    let set = SetReactionRequest { post_id: post_id(), kind: ReactionKind::Like.into() };
    let reactions = ListReactionsRequest { post_id: post_id(), ..Default::default() };
    let comments = ListCommentsRequest { post_id: post_id(), ..Default::default() };
    let activity = ListActivityRequest { member_id: member(1).to_string(), ..Default::default() };
    let kind = SavedKind::Post.into();
    [
        ("ListPosts", stand.list_posts(who, ListPostsRequest { sort, ..Default::default() }).await.err()),
        ("GetPost", stand.get_post(who, GetPostRequest { post_id: post_id() }).await.err()),
        ("ListReactions", stand.list_reactions(who, reactions).await.err()),
        ("ListComments", stand.list_comments(who, comments).await.err()),
        ("ListActivity", stand.list_activity(who, activity).await.err()),
        ("BatchGetPosts", stand.batch_get_posts(who, BatchGetPostsRequest { post_ids: vec![post_id()] }).await.err()),
        ("CreatePost", stand.create_post(who, create).await.err()),
        ("SetReaction", stand.set_reaction(who, set).await.err()),
        ("RemoveReaction", stand.remove_reaction(who, RemoveReactionRequest { post_id: post_id() }).await.err()),
        ("CreateComment", stand.create_comment(who, comment).await.err()),
        ("SaveItem", stand.save_item(who, SaveItemRequest { kind, id: post_id() }).await.err()),
        ("UnsaveItem", stand.unsave_item(who, UnsaveItemRequest { kind, id: post_id() }).await.err()),
        ("ListSavedItems", stand.list_saved_items(who, ListSavedItemsRequest::default()).await.err()),
        ("GetPostStats", stand.get_post_stats(who, GetPostStatsRequest {}).await.err()),
        ("ExportMember", stand.export(who).await.err()),
    ]
}

#[tokio::test]
async fn members_may_do_everything() {
    let stand = Stand::new().await;
    let post = stand.post(member(1), "Open to all").await;
    for who in [member(1), member(2)] {
        for (rpc, refused) in everything(&stand, &stand.by(who), &post.id).await {
            assert_eq!(refused, None, "{rpc}");
        }
    }
}

#[tokio::test]
async fn visitors_may_read() {
    let stand = Stand::new().await;
    let post = stand.post(member(1), "Open to all").await;
    let outcome = everything(&stand, &stand.visitor(), &post.id).await;
    for (rpc, refused) in &outcome[..6] {
        assert_eq!(*refused, None, "{rpc}");
    }
    for (rpc, refused) in &outcome[6..] {
        assert_eq!(refused.as_ref().map(|refused| refused.kind), Some(ErrorKind::Unauthenticated), "{rpc}");
    }
    assert_eq!(stand.count("select count(*) from feed.posts").await, 1);
    assert_eq!(stand.count("select count(*) from feed.comments").await, 0);
}

#[tokio::test]
async fn nobody_else_passes() {
    let stand = Stand::new().await;
    let post = stand.post(member(1), "Open to all").await;
    let expired = stand.by(member(1));
    stand.wait(3_600);
    for who in [stand.harness.actors.nobody(), expired] {
        for (rpc, refused) in everything(&stand, &who, &post.id).await {
            assert_eq!(refused.map(|refused| refused.kind), Some(ErrorKind::Unauthenticated), "{rpc}");
        }
    }
}
