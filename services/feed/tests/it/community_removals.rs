//! Owners and moderators remove posts and comments of their community; the fact names the author and the reason.

use portia_proto::feed::{
    CommunityContentRemoved, CommunityReason, CreateCommentRequest, DeleteCommentRequest, DeletePostRequest,
    ReactionKind, SetCommentReactionRequest, SetReactionRequest, UpdateCommentRequest, UpdatePostRequest,
};
use primitives::error::{ErrorKind, StatusDetails};
use prost::{Message as _, Name as _};
use uuid::Uuid;

use crate::fixtures::{Fixture, community, member};

const MODERATOR: u128 = 8;

async fn delete_post(fixture: &Fixture, who: Uuid, post: &str) -> Result<(), StatusDetails> {
    let reason = CommunityReason::OffTopic.into();
    let request = DeletePostRequest { post_id: post.to_owned(), reason };
    fixture.delete_post(&fixture.as_member(who), request).await.map(drop)
}

async fn delete_comment(fixture: &Fixture, who: Uuid, comment: &str) -> Result<Option<i64>, StatusDetails> {
    let request = DeleteCommentRequest { comment_id: comment.to_owned(), reason: 0 };
    fixture.delete_comment(&fixture.as_member(who), request).await.map(|deleted| deleted.comment_count)
}

/// Creates community 1 of members 1 and 2 with a moderator, and community 2 of all three without one.
async fn two_communities(fixture: &Fixture) {
    fixture.join_community(community(1), &[member(1), member(2)]).await;
    fixture.join_community(community(2), &[member(1), member(2), member(MODERATOR)]).await;
    fixture.moderate_community(community(1), member(MODERATOR)).await;
}

async fn removals(fixture: &Fixture) -> Vec<CommunityContentRemoved> {
    let payloads = sqlx::query_scalar("select payload from feed.outbox where kind = $1 order by id");
    let payloads: Vec<Vec<u8>> =
        payloads.bind(CommunityContentRemoved::full_name()).fetch_all(fixture.pool()).await.unwrap();
    payloads.iter().map(|payload| CommunityContentRemoved::decode(payload.as_slice()).unwrap()).collect()
}

#[tokio::test]
async fn a_moderator_removes_a_post_of_the_community_only() {
    let fixture = Fixture::new().await;
    two_communities(&fixture).await;
    let ours = fixture.create_post_in(member(1), community(1), "Ours").await.id;
    let theirs = fixture.create_post_in(member(1), community(2), "Theirs").await.id;
    let public = fixture.create_post_of(member(1), "Public").await.id;
    for post in [&theirs, &public] {
        let refused = delete_post(&fixture, member(MODERATOR), post).await.unwrap_err();
        assert_eq!((refused.kind, refused.reason.as_str()), (ErrorKind::Forbidden, "NOT_THE_AUTHOR"));
    }
    assert_eq!(delete_post(&fixture, member(2), &ours).await.unwrap_err().reason, "NOT_THE_AUTHOR");
    // A block by the author does not prevent the removal.
    fixture.block_member(member(1), member(MODERATOR)).await;
    delete_post(&fixture, member(MODERATOR), &ours).await.unwrap();
    assert_eq!(delete_post(&fixture, member(MODERATOR), &ours).await.unwrap_err().reason, "POST_NOT_FOUND");
    let [removal] = removals(&fixture).await.try_into().unwrap();
    assert_eq!((removal.post_id, removal.comment_id, removal.reason.as_str()), (ours, None, "off_topic"));
    assert_eq!(removal.community_id, community(1).to_string());
    assert_eq!((removal.author_id, removal.removed_by), (member(1).to_string(), member(MODERATOR).to_string()));
    fixture.leave_community(community(1), member(MODERATOR)).await;
    let later = fixture.create_post_in(member(1), community(1), "Later").await.id;
    assert_eq!(delete_post(&fixture, member(MODERATOR), &later).await.unwrap_err().reason, "POST_NOT_FOUND");
}

