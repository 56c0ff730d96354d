//! Replies: one level, counts, pages, deletion with their comment, and visibility.

use std::sync::Arc;

use portia_proto::feed::{
    Comment, CreateCommentRequest, DeleteCommentRequest, GetCommentRequest, ListCommentsRequest, ListRepliesRequest,
    UpdateCommentRequest,
};
use primitives::error::{ErrorKind, StatusDetails};
use rpc::Call;
use tokio::task::JoinSet;
use uuid::Uuid;

use crate::fixtures::{Fixture, UNKNOWN_ID, community, member, retry_unavailable};

/// Returns a page of replies: their texts, and the token of the next page.
async fn list_replies(
    fixture: &Fixture,
    who: &Call,
    comment: &str,
    size: i32,
    token: &str,
) -> Result<(Vec<String>, String), StatusDetails> {
    let request = ListRepliesRequest { comment_id: comment.to_owned(), page_size: size, page_token: token.to_owned() };
    let page = fixture.list_replies(who, request).await?;
    Ok((page.replies.into_iter().map(|reply| reply.content).collect(), page.next_page_token))
}

/// Returns the texts of the top-level comments.
async fn list_comments(fixture: &Fixture, who: &Call, post: &str) -> Vec<String> {
    let request = ListCommentsRequest { post_id: post.to_owned(), ..Default::default() };
    let comments = fixture.list_comments(who, request).await.unwrap().comments;
    comments.into_iter().map(|comment| comment.content).collect()
}

async fn reply_to(fixture: &Fixture, who: Uuid, post: &str, to: &str) -> Result<Comment, StatusDetails> {
    let request = CreateCommentRequest {
        post_id: post.to_owned(),
        content: "Hello?".to_owned(),
        reply_to: Some(to.to_owned()),
        ..Default::default()
    };
    fixture.create_comment(&fixture.as_member(who), request).await.map(|answer| answer.comment.unwrap())
}

async fn delete(fixture: &Fixture, who: Uuid, comment: &str) -> Option<i64> {
    let request = DeleteCommentRequest { comment_id: comment.to_owned(), reason: 0 };
    fixture.delete_comment(&fixture.as_member(who), request).await.unwrap().comment_count
}

fn refusal<T: std::fmt::Debug>(answer: Result<T, StatusDetails>) -> (ErrorKind, String) {
    let refused = answer.unwrap_err();
    (refused.kind, refused.reason)
}

#[tokio::test]
async fn a_reply_is_counted_and_listed_below_its_comment_only() {
    let fixture = Fixture::new().await;
    let post = fixture.create_post_of(member(1), "Thoughts?").await;
    let comment = fixture.create_comment_of(member(2), &post.id, "Several.").await;
    let reply = fixture.create_reply_of(member(1), &comment, "Name one.").await;
    assert_eq!((reply.reply_to.as_deref(), reply.reply_count), (Some(&*comment.id), 0));
    let visitor = fixture.as_visitor();
    let seen = fixture.get_post_as(&visitor, &post.id).await;
    assert_eq!((seen.comment_count, seen.comments.len()), (2, 1));
    assert_eq!((seen.comments[0].reply_count, &seen.comments[0].reply_to), (1, &None));
    assert_eq!(list_comments(&fixture, &visitor, &post.id).await, ["Several."]);
    assert_eq!(
        list_replies(&fixture, &visitor, &comment.id, 0, "").await.unwrap(),
        (vec!["Name one.".to_owned()], String::new())
    );
    assert_eq!(fixture.get_comment_as(&visitor, &reply.id).await, reply);
    assert_eq!(list_replies(&fixture, &visitor, &reply.id, 0, "").await.unwrap(), (vec![], String::new()));
    fixture.assert_counters().await;
}

