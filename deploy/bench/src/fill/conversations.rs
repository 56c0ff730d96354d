//! messaging: conversations and messages, generated in the database from the ids of the conversations.

use anyhow::Context as _;
use sqlx::{AssertSqlSafe, PgConnection};

use super::Progress;
use crate::world::World;

/// Connected members have a conversation with the id of the connection. The member with the most connections also has
/// one with every second member, as after many ended connections.
const PAIRS: &str = "
    create temporary table pairs as
    select id, least(requester_id, recipient_id) as lower_id, greatest(requester_id, recipient_id) as upper_id
    from social_graph.connections
    where status = 'accepted';

    insert into pairs
    select overlay(m.id::text placing left(md5(m.id::text), 3) from 16 for 3)::uuid, least(m.id, {hub}), greatest(m.id, {hub})
    from profile.members m
    where m.id <> {hub}
        and not exists (
            select
            from pairs p
            where p.lower_id = least(m.id, {hub})
                and p.upper_id = greatest(m.id, {hub})
        )
        and not exists (
            select
            from social_graph.blocks b
            where (b.blocker_id = m.id and b.blocked_id = {hub})
                or (b.blocker_id = {hub} and b.blocked_id = m.id)
        )
    order by m.id
    limit {strangers};

    -- One to seven messages each; the first conversation of the hub has a page of them for every day of many years.
    create temporary table generated as
    select
        id, lower_id, upper_id, drawn,
        case when is_longest then {longest} else 1 + drawn % 7 end as messages,
        case when is_longest then {now} else {now} - drawn % 31536000 * interval '1 second' end as ended_at
    from (
        select
            p.*, ('x' || left(md5(p.id::text), 7))::bit(28)::integer as drawn,
            {hub} in (lower_id, upper_id)
                and row_number() over (partition by {hub} in (lower_id, upper_id) order by id) = 1 as is_longest
        from pairs p
    ) drawn;
    analyze generated";

const TABLES: [(&str, &str); 4] = [
    (
        "messaging.conversations",
        "insert into messaging.conversations
            (id, lower_member_id, upper_member_id, opened_at, last_seq, last_message, last_message_at)
        select id, lower_id, upper_id, ended_at - messages * interval '5 minutes', messages, {words}, ended_at
        from generated, lateral (select messages as seq) as last
        order by id",
    ),
    (
        "messaging.messages",
        "insert into messaging.messages (id, conversation_id, seq, sender_id, content, sent_at, audience)
        select
            (
                lpad(to_hex((extract(epoch from sent_at) * 1000)::bigint), 12, '0')
                || '7' || lpad(to_hex(seq % 4096), 3, '0')
                -- The conversation's bucket is in its last digits.
                || '8' || left(md5(id::text || seq), 12) || right(id::text, 3)
            )::uuid,
            id, seq, case when (messages - seq + drawn) % 2 = 0 then lower_id else upper_id end, {words}, sent_at,
            array[lower_id, upper_id]
        from generated
        cross join lateral generate_series(1, messages) as seq
        cross join lateral (select ended_at - (messages - seq) * interval '5 minutes' as sent_at) as sent
        order by id, seq",
    ),
    (
        // The newest message of every fifth conversation is unread.
        "messaging.participants",
        "insert into messaging.participants
            (conversation_id, member_id, other_member_id, active_at, read_seq, unread_count)
        select id, member_id, other_id, ended_at, messages - unread, unread
        from generated
        cross join lateral (
            values (lower_id, upper_id, drawn % 2 = 0), (upper_id, lower_id, drawn % 2 = 1)
        ) as side (member_id, other_id, spoke_last)
        cross join lateral (select (not spoke_last and drawn % 5 = 0)::integer as unread) as waiting
        order by id, member_id",
    ),
    (
        "messaging.unread_counts",
        "insert into messaging.unread_counts (member_id, messages)
        select member_id, sum(unread_count)
        from messaging.participants
        group by member_id
        having sum(unread_count) > 0
        order by member_id",
    ),
];

/// Texts of messages: one of these and a number.
const WORDS: &str = "(array[
        'Did you get the outline I sent before the seminar?', 'See you at the moot court tryouts on Friday.',
        'The clinic has one place left. Interested?', 'I cited the wrong paragraph; the holding stands.',
        'Could you read my note before I hand it in? It is about the standing of associations, eleven pages.',
        'Thank you! That helped more than the whole casebook.', 'Coffee after evidence?',
        'My supervisor asks whether you would speak to the first years.', 'Good luck with the interview tomorrow!'
    ])[1 + (drawn + seq) % 9] || ' (' || seq || ')'";

pub(super) async fn fill(db: &mut PgConnection, world: &World, progress: Progress<'_>) -> anyhow::Result<()> {
    progress("Writing messages ...");
    let hub = world.relationships.degrees.iter().max().map(|most| world.with_degree(*most, 1)).unwrap_or_default();
    let hub = *hub.first().context("the world has no connections")?;
    let strangers = (world.size.members / 2).saturating_sub(world.relationships.degrees[hub]);
    let made = |sql: &str| {
        let sql = sql
            .replace("{hub}", &format!("'{}'::uuid", world.members[hub].id))
            .replace("{now}", &format!("'{}'::timestamptz", world.now.to_rfc3339()))
            .replace("{strangers}", &strangers.to_string())
            .replace("{longest}", &(world.size.posts / 10).to_string())
            .replace("{words}", WORDS);
        AssertSqlSafe(sql)
    };
    sqlx::raw_sql(made(PAIRS)).execute(&mut *db).await.context("conversations cannot be created")?;
    for (table, statement) in TABLES {
        sqlx::raw_sql(made(statement))
            .execute(&mut *db)
            .await
            .with_context(|| format!("{table} could not be filled"))?;
    }
    sqlx::raw_sql("drop table generated, pairs").execute(db).await?;
    Ok(())
}
