//! Cards of members, as lists show them.

use sqlx::PgConnection;
use uuid::Uuid;

use crate::{error::Error, verifications::Verification};

/// The part of a member that lists show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Card {
    /// The account's id.
    pub id: Uuid,
    pub full_name: String,
    pub headline: Option<String>,
    pub avatar_url: Option<String>,
    /// The card is not the same for every viewer.
    pub varies_by_actor: bool,
    pub verification: Option<Verification>,
}

/// Returns the cards of the members that exist and are not hidden. A viewer outside the audience of a profile gets the
/// name only.
pub async fn batch_get_cards(db: &mut PgConnection, ids: &[Uuid], viewer: Option<Uuid>) -> Result<Vec<Card>, Error> {
    let found = sqlx::query!(
        r#"select id, full_name,
            case when v.sees_all then headline end as headline,
            case when v.sees_all then avatar_url end as avatar_url,
            m.profile_audience <> 'public' as "varies_by_actor!",
            v.sees_all and verified_at is not null as "verified!",
            case when v.sees_all then verified_school end as verified_school
        from profile.members m
        cross join lateral (
            select case m.profile_audience
                when 'public' then true
                when 'members' then $2::uuid is not null
                else coalesce(m.id = $2, false) or exists (
                    select from profile.connections
                    where lower_id = least(m.id, $2)
                        and upper_id = greatest(m.id, $2)
                )
            end as sees_all
            offset 0
        ) as v
        where id = any((select $1::uuid[])::uuid[])
            and not hidden"#,
        ids,
        viewer,
    );
    let cards = found.fetch_all(db).await?.into_iter().map(|row| Card {
        id: row.id,
        full_name: row.full_name,
        headline: row.headline,
        avatar_url: row.avatar_url,
        varies_by_actor: row.varies_by_actor,
        verification: Verification::of(row.verified, row.verified_school),
    });
    Ok(cards.collect())
}
