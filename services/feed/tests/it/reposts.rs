//! Reposts: the visible part of the original, the counts, and repeated requests.

use std::sync::Arc;

use portia_proto::feed::{
    CreatePostRequest, DeletePostRequest, ListPostsRequest, Post, PostSort, Repost, UpdatePostRequest,
};
use primitives::error::{ErrorKind, StatusDetails};
use rpc::Call;
use tokio::task::JoinSet;
use uuid::Uuid;

use crate::fixtures::{Fixture, UNKNOWN_ID, community, member, retry_unavailable};

async fn repost(fixture: &Fixture, who: Uuid, of: &str, words: &str) -> Result<Post, StatusDetails> {
    let (content, repost_of) = (words.to_owned(), Some(of.to_owned()));
    let request = CreatePostRequest { content, repost_of, ..Default::default() };
    let who = fixture.as_member(who);
    Ok(retry_unavailable(|| fixture.create_post(&who, request.clone())).await?.post.unwrap())
}

async fn shares(fixture: &Fixture, post: &str) -> i64 {
    fixture.get_post_as(&fixture.as_member(member(1)), post).await.share_count
}

/// Returns the original as every list and the post itself show it, and asserts that all are equal.
async fn shown(fixture: &Fixture, who: &Call, post: &Post) -> Repost {
    let one = fixture.get_post_as(who, &post.id).await.repost.expect("a repost");
    for (sort, author_id) in [
        (PostSort::Recent, None),
        (PostSort::Top, None),
        (PostSort::Relevant, None),
        (PostSort::Recent, Some(post.author_id.clone())),
    ] {
        let request = ListPostsRequest { sort: sort.into(), author_id, ..Default::default() };
        let posts = fixture.list_posts(who, request).await.unwrap().posts;
        let listed = posts.into_iter().find(|listed| listed.id == post.id).unwrap();
        assert_eq!(listed.repost.as_ref(), Some(&one), "{sort:?}");
    }
    one
}

#[tokio::test]
async fn a_repost_contains_the_original_and_is_counted() {
    let fixture = Fixture::new().await;
    let original = fixture.create_post_of(member(1), "Read this").await;
    fixture.advance_clock(60);
    let plain = repost(&fixture, member(2), &original.id, "").await.unwrap();
    let worded = repost(&fixture, member(3), &original.id, "Do read it").await.unwrap();
    assert_eq!(
        (plain.content.as_str(), worded.content.as_str(), shares(&fixture, &original.id).await),
        ("", "Do read it", 2)
    );
    let expected = Repost {
        post_id: Some(original.id.clone()),
        author_id: Some(member(1).to_string()),
        content: Some("Read this".to_owned()),
        created_at: original.created_at,
        ..Default::default()
    };
    for post in [&plain, &worded] {
        assert_eq!(post.repost.as_ref(), Some(&expected));
        assert_eq!(shown(&fixture, &fixture.as_visitor(), post).await, expected);
    }
    assert_eq!(original.repost, None);
    // Later reactions belong to the repost, and later edits of the original are shown in it.
    let edit =
        UpdatePostRequest { post_id: original.id.clone(), content: "Read that".to_owned(), ..Default::default() };
    let changed = fixture.update_post(&fixture.as_member(member(1)), edit).await.unwrap().post.unwrap();
    let now = shown(&fixture, &fixture.as_member(member(4)), &plain).await;
    assert_eq!((now.content.as_deref(), now.edited_at), (Some("Read that"), changed.edited_at));
    fixture.assert_counters().await;
}

