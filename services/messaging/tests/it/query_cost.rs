//! The cost in buffers of lists and messages for a member with thousands of conversations.

use testkit::{Database, member};
use uuid::Uuid;

use crate::fixtures::Fixture;

/// 200,000 messages: 2,000 conversations of one member with a hundred each, of them fifty requests and fifty cleared, and
/// 2,000 empty conversations of other members. The member blocks five partners.
const FILL: &str = "
    insert into messaging.conversations
        (id, lower_member_id, upper_member_id, opened_at, last_seq, last_message, last_message_at, requested_by)
    select
        ('01930000-0000-7000-9000-' || lpad(to_hex(n), 12, '0'))::uuid,
        least(one, other),
        greatest(one, other),
        at,
        case when n <= 2000 then 100 else 0 end,
        case when n <= 2000 then repeat('The last message of a conversation. ', 3) end,
        case when n <= 2000 then at end,
        case when n % 40 = 0 or n > 2000 then other end
    from (
        select
            n,
            case when n <= 2000 then '{member}'::uuid else gen_random_uuid() end as one,
            ('01940000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid as other,
            '2026-01-01'::timestamptz - n * interval '1 minute' as at
        from generate_series(1, 4000) n
    ) as numbered;

    insert into messaging.participants
        (conversation_id, member_id, other_member_id, active_at, folder, listed, read_seq, unread_count, cleared_seq)
    select
        c.id, side.member_id, side.other_id, c.opened_at,
        case when c.requested_by = side.other_id and c.last_seq > 0 then 'requests' else 'inbox' end,
        substring(c.id::text, 35)::text <> '11' or side.member_id <> '{member}',
        90, case when substring(c.id::text, 35)::text <> '11' or side.member_id <> '{member}' then 20 else 0 end,
        case when substring(c.id::text, 35)::text <> '11' or side.member_id <> '{member}' then 0 else c.last_seq end
    from messaging.conversations c
    cross join lateral (
        values (c.lower_member_id, c.upper_member_id), (c.upper_member_id, c.lower_member_id)
    ) as side (member_id, other_id)
    where c.last_seq > 0
        or c.requested_by = side.member_id;

    insert into messaging.messages (id, conversation_id, seq, sender_id, content, sent_at, audience)
    select
        gen_random_uuid(), c.id, seq,
        case when seq % 3 = 0 then c.lower_member_id else c.upper_member_id end,
        repeat('Words of a conversation. ', 1 + (seq % 9)::integer)
            || case when seq = 50 and right(c.id::text, 2) = '07' then 'Habeas corpus' else '' end,
        c.opened_at - (100 - seq) * interval '1 minute',
        array[c.lower_member_id, c.upper_member_id]
    from generate_series(1::bigint, 100) seq
    cross join messaging.conversations c
    where c.last_seq > 0;

    insert into messaging.blocks (blocker_id, blocked_id)
    select '{member}', ('01940000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid
    from unnest(array[1, 3, 500, 1000, 1001]) as blocked (n);

    insert into messaging.blocks (blocker_id, blocked_id)
    select gen_random_uuid(), gen_random_uuid()
    from generate_series(1, 5000);

    insert into messaging.unread_counts (member_id)
    select '{member}'
    union all
    select gen_random_uuid()
    from generate_series(1, 5000)";

const CONVERSATION: Uuid = Uuid::from_u128(0x0193_0000_0000_7000_9000_0000_0000_0007);
const OTHER: Uuid = Uuid::from_u128(0x0194_0000_0000_7000_8000_0000_0000_0007);

async fn filled() -> Fixture {
    let inbox = Fixture::new().await;
    let database = inbox.harness.database();
    database.run(FILL.replace("{member}", &member(1).to_string())).await;
    database.vacuum(&["conversations", "participants", "messages", "blocks", "unread_counts"]).await;
    inbox
}

async fn buffers(database: &Database, fragments: &[&str], arguments: &str, ceiling: i64) {
    let cost = database.cost(env!("CARGO_MANIFEST_DIR"), fragments, arguments).await;
    println!("{fragments:?} ({arguments:.60}): {cost:?} of {ceiling}");
    cost.at_most(ceiling);
}

/// One test, because the rows take most of its time.
#[tokio::test]
async fn the_cost_for_a_member_with_thousands_of_conversations_is_bounded() {
    let inbox = filled().await;
    let database = inbox.harness.database();
    the_cost_of_a_page_does_not_depend_on_its_position(database).await;
    the_cost_of_a_search_depends_on_the_matches_of_the_member(database).await;
    // Last: it executes the statements of writes.
    the_cost_of_a_message_does_not_depend_on_the_number_of_messages(database).await;
}

async fn the_cost_of_a_page_does_not_depend_on_its_position(database: &Database) {
    let me = member(1);
    let whole = [
        "and p.folder = $2\n            and p.listed\n            and (p.active_at, p.conversation_id) < ($3, $4)\n        order",
        "false\n                )\n                and p.folder",
    ];
    for folder in ["inbox", "requests"] {
        for from in ["2100-01-01", "2025-12-31 06:00"] {
            let arguments = format!("'{me}', '{folder}', '{from}', 'ffffffff-ffff-ffff-ffff-ffffffffffff', 21");
            buffers(database, &whole, &arguments, 130).await;
        }
    }
    let among = ["p.other_member_id = any ($6::uuid[])"];
    for (n, ceiling) in [(1, 130), (20, 220)] {
        let people: Vec<String> = (0..n).map(|k| format!("01940000-0000-7000-8000-{:012x}", 7 + 13 * k)).collect();
        let people = people.join(",");
        let arguments =
            format!("'{me}', 'inbox', '2100-01-01', 'ffffffff-ffff-ffff-ffff-ffffffffffff', 21, '{{{people}}}', null");
        buffers(database, &among, &arguments, ceiling).await;
    }
    buffers(database, &["n.other_member_id is not null"], &format!("'{me}', 'inbox', 1000"), 120).await;
    let thread = ["row_number() over (order by page.seq desc)"];
    for from in [i64::MAX, 51] {
        buffers(database, &thread, &format!("'{CONVERSATION}', '{me}', {from}, 21"), 55).await;
    }
}

async fn the_cost_of_a_search_depends_on_the_matches_of_the_member(database: &Database) {
    let search = ["m.audience @> array[$1::uuid]"];
    let arguments = |who: Uuid, pattern: &str| {
        format!(
            "'{who}', '{pattern}', '{{{pattern}}}', '2100-01-01', 'ffffffff-ffff-ffff-ffff-ffffffffffff', 21, '{{}}'"
        )
    };
    // A rare word among 200,000 messages of the member, in eight of them.
    buffers(database, &search, &arguments(member(1), "%habeas%"), 200).await;
    // A word of every message, for a member with a hundred of them: 17 buffers for each.
    buffers(database, &search, &arguments(OTHER, "%conversation%"), 2_000).await;
}

/// Two communities of 20,000 members; forty members turned notifications of posts on.
const READERS: &str = "
    insert into messaging.memberships (community_id, member_id, is_owner)
    select
        ('01930000-0000-7000-a000-00000000000' || n % 2)::uuid,
        ('01940000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, false
    from generate_series(1, 40000) n;

    insert into messaging.notification_switches (member_id, kind, is_on)
    select ('01940000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, kind, kind <> 'post_liked' and n % 1000 = 0
    from generate_series(1, 40000) n, unnest(array['post_liked', 'event_attended', 'community_posted']) kind";

#[tokio::test]
async fn subscribers_of_a_community_are_found_by_their_switch() {
    let inbox = Fixture::new().await;
    let database = inbox.harness.database();
    database.run(READERS).await;
    database.vacuum(&["memberships", "notification_switches"]).await;
    let community = "'01930000-0000-7000-a000-000000000000'";
    buffers(database, &["s.kind = 'community_posted'"], community, 200).await;
}

async fn the_cost_of_a_message_does_not_depend_on_the_number_of_messages(database: &Database) {
    let me = member(1);
    buffers(database, &["where c.id = $1", "$2 in (c.lower_member_id"], &format!("'{CONVERSATION}', '{me}'"), 6).await;
    buffers(database, &["other_listed!"], &format!("'{CONVERSATION}', '{me}'"), 25).await;
    let message = format!(
        "'01950000-0000-7000-8000-000000000001', '{CONVERSATION}', 101, '{me}', 'One more', '2026-01-02', 'key', null,
        '{OTHER}', 'inbox', null, null"
    );
    buffers(database, &["idempotency_key is not null do nothing", "recipient_row as"], &message, 90).await;
    // No recipient has a subscription, like most.
    let push = format!(
        "'{CONVERSATION}', '01950000-0000-7000-8000-000000000001', '{me}', array['{OTHER}']::uuid[], '2026-01-02',
        '2026-01-03'"
    );
    buffers(database, &["insert into messaging.push_deliveries as d", "message_id = excluded"], &push, 10).await;
    let totals = ["insert into messaging.unread_counts as stored", "order by d.member_id"];
    buffers(database, &totals, &format!("'{{{me}}}', '{{1}}', '{{0}}', '{{0}}'"), 25).await;
    // One mark reads ten messages, a tenth of the conversation.
    let marked = ["unread_count = case when $3::bigint >= $4"];
    buffers(database, &marked, &format!("'{CONVERSATION}', '{OTHER}', 100, 101"), 40).await;
}

/// A group of which the member has received five of 20,000 messages, and did not accept it.
const BUSY_GROUP: &str = "
    insert into messaging.conversations
        (id, opened_at, is_group, owner_id, member_count, last_seq, last_message, last_message_at)
    values ('{group}', '2026-01-01', true, '{owner}', 2, 20000, 'Words', '2026-01-02');
    insert into messaging.participants
        (conversation_id, member_id, active_at, folder, read_seq, unread_count, received_seq)
    values
        ('{group}', '{owner}', '2026-01-02', 'inbox', 20000, 0, null),
        ('{group}', '{member}', '2026-01-01', 'requests', 0, 5, 5);
    insert into messaging.messages (id, conversation_id, seq, sender_id, content, sent_at, audience)
    select
        gen_random_uuid(), '{group}', seq, '{owner}', repeat('Words of a group. ', 10),
        '2026-01-01'::timestamptz + seq * interval '1 second',
        case when seq <= 5 then array['{owner}', '{member}']::uuid[] else array['{owner}']::uuid[] end
    from generate_series(1, 20000) seq";

#[tokio::test]
async fn the_cost_of_a_request_of_a_group_does_not_depend_on_its_hidden_messages() {
    let inbox = Fixture::new().await;
    let database = inbox.harness.database();
    let (group, owner, me) = (Uuid::from_u128(7), member(2), member(1));
    let fill = [("{group}", group), ("{owner}", owner), ("{member}", me)];
    let fill = fill.iter().fold(BUSY_GROUP.to_owned(), |sql, (name, id)| sql.replace(name, &id.to_string()));
    database.run(fill).await;
    database.vacuum(&["conversations", "participants", "messages"]).await;
    let folder = [
        "and p.folder = $2\n            and p.listed\n            and (p.active_at, p.conversation_id) < ($3, $4)\n        order",
        "false\n                )\n                and p.folder",
    ];
    let page = "'2100-01-01', 'ffffffff-ffff-ffff-ffff-ffffffffffff', 21";
    buffers(database, &folder, &format!("'{me}', 'requests', {page}"), 40).await;
    let thread = ["row_number() over (order by page.seq desc)"];
    buffers(database, &thread, &format!("'{group}', '{me}', {}, 21", i64::MAX), 40).await;
}

/// Inserts 7,000 small files of a member, stored between files of other members.
const FILES: &str = "
    insert into messaging.attachments (id, member_id, kind, name, size, content, uploaded_at)
    select
        gen_random_uuid(), case n % 10 when 0 then '{member}'::uuid else gen_random_uuid() end, 'file', 'a.pdf', 5, '%PDF-',
        '2026-01-01'
    from generate_series(1, 70000) n";

#[tokio::test]
async fn an_upload_counts_the_files_of_the_member_in_an_index() {
    let inbox = Fixture::new().await;
    let database = inbox.harness.database();
    database.run(FILES.replace("{member}", &member(1).to_string())).await;
    database.vacuum(&["attachments"]).await;
    let upload = format!(
        "'{}', '{}', 'file', 'b.pdf', null, null, '%PDF-', '2026-01-03', 65536, '2026-01-02', 500000000, 100000000, '2025-06-01'",
        Uuid::from_u128(9),
        member(1)
    );
    buffers(database, &["with used as"], &upload, 150).await;
}
