//! The snapshot for a new consumer.

use futures::TryStreamExt as _;
use outbox::{After, SnapshotError, SnapshotSource, Snapshotter};
use portia_proto::profile::{MemberChanged, PrivacyChanged, SkillEndorsed};
use sqlx::PgConnection;

use super::member_changed;
use crate::settings::{MessageAudience, PrivacySettings, ProfileAudience};

/// All members, privacy settings that differ from the defaults, and all visible endorsements.
#[derive(Clone, Copy, Debug)]
pub struct MemberSnapshot;

impl SnapshotSource for MemberSnapshot {
    async fn publish(&self, db: &mut PgConnection, to: &mut Snapshotter) -> Result<(), SnapshotError> {
        if let Some(after) = to.start::<MemberChanged>() {
            publish_members(db, to, &after).await?;
        }
        if let Some(after) = to.start::<PrivacyChanged>() {
            publish_privacy_settings(db, to, &after).await?;
        }
        if let Some(after) = to.start::<SkillEndorsed>() {
            publish_endorsements(db, to, &after).await?;
        }
        Ok(())
    }
}

async fn publish_members(db: &mut PgConnection, to: &mut Snapshotter, after: &After) -> Result<(), SnapshotError> {
    let mut members = sqlx::query!(
        "select id, school, location, hidden
        from profile.members
        where id > $1
        order by id",
        after.id(0),
    )
    .fetch(db);
    while let Some(row) = members.try_next().await? {
        let fact = if row.hidden {
            MemberChanged { member_id: row.id.to_string(), ..MemberChanged::default() }
        } else {
            member_changed(row.id, row.school, row.location)
        };
        to.publish(&[&row.id], row.id, &fact).await?;
    }
    Ok(())
}

async fn publish_privacy_settings(
    db: &mut PgConnection,
    to: &mut Snapshotter,
    after: &After,
) -> Result<(), SnapshotError> {
    let mut settings = sqlx::query!(
        r#"select id, profile_audience as "profile_audience: ProfileAudience",
            message_audience as "message_audience: MessageAudience", search_engines, activity_shown, read_receipts
        from profile.members
        where id > $1
            and (
                profile_audience <> 'public'
                or message_audience <> 'everyone'
                or not search_engines
                or not activity_shown
                or not read_receipts
            )
        order by id"#,
        after.id(0),
    )
    .fetch(db);
    while let Some(row) = settings.try_next().await? {
        let settings = PrivacySettings {
            profile_audience: row.profile_audience,
            message_audience: row.message_audience,
            search_engines: row.search_engines,
            activity_shown: row.activity_shown,
            read_receipts: row.read_receipts,
        };
        let fact = PrivacyChanged { member_id: row.id.to_string(), settings: Some(settings.into()) };
        to.publish(&[&row.id], row.id, &fact).await?;
    }
    Ok(())
}

async fn publish_endorsements(db: &mut PgConnection, to: &mut Snapshotter, after: &After) -> Result<(), SnapshotError> {
    let mut endorsements = sqlx::query!(
        "select member_id, skill, endorser_id
        from profile.endorsements
        where not hidden
            and (member_id, skill, endorser_id) > ($1, $2, $3)
        order by member_id, skill, endorser_id",
        after.id(0),
        after.text(1),
        after.id(2),
    )
    .fetch(db);
    while let Some(row) = endorsements.try_next().await? {
        let fact = SkillEndorsed {
            member_id: row.member_id.to_string(),
            skill: row.skill.clone(),
            endorser_id: row.endorser_id.to_string(),
        };
        to.publish(&[&row.member_id, &row.skill, &row.endorser_id], row.member_id, &fact).await?;
    }
    Ok(())
}
