//! Topics: extraction, lists by visibility, following, and the trend.

use portia_proto::feed::{
    CreatePostRequest, DeletePostRequest, FollowTopicRequest, ListTopicPostsRequest, ListTopicsRequest,
    UnfollowTopicRequest, UpdatePostRequest,
};
use primitives::error::{ErrorKind, StatusDetails};
use rpc::Call;

use crate::fixtures::{Fixture, community, member};

async fn page(
    fixture: &Fixture,
    who: &Call,
    topic: &str,
    size: i32,
    token: &str,
) -> Result<(Vec<String>, String), StatusDetails> {
    let request = ListTopicPostsRequest { topic: topic.to_owned(), page_size: size, page_token: token.to_owned() };
    let page = fixture.list_topic_posts(who, request).await?;
    Ok((page.posts.into_iter().map(|post| post.content).collect(), page.next_page_token))
}

async fn listed(fixture: &Fixture, who: &Call, topic: &str) -> Vec<String> {
    page(fixture, who, topic, 0, "").await.unwrap().0
}

async fn follow(fixture: &Fixture, who: u128, topic: &str) -> Result<(), StatusDetails> {
    let request = FollowTopicRequest { topic: topic.to_owned() };
    fixture.follow_topic(&fixture.as_member(member(who)), request).await.map(drop)
}

/// Returns the followed topics, and the trending ones with their members.
async fn topics(fixture: &Fixture, who: &Call) -> (Vec<String>, Vec<(String, i64)>) {
    let topics = fixture.list_topics(who, ListTopicsRequest {}).await.unwrap();
    let trending = topics.trending.into_iter().map(|topic| (topic.topic, topic.member_count));
    (topics.followed, trending.collect())
}

#[tokio::test]
async fn posts_are_listed_by_the_topics_of_their_text() {
    let fixture = Fixture::new().await;
    let visitor = fixture.as_visitor();
    let post = fixture.create_post_of(member(1), "#Moot and #PIÑAS").await;
    let request =
        CreatePostRequest { title: Some("On #moot".to_owned()), content: "# Heading".to_owned(), ..Default::default() };
    fixture.advance_clock(1);
    fixture.create_post(&fixture.as_member(member(2)), request).await.unwrap();
    assert_eq!(listed(&fixture, &visitor, "MOOT").await, ["Heading", "#Moot and #PIÑAS"]);
    assert_eq!(listed(&fixture, &visitor, "piñas").await, ["#Moot and #PIÑAS"]);
    assert_eq!(listed(&fixture, &visitor, "heading").await, Vec::<String>::new());
    let update =
        UpdatePostRequest { post_id: post.id.clone(), content: "#civpro #moot".to_owned(), ..Default::default() };
    fixture.update_post(&fixture.as_member(member(1)), update).await.unwrap();
    assert_eq!(listed(&fixture, &visitor, "piñas").await, Vec::<String>::new());
    assert_eq!(listed(&fixture, &visitor, "civpro").await, ["#civpro #moot"]);
    fixture
        .delete_post(&fixture.as_member(member(1)), DeletePostRequest { post_id: post.id, reason: 0 })
        .await
        .unwrap();
    assert_eq!(listed(&fixture, &visitor, "moot").await, ["Heading"]);
    assert_eq!(fixture.count("select count(*) from feed.post_topics").await, 1);
}

#[tokio::test]
async fn a_mark_and_a_joiner_belong_to_the_topic() {
    let fixture = Fixture::new().await;
    let visitor = fixture.as_visitor();
    for (text, topic) in [
        ("#हिन्दी", "हिन्दी"),
        ("#தமிழ்", "தமிழ்"),
        ("#เบอร์", "เบอร์"),
        ("#n\u{308}ame", "N\u{308}ame"),
        ("#ẹ\u{300}kọ\u{301}", "ẹ\u{300}kọ\u{301}"),
        ("#نرم\u{200c}افزار", "نرم\u{200c}افزار"),
        ("#café", "cafe\u{301}"),
        ("#Cafe\u{301}s", "cafés"),
    ] {
        let content = fixture.create_post_of(member(1), text).await.content;
        assert_eq!(listed(&fixture, &visitor, topic).await, [content], "{text}");
    }
    for begun in ["हिन", "தமிழ", "نرم"] {
        assert_eq!(listed(&fixture, &visitor, begun).await, Vec::<String>::new(), "{begun}");
    }
}

