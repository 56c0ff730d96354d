//! Closed accounts: their content is hidden and accepts no reactions or comments until reactivation or erasure.

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

use crate::fixtures::{Fixture, member};

/// Starts the service with auth as a source of facts.
async fn fixture_with_auth() -> (Fixture, FactSource) {
    let auth = FactSource::default();
    let fixture = Fixture::with_upstreams(|builder| builder.upstream("auth", auth.routes())).await;
    (fixture, auth)
}

async fn deactivate(fixture: &Fixture, auth: &FactSource, who: Uuid) {
    let closed = AccountClosed { member_id: who.to_string() };
    auth.publish(who, &closed);
    fixture.harness.wait_until_applied("auth", auth.publish(who, &closed)).await;
}

async fn reactivate(fixture: &Fixture, auth: &FactSource, who: Uuid) {
    let reopened = AccountReopened { member_id: who.to_string() };
    auth.publish(who, &reopened);
    fixture.harness.wait_until_applied("auth", auth.publish(who, &reopened)).await;
}

async fn list_page(fixture: &Fixture, who: &Call, sort: PostSort, author: Option<Uuid>, size: i32) -> Vec<Post> {
    let author_id = author.map(|id| id.to_string());
    let request = ListPostsRequest { sort: sort.into(), author_id, page_size: size, ..Default::default() };
    fixture.list_posts(who, request).await.unwrap().posts
}

/// Reads all lists as a caller sees them.
async fn list_everything(fixture: &Fixture, who: &Call, members: &[Uuid], posts: &[&str]) -> Vec<String> {
    let mut seen = Vec::new();
    for sort in [PostSort::Relevant, PostSort::Recent, PostSort::Top] {
        seen.extend(list_page(fixture, who, sort, None, 100).await.iter().map(|post| format!("{post:?}")));
    }
    for id in members {
        seen.extend(
            list_page(fixture, who, PostSort::Recent, Some(*id), 100).await.iter().map(|post| format!("{post:?}")),
        );
        let request = ListActivityRequest { member_id: id.to_string(), ..Default::default() };
        let activities = fixture.list_activity(who, request).await.unwrap().activities;
        seen.extend(activities.iter().map(|activity| format!("{activity:?}")));
    }
    for post_id in posts.iter().map(|id| (*id).to_owned()) {
        let one = fixture.get_post(who, GetPostRequest { post_id: post_id.clone(), ..Default::default() }).await;
        seen.extend(one.ok().map(|one| format!("{one:?}")));
        let request = ListReactionsRequest { post_id: post_id.clone(), ..Default::default() };
        seen.extend(fixture.list_reactions(who, request).await.ok().map(|page| format!("{page:?}")));
        let request = ListCommentsRequest { post_id, ..Default::default() };
        seen.extend(fixture.list_comments(who, request).await.ok().map(|page| format!("{page:?}")));
    }
    seen
}

#[tokio::test]
async fn content_of_a_closed_account_is_in_no_list_until_reactivation() {
    let (fixture, auth) = fixture_with_auth().await;
    let (gone, stays) = (member(1), member(2));
    let hidden_post = fixture.create_post_of(gone, "by the one who goes").await;
    let others = fixture.create_post_of(stays, "by the one who stays").await;
    for who in [gone, stays] {
        for post in [&hidden_post.id, &others.id] {
            fixture.advance_clock(1);
            fixture.like(who, post).await;
            fixture.create_comment_of(who, post, "something").await;
        }
    }
    let reader = fixture.as_member(member(3));
    let see = async || list_everything(&fixture, &reader, &[gone, stays], &[&hidden_post.id, &others.id]).await;
    let before = see().await;
    assert!(before.iter().any(|seen| seen.contains(&gone.to_string())));

    deactivate(&fixture, &auth, gone).await;
    let meanwhile = see().await;
    for seen in &meanwhile {
        assert!(!seen.contains(&gone.to_string()) && !seen.contains(&hidden_post.id), "{seen}");
    }
    // Three lists and the one of the author, two activities, the post, its reactions, its comments.
    assert_eq!(meanwhile.len(), 4 + 3 + 3, "{meanwhile:#?}");
    let seen = fixture.get_post_as(&reader, &others.id).await;
    assert_eq!((seen.reactions.len(), seen.comments.len()), (1, 1));
    assert_eq!((seen.like_count, seen.comment_count), (2, 2), "counters change with the erasure");
    fixture.assert_counters().await;

    reactivate(&fixture, &auth, gone).await;
    assert_eq!(see().await, before);
    assert_eq!(fixture.count("select count(*) from feed.dead_facts").await, 0);
    fixture.harness.stop().await;
}

