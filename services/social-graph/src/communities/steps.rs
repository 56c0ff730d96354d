//! How communities come about, change and find their members: each step one conditional statement, and what came back of
//! it tells what happened. Counts follow in the same transaction.
//!
//! What a statement may do often depends on other rows than the one it writes: on who else owns the community, or on
//! whether the member's account is closed. Those rows are locked by statements before it, so that it sees what whoever it
//! waited for did. Everybody locks the member, then communities, then the totals.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use super::{Belonging, Role, Wording};
use crate::{error::Error, members, search};

/// Founds a community, whose owner and first member is `member`, who is locked ([`members::lock`]).
pub async fn found(
    db: &mut PgConnection,
    id: Uuid,
    member: Uuid,
    wording: &Wording,
    now: DateTime<Utc>,
) -> Result<(), Error> {
    sqlx::query!(
        "with founded as (
            insert into social_graph.communities
                (id, name, name_key, description, rules, member_count, created_at)
            select $1, $3, $4, $5, $6, case when hidden then 0 else 1 end, $7
            from social_graph.members
            where member_id = $2
            returning id
        )
        insert into social_graph.memberships (community_id, member_id, role, joined_at, hidden)
        select f.id, m.member_id, 'owner', $7, m.hidden
        from founded f, social_graph.members m
        where m.member_id = $2",
        id,
        member,
        &*wording.name,
        wording.name_key,
        wording.description.as_deref(),
        wording.rules.as_deref(),
        now,
    )
    .execute(&mut *db)
    .await?;
    search::index(db, id).await?;
    count(db, 1).await?;
    Ok(())
}

/// Changes how many communities there are.
pub async fn count(db: &mut PgConnection, by: i64) -> Result<(), sqlx::Error> {
    sqlx::query!("update social_graph.totals set communities = communities + $1 where id = 1", by).execute(db).await?;
    Ok(())
}

/// Changes what a community says of itself. True when it is called otherwise than before.
pub async fn update(db: &mut PgConnection, id: Uuid, member: Uuid, wording: &Wording) -> Result<bool, Error> {
    let former = lock(db, id).await?;
    let updated = sqlx::query!(
        "update social_graph.communities c
        set
            name = $3,
            name_key = $4,
            description = $5,
            rules = $6
        where c.id = $1
            and exists (
                select
                from social_graph.memberships m
                where m.community_id = c.id
                    and m.member_id = $2
                    and m.role = 'owner'
            )",
        id,
        member,
        &*wording.name,
        wording.name_key,
        wording.description.as_deref(),
        wording.rules.as_deref(),
    )
    .execute(&mut *db)
    .await?;
    if updated.rows_affected() == 0 {
        return Err(Error::NotOwner);
    }
    search::index(db, id).await?;
    Ok(*former != *wording.name)
}

/// Makes `member` belong to a community. False when they did already.
pub async fn join(db: &mut PgConnection, id: Uuid, member: Uuid, now: DateTime<Utc>) -> Result<bool, Error> {
    members::lock(db, member, now).await?;
    lock(db, id).await?;
    let joined = sqlx::query!(
        "with joined as (
            insert into social_graph.memberships (community_id, member_id, role, joined_at, hidden)
            select $1, member_id, 'member', $3, hidden
            from social_graph.members
            where member_id = $2
            on conflict (community_id, member_id) do nothing
            returning community_id, hidden
        )
        update social_graph.communities c
        set member_count = c.member_count + case when j.hidden then 0 else 1 end
        from joined j
        where c.id = j.community_id",
        id,
        member,
        now,
    )
    .execute(db)
    .await?;
    Ok(joined.rows_affected() == 1)
}

/// Ends a membership, but not that of the last owner whose account is open. False when there was none.
pub async fn leave(db: &mut PgConnection, id: Uuid, member: Uuid, now: DateTime<Utc>) -> Result<bool, Error> {
    members::lock(db, member, now).await?;
    lock(db, id).await?;
    let left = sqlx::query!(
        r#"with standing as (
            select community_id
            from social_graph.memberships
            where community_id = $1
                and member_id = $2
        ),
        gone as (
            delete from social_graph.memberships m
            where m.community_id = $1
                and m.member_id = $2
                and (
                    m.role <> 'owner'
                    or exists (
                        select
                        from social_graph.memberships o
                        where o.community_id = $1
                            and o.member_id <> $2
                            and o.role = 'owner'
                            and not o.hidden
                    )
                )
            returning m.community_id, m.hidden
        ),
        counted as (
            update social_graph.communities c
            set member_count = c.member_count - case when g.hidden then 0 else 1 end
            from gone g
            where c.id = g.community_id
        )
        select exists (select from standing) as "belonged!", exists (select from gone) as "left!""#,
        id,
        member,
    )
    .fetch_one(db)
    .await?;
    if left.belonged && !left.left { Err(Error::LastOwner) } else { Ok(left.left) }
}

/// Makes `other` an owner or a member, at the wish of an owner, and tells whether they were something else before. Blocks
/// are no matter here: an owner could else keep others from making them a member again by blocking them.
pub async fn set_role(
    db: &mut PgConnection,
    id: Uuid,
    member: Uuid,
    other: Uuid,
    role: Role,
) -> Result<(Belonging, bool), Error> {
    lock(db, id).await?;
    let set = sqlx::query!(
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
    .fetch_one(db)
    .await?;
    match (set.allowed, set.joined_at, set.moved) {
        (false, ..) => Err(Error::NotOwner),
        (true, None, _) => Err(Error::MemberNotFound),
        (true, Some(_), false) => Err(Error::LastOwner),
        (true, Some(joined_at), true) => Ok((Belonging { member_id: other, role, joined_at }, set.was != Some(role))),
    }
}

/// Locks a community until the transaction ends, and tells what it is called.
async fn lock(db: &mut PgConnection, id: Uuid) -> Result<String, Error> {
    let name = sqlx::query_scalar!("select name from social_graph.communities where id = $1 for update", id);
    name.fetch_optional(db).await?.ok_or(Error::CommunityNotFound)
}
