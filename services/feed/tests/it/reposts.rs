//! Passing posts on: what is shown of the original to whom, what counts, and what happens once.

use std::sync::Arc;

use portia_proto::feed::{
    CreatePostRequest, DeletePostRequest, ListPostsRequest, Post, PostSort, Repost, UpdatePostRequest,
};
use primitives::error::{ErrorKind, StatusDetails};
use rpc::Call;
use tokio::task::JoinSet;
use uuid::Uuid;

use crate::stand::{NOWHERE, Stand, community, member, patiently};

async fn repost(stand: &Stand, who: Uuid, of: &str, words: &str) -> Result<Post, StatusDetails> {
    let (content, repost_of) = (words.to_owned(), Some(of.to_owned()));
    let request = CreatePostRequest { content, repost_of, ..Default::default() };
    let who = stand.by(who);
    Ok(patiently(|| stand.create_post(&who, request.clone())).await?.post.unwrap())
}

async fn shares(stand: &Stand, post: &str) -> i64 {
    stand.seen(&stand.by(member(1)), post).await.share_count
}

/// What every list and the post itself show of what a post passes on: all the same.
async fn shown(stand: &Stand, who: &Call, post: &Post) -> Repost {
    let one = stand.seen(who, &post.id).await.repost.expect("a repost");
    for (sort, author_id) in [
        (PostSort::Recent, None),
        (PostSort::Top, None),
        (PostSort::Relevant, None),
        (PostSort::Recent, Some(post.author_id.clone())),
    ] {
        let request = ListPostsRequest { sort: sort.into(), author_id, ..Default::default() };
        let posts = stand.list_posts(who, request).await.unwrap().posts;
        let listed = posts.into_iter().find(|listed| listed.id == post.id).unwrap();
        assert_eq!(listed.repost.as_ref(), Some(&one), "{sort:?}");
    }
    one
}

#[tokio::test]
async fn a_repost_shows_what_it_passes_on_and_counts() {
    let stand = Stand::new().await;
    let original = stand.post(member(1), "Read this").await;
    stand.wait(60);
    let plain = repost(&stand, member(2), &original.id, "").await.unwrap();
    let worded = repost(&stand, member(3), &original.id, "Do read it").await.unwrap();
    assert_eq!(
        (plain.content.as_str(), worded.content.as_str(), shares(&stand, &original.id).await),
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
        assert_eq!(shown(&stand, &stand.visitor(), post).await, expected);
    }
    assert_eq!(original.repost, None);
    // What is said of it later is said of the repost, and what it says later is shown there.
    let edit =
        UpdatePostRequest { post_id: original.id.clone(), content: "Read that".to_owned(), ..Default::default() };
    let changed = stand.update_post(&stand.by(member(1)), edit).await.unwrap().post.unwrap();
    let now = shown(&stand, &stand.by(member(4)), &plain).await;
    assert_eq!((now.content.as_deref(), now.edited_at), (Some("Read that"), changed.edited_at));
    stand.assert_counters_true().await;
}

#[tokio::test]
async fn without_words_it_is_passed_on_once_and_from_whoever_wrote_it() {
    let stand = Stand::new().await;
    let original = stand.post(member(1), "Read this").await;
    let first = repost(&stand, member(2), &original.id, "").await.unwrap();
    assert_eq!(repost(&stand, member(2), &original.id, " \n").await.unwrap().id, first.id);
    // Of what says nothing itself, what that passes on.
    let through = repost(&stand, member(3), &first.id, "").await.unwrap();
    assert_eq!(through.repost.unwrap().post_id, Some(original.id.clone()));
    assert_eq!((shares(&stand, &original.id).await, shares(&stand, &first.id).await), (2, 0));
    // What says something is passed on itself.
    let worded = repost(&stand, member(3), &original.id, "Note").await.unwrap();
    let of_words = repost(&stand, member(4), &worded.id, "").await.unwrap();
    assert_eq!(of_words.repost.unwrap().content.as_deref(), Some("Note"));
    // With words as often as there are words.
    repost(&stand, member(3), &original.id, "Note").await.unwrap();
    assert_eq!((shares(&stand, &original.id).await, shares(&stand, &worded.id).await), (4, 1));
    stand.assert_counters_true().await;
}

#[tokio::test]
async fn only_what_is_for_everybody_and_seen_is_passed_on() {
    let stand = Stand::new().await;
    let society = community(1);
    stand.join(society, &[member(1), member(2)]).await;
    let ours = stand.post_in(member(1), society, "Ours").await;
    let open = stand.post(member(1), "Open").await;
    stand.block(member(1), member(4)).await;
    let refusal = async |who, post: &str| {
        let refused = repost(&stand, member(who), post, "").await.unwrap_err();
        (refused.kind, refused.message)
    };
    let unknown = (ErrorKind::NotFound, "Post not found".to_owned());
    assert_eq!(refusal(2, &ours.id).await, (ErrorKind::Conflict, "Only posts for everybody can be shared".to_owned()));
    assert_eq!(refusal(3, &ours.id).await, unknown);
    assert_eq!(refusal(4, &open.id).await, unknown);
    assert_eq!(refusal(2, NOWHERE).await, unknown);
    // Into a community, by its members only.
    let request = CreatePostRequest {
        repost_of: Some(open.id.clone()),
        community_id: Some(society.to_string()),
        ..Default::default()
    };
    let into = stand.create_post(&stand.by(member(2)), request.clone()).await.unwrap().post.unwrap();
    assert_eq!(into.community.unwrap().id, society.to_string());
    let refused = stand.create_post(&stand.by(member(5)), request.clone()).await.unwrap_err();
    assert_eq!((refused.kind, refused.reason.as_str()), (ErrorKind::Forbidden, "NOT_A_MEMBER"));
    // Who has left is not answered with what they passed on there before: these are other words.
    stand.leave(society, member(2)).await;
    let words = CreatePostRequest { content: "Look at this".to_owned(), ..request };
    let refused = stand.create_post(&stand.by(member(2)), words).await.unwrap_err();
    assert_eq!((refused.kind, refused.reason.as_str()), (ErrorKind::Forbidden, "NOT_A_MEMBER"));
    assert_eq!((shares(&stand, &open.id).await, shares(&stand, &ours.id).await), (1, 0));
    stand.assert_counters_true().await;
}

