//! Comments: creation, counts and pages.

use std::sync::Arc;

use portia_proto::feed::{CreateCommentRequest, ListCommentsRequest};
use primitives::error::ErrorKind;
use tokio::task::JoinSet;

use crate::fixtures::{Fixture, UNKNOWN_ID, member};

#[tokio::test]
async fn a_comment_is_listed_immediately_and_counted() {
    let fixture = Fixture::new().await;
    let post = fixture.create_post_of(member(1), "Thoughts?").await;
    let comment = fixture.create_comment_of(member(2), &post.id, "Several.\nNone printable.").await;
    assert_eq!((comment.post_id.as_str(), comment.author_id), (post.id.as_str(), member(2).to_string()));
    let seen = fixture.get_post_as(&fixture.as_visitor(), &post.id).await;
    assert_eq!(seen.comment_count, 1);
    assert_eq!(seen.comments[0].content, "Several.\nNone printable.");
    fixture.assert_counters().await;
}

#[tokio::test]
async fn a_comment_on_an_unknown_post_is_not_found() {
    let fixture = Fixture::new().await;
    let post_id = UNKNOWN_ID.to_owned();
    let add = CreateCommentRequest { post_id: post_id.clone(), content: "Hello?".to_owned(), ..Default::default() };
    let list = ListCommentsRequest { post_id, ..Default::default() };
    for refused in [
        fixture.create_comment(&fixture.as_member(member(1)), add).await.unwrap_err(),
        fixture.list_comments(&fixture.as_visitor(), list).await.unwrap_err(),
    ] {
        assert_eq!((refused.kind, refused.message.as_str()), (ErrorKind::NotFound, "Post not found"));
    }
    assert_eq!(fixture.count("select count(*) from feed.comments").await, 0);
}

#[tokio::test]
async fn the_newest_page_comes_first_with_the_oldest_comment_first() {
    let fixture = Fixture::new().await;
    let post = fixture.create_post_of(member(1), "A long talk").await;
    let list = async |size: i32, token: &str| {
        let request = ListCommentsRequest {
            post_id: post.id.clone(),
            page_size: size,
            page_token: token.to_owned(),
            ..Default::default()
        };
        let page = fixture.list_comments(&fixture.as_visitor(), request).await.unwrap();
        let words: Vec<String> = page.comments.into_iter().map(|comment| comment.content).collect();
        (words, page.next_page_token)
    };
    assert_eq!(list(0, "").await, (vec![], String::new()));
    for n in 0..7 {
        fixture.create_comment_of(member(2), &post.id, &n.to_string()).await;
        fixture.advance_clock(1);
    }
    let (first, token) = list(3, "").await;
    assert_eq!(first, ["4", "5", "6"]);
    fixture.create_comment_of(member(3), &post.id, "meanwhile").await;
    let (second, token) = list(3, &token).await;
    assert_eq!(second, ["1", "2", "3"]);
    let (last, token) = list(3, &token).await;
    assert_eq!((last, token), (vec!["0".to_owned()], String::new()));
}

#[tokio::test]
async fn invalid_tokens_are_refused() {
    let fixture = Fixture::new().await;
    let post = fixture.create_post_of(member(1), "Tokens").await;
    for token in ["x", "e30", "\0", "bnVsbA"] {
        let request = ListCommentsRequest {
            post_id: post.id.clone(),
            page_size: 0,
            page_token: token.to_owned(),
            ..Default::default()
        };
        let refused = fixture.list_comments(&fixture.as_visitor(), request).await.unwrap_err();
        assert_eq!((refused.kind, refused.violations[0].field.as_str()), (ErrorKind::Invalid, "pageToken"));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn fifty_concurrent_comments_are_all_counted() {
    let fixture = Arc::new(Fixture::new().await);
    let post = fixture.create_post_of(member(1), "Quick!").await;
    let mut racers = JoinSet::new();
    for n in 0..50 {
        let (fixture, id) = (Arc::clone(&fixture), post.id.clone());
        racers.spawn(async move { fixture.create_comment_of(member(n), &id, "First!").await });
    }
    racers.join_all().await;
    assert_eq!(fixture.get_post_as(&fixture.as_visitor(), &post.id).await.comment_count, 50);
    fixture.assert_counters().await;
}

#[tokio::test]
async fn comments_are_listed_without_the_version_of_closed_accounts() {
    let fixture = Fixture::new().await;
    let post = fixture.create_post_of(member(1), "News").await;
    fixture.create_comment_of(member(2), &post.id, "Oh").await;
    sqlx::raw_sql("delete from feed.hidden_members_changes").execute(fixture.pool()).await.unwrap();
    for _ in 0..2 {
        let list = ListCommentsRequest { post_id: post.id.clone(), ..Default::default() };
        let comments = fixture.list_comments(&fixture.as_member(member(3)), list).await.unwrap().comments;
        assert_eq!(comments.len(), 1);
    }
}
