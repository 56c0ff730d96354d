//! Creating and reading posts.

use portia_proto::feed::{GetPostRequest, ReactionKind};
use primitives::{error::ErrorKind, ids};
use uuid::Uuid;

use crate::fixtures::{Fixture, UNKNOWN_ID, member};

#[tokio::test]
async fn a_created_post_is_listed_immediately() {
    let fixture = Fixture::new().await;
    let words = "First line.\n\n  Second, e\u{301} and all \u{1f389}";
    let post = fixture.create_post_of(member(1), words).await;
    assert_eq!(post.content, "First line.\n\n  Second, é and all \u{1f389}");
    assert_eq!(post.author_id, member(1).to_string());
    assert_eq!((post.like_count, post.comment_count, post.image_url.as_deref()), (0, 0, None));
    assert_eq!(post.created_at.unwrap().seconds, fixture.harness.clock.now().timestamp());
    assert_eq!(fixture.get_post_as(&fixture.as_visitor(), &post.id).await, post);
}

#[tokio::test]
async fn ids_of_posts_and_comments_have_the_bucket_of_the_author() {
    let fixture = Fixture::new().await;
    let post = fixture.create_post_of(member(7), "Whose bucket?").await;
    let comment = fixture.create_comment_of(member(8), &post.id, "Yours.").await;
    for id in [&post.id, &comment.id] {
        assert_eq!(ids::bucket(Uuid::parse_str(id).unwrap()), ids::bucket(member(7)));
    }
}

#[tokio::test]
async fn an_unknown_post_is_not_found() {
    let fixture = Fixture::new().await;
    let refused = fixture
        .get_post(&fixture.as_visitor(), GetPostRequest { post_id: UNKNOWN_ID.to_owned(), ..Default::default() })
        .await
        .unwrap_err();
    assert_eq!((refused.kind, refused.reason.as_str()), (ErrorKind::NotFound, "POST_NOT_FOUND"));
    assert_eq!(refused.message, "Post not found");
}

#[tokio::test]
async fn a_post_contains_twenty_reactions_including_the_viewers() {
    let fixture = Fixture::new().await;
    let post = fixture.create_post_of(member(1), "Popular").await;
    for n in 1..=30 {
        fixture.like(member(n), &post.id).await;
        fixture.advance_clock(1);
    }
    let seen = fixture.get_post_as(&fixture.as_visitor(), &post.id).await;
    let members: Vec<String> = seen.reactions.iter().map(|reaction| reaction.member_id.clone()).collect();
    let newest: Vec<String> = (11..=30).rev().map(|n| member(n).to_string()).collect();
    assert_eq!(members, newest);
    assert_eq!(seen.like_count, 30);

    let mine = fixture.get_post_as(&fixture.as_member(member(2)), &post.id).await;
    assert_eq!(mine.reactions.len(), 20);
    assert_eq!(mine.reactions[0].member_id, member(2).to_string());
    assert_eq!(mine.reactions[0].kind(), ReactionKind::Like);
    assert_eq!(mine.reactions[1..].iter().map(|r| r.member_id.clone()).collect::<Vec<_>>(), newest[..19]);
}

#[tokio::test]
async fn a_post_contains_its_three_newest_comments_oldest_first() {
    let fixture = Fixture::new().await;
    let post = fixture.create_post_of(member(1), "Discuss").await;
    for n in 1..=5 {
        fixture.create_comment_of(member(n), &post.id, &format!("comment {n}")).await;
        fixture.advance_clock(1);
    }
    let seen = fixture.get_post_as(&fixture.as_visitor(), &post.id).await;
    let words: Vec<&str> = seen.comments.iter().map(|comment| comment.content.as_str()).collect();
    assert_eq!(words, ["comment 3", "comment 4", "comment 5"]);
    assert_eq!(seen.comment_count, 5);
    assert!(seen.comments.iter().all(|comment| comment.post_id == post.id));
}
