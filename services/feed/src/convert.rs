//! Conversion of requests to domain types: the only place that validates the shape of input.

mod comments;
mod community_removals;
mod feed_control;
mod media;
mod moderation;
mod posts;
mod reports;
mod responses;
mod saved_items;
mod topics;

use idempotency::RequestKey;
use portia_proto::{feed as pb, mentions::tokens};
use primitives::{
    error::Violation,
    ids,
    input::{Cursor, Form, InvalidRequest, PageSize, Text},
};
use search::SearchQuery;
use uuid::Uuid;

use crate::{
    cursors::{
        ActivityCursor, AuthorCursor, CommentsCursor, CommunitiesCursor, CommunityCursor, FollowingCursor,
        ReactionsCursor, RecentCursor, SchoolCursor, TopCursor,
    },
    mentions::{self, MAX_MENTIONS},
    reactions::ReactionKind,
    timeline::PostOrder,
};

pub use comments::{CommentChildren, NewCommentReaction, parse_comment_id};
pub use community_removals::ContentDeletion;
pub use feed_control::{parse_mute, parse_mute_id};
pub use media::{parse_pdf_upload, parse_picture, parse_upload};
pub use moderation::{parse_appeal, parse_case_id, parse_page};
pub use saved_items::{SavedItemsQuery, parse_post_ids};
pub use topics::{TopicQuery, parse_topic};

/// The violation of a blank text.
const BLANK: &str = "Please write something before posting.";

/// A request with an optional idempotency key.
pub struct IdempotentRequest<T> {
    pub body: T,
    pub key: Option<RequestKey>,
}

/// A request for a page.
pub struct PageRequest<T> {
    pub query: T,
    pub size: PageSize,
}

/// The reactions or comments on a post.
pub struct PostChildren<C> {
    pub post_id: Uuid,
    pub after: C,
}

/// The activity of a member.
pub struct ActivityQuery {
    pub member_id: Uuid,
    pub after: ActivityCursor,
}

/// A reaction that a member sets.
pub struct NewReaction {
    pub post_id: Uuid,
    pub kind: ReactionKind,
}

impl TryFrom<pb::SetReactionRequest> for NewReaction {
    type Error = InvalidRequest;

    fn try_from(request: pb::SetReactionRequest) -> Result<Self, InvalidRequest> {
        let mut form = Form::default();
        let post_id = form.take(parse_post_id(&request.post_id));
        let kind = form.take(reaction_kind(request.kind()));
        let (post_id, kind) = form.finish(post_id.zip(kind))?;
        Ok(Self { post_id, kind })
    }
}

/// Parses a request for posts. `viewer` owns the feeds that need a member.
pub fn parse_post_list(
    request: &pb::ListPostsRequest,
    viewer: Option<Uuid>,
) -> Result<PageRequest<PostOrder>, InvalidRequest> {
    let mut form = Form::default();
    let size = form.take(PageSize::parse(request.page_size));
    let order = form.take(match viewer.filter(|_| request.feed() != pb::FeedKind::Unspecified) {
        Some(member) => feed_order(request, member),
        None => post_order(request),
    });
    let (size, query) = form.finish(size.zip(order))?;
    Ok(PageRequest { query, size })
}

impl TryFrom<pb::ListReactionsRequest> for PageRequest<PostChildren<ReactionsCursor>> {
    type Error = InvalidRequest;

    fn try_from(request: pb::ListReactionsRequest) -> Result<Self, InvalidRequest> {
        post_children(&request.post_id, request.page_size, &request.page_token, ReactionsCursor::START)
    }
}

impl TryFrom<pb::ListCommentsRequest> for PageRequest<PostChildren<CommentsCursor>> {
    type Error = InvalidRequest;

    fn try_from(request: pb::ListCommentsRequest) -> Result<Self, InvalidRequest> {
        post_children(&request.post_id, request.page_size, &request.page_token, CommentsCursor::START)
    }
}

impl TryFrom<pb::ListActivityRequest> for PageRequest<ActivityQuery> {
    type Error = InvalidRequest;

    fn try_from(request: pb::ListActivityRequest) -> Result<Self, InvalidRequest> {
        let mut form = Form::default();
        let member_id = form.take(ids::parse("userId", &request.member_id));
        let size = form.take(PageSize::parse(request.page_size));
        let after = form.take(ActivityCursor::from_token(&request.page_token));
        let ((member_id, size), after) = form.finish(member_id.zip(size).zip(after))?;
        Ok(Self { query: ActivityQuery { member_id, after: after.unwrap_or(ActivityCursor::START) }, size })
    }
}

/// Parses `query`, `page_size` and `page_token`.
pub fn parse_search(request: &pb::SearchPostsRequest) -> Result<SearchQuery, InvalidRequest> {
    SearchQuery::parse(&request.query, request.page_size, &request.page_token)
}

pub fn parse_post_id(raw: &str) -> Result<Uuid, Violation> {
    ids::parse("postId", raw)
}

