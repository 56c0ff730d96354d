//! Pages of the items that a member saved.

use primitives::input::{Page, PageSize};
use sqlx::PgConnection;
use uuid::Uuid;

use super::{ItemId, ItemKind, SavedItem};
use crate::{
    error::Error,
    sql::{Mapper, Statement},
    timeline::cursors::SavedItemsCursor,
};

/// A page of the items of a member, newest first; of one kind if `kind` is given.
pub async fn list(
    db: &mut PgConnection,
    member_id: Uuid,
    kind: Option<ItemKind>,
    size: PageSize,
    after: &SavedItemsCursor,
) -> Result<Page<SavedItem>, Error> {
    let items = newest(member_id, kind, size.to_fetch(), after).fetch_all(db).await?;
    Ok(Page::cut(items, size, |item| SavedItemsCursor {
        saved: item.saved_at.into(),
        item: ItemId(item.id.clone()),
        kind: item.kind,
    }))
}

/// The newest items before `after`. Items of other kinds are filtered: a member has at most 1,000.
pub fn newest(
    member_id: Uuid,
    kind: Option<ItemKind>,
    fetch: i64,
    after: &SavedItemsCursor,
) -> Statement<impl Mapper<SavedItem>> {
    sqlx::query_as!(
        SavedItem,
        r#"
        select kind as "kind: ItemKind", item_id as id, saved_at
        from feed.saved_items
        where member_id = $1
            and case when $2::text is null then true else kind = $2 end
            and (saved_at, item_id, kind) < ($3, $4, $5)
        order by saved_at desc, item_id desc, kind desc
        limit $6
        "#,
        member_id,
        kind.map(ItemKind::name),
        *after.saved,
        after.item.0,
        after.kind.name(),
        fetch
    )
}
