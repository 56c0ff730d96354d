//! Bad input: each field is refused by name, without a write.

use portia_proto::feed::{
    CreateCommentRequest, CreatePostRequest, DeleteCommentRequest, DeletePostRequest, GetCommentRequest,
    GetPostRequest, ListCommentReactionsRequest, ListCommentsRequest, ListPostsRequest, ListReactionsRequest,
    ListRepliesRequest, PostSort, ReactionKind, RemoveCommentReactionRequest, RemoveReactionRequest,
    SetCommentReactionRequest, SetReactionRequest, UpdateCommentRequest, UpdatePostRequest,
};
use primitives::error::{ErrorKind, StatusDetails};
use rpc::Call;

use crate::fixtures::{Fixture, UNKNOWN_ID, member};

/// Texts that are invalid at any length.
fn corpus() -> Vec<String> {
    let mut bad: Vec<String> = [
        "",
        " ",
        "\n\t \r\n",
        "\u{3000}\u{2003}",
        "\0",
        "\0start",
        "mid\0dle",
        "end\0",
        "bell\u{7}",
        "\u{1b}[31mred",
        "del\u{7f}",
        "c1\u{85}next",
        "\u{202e}gpj.exe",
        "isolate\u{2066}d",
        "\u{feff}marked",
        "non\u{ffff}character",
        "\u{10ffff}",
    ]
    .map(str::to_owned)
    .to_vec();
    bad.push("a".repeat(1 << 20));
    bad.push("é".repeat(5_001));
    bad
}

fn assert_refused<T: std::fmt::Debug>(answer: Result<T, StatusDetails>, field: &str, input: &str) {
    let refused = answer.expect_err(&format!("{field} took {:?}", &input.chars().take(20).collect::<String>()));
    assert_eq!(refused.kind, ErrorKind::Invalid, "{input:.20?}");
    assert_eq!(refused.violations[0].field, field, "{input:.20?}");
    assert!(!refused.message.is_empty());
}

async fn assert_nothing_written(fixture: &Fixture) {
    for table in ["reactions", "comments", "outbox", "idempotency_keys"] {
        let of_this = format!("select count(*) from feed.{table}");
        let expected = i64::from(table == "outbox");
        assert_eq!(fixture.count(&of_this).await, expected, "{table}");
    }
    assert_eq!(fixture.count("select count(*) from feed.posts").await, 1);
}

#[tokio::test]
async fn invalid_texts_are_refused() {
    let fixture = Fixture::new().await;
    let me = fixture.as_member(member(1));
    let post = fixture.create_post_of(member(1), "The only one").await;
    let mut comments = corpus();
    comments.push("a".repeat(2_001));
    for content in corpus() {
        let request = CreatePostRequest { content: content.clone(), ..Default::default() };
        assert_refused(fixture.create_post(&me, request).await, "content", &content);
        let request = UpdatePostRequest { post_id: post.id.clone(), content: content.clone(), ..Default::default() };
        assert_refused(fixture.update_post(&me, request).await, "content", &content);
    }
    for content in comments {
        let request = UpdateCommentRequest { comment_id: UNKNOWN_ID.to_owned(), content: content.clone() };
        assert_refused(fixture.update_comment(&me, request).await, "content", &content);
        let request = CreateCommentRequest { post_id: post.id.clone(), content: content.clone(), ..Default::default() };
        assert_refused(fixture.create_comment(&me, request).await, "content", &content);
    }
    assert_nothing_written(&fixture).await;
}

#[tokio::test]
async fn invalid_idempotency_keys_are_refused() {
    let fixture = Fixture::new().await;
    let me = fixture.as_member(member(1));
    let post = fixture.create_post_of(member(1), "The only one").await;
    let mut keys: Vec<String> = corpus();
    keys.push("k".repeat(201));
    keys.push("two\nlines".to_owned());
    for key in keys {
        let request =
            CreatePostRequest { content: "Fine".to_owned(), idempotency_key: Some(key.clone()), ..Default::default() };
        assert_refused(fixture.create_post(&me, request).await, "idempotencyKey", &key);
        let request = CreateCommentRequest {
            post_id: post.id.clone(),
            content: "Fine".to_owned(),
            idempotency_key: Some(key.clone()),
            ..Default::default()
        };
        assert_refused(fixture.create_comment(&me, request).await, "idempotencyKey", &key);
    }
    assert_nothing_written(&fixture).await;
}

