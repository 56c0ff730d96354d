//! Saves and removes items. A constraint on the counter limits the items of a member.

use outbox::UnitOfWork;
use sqlx::PgConnection;
use uuid::Uuid;

use super::{SavedItem, SavedItemRef};
use crate::{error::Error, visibility::get_visible};

/// Saves an item, unless the member saved it before. A post must be visible to the member.
pub async fn save(work: &mut UnitOfWork<'_>, member_id: Uuid, item: &SavedItemRef) -> Result<SavedItem, Error> {
    if let SavedItemRef::Post(id) = item {
        get_visible(work.db, member_id, *id).await?;
    }
    let (kind, id) = (item.kind(), item.id());
    sqlx::query!(
        "with inserted as (
            insert into feed.saved_items (member_id, kind, item_id, saved_at)
            values ($1, $2, $3, $4)
            on conflict (member_id, kind, item_id) do nothing
            returning member_id
        )
        insert into feed.savers as s (member_id, items)
        select member_id, 1
        from inserted
        on conflict (member_id) do update
        set items = s.items + 1",
        member_id,
        kind.name(),
        id,
        work.now
    )
    .execute(&mut *work.db)
    .await?;
    let saved_at = sqlx::query_scalar!(
        "select saved_at
        from feed.saved_items
        where member_id = $1
            and kind = $2
            and item_id = $3",
        member_id,
        kind.name(),
        id
    );
    // A concurrent request may have removed an earlier row in between.
    let saved_at = saved_at.fetch_optional(&mut *work.db).await?.unwrap_or(work.now);
    Ok(SavedItem { kind, id, saved_at })
}

/// Removes an item from the list, if it is there.
pub async fn unsave(db: &mut PgConnection, member_id: Uuid, item: &SavedItemRef) -> Result<(), Error> {
    sqlx::query!(
        "with deleted as (
            delete from feed.saved_items
            where member_id = $1
                and kind = $2
                and item_id = $3
            returning member_id
        )
        update feed.savers s
        set items = s.items - 1
        from deleted
        where s.member_id = deleted.member_id",
        member_id,
        item.kind().name(),
        item.id()
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Deletes all rows of an erased member.
pub async fn erase(db: &mut PgConnection, member_id: Uuid) -> Result<(), sqlx::Error> {
    sqlx::query!("delete from feed.saved_items where member_id = $1", member_id).execute(&mut *db).await?;
    sqlx::query!("delete from feed.savers where member_id = $1", member_id).execute(db).await?;
    Ok(())
}
