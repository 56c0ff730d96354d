//! Everything profile keeps of a member, for the member: which sections, and where each is read from.

use chrono::{DateTime, NaiveDate, Utc};
use data_export::{ExportError, ExportSource};
use portia_proto::profile::ExportMemberResponse;
use serde::Serialize;
use sqlx::PgConnection;
use uuid::Uuid;

use crate::members;

/// Gives exports.
pub type Exports = data_export::Exporter<Everything>;
/// One export.
pub type Records = data_export::RecordStream<ExportMemberResponse>;
type Reader = data_export::RecordWriter<ExportMemberResponse>;

/// All that profile keeps of a member. Who is connected with them and whom they block is social-graph's to tell.
#[derive(Clone, Copy, Debug)]
pub struct Everything;

impl ExportSource for Everything {
    type Record = ExportMemberResponse;

    fn record(section: String, json: String) -> ExportMemberResponse {
        ExportMemberResponse { section, json }
    }

    async fn write(&self, conn: &mut PgConnection, id: Uuid, to: &Reader) -> Result<(), ExportError> {
        profile(conn, id, to).await?;
        received(conn, id, to).await?;
        given(conn, id, to).await?;
        views(conn, id, to).await?;
        pictures(conn, id, to).await
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
    created_at: DateTime<Utc>,
    profile_views: i64,
    connections: i64,
}

#[derive(Serialize)]
struct Skill<'a> {
    name: &'a str,
    endorsements: i64,
}

async fn profile(conn: &mut PgConnection, id: Uuid, to: &Reader) -> Result<(), ExportError> {
    let member = members::with_id(conn, id, Some(id)).await.map_err(tonic::Status::from)?;
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
        created_at: member.created_at,
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
    for standing in &member.skills {
        to.write("skills", &Skill { name: &standing.skill, endorsements: standing.count }).await?;
    }
    Ok(())
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Received {
    skill: String,
    endorser_id: Uuid,
    created_at: DateTime<Utc>,
    hidden: bool,
}

async fn received(conn: &mut PgConnection, id: Uuid, to: &Reader) -> Result<(), ExportError> {
    let rows = sqlx::query_as!(
        Received,
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
    to.write_all("endorsements-received", rows.fetch(conn)).await
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Given {
    member_id: Uuid,
    skill: String,
    created_at: DateTime<Utc>,
}

async fn given(conn: &mut PgConnection, id: Uuid, to: &Reader) -> Result<(), ExportError> {
    let rows = sqlx::query_as!(
        Given,
        "select member_id, skill, created_at
        from profile.endorsements
        where endorser_id = $1
        order by created_at, member_id, skill",
        id,
    );
    to.write_all("endorsements-given", rows.fetch(conn)).await
}

#[derive(Serialize)]
struct Viewed {
    day: NaiveDate,
    viewers: i64,
}

/// How many looked on which day. Who did is their own affair.
async fn views(conn: &mut PgConnection, id: Uuid, to: &Reader) -> Result<(), ExportError> {
    let rows = sqlx::query_as!(
        Viewed,
        r#"select day, count(*) as "viewers!"
        from profile.views
        where member_id = $1
        group by day
        order by day"#,
        id,
    );
    to.write_all("views", rows.fetch(conn)).await
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Picture {
    file: String,
    in_use: bool,
}

async fn pictures(conn: &mut PgConnection, id: Uuid, to: &Reader) -> Result<(), ExportError> {
    let rows = sqlx::query_as!(
        Picture,
        r#"select hash || '.jpg' as "file!", uses > 0 as "in_use!"
        from profile.pictures
        where member_id = $1
        order by hash"#,
        id,
    );
    to.write_all("pictures", rows.fetch(conn)).await
}