#[tokio::test]
async fn a_repost_without_text_exists_once_and_refers_to_the_original() {
    let fixture = Fixture::new().await;
    let original = fixture.create_post_of(member(1), "Read this").await;
    let first = repost(&fixture, member(2), &original.id, "").await.unwrap();
    assert_eq!(repost(&fixture, member(2), &original.id, " \n").await.unwrap().id, first.id);
    // A repost of a repost without text refers to the original.
    let through = repost(&fixture, member(3), &first.id, "").await.unwrap();
    assert_eq!(through.repost.unwrap().post_id, Some(original.id.clone()));
    assert_eq!((shares(&fixture, &original.id).await, shares(&fixture, &first.id).await), (2, 0));
    // A repost of a repost with text refers to that repost.
    let worded = repost(&fixture, member(3), &original.id, "Note").await.unwrap();
    let of_words = repost(&fixture, member(4), &worded.id, "").await.unwrap();
    assert_eq!(of_words.repost.unwrap().content.as_deref(), Some("Note"));
    // Reposts with text are not limited.
    repost(&fixture, member(3), &original.id, "Note").await.unwrap();
    assert_eq!((shares(&fixture, &original.id).await, shares(&fixture, &worded.id).await), (4, 1));
    fixture.assert_counters().await;
}

#[tokio::test]
async fn only_public_and_visible_posts_can_be_reposted() {
    let fixture = Fixture::new().await;
    let society = community(1);
    fixture.join_community(society, &[member(1), member(2)]).await;
    let ours = fixture.create_post_in(member(1), society, "Ours").await;
    let open = fixture.create_post_of(member(1), "Open").await;
    fixture.block_member(member(1), member(4)).await;
    let refusal = async |who, post: &str| {
        let refused = repost(&fixture, member(who), post, "").await.unwrap_err();
        (refused.kind, refused.message)
    };
    let unknown = (ErrorKind::NotFound, "Post not found".to_owned());
    assert_eq!(refusal(2, &ours.id).await, (ErrorKind::Conflict, "Only posts for everybody can be shared".to_owned()));
    assert_eq!(refusal(3, &ours.id).await, unknown);
    assert_eq!(refusal(4, &open.id).await, unknown);
    assert_eq!(refusal(2, UNKNOWN_ID).await, unknown);
    // Into a community by its members only.
    let request = CreatePostRequest {
        repost_of: Some(open.id.clone()),
        community_id: Some(society.to_string()),
        ..Default::default()
    };
    let into = fixture.create_post(&fixture.as_member(member(2)), request.clone()).await.unwrap().post.unwrap();
    assert_eq!(into.community.unwrap().id, society.to_string());
    let refused = fixture.create_post(&fixture.as_member(member(5)), request.clone()).await.unwrap_err();
    assert_eq!((refused.kind, refused.reason.as_str()), (ErrorKind::Forbidden, "NOT_A_MEMBER"));
    // A former member with another text does not get the earlier repost.
    fixture.leave_community(society, member(2)).await;
    let words = CreatePostRequest { content: "Look at this".to_owned(), ..request };
    let refused = fixture.create_post(&fixture.as_member(member(2)), words).await.unwrap_err();
    assert_eq!((refused.kind, refused.reason.as_str()), (ErrorKind::Forbidden, "NOT_A_MEMBER"));
    assert_eq!((shares(&fixture, &open.id).await, shares(&fixture, &ours.id).await), (1, 0));
    fixture.assert_counters().await;
}

