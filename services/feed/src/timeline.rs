//! Lists of posts. A page in any order takes one statement, and one more for posts whose bodies are not in memory.

pub mod activity;
mod batch;
pub mod bodies;
mod following;
mod home;
mod lists;
pub mod ranking;
pub mod relevance;
mod relevant;
mod rows;
mod school;
pub mod search;
mod topic;
mod version_columns;
pub mod versions;

use std::collections::{HashMap, HashSet};

use chrono::{DateTime, Utc};
use primitives::input::{Cursor as _, Page, PageSize};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{
    cursors::{
        AuthorCursor, CommunitiesCursor, CommunityCursor, FollowingCursor, Rank, RecentCursor, RelevantCursor,
        SchoolCursor, Timestamp, TopCursor, TopicCursor,
    },
    error::Error,
    mutes::filter::MuteFilter,
    posts::Post,
    topics::Topic,
};
use bodies::{PostBodies, TextLength};
use following::Sources;
use relevance::RelevanceMemory;
use versions::ListedPost;

/// The maximum number of statements that refill a page after muted words removed posts.
const MAX_REFILLS: usize = 4;

/// A list of posts, and the position after which the page begins.
#[derive(Clone, Copy)]
pub enum PostOrder {
    /// By relevance; `None` for the first page.
    Relevant(Option<RelevantCursor>),
    /// Newest first.
    Recent(RecentCursor),
    /// Most liked first.
    Top(TopCursor),
    /// The posts of the sources that a member follows, newest first.
    Following(Uuid, FollowingCursor),
    /// The posts of a member's school, newest first.
    School(Uuid, SchoolCursor),
    /// The posts of a member's communities, newest first.
    Communities(Uuid, CommunitiesCursor),
    /// The posts of a member, newest first.
    Author(Uuid, AuthorCursor),
    /// The posts of a community, newest first.
    Community(Uuid, CommunityCursor),
}

/// Returns a post with the whole text of an article, if the viewer may see it. Works in a transaction that changed the
/// post.
pub async fn get(db: &mut PgConnection, viewer: Option<Uuid>, id: Uuid) -> Result<Post, Error> {
    let row = lists::single(viewer, id).fetch_optional(db).await?;
    row.and_then(|row| row.into_post(viewer)).ok_or(Error::PostNotFound)
}

/// Returns the version of a post, and the members in a block with the viewer.
pub async fn version(
    db: &mut PgConnection,
    viewer: Option<Uuid>,
    id: Uuid,
) -> Result<(ListedPost, HashSet<Uuid>), Error> {
    let row = lists::version(viewer, id).fetch_optional(&mut *db).await?;
    let listed = row.and_then(versions::Row::into_listed).ok_or(Error::PostNotFound)?;
    let blocked = bodies::blocked(db, viewer, std::slice::from_ref(&listed)).await?;
    if blocked.contains(&listed.author_id) { Err(Error::PostNotFound) } else { Ok((listed, blocked)) }
}

/// Returns the post of a version with the whole text of an article, read like [`complete`].
pub async fn get_listed(
    db: &mut PgConnection,
    bodies: &PostBodies,
    viewer: Option<Uuid>,
    listed: ListedPost,
) -> Result<Post, Error> {
    bodies.posts(db, viewer, vec![listed], TextLength::Whole).await?.pop().ok_or(Error::PostNotFound)
}

/// Returns the versions of the posts that the viewer may see among at most 100 ids, in no order.
pub async fn versions(
    db: &mut PgConnection,
    viewer: Option<Uuid>,
    ids: &[Uuid],
) -> Result<Vec<ListedPost>, sqlx::Error> {
    let rows = batch::versions_by_ids(viewer, ids).fetch_all(db).await?;
    Ok(rows.into_iter().filter_map(versions::Row::into_listed).collect())
}

/// Returns the posts that the viewer may see among at most 100 ids, in no order.
pub async fn batch_get(db: &mut PgConnection, viewer: Option<Uuid>, ids: &[Uuid]) -> Result<Vec<Post>, sqlx::Error> {
    let rows = batch::by_ids(viewer, ids).fetch_all(db).await?;
    Ok(rows.into_iter().filter_map(|row| row.into_post(viewer)).collect())
}

/// A page of a list. It states whether the viewer mutes words or members, which the statement does not apply to texts.
pub struct ListedPage {
    page: Page<ListedPost>,
    is_filtered: bool,
}

impl ListedPage {
    /// Returns the page, unless mutes must still filter its texts.
    pub fn unfiltered(self) -> Result<Page<ListedPost>, Self> {
        if self.is_filtered { Err(self) } else { Ok(self.page) }
    }

    fn positions(&self) -> impl Iterator<Item = (Uuid, Position)> + '_ {
        self.page.rows.iter().map(|post| (post.id, post.into()))
    }

    async fn posts(
        self,
        db: &mut PgConnection,
        bodies: &PostBodies,
        viewer: Option<Uuid>,
    ) -> Result<Page<Post>, sqlx::Error> {
        let rows = bodies.posts(db, viewer, self.page.rows, TextLength::Listed).await?;
        Ok(Page { rows, next_page_token: self.page.next_page_token })
    }
}

