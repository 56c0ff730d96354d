//! Adds members to a group, and checks which members the owner may add.

use chrono::{DateTime, Utc};
use outbox::UnitOfWork;
use sqlx::PgConnection;
use uuid::Uuid;

use super::{MAX_MEMBERS, departures};
use crate::{
    conversations::{
        Folder, allowance,
        effects::Effects,
        lines::{self, NewLine, SystemKind},
        locks, state,
    },
    error::Error,
};

/// A member who may be added, with the folder of the group.
pub struct Invited {
    pub member: Uuid,
    pub folder: Folder,
}

/// The result of an addition.
pub struct Addition {
    pub effects: Effects,
    /// The number of new members for which the group is a request.
    pub requests: usize,
}

impl Addition {
    /// Counts the requests of the actor, and applies the effects.
    pub async fn apply(self, work: &mut UnitOfWork<'_>, scale: u32, actor: Uuid) -> Result<(), Error> {
        allowance::count_requests(work, actor, self.requests, scale).await?;
        self.effects.apply(work).await
    }
}

/// Counts the members for which the group is a request, because they did not accept a conversation with the actor.
pub fn count_requests(invited: &[Invited]) -> usize {
    invited.iter().filter(|invited| invited.folder == Folder::Requests).count()
}

/// Locks the members against erasures and blocks with the actor, and checks them: each must have an open account,
/// accept messages of the actor, and not be separated from the actor by a block. Takes the locks before any row.
pub async fn check(db: &mut PgConnection, actor: Uuid, members: &[Uuid]) -> Result<Vec<Invited>, Error> {
    locks::lock_pairs(db, actor, members).await?;
    locks::lock_members(db, members).await?;
    let rows = sqlx::query!(
        r#"select
            m.id as "id!",
            c.id is not null as "accepted!",
            exists (
                select
                from messaging.blocks b
                where (b.blocker_id = $1 and b.blocked_id = m.id)
                    or (b.blocker_id = m.id and b.blocked_id = $1)
            ) or exists (select from messaging.closed_members g where g.member_id = m.id) as "missing!",
            coalesce(
                case s.message_audience
                    when 'connections' then c.id is null
                    when 'replies_only' then not exists (
                        select
                        from messaging.messages w
                        where w.conversation_id = c.id
                            and w.sender_id = m.id
                    )
                end,
                false
            ) as "refused!"
        from unnest($2::uuid[]) as m (id)
        left join messaging.conversations c
            on c.lower_member_id = least($1::uuid, m.id)
            and c.upper_member_id = greatest($1::uuid, m.id)
            and c.requested_by is null
        left join messaging.privacy_settings s on s.member_id = m.id"#,
        actor,
        members,
    );
    let rows = rows.fetch_all(db).await?;
    if rows.iter().any(|row| row.missing) {
        return Err(Error::MemberNotFound);
    }
    if rows.iter().any(|row| row.refused) {
        return Err(Error::GroupRefused);
    }
    let folder = |accepted| if accepted { Folder::Inbox } else { Folder::Requests };
    Ok(rows.into_iter().map(|row| Invited { member: row.id, folder: folder(row.accepted) }).collect())
}

/// Inserts participants who see the messages after `joined_seq`. Members of the group stay as they are. The caller holds the
/// lock of the conversation.
pub async fn insert(
    db: &mut PgConnection,
    id: Uuid,
    invited: &[Invited],
    joined_seq: i64,
    at: DateTime<Utc>,
) -> Result<(), Error> {
    let members: Vec<Uuid> = invited.iter().map(|invited| invited.member).collect();
    let folders: Vec<String> = invited.iter().map(|invited| invited.folder.as_str().to_owned()).collect();
    sqlx::query!(
        "insert into messaging.participants
            (conversation_id, member_id, active_at, folder, read_seq, cleared_seq, joined_seq)
        select $1, m.id, $4, m.folder, $5, $5, $5
        from unnest($2::uuid[], $3::text[]) as m (id, folder)
        order by m.id
        on conflict (conversation_id, member_id) do nothing",
        id,
        &members,
        &folders,
        at,
        joined_seq,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Adds members to a group of the actor; existing members stay. A member who left cannot be added again, because
/// leaving must end the messages of a group for good.
pub async fn add(work: &mut UnitOfWork<'_>, scale: u32, actor: Uuid, id: Uuid, members: &[Uuid]) -> Result<(), Error> {
    let invited = check(work.db, actor, members).await;
    state::lock(work.db, id, actor).await?;
    let state = state::read(work.db, id, actor).await?;
    work.now = state.time_after(work.now);
    let group = state.group.ok_or(Error::ConversationNotFound)?;
    group.require_owner(actor)?;
    let is_new = |member: &Uuid| !group.others.iter().any(|other| other.member == *member);
    if !members.iter().any(is_new) {
        return Ok(());
    }
    let mut invited = invited?;
    invited.retain(|invited| is_new(&invited.member));
    let subjects: Vec<Uuid> = invited.iter().map(|invited| invited.member).collect();
    if departures::exist(work.db, id, &subjects).await? {
        return Err(Error::LeftGroup);
    }
    if 1 + group.others.len() + invited.len() > MAX_MEMBERS {
        return Err(Error::GroupFull);
    }
    insert(work.db, id, &invited, state.last_seq, work.now).await?;
    sqlx::query!(
        "update messaging.conversations
        set member_count = (select count(*) from messaging.participants where conversation_id = $1)
        where id = $1",
        id,
    )
    .execute(&mut *work.db)
    .await?;
    let line = NewLine::of(work, id, actor, SystemKind::Added, &subjects);
    lines::insert(work.db, &line).await?;
    let changed = [actor].into_iter().chain(group.all_others()).chain(subjects.iter().copied()).collect();
    let addition = Addition { effects: lines::effects(&line, &group, changed), requests: count_requests(&invited) };
    addition.apply(work, scale, actor).await
}