#[tokio::test]
async fn a_moderator_removes_a_comment_with_its_replies() {
    let fixture = Fixture::new().await;
    two_communities(&fixture).await;
    let post = fixture.create_post_in(member(1), community(1), "Ours").await.id;
    let comment = fixture.create_comment_of(member(2), &post, "A comment").await;
    fixture.create_reply_of(member(1), &comment, "A reply").await;
    let other = fixture.create_comment_of(member(2), &post, "Another").await;
    assert_eq!(delete_comment(&fixture, member(MODERATOR), &comment.id).await.unwrap(), Some(1));
    let [removal] = removals(&fixture).await.try_into().unwrap();
    assert_eq!((removal.comment_id.as_ref(), removal.reason.as_str()), (Some(&comment.id), ""));
    assert_eq!(removal.author_id, member(2).to_string());
    // The author of the post removes a comment on it as before.
    assert_eq!(delete_comment(&fixture, member(1), &other.id).await.unwrap(), Some(0));
    let own = fixture.create_post_in(member(MODERATOR), community(1), "Own").await.id;
    let reply = fixture.create_comment_of(member(MODERATOR), &own, "Own comment").await.id;
    delete_comment(&fixture, member(MODERATOR), &reply).await.unwrap();
    delete_post(&fixture, member(MODERATOR), &own).await.unwrap();
    assert_eq!(removals(&fixture).await.len(), 1, "own content and comments on own posts are no removals");
}

#[tokio::test]
async fn concurrent_removals_publish_one_fact() {
    let fixture = Fixture::new().await;
    two_communities(&fixture).await;
    for _ in 0..20 {
        let post = fixture.create_post_in(member(1), community(1), "Ours").await.id;
        let (by_moderator, by_author) =
            tokio::join!(delete_post(&fixture, member(MODERATOR), &post), delete_post(&fixture, member(1), &post));
        assert_eq!(u8::from(by_moderator.is_ok()) + u8::from(by_author.is_ok()), 1);
        let logged = removals(&fixture).await.iter().filter(|removal| removal.post_id == post).count();
        assert_eq!(logged, usize::from(by_moderator.is_ok()));
    }
}

#[tokio::test]
async fn an_author_who_left_or_was_removed_changes_nothing_that_the_members_see() {
    let fixture = Fixture::new().await;
    two_communities(&fixture).await;
    let author = fixture.as_member(member(1));
    let post = fixture.create_post_in(member(1), community(1), "Ours").await.id;
    let own = fixture.create_comment_of(member(1), &post, "Mine").await.id;
    let other = fixture.create_comment_of(member(2), &post, "Theirs").await.id;
    fixture.leave_community(community(1), member(1)).await;
    let content = || "Still here".to_owned();
    let comment = CreateCommentRequest { post_id: post.clone(), content: content(), ..Default::default() };
    let reply = CreateCommentRequest { reply_to: Some(other.clone()), ..comment.clone() };
    let edit = UpdatePostRequest { post_id: post.clone(), content: content(), ..Default::default() };
    let comment_edit = UpdateCommentRequest { comment_id: own.clone(), content: content() };
    let reaction = SetReactionRequest { post_id: post.clone(), kind: ReactionKind::Like.into() };
    let to_comment = SetCommentReactionRequest { comment_id: other, kind: ReactionKind::Like.into() };
    let refusals = [
        ("comment", fixture.create_comment(&author, comment).await.unwrap_err()),
        ("reply", fixture.create_comment(&author, reply).await.unwrap_err()),
        ("edit", fixture.update_post(&author, edit).await.unwrap_err()),
        ("edited comment", fixture.update_comment(&author, comment_edit).await.unwrap_err()),
        ("reaction", fixture.set_reaction(&author, reaction).await.unwrap_err()),
        ("reaction to a comment", fixture.set_comment_reaction(&author, to_comment).await.unwrap_err()),
    ];
    for (attempt, refused) in refusals {
        // Comments are not shown to an author who left.
        let expected = match attempt {
            "edited comment" | "reaction to a comment" => (ErrorKind::NotFound, "COMMENT_NOT_FOUND"),
            _ => (ErrorKind::Forbidden, "NOT_A_MEMBER"),
        };
        assert_eq!((refused.kind, refused.reason.as_str()), expected, "{attempt}");
    }
    assert_eq!(fixture.count("select count(*) from feed.comments where content = 'Still here'").await, 0);
    assert_eq!(fixture.count("select count(*) from feed.posts where content = 'Ours' and edited_at is null").await, 1);
    fixture.assert_counters().await;
    // The author may delete their own content.
    delete_comment(&fixture, member(1), &own).await.unwrap();
    delete_post(&fixture, member(1), &post).await.unwrap();
}
