//! The export of a member's data.

use chrono::{DateTime, Utc};
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
        sections(db, id, to).await
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

async fn sections(db: &mut PgConnection, id: Uuid, to: &RecordWriter) -> Result<(), ExportError> {
    data_export::sections!(to, db, id;
        "privacy" [profile_audience, message_audience, search_engines, activity_shown, read_receipts]
        "select profile_audience, message_audience, search_engines, activity_shown, read_receipts
        from profile.members
        where id = $1";

        // The decisions about the member, without the steward, and without the reason, which may name an informant.
        "verifications" [verified, cause, school, at]
        r#"select verified, cause as "cause: Cause", school, at
        from profile.verification_decisions
        where member_id = $1
        order by at, id"#;

        "steward" [school, granted_at]
        "select school, granted_at
        from profile.stewards
        where member_id = $1";

        "verifications-made" [member_id, verified, reason, at]
        "select member_id, verified, reason, at
        from profile.verification_decisions
        where steward_id = $1
        order by at, id";

        "onboarding" [done, skipped, dismissed]
        "select done, skipped, dismissed
        from profile.onboarding
        where member_id = $1";

        "endorsements-received" [skill, endorser_id, created_at, hidden]
        "select skill, endorser_id, created_at, hidden
        from profile.endorsements e
        where member_id = $1
            and not exists (
                select from profile.members o
                where o.id = e.endorser_id
                    and o.hidden
            )
        order by skill, created_at, endorser_id";

        "endorsements-given" [member_id, skill, created_at]
        "select member_id, skill, created_at
        from profile.endorsements
        where endorser_id = $1
        order by created_at, member_id, skill";

        // The number of viewers per day, not their ids.
        "views" [day, viewers]
        r#"select day, count(*) as "viewers!"
        from profile.views
        where member_id = $1
        group by day
        order by day"#;

        "pictures" [file, in_use]
        r#"select hash || '.jpg' as "file!", uses > 0 as "in_use!"
        from profile.pictures
        where member_id = $1
        order by hash"#;
    );
    Ok(())
}
