//! Muted conversations are listed with their own count, but the member's totals exclude them.

use sqlx::PgConnection;
use uuid::Uuid;

use super::{effects::Effects, state};
use crate::error::Error;

/// Mutes or unmutes the conversation for the member: its unread messages leave the totals, or return to them.
pub async fn set(db: &mut PgConnection, id: Uuid, member: Uuid, muted: bool) -> Result<Effects, Error> {
    state::lock(db, id, member).await?;
    let state = state::read(db, id, member).await?;
    let mut effects = Effects::default();
    if state.own.muted == muted {
        return Ok(effects);
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
    .execute(db)
    .await?;
    let counted = |muted: bool| if muted { 0 } else { state.own.unread_count };
    effects.add_unread(member, state.own.folder, false, counted(state.own.muted), counted(muted));
    effects.add_changed(id, member);
    Ok(effects)
}
