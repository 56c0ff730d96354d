//! Create a group.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use super::{
    Title,
    invite::{self, Addition, Invited},
};
use crate::{
    conversations::{
        Folder,
        group::Group,
        lines::{self, NewLine, SystemKind},
    },
    error::Error,
};

/// A group to create.
pub struct NewGroup {
    pub title: Option<Title>,
    /// Other members, each once.
    pub members: Vec<Uuid>,
}

/// Creates a group with the id `id`, owned by the actor.
pub async fn create(
    db: &mut PgConnection,
    [id, line]: [Uuid; 2],
    actor: Uuid,
    new: &NewGroup,
    now: DateTime<Utc>,
) -> Result<Addition, Error> {
    let mut invited = invite::check(db, actor, &new.members).await?;
    let requests = invite::count_requests(&invited);
    invited.push(Invited { member: actor, folder: Folder::Inbox });
    sqlx::query!(
        "insert into messaging.conversations (id, opened_at, is_group, title, owner_id, member_count)
        values ($1, $2, true, $3, $4, $5)",
        id,
        now,
        new.title.as_deref(),
        actor,
        i32::try_from(invited.len()).unwrap_or(i32::MAX),
    )
    .execute(&mut *db)
    .await?;
    invite::insert(db, id, &invited, 0, now).await?;
    let line = NewLine { id: line, conversation: id, actor, kind: SystemKind::Created, subjects: &[], at: now };
    lines::insert(db, &line).await?;
    let unseen = Group { owner: Some(actor), others: Vec::new() };
    let changed = invited.into_iter().map(|invited| invited.member).collect();
    Ok(Addition { effects: lines::effects(&line, &unseen, changed), requests })
}
