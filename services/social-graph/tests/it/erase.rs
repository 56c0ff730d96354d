//! An erased account leaves nothing of the member here, and the counts say so.

use chrono::TimeDelta;
use portia_proto::auth::AccountErased;
use testkit::member;

use crate::graph::Graph;

#[tokio::test]
async fn nothing_of_the_member_is_left_and_kept_counts_are_true() {
    let graph = Graph::empty().await;
    let now = graph.harness.clock.now();
    // The member stands on every side of everything, and is the lower and the greater id of a pair.
    graph.connect(1, 5, 2, "accepted").await;
    graph.connect(2, 9, 5, "pending").await;
    graph.connect(3, 5, 7, "rejected").await;
    graph.connect(4, 2, 9, "accepted").await;
    graph.gather(10, &[5, 2]).await;
    graph.gather(11, &[2, 5, 9]).await;
    graph.announce(20, now, now + TimeDelta::days(1), &[5, 2]).await;
    graph.dismiss(5, 3).await;
    graph.dismiss(3, 5).await;
    graph.block(5, 4).await;
    graph.block(4, 5).await;
    let database = graph.harness.database();
    let everywhere = ["attendances", "blocks", "connections", "dismissed_suggestions", "events", "memberships"];
    assert_eq!(database.tables_naming(member(5)).await, everywhere);

    let erased = AccountErased { member_id: member(5).to_string() };
    graph.auth.tell(member(5), &erased);
    let seq = graph.auth.tell(member(5), &erased);
    graph.harness.heard("auth", seq).await;

    assert_eq!(database.tables_naming(member(5)).await, Vec::<String>::new());
    assert_eq!(database.tables_naming(member(2)).await, ["attendances", "connections", "memberships"]);
    let wrong = "
        select name from social_graph.communities c
        where member_count <> (select count(*) from social_graph.memberships m where m.community_id = c.id)
        union all
        select title from social_graph.events e
        where attendee_count <> (select count(*) from social_graph.attendances a where a.event_id = e.id)";
    let wrong: Vec<String> = sqlx::query_scalar(wrong).fetch_all(graph.harness.pool()).await.unwrap();
    assert_eq!(wrong, Vec::<String>::new());
    graph.harness.stop().await;
}
