//! What happens to a member's rows when the account is gone for good.

use sqlx::PgConnection;
use uuid::Uuid;

use crate::{closing, conversations::erasure, notifications::Bell, unread};

/// What the member said stays for the other side, from nobody. What the member was told goes, and what others were told
/// about the member. Doing it twice does nothing more.
pub async fn member(db: &mut PgConnection, bell: &Bell, member: Uuid) -> Result<(), sqlx::Error> {
    bell.hold_those_told_of(db, member).await?;
    erasure::member(db, member).await?;
    bell.forget(db, member).await?;
    closing::forget(db, member).await?;
    unread::forget(db, member).await
}
