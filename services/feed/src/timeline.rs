//! Lists of posts: each page of each order is one statement.

pub mod activity;
mod batch;
pub mod cursors;
mod home;
mod lists;
pub mod ranking;
mod relevant;
mod rows;
mod topic;

use chrono::{DateTime, Utc};
use primitives::input::{Cursor as _, Page, PageSize};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{
    error::Error,
    posts::Post,
    sql::{Mapper, Statement},
    topics::Topic,
};
use cursors::{AuthorCursor, CommunityCursor, Rank, RecentCursor, RelevantCursor, Timestamp, TopCursor, TopicCursor};

/// A list of posts, and the position after which the page begins.
#[derive(Clone, Copy)]
pub enum PostOrder {
    /// By relevance; `None` for the first page.
    Relevant(Option<RelevantCursor>),
    /// Newest first.
    Recent(RecentCursor),
    /// Most liked first.
    Top(TopCursor),
    /// The posts of a member, newest first.
    Author(Uuid, AuthorCursor),
    /// The posts of a community, newest first.
    Community(Uuid, CommunityCursor),
}

/// A post with the whole text of an article, if the viewer may see it.
pub async fn get(db: &mut PgConnection, viewer: Option<Uuid>, id: Uuid) -> Result<Post, Error> {
    let row = lists::single(viewer, id).fetch_optional(db).await?;
    row.and_then(|row| row.into_post(viewer)).ok_or(Error::PostNotFound)
}

/// The posts that the viewer may see among at most 100 ids, in no order.
pub async fn batch_get(db: &mut PgConnection, viewer: Option<Uuid>, ids: &[Uuid]) -> Result<Vec<Post>, sqlx::Error> {
    read(db, viewer, batch::by_ids(viewer, ids)).await
}

/// A page of posts.
pub async fn list(
    db: &mut PgConnection,
    viewer: Option<Uuid>,
    order: PostOrder,
    size: PageSize,
    now: DateTime<Utc>,
) -> Result<Page<Post>, Error> {
    let fetch = size.to_fetch();
    match order {
        PostOrder::Relevant(after) => list_relevant(db, viewer, size, RelevantPage::new(after, now)).await,
        PostOrder::Recent(after) => {
            let posts = read(db, viewer, home::recent(viewer, fetch, after)).await?;
            Ok(Page::cut(posts, size, |post| RecentCursor { at: post.created_at.into(), id: post.id }))
        }
        PostOrder::Top(after) => {
            let posts = read(db, viewer, home::top(viewer, fetch, after)).await?;
            Ok(Page::cut(posts, size, |post| TopCursor {
                likes: post.like_count,
                at: post.created_at.into(),
                id: post.id,
            }))
        }
        PostOrder::Author(author_id, after) => {
            let posts = read(db, viewer, lists::by_author(viewer, fetch, author_id, after)).await?;
            Ok(Page::cut(posts, size, |post| AuthorCursor { at: post.created_at.into(), id: post.id }))
        }
        PostOrder::Community(community_id, after) => {
            let rows = lists::in_community(viewer, fetch, community_id, after).fetch_all(db).await?;
            if rows.is_empty() {
                return Err(Error::NotAReader);
            }
            let posts = rows.into_iter().filter_map(|row| row.into_post(viewer)).collect();
            Ok(Page::cut(posts, size, |post: &Post| CommunityCursor { at: post.created_at.into(), id: post.id }))
        }
    }
}

/// A page of the posts with a topic.
pub async fn list_by_topic(
    db: &mut PgConnection,
    viewer: Option<Uuid>,
    topic: &Topic,
    size: PageSize,
    after: TopicCursor,
) -> Result<Page<Post>, sqlx::Error> {
    let posts = read(db, viewer, topic::by_topic(viewer, size.to_fetch(), &topic.0, after)).await?;
    Ok(Page::cut(posts, size, |post| TopicCursor { at: post.created_at.into(), id: post.id }))
}

/// The bounds of one page by relevance.
#[derive(Clone, Copy)]
struct RelevantPage {
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
        Self { as_of, until, since: *as_of - ranking::LEAD, leading, others }
    }
}

/// A page by relevance. It may be short without being the last one.
async fn list_relevant(
    db: &mut PgConnection,
    viewer: Option<Uuid>,
    size: PageSize,
    page: RelevantPage,
) -> Result<Page<Post>, Error> {
    let rows = relevant::by_relevance(viewer, size.to_fetch(), page).fetch_all(db).await?;
    let cursor = |leads, score, id| RelevantCursor { as_of: page.as_of, leads, score: Rank(score), id };
    let edge = rows.iter().find(|row| row.content.is_none()).and_then(|row| Some(cursor(false, row.score?, row.id?)));
    let posts = rows.into_iter().filter_map(|row| row.into_post(viewer)).collect();
    let mut posts = Page::cut(posts, size, |post: &Post| cursor(post.leads, post.score, post.id));
    if posts.next_page_token.is_empty() {
        posts.next_page_token = edge.map(|edge| edge.to_token()).unwrap_or_default();
    }
    Ok(posts)
}

async fn read(
    db: &mut PgConnection,
    viewer: Option<Uuid>,
    statement: Statement<impl Mapper<rows::Row>>,
) -> Result<Vec<Post>, sqlx::Error> {
    Ok(statement.fetch_all(db).await?.into_iter().filter_map(|row| row.into_post(viewer)).collect())
}

#[cfg(test)]
mod query_cost;
