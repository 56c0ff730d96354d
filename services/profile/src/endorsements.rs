//! Endorsements of skills: create, withdraw, hide and list. Each statement also updates the count of the skill, and with it the row
//! of its owner, for the version of the profile (members/versions.rs).

use chrono::{DateTime, Utc};
use outbox::UnitOfWork;
use primitives::input::{Cursor, Line, Page, PageSize};
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{error::Error, publishing};

/// A skill of a member, by its name.
#[derive(Clone, Debug)]
pub struct Skill {
    pub member_id: Uuid,
    pub name: String,
}

/// A skill with its endorsements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkillEndorsements {
    pub skill: String,
    /// The visible endorsements.
    pub count: i64,
    /// Whether the viewer is one of the endorsers.
    pub endorsed_by_actor: bool,
}

/// An endorsement of one member.
#[derive(Clone, Debug)]
pub struct Endorsement {
    pub endorser_id: Uuid,
    pub created_at: DateTime<Utc>,
    /// Hidden by the owner of the skill, and listed only for the owner.
    pub hidden: bool,
}

/// The last row of a page.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EndorsementCursor {
    /// The creation, in microseconds.
    endorsed: i64,
    /// The endorser, as tie-breaker.
    id: Uuid,
}

impl Cursor for EndorsementCursor {}

impl EndorsementCursor {
    /// `None` for a time that Postgres cannot represent: a client can change the token.
    fn at(self) -> Option<DateTime<Utc>> {
        DateTime::from_timestamp_micros(self.endorsed).filter(|at| (0..=253_402_300_799).contains(&at.timestamp()))
    }
}

/// A request for a page of endorsements.
#[derive(Debug)]
pub struct ListQuery {
    pub skill: Skill,
    pub size: PageSize,
    /// The last row of the previous page.
    pub after: Option<EndorsementCursor>,
}

/// A change of the visibility of an endorsement of the caller's skill.
#[derive(Debug)]
pub struct EndorsementVisibility {
    pub skill: Line<60>,
    pub endorser_id: Uuid,
    pub hidden: bool,
}

/// Endorses a skill in one statement. A concurrent repetition inserts no row and counts nothing. It still updates the
/// skill, because only the locked row has the current count.
///
/// # Errors
/// [`Error::SkillNotFound`], [`Error::NotConnected`].
pub async fn create(work: &mut UnitOfWork<'_>, skill: &Skill, endorser: Uuid) -> Result<SkillEndorsements, Error> {
    if !lock_visible_pair(work.db, skill.member_id, endorser).await?
        || !is_in_audience(work.db, skill.member_id, endorser).await?
    {
        return Err(Error::SkillNotFound);
    }
    let row = sqlx::query!(
        r#"with inserted as (
            insert into profile.endorsements (member_id, skill, endorser_id, created_at, hidden)
            select s.member_id, s.name, $3, $4, false
            from profile.skills s
            join profile.connections c on c.lower_id = least($1::uuid, $3) and c.upper_id = greatest($1, $3)
            where s.member_id = $1
                and s.name = $2
            on conflict (member_id, skill, endorser_id) do nothing
            returning skill
        ),
        touched as (
            update profile.members
            set connection_count = connection_count
            where id = $1
                and exists (select from inserted)
        )
        update profile.skills
        set endorsement_count = endorsement_count + (select count(*) from inserted)
        where member_id = $1
            and name = $2
        returning endorsement_count,
            exists (select from inserted) as "changed!",
            exists (
                select from profile.connections
                where lower_id = least($1, $3)
                    and upper_id = greatest($1, $3)
            ) as "connected!""#,
        skill.member_id,
        skill.name,
        endorser,
        work.now,
    )
    .fetch_optional(&mut *work.db)
    .await?
    .ok_or(Error::SkillNotFound)?;
    if !row.connected {
        return Err(Error::NotConnected);
    }
    if row.changed {
        publishing::publish_endorsed(work, skill.member_id, &skill.name, endorser).await?;
    }
    Ok(skill_endorsements(skill, row.endorsement_count, true))
}

/// Deletes an endorsement, if it exists. A hidden one does not change the count. A member outside the audience of the
/// profile only learns of their own endorsement.
///
/// # Errors
/// [`Error::SkillNotFound`].
pub async fn withdraw(work: &mut UnitOfWork<'_>, skill: &Skill, endorser: Uuid) -> Result<SkillEndorsements, Error> {
    if !lock_visible_pair(work.db, skill.member_id, endorser).await? {
        return Err(Error::SkillNotFound);
    }
    let in_audience = is_in_audience(work.db, skill.member_id, endorser).await?;
    let row = sqlx::query!(
        r#"with deleted as (
            delete from profile.endorsements
            where member_id = $1
                and skill = $2
                and endorser_id = $3
            returning hidden
        ),
        touched as (
            update profile.members
            set connection_count = connection_count
            where id = $1
                and exists (select from deleted where not hidden)
        )
        update profile.skills
        set endorsement_count = endorsement_count - (select count(*) from deleted where not hidden)
        where member_id = $1
            and name = $2
        returning endorsement_count, exists (select from deleted where not hidden) as "changed!",
            exists (select from deleted) as "existed!""#,
        skill.member_id,
        skill.name,
        endorser,
    )
    .fetch_optional(&mut *work.db)
    .await?
    .filter(|row| in_audience || row.existed)
    .ok_or(Error::SkillNotFound)?;
    if row.changed {
        publishing::publish_endorsement_removed(work, skill.member_id, &skill.name, endorser).await?;
    }
    Ok(skill_endorsements(skill, row.endorsement_count, false))
}