/// Adds the bodies to a listed page. If the viewer mutes words, a page may be short or empty without being the last
/// one.
pub async fn complete(
    db: &mut PgConnection,
    (memory, bodies): (&RelevanceMemory, &PostBodies),
    viewer: Option<Uuid>,
    (order, size): (PostOrder, PageSize),
    now: DateTime<Utc>,
    listed: ListedPage,
) -> Result<Page<Post>, Error> {
    let is_filtered = listed.is_filtered;
    // A post is shown as it is now, but keeps its place from the statement.
    let mut positions: HashMap<Uuid, Position> = listed.positions().collect();
    let mut page = listed.posts(db, bodies, viewer).await?;
    let Some(viewer_id) = viewer.filter(|_| is_filtered) else { return Ok(page) };
    let filter = MuteFilter::of(db, viewer_id, now).await?;
    page.rows.retain(|post| !filter.removes(post));
    for _ in 0..MAX_REFILLS {
        if page.rows.len() >= size.rows() || page.next_page_token.is_empty() {
            break;
        }
        let next = order.after(&page.next_page_token)?;
        let listed = list(db, memory, viewer, next, size, now).await?;
        positions.extend(listed.positions());
        let more = listed.posts(db, bodies, viewer).await?;
        page.rows.extend(more.rows.into_iter().filter(|post| !filter.removes(post)));
        page.next_page_token = more.next_page_token;
    }
    if page.rows.len() > size.rows() {
        page.rows.truncate(size.rows());
        let last = page.rows.last().and_then(|post| positions.get(&post.id));
        page.next_page_token = last.map(|position| order.token_after(position, now)).unwrap_or_default();
    }
    Ok(page)
}

impl PostOrder {
    /// Returns the same list after a position.
    fn after(self, token: &str) -> Result<Self, Error> {
        Ok(match self {
            Self::Relevant(_) => Self::Relevant(RelevantCursor::from_token(token)?),
            Self::Recent(start) => Self::Recent(RecentCursor::from_token(token)?.unwrap_or(start)),
            Self::Top(start) => Self::Top(TopCursor::from_token(token)?.unwrap_or(start)),
            Self::Following(id, start) => Self::Following(id, FollowingCursor::from_token(token)?.unwrap_or(start)),
            Self::School(id, start) => Self::School(id, SchoolCursor::from_token(token)?.unwrap_or(start)),
            Self::Communities(id, start) => {
                Self::Communities(id, CommunitiesCursor::from_token(token)?.unwrap_or(start))
            }
            Self::Author(id, start) => Self::Author(id, AuthorCursor::from_token(token)?.unwrap_or(start)),
            Self::Community(id, start) => Self::Community(id, CommunityCursor::from_token(token)?.unwrap_or(start)),
        })
    }

    /// Returns the token of the page after a position.
    fn token_after(self, position: &Position, now: DateTime<Utc>) -> String {
        let Position { at, id, leads, score, likes } = *position;
        match self {
            Self::Relevant(after) => {
                let as_of = after.map_or_else(|| now.into(), |after| after.as_of);
                RelevantCursor { as_of, leads, score: Rank(score), id }.to_token()
            }
            Self::Recent(_) => RecentCursor { at, id }.to_token(),
            Self::Top(_) => TopCursor { likes, at, id }.to_token(),
            Self::Following(..) => FollowingCursor { at, id }.to_token(),
            Self::School(..) => SchoolCursor { at, id }.to_token(),
            Self::Communities(..) => CommunitiesCursor { at, id }.to_token(),
            Self::Author(..) => AuthorCursor { at, id }.to_token(),
            Self::Community(..) => CommunityCursor { at, id }.to_token(),
        }
    }
}

/// The position of a post in a list.
struct Position {
    at: Timestamp,
    id: Uuid,
    leads: bool,
    score: f64,
    likes: i64,
}

impl From<&ListedPost> for Position {
    fn from(post: &ListedPost) -> Self {
        let at = post.created_at.into();
        Self { at, id: post.id, leads: post.leads, score: post.score, likes: post.like_count }
    }
}

