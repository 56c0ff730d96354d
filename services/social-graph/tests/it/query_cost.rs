//! The cost of list queries in buffers, with thousands of rows.

use testkit::member;

use crate::fixtures::Fixture;

const CRATE: &str = env!("CARGO_MANIFEST_DIR");
const NONE: &str = "00000000-0000-0000-0000-000000000000";
const LAST: &str = "ffffffff-ffff-ffff-ffff-ffffffffffff";

/// 2,000 members with 50 connections and ten blocks each, of 20 schools and 20 locations; 5,000 pending requests to member
/// 1; 5,000 communities, the first with all members and 30 others for each member; 5,000 events with ten attendees, the
/// first with all members.
async fn large_graph() -> Fixture {
    let graph = Fixture::empty().await;
    let sql = "
        create function social_graph.test_id(n bigint) returns uuid language sql as
            $$ select ('01930000-0000-7000-8000-' || lpad(to_hex(n << 10 | n), 12, '0'))::uuid $$;
        insert into social_graph.connections (id, requester_id, recipient_id, status, requested_at, answered_at)
        select gen_random_uuid(), social_graph.test_id(n), social_graph.test_id((n + k) % 2000), 'accepted', at, at
        from (
            select n, k, '2026-01-01'::timestamptz - (n * 25 + k) * interval '1 second' as at
            from generate_series(0, 1999) n, generate_series(1, 25) k
        ) as numbered;
        insert into social_graph.connections (id, requester_id, recipient_id, status, requested_at)
        select
            gen_random_uuid(), social_graph.test_id(5000 + n), social_graph.test_id(1), 'pending',
            '2026-01-01'::timestamptz - n * interval '1 second'
        from generate_series(1, 5000) n;
        insert into social_graph.members (member_id, school_key, location_key, joined_at, active_at)
        select
            social_graph.test_id(n), 'school ' || n % 20, 'place ' || n / 100, '2026-01-01',
            '2026-01-01'::timestamptz + n * interval '1 minute'
        from generate_series(0, 1999) n;
        insert into social_graph.communities (id, name, name_key, member_count, created_at)
        select social_graph.test_id(n), 'Community ' || n, 'community ' || n, n % 100, '2026-01-01'
        from generate_series(1, 5000) n;
        insert into social_graph.memberships (community_id, member_id, role, joined_at)
        select
            social_graph.test_id(case k when 0 then 1 else 2 + (n * 31 + k * 167) % 4999 end), social_graph.test_id(n),
            case when n < 3 then 'owner' else 'member' end, '2026-01-01'::timestamptz + n * interval '1 minute'
        from generate_series(0, 1999) n, generate_series(0, 30) k;
        insert into social_graph.events
            (id, title, starts_at, ends_at, time_zone, organiser_id, attendee_count, created_at)
        select social_graph.test_id(n), 'Event', at, at + interval '2 hours', 'UTC', social_graph.test_id(n % 2000), 10, at
        from (
            select n, '2026-01-01'::timestamptz + n * interval '1 hour' as at from generate_series(1, 5000) n
        ) as numbered;
        insert into social_graph.attendances (id, event_id, member_id, said_at)
        select
            gen_random_uuid(), social_graph.test_id(k), social_graph.test_id(n),
            '2026-01-01'::timestamptz + n * interval '1 minute'
        from generate_series(1, 5000) k, generate_series(1, 1999) n
        where k = 1 or n <= 10;
        insert into social_graph.blocks (blocker_id, blocked_id, blocked_at)
        select social_graph.test_id(n), social_graph.test_id((n + k * 7) % 2000), '2026-01-01'
        from generate_series(0, 1999) n, generate_series(1, 10) k";
    graph.harness.database().run_as_owner(sql).await;
    graph
        .harness
        .database()
        .vacuum(&["members", "connections", "communities", "events", "attendances", "memberships", "blocks"])
        .await;
    graph
}

