//! Between the contract and the domain: the only place that checks what callers send.

mod answers;
mod edits;
mod posts;
mod reports;
mod saved;

use portia_proto::feed as proto;
use primitives::{
    error::Violation,
    ids,
    input::{Cursor, Form, InvalidRequest, PageSize, Text},
};
use search::SearchQuery;
use uuid::Uuid;

use crate::{
    comments::NewComment,
    cursors::{Acted, Authored, Commented, Communal, Reacted, Recent, Top},
    idempotency::Key,
    pages::Order,
    reactions::Kind,
};

pub use edits::comment_id;
pub use posts::received;
pub use saved::{Kinds, post_ids};

/// What a blank text is told.
const BLANK: &str = "Please write something before posting.";

/// A request that may carry an idempotency key.
#[derive(Debug)]
pub struct Keyed<T> {
    /// What is wanted.
    pub what: T,
    /// The caller's key.
    pub key: Option<Key>,
}

/// A request for a page.
#[derive(Debug)]
pub struct Paged<T> {
    /// Of what, after what.
    pub what: T,
    /// How many.
    pub size: PageSize,
}

/// A page of what hangs on a post.
#[derive(Debug)]
pub struct Under<C> {
    /// Which post.
    pub post_id: Uuid,
    /// Where the last page ended.
    pub after: C,
}

/// A page of what a member did.
#[derive(Debug)]
pub struct Doings {
    /// Who.
    pub member_id: Uuid,
    /// Where the last page ended.
    pub after: Acted,
}

/// A reaction somebody wants to show.
#[derive(Debug)]
pub struct NewReaction {
    /// To which post.
    pub post_id: Uuid,
    /// Which.
    pub kind: Kind,
}

impl TryFrom<proto::CreateCommentRequest> for Keyed<NewComment> {
    type Error = InvalidRequest;

    fn try_from(request: proto::CreateCommentRequest) -> Result<Self, InvalidRequest> {
        let mut form = Form::default();
        let post_id = form.take(post_id(&request.post_id));
        let content = form.take(Text::parse_or("content", &request.content, BLANK));
        let key = form.take(key(request.idempotency_key.as_deref()));
        let ((post_id, content), key) = form.finish(post_id.zip(content).zip(key))?;
        Ok(Self { what: NewComment { post_id, content }, key })
    }
}

impl TryFrom<proto::SetReactionRequest> for NewReaction {
    type Error = InvalidRequest;

    fn try_from(request: proto::SetReactionRequest) -> Result<Self, InvalidRequest> {
        let mut form = Form::default();
        let post_id = form.take(post_id(&request.post_id));
        let kind = form.take(kind(request.kind()));
        let (post_id, kind) = form.finish(post_id.zip(kind))?;
        Ok(Self { post_id, kind })
    }
}

impl TryFrom<proto::ListPostsRequest> for Paged<Order> {
    type Error = InvalidRequest;

    fn try_from(request: proto::ListPostsRequest) -> Result<Self, InvalidRequest> {
        let mut form = Form::default();
        let size = form.take(PageSize::parse(request.page_size));
        let order = form.take(order(&request));
        let (size, what) = form.finish(size.zip(order))?;
        Ok(Self { what, size })
    }
}

impl TryFrom<proto::ListReactionsRequest> for Paged<Under<Reacted>> {
    type Error = InvalidRequest;

    fn try_from(request: proto::ListReactionsRequest) -> Result<Self, InvalidRequest> {
        under(&request.post_id, request.page_size, &request.page_token, Reacted::START)
    }
}

impl TryFrom<proto::ListCommentsRequest> for Paged<Under<Commented>> {
    type Error = InvalidRequest;

    fn try_from(request: proto::ListCommentsRequest) -> Result<Self, InvalidRequest> {
        under(&request.post_id, request.page_size, &request.page_token, Commented::START)
    }
}

impl TryFrom<proto::ListActivityRequest> for Paged<Doings> {
    type Error = InvalidRequest;

