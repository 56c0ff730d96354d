//! The order by relevance to a viewer: the weight of relations, and pages during writes.

use std::collections::{HashMap, HashSet};

use portia_proto::feed::{ListPostsRequest, Post, PostSort};

use crate::{
    fixtures::{Fixture, community, member},
    rng::Rng,
};

fn request(size: i32, token: &str) -> ListPostsRequest {
    ListPostsRequest {
        sort: PostSort::Relevant.into(),
        page_size: size,
        page_token: token.to_owned(),
        ..Default::default()
    }
}

async fn first_page(fixture: &Fixture, n: u128) -> Vec<String> {
    let page = fixture.list_posts(&fixture.as_member(member(n)), request(100, "")).await.unwrap();
    page.posts.into_iter().map(|post| post.content).collect()
}

#[tokio::test]
async fn connections_communities_and_schools_raise_the_rank_by_their_days() {
    let fixture = Fixture::new().await;
    let day = 86_400;
    fixture.connect_pair(member(1), member(2)).await;
    fixture.join_community(community(1), &[member(1), member(3)]).await;
    for student in [1, 4] {
        fixture.set_school(member(student), "Yale Law School").await;
    }
    fixture.create_post_of(member(2), "a connection's").await;
    fixture.advance_clock(day * 3 / 2 - 3_600);
    fixture.create_post_in(member(3), community(1), "in my community").await;
    fixture.advance_clock(day / 2 - 3_600);
    fixture.create_post_of(member(4), "of my school").await;
    fixture.advance_clock(day - 3_600);
    fixture.create_post_of(member(5), "a stranger's").await;
    fixture.advance_clock(2 * 3_600);

    let mine = first_page(&fixture, 1).await;
    assert_eq!(mine, ["a connection's", "in my community", "of my school", "a stranger's"]);
    assert_eq!(first_page(&fixture, 6).await, ["a stranger's", "of my school", "a connection's"], "to a stranger");

    // A post half a day later outranks the remaining weight of the relations.
    fixture.advance_clock(day / 2);
    fixture.create_post_of(member(5), "a stranger's too").await;
    let mine = first_page(&fixture, 1).await;
    assert_eq!(mine[0], "a stranger's too");
}

#[tokio::test]
async fn the_rank_ignores_the_school_of_a_profile_that_only_connections_see() {
    let fixture = Fixture::new().await;
    for student in [1, 2] {
        fixture.set_school(member(student), "Ateneo").await;
    }
    fixture.create_post_of(member(2), "of my school").await;
    fixture.advance_clock(3_600);
    fixture.create_post_of(member(5), "a stranger's").await;
    fixture.advance_clock(3_600);
    assert_eq!(first_page(&fixture, 1).await, ["of my school", "a stranger's"]);
    // Also in the order that a replica has computed in memory.
    fixture.set_privacy(member(2), "connections", true).await;
    assert_eq!(first_page(&fixture, 1).await, ["a stranger's", "of my school"]);
}

#[tokio::test]
async fn the_rank_uses_the_school_at_the_time_of_the_post() {
    let fixture = Fixture::new().await;
    for student in [1, 2] {
        fixture.set_school(member(student), "  YALE law School").await;
    }
    fixture.create_post_of(member(2), "as a student").await;
    fixture.advance_clock(3_600);
    fixture.set_school(member(2), "Georgetown").await;
    fixture.create_post_of(member(2), "as a graduate of another").await;
    assert_eq!(first_page(&fixture, 1).await, ["as a student", "as a graduate of another"]);
    assert_eq!(first_page(&fixture, 3).await, ["as a graduate of another", "as a student"]);
}

#[tokio::test]
async fn a_removed_connection_does_not_raise_the_rank() {
    let fixture = Fixture::new().await;
    let (mut conn, id) = (fixture.pool().acquire().await.unwrap(), member(99));
    feed::read_model::connections::insert_all(&mut conn, &[id], &[member(1)], &[member(2)]).await.unwrap();
    fixture.create_post_of(member(2), "theirs").await;
    fixture.advance_clock(3_600);
    fixture.create_post_of(member(3), "a stranger's").await;
    assert_eq!(first_page(&fixture, 1).await, ["theirs", "a stranger's"]);
    feed::read_model::connections::delete(&mut conn, id, member(2), member(1)).await.unwrap();
    assert_eq!(first_page(&fixture, 1).await, ["a stranger's", "theirs"]);
}

