//! The facts that profile publishes.

mod snapshot;

use chrono::{DateTime, Utc};
use outbox::Outbox;
use portia_proto::profile::{
    self, MemberChanged, PrivacyChanged, SkillEndorsed, SkillEndorsementRemoved, VerificationCause, VerificationChanged,
};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{
    decisions::{Cause, Decision},
    endorsements::Skill,
    error::Error,
    privacy::{MessageAudience, PrivacySettings, ProfileAudience},
};

pub use self::snapshot::MemberSnapshot;

/// Publishes MemberChanged with the current row, so call it after the change. Caches then drop the card.
pub async fn publish_member_changed(
    outbox: &Outbox,
    db: &mut PgConnection,
    id: Uuid,
    at: DateTime<Utc>,
) -> Result<(), Error> {
    let member = sqlx::query!(
        "select school, location
        from profile.members
        where id = $1
            and not hidden",
        id,
    )
    .fetch_optional(&mut *db)
    .await?;
    let fact = match member {
        Some(member) => member_changed(id, member.school, member.location),
        None => MemberChanged { member_id: id.to_string(), ..MemberChanged::default() },
    };
    Ok(outbox.publish(db, id, &fact, at).await?)
}

fn member_changed(id: Uuid, school: Option<String>, location: Option<String>) -> MemberChanged {
    MemberChanged {
        member_id: id.to_string(),
        school: Some(school.unwrap_or_default()),
        location: Some(location.unwrap_or_default()),
    }
}

/// Publishes the settings, or their deletion with the account: before MemberChanged, the last fact about a member.
pub async fn publish_privacy_changed(
    outbox: &Outbox,
    db: &mut PgConnection,
    id: Uuid,
    settings: Option<PrivacySettings>,
    at: DateTime<Utc>,
) -> Result<(), Error> {
    let fact = PrivacyChanged { member_id: id.to_string(), settings: settings.map(Into::into) };
    Ok(outbox.publish(db, id, &fact, at).await?)
}

pub async fn publish_endorsed(
    outbox: &Outbox,
    db: &mut PgConnection,
    skill: &Skill,
    endorser: Uuid,
    at: DateTime<Utc>,
) -> Result<(), Error> {
    let Skill { member_id, name } = skill;
    let fact =
        SkillEndorsed { member_id: member_id.to_string(), skill: name.clone(), endorser_id: endorser.to_string() };
    Ok(outbox.publish(db, member_id, &fact, at).await?)
}

pub async fn publish_endorsement_removed(
    outbox: &Outbox,
    db: &mut PgConnection,
    skill: &Skill,
    endorser: Uuid,
    at: DateTime<Utc>,
) -> Result<(), Error> {
    let Skill { member_id, name } = skill;
    let fact = SkillEndorsementRemoved {
        member_id: member_id.to_string(),
        skill: name.clone(),
        endorser_id: endorser.to_string(),
    };
    Ok(outbox.publish(db, member_id, &fact, at).await?)
}

/// Publishes a change of a verification. The card changes too, so callers also publish MemberChanged.
pub async fn publish_verification_changed(
    outbox: &Outbox,
    db: &mut PgConnection,
    decision: &Decision<'_>,
    verified: bool,
) -> Result<(), Error> {
    let fact = VerificationChanged {
        decision_id: decision.id.to_string(),
        member_id: decision.member.to_string(),
        verified,
        school: decision.school.unwrap_or_default().to_owned(),
        cause: VerificationCause::from(decision.cause).into(),
    };
    Ok(outbox.publish(db, decision.member, &fact, decision.at).await?)
}

// Responses contain these values in the same form.

impl From<PrivacySettings> for profile::PrivacySettings {
    fn from(settings: PrivacySettings) -> Self {
        let profile_audience = match settings.profile_audience {
            ProfileAudience::Public => profile::ProfileAudience::Public,
            ProfileAudience::Members => profile::ProfileAudience::Members,
            ProfileAudience::Connections => profile::ProfileAudience::Connections,
        };
        let message_audience = match settings.message_audience {
            MessageAudience::Everyone => profile::MessageAudience::Everyone,
            MessageAudience::Connections => profile::MessageAudience::Connections,
            MessageAudience::RepliesOnly => profile::MessageAudience::RepliesOnly,
        };
        Self {
            profile_audience: profile_audience.into(),
            message_audience: message_audience.into(),
            search_engines: settings.search_engines,
            activity_shown: settings.activity_shown,
            read_receipts: settings.read_receipts,
        }
    }
}

impl From<Cause> for VerificationCause {
    fn from(cause: Cause) -> Self {
        match cause {
            Cause::Operator => Self::Operator,
            Cause::Steward => Self::Steward,
            Cause::NameChanged => Self::NameChanged,
            Cause::SchoolChanged => Self::SchoolChanged,
            Cause::AccountClosed => Self::AccountClosed,
        }
    }
}
