//! The demo's profiles: sixty members with careers and endorsements.

use anyhow::Context as _;
use chassis::ServiceContext;
use chrono::{DateTime, TimeDelta, Utc};
use outbox::{Changes, Outbox, UnitOfWork};
use serde::Deserialize;
use sqlx::{ConnectOptions as _, Connection as _, PgConnection};
use uuid::Uuid;

use crate::{publishing, search};

/// In the order of their numbers, which every service's demo shares.
const MEMBERS: &str = include_str!("demo/members.json");

/// The number of the member who is steward of `STEWARD_SCHOOL`: one of the two with a known password.
const STEWARD: i32 = 1;
const STEWARD_SCHOOL: &str = "Ateneo de Manila University School of Law";
/// Verified members: number, the school that verified or none for Portia, and the reason.
const VERIFIED: [(i32, Option<&str>, &str); 2] = [
    (1, Some(STEWARD_SCHOOL), "Appointed as the steward of the school; met in person."),
    (2, None, "Known from the bar association; showed the roll number."),
];

/// The endorsements of each skill.
const ENDORSEMENTS_PER_SKILL: i32 = 5;

/// A demo member. Its texts bypass convert.rs, but not the checks of the tables.
#[derive(Debug, Deserialize)]
struct DemoMember {
    name: String,
    headline: String,
    location: String,
    school: String,
    graduation_year: String,
    bio: String,
    website: Option<String>,
    linkedin: Option<String>,
    experience: Vec<Position>,
    education: Vec<Course>,
    skills: Vec<String>,
}

#[derive(Debug, Deserialize)]
struct Position {
    title: String,
    company: String,
    start: String,
    /// Absent for a current position.
    end: Option<String>,
    location: String,
    description: Option<String>,
}

#[derive(Debug, Deserialize)]
struct Course {
    institution: String,
    degree: String,
    field: String,
    start: String,
    end: String,
}

/// Creates the missing profiles in one transaction.
pub async fn load(context: &ServiceContext) -> anyhow::Result<()> {
    let members: Vec<DemoMember> = serde_json::from_str(MEMBERS)?;
    let changes = Changes::new(context, &Outbox::new("profile"));
    let mut connection = context.database.as_ref().context("profile has no database")?.connect().await?;
    let mut tx = connection.begin().await?;
    let work = &mut changes.work(&mut tx);
    let mut new = Vec::new();
    for (number, new_member) in (1_i32..).zip(&members) {
        // Members joined in the order of their numbers.
        let joined = work.now - TimeDelta::hours(i64::from(24 * 90 - 30 * number));
        let id = member_id(number);
        if insert_member(work.db, id, new_member, joined).await? {
            insert_lists(work, id, new_member).await?;
            verify(work, number, id).await?;
            search::index(work.db, id).await?;
            publishing::publish_member_changed(work, id).await?;
            new.push((number, joined));
        }
    }
    // The endorsements refer to all members.
    for (number, joined) in new {
        insert_endorsements(work.db, number, members.len(), joined).await?;
    }
    tx.commit().await?;
    connection.close().await?;
    Ok(())
}

/// Verifies some members, and appoints the steward of a school. Publishes no facts of its own: they are no news.
async fn verify(work: &mut UnitOfWork<'_>, number: i32, id: Uuid) -> Result<(), sqlx::Error> {
    if number == STEWARD {
        sqlx::query!(
            "insert into profile.stewards (member_id, school, granted_at)
            values ($1, $2, $3)",
            id,
            STEWARD_SCHOOL,
            work.now,
        )
        .execute(&mut *work.db)
        .await?;
    }
    let Some((_, school, reason)) = VERIFIED.iter().find(|(verified, ..)| *verified == number) else { return Ok(()) };
    sqlx::query!(
        "with verified as (
            update profile.members
            set verified_at = $3,
                verified_school = $4
            where id = $2
        )
        insert into profile.verification_decisions (id, member_id, verified, cause, school, reason, at)
        values ($1, $2, true, 'operator', $4, $5, $3)",
        work.ids.owned_by(id),
        id,
        work.now,
        *school,
        *reason,
    )
    .execute(&mut *work.db)
    .await?;
    Ok(())
}

