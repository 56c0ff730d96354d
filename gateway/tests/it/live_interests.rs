//! The live events beyond messaging: about the member, and about the topics that a stream shows.

use gateway::edge::cache::Cache;
use portia_proto::{
    feed::{
        PostCommentEdited, PostCommented, PostCreated, PostDeleted, PostEdited, PostReacted, PostReposted, ReactionKind,
    },
    jobs::{ApplicationChanged, AppliedPostingClosed},
    profile::{MemberChanged, SkillEndorsed},
    social_graph::{
        CommunityChanged, CommunityInvitationRemoved, CommunityInvited, CommunityJoinRequestRemoved,
        CommunityJoinRequested, CommunityJoined, CommunityLeft, CommunityRemoved, ConnectionAccepted,
        ConnectionRemoved, ConnectionRequested, EventAttended, EventChanged, EventRemoved, MemberBlocked,
    },
};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::{
    actors::{ANA, APPLICATION, BEN, CARL, COMMENT, COMMUNITY, CONNECTION, EVENT, JOB, POST, UNKNOWN, id},
    live::{self, Listener},
    test_gateway::{Reply, TestGateway, TestRequest},
};

/// Sets the interests of a stream.
async fn watch(gateway: &TestGateway, member: Uuid, stream: &str, interests: Value) -> Reply {
    let request = TestRequest::new("PUT", &format!("/api/live/{stream}/interests"));
    gateway.send(request.by_member(member).json(&interests)).await
}

/// Opens a stream of a member with interests.
async fn open(gateway: &TestGateway, member: Uuid, interests: Value) -> Listener {
    let listener = Listener::open(gateway, member).await;
    assert_eq!(watch(gateway, member, &listener.stream, interests).await.status, 200);
    listener
}

/// The end of a test of feed: a stream that watches the feed receives this after the earlier facts of feed.
async fn publish_last(gateway: &TestGateway) {
    let created = PostCreated { post_id: POST.to_string(), author_id: CARL.to_string(), ..Default::default() };
    gateway.fakes.publish("feed", &created).await;
}

async fn expect_last(listener: &mut Listener) {
    let (name, data) = listener.next().await.unwrap();
    assert_eq!((name.as_str(), &data["list"]), ("post", &json!("feed")), "{data}");
}

fn commented(post: Uuid) -> PostCommented {
    PostCommented {
        post_id: post.to_string(),
        author_id: ANA.to_string(),
        comment_id: COMMENT.to_string(),
        member_id: BEN.to_string(),
        ..Default::default()
    }
}

fn reacted() -> PostReacted {
    PostReacted {
        post_id: POST.to_string(),
        author_id: ANA.to_string(),
        member_id: BEN.to_string(),
        kind: ReactionKind::Like.into(),
        community_id: None,
    }
}

#[tokio::test]
async fn a_change_of_a_connection_reaches_both_members_only() {
    let gateway = live::start().await;
    let (mut ana, mut ben, mut carl) = (
        Listener::open(&gateway, ANA).await,
        Listener::open(&gateway, BEN).await,
        Listener::open(&gateway, CARL).await,
    );
    let (connection_id, requester_id, recipient_id) = (CONNECTION.to_string(), BEN.to_string(), ANA.to_string());
    let requested = ConnectionRequested { connection_id, requester_id, recipient_id };
    gateway.fakes.publish("social-graph", &requested).await;
    let ConnectionRequested { connection_id, requester_id, recipient_id } = requested.clone();
    gateway.fakes.publish("social-graph", &ConnectionAccepted { connection_id, requester_id, recipient_id }).await;
    let ConnectionRequested { connection_id, requester_id, recipient_id } = requested;
    gateway.fakes.publish("social-graph", &ConnectionRemoved { connection_id, requester_id, recipient_id }).await;
    let attended = EventAttended { event_id: EVENT.to_string(), member_id: CARL.to_string() };
    gateway.fakes.publish("social-graph", &attended).await;
    for browser in [&mut ana, &mut ben] {
        for _ in 0..3 {
            let data = json!({ "connectionId": CONNECTION, "requesterId": BEN, "recipientId": ANA });
            browser.expect("connection", data).await;
        }
    }
    carl.expect("event", json!({ "eventId": EVENT })).await;
}

