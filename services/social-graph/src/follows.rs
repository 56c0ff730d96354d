//! Following: a member reads the posts of another without a connection. A block ends it in both directions.

use chrono::{DateTime, Utc};
use outbox::UnitOfWork;
use primitives::input::{Cursor, Page};
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{connections::allowance, error::Error, members, paging::PageRequest, publishing};

/// The maximum number of members that a member follows.
const MAX_FOLLOWED: i64 = 2_000;

pub struct Follow {
    pub followed_id: Uuid,
    pub followed_at: DateTime<Utc>,
}

/// A position in a list of followed members.
#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FollowCursor {
    followed: DateTime<Utc>,
    id: Uuid,
}

impl Cursor for FollowCursor {}

impl FollowCursor {
    pub const FIRST: Self = Self { followed: DateTime::<Utc>::MAX_UTC, id: Uuid::max() };
}

pub type ListFollows = PageRequest<FollowCursor>;

/// Follows a member, unless the member follows them already. The lock of both members serialises it with blocks, with
/// deactivation and with other requests of the follower, so that the limit is exact. `scale` multiplies the allowance of follows.
///
/// # Errors
/// [`Error::MemberNotFound`] for a closed account, a block in either direction and a profile that only connections may see;
/// [`Error::TooManyFollowed`] beyond the limit.
pub async fn follow(work: &mut UnitOfWork<'_>, member: Uuid, other: Uuid, scale: u32) -> Result<(), Error> {
    members::lock_pair(work, member, other).await?;
    let outcome = sqlx::query!(
        r#"with open as (
            select m.member_id
            from social_graph.members m
            where m.member_id = $2
                and not m.hidden
                and (
                    not m.unlisted
                    or exists (
                        select
                        from social_graph.connections c
                        where least(c.requester_id, c.recipient_id) = least($1, $2)
                            and greatest(c.requester_id, c.recipient_id) = greatest($1, $2)
                            and c.status = 'accepted'
                    )
                )
                and not exists (
                    select
                    from social_graph.blocks
                    where (blocker_id = $1 and blocked_id = $2)
                        or (blocker_id = $2 and blocked_id = $1)
                )
        ),
        inserted as (
            insert into social_graph.follows (follower_id, followed_id, followed_at)
            select $1, member_id, $3
            from open
            where (select count(*) from social_graph.follows where follower_id = $1) < $4
            on conflict (follower_id, followed_id) do nothing
            returning followed_id
        )
        select
            exists (select from open) as "is_open!",
            exists (select from inserted) as "is_new!",
            exists (select from social_graph.follows where follower_id = $1 and followed_id = $2) as "is_known!""#,
        member,
        other,
        work.now,
        MAX_FOLLOWED,
    )
    .fetch_one(&mut *work.db)
    .await?;
    match (outcome.is_open, outcome.is_new, outcome.is_known) {
        (false, ..) => Err(Error::MemberNotFound),
        (true, false, false) => Err(Error::TooManyFollowed),
        (true, false, true) => Ok(()),
        (true, true, _) => {
            allowance::count_follow(work, member, scale).await?;
            publishing::publish_followed(work, member, other).await
        }
    }
}

/// Unfollows a member.
pub async fn unfollow(work: &mut UnitOfWork<'_>, member: Uuid, other: Uuid) -> Result<(), Error> {
    let deleted = sqlx::query!(
        "delete from social_graph.follows
        where follower_id = $1
            and followed_id = $2",
        member,
        other,
    )
    .execute(&mut *work.db)
    .await?;
    if deleted.rows_affected() == 1 { publishing::publish_unfollowed(work, member, other).await } else { Ok(()) }
}

/// Ends both directions between two members who are locked, for a block.
pub async fn remove_for_block(work: &mut UnitOfWork<'_>, one: Uuid, other: Uuid) -> Result<(), Error> {
    let removed = sqlx::query!(
        "delete from social_graph.follows
        where (follower_id = $1 and followed_id = $2)
            or (follower_id = $2 and followed_id = $1)
        returning follower_id, followed_id",
        one,
        other,
    );
    for pair in removed.fetch_all(&mut *work.db).await? {
        publishing::publish_unfollowed(work, pair.follower_id, pair.followed_id).await?;
    }
    Ok(())
}

/// Whether a member follows another with an open account.
pub async fn is_followed(db: &mut PgConnection, member: Uuid, other: Uuid) -> Result<bool, Error> {
    let followed = sqlx::query_scalar!(
        r#"select exists (
            select
            from social_graph.follows f
            where f.follower_id = $1
                and f.followed_id = $2
                and not exists (
                    select
                    from social_graph.members m
                    where m.member_id = f.followed_id
                        and m.hidden
                )
        ) as "followed!""#,
        member,
        other,
    );
    Ok(followed.fetch_one(db).await?)
}

/// Lists the members that `member` follows, newest first, without closed accounts.
pub async fn list(db: &mut PgConnection, member: Uuid, query: &ListFollows) -> Result<Page<Follow>, Error> {
    let rows = sqlx::query_as!(
        Follow,
        "select f.followed_id, f.followed_at
        from social_graph.follows f
        where f.follower_id = $1
            and (f.followed_at, f.followed_id) < ($2, $3)
            and not exists (
                select
                from social_graph.members m
                where m.member_id = f.followed_id
                    and m.hidden
            )
        order by f.followed_at desc, f.followed_id desc
        limit $4",
        member,
        query.after.followed,
        query.after.id,
        query.size.to_fetch(),
    )
    .fetch_all(db)
    .await?;
    Ok(Page::cut(rows, query.size, |follow| FollowCursor { followed: follow.followed_at, id: follow.followed_id }))
}
