//! A closed account: nothing its member wrote is shown or answered to, until it is open again or gone.

use portia_proto::{
    auth::{AccountClosed, AccountErased, AccountReopened},
    feed::{
        CreateCommentRequest, GetPostRequest, ListActivityRequest, ListCommentsRequest, ListPostsRequest,
        ListReactionsRequest, Post, PostSort, RemoveReactionRequest, SetReactionRequest,
    },
};
use primitives::error::{ErrorKind, StatusDetails};
use rpc::Call;
use testkit::FactSource;
use uuid::Uuid;

use crate::stand::{Stand, member};

/// A feed beside an auth that tells what the test has it tell.
async fn heard() -> (Stand, FactSource) {
    let auth = FactSource::default();
    let stand = Stand::beside(|builder| builder.neighbour("auth", auth.routes())).await;
    (stand, auth)
}

async fn close(stand: &Stand, auth: &FactSource, who: Uuid) {
    let closed = AccountClosed { member_id: who.to_string() };
    auth.tell(who, &closed);
    stand.harness.heard("auth", auth.tell(who, &closed)).await;
}

async fn reopen(stand: &Stand, auth: &FactSource, who: Uuid) {
    let reopened = AccountReopened { member_id: who.to_string() };
    auth.tell(who, &reopened);
    stand.harness.heard("auth", auth.tell(who, &reopened)).await;
}

async fn page(stand: &Stand, who: &Call, sort: PostSort, author: Option<Uuid>, size: i32) -> Vec<Post> {
    let author_id = author.map(|id| id.to_string());
    let request = ListPostsRequest { sort: sort.into(), author_id, page_size: size, ..Default::default() };
    stand.list_posts(who, request).await.unwrap().posts
}

/// Every list there is, as somebody sees it.
async fn everything(stand: &Stand, who: &Call, members: &[Uuid], posts: &[&str]) -> Vec<String> {
    let mut seen = Vec::new();
    for sort in [PostSort::Relevant, PostSort::Recent, PostSort::Top] {
        seen.extend(page(stand, who, sort, None, 100).await.iter().map(|post| format!("{post:?}")));
    }
    for id in members {
        seen.extend(page(stand, who, PostSort::Recent, Some(*id), 100).await.iter().map(|post| format!("{post:?}")));
        let request = ListActivityRequest { member_id: id.to_string(), ..Default::default() };
        let activities = stand.list_activity(who, request).await.unwrap().activities;
        seen.extend(activities.iter().map(|activity| format!("{activity:?}")));
    }
    for post_id in posts.iter().map(|id| (*id).to_owned()) {
        let one = stand.get_post(who, GetPostRequest { post_id: post_id.clone() }).await;
        seen.extend(one.ok().map(|one| format!("{one:?}")));
        let request = ListReactionsRequest { post_id: post_id.clone(), ..Default::default() };
        seen.extend(stand.list_reactions(who, request).await.ok().map(|page| format!("{page:?}")));
        let request = ListCommentsRequest { post_id, ..Default::default() };
        seen.extend(stand.list_comments(who, request).await.ok().map(|page| format!("{page:?}")));
    }
    seen
}

#[tokio::test]
async fn what_they_wrote_vanishes_from_every_list_and_comes_back_as_it_was() {
    let (stand, auth) = heard().await;
    let (gone, stays) = (member(1), member(2));
    let theirs = stand.post(gone, "by the one who goes").await;
    let others = stand.post(stays, "by the one who stays").await;
    for who in [gone, stays] {
        for post in [&theirs.id, &others.id] {
            stand.wait(1);
            stand.like(who, post).await;
            stand.comment(who, post, "something").await;
        }
    }
    let reader = stand.by(member(3));
    let see = async || everything(&stand, &reader, &[gone, stays], &[&theirs.id, &others.id]).await;
    let before = see().await;
    assert!(before.iter().any(|seen| seen.contains(&gone.to_string())));

    close(&stand, &auth, gone).await;
    let meanwhile = see().await;
    for seen in &meanwhile {
        assert!(!seen.contains(&gone.to_string()) && !seen.contains(&theirs.id), "{seen}");
    }
    // Three lists and the one of the author, activity twice, the post, its reactions, its comments.
    assert_eq!(meanwhile.len(), 4 + 3 + 3, "{meanwhile:#?}");
    let seen = stand.seen(&reader, &others.id).await;
    assert_eq!((seen.reactions.len(), seen.comments.len()), (1, 1));
    assert_eq!((seen.like_count, seen.comment_count), (2, 2), "counters wait for what is final");
    stand.assert_counters_true().await;

    reopen(&stand, &auth, gone).await;
    assert_eq!(see().await, before);
    assert_eq!(stand.count("select count(*) from feed.dead_facts").await, 0);
    stand.harness.stop().await;
}