#[tokio::test]
async fn of_what_is_gone_or_not_for_the_viewer_nothing_is_shown_but_that_there_was_something() {
    let stand = Stand::new().await;
    let original = stand.post(member(1), "Read this").await;
    let passed = repost(&stand, member(2), &original.id, "Look").await.unwrap();
    stand.block(member(1), member(3)).await;
    stand.block(member(4), member(1)).await;
    let gone = Repost::default();
    for (viewer, sees) in [(3, false), (4, false), (5, true), (1, true)] {
        let seen = shown(&stand, &stand.by(member(viewer)), &passed).await;
        assert_eq!(seen != gone, sees, "{viewer}");
    }
    let mut conn = stand.pool().acquire().await.unwrap();
    feed::hidden::hide(&mut conn, &member(1).to_string(), stand.harness.clock.now()).await.unwrap();
    assert_eq!(shown(&stand, &stand.visitor(), &passed).await, gone);
    feed::hidden::show(&mut conn, &member(1).to_string()).await.unwrap();
    assert_ne!(shown(&stand, &stand.visitor(), &passed).await, gone);
    drop(conn);
    let request = DeletePostRequest { post_id: original.id.clone() };
    stand.delete_post(&stand.by(member(1)), request).await.unwrap();
    for who in [stand.visitor(), stand.by(member(1)), stand.by(member(2))] {
        assert_eq!(shown(&stand, &who, &passed).await, gone);
    }
    feed::removal::clear(stand.pool()).await.unwrap();
    assert_eq!(shown(&stand, &stand.visitor(), &passed).await, gone, "also when it is out of the tables");
    assert_eq!(stand.seen(&stand.visitor(), &passed.id).await.content, "Look");
}

#[tokio::test]
async fn a_repost_taken_away_is_counted_off_and_may_come_again() {
    let stand = Stand::new().await;
    let original = stand.post(member(1), "Read this").await;
    for _ in 0..2 {
        let mut passed = Vec::new();
        for who in [2, 3] {
            passed.push(repost(&stand, member(who), &original.id, "").await.unwrap());
        }
        assert_eq!(shares(&stand, &original.id).await, 2);
        // Nobody's, both of them, before they are cleared away.
        for (who, post) in [2, 3].into_iter().zip(passed) {
            let request = DeletePostRequest { post_id: post.id };
            stand.delete_post(&stand.by(member(who)), request).await.unwrap();
        }
        assert_eq!(shares(&stand, &original.id).await, 0);
    }
    feed::removal::clear(stand.pool()).await.unwrap();
    stand.assert_counters_true().await;
    assert_eq!(stand.count("select count(*) from feed.posts").await, 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn passed_on_by_one_member_twenty_times_at_once_it_is_once() {
    let stand = Arc::new(Stand::new().await);
    let original = stand.post(member(1), "Read this").await;
    let mut racers = JoinSet::new();
    for n in 0..30 {
        let (stand, id) = (Arc::clone(&stand), original.id.clone());
        let who = if n < 20 { 2 } else { n };
        racers.spawn(async move { repost(&stand, member(who), &id, "").await.unwrap().id });
    }
    let mut ids = racers.join_all().await;
    ids.sort();
    ids.dedup();
    assert_eq!((ids.len(), shares(&stand, &original.id).await), (11, 11));
    stand.assert_counters_true().await;
}

#[tokio::test]
async fn a_repost_sent_twice_is_one() {
    let stand = Stand::new().await;
    let original = stand.post(member(1), "Read this").await;
    let other = stand.post(member(1), "And this").await;
    let request = CreatePostRequest {
        content: "Note".to_owned(),
        repost_of: Some(original.id.clone()),
        idempotency_key: Some("key".to_owned()),
        ..Default::default()
    };
    let me = stand.by(member(2));
    let first = stand.create_post(&me, request.clone()).await.unwrap().post.unwrap();
    assert_eq!(stand.create_post(&me, request.clone()).await.unwrap().post.unwrap(), first);
    let reused = stand.create_post(&me, CreatePostRequest { repost_of: Some(other.id), ..request.clone() }).await;
    assert_eq!(reused.unwrap_err().kind, ErrorKind::KeyReused);
    let reused = stand.create_post(&me, CreatePostRequest { repost_of: None, ..request }).await;
    assert_eq!(reused.unwrap_err().kind, ErrorKind::KeyReused);
    assert_eq!(shares(&stand, &original.id).await, 1);
}
