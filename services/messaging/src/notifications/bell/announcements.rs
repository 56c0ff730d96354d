//! Telling a member what nobody did: it has no cause, and stands until the member is gone.

use sqlx::PgConnection;
use uuid::Uuid;

use super::{Bell, Done, counts};
use crate::notifications::Kind;

/// As much of a name as a notification keeps, in characters.
const LONGEST: usize = 200;

impl Bell {
    /// Tells a member of something about `subject`, once, if they want to hear of the kind.
    pub async fn announce(&self, db: &mut PgConnection, kind: Kind, subject: Uuid, name: &str, member: Uuid) -> Done {
        let (members, times) = self.take(db, &[member]).await?;
        let told = sqlx::query!(
            "insert into messaging.notifications
                (id, member_id, kind, subject_id, detail, active_at, member_ids, member_count)
            select $1, taken.member_id, $2, $3, $4, taken.at, '{}', 0
            from unnest($5::uuid[], $6::timestamptz[]) as taken (member_id, at)
            where coalesce((
                    select s.is_on
                    from messaging.notification_switches s
                    where s.member_id = taken.member_id
                        and s.kind = $2
                ), $7)
            on conflict (member_id, kind, subject_id, detail) do nothing",
            self.ids.owned_by(member),
            kind as Kind,
            subject,
            name.chars().take(LONGEST).collect::<String>(),
            &members,
            &times,
            kind.on_by_default(),
        );
        if told.execute(&mut *db).await?.rows_affected() == 0 {
            return Ok(());
        }
        counts::more(db, &members).await?;
        self.changed(db, member).await
    }
}