#[tokio::test]
async fn reactions_and_comments_to_posts_of_a_closed_account_are_refused() {
    let (fixture, auth) = fixture_with_auth().await;
    let post = fixture.create_post_of(member(1), "Closing").await;
    fixture.like(member(2), &post.id).await;
    deactivate(&fixture, &auth, member(1)).await;

    let me = fixture.as_member(member(2));
    let post_id = || post.id.clone();
    let comment = CreateCommentRequest { post_id: post_id(), content: "Hello?".to_owned(), ..Default::default() };
    let list = ListReactionsRequest { post_id: post_id(), ..Default::default() };
    let comments = ListCommentsRequest { post_id: post_id(), ..Default::default() };
    let refusals: [StatusDetails; 6] = [
        fixture.get_post(&me, GetPostRequest { post_id: post_id(), ..Default::default() }).await.unwrap_err(),
        fixture.set_reaction(&me, SetReactionRequest { post_id: post_id(), kind: 2 }).await.unwrap_err(),
        fixture.remove_reaction(&me, RemoveReactionRequest { post_id: post_id() }).await.unwrap_err(),
        fixture.create_comment(&me, comment).await.unwrap_err(),
        fixture.list_reactions(&me, list).await.unwrap_err(),
        fixture.list_comments(&me, comments).await.unwrap_err(),
    ];
    for refused in refusals {
        assert_eq!((refused.kind, refused.message.as_str()), (ErrorKind::NotFound, "Post not found"));
    }
    assert_eq!(fixture.count("select count(*) from feed.reactions where kind = 'like'").await, 1);
    assert_eq!(fixture.count("select count(*) from feed.comments").await, 0);
    fixture.assert_counters().await;
    fixture.harness.stop().await;
}

#[tokio::test]
async fn pages_are_full_in_spite_of_closed_accounts() {
    let (fixture, auth) = fixture_with_auth().await;
    for n in 0..30 {
        let post = fixture.create_post_of(member(1 + n % 3), &format!("post {n}")).await;
        for fan in 0..30 {
            fixture.like(member(1 + fan), &post.id).await;
        }
        for _ in 0..3 {
            fixture.create_comment_of(member(9), &post.id, "staying").await;
            fixture.create_comment_of(member(1), &post.id, "going").await;
        }
        fixture.advance_clock(1);
    }
    deactivate(&fixture, &auth, member(1)).await;
    let reader = fixture.as_member(member(2));
    for (sort, author) in [
        (PostSort::Relevant, None),
        (PostSort::Recent, None),
        (PostSort::Top, None),
        (PostSort::Recent, Some(member(3))),
    ] {
        let posts = list_page(&fixture, &reader, sort, author, 10).await;
        assert_eq!(posts.len(), 10, "{sort:?}");
        for post in &posts {
            assert_eq!((post.reactions.len(), post.comments.len()), (20, 3));
        }
    }
    let all = list_page(&fixture, &reader, PostSort::Recent, None, 100).await;
    assert_eq!(all.len(), 20);
    fixture.harness.stop().await;
}

#[tokio::test]
async fn a_new_snapshot_removes_accounts_that_were_reopened_meanwhile() {
    let fixture = Fixture::new().await;
    let mut conn = fixture.pool().acquire().await.unwrap();
    let now = fixture.harness.clock.now();
    feed::deactivation::deactivate(&mut conn, &member(1).to_string(), now).await.unwrap();
    feed::deactivation::request_erasure(&mut conn, &member(2).to_string(), now).await.unwrap();
    feed::deactivation::reactivate_all(&mut conn).await.unwrap();
    feed::deactivation::reactivate(&mut conn, &member(2).to_string()).await.unwrap();
    let hidden = format!("select count(*) from feed.hidden_members where member_id <> '{}'", member(2));
    assert_eq!(fixture.count(&hidden).await, 0);
    // The running erasure may be faster.
    let erased = "select count(*) from feed.erasures e
        where not exists (select from feed.hidden_members h where h.member_id = e.member_id)";
    assert_eq!(fixture.count(erased).await, 0, "a member under erasure stays hidden");
}

#[tokio::test]
async fn an_erased_member_is_hidden_until_all_rows_are_deleted() {
    let (fixture, auth) = fixture_with_auth().await;
    let post = fixture.create_post_of(member(1), "Gone at once").await;
    let erased = AccountErased { member_id: member(1).to_string() };
    fixture.harness.wait_until_applied("auth", auth.publish(member(1), &erased)).await;
    let refused = fixture
        .get_post(&fixture.as_visitor(), GetPostRequest { post_id: post.id, ..Default::default() })
        .await
        .unwrap_err();
    assert_eq!(refused.kind, ErrorKind::NotFound);
    fixture.harness.stop().await;
}
