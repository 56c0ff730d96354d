//! Endorsements: given by connections, hidden by the skill's owner, counted on the skill as they change.

use chrono::{DateTime, Utc};
use primitives::input::{Cursor, Page, PageSize};
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{error::Error, members::Standing};

/// A skill of a member, by its name.
#[derive(Clone, Debug)]
pub struct Skill {
    /// Whose.
    pub member_id: Uuid,
    /// As the owner wrote it.
    pub name: String,
}

/// What became of a wish about an endorsement.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The skill as it stands now.
    pub standing: Standing,
    /// False when it was so already, or nobody sees a difference.
    pub changed: bool,
}

/// One member's word for a skill.
#[derive(Clone, Debug)]
pub struct Endorsement {
    /// Whose.
    pub endorser_id: Uuid,
    /// When they gave it.
    pub created_at: DateTime<Utc>,
    /// By the skill's owner, who alone is told.
    pub hidden: bool,
}

/// The last row of a page, newest first.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Endorsed {
    /// When it was given, in microseconds.
    endorsed: i64,
    /// What breaks a tie.
    id: Uuid,
}

impl Cursor for Endorsed {}

impl Endorsed {
    /// The moment, if it is one of ours: tokens are the callers' to tamper with.
    fn at(self) -> Option<DateTime<Utc>> {
        DateTime::from_timestamp_micros(self.endorsed).filter(|at| (0..=253_402_300_799).contains(&at.timestamp()))
    }
}

/// Endorses a skill. One statement, of which the second of two that run at once finds the first's row and counts nothing;
/// it touches the skill even then, because only a row it locked tells the counter as the first one left it.
///
/// # Errors
/// [`Error::SkillNotFound`], [`Error::NotConnected`].
pub async fn give(
    conn: &mut PgConnection,
    skill: &Skill,
    endorser: Uuid,
    now: DateTime<Utc>,
) -> Result<Outcome, Error> {
    if !are_shown(conn, skill.member_id, endorser).await? {
        return Err(Error::SkillNotFound);
    }
    let row = sqlx::query!(
        r#"with said as (
            insert into profile.endorsements (member_id, skill, endorser_id, created_at, hidden)
            select s.member_id, s.name, $3, $4, false
            from profile.skills s
            join profile.connections c on c.lower_id = least($1::uuid, $3) and c.upper_id = greatest($1, $3)
            where s.member_id = $1
                and s.name = $2
            on conflict (member_id, skill, endorser_id) do nothing
            returning skill
        )
        update profile.skills
        set endorsement_count = endorsement_count + (select count(*) from said)
        where member_id = $1
            and name = $2
        returning endorsement_count,
            exists (select from said) as "changed!",
            exists (
                select from profile.connections
                where lower_id = least($1, $3)
                    and upper_id = greatest($1, $3)
            ) as "connected!""#,
        skill.member_id,
        skill.name,
        endorser,
        now,
    )
    .fetch_optional(conn)
    .await?
    .ok_or(Error::SkillNotFound)?;
    if !row.connected {
        return Err(Error::NotConnected);
    }
    Ok(Outcome { standing: standing(skill, row.endorsement_count, true), changed: row.changed })
}

/// Takes an endorsement back, if there is one. One that was hidden changes nothing anybody sees.
///
/// # Errors
/// [`Error::SkillNotFound`].
pub async fn withdraw(conn: &mut PgConnection, skill: &Skill, endorser: Uuid) -> Result<Outcome, Error> {
    if !are_shown(conn, skill.member_id, endorser).await? {
        return Err(Error::SkillNotFound);
    }
    let row = sqlx::query!(
        r#"with taken_back as (
            delete from profile.endorsements
            where member_id = $1
                and skill = $2
                and endorser_id = $3
            returning hidden
        )
        update profile.skills
        set endorsement_count = endorsement_count - (select count(*) from taken_back where not hidden)
        where member_id = $1
            and name = $2
        returning endorsement_count, exists (select from taken_back where not hidden) as "changed!""#,
        skill.member_id,
        skill.name,
        endorser,
    )
    .fetch_optional(conn)
    .await?
    .ok_or(Error::SkillNotFound)?;
    Ok(Outcome { standing: standing(skill, row.endorsement_count, false), changed: row.changed })
}