#[tokio::test]
async fn facts_about_a_member_reach_every_browser_of_that_member() {
    let gateway = live::start().await;
    let (mut ben, mut second) = (Listener::open(&gateway, BEN).await, Listener::open(&gateway, BEN).await);
    let member_id = BEN.to_string();
    let fakes = &gateway.fakes;
    let community_id = COMMUNITY.to_string();
    let joined =
        CommunityJoined { community_id: community_id.clone(), member_id: member_id.clone(), ..Default::default() };
    fakes.publish("social-graph", &joined).await;
    for browser in [&mut ben, &mut second] {
        browser.expect("membership", json!({ "communityId": COMMUNITY })).await;
    }
    // Requests and invitations reach the member and the moderators.
    let (community, moderator_ids) = (community_id.clone(), vec![member_id.clone()]);
    let asked = CommunityJoinRequested { community_id: community, member_id: ANA.to_string(), moderator_ids };
    fakes.publish("social-graph", &asked).await;
    let invited_by_id = ANA.to_string();
    let invited = CommunityInvited { community_id: community_id.clone(), member_id: member_id.clone(), invited_by_id };
    fakes.publish("social-graph", &invited).await;
    let invited_by_id = Some(ANA.to_string());
    let removed =
        CommunityInvitationRemoved { community_id: community_id.clone(), member_id: member_id.clone(), invited_by_id };
    fakes.publish("social-graph", &removed).await;
    let removed = CommunityJoinRequestRemoved { community_id, member_id: member_id.clone() };
    fakes.publish("social-graph", &removed).await;
    for browser in [&mut ben, &mut second] {
        for _ in 0..4 {
            browser.expect("membership", json!({ "communityId": COMMUNITY })).await;
        }
    }
    let application_id = APPLICATION.to_string();
    let changed = ApplicationChanged { application_id: application_id.clone(), member_id: member_id.clone() };
    fakes.publish("jobs", &changed).await;
    let (job_id, title) = (JOB.to_string(), "Clerk".to_owned());
    fakes.publish("jobs", &AppliedPostingClosed { application_id, member_id: member_id.clone(), job_id, title }).await;
    for browser in [&mut ben, &mut second] {
        browser.expect("application", json!({ "applicationId": APPLICATION })).await;
        browser.expect("application", json!({ "applicationId": APPLICATION })).await;
    }
    fakes.publish("profile", &MemberChanged { member_id, school: None, location: None }).await;
    for browser in [&mut ben, &mut second] {
        browser.expect("profile", json!({ "userId": BEN })).await;
    }
}

#[tokio::test(start_paused = true)]
async fn changes_of_a_post_reach_the_streams_that_show_it() {
    let gateway = live::start().await;
    let mut ben = open(&gateway, BEN, json!({ "posts": [POST], "feed": true })).await;
    let mut carl = open(&gateway, CARL, json!({ "feed": true })).await;
    let fakes = &gateway.fakes;
    let (post_id, author_id) = (POST.to_string(), ANA.to_string());
    fakes.publish("feed", &commented(POST)).await;
    ben.expect("comment", json!({ "postId": POST })).await;
    fakes.publish("feed", &reacted()).await;
    ben.expect("reaction", json!({ "postId": POST })).await;
    let post = json!({ "postId": POST, "list": null, "since": null });
    fakes
        .publish("feed", &PostEdited { post_id: post_id.clone(), author_id: author_id.clone(), ..Default::default() })
        .await;
    ben.expect("post", post.clone()).await;
    let (comment_id, member_id) = (COMMENT.to_string(), BEN.to_string());
    let (post_id_of_comment, author) = (post_id.clone(), author_id.clone());
    let edited = PostCommentEdited {
        post_id: post_id_of_comment,
        author_id: author,
        comment_id,
        member_id,
        ..Default::default()
    };
    fakes.publish("feed", &edited).await;
    ben.expect("comment", json!({ "postId": POST })).await;
    let (repost_id, member_id) = (UNKNOWN.to_string(), BEN.to_string());
    let reposted = PostReposted { post_id: post_id.clone(), author_id: author_id.clone(), repost_id, member_id };
    fakes.publish("feed", &reposted).await;
    ben.expect("reaction", json!({ "postId": POST })).await;
    fakes.publish("feed", &PostDeleted { post_id, author_id, community_id: None }).await;
    ben.expect("post", post).await;
    publish_last(&gateway).await;
    expect_last(&mut ben).await;
    expect_last(&mut carl).await;
}