#[tokio::test]
async fn only_visible_posts_are_listed() {
    let fixture = Fixture::new().await;
    let society = community(1);
    fixture.join_community(society, &[member(1), member(2)]).await;
    fixture.create_post_of(member(1), "public #moot").await;
    fixture.advance_clock(1);
    fixture.create_post_in(member(1), society, "ours #moot").await;
    fixture.advance_clock(1);
    fixture.create_post_of(member(4), "last #moot").await;
    fixture.block_member(member(2), member(4)).await;
    fixture.leave_community(society, member(1)).await;
    let all = ["last #moot", "ours #moot", "public #moot"];
    assert_eq!(listed(&fixture, &fixture.as_member(member(1)), "moot").await, all, "their own after leaving");
    assert_eq!(listed(&fixture, &fixture.as_member(member(2)), "moot").await, all[1..]);
    assert_eq!(listed(&fixture, &fixture.as_member(member(3)), "moot").await, [all[0], all[2]]);
    assert_eq!(listed(&fixture, &fixture.as_visitor(), "moot").await, [all[0], all[2]]);
    let mut db = fixture.pool().acquire().await.unwrap();
    let (one, now) = (member(1).to_string(), fixture.harness.clock.now());
    feed::deactivation::deactivate(&mut db, &one, now).await.unwrap();
    assert_eq!(listed(&fixture, &fixture.as_member(member(3)), "moot").await, [all[0]]);
}

#[tokio::test]
async fn a_walk_through_the_pages_lists_each_post_once() {
    let fixture = Fixture::new().await;
    fixture.join_community(community(1), &[member(1)]).await;
    for n in 0..9 {
        match n % 3 {
            0 => fixture.create_post_in(member(1), community(1), &format!("{n} #moot")).await,
            _ => fixture.create_post_of(member(1), &format!("{n} #moot")).await,
        };
        // Two posts have the same time.
        fixture.advance_clock(i64::from(n != 4));
    }
    let (who, mut met, mut token) = (fixture.as_member(member(1)), Vec::new(), String::new());
    loop {
        let (posts, next) = page(&fixture, &who, "moot", 2, &token).await.unwrap();
        met.extend(posts);
        token = next;
        if token.is_empty() {
            break;
        }
    }
    let expected: Vec<_> = (0..9).rev().map(|n| format!("{n} #moot")).collect();
    met.sort_by(|one, other| other.cmp(one));
    assert_eq!(met, expected);
}

#[tokio::test]
async fn topics_are_followed_without_case_up_to_the_limit() {
    let fixture = Fixture::new().await;
    for topic in ["Moot", "MOOT", "civpro"] {
        follow(&fixture, 1, topic).await.unwrap();
    }
    let who = fixture.as_member(member(1));
    assert_eq!(topics(&fixture, &who).await.0, ["civpro", "moot"]);
    for _ in 0..2 {
        fixture.unfollow_topic(&who, UnfollowTopicRequest { topic: "mOOt".to_owned() }).await.unwrap();
        assert_eq!(topics(&fixture, &who).await.0, ["civpro"]);
    }
    assert_eq!(topics(&fixture, &fixture.as_member(member(2))).await.0, Vec::<String>::new());
    for n in 1..100 {
        follow(&fixture, 1, &format!("topic_{n}")).await.unwrap();
    }
    let refused = follow(&fixture, 1, "one_more").await.unwrap_err();
    assert_eq!((refused.kind, refused.reason.as_str()), (ErrorKind::Conflict, "TOO_MANY_TOPICS"));
    follow(&fixture, 1, "topic_1").await.unwrap();
    let visitor = fixture.follow_topic(&fixture.as_visitor(), FollowTopicRequest { topic: "moot".to_owned() }).await;
    assert_eq!(visitor.unwrap_err().kind, ErrorKind::Unauthenticated);
}

#[tokio::test]
async fn the_trend_counts_members_of_the_last_week() {
    let fixture = Fixture::new().await;
    fixture.join_community(community(1), &[member(1), member(2)]).await;
    fixture.create_post_of(member(1), "#old").await;
    fixture.advance_clock(8 * 86_400);
    for (who, text) in [(1, "#moot #civpro"), (1, "#moot"), (2, "#moot"), (1, "#bar"), (3, "#hidden")] {
        fixture.create_post_of(member(who), text).await;
    }
    fixture.create_post_in(member(1), community(1), "#private").await;
    fixture.block_member(member(9), member(3)).await;
    let trend = |topics: &[(&str, i64)]| -> Vec<(String, i64)> {
        topics.iter().map(|(topic, members)| ((*topic).to_owned(), *members)).collect()
    };
    let all = trend(&[("moot", 2), ("bar", 1), ("civpro", 1), ("hidden", 1)]);
    assert_eq!(topics(&fixture, &fixture.as_visitor()).await, (Vec::new(), all.clone()));
    assert_eq!(topics(&fixture, &fixture.as_member(member(9))).await.1, all[..3]);
}

#[tokio::test]
async fn invalid_topics_and_tokens_are_refused() {
    let fixture = Fixture::new().await;
    let who = fixture.as_member(member(1));
    for topic in ["", "a", "#moot", "a b", "moot!", "\0\0", &"a".repeat(51)] {
        let refused = page(&fixture, &who, topic, 0, "").await.unwrap_err();
        assert_eq!((refused.kind, refused.violations[0].field.as_str()), (ErrorKind::Invalid, "topic"), "{topic:?}");
        assert_eq!(follow(&fixture, 1, topic).await.unwrap_err().kind, ErrorKind::Invalid);
    }
    for token in ["x", "e30", "\0"] {
        assert_eq!(page(&fixture, &who, "moot", 0, token).await.unwrap_err().kind, ErrorKind::Invalid);
    }
}