#[tokio::test]
async fn a_deleted_or_invisible_original_is_shown_as_unavailable() {
    let fixture = Fixture::new().await;
    let original = fixture.create_post_of(member(1), "Read this").await;
    let passed = repost(&fixture, member(2), &original.id, "Look").await.unwrap();
    fixture.block_member(member(1), member(3)).await;
    fixture.block_member(member(4), member(1)).await;
    let gone = Repost::default();
    for (viewer, sees) in [(3, false), (4, false), (5, true), (1, true)] {
        let seen = shown(&fixture, &fixture.as_member(member(viewer)), &passed).await;
        assert_eq!(seen != gone, sees, "{viewer}");
    }
    let mut conn = fixture.pool().acquire().await.unwrap();
    feed::deactivation::deactivate(&mut conn, &member(1).to_string(), fixture.harness.clock.now()).await.unwrap();
    assert_eq!(shown(&fixture, &fixture.as_visitor(), &passed).await, gone);
    feed::deactivation::reactivate(&mut conn, &member(1).to_string()).await.unwrap();
    assert_ne!(shown(&fixture, &fixture.as_visitor(), &passed).await, gone);
    drop(conn);
    let request = DeletePostRequest { post_id: original.id.clone(), reason: 0 };
    fixture.delete_post(&fixture.as_member(member(1)), request).await.unwrap();
    for who in [fixture.as_visitor(), fixture.as_member(member(1)), fixture.as_member(member(2))] {
        assert_eq!(shown(&fixture, &who, &passed).await, gone);
    }
    feed::purge_deleted_posts(fixture.pool()).await.unwrap();
    assert_eq!(shown(&fixture, &fixture.as_visitor(), &passed).await, gone, "also after the rows are removed");
    assert_eq!(fixture.get_post_as(&fixture.as_visitor(), &passed.id).await.content, "Look");
}

#[tokio::test]
async fn a_deleted_repost_is_subtracted_and_can_be_created_again() {
    let fixture = Fixture::new().await;
    let original = fixture.create_post_of(member(1), "Read this").await;
    for _ in 0..2 {
        let mut passed = Vec::new();
        for who in [2, 3] {
            passed.push(repost(&fixture, member(who), &original.id, "").await.unwrap());
        }
        assert_eq!(shares(&fixture, &original.id).await, 2);
        // Both are deleted and not yet removed.
        for (who, post) in [2, 3].into_iter().zip(passed) {
            let request = DeletePostRequest { post_id: post.id, reason: 0 };
            fixture.delete_post(&fixture.as_member(member(who)), request).await.unwrap();
        }
        assert_eq!(shares(&fixture, &original.id).await, 0);
    }
    feed::purge_deleted_posts(fixture.pool()).await.unwrap();
    fixture.assert_counters().await;
    assert_eq!(fixture.count("select count(*) from feed.posts").await, 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn twenty_concurrent_reposts_of_one_member_create_one() {
    let fixture = Arc::new(Fixture::new().await);
    let original = fixture.create_post_of(member(1), "Read this").await;
    let mut racers = JoinSet::new();
    for n in 0..30 {
        let (fixture, id) = (Arc::clone(&fixture), original.id.clone());
        let who = if n < 20 { 2 } else { n };
        racers.spawn(async move { repost(&fixture, member(who), &id, "").await.unwrap().id });
    }
    let mut ids = racers.join_all().await;
    ids.sort();
    ids.dedup();
    assert_eq!((ids.len(), shares(&fixture, &original.id).await), (11, 11));
    fixture.assert_counters().await;
}

#[tokio::test]
async fn a_repeated_request_for_a_repost_creates_one() {
    let fixture = Fixture::new().await;
    let original = fixture.create_post_of(member(1), "Read this").await;
    let other = fixture.create_post_of(member(1), "And this").await;
    let request = CreatePostRequest {
        content: "Note".to_owned(),
        repost_of: Some(original.id.clone()),
        idempotency_key: Some("key".to_owned()),
        ..Default::default()
    };
    let me = fixture.as_member(member(2));
    let first = fixture.create_post(&me, request.clone()).await.unwrap().post.unwrap();
    assert_eq!(fixture.create_post(&me, request.clone()).await.unwrap().post.unwrap(), first);
    let reused = fixture.create_post(&me, CreatePostRequest { repost_of: Some(other.id), ..request.clone() }).await;
    assert_eq!(reused.unwrap_err().kind, ErrorKind::KeyReused);
    let reused = fixture.create_post(&me, CreatePostRequest { repost_of: None, ..request }).await;
    assert_eq!(reused.unwrap_err().kind, ErrorKind::KeyReused);
    assert_eq!(shares(&fixture, &original.id).await, 1);
}