/// Reads a page of a list without bodies.
pub async fn list(
    db: &mut PgConnection,
    memory: &RelevanceMemory,
    viewer: Option<Uuid>,
    order: PostOrder,
    size: PageSize,
    now: DateTime<Utc>,
) -> Result<ListedPage, Error> {
    let fetch = size.to_fetch();
    let rows = match order {
        PostOrder::Relevant(after) => {
            let page = RelevantPage::new(after, now);
            let rows = memory.list(db, viewer, fetch, page).await?;
            return Ok(relevant_page(size, page, rows));
        }
        PostOrder::Recent(after) => home::recent(viewer, fetch, now, after).fetch_all(db).await?,
        PostOrder::Top(after) => home::top(viewer, fetch, now, after).fetch_all(db).await?,
        PostOrder::Following(member_id, after) => {
            following::newest(member_id, fetch, now, Sources::All, (*after.at, after.id)).fetch_all(db).await?
        }
        PostOrder::School(member_id, after) => school::newest(member_id, fetch, now, after).fetch_all(db).await?,
        PostOrder::Communities(member_id, after) => {
            following::newest(member_id, fetch, now, Sources::Communities, (*after.at, after.id)).fetch_all(db).await?
        }
        PostOrder::Author(author_id, after) => lists::by_author(viewer, fetch, author_id, after).fetch_all(db).await?,
        PostOrder::Community(community_id, after) => {
            let rows = lists::in_community(viewer, fetch, community_id, after).fetch_all(db).await?;
            if rows.is_empty() {
                return Err(Error::NotAReader);
            }
            rows
        }
    };
    let is_filtered = is_filtered(&rows);
    let mut posts: Vec<_> = rows.into_iter().filter_map(versions::Row::into_listed).collect();
    let has_more = posts.len() > size.rows();
    posts.truncate(size.rows());
    let last = posts.last().filter(|_| has_more);
    let next_page_token = last.map(|post| order.token_after(&post.into(), now)).unwrap_or_default();
    Ok(ListedPage { page: Page { rows: posts, next_page_token }, is_filtered })
}

fn is_filtered(rows: &[versions::Row]) -> bool {
    rows.iter().any(|row| row.is_filtered == Some(true))
}

/// Reads a page of the posts with a topic.
pub async fn list_by_topic(
    db: &mut PgConnection,
    bodies: &PostBodies,
    viewer: Option<Uuid>,
    topic: &Topic,
    size: PageSize,
    after: TopicCursor,
) -> Result<Page<Post>, sqlx::Error> {
    let rows = topic::by_topic(viewer, size.to_fetch(), &topic.0, after).fetch_all(&mut *db).await?;
    let listed = rows.into_iter().filter_map(versions::Row::into_listed).collect();
    let page = Page::cut(listed, size, |post: &ListedPost| TopicCursor { at: post.created_at.into(), id: post.id });
    ListedPage { page, is_filtered: false }.posts(db, bodies, viewer).await
}

/// The bounds of one page by relevance.
#[derive(Clone, Copy)]
struct RelevantPage {
    now: DateTime<Utc>,
    as_of: Timestamp,
    /// Later posts are not in the list. Unbounded on the first page: clocks of two machines differ, and the viewer's new
    /// post must be listed.
    until: Timestamp,
    /// Later posts of the viewer lead the list.
    since: DateTime<Utc>,
    /// The (score, id) after which leading posts are listed, and other posts.
    leading: (f64, Uuid),
    others: (f64, Uuid),
}

impl RelevantPage {
    fn new(after: Option<RelevantCursor>, now: DateTime<Utc>) -> Self {
        const TOP: (f64, Uuid) = (f64::INFINITY, Uuid::max());
        const BOTTOM: (f64, Uuid) = (f64::NEG_INFINITY, Uuid::nil());
        let as_of = after.map_or_else(|| now.into(), |after| after.as_of);
        let (leading, others) = match after {
            None => (TOP, TOP),
            Some(after) if after.leads => ((after.score.0, after.id), TOP),
            Some(after) => (BOTTOM, (after.score.0, after.id)),
        };
        let until = if after.is_some() { as_of } else { Timestamp::END };
        Self { now, as_of, until, since: *as_of - ranking::LEAD, leading, others }
    }
}

/// Cuts a page by relevance. It may be short without being the last one.
fn relevant_page(size: PageSize, page: RelevantPage, rows: Vec<versions::Row>) -> ListedPage {
    let is_filtered = is_filtered(&rows);
    let cursor = |leads, score, id| RelevantCursor { as_of: page.as_of, leads, score: Rank(score), id };
    let edge = rows.iter().find(|row| row.version.is_none()).and_then(|row| Some(cursor(false, row.score?, row.id?)));
    let posts = rows.into_iter().filter_map(versions::Row::into_listed).collect();
    let mut posts = Page::cut(posts, size, |post: &ListedPost| cursor(post.leads, post.score, post.id));
    if posts.next_page_token.is_empty() {
        posts.next_page_token = edge.map(|edge| edge.to_token()).unwrap_or_default();
    }
    ListedPage { page: posts, is_filtered }
}

/// Returns the ids of a page by relevance and the next token from the statement: tests compare pages from memory with
/// it. `None` for a viewer who mutes words or members.
///
/// # Errors
/// When the token is invalid or the statement fails.
pub async fn relevant_page_by_statement(
    db: &mut PgConnection,
    viewer: Option<Uuid>,
    size: PageSize,
    token: &str,
    now: DateTime<Utc>,
) -> Result<Option<(Vec<Uuid>, String)>, Error> {
    let page = RelevantPage::new(RelevantCursor::from_token(token)?, now);
    let rows = relevant::by_relevance(viewer, size.to_fetch(), page).fetch_all(db).await?;
    let ListedPage { page, is_filtered } = relevant_page(size, page, rows);
    Ok((!is_filtered).then(|| (page.rows.iter().map(|post| post.id).collect(), page.next_page_token)))
}

#[cfg(test)]
mod query_cost;
