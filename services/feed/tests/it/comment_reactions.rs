//! Reactions to comments: set, changed, removed, counted once, listed.

use std::sync::Arc;

use portia_proto::feed::{
    ListActivityRequest, ListCommentReactionsRequest, ListCommentsRequest, Reaction, ReactionKind,
    SetCommentReactionRequest,
};
use primitives::error::ErrorKind;
use tokio::task::JoinSet;

use crate::fixtures::{Fixture, UNKNOWN_ID, member};

#[tokio::test]
async fn a_member_has_one_reaction_to_a_comment() {
    let fixture = Fixture::new().await;
    let post = fixture.create_post_of(member(1), "Thoughts?").await;
    let comment = fixture.create_comment_of(member(2), &post.id, "Several.").await;
    assert_eq!(fixture.like_comment(member(3), &comment.id).await, 1);
    assert_eq!(fixture.like_comment(member(3), &comment.id).await, 1);
    assert_eq!(fixture.like_comment(member(1), &comment.id).await, 2);
    let who = fixture.as_member(member(3));
    let change = SetCommentReactionRequest { comment_id: comment.id.clone(), kind: ReactionKind::Thanks.into() };
    assert_eq!(fixture.set_comment_reaction(&who, change).await.unwrap().like_count, 2);

    let mine = [Reaction { member_id: member(3).to_string(), kind: ReactionKind::Thanks.into() }];
    let list = ListCommentsRequest { post_id: post.id.clone(), ..Default::default() };
    let listed = fixture.list_comments(&who, list).await.unwrap().comments.remove(0);
    let embedded = fixture.get_post_as(&who, &post.id).await.comments.remove(0);
    let request = ListActivityRequest { member_id: member(2).to_string(), ..Default::default() };
    let activity = fixture.list_activity(&who, request).await.unwrap().activities.remove(0).action;
    let Some(portia_proto::feed::activity::Action::Commented(active)) = activity else { panic!("a comment") };
    let single = fixture.get_comment_as(&who, &comment.id).await;
    for seen in [&listed, &embedded, &active, &single] {
        assert_eq!((seen.like_count, seen.reactions.as_slice()), (2, mine.as_slice()));
    }
    let other = fixture.get_comment_as(&fixture.as_visitor(), &comment.id).await;
    assert_eq!((other.like_count, other.reactions), (2, vec![]), "only the actor's own");

    assert_eq!(fixture.unlike_comment(member(3), &comment.id).await, 1);
    assert_eq!(fixture.unlike_comment(member(3), &comment.id).await, 1);
    fixture.assert_counters().await;
}

#[tokio::test]
async fn an_unknown_kind_or_comment_is_refused() {
    let fixture = Fixture::new().await;
    let who = fixture.as_member(member(2));
    for kind in [0, 6, -1, i32::MAX] {
        let request = SetCommentReactionRequest { comment_id: UNKNOWN_ID.to_owned(), kind };
        let refused = fixture.set_comment_reaction(&who, request).await.unwrap_err();
        assert_eq!((refused.kind, refused.violations[0].field.as_str()), (ErrorKind::Invalid, "type"));
    }
    let request = SetCommentReactionRequest { comment_id: UNKNOWN_ID.to_owned(), kind: 1 };
    let refused = fixture.set_comment_reaction(&who, request).await.unwrap_err();
    assert_eq!((refused.kind, refused.message.as_str()), (ErrorKind::NotFound, "Comment not found"));
    assert_eq!(fixture.count("select count(*) from feed.comment_reactions").await, 0);
}

#[tokio::test]
async fn reactions_are_paged_newest_first_without_blocked_and_closed_members() {
    let fixture = Fixture::new().await;
    let post = fixture.create_post_of(member(1), "Count").await;
    let comment = fixture.create_comment_of(member(1), &post.id, "Me").await;
    for n in 0..25 {
        fixture.like_comment(member(n), &comment.id).await;
        // Some share a time.
        fixture.advance_clock(i64::from(n % 3 == 0));
    }
    fixture.block_member(member(2), member(7)).await;
    fixture.block_member(member(8), member(2)).await;
    let mut conn = fixture.pool().acquire().await.unwrap();
    feed::deactivation::deactivate(&mut conn, &member(9).to_string(), fixture.harness.clock.now()).await.unwrap();
    drop(conn);
    let (who, mut met, mut token) = (fixture.as_member(member(2)), Vec::new(), String::new());
    loop {
        let request = ListCommentReactionsRequest { comment_id: comment.id.clone(), page_size: 4, page_token: token };
        let page = fixture.list_comment_reactions(&who, request).await.unwrap();
        met.extend(page.reactions.into_iter().map(|reaction| reaction.member_id));
        if page.next_page_token.is_empty() {
            break;
        }
        token = page.next_page_token;
    }
    let visible = (0..25).rev().filter(|n| ![7, 8, 9].contains(n));
    assert_eq!(met, visible.map(|n| member(n).to_string()).collect::<Vec<_>>());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn concurrent_likes_and_unlikes_leave_correct_counts() {
    let fixture = Arc::new(Fixture::new().await);
    let post = fixture.create_post_of(member(1), "Contested").await;
    let comment = fixture.create_comment_of(member(1), &post.id, "This too").await;
    let mut racers = JoinSet::new();
    for n in 0..50 {
        let (fixture, id) = (Arc::clone(&fixture), comment.id.clone());
        racers.spawn(async move {
            let who = member(100 + n % 10);
            match n / 10 {
                0 | 3 => _ = fixture.unlike_comment(who, &id).await,
                _ => _ = fixture.like_comment(who, &id).await,
            }
        });
    }
    racers.join_all().await;
    fixture.assert_counters().await;
    let count = fixture.get_comment_as(&fixture.as_visitor(), &comment.id).await.like_count;
    assert!((0..=10).contains(&count), "{count}");
}