#[tokio::test]
async fn invalid_ids_are_refused() {
    let fixture = Fixture::new().await;
    let me = fixture.as_member(member(1));
    fixture.create_post_of(member(1), "The only one").await;
    let mut ids = corpus();
    ids.extend(
        [
            "1",
            "' or 1=1 --",
            "00000000-0000-0000-0000-000000000000",
            "f47ac10b-58cc-4372-a567-0e02b2c3d479",
            "{01930000-0000-7000-8000-000000000401}",
            "urn:uuid:01930000-0000-7000-8000-000000000401",
            "01930000000070008000000000000401",
        ]
        .map(str::to_owned),
    );
    for id in ids {
        let post_id = id.clone();
        let content = "Fine".to_owned();
        let kind = ReactionKind::Like.into();
        let set = SetReactionRequest { post_id: post_id.clone(), kind };
        let list = ListReactionsRequest { post_id: post_id.clone(), ..Default::default() };
        let comment = CreateCommentRequest { post_id: post_id.clone(), content, ..Default::default() };
        let comments = ListCommentsRequest { post_id: post_id.clone(), ..Default::default() };
        let by =
            ListPostsRequest { sort: PostSort::Recent.into(), author_id: Some(post_id.clone()), ..Default::default() };
        assert_refused(
            fixture.get_post(&me, GetPostRequest { post_id: post_id.clone(), ..Default::default() }).await,
            "postId",
            &id,
        );
        assert_refused(fixture.set_reaction(&me, set).await, "postId", &id);
        assert_refused(fixture.remove_reaction(&me, RemoveReactionRequest { post_id }).await, "postId", &id);
        assert_refused(fixture.list_reactions(&me, list).await, "postId", &id);
        assert_refused(fixture.create_comment(&me, comment).await, "postId", &id);
        assert_refused(fixture.list_comments(&me, comments).await, "postId", &id);
        refuse_comment_id(&fixture, &me, &id).await;
        assert_refused(fixture.list_posts(&me, by).await, "userId", &id);
        let community_id = Some(id.clone());
        let into =
            CreatePostRequest { content: "Fine".to_owned(), community_id: community_id.clone(), ..Default::default() };
        assert_refused(fixture.create_post(&me, into).await, "communityId", &id);
        let of = CreatePostRequest { content: "Fine".to_owned(), repost_of: Some(id.clone()), ..Default::default() };
        assert_refused(fixture.create_post(&me, of).await, "repostOf", &id);
        let (post_id, comment_id) = (id.clone(), id.clone());
        let edit = UpdatePostRequest { post_id: id.clone(), content: "Fine".to_owned(), ..Default::default() };
        assert_refused(fixture.update_post(&me, edit).await, "postId", &id);
        assert_refused(fixture.delete_post(&me, DeletePostRequest { post_id, reason: 0 }).await, "postId", &id);
        let edit = UpdateCommentRequest { comment_id: id.clone(), content: "Fine".to_owned() };
        assert_refused(fixture.update_comment(&me, edit).await, "commentId", &id);
        assert_refused(
            fixture.delete_comment(&me, DeleteCommentRequest { comment_id, reason: 0 }).await,
            "commentId",
            &id,
        );
        let of = ListPostsRequest { sort: PostSort::Recent.into(), community_id, ..Default::default() };
        assert_refused(fixture.list_posts(&me, of).await, "communityId", &id);
    }
    assert_nothing_written(&fixture).await;
}

/// Asserts that every RPC about a comment refuses the id.
async fn refuse_comment_id(fixture: &Fixture, me: &Call, id: &str) {
    let comment_id = || id.to_owned();
    let set = SetCommentReactionRequest { comment_id: comment_id(), kind: ReactionKind::Like.into() };
    let remove = RemoveCommentReactionRequest { comment_id: comment_id() };
    let reactions = ListCommentReactionsRequest { comment_id: comment_id(), ..Default::default() };
    let replies = ListRepliesRequest { comment_id: comment_id(), ..Default::default() };
    let reply = CreateCommentRequest {
        post_id: UNKNOWN_ID.to_owned(),
        content: "Fine".to_owned(),
        reply_to: Some(comment_id()),
        ..Default::default()
    };
    let get = GetCommentRequest { comment_id: comment_id() };
    assert_refused(fixture.get_comment(me, get).await, "commentId", id);
    assert_refused(fixture.set_comment_reaction(me, set).await, "commentId", id);
    assert_refused(fixture.remove_comment_reaction(me, remove).await, "commentId", id);
    assert_refused(fixture.list_comment_reactions(me, reactions).await, "commentId", id);
    assert_refused(fixture.list_replies(me, replies).await, "commentId", id);
    assert_refused(fixture.create_comment(me, reply).await, "replyTo", id);
}

#[tokio::test]
async fn texts_of_the_maximum_length_are_accepted() {
    let fixture = Fixture::new().await;
    let words = "ñ".repeat(5_000);
    let post = fixture.create_post_of(member(1), &words).await;
    assert_eq!(fixture.get_post_as(&fixture.as_visitor(), &post.id).await.content, words);
    let words = "\u{1f389}".repeat(2_000);
    assert_eq!(fixture.create_comment_of(member(1), &post.id, &words).await.content, words);
}
