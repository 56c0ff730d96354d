//! Communities. A private one is visible to its members and invited members only.

pub mod access;
pub mod changes;
pub mod invitations;
pub mod join_requests;
pub mod joining;
pub mod log;
pub mod memberships;
#[cfg(test)]
mod model;
pub mod moderation;
pub mod ownership;
pub mod search;

use chrono::{DateTime, Utc};
use primitives::input::{Cursor, Line, Page, Text};
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use uuid::Uuid;

use self::access::{Joining, Visibility};
use crate::{error::Error, paging::PageRequest};

pub use crate::role::Role;

/// The reason that an owner or moderator states.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::Type)]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub enum Reason {
    Rules,
    OffTopic,
    Spam,
    Harassment,
    Other,
}

impl Reason {
    /// The reason in a fact; `None` for an empty text.
    pub fn from_text(text: &str) -> Option<Self> {
        match text {
            "rules" => Some(Self::Rules),
            "off_topic" => Some(Self::OffTopic),
            "spam" => Some(Self::Spam),
            "harassment" => Some(Self::Harassment),
            "other" => Some(Self::Other),
            _ => None,
        }
    }
}

/// The texts of a community that its owners write.
#[derive(Clone, Debug)]
pub struct CommunityText {
    /// With single spaces.
    pub name: Line<100>,
    /// The form of the name that is unique.
    pub name_key: String,
    pub description: Option<Text<500>>,
    pub rules: Option<Text<5_000>>,
}

/// A community as one viewer sees it.
#[derive(Clone, Debug)]
pub struct Community {
    pub id: Uuid,
    pub name: String,
    pub description: Option<String>,
    /// `None` in lists.
    pub rules: Option<String>,
    pub member_count: i64,
    /// The viewer's role.
    pub role: Option<Role>,
    pub created_at: DateTime<Utc>,
    pub visibility: Visibility,
    pub joining: Joining,
    /// The viewer asks to join.
    pub is_requested: bool,
    /// The viewer is invited.
    pub is_invited: bool,
}

/// A position in the list of communities: the viewer's own, then the others.
#[derive(Clone, Copy, Serialize, Deserialize)]
pub struct CommunityCursor {
    own: bool,
    members: i64,
    id: Uuid,
}

impl Cursor for CommunityCursor {}

impl CommunityCursor {
    pub const FIRST: Self = Self { own: true, members: i64::MAX, id: Uuid::max() };
    /// After the last own community.
    const LAST: Self = Self { own: true, members: -1, id: Uuid::nil() };
}

pub type ListCommunities = PageRequest<CommunityCursor>;

/// A page of a list that belongs to a community.
pub struct CommunityPage<C> {
    pub community: Uuid,
    pub page: PageRequest<C>,
}

/// A community and one of its members.
pub struct CommunityMemberRef {
    pub community: Uuid,
    pub member: Uuid,
}

/// Lists communities, the viewer's own first, then the other public ones, each part by descending size. The size is the
/// sort key, so a community whose size changes between two pages may appear twice or not at all.
pub async fn list(
    db: &mut PgConnection,
    viewer: Option<Uuid>,
    query: &ListCommunities,
) -> Result<Page<Community>, Error> {
    let (own, others) =
        if query.after.own { (query.after, CommunityCursor::FIRST) } else { (CommunityCursor::LAST, query.after) };
    let rows = sqlx::query_as!(
        Community,
        r#"with mine as materialized (
            select community_id, role
            from social_graph.memberships
            where member_id = $1
        ),
        asked as materialized (
            select community_id
            from social_graph.community_requests
            where member_id = $1
        ),
        invited as materialized (
            select community_id
            from social_graph.community_invitations
            where member_id = $1
                and declined_at is null
                and not is_withheld
        ),
        own as materialized (
            select c.id, c.name, c.description, c.member_count, m.role, c.created_at, c.visibility, c.joining
            from mine m
            join social_graph.communities c on c.id = m.community_id
            where (c.member_count, c.id) < ($2, $3)
            order by c.member_count desc, c.id desc
            limit $6
        ),
        others as materialized (
            select id, name, description, member_count, created_at, visibility, joining
            from social_graph.communities
            where visibility = 'public'
                and (member_count, id) < ($4, $5)
                and id not in (select community_id from mine)
            order by member_count desc, id desc
            limit $6 - (select count(*) from own)
        )
        select
            id as "id!", name as "name!", description, null as "rules: String", member_count as "member_count!",
            role as "role: Role", created_at as "created_at!", visibility as "visibility!: Visibility",
            joining as "joining!: Joining", id in (select community_id from asked) as "is_requested!",
            id in (select community_id from invited) as "is_invited!"
        from (
            select 1 as part, id, name, description, member_count, role, created_at, visibility, joining
            from own
            union all
            select 2, id, name, description, member_count, null, created_at, visibility, joining
            from others
        ) as parts
        order by part, member_count desc, id desc"#,
        viewer,
        own.members,
        own.id,
        others.members,
        others.id,
        query.size.to_fetch(),
    )
    .fetch_all(db)
    .await?;
    Ok(Page::cut(rows, query.size, |community| CommunityCursor {
        own: community.role.is_some(),
        members: community.member_count,
        id: community.id,
    }))
}

