//! The effects of a block between two members of the same groups: each no longer sees the messages of the other.

use sqlx::PgConnection;
use uuid::Uuid;

use crate::{
    conversations::{Folder, effects::Effects},
    error::Error,
};

/// Recounts the unread messages of the two members in their shared groups after a block between them was inserted or
/// deleted. The caller holds the locks of the groups. A group that a member cleared is listed again with the messages
/// that reappear.
pub async fn recount(
    db: &mut PgConnection,
    groups: &[Uuid],
    members: [Uuid; 2],
    effects: &mut Effects,
) -> Result<(), Error> {
    if groups.is_empty() {
        return Ok(());
    }
    let counted = sqlx::query!(
        r#"update messaging.participants p
        set
            unread_count = counted.after,
            listed = p.listed or counted.after > 0
        from (
            select
                s.conversation_id, s.member_id, s.unread_count as before,
                (
                    select count(*)::integer
                    from messaging.messages m
                    where m.conversation_id = s.conversation_id
                        and m.seq > greatest(s.read_seq, s.cleared_seq)
                        and m.seq <= coalesce(case s.folder when 'requests' then s.received_seq end, 9223372036854775807)
                        and m.sender_id is distinct from s.member_id
                        and m.system_kind is null
                        and m.deleted_at is null
                        and (s.member_id = any (m.audience) or (m.sender_id is not null and s.folder = 'inbox'))
                        and not exists (
                            select
                            from messaging.blocks b
                            where (b.blocker_id = s.member_id and b.blocked_id = m.sender_id)
                                or (b.blocker_id = m.sender_id and b.blocked_id = s.member_id)
                        )
                ) as after
            from messaging.participants s
            where s.conversation_id = any ($1)
                and s.member_id = any ($2)
        ) counted
        where p.conversation_id = counted.conversation_id
            and p.member_id = counted.member_id
        returning
            p.conversation_id, p.member_id, p.folder as "folder: Folder", p.listed, p.muted, counted.before,
            p.unread_count as after"#,
        groups,
        &members[..],
    );
    for row in counted.fetch_all(db).await? {
        effects.add_unread(row.member_id, row.folder, row.muted, row.before, row.after);
        if row.listed {
            effects.add_changed(row.conversation_id, row.member_id);
        }
    }
    Ok(())
}