#[tokio::test]
async fn nothing_can_be_said_under_their_posts() {
    let (stand, auth) = heard().await;
    let post = stand.post(member(1), "Closing").await;
    stand.like(member(2), &post.id).await;
    close(&stand, &auth, member(1)).await;

    let me = stand.by(member(2));
    let post_id = || post.id.clone();
    let comment = CreateCommentRequest { post_id: post_id(), content: "Hello?".to_owned(), idempotency_key: None };
    let list = ListReactionsRequest { post_id: post_id(), ..Default::default() };
    let comments = ListCommentsRequest { post_id: post_id(), ..Default::default() };
    let refusals: [StatusDetails; 6] = [
        stand.get_post(&me, GetPostRequest { post_id: post_id() }).await.unwrap_err(),
        stand.set_reaction(&me, SetReactionRequest { post_id: post_id(), kind: 2 }).await.unwrap_err(),
        stand.remove_reaction(&me, RemoveReactionRequest { post_id: post_id() }).await.unwrap_err(),
        stand.create_comment(&me, comment).await.unwrap_err(),
        stand.list_reactions(&me, list).await.unwrap_err(),
        stand.list_comments(&me, comments).await.unwrap_err(),
    ];
    for refused in refusals {
        assert_eq!((refused.kind, refused.message.as_str()), (ErrorKind::NotFound, "Post not found"));
    }
    assert_eq!(stand.count("select count(*) from feed.reactions where kind = 'like'").await, 1);
    assert_eq!(stand.count("select count(*) from feed.comments").await, 0);
    stand.assert_counters_true().await;
    stand.harness.stop().await;
}

#[tokio::test]
async fn pages_are_full_all_the_same() {
    let (stand, auth) = heard().await;
    for n in 0..30 {
        let post = stand.post(member(1 + n % 3), &format!("post {n}")).await;
        for fan in 0..30 {
            stand.like(member(1 + fan), &post.id).await;
        }
        for _ in 0..3 {
            stand.comment(member(9), &post.id, "staying").await;
            stand.comment(member(1), &post.id, "going").await;
        }
        stand.wait(1);
    }
    close(&stand, &auth, member(1)).await;
    let reader = stand.by(member(2));
    for (sort, author) in [
        (PostSort::Relevant, None),
        (PostSort::Recent, None),
        (PostSort::Top, None),
        (PostSort::Recent, Some(member(3))),
    ] {
        let posts = page(&stand, &reader, sort, author, 10).await;
        assert_eq!(posts.len(), 10, "{sort:?}");
        for post in &posts {
            assert_eq!((post.reactions.len(), post.comments.len()), (20, 3));
        }
    }
    let all = page(&stand, &reader, PostSort::Recent, None, 100).await;
    assert_eq!(all.len(), 20);
    stand.harness.stop().await;
}

#[tokio::test]
async fn a_copy_filled_anew_forgets_who_was_reopened_meanwhile() {
    let stand = Stand::new().await;
    let mut conn = stand.pool().acquire().await.unwrap();
    let now = stand.harness.clock.now();
    feed::hidden::hide(&mut conn, &member(1).to_string(), now).await.unwrap();
    feed::erase::request(&mut conn, &member(2).to_string(), now).await.unwrap();
    feed::hidden::clear(&mut conn).await.unwrap();
    feed::hidden::show(&mut conn, &member(2).to_string()).await.unwrap();
    let hidden = format!("select count(*) from feed.hidden_members where member_id <> '{}'", member(2));
    assert_eq!(stand.count(&hidden).await, 0);
    // Unless the eraser, which is at work, was faster.
    let erased = "select count(*) from feed.erasures e
        where not exists (select from feed.hidden_members h where h.member_id = e.member_id)";
    assert_eq!(stand.count(erased).await, 0, "who is about to be erased stays hidden");
}

#[tokio::test]
async fn who_is_erased_is_hidden_until_nothing_is_left() {
    let (stand, auth) = heard().await;
    let post = stand.post(member(1), "Gone at once").await;
    let erased = AccountErased { member_id: member(1).to_string() };
    stand.harness.heard("auth", auth.tell(member(1), &erased)).await;
    let refused = stand.get_post(&stand.visitor(), GetPostRequest { post_id: post.id }).await.unwrap_err();
    assert_eq!(refused.kind, ErrorKind::NotFound);
    stand.harness.stop().await;
}