#[tokio::test]
async fn a_reply_to_a_reply_belongs_to_the_top_level_comment() {
    let fixture = Fixture::new().await;
    let post = fixture.create_post_of(member(1), "Thoughts?").await;
    let comment = fixture.create_comment_of(member(2), &post.id, "One").await;
    let reply = fixture.create_reply_of(member(3), &comment, "Two").await;
    let again = fixture.create_reply_of(member(4), &reply, "Three").await;
    assert_eq!(again.reply_to, Some(comment.id.clone()));
    assert_eq!(fixture.get_comment_as(&fixture.as_visitor(), &comment.id).await.reply_count, 2);
    fixture.assert_counters().await;
}

#[tokio::test]
async fn replies_are_paged_oldest_first() {
    let fixture = Fixture::new().await;
    let post = fixture.create_post_of(member(1), "A long talk").await;
    let comment = fixture.create_comment_of(member(2), &post.id, "Well").await;
    for n in 0..7 {
        fixture.create_reply_of(member(3), &comment, &n.to_string()).await;
        fixture.advance_clock(1);
    }
    let (who, mut met, mut token) = (fixture.as_visitor(), Vec::new(), String::new());
    loop {
        let (page, next) = list_replies(&fixture, &who, &comment.id, 3, &token).await.unwrap();
        assert!(page.len() <= 3);
        met.extend(page);
        token = next;
        if token.is_empty() {
            break;
        }
    }
    assert_eq!(met, ["0", "1", "2", "3", "4", "5", "6"]);
    for token in ["x", "e30", "\0", "bnVsbA"] {
        let refused = list_replies(&fixture, &who, &comment.id, 0, token).await.unwrap_err();
        assert_eq!((refused.kind, refused.violations[0].field.as_str()), (ErrorKind::Invalid, "pageToken"));
    }
}

#[tokio::test]
async fn a_reply_needs_a_comment_on_the_same_post() {
    let fixture = Fixture::new().await;
    let (post, other) =
        (fixture.create_post_of(member(1), "One").await, fixture.create_post_of(member(1), "Other").await);
    let comment = fixture.create_comment_of(member(2), &other.id, "There").await;
    let gone = fixture.create_comment_of(member(2), &post.id, "Gone").await;
    delete(&fixture, member(2), &gone.id).await;
    let not_found = (ErrorKind::NotFound, "COMMENT_NOT_FOUND".to_owned());
    for to in [&*comment.id, &*gone.id, UNKNOWN_ID] {
        assert_eq!(refusal(reply_to(&fixture, member(3), &post.id, to).await), not_found);
    }
    let no_post = (ErrorKind::NotFound, "POST_NOT_FOUND".to_owned());
    assert_eq!(refusal(reply_to(&fixture, member(3), UNKNOWN_ID, &comment.id).await), no_post);
    fixture.assert_counters().await;
}

#[tokio::test]
async fn a_comment_is_deleted_with_its_replies_and_reactions() {
    let fixture = Fixture::new().await;
    let post = fixture.create_post_of(member(1), "Thoughts?").await;
    let comment = fixture.create_comment_of(member(2), &post.id, "One").await;
    let kept = fixture.create_comment_of(member(2), &post.id, "Kept").await;
    let mut replies = Vec::new();
    for (to, n) in [(&comment, 3), (&comment, 4), (&kept, 3)] {
        let reply = fixture.create_reply_of(member(n), to, "Reply").await;
        fixture.like_comment(member(1), &reply.id).await;
        replies.push(reply.id);
    }
    fixture.like_comment(member(5), &comment.id).await;
    // Neither the author of the comment nor the author of another reply may delete a reply.
    for who in [2, 4] {
        let request = DeleteCommentRequest { comment_id: replies[0].clone(), reason: 0 };
        let refused = fixture.delete_comment(&fixture.as_member(member(who)), request).await;
        assert_eq!(refusal(refused), (ErrorKind::Forbidden, "NOT_THE_AUTHOR".to_owned()));
    }
    assert_eq!(delete(&fixture, member(2), &comment.id).await, Some(2));
    fixture.assert_counters().await;
    let gone = GetCommentRequest { comment_id: replies[0].clone() };
    let not_found = (ErrorKind::NotFound, "COMMENT_NOT_FOUND".to_owned());
    assert_eq!(refusal(fixture.get_comment(&fixture.as_visitor(), gone).await), not_found);
    assert_eq!(fixture.count("select count(*) from feed.comment_reactions").await, 1);
    // The author of the post deletes the reply to the other comment.
    assert_eq!(delete(&fixture, member(1), &replies[2]).await, Some(1));
    assert_eq!(fixture.get_comment_as(&fixture.as_visitor(), &kept.id).await.reply_count, 0);
    fixture.assert_counters().await;
}

