//! The switches of a member: whether notifications of a kind are on.

use sqlx::PgConnection;
use uuid::Uuid;

use super::Kind;
use crate::error::Error;

/// The switch for one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Switch {
    pub kind: Kind,
    pub on: bool,
}

/// Lists the switches for all kinds, stored or default.
pub async fn list(db: &mut PgConnection, member: Uuid) -> Result<Vec<Switch>, Error> {
    let stored = sqlx::query!(
        r#"select kind as "kind: Kind", is_on
        from messaging.notification_switches
        where member_id = $1
            and kind = any ($2)"#,
        member,
        Kind::ALL as &[Kind],
    )
    .fetch_all(db)
    .await?;
    let on = |kind: Kind| stored.iter().find(|row| row.kind == kind).map_or(kind.on_by_default(), |row| row.is_on);
    Ok(Kind::switchable().map(|kind| Switch { kind, on: on(kind) }).collect())
}

/// Sets switches for later notifications. Other kinds keep theirs.
pub async fn set(db: &mut PgConnection, member: Uuid, switches: &[Switch]) -> Result<(), Error> {
    for switch in switches {
        sqlx::query!(
            "insert into messaging.notification_switches (member_id, kind, is_on)
            values ($1, $2, $3)
            on conflict (member_id, kind) do update
            set is_on = excluded.is_on",
            member,
            switch.kind as Kind,
            switch.on,
        )
        .execute(&mut *db)
        .await?;
    }
    Ok(())
}