/// Hides an endorsement or shows it again. The endorsement of a hidden or blocked member is not found.
///
/// # Errors
/// [`Error::EndorsementNotFound`].
pub async fn hide(
    work: &mut UnitOfWork<'_>,
    skill: &Skill,
    endorser: Uuid,
    hidden: bool,
) -> Result<SkillEndorsements, Error> {
    if !lock_visible_pair(work.db, skill.member_id, endorser).await? {
        return Err(Error::EndorsementNotFound);
    }
    let row = sqlx::query!(
        r#"with updated as (
            update profile.endorsements
            set hidden = $4
            where member_id = $1
                and skill = $2
                and endorser_id = $3
                and hidden <> $4
            returning hidden
        ),
        touched as (
            update profile.members
            set connection_count = connection_count
            where id = $1
                and exists (select from updated)
        )
        update profile.skills
        set endorsement_count = endorsement_count
            + (select count(*) filter (where not hidden) - count(*) filter (where hidden) from updated)
        where member_id = $1
            and name = $2
            and exists (
                select from profile.endorsements
                where member_id = $1
                    and skill = $2
                    and endorser_id = $3
            )
        returning endorsement_count, exists (select from updated) as "changed!""#,
        skill.member_id,
        skill.name,
        endorser,
        hidden,
    )
    .fetch_optional(&mut *work.db)
    .await?
    .ok_or(Error::EndorsementNotFound)?;
    match (row.changed, hidden) {
        (true, true) => {
            publishing::publish_endorsement_removed(work, skill.member_id, &skill.name, endorser).await?;
        }
        (true, false) => publishing::publish_endorsed(work, skill.member_id, &skill.name, endorser).await?,
        (false, _) => {}
    }
    Ok(skill_endorsements(skill, row.endorsement_count, false))
}

/// Lists a page of endorsements, newest first. Includes hidden ones only for the owner, and leaves out members with a
/// block between them and the viewer.
///
/// # Errors
/// [`Error::SkillNotFound`].
pub async fn list(
    db: &mut PgConnection,
    skill: &Skill,
    viewer: Option<Uuid>,
    size: PageSize,
    after: Option<EndorsementCursor>,
) -> Result<Page<Endorsement>, Error> {
    let (at, id) = match after {
        Some(after) => (after.at().unwrap_or(DateTime::UNIX_EPOCH), after.id),
        None => (DateTime::from_timestamp(253_402_300_799, 0).unwrap_or(DateTime::<Utc>::MAX_UTC), Uuid::max()),
    };
    let rows = sqlx::query!(
        r#"with blocked as materialized (
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
        join profile.members m on m.id = s.member_id and not m.hidden and m.id not in (select id from blocked)
            and case m.profile_audience
                when 'public' then true
                when 'members' then $5::uuid is not null
                else coalesce(m.id = $5, false) or exists (
                    select from profile.connections
                    where lower_id = least(m.id, $5)
                        and upper_id = greatest(m.id, $5)
                )
            end
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
                and endorser_id not in (select id from blocked)
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
    .fetch_all(db)
    .await?;
    // A skill without endorsements returns one row of nulls, an unknown skill no row.
    if rows.is_empty() {
        return Err(Error::SkillNotFound);
    }
    let endorsements = rows.into_iter().filter_map(|row| {
        Some(Endorsement { endorser_id: row.endorser_id?, created_at: row.created_at?, hidden: row.hidden? })
    });
    Ok(Page::cut(endorsements.collect(), size, |last| EndorsementCursor {
        endorsed: last.created_at.timestamp_micros(),
        id: last.endorser_id,
    }))
}

fn skill_endorsements(skill: &Skill, count: i64, endorsed_by_actor: bool) -> SkillEndorsements {
    SkillEndorsements { skill: skill.name.clone(), count, endorsed_by_actor }
}

/// Whether the audience of the profile includes the member, who is signed in.
async fn is_in_audience(db: &mut PgConnection, owner: Uuid, member: Uuid) -> Result<bool, Error> {
    let included = sqlx::query_scalar!(
        r#"select m.profile_audience <> 'connections'
            or m.id = $2
            or exists (
                select from profile.connections
                where lower_id = least(m.id, $2)
                    and upper_id = greatest(m.id, $2)
            ) as "included!"
        from profile.members m
        where m.id = $1"#,
        owner,
        member,
    );
    Ok(included.fetch_optional(db).await?.unwrap_or_default())
}

/// Whether owner and endorser are visible to each other. Locks both rows in the order of their ids: `deactivation` must
/// not miss an endorsement when it updates the counts, and the row of the owner is updated. Two members who upgraded
/// shared locks at once would deadlock.
async fn lock_visible_pair(db: &mut PgConnection, owner: Uuid, endorser: Uuid) -> Result<bool, Error> {
    let mut visible = sqlx::query_scalar!(
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
        for no key update",
        owner,
        endorser,
    )
    .fetch_all(db)
    .await?;
    visible.dedup();
    Ok(visible.contains(&owner) && visible.contains(&endorser))
}
