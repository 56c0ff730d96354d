//! Memberships of communities. Each write is one conditional statement whose result says what happened.
//!
//! A statement may depend on other rows than the one it writes: the other owners, or the member's account. Earlier
//! statements lock those rows, so that it sees their committed state. Lock order: member, communities.

use chrono::{DateTime, Utc};
use outbox::UnitOfWork;
use primitives::input::{Cursor, Page};
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use uuid::Uuid;

use super::{
    Role,
    changes::lock,
    get, invitations,
    log::{self, Action, NewEntry},
    refusal,
};
use crate::{error::Error, members, paging::PageRequest, publishing};

#[derive(Clone, Debug)]
pub struct Membership {
    pub member_id: Uuid,
    pub role: Role,
    pub joined_at: DateTime<Utc>,
}

/// A position in a community's list of members: owners first, then by time of joining.
#[derive(Clone, Copy, Serialize, Deserialize)]
pub struct MembershipCursor {
    /// After the owners.
    others: bool,
    at: DateTime<Utc>,
    id: Uuid,
}

impl Cursor for MembershipCursor {}

impl MembershipCursor {
    pub const FIRST: Self = Self { others: false, at: DateTime::UNIX_EPOCH, id: Uuid::nil() };
}

pub struct ListMembers {
    pub community: Uuid,
    pub page: PageRequest<MembershipCursor>,
}

pub struct SetMemberRole {
    pub community: Uuid,
    pub member: Uuid,
    pub role: Role,
}

/// Lists the members of a community, without closed accounts. Leaves out blocks of the viewer in either direction,
/// unless the viewer moderates the community: a member could prevent their removal by blocking the moderators. Only
/// members see the list of a private community.
pub async fn list(db: &mut PgConnection, viewer: Option<Uuid>, query: &ListMembers) -> Result<Page<Membership>, Error> {
    let after = query.page.after;
    let rows = sqlx::query_as!(
        Membership,
        r#"with standing as materialized (
            select role
            from social_graph.memberships
            where community_id = $1
                and member_id = $2
        ),
        unseen as materialized (
            select member_id
            from (
                select blocked_id as member_id
                from social_graph.blocks
                where blocker_id = $2
                union all
                select blocker_id
                from social_graph.blocks
                where blocked_id = $2
            ) as blocked
            where not exists (select from standing where role in ('owner', 'moderator'))
        )
        select member_id, role as "role: Role", joined_at
        from social_graph.memberships
        where community_id = $1
            and not hidden
            and (not is_private or exists (select from standing))
            and ((role <> 'owner'), joined_at, member_id) > ($3, $4, $5)
            and member_id not in (select member_id from unseen)
        order by (role <> 'owner'), joined_at, member_id
        limit $6"#,
        query.community,
        viewer,
        after.others,
        after.at,
        after.id,
        query.page.size.to_fetch(),
    )
    .fetch_all(&mut *db)
    .await?;
    if rows.is_empty() {
        get(db, viewer, query.community).await?;
    }
    Ok(Page::cut(rows, query.page.size, |row| MembershipCursor {
        others: row.role != Role::Owner,
        at: row.joined_at,
        id: row.member_id,
    }))
}

/// Sets the role of a member for the owner `member`. Ignores blocks: otherwise an owner could
/// prevent the others from demoting them by blocking them.
pub async fn set_role(work: &mut UnitOfWork<'_>, member: Uuid, set: &SetMemberRole) -> Result<Membership, Error> {
    let &SetMemberRole { community: id, member: other, role } = set;
    members::lock_existing(work.db, member, other).await?;
    lock(work.db, id).await?;
    let outcome = sqlx::query!(
        r#"with standing as (
            select
                exists (
                    select
                    from social_graph.memberships
                    where community_id = $1
                        and member_id = $2
                        and role = 'owner'
                ) as allowed,
                them.joined_at, them.role
            from (values (1)) as one (n)
            left join social_graph.memberships them
                on them.community_id = $1
                and them.member_id = $3
                and not them.hidden
        ),
        moved as (
            update social_graph.memberships m
            set role = $4
            from standing s
            where m.community_id = $1
                and m.member_id = $3
                and s.allowed
                and s.joined_at is not null
                and (
                    m.role <> 'owner'
                    or $4 = 'owner'
                    or exists (
                        select
                        from social_graph.memberships o
                        where o.community_id = $1
                            and o.member_id <> $3
                            and o.role = 'owner'
                            and not o.hidden
                    )
                )
            returning m.member_id
        )
        select
            allowed as "allowed!", joined_at as "joined_at?", role as "was?: Role", exists (select from moved) as "moved!"
        from standing"#,
        id,
        member,
        other,
        role as Role,
    )
    .fetch_one(&mut *work.db)
    .await?;
    let joined_at = match (outcome.allowed, outcome.joined_at, outcome.moved) {
        (false, ..) => return Err(refusal(work.db, member, id, Error::NotOwner).await),
        (true, None, _) => return Err(Error::MemberNotFound),
        (true, Some(_), false) => return Err(Error::LastOwner),
        (true, Some(joined_at), true) => joined_at,
    };
    if outcome.was != Some(role) {
        record_role(work, member, set).await?;
    }
    Ok(Membership { member_id: other, role, joined_at })
}

async fn record_role(work: &mut UnitOfWork<'_>, owner: Uuid, set: &SetMemberRole) -> Result<(), Error> {
    let &SetMemberRole { community, member, role } = set;
    publishing::publish_community_joined(work, community, member, role).await?;
    invitations::end_by_author(work, community, member).await?;
    let entry = NewEntry::new(work.ids, community, Action::RoleSet, owner, member);
    log::insert(work, &NewEntry { role: Some(role), ..entry }).await
}