#[tokio::test]
async fn pages_continue_past_hundreds_of_posts_from_one_school() {
    let fixture = Fixture::new().await;
    // 1,300 posts from the viewer's school within an hour, and twelve older ones of strangers.
    let fill = format!(
        "insert into feed.posts (id, author_id, content, created_at, freshness, school_key)
        select gen_random_uuid(), '{fellow}', 'fellow ' || n, to_timestamp(1772400000 + n), (1772400000 + n) / 86400.0, 'yale'
        from generate_series(1, 1300) n;
        insert into feed.posts (id, author_id, content, created_at, freshness)
        select gen_random_uuid(), '{stranger}', 'stranger ' || n, to_timestamp(1772300000 + n), (1772300000 + n) / 86400.0
        from generate_series(1, 12) n;",
        fellow = member(2),
        stranger = member(3),
    );
    fixture.harness.database().run(fill).await;
    fixture.set_school(member(1), "Yale").await;
    let (mut met, mut token, mut pages) = (Vec::new(), String::new(), 0);
    loop {
        let page = fixture.list_posts(&fixture.as_member(member(1)), request(50, &token)).await.unwrap();
        met.extend(page.posts.into_iter().map(|post| post.content));
        pages += 1;
        assert!(pages < 40, "it ends");
        token = page.next_page_token;
        if token.is_empty() {
            break;
        }
    }
    let fellows = (1..=1_300).rev().map(|n| format!("fellow {n}"));
    let strangers = (1..=12).rev().map(|n| format!("stranger {n}"));
    assert_eq!(met, fellows.chain(strangers).collect::<Vec<_>>());
}

/// Starts a service with a viewer who has every relation, and posts of all kinds over five days.
async fn fixture_with_relations(rng: &mut Rng) -> Fixture {
    let fixture = Fixture::new().await;
    for friend in [2, 3] {
        fixture.connect_pair(member(1), member(friend)).await;
    }
    fixture.join_community(community(1), &[member(1), member(4), member(5)]).await;
    for student in [1, 5, 6] {
        fixture.set_school(member(student), "Yale").await;
    }
    for _ in 0..50 {
        write_randomly(&fixture, rng, &[]).await;
        fixture.advance_clock(i64::try_from(rng.draw(16_000)).unwrap());
    }
    fixture.advance_clock(7_200);
    fixture
}

/// Creates a post or reacts to one of `posts`, and returns the id of the changed post.
async fn write_randomly(fixture: &Fixture, rng: &mut Rng, posts: &[Post]) -> String {
    let who = u128::from(1 + rng.draw(8));
    if !posts.is_empty() && rng.draw(2) == 0 {
        let post = &posts[usize::try_from(rng.draw(posts.len() as u64)).unwrap()];
        for fan in 0..rng.draw(12) {
            // Members of the community, who see the post.
            let fan = [1, 4, 5][usize::try_from(fan % 3).unwrap()];
            fixture.like(member(fan), &post.id).await;
            fixture.create_comment_of(member(fan), &post.id, "Indeed.").await;
        }
        return post.id.clone();
    }
    if [1, 4, 5].contains(&who) && rng.draw(2) == 0 {
        return fixture.create_post_in(member(who), community(1), "among ourselves").await.id;
    }
    fixture.create_post_of(member(who), "to everyone").await.id
}

#[tokio::test]
async fn pages_are_stable_during_posts_and_reactions_of_others() {
    for seed in 0..3 {
        let mut rng = Rng(seed);
        let fixture = fixture_with_relations(&mut rng).await;
        let before = fixture.list_posts(&fixture.as_member(member(1)), request(100, "")).await.unwrap().posts;
        assert_eq!(before.len(), 50);
        let place: HashMap<&str, usize> = before.iter().enumerate().map(|(n, post)| (post.id.as_str(), n)).collect();
        let (mut met, mut touched, mut token) = (Vec::new(), HashSet::new(), String::new());
        loop {
            let page = fixture.list_posts(&fixture.as_member(member(1)), request(4, &token)).await.unwrap();
            met.extend(page.posts.into_iter().map(|post| post.id));
            token = page.next_page_token;
            if token.is_empty() {
                break;
            }
            for _ in 0..3 {
                fixture.advance_clock(1);
                touched.insert(write_randomly(&fixture, &mut rng, &before).await);
            }
        }
        let once: HashSet<&String> = met.iter().collect();
        assert_eq!(once.len(), met.len(), "no post occurs twice, seed {seed}");
        assert!(
            met.iter().all(|id| place.contains_key(id.as_str())),
            "later posts are not on these pages, seed {seed}"
        );
        let quiet: Vec<&str> = before.iter().map(|post| post.id.as_str()).filter(|id| !touched.contains(*id)).collect();
        let met_quiet: Vec<&str> = met.iter().map(String::as_str).filter(|id| !touched.contains(*id)).collect();
        assert_eq!(met_quiet, quiet, "unchanged posts keep their position, seed {seed}");
    }
}
