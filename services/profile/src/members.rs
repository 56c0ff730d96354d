//! Members: made once from their registration, read whole or as cards.

use chrono::{DateTime, Utc};
use serde::Serialize;
use sqlx::{PgConnection, PgExecutor, PgPool};
use uuid::Uuid;

use crate::{convert::NewMember, error::Error, search};

/// A whole profile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// The account's id.
    pub id: Uuid,
    /// As typed when registering.
    pub username: String,
    /// As shown.
    pub full_name: String,
    /// What they are.
    pub headline: Option<String>,
    /// Where they are.
    pub location: Option<String>,
    /// About themselves.
    pub bio: Option<String>,
    /// Their picture.
    pub avatar_url: Option<String>,
    /// http(s).
    pub website: Option<String>,
    /// http(s).
    pub linkedin: Option<String>,
    /// Where they study or studied.
    pub school: Option<String>,
    /// When they finish.
    pub graduation_year: Option<String>,
    /// When they joined.
    pub created_at: DateTime<Utc>,
    /// In the owner's order.
    pub experiences: Vec<Experience>,
    /// In the owner's order.
    pub education: Vec<Education>,
    /// In the owner's order.
    pub skills: Vec<Standing>,
    /// For the member themselves.
    pub stats: Stats,
}

/// A skill, and how it stands with others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standing {
    /// As the owner wrote it.
    pub skill: String,
    /// Endorsements others see.
    pub count: i64,
    /// Whoever asks gave one of them.
    pub endorsed_by_actor: bool,
}

/// Counters kept as they change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stats {
    /// Unique viewers a day, summed over all days.
    pub profile_views: i64,
    /// Accepted connections.
    pub connections: i64,
}

/// A position held. Months are YYYY-MM.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Experience {
    /// Unique within the profile.
    pub id: String,
    /// The position.
    pub title: String,
    /// The employer.
    pub company: String,
    /// First month.
    pub start_date: String,
    /// Last month.
    pub end_date: Option<String>,
    /// Still there.
    pub is_current_position: bool,
    /// What it was about.
    pub description: Option<String>,
    /// Where.
    pub location: Option<String>,
}

/// A course of study. Months are YYYY-MM.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Education {
    /// Unique within the profile.
    pub id: String,
    /// The school.
    pub institution: String,
    /// What it ends with.
    pub degree: String,
    /// In what.
    pub field_of_study: Option<String>,
    /// First month.
    pub start_date: String,
    /// Last month, or the expected one.
    pub end_date: Option<String>,
    /// What else is to say.
    pub description: Option<String>,
}

/// What a list shows of a member.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Card {
    /// The account's id.
    pub id: Uuid,
    /// As shown.
    pub full_name: String,
    /// What they are.
    pub headline: Option<String>,
    /// Their picture.
    pub avatar_url: Option<String>,
}

/// Makes the member's profile, unless there is one: what a member wrote since is never overwritten. Says whether it was
/// made. The gateway asks for it right after the registration, and the fact MemberRegistered does the same again.
/// Connections may have been heard of before, where both sources told all they know at once: they are counted, but for
/// those with hidden members.
///
/// # Errors
/// When the database is away.
pub async fn ensure(conn: &mut PgConnection, new: &NewMember, now: DateTime<Utc>) -> Result<bool, Error> {
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
    .execute(&mut *conn)
    .await?;
    let made = done.rows_affected() == 1;
    if made {
        search::index(conn, new.id).await?;
    }
    Ok(made)
}

type ExperienceRow = (String, String, String, String, Option<String>, bool, Option<String>, Option<String>);
type EducationRow = (String, String, String, Option<String>, String, Option<String>, Option<String>);
type SkillRow = (String, i64, bool);

/// One member, whole, in one statement: the lists come as arrays of records, which Postgres need not turn into text.
/// `viewer` is who asks, if they are a member. A hidden member is shown to nobody, and two of whom one blocks the other
/// not to each other.
///
/// # Errors
/// [`Error::MemberNotFound`].
pub async fn with_id(db: impl PgExecutor<'_>, id: Uuid, viewer: Option<Uuid>) -> Result<Member, Error> {
    let row = sqlx::query!(
        r#"select id, username, full_name, headline, location, bio, avatar_url, website, linkedin, school,
            graduation_year, created_at, view_count, connection_count,
            array(
                select row (id, title, company, start_date, end_date, is_current_position, description, location)
                from profile.experiences
                where member_id = $1
                order by position
            ) as "experiences!: Vec<ExperienceRow>",
            array(
                select row (id, institution, degree, field_of_study, start_date, end_date, description)
                from profile.educations
                where member_id = $1
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
                order by position
            ) as "skills!: Vec<SkillRow>"
        from profile.members
        where id = $1
            and not hidden
            and not exists (
                select from profile.blocks
                where lower_id = least($1, $2)
                    and upper_id = greatest($1, $2)
            )"#,
        id,
        viewer,
    )
    .fetch_optional(db)
    .await?
    .ok_or(Error::MemberNotFound)?;
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

impl From<SkillRow> for Standing {
    fn from((skill, count, endorsed_by_actor): SkillRow) -> Self {
        Self { skill, count, endorsed_by_actor }
    }
}

/// The cards of those members that exist.
///
/// # Errors
/// When the database is away.
pub async fn cards(db: &PgPool, ids: &[Uuid]) -> Result<Vec<Card>, Error> {
    let found = sqlx::query_as!(
        Card,
        "select id, full_name, headline, avatar_url
        from profile.members
        where id = any((select $1::uuid[])::uuid[])
            and not hidden",
        ids,
    );
    Ok(found.fetch_all(db).await?)
}