#[tokio::test(start_paused = true)]
async fn a_hundred_reactions_are_two_events() {
    let gateway = live::start().await;
    let mut ben = open(&gateway, BEN, json!({ "posts": [POST], "feed": true })).await;
    gateway.fakes.publish("feed", &reacted()).await;
    ben.expect("reaction", json!({ "postId": POST })).await;
    for _ in 0..10 {
        gateway.fakes.publish("feed", &reacted()).await;
    }
    ben.expect("reaction", json!({ "postId": POST })).await;
    publish_last(&gateway).await;
    expect_last(&mut ben).await;
}

#[tokio::test]
async fn the_answer_contains_the_state_of_new_posts() {
    let gateway = live::start().await;
    let ben = Listener::open(&gateway, BEN).await;
    let interests =
        json!({ "posts": [POST, UNKNOWN], "members": [ANA], "events": [EVENT], "communities": [COMMUNITY] });
    gateway.fakes.seen();
    let versions = watch(&gateway, BEN, &ben.stream, interests.clone()).await.json();
    let version = json!({ "id": POST, "likeCount": 1, "commentCount": 1, "shareCount": 0, "editedAt": null });
    assert_eq!(versions, json!({ "posts": [version] }));
    let calls: Vec<_> = gateway.fakes.seen().into_iter().map(|seen| (seen.method, seen.actor)).collect();
    for method in ["batch_get_posts", "batch_get_members", "batch_get_events", "batch_get_communities"] {
        assert!(calls.contains(&(method, Some(BEN))), "{calls:?}");
    }
    // Known posts are not asked for again, unknown ones are.
    let again = watch(&gateway, BEN, &ben.stream, json!({ "posts": [POST] })).await.json();
    assert_eq!(again, json!({ "posts": [] }));
    assert_eq!(gateway.fakes.count("batch_get_posts"), 0);
}

#[tokio::test]
async fn an_invisible_post_or_member_is_left_out_silently() {
    let gateway = live::start().await;
    let mut ben = open(&gateway, BEN, json!({ "posts": [UNKNOWN], "feed": true })).await;
    gateway.fakes.publish("feed", &commented(UNKNOWN)).await;
    publish_last(&gateway).await;
    expect_last(&mut ben).await;

    // Carl is hidden from the others by a block.
    let mut ben = open(&gateway, BEN, json!({ "members": [CARL, ANA] })).await;
    for member in [CARL, ANA] {
        let (member_id, skill, endorser_id) = (member.to_string(), "Torts".to_owned(), UNKNOWN.to_string());
        gateway.fakes.publish("profile", &SkillEndorsed { member_id, skill, endorser_id }).await;
    }
    ben.expect("profile", json!({ "userId": ANA })).await;
}

#[tokio::test(start_paused = true)]
async fn a_block_ends_the_interest_in_content_of_the_other() {
    let gateway = live::start().await;
    let mut ben =
        open(&gateway, BEN, json!({ "posts": [POST], "members": [ANA], "events": [EVENT], "feed": true })).await;
    let blocked = MemberBlocked { blocker_id: ANA.to_string(), blocked_id: BEN.to_string() };
    gateway.fakes.publish("social-graph", &blocked).await;
    let moved = EventChanged { event_id: EVENT.to_string(), ..EventChanged::default() };
    gateway.fakes.publish("social-graph", &moved).await;
    ben.expect("event", json!({ "eventId": EVENT })).await;
    gateway.fakes.publish("feed", &commented(POST)).await;
    publish_last(&gateway).await;
    expect_last(&mut ben).await;
}

