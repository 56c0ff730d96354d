//! Comments: added, counted, and paged back through.

use std::sync::Arc;

use portia_proto::feed::{CreateCommentRequest, ListCommentsRequest};
use primitives::error::ErrorKind;
use tokio::task::JoinSet;

use crate::stand::{NOWHERE, Stand, member};

#[tokio::test]
async fn a_comment_is_seen_at_once_and_counted() {
    let stand = Stand::new().await;
    let post = stand.post(member(1), "Thoughts?").await;
    let comment = stand.comment(member(2), &post.id, "Several.\nNone printable.").await;
    assert_eq!((comment.post_id.as_str(), comment.author_id), (post.id.as_str(), member(2).to_string()));
    let seen = stand.seen(&stand.visitor(), &post.id).await;
    assert_eq!(seen.comment_count, 1);
    assert_eq!(seen.comments[0].content, "Several.\nNone printable.");
    stand.assert_counters_true().await;
}

#[tokio::test]
async fn nothing_can_be_said_under_an_unknown_post() {
    let stand = Stand::new().await;
    let post_id = NOWHERE.to_owned();
    let add = CreateCommentRequest { post_id: post_id.clone(), content: "Hello?".to_owned(), idempotency_key: None };
    let list = ListCommentsRequest { post_id, ..Default::default() };
    for refused in [
        stand.create_comment(&stand.by(member(1)), add).await.unwrap_err(),
        stand.list_comments(&stand.visitor(), list).await.unwrap_err(),
    ] {
        assert_eq!((refused.kind, refused.message.as_str()), (ErrorKind::NotFound, "Post not found"));
    }
    assert_eq!(stand.count("select count(*) from feed.comments").await, 0);
}

#[tokio::test]
async fn the_newest_page_comes_first_and_reads_downwards() {
    let stand = Stand::new().await;
    let post = stand.post(member(1), "A long talk").await;
    let list = async |size: i32, token: &str| {
        let request = ListCommentsRequest { post_id: post.id.clone(), page_size: size, page_token: token.to_owned() };
        let page = stand.list_comments(&stand.visitor(), request).await.unwrap();
        let words: Vec<String> = page.comments.into_iter().map(|comment| comment.content).collect();
        (words, page.next_page_token)
    };
    assert_eq!(list(0, "").await, (vec![], String::new()));
    for n in 0..7 {
        stand.comment(member(2), &post.id, &n.to_string()).await;
        stand.wait(1);
    }
    let (first, token) = list(3, "").await;
    assert_eq!(first, ["4", "5", "6"]);
    stand.comment(member(3), &post.id, "meanwhile").await;
    let (second, token) = list(3, &token).await;
    assert_eq!(second, ["1", "2", "3"]);
    let (last, token) = list(3, &token).await;
    assert_eq!((last, token), (vec!["0".to_owned()], String::new()));
}

#[tokio::test]
async fn garbage_tokens_are_refused() {
    let stand = Stand::new().await;
    let post = stand.post(member(1), "Tokens").await;
    for token in ["x", "e30", "\0", "bnVsbA"] {
        let request = ListCommentsRequest { post_id: post.id.clone(), page_size: 0, page_token: token.to_owned() };
        let refused = stand.list_comments(&stand.visitor(), request).await.unwrap_err();
        assert_eq!((refused.kind, refused.violations[0].field.as_str()), (ErrorKind::Invalid, "pageToken"));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn fifty_comments_at_once_are_fifty() {
    let stand = Arc::new(Stand::new().await);
    let post = stand.post(member(1), "Quick!").await;
    let mut racers = JoinSet::new();
    for n in 0..50 {
        let (stand, id) = (Arc::clone(&stand), post.id.clone());
        racers.spawn(async move { stand.comment(member(n), &id, "First!").await });
    }
    racers.join_all().await;
    assert_eq!(stand.seen(&stand.visitor(), &post.id).await.comment_count, 50);
    stand.assert_counters_true().await;
}