#[tokio::test]
async fn a_deleted_post_takes_replies_and_reactions_with_it() {
    let fixture = Fixture::new().await;
    let post = fixture.create_post_of(member(1), "Thoughts?").await;
    let comment = fixture.create_comment_of(member(2), &post.id, "One").await;
    let reply = fixture.create_reply_of(member(3), &comment, "Two").await;
    fixture.like_comment(member(4), &reply.id).await;
    let request = portia_proto::feed::DeletePostRequest { post_id: post.id, reason: 0 };
    fixture.delete_post(&fixture.as_member(member(1)), request).await.unwrap();
    let not_found = (ErrorKind::NotFound, "COMMENT_NOT_FOUND".to_owned());
    assert_eq!(refusal(list_replies(&fixture, &fixture.as_visitor(), &comment.id, 0, "").await), not_found);
    feed::purge_deleted_posts(fixture.pool()).await.unwrap();
    assert_eq!(fixture.count("select count(*) from feed.comments").await, 0);
    assert_eq!(fixture.count("select count(*) from feed.comment_reactions").await, 0);
}

/// Returns whether each RPC about a comment finds it.
async fn answers(fixture: &Fixture, who: Uuid, post: &str, comment: &str) -> Vec<bool> {
    let caller = fixture.as_member(who);
    let comment_id = || comment.to_owned();
    let set = portia_proto::feed::SetCommentReactionRequest { comment_id: comment_id(), kind: 1 };
    let remove = portia_proto::feed::RemoveCommentReactionRequest { comment_id: comment_id() };
    let likes = portia_proto::feed::ListCommentReactionsRequest { comment_id: comment_id(), ..Default::default() };
    let edit = UpdateCommentRequest { comment_id: comment_id(), content: "Mine now".to_owned() };
    let found = |refused: Option<StatusDetails>| refused.is_none_or(|refused| refused.kind != ErrorKind::NotFound);
    vec![
        found(fixture.get_comment(&caller, GetCommentRequest { comment_id: comment_id() }).await.err()),
        found(list_replies(fixture, &caller, comment, 0, "").await.err()),
        found(fixture.list_comment_reactions(&caller, likes).await.err()),
        found(fixture.set_comment_reaction(&caller, set).await.err()),
        found(fixture.remove_comment_reaction(&caller, remove).await.err()),
        found(reply_to(fixture, who, post, comment).await.err()),
        found(fixture.update_comment(&caller, edit).await.err()),
    ]
}

