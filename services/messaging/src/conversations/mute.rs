//! Muted conversations are listed with their own count, but the member's totals exclude them.

use outbox::UnitOfWork;
use uuid::Uuid;

use super::{effects::Effects, state};
use crate::error::Error;

/// Mutes or unmutes the conversation for the member: its unread messages leave the totals, or return to them.
pub async fn set(work: &mut UnitOfWork<'_>, id: Uuid, member: Uuid, muted: bool) -> Result<(), Error> {
    state::lock(work.db, id, member).await?;
    let state = state::read(work.db, id, member).await?;
    if state.own.muted == muted {
        return Ok(());
    }
    sqlx::query!(
        "update messaging.participants
        set muted = $3
        where conversation_id = $1
            and member_id = $2",
        id,
        member,
        muted,
    )
    .execute(&mut *work.db)
    .await?;
    let counted = |muted: bool| if muted { 0 } else { state.own.unread_count };
    let mut effects = Effects::default();
    effects.add_unread(member, state.own.folder, false, counted(state.own.muted), counted(muted));
    effects.add_changed(id, member);
    effects.apply(work).await
}
