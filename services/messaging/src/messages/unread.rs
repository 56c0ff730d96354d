//! Subtracts deleted messages from the unread counts.

use std::collections::BTreeMap;

use sqlx::PgConnection;
use uuid::Uuid;

use crate::{
    conversations::{Folder, effects::Effects},
    error::Error,
};

/// Subtracts deleted messages from the unread counts of participants who saw but had not read them. The caller holds
/// the locks of the conversations, and has not removed the sender.
pub async fn subtract_deleted(db: &mut PgConnection, deleted: &[Uuid], effects: &mut Effects) -> Result<(), Error> {
    let subtracted = sqlx::query!(
        r#"update messaging.participants p
        set unread_count = counted.after
        from (
            select
                s.conversation_id, s.member_id, s.unread_count as before,
                greatest(0, s.unread_count - count(*)::integer) as after
            from messaging.messages m
            join messaging.participants s on s.conversation_id = m.conversation_id
            where m.id = any ($1)
                and m.seq > greatest(s.read_seq, s.cleared_seq)
                and m.sender_id is distinct from s.member_id
                and (s.member_id = any (m.audience) or (m.sender_id is not null and s.folder = 'inbox'))
                and not exists (
                    select
                    from messaging.blocks b
                    where (b.blocker_id = s.member_id and b.blocked_id = m.sender_id)
                        or (b.blocker_id = m.sender_id and b.blocked_id = s.member_id)
                )
            group by s.conversation_id, s.member_id
        ) counted
        where p.conversation_id = counted.conversation_id
            and p.member_id = counted.member_id
            and p.unread_count > 0
        returning
            p.conversation_id, p.member_id, p.folder as "folder: Folder", p.muted, counted.before as "before!",
            p.unread_count as after"#,
        deleted,
    );
    let mut members: BTreeMap<Uuid, Vec<Uuid>> = BTreeMap::new();
    for row in subtracted.fetch_all(db).await? {
        effects.add_unread(row.member_id, row.folder, row.muted, row.before, row.after);
        members.entry(row.conversation_id).or_default().push(row.member_id);
    }
    for (conversation, members) in members {
        if let [member] = members[..] {
            effects.add_changed(conversation, member);
        } else {
            effects.add_group_changed(conversation, members);
        }
    }
    Ok(())
}
