//! Members: create from a registration, and get.

pub mod card;
pub mod list;

use chrono::{DateTime, Utc};
use serde::Serialize;
use sqlx::{PgConnection, PgExecutor};
use uuid::Uuid;

use crate::{
    convert::NewMember,
    error::Error,
    onboarding::{self, Answers, Onboarding, OnboardingRow},
    search,
    verifications::Verification,
};

/// A whole profile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// The account's id.
    pub id: Uuid,
    /// As typed at registration.
    pub username: String,
    pub full_name: String,
    pub headline: Option<String>,
    pub location: Option<String>,
    pub bio: Option<String>,
    pub avatar_url: Option<String>,
    pub website: Option<String>,
    pub linkedin: Option<String>,
    pub school: Option<String>,
    pub graduation_year: Option<String>,
    pub created_at: DateTime<Utc>,
    /// In the owner's order.
    pub experiences: Vec<Experience>,
    /// In the owner's order.
    pub education: Vec<Education>,
    /// In the owner's order.
    pub skills: Vec<SkillEndorsements>,
    /// Codes of the catalogue, in its order.
    pub jurisdictions: Vec<String>,
    pub interests: Vec<String>,
    /// The viewer is outside the audience: only the name is set.
    pub restricted: bool,
    /// Search engines may index the page.
    pub indexable: bool,
    pub verification: Option<Verification>,
    /// The school whose steward the member is. None for other viewers.
    pub steward_of: Option<String>,
    /// Shown only to the member.
    pub stats: Stats,
    /// None for other viewers, and for members who registered before it existed.
    pub onboarding: Option<Onboarding>,
}

/// A skill with its endorsements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkillEndorsements {
    pub skill: String,
    /// The visible endorsements.
    pub count: i64,
    /// One of them is the viewer's.
    pub endorsed_by_actor: bool,
}

/// The counters of a profile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stats {
    /// Unique viewers per day, summed over all days.
    pub profile_views: i64,
    /// Accepted connections.
    pub connections: i64,
}

/// A position. Months are YYYY-MM.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Experience {
    /// Unique within the profile.
    pub id: String,
    pub title: String,
    pub company: String,
    pub start_date: String,
    pub end_date: Option<String>,
    pub is_current_position: bool,
    pub description: Option<String>,
    pub location: Option<String>,
}

/// A course of study. Months are YYYY-MM.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Education {
    /// Unique within the profile.
    pub id: String,
    pub institution: String,
    pub degree: String,
    pub field_of_study: Option<String>,
    pub start_date: String,
    /// It may be in the future.
    pub end_date: Option<String>,
    pub description: Option<String>,
}

/// Creates the member unless it exists, and returns whether it did. The gateway calls it after a registration, the fact
/// MemberRegistered repeats it. Facts about connections may arrive earlier, so the insert counts the existing
/// connections with members who are not hidden.
pub async fn ensure(db: &mut PgConnection, new: &NewMember, now: DateTime<Utc>) -> Result<bool, Error> {
    let done = sqlx::query!(
        "insert into profile.members
            (id, username, full_name, headline, location, school, graduation_year, created_at, connection_count)
        select $1, $2, $3, $4, $5, $6, $7, $8, count(*)
        from profile.connections c
        where (c.lower_id = $1 or c.upper_id = $1)
            and not exists (
                select from profile.members o
                where o.id in (c.lower_id, c.upper_id)
                    and o.hidden
            )
        on conflict (id) do nothing",
        new.id,
        &*new.username,
        &*new.full_name,
        new.headline.as_deref(),
        new.location.as_deref(),
        new.school.as_deref(),
        new.graduation_year.as_deref(),
        now,
    )
    .execute(&mut *db)
    .await?;
    let created = done.rows_affected() == 1;
    if created {
        onboarding::create(db, new.id).await?;
        search::index(db, new.id).await?;
    }
    Ok(created)
}

type ExperienceRow = (String, String, String, String, Option<String>, bool, Option<String>, Option<String>);
type EducationRow = (String, String, String, Option<String>, String, Option<String>, Option<String>);
type SkillRow = (String, i64, bool);

/// Reads a complete member in one statement. The lists are arrays of records, which are cheaper than JSON. A hidden
/// member and a member with a block between them and the viewer are not found, nor is one whose profile is not public by
/// a visitor. A member outside the audience gets the name only. `offset 0` makes Postgres evaluate `v` once.
pub async fn get(db: impl PgExecutor<'_>, id: Uuid, viewer: Option<Uuid>) -> Result<Member, Error> {
    read(db, id, viewer, Blocks::Respected).await
}

/// A member that the viewer reports: as [`get`], but also after a block.
pub async fn get_reported(db: impl PgExecutor<'_>, id: Uuid, viewer: Option<Uuid>) -> Result<Member, Error> {
    read(db, id, viewer, Blocks::Ignored).await
}

