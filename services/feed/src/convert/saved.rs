//! What is to be kept for later, kept no longer, and read again.

use portia_proto::feed as proto;
use primitives::{
    error::Violation,
    ids,
    input::{Cursor as _, Form, InvalidRequest, PageSize},
};
use uuid::Uuid;

use super::Paged;
use crate::{
    cursors::Kept,
    saved::{Kind, Thing, ThingId},
};

/// The longest page: all that anybody keeps.
const LONGEST_PAGE: u16 = 1_000;
/// Before the ids of resources that only the client knows.
const BUILT_IN: &str = "builtin-";
/// Posts asked for at once, at most.
const BATCH: usize = 100;

impl TryFrom<proto::SaveItemRequest> for Thing {
    type Error = InvalidRequest;

    fn try_from(request: proto::SaveItemRequest) -> Result<Self, InvalidRequest> {
        thing(request.kind(), &request.id)
    }
}

impl TryFrom<proto::UnsaveItemRequest> for Thing {
    type Error = InvalidRequest;

    fn try_from(request: proto::UnsaveItemRequest) -> Result<Self, InvalidRequest> {
        thing(request.kind(), &request.id)
    }
}

/// A page of what a member keeps.
#[derive(Debug)]
pub struct Kinds {
    /// Of which kind; of any when `None`.
    pub kind: Option<Kind>,
    /// Where the last page ended.
    pub after: Kept,
}

impl TryFrom<proto::ListSavedItemsRequest> for Paged<Kinds> {
    type Error = InvalidRequest;

    fn try_from(request: proto::ListSavedItemsRequest) -> Result<Self, InvalidRequest> {
        let mut form = Form::default();
        let size = form.take(PageSize::parse_up_to(request.page_size, LONGEST_PAGE));
        let after = form.take(Kept::from_token(&request.page_token));
        let kind = form.take(if request.kind == 0 { Ok(None) } else { kind(request.kind()).map(Some) });
        let ((size, after), kind) = form.finish(size.zip(after).zip(kind))?;
        Ok(Self { what: Kinds { kind, after: after.unwrap_or(Kept::START) }, size })
    }
}

/// Which posts.
///
/// # Errors
/// A violation of `postIds`.
pub fn post_ids(request: &proto::BatchGetPostsRequest) -> Result<Vec<Uuid>, Violation> {
    ids::parse_all("postIds", &request.post_ids, BATCH)
}

fn thing(kind: proto::SavedKind, raw: &str) -> Result<Thing, InvalidRequest> {
    let mut form = Form::default();
    let kind = form.take(self::kind(kind));
    let thing = form.take(match kind {
        Some(Kind::Post) => ids::parse("id", raw).map(Thing::Post),
        Some(Kind::Resource) if raw.starts_with(BUILT_IN) => ThingId::try_from(raw.to_owned())
            .map(|id| Thing::Other(Kind::Resource, id))
            .map_err(|_| Violation::new("id", "This is not a valid id.")),
        kind => ids::parse("id", raw).map(|id| Thing::Other(kind.unwrap_or(Kind::Post), id.into())),
    });
    form.finish(kind.and(thing))
}

fn kind(kind: proto::SavedKind) -> Result<Kind, Violation> {
    match kind {
        proto::SavedKind::Post => Ok(Kind::Post),
        proto::SavedKind::Job => Ok(Kind::Job),
        proto::SavedKind::Article => Ok(Kind::Article),
        proto::SavedKind::Resource => Ok(Kind::Resource),
        proto::SavedKind::Event => Ok(Kind::Event),
        proto::SavedKind::Unspecified => {
            Err(Violation::new("kind", "What is kept is one of post, job, article, resource and event."))
        }
    }
}
