//! What has been so for years is copied, and rings for nobody.

use std::sync::Arc;

use portia_proto::{
    auth::AccountClosed,
    social_graph::{ConnectionAccepted, MemberBlocked},
};
use prost::{Message, Name};
use testkit::{FactSource, Harness, member};

use super::{announced, attended, called, commented, endorsed, joined, posted, reacted, requested, thing};
use crate::inbox::{INBOX, Inbox, connection_id};

fn stand<M: Message + Name>(source: &FactSource, fact: &M) {
    source.stands("state", fact);
}

#[tokio::test]
async fn a_snapshot_is_known_and_is_no_news() {
    let inbox = Inbox::beside(|auth, profile, graph, feed| {
        stand(auth, &AccountClosed { member_id: member(8).to_string() });
        stand(feed, &posted(2, 1, Some(20)));
        stand(feed, &reacted(2, 1, 1));
        stand(feed, &commented(2, 1, 1, 9));
        stand(profile, &endorsed(2, 1, "Research"));
        stand(graph, &requested(10, 2, 1));
        let met = connection_id(testkit::clock().now(), 400, 1);
        let accepted = ConnectionAccepted {
            connection_id: met.to_string(),
            requester_id: member(1).to_string(),
            recipient_id: member(3).to_string(),
        };
        stand(graph, &accepted);
        stand(graph, &MemberBlocked { blocker_id: member(1).to_string(), blocked_id: member(7).to_string() });
        stand(graph, &called(20, "Moot"));
        stand(graph, &joined(1, 20, true));
        stand(graph, &joined(2, 20, false));
        stand(graph, &announced(30, Some(1), "Finals", 4));
        stand(graph, &attended(2, 30));
    })
    .await;
    // The first fact of each is heard after its snapshot.
    inbox.graph_tells(&joined(2, 20, true)).await;
    inbox.graph_tells(&announced(30, Some(1), "Finals", 4)).await;
    inbox.feed_tells(&reacted(7, 1, 1)).await;
    inbox.profile_tells(&endorsed(7, 1, "Research")).await;
    assert_eq!((inbox.count("notifications").await, inbox.count("notification_causes").await), (0, 0));
    assert_eq!((inbox.rung(1).await, inbox.rung(2).await), (0, 0));
    assert_eq!(inbox.list(1, INBOX).await.len(), 1, "whom one is connected with one can write to");

    // What happens from now on rings by what the copies say.
    inbox.graph_tells(&joined(4, 20, false)).await;
    inbox.graph_tells(&attended(4, 30)).await;
    inbox.graph_tells(&announced(30, Some(1), "Finals", 5)).await;
    assert_eq!(inbox.lines(1).await, ["EventAttended by 4 (1) !", "CommunityJoined by 4 (1) !"]);
    assert_eq!(inbox.lines(2).await, ["EventChanged by 1 (1) !", "CommunityJoined by 4 (1) !"]);
    assert_eq!(inbox.bell(1).await[0].subject_name.as_deref(), Some("Finals"));
    inbox.assert_bells().await;
}

#[tokio::test]
async fn facts_heard_again_after_a_snapshot_that_knew_them_change_nothing() {
    // A snapshot tells what was committed and not numbered yet, and then the facts are told.
    let inbox = Inbox::beside(|_, _, graph, _| {
        stand(graph, &called(1, "Moot Court"));
        stand(graph, &joined(1, 1, true));
        stand(graph, &announced(2, Some(1), "Grand finals", 2));
        stand(graph, &attended(3, 2));
    })
    .await;
    inbox.graph_tells(&called(1, "Moot")).await;
    inbox.graph_tells(&joined(1, 1, true)).await;
    inbox.graph_tells(&announced(2, Some(1), "Finals", 0)).await;
    inbox.graph_tells(&attended(4, 2)).await;
    inbox.graph_tells(&super::unattended(4, 2)).await;
    inbox.graph_tells(&announced(2, Some(1), "The finals", 1)).await;
    inbox.graph_tells(&announced(2, Some(1), "Grand finals", 2)).await;
    inbox.graph_tells(&called(1, "Moot Court")).await;
    assert_eq!(inbox.count("notifications").await, 0);
    let known = "select string_agg(name, ' ') || ' ' || (select string_agg(title || ' ' || revision, ' ')
        from messaging.events) || ' ' || (select count(*) from messaging.attendances) from messaging.communities";
    let known: String = sqlx::query_scalar(known).fetch_one(inbox.harness.pool()).await.unwrap();
    assert_eq!(known, "Moot Court Grand finals 2 1");
    inbox.assert_bells().await;
}

#[tokio::test]
async fn a_new_snapshot_replaces_what_was_copied() {
    let graph = FactSource::default();
    stand(&graph, &called(1, "Moot"));
    stand(&graph, &joined(1, 1, true));
    stand(&graph, &announced(2, Some(1), "Finals", 0));
    stand(&graph, &attended(1, 2));
    let builder = Harness::of("messaging").database(&messaging::MIGRATOR).await;
    let harness = builder.neighbour("social-graph", graph.routes()).context();
    let stale = format!(
        "insert into messaging.communities values ('{old}', 'Gone');
        insert into messaging.memberships values ('{old}', '{me}', true);
        insert into messaging.events values ('{old}', '{me}', 'Gone', 0);
        insert into messaging.attendances values ('{old}', '{me}')",
        old = thing(9),
        me = member(1),
    );
    harness.database().run(stale).await;
    let _routes = messaging::start(Arc::clone(&harness.context)).await.unwrap();
    harness.heard("social-graph", 0).await;
    assert_eq!(harness.database().tables_naming(thing(9)).await, Vec::<String>::new());
    assert_eq!(harness.database().tables_naming(thing(1)).await, ["communities", "memberships"]);
    assert_eq!(harness.database().tables_naming(thing(2)).await, ["attendances", "events"]);
    harness.stop().await;
}
