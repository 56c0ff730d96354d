//! Publishing a post, and what is seen of it.

use portia_proto::feed::{GetPostRequest, ReactionKind};
use primitives::{error::ErrorKind, ids};
use uuid::Uuid;

use crate::stand::{NOWHERE, Stand, member};

#[tokio::test]
async fn a_post_is_seen_at_once_as_it_was_written() {
    let stand = Stand::new().await;
    let words = "First line.\n\n  Second, e\u{301} and all \u{1f389}";
    let post = stand.post(member(1), words).await;
    assert_eq!(post.content, "First line.\n\n  Second, é and all \u{1f389}");
    assert_eq!(post.author_id, member(1).to_string());
    assert_eq!((post.like_count, post.comment_count, post.image_url.as_deref()), (0, 0, None));
    assert_eq!(post.created_at.unwrap().seconds, stand.harness.clock.now().timestamp());
    assert_eq!(stand.seen(&stand.visitor(), &post.id).await, post);
}

#[tokio::test]
async fn posts_and_comments_live_in_the_authors_bucket() {
    let stand = Stand::new().await;
    let post = stand.post(member(7), "Whose bucket?").await;
    let comment = stand.comment(member(8), &post.id, "Yours.").await;
    for id in [&post.id, &comment.id] {
        assert_eq!(ids::bucket(Uuid::parse_str(id).unwrap()), ids::bucket(member(7)));
    }
}

#[tokio::test]
async fn an_unknown_post_is_not_found() {
    let stand = Stand::new().await;
    let refused = stand.get_post(&stand.visitor(), GetPostRequest { post_id: NOWHERE.to_owned() }).await.unwrap_err();
    assert_eq!((refused.kind, refused.reason.as_str()), (ErrorKind::NotFound, "POST_NOT_FOUND"));
    assert_eq!(refused.message, "Post not found");
}

#[tokio::test]
async fn a_post_carries_twenty_reactions_with_mine_among_them() {
    let stand = Stand::new().await;
    let post = stand.post(member(1), "Popular").await;
    for n in 1..=30 {
        stand.like(member(n), &post.id).await;
        stand.wait(1);
    }
    let seen = stand.seen(&stand.visitor(), &post.id).await;
    let members: Vec<String> = seen.reactions.iter().map(|reaction| reaction.member_id.clone()).collect();
    let newest: Vec<String> = (11..=30).rev().map(|n| member(n).to_string()).collect();
    assert_eq!(members, newest);
    assert_eq!(seen.like_count, 30);

    let mine = stand.seen(&stand.by(member(2)), &post.id).await;
    assert_eq!(mine.reactions.len(), 20);
    assert_eq!(mine.reactions[0].member_id, member(2).to_string());
    assert_eq!(mine.reactions[0].kind(), ReactionKind::Like);
    assert_eq!(mine.reactions[1..].iter().map(|r| r.member_id.clone()).collect::<Vec<_>>(), newest[..19]);
}

#[tokio::test]
async fn a_post_carries_its_three_newest_comments_oldest_first() {
    let stand = Stand::new().await;
    let post = stand.post(member(1), "Discuss").await;
    for n in 1..=5 {
        stand.comment(member(n), &post.id, &format!("comment {n}")).await;
        stand.wait(1);
    }
    let seen = stand.seen(&stand.visitor(), &post.id).await;
    let words: Vec<&str> = seen.comments.iter().map(|comment| comment.content.as_str()).collect();
    assert_eq!(words, ["comment 3", "comment 4", "comment 5"]);
    assert_eq!(seen.comment_count, 5);
    assert!(seen.comments.iter().all(|comment| comment.post_id == post.id));
}