    fn try_from(request: proto::ListActivityRequest) -> Result<Self, InvalidRequest> {
        let mut form = Form::default();
        let member_id = form.take(ids::parse("userId", &request.member_id));
        let size = form.take(PageSize::parse(request.page_size));
        let after = form.take(Acted::from_token(&request.page_token));
        let ((member_id, size), after) = form.finish(member_id.zip(size).zip(after))?;
        Ok(Self { what: Doings { member_id, after: after.unwrap_or(Acted::START) }, size })
    }
}

/// Which posts are looked for.
///
/// # Errors
/// Violations of `query`, `pageSize` and `pageToken`.
pub fn looked_for(request: &proto::SearchPostsRequest) -> Result<SearchQuery, InvalidRequest> {
    SearchQuery::parse(&request.query, request.page_size, &request.page_token)
}

/// The id of a post.
///
/// # Errors
/// A violation of `postId`.
pub fn post_id(raw: &str) -> Result<Uuid, Violation> {
    ids::parse("postId", raw)
}

fn optional(field: &str, raw: Option<&str>) -> Result<Option<Uuid>, Violation> {
    raw.map(|raw| ids::parse(field, raw)).transpose()
}

fn key(raw: Option<&str>) -> Result<Option<Key>, Violation> {
    raw.map(|raw| Key::parse("idempotencyKey", raw, 1, "This must not be empty.")).transpose()
}

fn kind(kind: proto::ReactionKind) -> Result<Kind, Violation> {
    match kind {
        proto::ReactionKind::Like => Ok(Kind::Like),
        proto::ReactionKind::Celebrate => Ok(Kind::Celebrate),
        proto::ReactionKind::Support => Ok(Kind::Support),
        proto::ReactionKind::Insightful => Ok(Kind::Insightful),
        proto::ReactionKind::Thanks => Ok(Kind::Thanks),
        proto::ReactionKind::Unspecified => {
            Err(Violation::new("type", "A reaction is one of like, celebrate, support, insightful and thanks."))
        }
    }
}

fn order(request: &proto::ListPostsRequest) -> Result<Order, Violation> {
    let token = &request.page_token;
    let author = optional("userId", request.author_id.as_deref())?;
    let community = optional("communityId", request.community_id.as_deref())?;
    match (request.sort(), author, community) {
        (_, Some(_), Some(_)) => Err(Violation::new("communityId", "Ask for a member's posts or for a community's.")),
        (proto::PostSort::Recent, Some(author), None) => {
            Ok(Order::By(author, Authored::from_token(token)?.unwrap_or(Authored::START)))
        }
        (_, Some(_), None) => Err(Violation::new("sort", "A member's posts come newest first only.")),
        (proto::PostSort::Recent, None, Some(community)) => {
            Ok(Order::Within(community, Communal::from_token(token)?.unwrap_or(Communal::START)))
        }
        (_, None, Some(_)) => Err(Violation::new("sort", "A community's posts come newest first only.")),
        (proto::PostSort::Relevant, None, None) => Ok(Order::Relevant(Cursor::from_token(token)?)),
        (proto::PostSort::Recent, None, None) => Ok(Order::Recent(Recent::from_token(token)?.unwrap_or(Recent::START))),
        (proto::PostSort::Top, None, None) => Ok(Order::Top(Top::from_token(token)?.unwrap_or(Top::START))),
        (proto::PostSort::Unspecified, None, None) => {
            Err(Violation::new("sort", "Posts are sorted by one of relevant, recent and top."))
        }
    }
}

fn under<C: Cursor>(post: &str, size: i32, token: &str, start: C) -> Result<Paged<Under<C>>, InvalidRequest> {
    let mut form = Form::default();
    let post_id = form.take(post_id(post));
    let size = form.take(PageSize::parse(size));
    let after = form.take(C::from_token(token));
    let ((post_id, size), after) = form.finish(post_id.zip(size).zip(after))?;
    Ok(Paged { what: Under { post_id, after: after.unwrap_or(start) }, size })
}