/// Returns the number of communities that the viewer sees: the stored number of public ones, and the viewer's private
/// ones.
pub async fn count(db: &mut PgConnection, viewer: Option<Uuid>) -> Result<i64, Error> {
    let count = sqlx::query_scalar!(
        r#"select t.communities + (
            select count(*)
            from social_graph.memberships
            where member_id = $1
                and is_private
        ) as "count!"
        from social_graph.totals t
        where t.id = 1"#,
        viewer,
    );
    Ok(count.fetch_one(db).await?)
}

/// Returns one community, with its rules.
pub async fn get(db: &mut PgConnection, viewer: Option<Uuid>, id: Uuid) -> Result<Community, Error> {
    let community = sqlx::query_as!(
        Community,
        r#"select
            c.id, c.name, c.description, c.rules, c.member_count, m.role as "role?: Role", c.created_at,
            c.visibility as "visibility: Visibility", c.joining as "joining: Joining",
            r.member_id is not null as "is_requested!", i.member_id is not null as "is_invited!"
        from social_graph.communities c
        left join social_graph.memberships m on m.community_id = c.id and m.member_id = $1
        left join social_graph.community_requests r on r.community_id = c.id and r.member_id = $1
        left join social_graph.community_invitations i
            on i.community_id = c.id
            and i.member_id = $1
            and i.declined_at is null
            and not i.is_withheld
        where c.id = $2
            and (c.visibility = 'public' or m.member_id is not null or i.member_id is not null)"#,
        viewer,
        id,
    );
    community.fetch_optional(db).await?.ok_or(Error::CommunityNotFound)
}

/// Communities that the viewer may see, in the form of lists.
pub async fn batch_get(db: &mut PgConnection, viewer: Option<Uuid>, ids: &[Uuid]) -> Result<Vec<Community>, Error> {
    let communities = sqlx::query_as!(
        Community,
        r#"with asked as materialized (
            select community_id
            from social_graph.community_requests
            where member_id = $1
        ),
        invited as materialized (
            select community_id
            from social_graph.community_invitations
            where member_id = $1
                and declined_at is null
                and not is_withheld
        )
        select
            c.id, c.name, c.description, null as "rules: String", c.member_count, m.role as "role?: Role", c.created_at,
            c.visibility as "visibility: Visibility", c.joining as "joining: Joining",
            c.id in (select community_id from asked) as "is_requested!",
            c.id in (select community_id from invited) as "is_invited!"
        from social_graph.communities c
        left join social_graph.memberships m on m.community_id = c.id and m.member_id = $1
        where c.id = any((select $2::uuid[])::uuid[])
            and (
                c.visibility = 'public'
                or m.member_id is not null
                or c.id in (select community_id from invited)
            )"#,
        viewer,
        ids,
    );
    Ok(communities.fetch_all(db).await?)
}

/// Returns the refusal of a write, or "not found" to a caller who does not see the community.
pub async fn refusal(db: &mut PgConnection, caller: Uuid, id: Uuid, error: Error) -> Error {
    match get(db, Some(caller), id).await {
        Ok(_) => error,
        Err(not_found) => not_found,
    }
}

/// Distinguishes an empty list from a missing permission.
async fn require_moderator(db: &mut PgConnection, community: Uuid, member: Uuid) -> Result<(), Error> {
    match get(db, Some(member), community).await?.role {
        Some(Role::Owner | Role::Moderator) => Ok(()),
        Some(Role::Member) | None => Err(Error::NotModerator),
    }
}