/// Parses a text of at most `SHOWN` characters. A mention counts as one of them, and as its length in `STORED`.
fn parse_text<const SHOWN: usize, const STORED: usize>(raw: &str) -> Result<Text<STORED>, Violation> {
    Text::<SHOWN>::parse_or("content", &mentions::replace(raw, "@"), BLANK)?;
    if tokens(raw).nth(MAX_MENTIONS).is_some() {
        return Err(Violation::new("content", "Mention at most 20 members."));
    }
    Text::parse_or("content", raw, BLANK)
}

fn parse_optional_id(field: &str, raw: Option<&str>) -> Result<Option<Uuid>, Violation> {
    raw.map(|raw| ids::parse(field, raw)).transpose()
}

fn reaction_kind(kind: pb::ReactionKind) -> Result<ReactionKind, Violation> {
    match kind {
        pb::ReactionKind::Like => Ok(ReactionKind::Like),
        pb::ReactionKind::Celebrate => Ok(ReactionKind::Celebrate),
        pb::ReactionKind::Support => Ok(ReactionKind::Support),
        pb::ReactionKind::Insightful => Ok(ReactionKind::Insightful),
        pb::ReactionKind::Thanks => Ok(ReactionKind::Thanks),
        pb::ReactionKind::Unspecified => {
            Err(Violation::new("type", "A reaction is one of like, celebrate, support, insightful and thanks."))
        }
    }
}

/// Parses the feed of a member. A feed has one order, and the sort must name it or be absent.
fn feed_order(request: &pb::ListPostsRequest, member: Uuid) -> Result<PostOrder, Violation> {
    if request.author_id.is_some() || request.community_id.is_some() {
        return Err(Violation::new("feed", "Ask for a feed, a member's posts or a community's."));
    }
    let token = &request.page_token;
    let (sort, order) = match request.feed() {
        pb::FeedKind::Unspecified => return post_order(request),
        pb::FeedKind::Relevant => (pb::PostSort::Relevant, PostOrder::Relevant(Cursor::from_token(token)?)),
        pb::FeedKind::Top => {
            (pb::PostSort::Top, PostOrder::Top(TopCursor::from_token(token)?.unwrap_or(TopCursor::START)))
        }
        pb::FeedKind::Following => {
            let after = FollowingCursor::from_token(token)?.unwrap_or(FollowingCursor::START);
            (pb::PostSort::Recent, PostOrder::Following(member, after))
        }
        pb::FeedKind::School => {
            let after = SchoolCursor::from_token(token)?.unwrap_or(SchoolCursor::START);
            (pb::PostSort::Recent, PostOrder::School(member, after))
        }
        pb::FeedKind::Community => {
            let after = CommunitiesCursor::from_token(token)?.unwrap_or(CommunitiesCursor::START);
            (pb::PostSort::Recent, PostOrder::Communities(member, after))
        }
    };
    if request.sort() == pb::PostSort::Unspecified || request.sort() == sort {
        return Ok(order);
    }
    Err(Violation::new("sort", "This feed has one order. Ask for it without a sort."))
}

fn post_order(request: &pb::ListPostsRequest) -> Result<PostOrder, Violation> {
    let token = &request.page_token;
    let author = parse_optional_id("userId", request.author_id.as_deref())?;
    let community = parse_optional_id("communityId", request.community_id.as_deref())?;
    match (request.sort(), author, community) {
        (_, Some(_), Some(_)) => Err(Violation::new("communityId", "Ask for a member's posts or for a community's.")),
        (pb::PostSort::Recent, Some(author), None) => {
            Ok(PostOrder::Author(author, AuthorCursor::from_token(token)?.unwrap_or(AuthorCursor::START)))
        }
        (_, Some(_), None) => Err(Violation::new("sort", "A member's posts come newest first only.")),
        (pb::PostSort::Recent, None, Some(community)) => {
            Ok(PostOrder::Community(community, CommunityCursor::from_token(token)?.unwrap_or(CommunityCursor::START)))
        }
        (_, None, Some(_)) => Err(Violation::new("sort", "A community's posts come newest first only.")),
        (pb::PostSort::Relevant, None, None) => Ok(PostOrder::Relevant(Cursor::from_token(token)?)),
        (pb::PostSort::Recent, None, None) => {
            Ok(PostOrder::Recent(RecentCursor::from_token(token)?.unwrap_or(RecentCursor::START)))
        }
        (pb::PostSort::Top, None, None) => {
            Ok(PostOrder::Top(TopCursor::from_token(token)?.unwrap_or(TopCursor::START)))
        }
        (pb::PostSort::Unspecified, None, None) => {
            Err(Violation::new("sort", "Posts are sorted by one of relevant, recent and top."))
        }
    }
}

fn post_children<C: Cursor>(
    post: &str,
    size: i32,
    token: &str,
    start: C,
) -> Result<PageRequest<PostChildren<C>>, InvalidRequest> {
    let mut form = Form::default();
    let post_id = form.take(parse_post_id(post));
    let size = form.take(PageSize::parse(size));
    let after = form.take(C::from_token(token));
    let ((post_id, size), after) = form.finish(post_id.zip(size).zip(after))?;
    Ok(PageRequest { query: PostChildren { post_id, after: after.unwrap_or(start) }, size })
}
