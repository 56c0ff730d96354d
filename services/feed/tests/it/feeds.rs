//! The feeds of a member: their sources, order and pages.

use portia_proto::feed::{FeedKind, FollowTopicRequest, ListPostsRequest, PostSort};
use primitives::error::ErrorKind;
use uuid::Uuid;

use crate::fixtures::{Fixture, community, member};

impl Fixture {
    /// Returns the contents of a feed of a member, page by page.
    pub async fn feed_of(&self, who: Uuid, feed: FeedKind, size: i32) -> Vec<String> {
        let (mut met, mut token) = (Vec::new(), String::new());
        for _ in 0..200 {
            let request =
                ListPostsRequest { feed: feed.into(), page_size: size, page_token: token, ..Default::default() };
            let page = self.list_posts(&self.as_member(who), request).await.unwrap();
            assert!(size == 0 || page.posts.len() <= usize::try_from(size).unwrap());
            met.extend(page.posts.into_iter().map(|post| post.content));
            token = page.next_page_token;
            if token.is_empty() {
                return met;
            }
        }
        panic!("the list does not end");
    }

    /// Inserts a follow into the read model.
    pub async fn follow(&self, who: Uuid, followed: Uuid) {
        let mut conn = self.pool().acquire().await.unwrap();
        feed::read_model::follows::insert_all(&mut conn, &[who], &[followed], &[self.harness.clock.now()])
            .await
            .unwrap();
    }

    pub async fn follow_topic_of(&self, who: Uuid, topic: &str) {
        let request = FollowTopicRequest { topic: topic.to_owned() };
        self.follow_topic(&self.as_member(who), request).await.unwrap();
    }

    /// Creates a post, and advances the clock.
    pub async fn write(&self, author: u128, content: &str) -> String {
        let id = self.create_post_of(member(author), content).await.id;
        self.advance_clock(1);
        id
    }
}

#[tokio::test]
async fn following_lists_people_communities_and_topics_newest_first() {
    let fixture = Fixture::new().await;
    fixture.connect_pair(member(1), member(2)).await;
    fixture.follow(member(1), member(3)).await;
    fixture.join_community(community(1), &[member(1), member(4)]).await;
    fixture.join_community(community(2), &[member(2)]).await;
    fixture.follow_topic_of(member(1), "moot").await;
    fixture.write(2, "of a connection #moot").await;
    fixture.write(3, "of a followed member").await;
    fixture.write(4, "of a stranger").await;
    fixture.create_post_in(member(4), community(1), "in my community").await;
    fixture.advance_clock(1);
    fixture.create_post_in(member(2), community(2), "in a community of a connection").await;
    fixture.write(5, "with a topic #MOOT").await;
    fixture.write(1, "my own").await;
    let expected = ["my own", "with a topic #MOOT", "in my community", "of a followed member", "of a connection #moot"];
    for size in [0, 1, 2] {
        assert_eq!(fixture.feed_of(member(1), FeedKind::Following, size).await, expected, "pages of {size}");
    }
    assert_eq!(fixture.feed_of(member(9), FeedKind::Following, 0).await, Vec::<String>::new());
    fixture.block_member(member(3), member(1)).await;
    assert!(!fixture.feed_of(member(1), FeedKind::Following, 0).await.contains(&expected[3].to_owned()));
}

#[tokio::test]
async fn following_continues_through_many_posts_of_few_sources() {
    let fixture = Fixture::new().await;
    for other in 2..40 {
        fixture.follow(member(1), member(other)).await;
    }
    // Member 2 writes most of the posts, at the same times as the others.
    let mut fill = String::new();
    for n in 0..120_u32 {
        let author = if n % 5 == 0 { member(u128::from(3 + n % 35)) } else { member(2) };
        let at = 1_772_400_000 + n / 3;
        fill += &format!(
            "insert into feed.posts (id, author_id, content, created_at, freshness)
            values ('{}', '{author}', '{n}', to_timestamp({at}), {at} / 86400.0);",
            Uuid::from_u128(u128::from(n) << 3 | 7),
        );
    }
    fixture.harness.database().run(fill).await;
    let expected: Vec<String> = (0..120).rev().map(|n| n.to_string()).collect();
    for size in [3, 7, 50] {
        assert_eq!(fixture.feed_of(member(1), FeedKind::Following, size).await, expected, "pages of {size}");
    }
}

