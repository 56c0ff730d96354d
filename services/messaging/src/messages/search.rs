//! Search in the messages of a member's conversations: every word must occur in the text or in the name of the file, newest first.
//!
//! One index for texts and one for names intersect the member and the trigrams of one word, so the cost does not depend
//! on other members' messages. A word of fewer than three letters has no trigram, so the search reads all messages of
//! the member.

use chrono::{DateTime, Utc};
use primitives::input::{Cursor, LikePatterns, Page, PageSize};
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use uuid::Uuid;

use super::{Message, MessageRow};
use crate::{
    attachments::StoredAttachments,
    conversations::{self, GroupSummary},
    error::Error,
};

/// The search of a member.
pub struct MessageSearch {
    /// None for a blank search, which finds nothing.
    pub words: Option<LikePatterns>,
    pub size: PageSize,
    pub after: FoundCursor,
}

/// A found message with the other participant of its conversation, or its group.
#[derive(Debug)]
pub struct FoundMessage {
    pub message: Message,
    /// None in a group, and after that account is erased.
    pub other_member: Option<Uuid>,
    pub group: Option<GroupSummary>,
}

/// The position of a found message.
#[derive(Clone, Copy, Serialize, Deserialize)]
pub struct FoundCursor {
    at: DateTime<Utc>,
    id: Uuid,
}

impl Cursor for FoundCursor {}

impl FoundCursor {
    /// Before every message.
    pub const START: Self = Self { at: DateTime::<Utc>::MAX_UTC, id: Uuid::max() };
}

/// Returns a page of the found messages.
pub async fn search(db: &mut PgConnection, member: Uuid, query: &MessageSearch) -> Result<Page<FoundMessage>, Error> {
    let Some(LikePatterns { all, exact }) = &query.words else {
        return Ok(Page { rows: Vec::new(), next_page_token: String::new() });
    };
    // The index serves one word: the longest one is the rarest, as a rule.
    let longest = all.iter().max_by_key(|word| word.len()).map(String::as_str);
    let rows = sqlx::query!(
        r#"select
            m.id, m.conversation_id, m.seq, m.sender_id as "sender?", m.content, m.sent_at, m.edited_at,
            m.attachments as "attachments: StoredAttachments", p.other_member_id, c.is_group,
            coalesce(
                case when m.sender_id = p.member_id
                    then not c.is_group
                        and c.requested_by is null
                        and m.seq <= coalesce(o.read_seq, c.former_read_seq)
                        and not exists (
                            select
                            from messaging.privacy_settings s
                            where s.member_id in (p.member_id, p.other_member_id)
                                and not s.read_receipts
                        )
                    else m.seq <= p.read_seq
                end,
                false
            ) as "is_read!"
        from messaging.messages m
        join messaging.conversations c on c.id = m.conversation_id
        join messaging.participants p on p.conversation_id = m.conversation_id and p.member_id = $1
        left join messaging.participants o on o.conversation_id = m.conversation_id and o.member_id = p.other_member_id
        where m.audience @> array[$1::uuid]
            and (
                m.content ilike $2
                or (m.attachments -> 'file' is not null and m.attachments -> 'file' ->> 'name' ilike $2)
            )
            and concat_ws(chr(10), m.content, m.attachments -> 'file' ->> 'name') ilike all ($3::text[])
            and concat_ws(chr(10), m.content, m.attachments -> 'file' ->> 'name') ~* all ($7::text[])
            and (m.sent_at, m.id) < ($4, $5)
            and m.seq > p.cleared_seq
            and not coalesce(
                coalesce(p.other_member_id, m.sender_id) = any (array(
                    select blocked_id from messaging.blocks where blocker_id = $1
                    union all
                    select blocker_id from messaging.blocks where blocked_id = $1
                )),
                false
            )
        order by m.sent_at desc, m.id desc
        limit $6"#,
        member,
        longest,
        all,
        query.after.at,
        query.after.id,
        query.size.to_fetch(),
        exact,
    );
    let rows = rows.fetch_all(&mut *db).await?;
    let groups = rows.iter().filter(|row| row.is_group).map(|row| row.conversation_id).collect();
    let groups = conversations::get_groups(db, member, groups).await?;
    let found = rows.into_iter().map(|row| {
        let message = Message::from(MessageRow {
            id: row.id,
            conversation_id: row.conversation_id,
            seq: row.seq,
            sender: row.sender,
            content: row.content,
            sent_at: row.sent_at,
            is_read: row.is_read,
            edited_at: row.edited_at,
            is_deleted: false,
            reactions: None,
            reply_to: None,
            reply_sender: None,
            reply_content: None,
            system_kind: None,
            subject_ids: None,
            read_count: None,
            of_group: row.is_group,
            attachments: row.attachments,
            reply_attachments: None,
        });
        let group = groups.get(&row.conversation_id).cloned();
        FoundMessage { message, other_member: row.other_member_id, group }
    });
    let cursor = |found: &FoundMessage| FoundCursor { at: found.message.sent_at, id: found.message.id };
    Ok(Page::cut(found.collect(), query.size, cursor))
}
