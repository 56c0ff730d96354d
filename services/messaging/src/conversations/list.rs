//! The list of conversations of one folder, the newest message first.
//!
//! A statement reads the viewer's blocks in both directions once, not for each row.

use chrono::{DateTime, Utc};
use primitives::input::{Cursor, LikePatterns, Page, PageSize};
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use uuid::Uuid;

use super::{Conversation, ConversationRow, Folder, conversations_query, lines::SystemKind};
use crate::error::Error;

/// The number of conversations that a search of the list covers.
const MAX_PARTNERS: i64 = 1_000;

/// The position of a conversation in the list.
#[derive(Clone, Copy, Serialize, Deserialize)]
pub struct ConversationCursor {
    at: DateTime<Utc>,
    id: Uuid,
}

impl Cursor for ConversationCursor {}

impl ConversationCursor {
    /// Before every conversation.
    pub const START: Self = Self { at: DateTime::<Utc>::MAX_UTC, id: Uuid::max() };
}

/// A page of one folder of the caller's conversations.
pub struct ListConversations {
    pub size: PageSize,
    pub after: ConversationCursor,
    pub folder: Folder,
    /// Selects only the conversations with these members; empty for all.
    pub other_members: Vec<Uuid>,
    /// Also selects groups whose title contains these words or that one of these members belongs to.
    pub search: Option<LikePatterns>,
}

/// Lists a folder. A conversation without messages has the position of its opening.
pub async fn list(db: &mut PgConnection, member: Uuid, query: &ListConversations) -> Result<Page<Conversation>, Error> {
    if !query.other_members.is_empty() || query.search.is_some() {
        return list_with(db, member, query).await;
    }
    let rows = conversations_query!(
        "p.folder = $2
            and p.listed
            and (p.active_at, p.conversation_id) < ($3, $4)
        order by p.active_at desc, p.conversation_id desc
        limit $5",
        member,
        query.folder.as_str(),
        query.after.at,
        query.after.id,
        query.size.to_fetch(),
    );
    Ok(page(rows.fetch_all(db).await?, query))
}

/// Lists the conversations with the given members, and the groups that match the search or that one of the members
/// belongs to. The name of a member separated by a block finds no group. This is a separate statement, because it uses
/// another index.
async fn list_with(
    db: &mut PgConnection,
    member: Uuid,
    query: &ListConversations,
) -> Result<Page<Conversation>, Error> {
    let words = query.search.as_ref().map(|words| words.all.as_slice());
    let rows = conversations_query!(
        "(
            (p.member_id = $1 and p.other_member_id = any ($6::uuid[]))
            or (
                p.member_id = $1
                and p.other_member_id is null
                and $7::text[] is not null
                and c.is_group
                and (
                    (p.folder = 'inbox' and c.title ilike all ($7::text[]))
                    or exists (
                        select
                        from messaging.participants o
                        where o.conversation_id = c.id
                            and o.member_id = any ($6::uuid[])
                            and o.member_id <> all (array(
                                select blocked_id from messaging.blocks where blocker_id = $1
                                union all
                                select blocker_id from messaging.blocks where blocked_id = $1
                            ))
                    )
                )
            )
        )
            and p.folder = $2
            and p.listed
            and (p.active_at, p.conversation_id) < ($3, $4)
        order by p.active_at desc, p.conversation_id desc
        limit $5",
        member,
        query.folder.as_str(),
        query.after.at,
        query.after.id,
        query.size.to_fetch(),
        &query.other_members,
        words,
    );
    Ok(page(rows.fetch_all(db).await?, query))
}

fn page(rows: Vec<ConversationRow>, query: &ListConversations) -> Page<Conversation> {
    let rows = rows.into_iter().map(Conversation::from).collect();
    Page::cut(rows, query.size, |conversation| ConversationCursor { at: conversation.active_at, id: conversation.id })
}

/// Returns the other participants of the newest conversations and groups in a folder, except members that a block
/// separates. A search compares their names.
pub async fn list_partners(db: &mut PgConnection, member: Uuid, folder: Folder) -> Result<Vec<Uuid>, Error> {
    let partners = sqlx::query_scalar!(
        r#"with blocked as materialized (
            select blocked_id as member_id from messaging.blocks where blocker_id = $1
            union all
            select blocker_id from messaging.blocks where blocked_id = $1
        ),
        newest as (
            select p.conversation_id, p.other_member_id, p.active_at
            from messaging.participants p
            where p.member_id = $1
                and p.folder = $2
                and p.listed
                and not exists (select from blocked b where b.member_id = p.other_member_id)
            order by p.active_at desc, p.conversation_id desc
            limit $3
        )
        select partner as "partner!"
        from (
            select n.other_member_id as partner, n.active_at
            from newest n
            where n.other_member_id is not null
            union all
            select o.member_id, n.active_at
            from newest n
            join messaging.participants o on o.conversation_id = n.conversation_id
            where n.other_member_id is null
                and o.member_id <> $1
                and not exists (select from blocked b where b.member_id = o.member_id)
        ) partners
        group by partner
        order by max(active_at) desc, partner
        limit $3"#,
        member,
        folder.as_str(),
        MAX_PARTNERS,
    );
    Ok(partners.fetch_all(db).await?)
}
