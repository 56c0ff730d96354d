//! The career of a member: bio, experience, education and skills, which are replaced together.

use outbox::UnitOfWork;
use primitives::{ids::Ids, input::Text};
use sqlx::{PgConnection, types::Json};
use uuid::Uuid;

use crate::{
    error::Error,
    members::{Education, Experience},
    publishing, search,
};

/// A valid career. A new entry has an empty id.
#[derive(Debug)]
pub struct Career {
    /// The text about the member.
    pub bio: Option<Text<5000>>,
    /// In the owner's order.
    pub experiences: Vec<Experience>,
    /// In the owner's order.
    pub education: Vec<Education>,
    /// In the owner's order, without duplicates.
    pub skills: Vec<String>,
}

/// A visible endorsement that was deleted with its skill.
struct RemovedEndorsement {
    skill: String,
    endorser_id: Uuid,
}

impl Career {
    /// Generates the ids of new entries.
    fn with_ids(mut self, ids: &Ids, owner: Uuid) -> Self {
        let experiences = self.experiences.iter_mut().map(|experience| &mut experience.id);
        let education = self.education.iter_mut().map(|education| &mut education.id);
        for id in experiences.chain(education).filter(|id| id.is_empty()) {
            *id = ids.owned_by(owner).to_string();
        }
        self
    }
}

/// Replaces the lists, each in one statement: updates the entries of known ids and deletes the others. The update of the member's row
/// comes first and serialises concurrent calls.
pub async fn replace(work: &mut UnitOfWork<'_>, member: Uuid, career: Career) -> Result<(), Error> {
    let career = career.with_ids(work.ids, member);
    let done = sqlx::query!(
        "update profile.members
        set bio = $2
        where id = $1
            and not hidden",
        member,
        career.bio.map(Text::into_string),
    )
    .execute(&mut *work.db)
    .await?;
    if done.rows_affected() == 0 {
        return Err(Error::MemberNotFound);
    }
    replace_experiences(work.db, member, &career.experiences).await?;
    replace_education(work.db, member, &career.education).await?;
    let removed = replace_skills(work.db, member, &career.skills).await?;
    search::index(work.db, member).await?;
    for removed in removed {
        publishing::publish_endorsement_removed(work, member, &removed.skill, removed.endorser_id).await?;
    }
    publishing::publish_member_changed(work, member).await
}

async fn replace_experiences(db: &mut PgConnection, member: Uuid, entries: &[Experience]) -> Result<(), Error> {
    sqlx::query!(
        r#"with entries as (
            select *
            from rows from (jsonb_to_recordset($2) as (
                id text, title text, company text, "startDate" text, "endDate" text, "isCurrentPosition" boolean,
                description text, location text
            )) with ordinality as entry
                (id, title, company, start_date, end_date, is_current_position, description, location, index)
        ),
        deleted as (
            delete from profile.experiences
            where member_id = $1
                and id not in (select id from entries)
        )
        insert into profile.experiences
            (member_id, id, position, title, company, start_date, end_date, is_current_position, description, location)
        select $1, id, index - 1, title, company, start_date, end_date, is_current_position, description, location
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
    .execute(db)
    .await?;
    Ok(())
}

async fn replace_education(db: &mut PgConnection, member: Uuid, entries: &[Education]) -> Result<(), Error> {
    sqlx::query!(
        r#"with entries as (
            select *
            from rows from (jsonb_to_recordset($2) as (
                id text, institution text, degree text, "fieldOfStudy" text, "startDate" text, "endDate" text,
                description text
            )) with ordinality as entry
                (id, institution, degree, field_of_study, start_date, end_date, description, index)
        ),
        deleted as (
            delete from profile.educations
            where member_id = $1
                and id not in (select id from entries)
        )
        insert into profile.educations
            (member_id, id, position, institution, degree, field_of_study, start_date, end_date, description)
        select $1, id, index - 1, institution, degree, field_of_study, start_date, end_date, description
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
    .execute(db)
    .await?;
    Ok(())
}

/// Replaces the skills. A remaining skill keeps its endorsements; a foreign key deletes the endorsements of a deleted
/// skill.
async fn replace_skills(
    db: &mut PgConnection,
    member: Uuid,
    names: &[String],
) -> Result<Vec<RemovedEndorsement>, Error> {
    let removed = sqlx::query_as!(
        RemovedEndorsement,
        "with deleted as (
            delete from profile.skills
            where member_id = $1
                and name <> all($2)
        ),
        upserted as (
            insert into profile.skills (member_id, name, position)
            select $1, name, index - 1
            from unnest($2::text[]) with ordinality as skill (name, index)
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
    .fetch_all(db)
    .await?;
    Ok(removed)
}
