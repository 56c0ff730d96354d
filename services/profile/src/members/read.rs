//! A complete profile in one statement, for a viewer.

use sqlx::PgExecutor;
use uuid::Uuid;

use super::{Education, Experience, Member, Stats};
use crate::{
    endorsements::SkillEndorsements,
    error::Error,
    onboarding::{Answers, Onboarding, OnboardingRow},
    verifications::Verification,
    version::Version,
};

type ExperienceRow = (String, String, String, String, Option<String>, bool, Option<String>, Option<String>);
type EducationRow = (String, String, String, Option<String>, String, Option<String>, Option<String>);
type SkillRow = (String, i64, bool);

/// Reads a complete member in one statement. The lists are arrays of records, which are cheaper than JSON. A hidden
/// member, a member with a block between them and the viewer, and for a visitor a member without a public profile are
/// not found. A viewer outside the audience gets the name only. `offset 0` makes Postgres evaluate `v` once.
pub async fn get(db: impl PgExecutor<'_>, id: Uuid, viewer: Option<Uuid>) -> Result<Member, Error> {
    read(db, id, viewer, Blocks::Respected).await.map(|(_, member)| member)
}

/// Reads a member that the viewer reports: like [`get`], but also after a block.
pub async fn get_reported(db: impl PgExecutor<'_>, id: Uuid, viewer: Option<Uuid>) -> Result<Member, Error> {
    read(db, id, viewer, Blocks::Ignored).await.map(|(_, member)| member)
}

/// Reads the body of a profile, without a viewer's parts, and its version. The statement has the member as its viewer,
/// because members cannot endorse their own skills.
pub async fn read_body(db: impl PgExecutor<'_>, id: Uuid) -> Result<(Version, Member), Error> {
    read(db, id, Some(id), Blocks::Ignored).await
}

/// Whether a block hides the member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Blocks {
    Respected,
    Ignored,
}

async fn read(
    db: impl PgExecutor<'_>,
    id: Uuid,
    viewer: Option<Uuid>,
    blocks: Blocks,
) -> Result<(Version, Member), Error> {
    let row = sqlx::query!(
        r#"select id, full_name, created_at, connection_count, m.xmin::text::bigint as "version!",
            coalesce(
                (
                    select c.n
                    from profile.view_counts c
                    where c.member_id = $1
                        and $2 = $1
                ),
                0
            ) as "view_count!",
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
    let member = Member {
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
    };
    Ok((Version(row.version), member))
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