#[tokio::test]
async fn the_cost_of_a_page_does_not_depend_on_its_position() {
    let graph = large_graph().await;
    let database = graph.harness.database();
    let (me, first) = (member(1), member(1));
    for from in ["2100-01-01", "2025-12-31 23:59:30"] {
        let place = format!("'{me}', '{from}', '{LAST}', 21");
        database.cost(CRATE, &["as sides", "requested_at!"], &place).await.at_most(100);
        database.cost(CRATE, &["status = 'pending'", "(requested_at, id) <"], &place).await.at_most(60);
    }
    let (visitor, me_too) = ("null".to_owned(), format!("'{me}'"));
    for who in [&visitor, &me_too] {
        // From the first own community, the first other one, and a later one.
        for (own, others) in [(i64::MAX, i64::MAX), (-1, i64::MAX), (-1, 50)] {
            let place = format!("{who}, {own}, '{LAST}', {others}, '{LAST}', 21");
            database.cost(CRATE, &["with mine as materialized"], &place).await.at_most(156);
        }
        for (from, now) in [("1970-01-01", "2026-03-01"), ("2026-06-01", "2026-03-01")] {
            let place = format!("{who}, 5, '{from}', '{LAST}', '{now}'::timestamptz - interval '14 days', '{now}', 21");
            // Each block of the viewer is looked for among the attendees of each event.
            database.cost(CRATE, &["as named on true", "limit $7"], &place).await.at_most(700);
        }
        for (others, from) in [(false, "1970-01-01"), (true, "2026-01-02")] {
            let place = format!("'{first}', {who}, {others}, '{from}', '{NONE}', 21");
            database.cost(CRATE, &["(role <> 'owner'), joined_at, member_id) >"], &place).await.at_most(14);
            let place = format!("'{first}', {who}, '{from}', '{NONE}', 21");
            database.cost(CRATE, &["(said_at, id) > ($3, $4)"], &place).await.at_most(60);
        }
        let one = format!("{who}, '{first}'");
        database.cost(CRATE, &["c.rules", "where c.id = $2"], &one).await.at_most(13);
        let one = format!("{who}, 5, '{first}'");
        database.cost(CRATE, &["as named on true", "where id = $3"], &one).await.at_most(130);
        let hundred: Vec<String> = (1..=100).map(|n| format!("'{}'", member(n * 40))).collect();
        let hundred = format!("{who}, 5, array[{}]::uuid[]", hundred.join(", "));
        database.cost(CRATE, &["as named on true", "id = any((select $3"], &hundred).await.at_most(3_500);
    }
    for (others, ceiling) in [(1, 10), (20, 200)] {
        let others: Vec<String> = (0..others).map(|n| format!("'{}'", member(26 + n))).collect();
        let pairs = format!("'{me}', array[{}]::uuid[]", others.join(", "));
        database.cost(CRATE, &["= least($1::uuid, other.id)", "requester_hidden end"], &pairs).await.at_most(ceiling);
    }
}

#[tokio::test]
async fn the_cost_of_suggestions_is_bounded() {
    let graph = large_graph().await;
    let database = graph.harness.database();
    // Mutual connections for every place; none; a member without any row.
    for (who, ceiling) in [(1000, 6_000), (5001, 30), (9000, 20)] {
        let arguments = format!("'{}', 20, 200", member(who));
        database.cost(CRATE, &["cross join lateral", "as theirs"], &arguments).await.at_most(ceiling);
    }
    // All places by every other reason.
    for who in [1000, 5001, 9000] {
        let arguments = format!("'{}', 20, array['{}']::uuid[]", member(who), member(who + 1));
        database.cost(CRATE, &["as suggested"], &arguments).await.at_most(470);
    }
}

#[tokio::test]
async fn the_cost_of_connections_in_memory_is_bounded() {
    let graph = large_graph().await;
    let database = graph.harness.database();
    // As the sequencer numbers them; the fixture has published nothing.
    let facts = "
        insert into social_graph.outbox (seq, kind, key, payload, at)
        select n, 'portia.social_graph.v1.EventAttended', 'key', '', '2026-01-01'
        from generate_series(1, 20000) n;
        update social_graph.outbox_sequence set n = 20000";
    database.run(facts).await;
    database.vacuum(&["outbox"]).await;
    let kinds = "array['portia.social_graph.v1.ConnectionAccepted']";
    let candidates: Vec<String> = (0..24).map(|n| format!("'{}'", member(100 + n * 7))).collect();
    let candidates = format!("array[{}]::uuid[]", candidates.join(", "));
    for (position, candidates, ceiling) in [(20_000, candidates.as_str(), 440), (19_990, "array[]::uuid[]", 14)] {
        let arguments = format!("{position}, 2000, {kinds}, '{}', {candidates}", member(1));
        database.cost(CRATE, &["with recent as materialized"], &arguments).await.at_most(ceiling);
    }
    let pair = format!("array['{}', '{}']::uuid[]", member(1), member(2));
    database.cost(CRATE, &["d.id as \"member!\"", "cross join lateral"], &pair).await.at_most(420);
    let page = format!("'{NONE}', 500");
    database.cost(CRATE, &["answered_at as \"answered_at!\"", "and id > $1"], &page).await.at_most(1_500);
}
