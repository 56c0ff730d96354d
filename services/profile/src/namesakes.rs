//! Members with the same full name, without regard to case, accents and punctuation.

use sqlx::PgConnection;
use uuid::Uuid;

use crate::{
    error::Error,
    members::list::{self, Card},
};

/// The most members in a list.
const MAX_LISTED: i64 = 5;
/// The members of one name that are examined. This bounds the work for names that hundreds have.
const MAX_EXAMINED: i64 = 100;
/// The most members of one name that are compared with connections: one index lookup each.
const MAX_COMPARED: i64 = 1_000;

/// Lists the other members with the name of `member` whose profiles the viewer may see: verified ones first, then the
/// oldest. Empty for a member whose mark the viewer sees.
///
/// # Errors
/// [`Error::MemberNotFound`], as for the profile.
pub async fn list(db: &mut PgConnection, member: Uuid, viewer: Option<Uuid>) -> Result<Vec<Card>, Error> {
    let rows = sqlx::query_scalar!(
        r#"select same.id as "id: Option<Uuid>"
        from profile.members m
        left join lateral (
            select o.id, o.verified_at, o.created_at
            from (
                select id, profile_audience, verified_at, created_at
                from profile.members
                where profile.comparison_key(full_name) = profile.comparison_key(m.full_name)
                    and not hidden
                    and id <> m.id
                order by verified_at is null, created_at, id
                limit $3
            ) as o
            where case o.profile_audience
                    when 'public' then true
                    when 'members' then $2::uuid is not null
                    else coalesce(o.id = $2, false) or exists (
                        select from profile.connections
                        where lower_id = least(o.id, $2)
                            and upper_id = greatest(o.id, $2)
                    )
                end
                and not exists (
                    select from profile.blocks
                    where lower_id = least(o.id, $2)
                        and upper_id = greatest(o.id, $2)
                )
            order by o.verified_at is null, o.created_at, o.id
            limit $4
        ) as same on m.verified_at is null
            -- A mark that the viewer does not see makes no difference.
            or (
                m.profile_audience not in ('public', 'members')
                and m.id is distinct from $2
                and not exists (
                    select from profile.connections
                    where lower_id = least(m.id, $2)
                        and upper_id = greatest(m.id, $2)
                )
            )
        where m.id = $1
            and not m.hidden
            and (m.profile_audience = 'public' or $2::uuid is not null)
            and not exists (
                select from profile.blocks
                where lower_id = least(m.id, $2)
                    and upper_id = greatest(m.id, $2)
            )
        order by same.verified_at is null, same.created_at, same.id"#,
        member,
        viewer,
        MAX_EXAMINED,
        MAX_LISTED,
    )
    .fetch_all(&mut *db)
    .await?;
    if rows.is_empty() {
        return Err(Error::MemberNotFound);
    }
    let ids: Vec<Uuid> = rows.into_iter().flatten().collect();
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let mut cards = list::batch_get_cards(db, &ids, viewer).await?;
    cards.sort_by_key(|card| ids.iter().position(|id| *id == card.id));
    Ok(cards)
}

/// A member, and a connection of the viewer with the same name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConnectionName {
    pub member_id: Uuid,
    pub connection_id: Uuid,
}

/// Returns the members who share their name with a connection of the viewer.
pub async fn match_connections(
    db: &mut PgConnection,
    ids: &[Uuid],
    viewer: Uuid,
) -> Result<Vec<ConnectionName>, Error> {
    let found = sqlx::query_as!(
        ConnectionName,
        r#"select m.id as member_id, same.id as "connection_id!"
        from profile.members m
        cross join lateral (
            select o.id
            from (
                select id
                from profile.members
                where profile.comparison_key(full_name) = profile.comparison_key(m.full_name)
                    and not hidden
                    and id <> m.id
                limit $3
            ) as o
            where exists (
                select from profile.connections
                where lower_id = least(o.id, $2)
                    and upper_id = greatest(o.id, $2)
            )
            order by o.id
            limit 1
        ) as same
        where m.id = any((select $1::uuid[])::uuid[])
            and not m.hidden"#,
        ids,
        viewer,
        MAX_COMPARED,
    );
    Ok(found.fetch_all(db).await?)
}
