//! What a member has done and can do: bio, experience, education and skills, replaced as a whole.

use primitives::{ids::Ids, input::Text};
use sqlx::{PgConnection, types::Json};
use uuid::Uuid;

use crate::{
    error::Error,
    members::{Education, Experience},
    search,
};

/// A whole profile, acceptable in every part. An entry whose id is empty is a new one.
#[derive(Debug)]
pub struct Life {
    /// About themselves.
    pub bio: Option<Text<5000>>,
    /// In the owner's order.
    pub experiences: Vec<Experience>,
    /// In the owner's order.
    pub education: Vec<Education>,
    /// In the owner's order, each once.
    pub skills: Vec<String>,
}

/// An endorsement that went with its skill.
#[derive(Clone, Debug)]
pub struct Lost {
    /// The skill.
    pub skill: String,
    /// Who had endorsed it.
    pub endorser_id: Uuid,
}

impl Life {
    /// Gives every new entry an id.
    #[must_use]
    pub fn with_ids(mut self, ids: &Ids, owner: Uuid) -> Self {
        let experiences = self.experiences.iter_mut().map(|experience| &mut experience.id);
        let education = self.education.iter_mut().map(|education| &mut education.id);
        for id in experiences.chain(education).filter(|id| id.is_empty()) {
            *id = ids.owned_by(owner).to_string();
        }
        self
    }
}

/// Replaces the lists, each in one statement: what is named again is changed in place, what is not goes. Says which
/// endorsements went with their skills. The member's row is written first, so that of two who replace at once the second
/// waits and replaces all of the first's.
///
/// # Errors
/// [`Error::MemberNotFound`].
pub async fn replace(conn: &mut PgConnection, member: Uuid, life: Life) -> Result<Vec<Lost>, Error> {
    let done = sqlx::query!(
        "update profile.members
        set bio = $2
        where id = $1
            and not hidden",
        member,
        life.bio.map(Text::into_string),
    )
    .execute(&mut *conn)
    .await?;
    if done.rows_affected() == 0 {
        return Err(Error::MemberNotFound);
    }
    experiences(conn, member, &life.experiences).await?;
    education(conn, member, &life.education).await?;
    let lost = skills(conn, member, &life.skills).await?;
    search::index(conn, member).await?;
    Ok(lost)
}

async fn experiences(conn: &mut PgConnection, member: Uuid, entries: &[Experience]) -> Result<(), Error> {
    sqlx::query!(
        r#"with entries as (
            select *
            from rows from (jsonb_to_recordset($2) as (
                id text, title text, company text, "startDate" text, "endDate" text, "isCurrentPosition" boolean,
                description text, location text
            )) with ordinality as entry
                (id, title, company, start_date, end_date, is_current_position, description, location, place)
        ),
        gone as (
            delete from profile.experiences
            where member_id = $1
                and id not in (select id from entries)
        )
        insert into profile.experiences
            (member_id, id, position, title, company, start_date, end_date, is_current_position, description, location)
        select $1, id, place - 1, title, company, start_date, end_date, is_current_position, description, location
        from entries
        on conflict (member_id, id) do update
        set position = excluded.position,
            title = excluded.title,
            company = excluded.company,
            start_date = excluded.start_date,
            end_date = excluded.end_date,
            is_current_position = excluded.is_current_position,
            description = excluded.description,
            location = excluded.location"#,
        member,
        Json(entries) as _,
    )
    .execute(conn)
    .await?;
    Ok(())
}

async fn education(conn: &mut PgConnection, member: Uuid, entries: &[Education]) -> Result<(), Error> {
    sqlx::query!(
        r#"with entries as (
            select *
            from rows from (jsonb_to_recordset($2) as (
                id text, institution text, degree text, "fieldOfStudy" text, "startDate" text, "endDate" text,
                description text
            )) with ordinality as entry
                (id, institution, degree, field_of_study, start_date, end_date, description, place)
        ),
        gone as (
            delete from profile.educations
            where member_id = $1
                and id not in (select id from entries)
        )
        insert into profile.educations
            (member_id, id, position, institution, degree, field_of_study, start_date, end_date, description)
        select $1, id, place - 1, institution, degree, field_of_study, start_date, end_date, description
        from entries
        on conflict (member_id, id) do update
        set position = excluded.position,
            institution = excluded.institution,
            degree = excluded.degree,
            field_of_study = excluded.field_of_study,
            start_date = excluded.start_date,
            end_date = excluded.end_date,
            description = excluded.description"#,
        member,
        Json(entries) as _,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// A skill that stays keeps its endorsements; those of one that goes are deleted by their foreign key.
async fn skills(conn: &mut PgConnection, member: Uuid, names: &[String]) -> Result<Vec<Lost>, Error> {
    let lost = sqlx::query_as!(
        Lost,
        "with gone as (
            delete from profile.skills
            where member_id = $1
                and name <> all($2)
        ),
        kept as (
            insert into profile.skills (member_id, name, position)
            select $1, name, place - 1
            from unnest($2::text[]) with ordinality as skill (name, place)
            on conflict (member_id, name) do update
            set position = excluded.position
        )
        select skill, endorser_id
        from profile.endorsements
        where member_id = $1
            and skill <> all($2)
            and not hidden",
        member,
        names,
    )
    .fetch_all(conn)
    .await?;
    Ok(lost)
}
