//! Communities, open to everybody's eyes.

use chassis::input::{Cursor, Page};
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{convert::BrowseCommunities, error::Error};

/// A community as lists show it.
pub struct Community {
    pub id: Uuid,
    pub name: String,
    pub description: Option<String>,
    pub member_count: i64,
}

/// A place in the list of communities.
#[derive(Clone, Copy, Serialize, Deserialize)]
pub struct Largest {
    members: i64,
    id: Uuid,
}

impl Cursor for Largest {}

impl Largest {
    /// Before every community.
    pub const FIRST: Self = Self { members: i64::MAX, id: Uuid::max() };
}

/// Communities, largest first. One that grows while somebody pages may be seen twice or not: its count is what orders.
pub async fn list(db: &mut PgConnection, browse: &BrowseCommunities) -> Result<Page<Community>, Error> {
    let rows = sqlx::query_as!(
        Community,
        "select id, name, description, member_count
        from social_graph.communities
        where (member_count, id) < ($1, $2)
        order by member_count desc, id desc
        limit $3",
        browse.after.members,
        browse.after.id,
        browse.size.to_fetch(),
    )
    .fetch_all(db)
    .await?;
    Ok(Page::cut(rows, browse.size, |community| Largest { members: community.member_count, id: community.id }))
}
