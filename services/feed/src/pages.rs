//! Reading posts: whatever the order, a page is one statement.

mod statement;

use chassis::input::{Page, PageSize};
use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{
    cursors::{Authored, Moment, Rank, Recent, Relevant, Top},
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
}

/// One post, as a list would carry it.
///
/// # Errors
/// [`Error::PostNotFound`].
pub async fn find(conn: &mut PgConnection, viewer: Option<Uuid>, id: Uuid) -> Result<Post, Error> {
    statement::one(viewer, id).fetch_optional(conn).await?.map(Post::from).ok_or(Error::PostNotFound)
}

/// A page of posts.
///
/// # Errors
/// As any statement.
pub async fn list(
    conn: &mut PgConnection,
    viewer: Option<Uuid>,
    order: Order,
    size: PageSize,
    now: DateTime<Utc>,
) -> Result<Page<Post>, Error> {
    let fetch = size.to_fetch();
    match order {
        Order::Relevant(after) => {
            let walk = Walk::new(after, now);
            let posts = read(conn, statement::relevant(viewer, fetch, walk)).await?;
            let end =
                |post: &Post| Relevant { as_of: walk.as_of, leads: post.leads, rank: Rank(post.rank), id: post.id };
            Ok(Page::cut(posts, size, end))
        }
        Order::Recent(after) => {
            let posts = read(conn, statement::recent(viewer, fetch, after)).await?;
            Ok(Page::cut(posts, size, |post| Recent { at: post.created_at.into(), id: post.id }))
        }
        Order::Top(after) => {
            let posts = read(conn, statement::top(viewer, fetch, after)).await?;
            Ok(Page::cut(posts, size, |post| Top { likes: post.like_count, at: post.created_at.into(), id: post.id }))
        }
        Order::By(author_id, after) => {
            let posts = read(conn, statement::by(viewer, fetch, author_id, after)).await?;
            Ok(Page::cut(posts, size, |post| Authored { at: post.created_at.into(), id: post.id }))
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
    /// The (rank, id) below which posts that lead follow, and below which the others do.
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
            Some(after) if after.leads => ((after.rank.0, after.id), TOP),
            Some(after) => (BOTTOM, (after.rank.0, after.id)),
        };
        let until = if after.is_some() { as_of } else { Moment::END };
        Self { as_of, until, since: *as_of - ranking::LEAD, leading, others }
    }
}

async fn read(
    conn: &mut PgConnection,
    statement: Statement<impl Mapper<statement::Row>>,
) -> Result<Vec<Post>, sqlx::Error> {
    Ok(statement.fetch_all(conn).await?.into_iter().map(Post::from).collect())
}

#[cfg(test)]
mod cost;
