//! Which kinds of notification a member wants.

use sqlx::PgConnection;
use uuid::Uuid;

use super::Kind;
use crate::error::Error;

/// A kind, on or off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Switch {
    pub kind: Kind,
    pub on: bool,
}

/// Every kind, once, as the member has it.
pub async fn of(db: &mut PgConnection, member: Uuid) -> Result<Vec<Switch>, Error> {
    let turned = sqlx::query!(
        r#"select kind as "kind: Kind", is_on
        from messaging.notification_switches
        where member_id = $1"#,
        member,
    )
    .fetch_all(db)
    .await?;
    let on = |kind: Kind| turned.iter().find(|row| row.kind == kind).map_or(kind.on_by_default(), |row| row.is_on);
    Ok(Kind::ALL.into_iter().map(|kind| Switch { kind, on: on(kind) }).collect())
}

/// Turns kinds on or off, from now on; those not named stay as they are.
pub async fn turn(db: &mut PgConnection, member: Uuid, switches: &[Switch]) -> Result<(), Error> {
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