#[tokio::test]
async fn every_rpc_agrees_on_the_visibility_of_a_comment() {
    let fixture = Fixture::new().await;
    let society = community(1);
    fixture.join_community(society, &[member(1), member(2)]).await;
    let ours = fixture.create_post_in(member(1), society, "Ours").await;
    let public = fixture.create_post_of(member(1), "Public").await;
    let [inside, comment] = [
        fixture.create_comment_of(member(2), &ours.id, "Inside").await,
        fixture.create_comment_of(member(2), &public.id, "Outside").await,
    ];
    let reply = fixture.create_reply_of(member(3), &comment, "Reply").await;
    fixture.block_member(member(4), member(2)).await;
    fixture.block_member(member(3), member(5)).await;
    for (who, [sees_inside, sees_comment, sees_reply]) in [
        (1, [true, true, true]),
        (6, [false, true, true]),
        // In a block with the author of the comment: neither the comment nor its replies.
        (4, [false, false, false]),
        // In a block with the author of the reply.
        (5, [false, true, false]),
    ] {
        for (post, comment, expected) in
            [(&ours, &inside, sees_inside), (&public, &comment, sees_comment), (&public, &reply, sees_reply)]
        {
            let answers = answers(&fixture, member(who), &post.id, &comment.id).await;
            assert_eq!(answers, [expected; 7], "{} for {who}", comment.content);
        }
    }
    let (replies, _) = list_replies(&fixture, &fixture.as_member(member(5)), &comment.id, 0, "").await.unwrap();
    assert!(!replies.contains(&"Reply".to_owned()), "{replies:?}");
    let mut conn = fixture.pool().acquire().await.unwrap();
    feed::deactivation::deactivate(&mut conn, &member(2).to_string(), fixture.harness.clock.now()).await.unwrap();
    drop(conn);
    assert_eq!(answers(&fixture, member(1), &public.id, &reply.id).await, [false; 7], "the account is closed");
    fixture.assert_counters().await;
}

#[tokio::test]
async fn a_repeated_reply_returns_the_first_one() {
    let fixture = Fixture::new().await;
    let post = fixture.create_post_of(member(1), "Thoughts?").await;
    let comment = fixture.create_comment_of(member(2), &post.id, "One").await;
    let request = |reply_to: Option<String>| CreateCommentRequest {
        post_id: post.id.clone(),
        content: "Two".to_owned(),
        idempotency_key: Some("k".to_owned()),
        reply_to,
    };
    let who = fixture.as_member(member(3));
    let first = fixture.create_comment(&who, request(Some(comment.id.clone()))).await.unwrap();
    assert_eq!(fixture.create_comment(&who, request(Some(comment.id.clone()))).await.unwrap(), first);
    let reused = fixture.create_comment(&who, request(None)).await;
    assert_eq!(refusal(reused).1, "IDEMPOTENCY_KEY_REUSED", "not a reply");
    fixture.assert_counters().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn concurrent_replies_and_a_deletion_leave_correct_counts() {
    let fixture = Arc::new(Fixture::new().await);
    let post = fixture.create_post_of(member(1), "Contested").await;
    let comment = fixture.create_comment_of(member(2), &post.id, "One").await;
    let mut racers = JoinSet::new();
    for n in 0..30 {
        let (fixture, post, comment) = (Arc::clone(&fixture), post.id.clone(), comment.id.clone());
        racers.spawn(async move {
            let who = fixture.as_member(member(100 + n));
            let refused = match n % 10 {
                9 => {
                    let who = fixture.as_member(member(2));
                    let request = DeleteCommentRequest { comment_id: comment, reason: 0 };
                    retry_unavailable(|| fixture.delete_comment(&who, request.clone())).await.err()
                }
                0..4 => {
                    let request = portia_proto::feed::SetCommentReactionRequest { comment_id: comment, kind: 1 };
                    retry_unavailable(|| fixture.set_comment_reaction(&who, request.clone())).await.err()
                }
                _ => {
                    let request = CreateCommentRequest {
                        post_id: post,
                        content: "Me too".to_owned(),
                        reply_to: Some(comment),
                        ..Default::default()
                    };
                    retry_unavailable(|| fixture.create_comment(&who, request.clone())).await.err()
                }
            };
            assert!(refused.is_none_or(|refused| refused.reason == "COMMENT_NOT_FOUND"));
        });
    }
    racers.join_all().await;
    assert_eq!(fixture.count("select count(*) from feed.comments").await, 0);
    assert_eq!(fixture.get_post_as(&fixture.as_visitor(), &post.id).await.comment_count, 0);
    fixture.assert_counters().await;
}
