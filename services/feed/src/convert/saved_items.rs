//! Saved items, and the posts among them.

use portia_proto::feed as pb;
use primitives::{
    error::Violation,
    ids,
    input::{Cursor as _, Form, InvalidRequest, PageSize},
};
use uuid::Uuid;

use super::PageRequest;
use crate::saved_items::{ItemId, ItemKind, SavedItemRef, list::SavedItemsCursor};

/// The maximum page size: all items of a member.
const MAX_PAGE: u16 = 1_000;
/// The prefix of the ids of resources that only the client knows.
const BUILT_IN: &str = "builtin-";
/// The maximum number of posts in one request.
const MAX_BATCH: usize = 100;

impl TryFrom<pb::SaveItemRequest> for SavedItemRef {
    type Error = InvalidRequest;

    fn try_from(request: pb::SaveItemRequest) -> Result<Self, InvalidRequest> {
        item_ref(request.kind(), &request.id)
    }
}

impl TryFrom<pb::UnsaveItemRequest> for SavedItemRef {
    type Error = InvalidRequest;

    fn try_from(request: pb::UnsaveItemRequest) -> Result<Self, InvalidRequest> {
        item_ref(request.kind(), &request.id)
    }
}

/// The saved items of a member.
pub struct SavedItemsQuery {
    /// `None` for items of every kind.
    pub kind: Option<ItemKind>,
    pub after: SavedItemsCursor,
}

impl TryFrom<pb::ListSavedItemsRequest> for PageRequest<SavedItemsQuery> {
    type Error = InvalidRequest;

    fn try_from(request: pb::ListSavedItemsRequest) -> Result<Self, InvalidRequest> {
        let mut form = Form::default();
        let size = form.take(PageSize::parse_up_to(request.page_size, MAX_PAGE));
        let after = form.take(SavedItemsCursor::from_token(&request.page_token));
        let kind = form.take(if request.kind == 0 { Ok(None) } else { item_kind(request.kind()).map(Some) });
        let ((size, after), kind) = form.finish(size.zip(after).zip(kind))?;
        Ok(Self { query: SavedItemsQuery { kind, after: after.unwrap_or(SavedItemsCursor::START) }, size })
    }
}

pub fn parse_post_ids(post_ids: &[String]) -> Result<Vec<Uuid>, Violation> {
    ids::parse_all("postIds", post_ids, MAX_BATCH)
}

fn item_ref(kind: pb::SavedKind, raw: &str) -> Result<SavedItemRef, InvalidRequest> {
    let mut form = Form::default();
    let kind = form.take(item_kind(kind));
    let item = form.take(match kind {
        Some(ItemKind::Post) => ids::parse("id", raw).map(SavedItemRef::Post),
        Some(ItemKind::Resource) if raw.starts_with(BUILT_IN) => ItemId::try_from(raw.to_owned())
            .map(|id| SavedItemRef::Other(ItemKind::Resource, id))
            .map_err(|_| Violation::new("id", "This is not a valid id.")),
        kind => ids::parse("id", raw).map(|id| SavedItemRef::Other(kind.unwrap_or(ItemKind::Post), id.into())),
    });
    form.finish(kind.and(item))
}

fn item_kind(kind: pb::SavedKind) -> Result<ItemKind, Violation> {
    match kind {
        pb::SavedKind::Post => Ok(ItemKind::Post),
        pb::SavedKind::Job => Ok(ItemKind::Job),
        pb::SavedKind::Article => Ok(ItemKind::Article),
        pb::SavedKind::Resource => Ok(ItemKind::Resource),
        pb::SavedKind::Event => Ok(ItemKind::Event),
        pb::SavedKind::Unspecified => {
            Err(Violation::new("kind", "What is kept is one of post, job, article, resource and event."))
        }
    }
}
