//! The export of a member's data.

use chrono::{DateTime, NaiveDate, Utc};
use data_export::{ExportError, ExportSource};
use portia_proto::profile::ExportMemberResponse;
use serde::Serialize;
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{decisions::Cause, members};

pub type Exporter = data_export::Exporter<MemberData>;
pub type RecordStream = data_export::RecordStream<ExportMemberResponse>;
type RecordWriter = data_export::RecordWriter<ExportMemberResponse>;

/// The sections of an export. social-graph exports the connections and blocks.
#[derive(Clone, Copy, Debug)]
pub struct MemberData;

impl ExportSource for MemberData {
    type Record = ExportMemberResponse;

    fn record(section: String, json: String) -> ExportMemberResponse {
        ExportMemberResponse { section, json }
    }

    async fn write(&self, db: &mut PgConnection, id: Uuid, to: &RecordWriter) -> Result<(), ExportError> {
        profile(db, id, to).await?;
        privacy(db, id, to).await?;
        verifications(db, id, to).await?;
        stewardship(db, id, to).await?;
        decisions_made(db, id, to).await?;
        onboarding(db, id, to).await?;
        endorsements_received(db, id, to).await?;
        endorsements_given(db, id, to).await?;
        views(db, id, to).await?;
        pictures(db, id, to).await
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Profile<'a> {
    id: Uuid,
    username: &'a str,
    full_name: &'a str,
    headline: Option<&'a str>,
    location: Option<&'a str>,
    bio: Option<&'a str>,
    avatar_url: Option<&'a str>,
    website: Option<&'a str>,
    linkedin: Option<&'a str>,
    school: Option<&'a str>,
    graduation_year: Option<&'a str>,
    jurisdictions: &'a [String],
    interests: &'a [String],
    created_at: DateTime<Utc>,
    verified: bool,
    verified_school: Option<&'a str>,
    profile_views: i64,
    connections: i64,
}

#[derive(Serialize)]
struct Skill<'a> {
    name: &'a str,
    endorsements: i64,
}