#[tokio::test(start_paused = true)]
async fn new_posts_are_told_without_their_ids() {
    let gateway = live::start().await;
    let mut ben = open(&gateway, BEN, json!({ "communities": [COMMUNITY] })).await;
    // Carl is not a member of the community.
    let mut carl = open(&gateway, CARL, json!({ "communities": [COMMUNITY], "feed": true })).await;
    let (post_id, author_id) = (POST.to_string(), ANA.to_string());
    let community_id = Some(COMMUNITY.to_string());
    let created = PostCreated { post_id, author_id, community_id, ..Default::default() };
    gateway.fakes.publish("feed", &created).await;
    let list = format!("community:{COMMUNITY}");
    let (name, data) = ben.next().await.unwrap();
    assert_eq!((name.as_str(), &data["list"], &data["postId"]), ("post", &json!(list), &Value::Null));
    assert!(data["since"].as_str().unwrap().starts_with("2024-"), "{data}");
    publish_last(&gateway).await;
    expect_last(&mut carl).await;

    // A former member receives no more.
    let (community_id, member_id) = (COMMUNITY.to_string(), BEN.to_string());
    gateway.fakes.publish("social-graph", &CommunityLeft { community_id, member_id }).await;
    ben.expect("membership", json!({ "communityId": COMMUNITY })).await;
    gateway.fakes.publish("feed", &created).await;
    let again = CommunityJoined {
        community_id: COMMUNITY.to_string(),
        member_id: ANA.to_string(),
        is_owner: true,
        ..Default::default()
    };
    gateway.fakes.publish("social-graph", &again).await;
    let asked = ConnectionRequested {
        connection_id: CONNECTION.to_string(),
        requester_id: ANA.to_string(),
        recipient_id: BEN.to_string(),
    };
    gateway.fakes.publish("social-graph", &asked).await;
    let (name, data) = ben.next().await.unwrap();
    assert_eq!(name, "connection", "the next event, and not one of the community: {data}");
}

#[tokio::test(start_paused = true)]
async fn new_public_posts_of_a_member_are_told_to_those_who_show_the_profile() {
    let gateway = live::start().await;
    let mut ben = open(&gateway, BEN, json!({ "members": [ANA], "posts": [POST] })).await;
    let post_by = |author: Uuid, community: Option<Uuid>| PostCreated {
        post_id: POST.to_string(),
        author_id: author.to_string(),
        community_id: community.map(|id| id.to_string()),
        ..Default::default()
    };
    // Posts of other members, and posts in a community that the stream's member may not belong to, send no event.
    gateway.fakes.publish("feed", &post_by(CARL, None)).await;
    gateway.fakes.publish("feed", &post_by(ANA, Some(COMMUNITY))).await;
    gateway.fakes.publish("feed", &commented(POST)).await;
    ben.expect("comment", json!({ "postId": POST })).await;

    gateway.fakes.publish("feed", &post_by(ANA, None)).await;
    let list = format!("member:{ANA}");
    let (name, data) = ben.next().await.unwrap();
    assert_eq!((name.as_str(), &data["list"], &data["postId"]), ("post", &json!(list), &Value::Null));
    assert!(data["since"].as_str().unwrap().starts_with("2024-"), "{data}");
}

#[tokio::test(start_paused = true)]
async fn edited_and_removed_communities_and_events_are_told_to_those_who_show_them() {
    let gateway = live::start().await;
    // Carl is not a member of the community, which is public.
    let shown = json!({ "communities": [COMMUNITY], "events": [EVENT] });
    let mut carl = open(&gateway, CARL, shown).await;
    // The start of the test published a fact of this event, which a new interest repeats.
    carl.expect("event", json!({ "eventId": EVENT })).await;
    let mut ben = open(&gateway, BEN, json!({ "feed": true })).await;
    let community = |community_id: String| CommunityChanged { community_id, ..CommunityChanged::default() };
    let event = |event_id: String| EventChanged { event_id, ..EventChanged::default() };
    for _ in 0..2 {
        // No stream here shows these entities.
        gateway.fakes.publish("social-graph", &community(UNKNOWN.to_string())).await;
        gateway.fakes.publish("social-graph", &event(UNKNOWN.to_string())).await;
        gateway.fakes.publish("social-graph", &community(COMMUNITY.to_string())).await;
        carl.expect("membership", json!({ "communityId": COMMUNITY })).await;
        gateway.fakes.publish("social-graph", &event(EVENT.to_string())).await;
        carl.expect("event", json!({ "eventId": EVENT })).await;
    }
    let removed = CommunityRemoved { community_id: COMMUNITY.to_string() };
    gateway.fakes.publish("social-graph", &removed).await;
    carl.expect("membership", json!({ "communityId": COMMUNITY })).await;
    gateway.fakes.publish("social-graph", &EventRemoved { event_id: EVENT.to_string() }).await;
    carl.expect("event", json!({ "eventId": EVENT })).await;
    publish_last(&gateway).await;
    expect_last(&mut ben).await;
}

