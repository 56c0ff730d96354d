//! What the list costs somebody with thousands of conversations, in buffers.

use testkit::member;

use crate::inbox::Inbox;

/// 5,000 conversations of one member among as many of others.
const FILL: &str = "
    insert into messaging.conversations
        (id, lower_member_id, upper_member_id, opened_at, last_seq, last_message, last_message_at)
    select
        ('01930000-0000-7000-9000-' || lpad(to_hex(n), 12, '0'))::uuid, least(one, other), greatest(one, other), at, 1,
        repeat('The last message of a conversation. ', 3), at
    from (
        select
            n, case when n % 2 = 0 then '{member}'::uuid else gen_random_uuid() end as one, gen_random_uuid() as other,
            '2026-01-01'::timestamptz - n * interval '1 minute' as at
        from generate_series(1, 10000) n
    ) as numbered;
    insert into messaging.participants (conversation_id, member_id, active_at)
    select id, lower_member_id, last_message_at from messaging.conversations
    union all
    select id, upper_member_id, last_message_at from messaging.conversations";

#[tokio::test]
async fn a_page_costs_the_same_wherever_it_is() {
    let inbox = Inbox::open().await;
    let database = inbox.harness.database();
    database.run(FILL.replace("{member}", &member(1).to_string())).await;
    database.run("vacuum analyze messaging.conversations").await;
    database.run("vacuum analyze messaging.participants").await;
    for from in ["2100-01-01", "2025-12-29"] {
        let arguments = format!("'{}', '{from}', 'ffffffff-ffff-ffff-ffff-ffffffffffff', 21", member(1));
        let cost = database
            .cost(env!("CARGO_MANIFEST_DIR"), &["from messaging.participants p", "p.active_at desc"], &arguments)
            .await;
        cost.at_most(120);
    }
}
