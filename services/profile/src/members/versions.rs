//! The statements for a profile in memory: they read its version and the parts that differ between viewers. The rest is
//! in its body (bodies.rs).
//!
//! The version is the transaction that wrote the row of the member (`xmin`), so a writer of this row cannot forget it. A writer that
//! changes only a list, an endorsement or a connection of the member also updates the row, in the same transaction. Views are
//! counted in a table of their own: they change no version.

use sqlx::PgExecutor;
use uuid::Uuid;

use super::Stats;
use crate::{
    error::Error,
    onboarding::{Answers, Onboarding, OnboardingRow},
    version::Version,
};

/// A profile for a viewer, without its body.
#[derive(Debug)]
pub struct ViewedMember {
    pub version: Version,
    /// False for a viewer outside the audience, who is shown the name only.
    pub sees_all: bool,
    /// The skills that the viewer endorses.
    pub endorsed: Vec<String>,
    /// Only for the member.
    pub own: Option<OwnParts>,
}

/// The parts that only the member sees.
#[derive(Debug)]
pub struct OwnParts {
    pub stats: Stats,
    /// None for members who registered before it existed.
    pub onboarding: Option<Onboarding>,
    /// The school whose steward the member is.
    pub steward_of: Option<String>,
}

/// Reads the viewer's parts of a profile. Finds the same members as the complete statement (read.rs).
///
/// # Errors
/// [`Error::MemberNotFound`].
pub async fn get(db: impl PgExecutor<'_>, id: Uuid, viewer: Option<Uuid>) -> Result<ViewedMember, Error> {
    if viewer == Some(id) { own(db, id).await } else { of_other(db, id, viewer).await }
}

async fn of_other(db: impl PgExecutor<'_>, id: Uuid, viewer: Option<Uuid>) -> Result<ViewedMember, Error> {
    let row = sqlx::query!(
        r#"select m.xmin::text::bigint as "version!",
            case m.profile_audience
                when 'public' then true
                when 'members' then $2::uuid is not null
                else exists (
                    select from profile.connections
                    where lower_id = least(m.id, $2)
                        and upper_id = greatest(m.id, $2)
                )
            end as "sees_all!",
            array(
                select skill
                from profile.endorsements
                where endorser_id = $2
                    and member_id = $1
            ) as "endorsed!"
        from profile.members m
        where id = $1
            and not hidden
            and (m.profile_audience = 'public' or $2::uuid is not null)
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
    Ok(ViewedMember { version: Version(row.version), sees_all: row.sees_all, endorsed: row.endorsed, own: None })
}

async fn own(db: impl PgExecutor<'_>, id: Uuid) -> Result<ViewedMember, Error> {
    let row = sqlx::query!(
        r#"select m.xmin::text::bigint as "version!", connection_count,
            coalesce((select c.n from profile.view_counts c where c.member_id = $1), 0) as "view_count!",
            school is not null as "has_school!",
            graduation_year is not null as "has_graduation_year!",
            cardinality(jurisdictions) + cardinality(interests) > 0 as "has_interests!",
            (
                select row (o.done, o.skipped, o.dismissed)
                from profile.onboarding o
                where o.member_id = $1
            ) as "onboarding: OnboardingRow",
            (select s.school from profile.stewards s where s.member_id = $1) as steward_of
        from profile.members m
        where id = $1
            and not hidden"#,
        id,
    )
    .fetch_optional(db)
    .await?
    .ok_or(Error::MemberNotFound)?;
    let answers = Answers {
        school: row.has_school,
        graduation_year: row.has_graduation_year,
        interests: row.has_interests,
        connections: row.connection_count,
    };
    let own = OwnParts {
        stats: Stats { profile_views: row.view_count, connections: row.connection_count },
        onboarding: row.onboarding.map(|onboarding| Onboarding::of(onboarding, answers)),
        steward_of: row.steward_of,
    };
    Ok(ViewedMember { version: Version(row.version), sees_all: true, endorsed: Vec::new(), own: Some(own) })
}
