//! Members found by their words; and who of some people is called so.

use std::{pin::Pin, sync::LazyLock};

use ::search::{Asked, Document, EVERYBODY, Found, Order, Search};
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use crate::{convert::Called, error::Error};

/// Whoever looks for people types names: these come first.
pub static MEMBERS: LazyLock<Search> = LazyLock::new(|| Search::of("profile", Order::Titles));

/// A member as a search shows them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundMember {
    /// The account's id.
    pub id: Uuid,
    /// As typed when registering.
    pub username: String,
    /// As shown.
    pub full_name: String,
    /// What they are.
    pub headline: Option<String>,
    /// Where they are.
    pub location: Option<String>,
    /// Where they study or studied.
    pub school: Option<String>,
    /// Their picture.
    pub avatar_url: Option<String>,
}

/// Writes what a member is found by anew, in the transaction of every change of the username, name, headline, school or
/// skills, and when the account is closed or opened again: a closed one is found by nothing.
///
/// # Errors
/// When the database is away.
pub async fn index(conn: &mut PgConnection, id: Uuid) -> Result<(), Error> {
    let documents = read(conn, vec![id]).await?;
    if documents.is_empty() {
        return Ok(MEMBERS.remove(conn, &[id]).await?);
    }
    Ok(MEMBERS.put(conn, &documents).await?)
}

/// What members are found by: their names, and what else they are known for.
pub fn read(
    conn: &mut PgConnection,
    ids: Vec<Uuid>,
) -> Pin<Box<dyn Future<Output = Result<Vec<Document>, sqlx::Error>> + Send + '_>> {
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
        let members = members.fetch_all(conn).await?;
        Ok(members
            .iter()
            .map(|member| {
                let names = [member.full_name.as_str(), &member.username];
                let said = member.headline.iter().chain(&member.school).chain(&member.skills);
                Document::new(member.id, member.created_at, names, said.map(String::as_str))
            })
            .collect())
    })
}

/// Members who are found: no closed accounts, and of two of whom one blocks the other, neither by the other.
///
/// # Errors
/// When the database is away.
pub async fn members(conn: &mut PgConnection, asked: Asked, viewer: Option<Uuid>) -> Result<Found<FoundMember>, Error> {
    let mut hunt = MEMBERS.hunt(asked, vec![EVERYBODY]);
    while let Some(ids) = hunt.next(conn).await? {
        hunt.show(shown(conn, &ids, viewer).await?, |member: &FoundMember| member.id);
    }
    Ok(hunt.page())
}

async fn shown(conn: &mut PgConnection, ids: &[Uuid], viewer: Option<Uuid>) -> Result<Vec<FoundMember>, sqlx::Error> {
    let shown = sqlx::query_as!(
        FoundMember,
        "select id, username, full_name, headline, location, school, avatar_url
        from profile.members
        where id = any((select $1::uuid[])::uuid[])
            and not hidden
            and not exists (
                select from profile.blocks
                where lower_id = least(members.id, $2)
                    and upper_id = greatest(members.id, $2)
            )",
        ids,
        viewer,
    );
    shown.fetch_all(conn).await
}

/// Which of some members are called so: each word looked for begins a word of the name, whatever its case and accents.
/// Names are read by their primary keys and folded as they are, so no index need know them; closed accounts have none.
///
/// # Errors
/// When the database is away.
pub async fn called(db: &PgPool, called: &Called) -> Result<Vec<Uuid>, Error> {
    let found = sqlx::query_scalar!(
        r#"with looked_for as materialized (
            select ' ' || word as word
            from regexp_split_to_table(translate(lower(ext.unaccent($2::text)), '.@+_-''', '      '), '\s+') as word
            where word <> ''
        ),
        named as materialized (
            select id, ' ' || translate(lower(ext.unaccent(full_name)), '.@+_-''', '      ') as name
            from profile.members
            where id = any((select $1::uuid[])::uuid[])
                and not hidden
        )
        select id as "id!"
        from named
        where exists (select from looked_for)
            and not exists (
                select
                from looked_for
                where strpos(name, word) = 0
            )"#,
        &called.among,
        &*called.query,
    );
    Ok(found.fetch_all(db).await?)
}