#[tokio::test]
async fn the_school_feed_lists_posts_of_members_of_the_school() {
    let fixture = Fixture::new().await;
    for student in [1, 2, 3] {
        fixture.set_school(member(student), "Ateneo").await;
    }
    fixture.set_school(member(4), "Yale").await;
    fixture.join_community(community(1), &[member(1), member(2)]).await;
    for (author, content) in [(2, "old"), (4, "of another school"), (3, "new"), (5, "of no school")] {
        fixture.write(author, content).await;
    }
    fixture.create_post_in(member(2), community(1), "for a community").await;
    assert_eq!(fixture.feed_of(member(1), FeedKind::School, 1).await, ["new", "old"]);
    assert_eq!(fixture.feed_of(member(5), FeedKind::School, 0).await, Vec::<String>::new());
}

#[tokio::test]
async fn the_community_feed_lists_posts_of_all_own_communities() {
    let fixture = Fixture::new().await;
    for (n, members) in [(1, vec![member(1), member(2)]), (2, vec![member(1), member(3)]), (3, vec![member(2)])] {
        fixture.join_community(community(n), &members).await;
    }
    fixture.connect_pair(member(1), member(2)).await;
    for (author, n, content) in [(2, 1, "first"), (3, 2, "second"), (2, 3, "elsewhere"), (1, 1, "third")] {
        fixture.create_post_in(member(author), community(n), content).await;
        fixture.advance_clock(1);
    }
    fixture.write(2, "public").await;
    assert_eq!(fixture.feed_of(member(1), FeedKind::Community, 2).await, ["third", "second", "first"]);
    fixture.leave_community(community(2), member(1)).await;
    assert_eq!(fixture.feed_of(member(1), FeedKind::Community, 0).await, ["third", "first"]);
}

#[tokio::test]
async fn a_followed_member_ranks_like_a_connection() {
    let fixture = Fixture::new().await;
    fixture.follow(member(1), member(2)).await;
    fixture.write(2, "followed").await;
    fixture.advance_clock(2 * 86_400);
    fixture.write(3, "a stranger's").await;
    assert_eq!(fixture.feed_of(member(1), FeedKind::Relevant, 0).await, ["followed", "a stranger's"]);
    assert_eq!(fixture.feed_of(member(4), FeedKind::Relevant, 0).await, ["a stranger's", "followed"]);
}

#[tokio::test]
async fn feeds_need_a_member_and_have_one_order() {
    let fixture = Fixture::new().await;
    let who = fixture.as_member(member(1));
    let of = |feed: FeedKind, sort: PostSort| ListPostsRequest {
        feed: feed.into(),
        sort: sort.into(),
        ..Default::default()
    };
    for feed in [FeedKind::Following, FeedKind::School, FeedKind::Community] {
        let refused = fixture.list_posts(&fixture.as_visitor(), of(feed, PostSort::Unspecified)).await.unwrap_err();
        assert_eq!(refused.kind, ErrorKind::Unauthenticated);
        fixture.list_posts(&who, of(feed, PostSort::Recent)).await.unwrap();
        let refused = fixture.list_posts(&who, of(feed, PostSort::Top)).await.unwrap_err();
        assert_eq!((refused.kind, refused.violations[0].field.as_str()), (ErrorKind::Invalid, "sort"));
        let both = ListPostsRequest { author_id: Some(member(2).to_string()), ..of(feed, PostSort::Recent) };
        let refused = fixture.list_posts(&who, both).await.unwrap_err();
        assert_eq!(refused.violations[0].field, "feed");
        for token in ["x", "e30", "eyJyZWNlbnQiOjEsImlkIjoiMDE5MzAwMDAtMDAwMC03MDAwLTgwMDAtMDAwMDAwMDAwMDAxIn0"] {
            let bad = ListPostsRequest { page_token: token.to_owned(), ..of(feed, PostSort::Unspecified) };
            assert_eq!(fixture.list_posts(&who, bad).await.unwrap_err().violations[0].field, "pageToken");
        }
    }
    for (feed, sort) in [(FeedKind::Relevant, PostSort::Relevant), (FeedKind::Top, PostSort::Top)] {
        fixture.list_posts(&who, of(feed, sort)).await.unwrap();
    }
}