#[tokio::test(start_paused = true)]
async fn a_community_that_becomes_private_is_told_to_its_members_only() {
    let gateway = live::start().await;
    let mut ben = open(&gateway, BEN, json!({ "communities": [COMMUNITY] })).await;
    // Carl is not a member of the community.
    let mut carl = open(&gateway, CARL, json!({ "communities": [COMMUNITY], "feed": true })).await;
    let community_id = COMMUNITY.to_string();
    let hidden = CommunityChanged { community_id, name: "Moot Society".to_owned(), became_private: true };
    gateway.fakes.publish("social-graph", &hidden).await;
    ben.expect("membership", json!({ "communityId": COMMUNITY })).await;
    publish_last(&gateway).await;
    expect_last(&mut carl).await;
}

#[tokio::test]
async fn interests_are_replaced_and_end_with_the_stream() {
    let gateway = live::start().await;
    let mut ben = open(&gateway, BEN, json!({ "posts": [POST] })).await;
    assert_eq!(watch(&gateway, BEN, &ben.stream, json!({ "feed": true })).await.json(), json!({ "posts": [] }));
    gateway.fakes.publish("feed", &commented(POST)).await;
    publish_last(&gateway).await;
    expect_last(&mut ben).await;
}

#[tokio::test]
async fn a_stream_of_another_member_or_without_a_valid_id_is_not_found() {
    let gateway = live::start().await;
    let ana = Listener::open(&gateway, ANA).await;
    for (member, stream) in [(BEN, ana.stream.as_str()), (ANA, &id(0x99).to_string()), (ANA, "mine"), (ANA, "%00")] {
        let problem = watch(&gateway, member, stream, json!({ "feed": true })).await.refused(404);
        assert_eq!(problem["error"], "Stream not found");
    }
    assert!(gateway.fakes.seen().iter().all(|seen| seen.method == "resolve_session"));
}

#[tokio::test]
async fn invalid_and_too_many_ids_are_refused() {
    let gateway = live::start().await;
    let ana = Listener::open(&gateway, ANA).await;
    let many: Vec<Uuid> = (0..51).map(id).collect();
    for (interests, field) in [
        (json!({ "posts": ["x"] }), "posts[0]"),
        (json!({ "members": [ANA, 7] }), "members[1]"),
        (json!({ "communities": "all" }), "communities"),
        (json!({ "events": [null] }), "events[0]"),
        (json!({ "feed": "yes" }), "feed"),
        (json!({ "posts": many, "events": many[..50] }), "posts"),
    ] {
        let problem = watch(&gateway, ANA, &ana.stream, interests).await.refused(400);
        assert!(problem["fields"][field].is_string(), "{problem}");
    }
    let enough = json!({ "posts": many[..50], "events": many[..50] });
    assert_eq!(watch(&gateway, ANA, &ana.stream, enough).await.status, 200);
}

#[tokio::test]
async fn the_interests_may_arrive_at_another_gateway() {
    let cache = Cache::in_process();
    let (first, second) = (TestGateway::start_sharing(cache.clone()).await, TestGateway::start_sharing(cache).await);
    live::wait_for_subscriptions(&first).await;
    let mut ben = Listener::open(&first, BEN).await;
    assert_eq!(watch(&second, BEN, &ben.stream, json!({ "posts": [POST] })).await.status, 200);
    watch(&second, CARL, &ben.stream, json!({ "feed": true })).await.refused(404);
    // The interests arrive with the next message of the stream at the latest.
    loop {
        first.fakes.publish("feed", &commented(POST)).await;
        let event = tokio::time::timeout(std::time::Duration::from_millis(20), ben.next()).await;
        if let Ok(event) = event {
            assert_eq!(event, Some(("comment".to_owned(), json!({ "postId": POST }))));
            break;
        }
    }
}