async fn profile(db: &mut PgConnection, id: Uuid, to: &RecordWriter) -> Result<(), ExportError> {
    let member = members::get(db, id, Some(id)).await.map_err(tonic::Status::from)?;
    let profile = Profile {
        id,
        username: &member.username,
        full_name: &member.full_name,
        headline: member.headline.as_deref(),
        location: member.location.as_deref(),
        bio: member.bio.as_deref(),
        avatar_url: member.avatar_url.as_deref(),
        website: member.website.as_deref(),
        linkedin: member.linkedin.as_deref(),
        school: member.school.as_deref(),
        graduation_year: member.graduation_year.as_deref(),
        jurisdictions: &member.jurisdictions,
        interests: &member.interests,
        created_at: member.created_at,
        verified: member.verification.is_some(),
        verified_school: member.verification.as_ref().and_then(|verification| verification.school.as_deref()),
        profile_views: member.stats.profile_views,
        connections: member.stats.connections,
    };
    to.write("profile", &profile).await?;
    for experience in &member.experiences {
        to.write("experiences", experience).await?;
    }
    for education in &member.education {
        to.write("education", education).await?;
    }
    for skill in &member.skills {
        to.write("skills", &Skill { name: &skill.skill, endorsements: skill.count }).await?;
    }
    Ok(())
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Privacy {
    profile_audience: String,
    message_audience: String,
    search_engines: bool,
    activity_shown: bool,
    read_receipts: bool,
}

async fn privacy(db: &mut PgConnection, id: Uuid, to: &RecordWriter) -> Result<(), ExportError> {
    let rows = sqlx::query_as!(
        Privacy,
        "select profile_audience, message_audience, search_engines, activity_shown, read_receipts
        from profile.members
        where id = $1",
        id,
    );
    to.write_all("privacy", rows.fetch(db)).await
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct VerificationDecision {
    verified: bool,
    cause: Cause,
    school: Option<String>,
    at: DateTime<Utc>,
}

/// Exports the decisions about the member, without the steward, and without the reason, which may name an informant.
async fn verifications(db: &mut PgConnection, id: Uuid, to: &RecordWriter) -> Result<(), ExportError> {
    let rows = sqlx::query_as!(
        VerificationDecision,
        r#"select verified, cause as "cause: Cause", school, at
        from profile.verification_decisions
        where member_id = $1
        order by at, id"#,
        id,
    );
    to.write_all("verifications", rows.fetch(db)).await
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Stewardship {
    school: String,
    granted_at: DateTime<Utc>,
}

async fn stewardship(db: &mut PgConnection, id: Uuid, to: &RecordWriter) -> Result<(), ExportError> {
    let rows = sqlx::query_as!(
        Stewardship,
        "select school, granted_at
        from profile.stewards
        where member_id = $1",
        id,
    );
    to.write_all("steward", rows.fetch(db)).await
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct DecisionMade {
    member_id: Uuid,
    verified: bool,
    reason: Option<String>,
    at: DateTime<Utc>,
}

async fn decisions_made(db: &mut PgConnection, id: Uuid, to: &RecordWriter) -> Result<(), ExportError> {
    let rows = sqlx::query_as!(
        DecisionMade,
        "select member_id, verified, reason, at
        from profile.verification_decisions
        where steward_id = $1
        order by at, id",
        id,
    );
    to.write_all("verifications-made", rows.fetch(db)).await
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct OnboardingProgress {
    done: Vec<String>,
    skipped: Vec<String>,
    dismissed: bool,
}

async fn onboarding(db: &mut PgConnection, id: Uuid, to: &RecordWriter) -> Result<(), ExportError> {
    let rows = sqlx::query_as!(
        OnboardingProgress,
        "select done, skipped, dismissed
        from profile.onboarding
        where member_id = $1",
        id,
    );
    to.write_all("onboarding", rows.fetch(db)).await
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct EndorsementReceived {
    skill: String,
    endorser_id: Uuid,
    created_at: DateTime<Utc>,
    hidden: bool,
}

async fn endorsements_received(db: &mut PgConnection, id: Uuid, to: &RecordWriter) -> Result<(), ExportError> {
    let rows = sqlx::query_as!(
        EndorsementReceived,
        "select skill, endorser_id, created_at, hidden
        from profile.endorsements e
        where member_id = $1
            and not exists (
                select from profile.members o
                where o.id = e.endorser_id
                    and o.hidden
            )
        order by skill, created_at, endorser_id",
        id,
    );
    to.write_all("endorsements-received", rows.fetch(db)).await
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct EndorsementGiven {
    member_id: Uuid,
    skill: String,
    created_at: DateTime<Utc>,
}

async fn endorsements_given(db: &mut PgConnection, id: Uuid, to: &RecordWriter) -> Result<(), ExportError> {
    let rows = sqlx::query_as!(
        EndorsementGiven,
        "select member_id, skill, created_at
        from profile.endorsements
        where endorser_id = $1
        order by created_at, member_id, skill",
        id,
    );
    to.write_all("endorsements-given", rows.fetch(db)).await
}

#[derive(Serialize)]
struct ViewsPerDay {
    day: NaiveDate,
    viewers: i64,
}

/// Exports the number of viewers per day, not their ids.
async fn views(db: &mut PgConnection, id: Uuid, to: &RecordWriter) -> Result<(), ExportError> {
    let rows = sqlx::query_as!(
        ViewsPerDay,
        r#"select day, count(*) as "viewers!"
        from profile.views
        where member_id = $1
        group by day
        order by day"#,
        id,
    );
    to.write_all("views", rows.fetch(db)).await
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Picture {
    file: String,
    in_use: bool,
}

async fn pictures(db: &mut PgConnection, id: Uuid, to: &RecordWriter) -> Result<(), ExportError> {
    let rows = sqlx::query_as!(
        Picture,
        r#"select hash || '.jpg' as "file!", uses > 0 as "in_use!"
        from profile.pictures
        where member_id = $1
        order by hash"#,
        id,
    );
    to.write_all("pictures", rows.fetch(db)).await
}