/// Whether a block hides the member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Blocks {
    Respected,
    Ignored,
}

async fn read(db: impl PgExecutor<'_>, id: Uuid, viewer: Option<Uuid>, blocks: Blocks) -> Result<Member, Error> {
    let row = sqlx::query!(
        r#"select id, full_name, created_at, view_count, connection_count,
            not v.sees_all as "restricted!",
            m.profile_audience = 'public' and m.search_engines as "indexable!",
            case when v.sees_all then username else '' end as "username!",
            case when v.sees_all then headline end as headline,
            case when v.sees_all then location end as location,
            case when v.sees_all then bio end as bio,
            case when v.sees_all then avatar_url end as avatar_url,
            case when v.sees_all then website end as website,
            case when v.sees_all then linkedin end as linkedin,
            case when v.sees_all then school end as school,
            case when v.sees_all then graduation_year end as graduation_year,
            v.sees_all and verified_at is not null as "verified!",
            case when v.sees_all then verified_school end as verified_school,
            case when v.sees_all then jurisdictions else '{}' end as "jurisdictions!",
            case when v.sees_all then interests else '{}' end as "interests!",
            array(
                select row (id, title, company, start_date, end_date, is_current_position, description, location)
                from profile.experiences
                where member_id = $1
                    and v.sees_all
                order by position
            ) as "experiences!: Vec<ExperienceRow>",
            array(
                select row (id, institution, degree, field_of_study, start_date, end_date, description)
                from profile.educations
                where member_id = $1
                    and v.sees_all
                order by position
            ) as "education!: Vec<EducationRow>",
            array(
                select row (name, endorsement_count, name = any(array(
                    select skill
                    from profile.endorsements
                    where endorser_id = $2
                        and member_id = $1
                )))
                from profile.skills
                where member_id = $1
                    and v.sees_all
                order by position
            ) as "skills!: Vec<SkillRow>",
            (
                select row (o.done, o.skipped, o.dismissed)
                from profile.onboarding o
                where o.member_id = $2
                    and $2 = $1
            ) as "onboarding: OnboardingRow",
            (
                select s.school
                from profile.stewards s
                where s.member_id = $2
                    and $2 = $1
            ) as steward_of
        from profile.members m
        cross join lateral (
            select case m.profile_audience
                when 'public' then true
                when 'members' then $2::uuid is not null
                else coalesce(m.id = $2, false) or exists (
                    select from profile.connections
                    where lower_id = least(m.id, $2)
                        and upper_id = greatest(m.id, $2)
                )
            end as sees_all
            offset 0
        ) as v
        where id = $1
            and not hidden
            and (m.profile_audience = 'public' or $2::uuid is not null)
            and ($3 or not exists (
                select from profile.blocks
                where lower_id = least($1, $2)
                    and upper_id = greatest($1, $2)
            ))"#,
        id,
        viewer,
        blocks == Blocks::Ignored,
    )
    .fetch_optional(db)
    .await?
    .ok_or(Error::MemberNotFound)?;
    let answers = Answers {
        school: row.school.is_some(),
        graduation_year: row.graduation_year.is_some(),
        interests: !row.jurisdictions.is_empty() || !row.interests.is_empty(),
        connections: row.connection_count,
    };
    Ok(Member {
        id: row.id,
        username: row.username,
        full_name: row.full_name,
        headline: row.headline,
        location: row.location,
        bio: row.bio,
        avatar_url: row.avatar_url,
        website: row.website,
        linkedin: row.linkedin,
        school: row.school,
        graduation_year: row.graduation_year,
        created_at: row.created_at,
        experiences: row.experiences.into_iter().map(Into::into).collect(),
        education: row.education.into_iter().map(Into::into).collect(),
        skills: row.skills.into_iter().map(Into::into).collect(),
        jurisdictions: row.jurisdictions,
        interests: row.interests,
        restricted: row.restricted,
        indexable: row.indexable,
        verification: Verification::of(row.verified, row.verified_school),
        steward_of: row.steward_of,
        onboarding: row.onboarding.map(|onboarding| Onboarding::of(onboarding, answers)),
        stats: Stats { profile_views: row.view_count, connections: row.connection_count },
    })
}

impl From<ExperienceRow> for Experience {
    fn from(row: ExperienceRow) -> Self {
        let (id, title, company, start_date, end_date, is_current_position, description, location) = row;
        Self { id, title, company, start_date, end_date, is_current_position, description, location }
    }
}

impl From<EducationRow> for Education {
    fn from(row: EducationRow) -> Self {
        let (id, institution, degree, field_of_study, start_date, end_date, description) = row;
        Self { id, institution, degree, field_of_study, start_date, end_date, description }
    }
}

impl From<SkillRow> for SkillEndorsements {
    fn from((skill, count, endorsed_by_actor): SkillRow) -> Self {
        Self { skill, count, endorsed_by_actor }
    }
}