async fn insert_member(
    db: &mut PgConnection,
    id: Uuid,
    member: &DemoMember,
    joined: DateTime<Utc>,
) -> Result<bool, sqlx::Error> {
    let done = sqlx::query!(
        "insert into profile.members
            (id, username, full_name, headline, location, bio, website, linkedin, school, graduation_year, created_at)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
        on conflict (id) do nothing",
        id,
        username(&member.name),
        member.name,
        member.headline,
        member.location,
        member.bio,
        member.website,
        member.linkedin,
        member.school,
        member.graduation_year,
        joined,
    )
    .execute(db)
    .await?;
    Ok(done.rows_affected() == 1)
}

async fn insert_lists(work: &mut UnitOfWork<'_>, id: Uuid, member: &DemoMember) -> Result<(), sqlx::Error> {
    for (place, position) in (0_i16..).zip(&member.experience) {
        sqlx::query!(
            "insert into profile.experiences
                (member_id, id, position, title, company, start_date, end_date, is_current_position, description, location)
            values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
            id,
            work.ids.owned_by(id).to_string(),
            place,
            position.title,
            position.company,
            position.start,
            position.end,
            position.end.is_none(),
            position.description,
            position.location,
        )
        .execute(&mut *work.db)
        .await?;
    }
    for (place, course) in (0_i16..).zip(&member.education) {
        sqlx::query!(
            "insert into profile.educations
                (member_id, id, position, institution, degree, field_of_study, start_date, end_date)
            values ($1, $2, $3, $4, $5, $6, $7, $8)",
            id,
            work.ids.owned_by(id).to_string(),
            place,
            course.institution,
            course.degree,
            course.field,
            course.start,
            course.end,
        )
        .execute(&mut *work.db)
        .await?;
    }
    sqlx::query!(
        "insert into profile.skills (member_id, name, position)
        select $1, name, place - 1
        from unnest($2::text[]) with ordinality as skills (name, place)",
        id,
        &member.skills,
    )
    .execute(&mut *work.db)
    .await?;
    Ok(())
}

/// Endorses every skill by five other members, one per day. Publishes no facts.
async fn insert_endorsements(
    db: &mut PgConnection,
    number: i32,
    members: usize,
    joined: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    let members = i32::try_from(members).unwrap_or(i32::MAX);
    // Steps of seven select five distinct members other than the owner.
    let endorsers: Vec<Uuid> =
        (1..=ENDORSEMENTS_PER_SKILL).map(|nth| member_id((number - 1 + nth * 7) % members + 1)).collect();
    let days: Vec<DateTime<Utc>> =
        (1..=ENDORSEMENTS_PER_SKILL).map(|nth| joined + TimeDelta::days(i64::from(nth))).collect();
    sqlx::query!(
        "insert into profile.endorsements (member_id, skill, endorser_id, created_at, hidden)
        select s.member_id, s.name, e.endorser_id, e.created_at, false
        from profile.skills s
        cross join unnest($2::uuid[], $3::timestamptz[]) as e (endorser_id, created_at)
        where s.member_id = $1",
        member_id(number),
        &endorsers,
        &days,
    )
    .execute(&mut *db)
    .await?;
    sqlx::query!(
        "update profile.skills
        set endorsement_count = $2
        where member_id = $1",
        member_id(number),
        i64::from(ENDORSEMENTS_PER_SKILL),
    )
    .execute(db)
    .await?;
    Ok(())
}

/// The id of a demo member, the same in every service.
fn member_id(number: i32) -> Uuid {
    let number = u128::from(number.unsigned_abs());
    Uuid::from_u128(0x0193_0000_0000_7000_8000_0000_0000_0000 | number << 10 | number)
}

/// The username in auth's demo: `Miguel dela Cruz` is `miguel.delacruz`.
fn username(name: &str) -> String {
    let (first, last) = name.split_once(' ').unwrap_or((name, ""));
    format!("{first}.{}", last.replace(' ', "")).to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use primitives::ids;

    use super::*;

    #[test]
    fn the_demo_has_the_sixty_members_of_auth() {
        let members: Vec<DemoMember> = serde_json::from_str(MEMBERS).unwrap();
        let names: Vec<&str> = members.iter().map(|member| member.name.as_str()).collect();
        let auth_names: Vec<&str> = include_str!("../../auth/src/demo-members.txt").lines().collect();
        assert_eq!(names, auth_names);
        assert_eq!(names.len(), 60);
        for number in 1..=60 {
            assert_eq!(ids::parse("id", &member_id(number).to_string()), Ok(member_id(number)));
        }
    }
}
