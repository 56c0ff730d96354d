//! The export of a member's data: its sections and their queries.

mod attachments;

use data_export::{ExportError, ExportSource};
use portia_proto::messaging::ExportMemberResponse;
use sqlx::PgConnection;
use uuid::Uuid;

use crate::attachments::StoredAttachments;

pub type Exporter = data_export::Exporter<MemberData>;
pub type RecordStream = data_export::RecordStream<ExportMemberResponse>;
type Writer = data_export::RecordWriter<ExportMemberResponse>;

/// The data of a member in this schema.
pub struct MemberData;

impl ExportSource for MemberData {
    type Record = ExportMemberResponse;

    fn record(section: String, json: String) -> ExportMemberResponse {
        ExportMemberResponse { section, json, part: None }
    }

    async fn write(&self, db: &mut PgConnection, member: Uuid, to: &Writer) -> Result<(), ExportError> {
        conversations(db, member, to).await?;
        notifications(db, member, to).await?;
        attachments::write(db, member, to).await
    }
}

async fn conversations(db: &mut PgConnection, member: Uuid, to: &Writer) -> Result<(), ExportError> {
    data_export::sections!(to, db, member;
        // `other_member_id` is null after that account is erased, `group_member_ids` are the other members of a group.
        "conversations" [
            id, other_member_id, opened_at, folder, last_message_at, unread_count, muted, is_group, group_title,
            group_member_ids, owned_by_me,
        ]
        r#"select
            c.id, c.opened_at, c.last_message_at, p.folder, p.unread_count, p.muted, p.other_member_id, c.is_group,
            case when p.folder = 'inbox' then c.title end as group_title, coalesce(c.owner_id = p.member_id, false) as "owned_by_me!",
            array(
                select o.member_id
                from messaging.participants o
                where c.is_group
                    and o.conversation_id = c.id
                    and o.member_id <> p.member_id
                order by o.joined_seq, o.member_id
            ) as "group_member_ids!"
        from messaging.participants p
        join messaging.conversations c on c.id = p.conversation_id
        where p.member_id = $1
        order by p.active_at, c.id"#;

        // The groups that the member left.
        "group-departures" [conversation_id, left_at]
        "select conversation_id, left_at
        from messaging.group_departures
        where member_id = $1
        order by left_at, conversation_id";

        // The messages in the conversations of the member. In cleared conversations and former groups, only the member's own
        // messages, which the other participants still have. `content` is empty for a deleted message and for one of attachments
        // only, `attachments` describes the pictures or the file, `system_kind` is the change of a group that the message states.
        "messages" [
            id, conversation_id, sender_is_me, content, attachments, sent_at, edited_at, deleted_at, reply_to_id,
            system_kind,
        ]
        r#"select
            m.id as "id!", m.conversation_id as "conversation_id!", m.content as "content!", m.sent_at as "sent_at!",
            m.edited_at, m.deleted_at, m.reply_to_id, m.system_kind, m.is_own as "sender_is_me!",
            m.attachments as "attachments: StoredAttachments"
        from (
            select w.*, w.sender_id is not distinct from p.member_id as is_own, p.active_at
            from messaging.participants p
            join messaging.conversations c on c.id = p.conversation_id
            join messaging.messages w on w.conversation_id = p.conversation_id
            where p.member_id = $1
                and (w.seq > p.cleared_seq or w.sender_id = p.member_id)
                and not (
                    c.is_group
                    and exists (
                        select
                        from messaging.blocks b
                        where (b.blocker_id = $1 and b.blocked_id = w.sender_id)
                            or (b.blocker_id = w.sender_id and b.blocked_id = $1)
                    )
                )
                and ($1 = any (w.audience) or (w.sender_id is not null and p.folder = 'inbox'))
            union all
            select w.*, true, null
            from messaging.messages w
            where w.sender_id = $1
                and not exists (
                    select
                    from messaging.participants p
                    where p.conversation_id = w.conversation_id
                        and p.member_id = $1
                )
        ) m
        order by m.active_at nulls last, m.conversation_id, m.seq"#;

        "message-reactions" [message_id, kind, reacted_at]
        "select message_id, kind, reacted_at
        from messaging.message_reactions
        where member_id = $1
        order by reacted_at, message_id, kind";
    );
    Ok(())
}

async fn notifications(db: &mut PgConnection, member: Uuid, to: &Writer) -> Result<(), ExportError> {
    data_export::sections!(to, db, member;
        // With the actors. `detail` is the skill or the name of the subject, `due_at` or `due_date` the deadline of a reminder,
        // `community_id` the community of a removal; a security notice names the browser, the network, the time and the passkeys.
        "notifications" [
            id, kind, subject_id, detail, active_at, read_at, due_at, due_date, user_agent, address, happened_at,
            passkeys, community_id, caused_by,
        ]
        r#"select
            n.id, n.kind, n.subject_id, nullif(n.detail, '') as detail, n.active_at, n.read_at, n.due_at,
            n.due_date, n.user_agent, n.address, n.happened_at, n.passkeys, n.community_id,
            array(
                select actor_id
                from messaging.notification_causes
                where notification_id = n.id
                group by actor_id
                order by min(at)
            ) as "caused_by!"
        from messaging.notifications n
        where n.member_id = $1
        order by n.active_at, n.id"#;

        "notification-switches" [kind, on]
        r#"select kind, is_on as "on"
        from messaging.notification_switches
        where member_id = $1
        order by kind"#;

        // Without the endpoint and the keys of the browser.
        "push-subscriptions" [browser, language, topics, created_at, last_success_at]
        "select browser, language, topics, created_at, last_success_at
        from messaging.push_subscriptions
        where member_id = $1
        order by created_at, id";
    );
    Ok(())
}
