//! Pages of the items that a member saved.

use primitives::input::{Cursor, Page, PageSize};
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use uuid::Uuid;

use super::{ItemId, ItemKind, SavedItem};
use crate::{
    cursors::Timestamp,
    error::Error,
    sql::{Mapper, Statement},
};

/// The saved items of a member, newest first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SavedItemsCursor {
    /// The time of the last row.
    pub saved: Timestamp,
    /// Its id.
    pub item: ItemId,
    /// Its kind, for rows of the same time and id.
    pub kind: ItemKind,
}

impl Cursor for SavedItemsCursor {}

impl SavedItemsCursor {
    /// Before the first row.
    pub const START: Self = Self { saved: Timestamp::END, item: ItemId::FIRST, kind: ItemKind::Post };
}

/// Lists the saved items of a member, newest first; of one kind if `kind` is given.
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

/// Selects the newest items before `after`. Filters out other kinds without an index, because a member has at most
/// 1,000 items.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cursors::RecentCursor;

    const AT: i64 = 1_790_000_000_123_456;

    #[test]
    fn invalid_item_ids_in_tokens_are_refused() {
        let saved = Timestamp::try_from(AT).unwrap();
        let cursor = SavedItemsCursor { saved, item: Uuid::from_u128(7).into(), kind: ItemKind::Event };
        assert_eq!(SavedItemsCursor::from_token(&cursor.to_token()), Ok(Some(cursor)));
        for item in ["", "\0", "a b", "'", &"a".repeat(65)] {
            let token = serde_json::json!({ "saved": AT, "item": item, "kind": "job" });
            assert!(serde_json::from_value::<SavedItemsCursor>(token).is_err(), "{item:?}");
        }
        assert!(SavedItemsCursor::from_token(&RecentCursor { at: saved, id: Uuid::nil() }.to_token()).is_err());
    }
}
