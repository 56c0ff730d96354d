//! Reading posts: whatever the order, a page is one statement.

mod found;
mod home;
mod lists;
mod relevant;
mod statement;

use chrono::{DateTime, Utc};
use primitives::input::{Cursor as _, Page, PageSize};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{
    cursors::{Authored, Communal, Moment, Rank, Recent, Relevant, Top},
    error::Error,
    posts::Post,
    ranking,
    sql::{Mapper, Statement},
};

/// Which posts, in which order, after which one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Order {
    /// By relevance; `None` begins a walk.
    Relevant(Option<Relevant>),
    /// Newest first.
    Recent(Recent),
    /// Most liked first.
    Top(Top),
    /// One member's, newest first.
    By(Uuid, Authored),
    /// One community's, newest first.
    Within(Uuid, Communal),
}

/// One post, as a list would carry it.
///
/// # Errors
/// [`Error::PostNotFound`].
pub async fn find(conn: &mut PgConnection, viewer: Option<Uuid>, id: Uuid) -> Result<Post, Error> {
    let row = lists::one(viewer, id).fetch_optional(conn).await?;
    row.and_then(statement::Row::into_post).ok_or(Error::PostNotFound)
}

/// Those of at most a hundred posts that the viewer may see, in no order.
///
/// # Errors
/// As any statement.
pub async fn these(conn: &mut PgConnection, viewer: Option<Uuid>, ids: &[Uuid]) -> Result<Vec<Post>, sqlx::Error> {
    read(conn, found::these(viewer, ids)).await
}

/// A page of posts.
///
/// # Errors
/// [`Error::NotAReader`] of the community asked for.
pub async fn list(
    conn: &mut PgConnection,
    viewer: Option<Uuid>,
    order: Order,
    size: PageSize,
    now: DateTime<Utc>,
) -> Result<Page<Post>, Error> {
    let fetch = size.to_fetch();
    match order {
        Order::Relevant(after) => relevant(conn, viewer, size, Walk::new(after, now)).await,
        Order::Recent(after) => {
            let posts = read(conn, home::recent(viewer, fetch, after)).await?;
            Ok(Page::cut(posts, size, |post| Recent { at: post.created_at.into(), id: post.id }))
        }
        Order::Top(after) => {
            let posts = read(conn, home::top(viewer, fetch, after)).await?;
            Ok(Page::cut(posts, size, |post| Top { likes: post.like_count, at: post.created_at.into(), id: post.id }))
        }
        Order::By(author_id, after) => {
            let posts = read(conn, lists::by(viewer, fetch, author_id, after)).await?;
            Ok(Page::cut(posts, size, |post| Authored { at: post.created_at.into(), id: post.id }))
        }
        Order::Within(community_id, after) => {
            let rows = lists::within(viewer, fetch, community_id, after).fetch_all(conn).await?;
            if rows.is_empty() {
                return Err(Error::NotAReader);
            }
            let posts = rows.into_iter().filter_map(statement::Row::into_post).collect();
            Ok(Page::cut(posts, size, |post: &Post| Communal { at: post.created_at.into(), id: post.id }))
        }
    }
}

/// What one page of a walk by relevance may hold.
#[derive(Clone, Copy, Debug)]
struct Walk {
    as_of: Moment,
    /// Posts after this are not part of the walk. Page 1 takes what there is: clocks of two machines may differ, and
    /// one's own post must be there.
    until: Moment,
    /// The viewer's posts after this lead.
    since: DateTime<Utc>,
    /// The (score, id) below which posts that lead follow, and below which the others do.
    leading: (f64, Uuid),
    others: (f64, Uuid),
}

impl Walk {
    fn new(after: Option<Relevant>, now: DateTime<Utc>) -> Self {
        const TOP: (f64, Uuid) = (f64::INFINITY, Uuid::max());
        const BOTTOM: (f64, Uuid) = (f64::NEG_INFINITY, Uuid::nil());
        let as_of = after.map_or_else(|| now.into(), |after| after.as_of);
        let (leading, others) = match after {
            None => (TOP, TOP),
            Some(after) if after.leads => ((after.score.0, after.id), TOP),
            Some(after) => (BOTTOM, (after.score.0, after.id)),
        };
        let until = if after.is_some() { as_of } else { Moment::END };
        Self { as_of, until, since: *as_of - ranking::LEAD, leading, others }
    }
}

/// A page of a walk by relevance, which may be a short one and yet not the last.
async fn relevant(
    conn: &mut PgConnection,
    viewer: Option<Uuid>,
    size: PageSize,
    walk: Walk,
) -> Result<Page<Post>, Error> {
    let rows = relevant::relevant(viewer, size.to_fetch(), walk).fetch_all(conn).await?;
    let next = |leads, score, id| Relevant { as_of: walk.as_of, leads, score: Rank(score), id };
    let edge = rows.iter().find(|row| row.content.is_none()).and_then(|row| Some(next(false, row.score?, row.id?)));
    let posts = rows.into_iter().filter_map(statement::Row::into_post).collect();
    let mut page = Page::cut(posts, size, |post: &Post| next(post.leads, post.score, post.id));
    if page.next_page_token.is_empty() {
        page.next_page_token = edge.map(|edge| edge.to_token()).unwrap_or_default();
    }
    Ok(page)
}

async fn read(
    conn: &mut PgConnection,
    statement: Statement<impl Mapper<statement::Row>>,
) -> Result<Vec<Post>, sqlx::Error> {
    Ok(statement.fetch_all(conn).await?.into_iter().filter_map(statement::Row::into_post).collect())
}

#[cfg(test)]
mod cost;
