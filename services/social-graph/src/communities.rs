//! Communities: open to everybody's eyes, and who belongs to them.

#[cfg(test)]
mod model;
pub mod steps;

use chrono::{DateTime, Utc};
use primitives::input::{Cursor, Line, Page, Text};
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{
    convert::{BrowseCommunities, BrowseMembers},
    error::Error,
};

/// What a member is in a community.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::Type)]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub enum Role {
    Owner,
    Member,
}

/// What a community says of itself.
#[derive(Clone, Debug)]
pub struct Wording {
    /// In single spaces.
    pub name: Line<100>,
    /// The name as compared with others'.
    pub name_key: String,
    pub description: Option<Text<500>>,
    pub rules: Option<Text<5_000>>,
}

/// A community as somebody sees it.
#[derive(Clone, Debug)]
pub struct Community {
    pub id: Uuid,
    pub name: String,
    pub description: Option<String>,
    /// Lists leave them out.
    pub rules: Option<String>,
    pub member_count: i64,
    /// What who asks is in it.
    pub role: Option<Role>,
    pub created_at: DateTime<Utc>,
}

/// A place in the list of communities: first one's own, then the others.
#[derive(Clone, Copy, Serialize, Deserialize)]
pub struct Largest {
    own: bool,
    members: i64,
    id: Uuid,
}

impl Cursor for Largest {}

impl Largest {
    /// Before every community.
    pub const FIRST: Self = Self { own: true, members: i64::MAX, id: Uuid::max() };
    /// After every community.
    const LAST: Self = Self { own: true, members: -1, id: Uuid::nil() };
}

/// Communities, those of who asks first, each part largest first. One that grows while somebody pages may be seen twice
/// or not: its count is what orders.
pub async fn list(
    db: &mut PgConnection,
    viewer: Option<Uuid>,
    browse: &BrowseCommunities,
) -> Result<Page<Community>, Error> {
    let (own, others) = if browse.after.own { (browse.after, Largest::FIRST) } else { (Largest::LAST, browse.after) };
    let rows = sqlx::query_as!(
        Community,
        r#"with mine as materialized (
            select community_id, role
            from social_graph.memberships
            where member_id = $1
        ),
        own as materialized (
            select c.id, c.name, c.description, c.member_count, m.role, c.created_at
            from mine m
            join social_graph.communities c on c.id = m.community_id
            where (c.member_count, c.id) < ($2, $3)
            order by c.member_count desc, c.id desc
            limit $6
        ),
        others as materialized (
            select id, name, description, member_count, created_at
            from social_graph.communities
            where (member_count, id) < ($4, $5)
                and id not in (select community_id from mine)
            order by member_count desc, id desc
            limit $6 - (select count(*) from own)
        )
        select
            id as "id!", name as "name!", description, null as "rules: String", member_count as "member_count!",
            role as "role: Role", created_at as "created_at!"
        from (
            select 1 as part, id, name, description, member_count, role, created_at
            from own
            union all
            select 2, id, name, description, member_count, null, created_at
            from others
        ) as parts
        order by part, member_count desc, id desc"#,
        viewer,
        own.members,
        own.id,
        others.members,
        others.id,
        browse.size.to_fetch(),
    )
    .fetch_all(db)
    .await?;
    Ok(Page::cut(rows, browse.size, |community| Largest {
        own: community.role.is_some(),
        members: community.member_count,
        id: community.id,
    }))
}

/// How many communities there are.
pub async fn total(db: &mut PgConnection) -> Result<i64, Error> {
    let kept = sqlx::query_scalar!("select communities from social_graph.totals where id = 1");
    Ok(kept.fetch_one(db).await?)
}

/// One community, with its rules.
pub async fn find(db: &mut PgConnection, viewer: Option<Uuid>, id: Uuid) -> Result<Community, Error> {
    let community = sqlx::query_as!(
        Community,
        r#"select c.id, c.name, c.description, c.rules, c.member_count, m.role as "role?: Role", c.created_at
        from social_graph.communities c
        left join social_graph.memberships m on m.community_id = c.id and m.member_id = $1
        where c.id = $2"#,
        viewer,
        id,
    );
    community.fetch_optional(db).await?.ok_or(Error::CommunityNotFound)
}

/// Somebody who belongs to a community.
#[derive(Clone, Debug)]
pub struct Belonging {
    pub member_id: Uuid,
    pub role: Role,
    pub joined_at: DateTime<Utc>,
}

/// A place in a community's list of members: owners first, then whoever is longest in it.
#[derive(Clone, Copy, Serialize, Deserialize)]
pub struct Longest {
    /// Past the owners.
    others: bool,
    at: DateTime<Utc>,
    id: Uuid,
}

impl Cursor for Longest {}

impl Longest {
    /// Before every member.
    pub const FIRST: Self = Self { others: false, at: DateTime::UNIX_EPOCH, id: Uuid::nil() };
}

/// Who belongs to a community, without closed accounts and without whom who asks blocks or is blocked by.
pub async fn members(
    db: &mut PgConnection,
    viewer: Option<Uuid>,
    browse: &BrowseMembers,
) -> Result<Page<Belonging>, Error> {
    let after = browse.page.after;
    let rows = sqlx::query_as!(
        Belonging,
        r#"with unseen as materialized (
            select blocked_id as member_id
            from social_graph.blocks
            where blocker_id = $2
            union all
            select blocker_id
            from social_graph.blocks
            where blocked_id = $2
        )
        select member_id, role as "role: Role", joined_at
        from social_graph.memberships
        where community_id = $1
            and not hidden
            and ((role <> 'owner'), joined_at, member_id) > ($3, $4, $5)
            and member_id not in (select member_id from unseen)
        order by (role <> 'owner'), joined_at, member_id
        limit $6"#,
        browse.community,
        viewer,
        after.others,
        after.at,
        after.id,
        browse.page.size.to_fetch(),
    )
    .fetch_all(&mut *db)
    .await?;
    if rows.is_empty() {
        find(db, viewer, browse.community).await?;
    }
    Ok(Page::cut(rows, browse.page.size, |row| Longest {
        others: row.role != Role::Owner,
        at: row.joined_at,
        id: row.member_id,
    }))
}
