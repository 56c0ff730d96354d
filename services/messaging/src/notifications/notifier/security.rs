//! Security notices. No switch, block or push topic suppresses them.

use chrono::{DateTime, Utc};
use outbox::UnitOfWork;
use uuid::Uuid;

use super::{counts, lock_and_advance};
use crate::{error::Error, notifications::Kind, publishing::publish_notifications_changed, push::queue};

/// A change of the security of a member's account, and the browser that made it.
pub struct SecurityNotice {
    pub id: Uuid,
    pub member: Uuid,
    /// The name of the cause, such as `password_changed`.
    pub cause: &'static str,
    pub at: DateTime<Utc>,
    pub user_agent: Option<String>,
    pub address: Option<String>,
    /// The session that made the change. Its browser needs no push.
    pub session: Option<Uuid>,
    /// The names of the passkeys that remain after a password reset.
    pub passkeys: Vec<String>,
}

/// Notifies the member once, unless the account is erased.
pub async fn warn(work: &mut UnitOfWork<'_>, notice: &SecurityNotice) -> Result<(), Error> {
    let member = notice.member;
    for (member, at) in lock_and_advance(work, &[member]).await? {
        let inserted = sqlx::query!(
            "insert into messaging.notifications
                (id, member_id, kind, subject_id, detail, active_at, member_ids, member_count, user_agent, address,
                happened_at, passkeys)
            select $1, $2, $3, $4, $5, $6, '{}', 0, $7, $8, $9, $10
            where not exists (select from messaging.erasures e where e.member_id = $2)
            on conflict (member_id, kind, subject_id, detail) do nothing",
            work.ids.owned_by(member),
            member,
            Kind::Security as Kind,
            notice.id,
            notice.cause,
            at,
            notice.user_agent,
            notice.address,
            notice.at,
            &notice.passkeys,
        );
        if inserted.execute(&mut *work.db).await?.rows_affected() == 1 {
            counts::increment(work.db, &[member]).await?;
            publish_notifications_changed(work, &[member]).await?;
            queue::security_notice(work.db, notice.id, member, notice.session, at).await?;
        }
    }
    Ok(())
}
