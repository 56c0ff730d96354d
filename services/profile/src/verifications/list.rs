//! The members of a steward's school.

use chrono::{DateTime, Utc};
use primitives::input::{Cursor, InvalidRequest, Line, Page, PageSize};
use serde::{Deserialize, Serialize};
use sqlx::PgExecutor;
use uuid::Uuid;

use crate::error::Error;

/// A member of the school.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SchoolMember {
    pub id: Uuid,
    pub username: String,
    pub full_name: String,
    /// The name as it is compared; the order of the list.
    pub name_key: String,
    pub headline: Option<String>,
    pub avatar_url: Option<String>,
    pub graduation_year: Option<String>,
    pub verified_at: Option<DateTime<Utc>>,
    pub verified_school: Option<String>,
    /// The steward may verify the member, or withdraw the verification.
    pub decidable: bool,
}

/// The position in the list of members.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SchoolMemberCursor {
    /// The name as it is compared.
    #[serde(rename = "n")]
    pub name_key: String,
    #[serde(rename = "i")]
    pub id: Uuid,
}

impl Cursor for SchoolMemberCursor {}

/// The filters and the page.
#[derive(Debug)]
pub struct SchoolMemberQuery {
    pub words: Option<Line<100>>,
    /// Only verified members, or only others.
    pub verified: Option<bool>,
    pub size: PageSize,
    pub after: Option<SchoolMemberCursor>,
}

/// Lists a page of the members who state the school of a steward, by name. It contains members whose profile the
/// steward may see and members that the school verified, so that a later block or audience does not protect the
/// verification.
pub async fn list_members(
    db: impl PgExecutor<'_>,
    steward: Uuid,
    school: &str,
    query: &SchoolMemberQuery,
) -> Result<Page<SchoolMember>, Error> {
    let members = select(db, steward, school, query, None).await?;
    Ok(Page::cut(members, query.size, |member| SchoolMemberCursor { name_key: member.name_key.clone(), id: member.id }))
}

/// Returns one member of the list.
///
/// # Errors
/// [`Error::MemberNotFound`].
pub async fn get_member(
    db: impl PgExecutor<'_>,
    steward: Uuid,
    school: &str,
    member: Uuid,
) -> Result<SchoolMember, Error> {
    let size = PageSize::parse(1).map_err(InvalidRequest::from)?;
    let query = SchoolMemberQuery { words: None, verified: None, size, after: None };
    select(db, steward, school, &query, Some(member)).await?.pop().ok_or(Error::MemberNotFound)
}

async fn select(
    db: impl PgExecutor<'_>,
    steward: Uuid,
    school: &str,
    query: &SchoolMemberQuery,
    member: Option<Uuid>,
) -> Result<Vec<SchoolMember>, Error> {
    let members = sqlx::query_as!(
        SchoolMember,
        r#"select m.id, m.full_name, m.verified_at, m.verified_school,
            profile.comparison_key(m.full_name) as "name_key!",
            case when v.sees_all then m.username else '' end as "username!",
            case when v.sees_all then m.headline end as headline,
            case when v.sees_all then m.avatar_url end as avatar_url,
            case when v.sees_all then m.graduation_year end as graduation_year,
            m.id <> $1 and (m.verified_at is null or v.is_own) as "decidable!"
        from profile.members m
        cross join lateral (
            select
                (
                    m.profile_audience <> 'connections'
                    or m.id = $1
                    or exists (
                        select from profile.connections
                        where lower_id = least(m.id, $1)
                            and upper_id = greatest(m.id, $1)
                    )
                )
                and not exists (
                    select from profile.blocks
                    where lower_id = least(m.id, $1)
                        and upper_id = greatest(m.id, $1)
                ) as sees_all,
                coalesce(
                    profile.comparison_key(m.verified_school) = profile.comparison_key($2), false
                ) as is_own
            offset 0
        ) as v
        where profile.comparison_key(m.school) = profile.comparison_key($2)
            and m.school is not null
            and not m.hidden
            and ($3::uuid is null or m.id = $3)
            and (profile.comparison_key(m.full_name), m.id) > ($4, $5)
            and ($6::boolean is null or (m.verified_at is not null) = $6)
            and not exists (
                select
                from regexp_split_to_table(profile.comparison_key($7), ' ') as word
                where word <> ''
                    and strpos(' ' || profile.comparison_key(m.full_name), ' ' || word) = 0
            )
            and (v.sees_all or v.is_own)
        order by profile.comparison_key(m.full_name), m.id
        limit $8"#,
        steward,
        school,
        member,
        query.after.as_ref().map_or("", |after| after.name_key.as_str()),
        query.after.as_ref().map_or(Uuid::nil(), |after| after.id),
        query.verified,
        query.words.as_ref().map_or("", |words| words),
        query.size.to_fetch(),
    );
    Ok(members.fetch_all(db).await?)
}
