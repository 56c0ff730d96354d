//! Transfer of a community to a moderator, and its dissolution. Lock order: members, communities, totals.

use outbox::UnitOfWork;
use uuid::Uuid;

use super::{
    Role,
    changes::{adjust_count, listed, lock},
    log::{self, Action},
    refusal, search,
};
use crate::{error::Error, members, publishing};

/// Makes the moderator `other` an owner and the owner `member` a moderator. Other owners stay.
///
/// # Errors
/// [`Error::NotOwner`]; [`Error::MemberNotFound`] for a closed account and a member of no such membership;
/// [`Error::NotAModerator`] for other roles.
pub async fn transfer(work: &mut UnitOfWork<'_>, id: Uuid, member: Uuid, other: Uuid) -> Result<(), Error> {
    members::lock_existing(work.db, member, other).await?;
    lock(work.db, id).await?;
    let outcome = sqlx::query!(
        r#"with standing as (
            select us.role is not distinct from 'owner' as allowed, them.role
            from (values (1)) as one (n)
            left join social_graph.memberships us
                on us.community_id = $1
                and us.member_id = $2
            left join social_graph.memberships them
                on them.community_id = $1
                and them.member_id = $3
                and not them.hidden
        ),
        moved as (
            update social_graph.memberships m
            set role = case when m.member_id = $3 then 'owner' else 'moderator' end
            from standing s
            where m.community_id = $1
                and m.member_id in ($2, $3)
                and s.allowed
                and s.role = 'moderator'
            returning m.member_id
        )
        select allowed as "allowed!", role as "role?: Role", exists (select from moved) as "moved!"
        from standing"#,
        id,
        member,
        other,
    )
    .fetch_one(&mut *work.db)
    .await?;
    match (outcome.allowed, outcome.role, outcome.moved) {
        (false, ..) => return Err(refusal(work.db, member, id, Error::NotOwner).await),
        (true, None, _) => return Err(Error::MemberNotFound),
        (true, Some(_), false) => return Err(Error::NotAModerator),
        (true, Some(_), true) => {}
    }
    publishing::publish_community_joined(work, id, other, Role::Owner).await?;
    publishing::publish_community_joined(work, id, member, Role::Moderator).await?;
    log::record(work, id, Action::Transferred, member, other).await
}

/// Deletes a community with its memberships, requests, invitations, bans and log.
///
/// # Errors
/// [`Error::NotOwner`] for other callers than its owners.
pub async fn dissolve(work: &mut UnitOfWork<'_>, id: Uuid, member: Uuid) -> Result<(), Error> {
    let visibility = lock(work.db, id).await?;
    let deleted = sqlx::query!(
        "delete from social_graph.communities c
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
    );
    if deleted.execute(&mut *work.db).await?.rows_affected() == 0 {
        return Err(refusal(work.db, member, id, Error::NotOwner).await);
    }
    search::COMMUNITIES.remove(work.db, &[id]).await?;
    adjust_count(work.db, -listed(visibility)).await?;
    publishing::publish_community_removed(work, id).await
}
