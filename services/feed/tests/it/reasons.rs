//! The reasons for which the lists of a member contain a post.

use portia_proto::feed::{FeedKind, ListPostReasonsRequest, PostReason, PostReasonKind};
use primitives::error::ErrorKind;

use crate::fixtures::{Fixture, UNKNOWN_ID, community, member};

async fn reasons(fixture: &Fixture, who: u128, post: &str) -> Vec<PostReason> {
    let request = ListPostReasonsRequest { post_id: post.to_owned() };
    fixture.list_post_reasons(&fixture.as_member(member(who)), request).await.unwrap().reasons
}

fn reason(kind: PostReasonKind) -> PostReason {
    PostReason { kind: kind.into(), ..Default::default() }
}

#[tokio::test]
async fn every_relation_is_a_reason_and_nothing_else() {
    let fixture = Fixture::new().await;
    let post = fixture.write(2, "A #moot, a #bar and a #brief").await;
    assert_eq!(reasons(&fixture, 2, &post).await, [reason(PostReasonKind::Own)]);
    assert_eq!(reasons(&fixture, 1, &post).await, [reason(PostReasonKind::Public)]);
    fixture.connect_pair(member(1), member(2)).await;
    fixture.follow(member(1), member(2)).await;
    for topic in ["moot", "brief", "other"] {
        fixture.follow_topic_of(member(1), topic).await;
    }
    for n in 3..13 {
        fixture.like(member(n), &post).await;
    }
    let topic = |name: &str| PostReason { topic: Some(name.to_owned()), ..reason(PostReasonKind::Topic) };
    let expected = [
        reason(PostReasonKind::Connection),
        reason(PostReasonKind::FollowedMember),
        topic("brief"),
        topic("moot"),
        reason(PostReasonKind::Popular),
    ];
    assert_eq!(reasons(&fixture, 1, &post).await, expected);
    fixture.advance_clock(8 * 86_400);
    assert_eq!(reasons(&fixture, 1, &post).await, expected[..4], "an old post is not popular now");
}

#[tokio::test]
async fn the_school_and_the_community_are_reasons() {
    let fixture = Fixture::new().await;
    for student in [1, 2] {
        fixture.set_school(member(student), "Ateneo").await;
    }
    fixture.join_community(community(1), &[member(1), member(2)]).await;
    let public = fixture.write(2, "public").await;
    let shared = fixture.create_post_in(member(2), community(1), "shared").await.id;
    assert_eq!(reasons(&fixture, 1, &public).await, [reason(PostReasonKind::School)]);
    assert_eq!(reasons(&fixture, 3, &public).await, [reason(PostReasonKind::Public)]);
    let community =
        PostReason { community: Some("Moot Court Society".to_owned()), ..reason(PostReasonKind::Community) };
    assert_eq!(reasons(&fixture, 1, &shared).await, [community]);
    for (who, post) in [(3, shared.as_str()), (1, UNKNOWN_ID)] {
        let request = ListPostReasonsRequest { post_id: post.to_owned() };
        let refused = fixture.list_post_reasons(&fixture.as_member(member(who)), request).await.unwrap_err();
        assert_eq!((refused.kind, refused.reason.as_str()), (ErrorKind::NotFound, "POST_NOT_FOUND"));
    }
    let request = ListPostReasonsRequest { post_id: public };
    let visitor = fixture.list_post_reasons(&fixture.as_visitor(), request).await;
    assert_eq!(visitor.unwrap_err().kind, ErrorKind::Unauthenticated);
}

#[tokio::test]
async fn the_school_of_a_profile_for_connections_is_no_reason_and_lists_no_post() {
    let fixture = Fixture::new().await;
    for student in [1, 2] {
        fixture.set_school(member(student), "Ateneo").await;
    }
    let old = fixture.write(2, "old").await;
    assert_eq!(reasons(&fixture, 1, &old).await, [reason(PostReasonKind::School)]);
    fixture.set_privacy(member(2), "members", true).await;
    assert_eq!(reasons(&fixture, 1, &old).await, [reason(PostReasonKind::School)]);
    fixture.set_privacy(member(2), "connections", true).await;
    let new = fixture.write(2, "new").await;
    for post in [&old, &new] {
        assert_eq!(reasons(&fixture, 1, post).await, [reason(PostReasonKind::Public)]);
    }
    assert_eq!(fixture.feed_of(member(1), FeedKind::School, 0).await, Vec::<String>::new());
    fixture.set_privacy(member(2), "public", true).await;
    fixture.write(2, "newest").await;
    assert_eq!(fixture.feed_of(member(1), FeedKind::School, 0).await, ["newest"]);
}