/// Hides an endorsement of a skill from others, or shows it again. That of a member who closed their account, or whom the
/// owner does not see for a block, is not there for the owner either.
///
/// # Errors
/// [`Error::EndorsementNotFound`].
pub async fn hide(conn: &mut PgConnection, skill: &Skill, endorser: Uuid, hidden: bool) -> Result<Outcome, Error> {
    if !are_shown(conn, skill.member_id, endorser).await? {
        return Err(Error::EndorsementNotFound);
    }
    let row = sqlx::query!(
        r#"with turned as (
            update profile.endorsements
            set hidden = $4
            where member_id = $1
                and skill = $2
                and endorser_id = $3
                and hidden <> $4
            returning hidden
        )
        update profile.skills
        set endorsement_count = endorsement_count
            + (select count(*) filter (where not hidden) - count(*) filter (where hidden) from turned)
        where member_id = $1
            and name = $2
            and exists (
                select from profile.endorsements
                where member_id = $1
                    and skill = $2
                    and endorser_id = $3
            )
        returning endorsement_count, exists (select from turned) as "changed!""#,
        skill.member_id,
        skill.name,
        endorser,
        hidden,
    )
    .fetch_optional(conn)
    .await?
    .ok_or(Error::EndorsementNotFound)?;
    Ok(Outcome { standing: standing(skill, row.endorsement_count, false), changed: row.changed })
}

/// A page of a skill's endorsements, newest first; hidden ones only for the owner, and none of those whom the viewer does
/// not see for a block.
///
/// # Errors
/// [`Error::SkillNotFound`].
pub async fn list(
    conn: &mut PgConnection,
    skill: &Skill,
    viewer: Option<Uuid>,
    size: PageSize,
    after: Option<Endorsed>,
) -> Result<Page<Endorsement>, Error> {
    let (at, id) = match after {
        Some(after) => (after.at().unwrap_or(DateTime::UNIX_EPOCH), after.id),
        None => (DateTime::from_timestamp(253_402_300_799, 0).unwrap_or(DateTime::<Utc>::MAX_UTC), Uuid::max()),
    };
    let rows = sqlx::query!(
        r#"with unseen as materialized (
            select upper_id as id
            from profile.blocks
            where lower_id = $5
            union all
            select lower_id
            from profile.blocks
            where upper_id = $5
        )
        select e.endorser_id as "endorser_id?", e.created_at as "created_at?", e.hidden as "hidden?"
        from profile.skills s
        join profile.members m on m.id = s.member_id and not m.hidden and m.id not in (select id from unseen)
        left join lateral (
            select endorser_id, created_at, hidden
            from profile.endorsements
            where member_id = s.member_id
                and skill = s.name
                and (created_at, endorser_id) < ($3, $4)
                and (not hidden or member_id = $5)
                and not exists (
                    select from profile.members o
                    where o.id = endorsements.endorser_id
                        and o.hidden
                )
                and endorser_id not in (select id from unseen)
            order by created_at desc, endorser_id desc
            limit $6
        ) as e on true
        where s.member_id = $1
            and s.name = $2
        order by e.created_at desc, e.endorser_id desc"#,
        skill.member_id,
        skill.name,
        at,
        id,
        viewer,
        size.to_fetch(),
    )
    .fetch_all(conn)
    .await?;
    // A skill without endorsements is one row of nulls; a skill that is not there is none.
    if rows.is_empty() {
        return Err(Error::SkillNotFound);
    }
    let found = rows.into_iter().filter_map(|row| {
        Some(Endorsement { endorser_id: row.endorser_id?, created_at: row.created_at?, hidden: row.hidden? })
    });
    Ok(Page::cut(found.collect(), size, |last| Endorsed {
        endorsed: last.created_at.timestamp_micros(),
        id: last.endorser_id,
    }))
}

fn standing(skill: &Skill, count: i64, endorsed_by_actor: bool) -> Standing {
    Standing { skill: skill.name.clone(), count, endorsed_by_actor }
}

/// Whether owner and endorser are shown, both, and to each other. They are locked, in the order of their ids, against
/// being closed, erased or their skills replaced meanwhile: `closing` counts a member's endorsements out, and must not miss
/// one. Two who endorse one skill do not wait for each other here.
async fn are_shown(conn: &mut PgConnection, owner: Uuid, endorser: Uuid) -> Result<bool, Error> {
    let mut shown = sqlx::query_scalar!(
        "select id
        from profile.members
        where id in ($1, $2)
            and not hidden
            and not exists (
                select from profile.blocks
                where lower_id = least($1::uuid, $2)
                    and upper_id = greatest($1, $2)
            )
        order by id
        for share",
        owner,
        endorser,
    )
    .fetch_all(conn)
    .await?;
    shown.dedup();
    Ok(shown.contains(&owner) && shown.contains(&endorser))
}
