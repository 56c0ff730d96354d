//! Set the title of a group.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use super::Title;
use crate::{
    conversations::{
        effects::Effects,
        lines::{self, NewLine, SystemKind},
        state,
    },
    error::Error,
};

/// The new title of a group.
pub struct UpdatedGroup {
    pub conversation: Uuid,
    pub title: Option<Title>,
}

/// Sets or removes the title of a group of the actor.
pub async fn update(
    db: &mut PgConnection,
    line: Uuid,
    actor: Uuid,
    updated: &UpdatedGroup,
    now: DateTime<Utc>,
) -> Result<Effects, Error> {
    let id = updated.conversation;
    state::lock(db, id, actor).await?;
    let state = state::read(db, id, actor).await?;
    let group = state.group.ok_or(Error::ConversationNotFound)?;
    group.require_owner(actor)?;
    let changed = sqlx::query!(
        "update messaging.conversations
        set title = $2
        where id = $1
            and title is distinct from $2",
        id,
        updated.title.as_deref(),
    );
    if changed.execute(&mut *db).await?.rows_affected() == 0 {
        return Ok(Effects::default());
    }
    let line = NewLine { id: line, conversation: id, actor, kind: SystemKind::Renamed, subjects: &[], at: now };
    lines::insert(db, &line).await?;
    Ok(lines::effects(&line, &group, [actor].into_iter().chain(group.all_others()).collect()))
}
