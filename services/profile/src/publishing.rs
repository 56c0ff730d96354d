//! The facts that profile publishes.

mod snapshot;

use outbox::UnitOfWork;
use portia_proto::profile::{
    self, MemberChanged, PrivacyChanged, SkillEndorsed, SkillEndorsementRemoved, VerificationCause, VerificationChanged,
};
use uuid::Uuid;

use crate::{
    decisions::{Cause, Decision},
    error::Error,
    settings::{MessageAudience, PrivacySettings, ProfileAudience},
};

pub use self::snapshot::MemberSnapshot;

/// Publishes MemberChanged with the current row, so call it after the change. Caches then drop the card.
pub async fn publish_member_changed(work: &mut UnitOfWork<'_>, id: Uuid) -> Result<(), Error> {
    let member = sqlx::query!(
        "select school, location
        from profile.members
        where id = $1
            and not hidden",
        id,
    )
    .fetch_optional(&mut *work.db)
    .await?;
    let fact = match member {
        Some(member) => member_changed(id, member.school, member.location),
        None => MemberChanged { member_id: id.to_string(), ..MemberChanged::default() },
    };
    Ok(work.publish(id, &fact).await?)
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
    work: &mut UnitOfWork<'_>,
    id: Uuid,
    settings: Option<PrivacySettings>,
) -> Result<(), Error> {
    let fact = PrivacyChanged { member_id: id.to_string(), settings: settings.map(Into::into) };
    Ok(work.publish(id, &fact).await?)
}

pub async fn publish_endorsed(
    work: &mut UnitOfWork<'_>,
    member: Uuid,
    skill: &str,
    endorser: Uuid,
) -> Result<(), Error> {
    let fact =
        SkillEndorsed { member_id: member.to_string(), skill: skill.to_owned(), endorser_id: endorser.to_string() };
    Ok(work.publish(member, &fact).await?)
}

pub async fn publish_endorsement_removed(
    work: &mut UnitOfWork<'_>,
    member: Uuid,
    skill: &str,
    endorser: Uuid,
) -> Result<(), Error> {
    let fact = SkillEndorsementRemoved {
        member_id: member.to_string(),
        skill: skill.to_owned(),
        endorser_id: endorser.to_string(),
    };
    Ok(work.publish(member, &fact).await?)
}

/// Publishes a change of a verification. The card changes too, so MemberChanged follows.
pub async fn publish_verification_changed(
    work: &mut UnitOfWork<'_>,
    decision_id: Uuid,
    decision: &Decision<'_>,
    verified: bool,
) -> Result<(), Error> {
    let fact = VerificationChanged {
        decision_id: decision_id.to_string(),
        member_id: decision.member.to_string(),
        verified,
        school: decision.school.unwrap_or_default().to_owned(),
        cause: VerificationCause::from(decision.cause).into(),
    };
    Ok(work.publish(decision.member, &fact).await?)
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
