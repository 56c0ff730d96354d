//! The demo's cast: sixty members with lives, made when standalone first starts.

use anyhow::Context as _;
use chassis::ServiceContext;
use chrono::{DateTime, TimeDelta, Utc};
use outbox::Outbox;
use serde::Deserialize;
use sqlx::{ConnectOptions as _, Connection as _, PgConnection};
use uuid::Uuid;

use crate::{facts, search};

/// In the order of their numbers, which every service's demo shares.
const CAST: &str = include_str!("demo/cast.json");

/// Endorsements a demo skill starts with.
const ENDORSERS: i32 = 5;

/// One of the cast. The texts are ours, so they are not parsed as a member's would be; the tables' checks still hold.
#[derive(Debug, Deserialize)]
struct Actor {
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
    /// Absent: still there.
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

/// Makes the cast's profiles, unless they are there: all of them or, when something fails, none.
///
/// # Errors
/// When the database is away.
pub async fn load(context: &ServiceContext) -> anyhow::Result<()> {
    let cast: Vec<Actor> = serde_json::from_str(CAST)?;
    let outbox = Outbox::new("profile");
    let mut connection = context.database.as_ref().context("profile has no database")?.connect().await?;
    let mut tx = connection.begin().await?;
    let mut new = Vec::new();
    for (number, actor) in (1_i32..).zip(&cast) {
        // They came one after the other: the higher the number, the later.
        let joined = context.clock.now() - TimeDelta::hours(i64::from(24 * 90 - 30 * number));
        let id = member(number);
        if insert_member(&mut tx, id, actor, joined).await? {
            insert_lists(&mut tx, id, actor, context).await?;
            search::index(&mut tx, id).await?;
            facts::changed(&outbox, &mut tx, id, context.clock.now()).await?;
            new.push((number, joined));
        }
    }
    // Once all are there, since they endorse each other.
    for (number, joined) in new {
        insert_endorsements(&mut tx, number, cast.len(), joined).await?;
    }
    tx.commit().await?;
    connection.close().await?;
    Ok(())
}

async fn insert_member(
    conn: &mut PgConnection,
    id: Uuid,
    actor: &Actor,
    joined: DateTime<Utc>,
) -> Result<bool, sqlx::Error> {
    let done = sqlx::query!(
        "insert into profile.members
            (id, username, full_name, headline, location, bio, website, linkedin, school, graduation_year, created_at)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
        on conflict (id) do nothing",
        id,
        username(&actor.name),
        actor.name,
        actor.headline,
        actor.location,
        actor.bio,
        actor.website,
        actor.linkedin,
        actor.school,
        actor.graduation_year,
        joined,
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected() == 1)
}

async fn insert_lists(
    conn: &mut PgConnection,
    id: Uuid,
    actor: &Actor,
    context: &ServiceContext,
) -> Result<(), sqlx::Error> {
    for (place, position) in (0_i16..).zip(&actor.experience) {
        sqlx::query!(
            "insert into profile.experiences
                (member_id, id, position, title, company, start_date, end_date, is_current_position, description, location)
            values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
            id,
            context.ids.owned_by(id).to_string(),
            place,
            position.title,
            position.company,
            position.start,
            position.end,
            position.end.is_none(),
            position.description,
            position.location,
        )
        .execute(&mut *conn)
        .await?;
    }
    for (place, course) in (0_i16..).zip(&actor.education) {
        sqlx::query!(
            "insert into profile.educations
                (member_id, id, position, institution, degree, field_of_study, start_date, end_date)
            values ($1, $2, $3, $4, $5, $6, $7, $8)",
            id,
            context.ids.owned_by(id).to_string(),
            place,
            course.institution,
            course.degree,
            course.field,
            course.start,
            course.end,
        )
        .execute(&mut *conn)
        .await?;
    }
    sqlx::query!(
        "insert into profile.skills (member_id, name, position)
        select $1, name, place - 1
        from unnest($2::text[]) with ordinality as skills (name, place)",
        id,
        &actor.skills,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Every skill begins with the word of five others of the cast, each a day after the other. They tell no facts.
async fn insert_endorsements(
    conn: &mut PgConnection,
    number: i32,
    cast: usize,
    joined: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    let cast = i32::try_from(cast).unwrap_or(i32::MAX);
    // Spread over the cast by steps that never lead back to the member within five.
    let endorsers: Vec<Uuid> = (1..=ENDORSERS).map(|nth| member((number - 1 + nth * 7) % cast + 1)).collect();
    let days: Vec<DateTime<Utc>> = (1..=ENDORSERS).map(|nth| joined + TimeDelta::days(i64::from(nth))).collect();
    sqlx::query!(
        "insert into profile.endorsements (member_id, skill, endorser_id, created_at, hidden)
        select s.member_id, s.name, e.endorser_id, e.created_at, false
        from profile.skills s
        cross join unnest($2::uuid[], $3::timestamptz[]) as e (endorser_id, created_at)
        where s.member_id = $1",
        member(number),
        &endorsers,
        &days,
    )
    .execute(&mut *conn)
    .await?;
    sqlx::query!(
        "update profile.skills
        set endorsement_count = $2
        where member_id = $1",
        member(number),
        i64::from(ENDORSERS),
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// The id of a member of the cast: the same in every service's demo.
fn member(number: i32) -> Uuid {
    let number = u128::from(number.unsigned_abs());
    Uuid::from_u128(0x0193_0000_0000_7000_8000_0000_0000_0000 | number << 10 | number)
}

/// auth has the same names: `Miguel dela Cruz` is `miguel.delacruz`.
fn username(name: &str) -> String {
    let (first, last) = name.split_once(' ').unwrap_or((name, ""));
    format!("{first}.{}", last.replace(' ', "")).to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use primitives::ids;

    use super::*;

    #[test]
    fn the_cast_is_sixty_members_with_ids_and_names_auth_agrees_on() {
        let cast: Vec<Actor> = serde_json::from_str(CAST).unwrap();
        let names: Vec<&str> = cast.iter().map(|actor| actor.name.as_str()).collect();
        let auths: Vec<&str> = include_str!("../../auth/src/demo-cast.txt").lines().collect();
        assert_eq!(names, auths);
        assert_eq!(names.len(), 60);
        for number in 1..=60 {
            assert_eq!(ids::parse("id", &member(number).to_string()), Ok(member(number)));
        }
    }
}
