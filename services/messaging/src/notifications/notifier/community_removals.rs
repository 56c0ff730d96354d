//! Notifies authors of content that an owner or moderator removed from a community. Members cannot turn these
//! notifications off, and no push topic covers them.

use outbox::UnitOfWork;
use uuid::Uuid;

use super::{counts, lock_and_advance};
use crate::{error::Error, notifications::Kind, publishing::publish_notifications_changed};

/// A removed post or comment.
pub struct CommunityRemoval<'a> {
    pub id: Uuid,
    pub community: Uuid,
    /// A word such as `off_topic`; empty without a reason.
    pub reason: &'a str,
}

/// Notifies the author once, unless the account is erased.
pub async fn announce_community_removal(
    work: &mut UnitOfWork<'_>,
    removal: &CommunityRemoval<'_>,
    author: Uuid,
) -> Result<(), Error> {
    for (member, at) in lock_and_advance(work, &[author]).await? {
        let inserted = sqlx::query!(
            "insert into messaging.notifications
                (id, member_id, kind, subject_id, detail, active_at, member_ids, member_count, community_id)
            select $1, $2, $3, $4, $5, $6, '{}', 0, $7
            where not exists (select from messaging.erasures e where e.member_id = $2)
            on conflict (member_id, kind, subject_id, detail) do nothing",
            work.ids.owned_by(member),
            member,
            Kind::CommunityContentRemoved as Kind,
            removal.id,
            removal.reason,
            at,
            removal.community,
        );
        if inserted.execute(&mut *work.db).await?.rows_affected() == 1 {
            counts::increment(work.db, &[member]).await?;
            publish_notifications_changed(work, &[member]).await?;
        }
    }
    Ok(())
}
