//! Set the title of a group.

use outbox::UnitOfWork;
use uuid::Uuid;

use super::Title;
use crate::{
    conversations::{
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
pub async fn update(work: &mut UnitOfWork<'_>, actor: Uuid, updated: &UpdatedGroup) -> Result<(), Error> {
    let id = updated.conversation;
    state::lock(work.db, id, actor).await?;
    let state = state::read(work.db, id, actor).await?;
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
    if changed.execute(&mut *work.db).await?.rows_affected() == 0 {
        return Ok(());
    }
    let line = NewLine::of(work, id, actor, SystemKind::Renamed, &[]);
    lines::insert(work.db, &line).await?;
    let changed = [actor].into_iter().chain(group.all_others()).collect();
    lines::effects(&line, &group, changed).apply(work).await
}
