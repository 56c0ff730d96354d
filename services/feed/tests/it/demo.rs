//! The demo feed: loaded once, with valid counts.

use portia_proto::feed::{ListPostsRequest, Post, PostSort};
use rpc::Call;

use crate::fixtures::{Fixture, community, member};

async fn first_page(fixture: &Fixture, who: &Call, sort: PostSort) -> Vec<Post> {
    let request = ListPostsRequest { sort: sort.into(), ..Default::default() };
    fixture.list_posts(who, request).await.unwrap().posts
}

#[tokio::test]
async fn the_demo_is_loaded_once() {
    let fixture = Fixture::new().await;
    for _ in 0..2 {
        feed::demo::load(&fixture.harness.context).await.unwrap();
    }
    let posts = fixture.count("select count(*) from feed.posts").await;
    assert!((190..=220).contains(&posts), "{posts}");
    assert_eq!(fixture.count("select count(distinct content) from feed.posts").await, posts);
    assert_eq!(fixture.count("select count(*) from feed.outbox").await, 0, "the demo publishes nothing");
    fixture.assert_counters().await;
}

#[tokio::test]
async fn the_demo_has_varied_posts_and_counts() {
    let fixture = Fixture::new().await;
    feed::demo::load(&fixture.harness.context).await.unwrap();
    let now = fixture.harness.clock.now();
    let late = format!(
        "select (select count(*) from feed.posts where created_at > '{now}' or created_at < '{now}'::timestamptz - interval '42 days')
            + (select count(*) from feed.comments c join feed.posts p on p.id = c.post_id
                where c.created_at > '{now}' or c.created_at <= p.created_at)
            + (select count(*) from feed.reactions r join feed.posts p on p.id = r.post_id
                where r.created_at > '{now}' or r.created_at <= p.created_at or r.member_id = p.author_id)"
    );
    assert_eq!(fixture.count(&late).await, 0, "nothing happens before its cause or after now");
    assert!(
        fixture.count("select count(*) from feed.posts where like_count = 0").await > 5,
        "not every post has likes"
    );
    assert!(fixture.count("select max(like_count) from feed.posts").await >= 30);
    for sign_in in [1, 2] {
        // The ids of the demo members are equal in all services.
        let own =
            format!("select count(*) from feed.posts where author_id = '{}' and like_count >= 5", member(sign_in));
        assert!(fixture.count(&own).await >= 5);
    }
    for sort in [PostSort::Relevant, PostSort::Recent, PostSort::Top] {
        assert_eq!(first_page(&fixture, &fixture.as_member(member(1)), sort).await.len(), 20);
    }
    let relevant = first_page(&fixture, &fixture.as_visitor(), PostSort::Relevant).await;
    let recent = first_page(&fixture, &fixture.as_visitor(), PostSort::Recent).await;
    assert_ne!(relevant, recent, "the orders differ");
}

#[tokio::test]
async fn the_demo_has_posts_in_communities() {
    let fixture = Fixture::new().await;
    feed::demo::load(&fixture.harness.context).await.unwrap();
    let inside = fixture.count("select count(*) from feed.posts where community_id is not null").await;
    assert!((10..=30).contains(&inside), "{inside}");
    let schools = "select count(*) from feed.posts where school_key = lower(school_key) and school_key <> ''";
    assert!(fixture.count(schools).await > 100, "with the school of its author");

    // The memberships come from the demo of social-graph.
    fixture.join_community(community(1), &[member(1)]).await;
    let request = ListPostsRequest {
        sort: PostSort::Recent.into(),
        community_id: Some(community(1).to_string()),
        ..Default::default()
    };
    let posts = fixture.list_posts(&fixture.as_member(member(1)), request).await.unwrap().posts;
    assert!(!posts.is_empty());
    assert!(posts.iter().all(|post| post.community.as_ref().is_some_and(|it| it.id == community(1).to_string())));
}
