//! Search over members, and matching of names among given members.

use std::sync::LazyLock;

use ::search::{Document, DocumentsFuture, Order, PUBLIC, Search, SearchPage, WindowQuery};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{convert::NameQuery, error::Error, verifications::Verification};

/// Matches in names rank first.
pub static MEMBERS: LazyLock<Search> = LazyLock::new(|| Search::of("profile", Order::Titles));

/// The most results that are ordered together by their relationship with the viewer. A longer window costs more than the search.
pub const WINDOW: usize = 40;
/// The connections of the viewer that are read, in each order of the pair: a range of an index, so thousands cost little.
const MAX_FRIENDS: i64 = 2_000;
/// The connections of each result that are examined for a mutual one, in each order of the pair. This bounds the work.
const MAX_EXAMINED: i64 = 200;

/// A search result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundMember {
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
    /// What the viewer and the member share.
    pub relationship: Relationship,
}

/// What a viewer and a member share. The order is that of results with equal matches: a member is more likely to look for the
/// person they know than for the namesake who registered last.
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

/// Updates the index in the transaction of every change of name, headline, school, skills or visibility. A hidden
/// member is not in the index.
pub async fn index(db: &mut PgConnection, id: Uuid) -> Result<(), Error> {
    let documents = read_documents(db, vec![id]).await?;
    Ok(MEMBERS.update(db, &[id], &documents).await?)
}

/// Reads the documents of members: names as title; headline, school and skills as body.
pub fn read_documents(db: &mut PgConnection, ids: Vec<Uuid>) -> DocumentsFuture<'_> {
    Box::pin(async move {
        let members = sqlx::query!(
            r#"select id, username, full_name, headline, school, created_at,
                array(
                    select name
                    from profile.skills
                    where member_id = members.id
                    order by position
                ) as "skills!"
            from profile.members
            where id = any($1)
                and not hidden"#,
            &ids,
        );
        let members = members.fetch_all(db).await?;
        Ok(members
            .iter()
            .map(|member| {
                let names = [member.full_name.as_str(), &member.username];
                let body = member.headline.iter().chain(&member.school).chain(&member.skills);
                Document::new(member.id, member.created_at, names, body.map(String::as_str))
            })
            .collect())
    })
}

/// Finds a page of members, in windows that are ordered by match and then by [`Relationship`]. Leaves out hidden members, members with a block between them and the viewer, and profiles that
/// the viewer may not see: a match would tell what they contain.
pub async fn members(
    db: &mut PgConnection,
    window: &WindowQuery,
    viewer: Option<Uuid>,
) -> Result<SearchPage<FoundMember>, Error> {
    let mut executor = MEMBERS.execute(window.query.clone(), vec![PUBLIC]);
    while let Some(ids) = executor.next(db).await? {
        executor.accept(read_visible(db, &ids, viewer).await?, |member: &FoundMember| member.id);
    }
    Ok(executor.page_of_window(window, |member| member.relationship))
}

async fn read_visible(
    db: &mut PgConnection,
    ids: &[Uuid],
    viewer: Option<Uuid>,
) -> Result<Vec<FoundMember>, sqlx::Error> {
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
        id: row.id,
        username: row.username,
        full_name: row.full_name,
        headline: row.headline,
        location: row.location,
        school: row.school,
        avatar_url: row.avatar_url,
        verification: Verification::of(row.is_verified, row.verified_school),
    });
    Ok(found.collect())
}

/// Returns the given members with a matching name: every word of the query is the prefix of a word of the name, without
/// regard to case and accents. Reads the names by primary key, so it needs no index. Leaves out hidden members.
pub async fn match_names(db: &mut PgConnection, query: &NameQuery) -> Result<Vec<Uuid>, Error> {
    let found = sqlx::query_scalar!(
        r#"with query_words as materialized (
            select ' ' || word as word
            from regexp_split_to_table(translate(lower(ext.unaccent($2::text)), '.@+_-''', '      '), '\s+') as word
            where word <> ''
        ),
        names as materialized (
            select id, ' ' || translate(lower(ext.unaccent(full_name)), '.@+_-''', '      ') as name
            from profile.members
            where id = any((select $1::uuid[])::uuid[])
                and not hidden
        )
        select id as "id!"
        from names
        where exists (select from query_words)
            and not exists (
                select
                from query_words
                where strpos(name, word) = 0
            )"#,
        &query.member_ids,
        &*query.text,
    );
    Ok(found.fetch_all(db).await?)
}
