//! The read models: rows that a service copies from the facts of another are copied from its tables, and the cursors
//! are set to the end of the outbox.

use anyhow::Context as _;
use sqlx::{AssertSqlSafe, PgConnection};

use super::Progress;

/// A read model, and the statement that fills it from its source.
const READ_MODELS: [(&str, &str); 12] = [
    (
        "profile.connections",
        "insert into profile.connections (lower_id, upper_id)
        select least(requester_id, recipient_id), greatest(requester_id, recipient_id)
        from social_graph.connections
        where status = 'accepted'
        order by 1, 2",
    ),
    (
        "profile.blocks",
        "insert into profile.blocks (lower_id, upper_id, blocker_id)
        select least(blocker_id, blocked_id), greatest(blocker_id, blocked_id), blocker_id
        from social_graph.blocks
        order by 1, 2",
    ),
    (
        "feed.connections",
        "insert into feed.connections (member_id, connection_id, other_id)
        select requester_id, id, recipient_id
        from social_graph.connections
        where status = 'accepted'
        union all
        select recipient_id, id, requester_id
        from social_graph.connections
        where status = 'accepted'
        order by 1, 2",
    ),
    (
        "feed.communities",
        "insert into feed.communities (id, name)
        select id, name
        from social_graph.communities",
    ),
    (
        "feed.memberships",
        "insert into feed.memberships (member_id, community_id, moderates)
        select member_id, community_id, role <> 'member'
        from social_graph.memberships
        order by 1, 2",
    ),
    (
        "feed.blocks",
        "insert into feed.blocks (blocker_id, blocked_id)
        select blocker_id, blocked_id
        from social_graph.blocks",
    ),
    (
        "feed.members",
        "insert into feed.members (member_id, school_key)
        select member_id, school_key
        from social_graph.members
        where school_key is not null",
    ),
    (
        "messaging.blocks",
        "insert into messaging.blocks (blocker_id, blocked_id)
        select blocker_id, blocked_id
        from social_graph.blocks
        order by 1, 2",
    ),
    (
        "messaging.communities",
        "insert into messaging.communities (id, name)
        select id, name
        from social_graph.communities",
    ),
    (
        "messaging.memberships",
        "insert into messaging.memberships (community_id, member_id, is_owner)
        select community_id, member_id, role = 'owner'
        from social_graph.memberships
        order by 1, 2",
    ),
    (
        "messaging.events",
        "insert into messaging.events (id, organiser_id, title, revision)
        select id, organiser_id, title, revision
        from social_graph.events",
    ),
    (
        "messaging.attendances",
        "insert into messaging.attendances (event_id, member_id)
        select event_id, member_id
        from social_graph.attendances
        order by 1, 2",
    ),
];

pub(super) async fn fill(db: &mut PgConnection, progress: Progress<'_>) -> anyhow::Result<()> {
    progress("Filling the read models ...");
    for (table, statement) in READ_MODELS {
        sqlx::raw_sql(statement).execute(&mut *db).await.with_context(|| format!("{table} could not be filled"))?;
    }
    for service in access::services() {
        for source in access::sources_of(service) {
            // Without a row, or with an old one, the service would begin with a full snapshot.
            let statement = format!(
                "insert into {}.cursors (source, seq)
                select '{source}', n
                from {}.outbox_sequence
                on conflict (source) do update
                set seq = excluded.seq",
                service.replace('-', "_"),
                source.replace('-', "_"),
            );
            sqlx::raw_sql(AssertSqlSafe(statement)).execute(&mut *db).await?;
        }
    }
    Ok(())
}
