//! Members: create from a registration, and get: complete (`read`), or from memory in one version (`versions`, `bodies`).

pub mod bodies;
pub mod card;
pub mod list;
mod read;
pub mod versions;

pub use self::read::{get, get_reported};

use chrono::{DateTime, Utc};
use outbox::UnitOfWork;
use primitives::input::Line;
use serde::Serialize;
use uuid::Uuid;

use crate::{
    endorsements::SkillEndorsements,
    error::Error,
    onboarding::{self, Onboarding},
    publishing, search,
    verifications::Verification,
};

/// A valid registration.
#[derive(Clone, Debug)]
pub struct NewMember {
    /// The account's id.
    pub id: Uuid,
    /// A copy of auth's username.
    pub username: Line<64>,
    pub full_name: Line<100>,
    pub headline: Option<Line<200>>,
    pub location: Option<Line<100>>,
    pub school: Option<Line<200>>,
    /// Free text: `2027`, `May 2027`.
    pub graduation_year: Option<Line<10>>,
}

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

/// Creates the member unless it exists, and publishes it. The gateway calls it after a registration, the fact MemberRegistered
/// repeats it.
pub async fn ensure(work: &mut UnitOfWork<'_>, new: &NewMember) -> Result<(), Error> {
    if insert(work, new).await? {
        onboarding::create(work.db, new.id).await?;
        search::index(work.db, new.id).await?;
        publishing::publish_member_changed(work, new.id).await?;
    }
    Ok(())
}

/// Inserts the member; `false` when the row exists. Facts about connections may arrive before the registration, so the
/// insert counts the existing connections with members who are not hidden.
async fn insert(work: &mut UnitOfWork<'_>, new: &NewMember) -> Result<bool, Error> {
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
        work.now,
    )
    .execute(&mut *work.db)
    .await?;
    Ok(done.rows_affected() == 1)
}
