//! The results of a search for a viewer, read in one statement. Mostly they are in memory: cards.rs.

use std::sync::Arc;

use sqlx::PgConnection;
use uuid::Uuid;

use crate::verifications::Verification;

/// The connections of the viewer that are read, in each order of the pair: a range of an index, so thousands cost little.
pub const MAX_FRIENDS: i64 = 2_000;
/// The connections of each result that are examined for a mutual one, in each order of the pair. This bounds the work.
pub const MAX_EXAMINED: i64 = 200;

/// The part of a search result that all viewers are shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundCard {
    /// The account's id.
    pub id: Uuid,
    /// As typed at registration.
    pub username: String,
    /// The full name.
    pub full_name: String,
    /// The headline.
    pub headline: Option<String>,
    /// The location.
    pub location: Option<String>,
    /// The school.
    pub school: Option<String>,
    /// The address of the avatar.
    pub avatar_url: Option<String>,
    /// None for a member who is not verified.
    pub verification: Option<Verification>,
}

/// A search result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundMember {
    /// The card.
    pub card: Arc<FoundCard>,
    /// The relationship of the viewer with the member.
    pub relationship: Relationship,
}

/// The relationship of a viewer with a member. It orders results with equal matches: a member is more likely to look
/// for the person they know than for the namesake who registered last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Relationship {
    /// They are not connected.
    pub is_stranger: bool,
    /// They are connected, or share no connection.
    pub has_no_mutual_connection: bool,
    /// They do not state the same school.
    pub is_of_another_school: bool,
    /// The member is not verified.
    pub is_unverified: bool,
}

/// Reads the members that the viewer may see, in no order.
pub async fn read(db: &mut PgConnection, ids: &[Uuid], viewer: Option<Uuid>) -> Result<Vec<FoundMember>, sqlx::Error> {
    let rows = sqlx::query!(
        r#"with friends as materialized (
            (
                select upper_id as id
                from profile.connections
                where lower_id = $2
                limit $4
            )
            union all
            (
                select lower_id
                from profile.connections
                where upper_id = $2
                limit $4
            )
        )
        select m.id, username, full_name, headline, location, school, avatar_url, verified_school,
            verified_at is not null as "is_verified!",
            tie.is_connected as "is_connected!",
            exists (select from friends) and not tie.is_connected and exists (
                (
                    select
                    from (
                        select upper_id as id
                        from profile.connections
                        where lower_id = m.id
                        limit $3
                    ) as theirs
                    where theirs.id in (select id from friends)
                )
                union all
                (
                    select
                    from (
                        select lower_id as id
                        from profile.connections
                        where upper_id = m.id
                        limit $3
                    ) as theirs
                    where theirs.id in (select id from friends)
                )
            ) as "has_mutual!",
            coalesce(
                profile.comparison_key(school) = (
                    select profile.comparison_key(own.school) from profile.members own where own.id = $2
                ),
                false
            ) as "is_of_school!"
        from profile.members m
        cross join lateral (
            select m.id in (select id from friends) as is_connected
            offset 0
        ) as tie
        where m.id = any((select $1::uuid[])::uuid[])
            and not hidden
            and case profile_audience
                when 'public' then true
                when 'members' then $2::uuid is not null
                else coalesce(m.id = $2, false) or exists (
                    select from profile.connections
                    where lower_id = least(m.id, $2)
                        and upper_id = greatest(m.id, $2)
                )
            end
            and not exists (
                select from profile.blocks
                where lower_id = least(m.id, $2)
                    and upper_id = greatest(m.id, $2)
            )"#,
        ids,
        viewer,
        MAX_EXAMINED,
        MAX_FRIENDS,
    );
    let found = rows.fetch_all(db).await?.into_iter().map(|row| FoundMember {
        relationship: Relationship {
            is_stranger: !row.is_connected,
            has_no_mutual_connection: !row.has_mutual,
            is_of_another_school: !row.is_of_school,
            is_unverified: !row.is_verified,
        },
        card: Arc::new(FoundCard {
            id: row.id,
            username: row.username,
            full_name: row.full_name,
            headline: row.headline,
            location: row.location,
            school: row.school,
            avatar_url: row.avatar_url,
            verification: Verification::of(row.is_verified, row.verified_school),
        }),
    });
    Ok(found.collect())
}
