//! Telling a member what nobody did: it has no cause, and stands until the member is gone.

use sqlx::PgConnection;
use uuid::Uuid;

use super::{Bell, Done, counts};
use crate::notifications::Kind;

/// As much of a name as a notification keeps, in characters.
const LONGEST: usize = 200;

impl Bell {
    /// Tells a member of something about `subject`, once, if they want to hear of the kind and their account is not gone.
    pub async fn announce(&self, db: &mut PgConnection, kind: Kind, subject: Uuid, name: &str, member: Uuid) -> Done {
        for (member, at) in self.take(db, vec![member]).await? {
            let told = sqlx::query!(
                "insert into messaging.notifications
                    (id, member_id, kind, subject_id, detail, active_at, member_ids, member_count)
                select $1, $2, $3, $4, $5, $6, '{}', 0
                where not exists (select from messaging.erasures e where e.member_id = $2)
                    and coalesce((
                        select s.is_on
                        from messaging.notification_switches s
                        where s.member_id = $2
                            and s.kind = $3
                    ), $7)
                on conflict (member_id, kind, subject_id, detail) do nothing",
                self.ids.owned_by(member),
                member,
                kind as Kind,
                subject,
                name.chars().take(LONGEST).collect::<String>(),
                at,
                kind.on_by_default(),
            );
            if told.execute(&mut *db).await?.rows_affected() == 1 {
                counts::more(db, &[member]).await?;
                self.changed(db, &[member]).await?;
            }
        }
        Ok(())
    }
}
