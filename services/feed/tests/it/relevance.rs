//! The order by relevance to one reader: what a tie is worth, and walks while others write.

use std::collections::{HashMap, HashSet};

use portia_proto::feed::{ListPostsRequest, Post, PostSort};

use crate::{
    stand::{Stand, community, member},
    worlds::Lots,
};

fn request(size: i32, token: &str) -> ListPostsRequest {
    ListPostsRequest {
        sort: PostSort::Relevant.into(),
        page_size: size,
        page_token: token.to_owned(),
        ..Default::default()
    }
}

async fn first_page(stand: &Stand, n: u128) -> Vec<String> {
    let page = stand.list_posts(&stand.by(member(n)), request(100, "")).await.unwrap();
    page.posts.into_iter().map(|post| post.content).collect()
}

#[tokio::test]
async fn connections_communities_and_school_each_bring_their_days() {
    let stand = Stand::new().await;
    let day = 86_400;
    stand.connect(member(1), member(2)).await;
    stand.join(community(1), &[member(1), member(3)]).await;
    for student in [1, 4] {
        stand.study(member(student), "Yale Law School").await;
    }
    stand.post(member(2), "a connection's").await;
    stand.wait(day * 3 / 2 - 3_600);
    stand.post_in(member(3), community(1), "in my community").await;
    stand.wait(day / 2 - 3_600);
    stand.post(member(4), "of my school").await;
    stand.wait(day - 3_600);
    stand.post(member(5), "a stranger's").await;
    stand.wait(2 * 3_600);

    let mine = first_page(&stand, 1).await;
    assert_eq!(mine, ["a connection's", "in my community", "of my school", "a stranger's"]);
    assert_eq!(first_page(&stand, 6).await, ["a stranger's", "of my school", "a connection's"], "to a stranger");

    // Half a day later somebody else writes: that is worth more than what is left of the ties.
    stand.wait(day / 2);
    stand.post(member(5), "a stranger's too").await;
    let mine = first_page(&stand, 1).await;
    assert_eq!(mine[0], "a stranger's too");
}

#[tokio::test]
async fn the_school_is_that_of_the_day_it_was_written() {
    let stand = Stand::new().await;
    for student in [1, 2] {
        stand.study(member(student), "  YALE law School").await;
    }
    stand.post(member(2), "as a student").await;
    stand.wait(3_600);
    stand.study(member(2), "Georgetown").await;
    stand.post(member(2), "as a graduate of another").await;
    assert_eq!(first_page(&stand, 1).await, ["as a student", "as a graduate of another"]);
    assert_eq!(first_page(&stand, 3).await, ["as a graduate of another", "as a student"]);
}

#[tokio::test]
async fn who_is_no_connection_any_more_is_a_stranger() {
    let stand = Stand::new().await;
    let (mut conn, id) = (stand.pool().acquire().await.unwrap(), member(99));
    feed::graph::connected(&mut conn, id, member(1), member(2)).await.unwrap();
    stand.post(member(2), "theirs").await;
    stand.wait(3_600);
    stand.post(member(3), "a stranger's").await;
    assert_eq!(first_page(&stand, 1).await, ["theirs", "a stranger's"]);
    feed::graph::parted(&mut conn, id, member(2), member(1)).await.unwrap();
    assert_eq!(first_page(&stand, 1).await, ["a stranger's", "theirs"]);
}

#[tokio::test]
async fn a_walk_goes_on_past_hundreds_of_one_school() {
    let stand = Stand::new().await;
    // 1,300 posts of the reader's own school within an hour, and twelve of strangers, older.
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
    stand.harness.database().run(fill).await;
    stand.study(member(1), "Yale").await;
    let (mut met, mut token, mut pages) = (Vec::new(), String::new(), 0);
    loop {
        let page = stand.list_posts(&stand.by(member(1)), request(50, &token)).await.unwrap();
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

/// A reader with every tie, and posts of all kinds over five days.
async fn lively(lots: &mut Lots) -> Stand {
    let stand = Stand::new().await;
    for friend in [2, 3] {
        stand.connect(member(1), member(friend)).await;
    }
    stand.join(community(1), &[member(1), member(4), member(5)]).await;
    for student in [1, 5, 6] {
        stand.study(member(student), "Yale").await;
    }
    for _ in 0..50 {
        act(&stand, lots, &[]).await;
        stand.wait(i64::try_from(lots.draw(16_000)).unwrap());
    }
    stand.wait(7_200);
    stand
}

/// Somebody publishes something or reacts to one of `posts`. Answers with what they touched.
async fn act(stand: &Stand, lots: &mut Lots, posts: &[Post]) -> String {
    let who = u128::from(1 + lots.draw(8));
    if !posts.is_empty() && lots.draw(2) == 0 {
        let post = &posts[usize::try_from(lots.draw(posts.len() as u64)).unwrap()];
        for fan in 0..lots.draw(12) {
            // From inside the community, so that they may.
            let fan = [1, 4, 5][usize::try_from(fan % 3).unwrap()];
            stand.like(member(fan), &post.id).await;
            stand.comment(member(fan), &post.id, "Indeed.").await;
        }
        return post.id.clone();
    }
    if [1, 4, 5].contains(&who) && lots.draw(2) == 0 {
        return stand.post_in(member(who), community(1), "among ourselves").await.id;
    }
    stand.post(member(who), "to everybody").await.id
}

#[tokio::test]
async fn a_walk_is_stable_while_others_write_and_react() {
    for seed in 0..10 {
        let mut lots = Lots(seed);
        let stand = lively(&mut lots).await;
        let before = stand.list_posts(&stand.by(member(1)), request(100, "")).await.unwrap().posts;
        assert_eq!(before.len(), 50);
        let place: HashMap<&str, usize> = before.iter().enumerate().map(|(n, post)| (post.id.as_str(), n)).collect();
        let (mut met, mut touched, mut token) = (Vec::new(), HashSet::new(), String::new());
        loop {
            let page = stand.list_posts(&stand.by(member(1)), request(4, &token)).await.unwrap();
            met.extend(page.posts.into_iter().map(|post| post.id));
            token = page.next_page_token;
            if token.is_empty() {
                break;
            }
            for _ in 0..3 {
                stand.wait(1);
                touched.insert(act(&stand, &mut lots, &before).await);
            }
        }
        let once: HashSet<&String> = met.iter().collect();
        assert_eq!(once.len(), met.len(), "none comes twice, seed {seed}");
        assert!(
            met.iter().all(|id| place.contains_key(id.as_str())),
            "what came later is for the next walk, seed {seed}"
        );
        let quiet: Vec<&str> = before.iter().map(|post| post.id.as_str()).filter(|id| !touched.contains(*id)).collect();
        let met_quiet: Vec<&str> = met.iter().map(String::as_str).filter(|id| !touched.contains(*id)).collect();
        assert_eq!(met_quiet, quiet, "what nobody touched keeps its place, seed {seed}");
    }
}
