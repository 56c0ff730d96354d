//! Search over members, and matching of names among given members.

mod cards;
pub mod results;

use std::sync::LazyLock;

use ::search::{Document, DocumentsFuture, Order, PUBLIC, Search, SearchPage, WindowQuery};
use primitives::input::Line;
use sqlx::PgConnection;
use uuid::Uuid;

pub use self::cards::SearchCards;
use self::results::FoundMember;
use crate::error::Error;

/// Matches in names rank first.
pub static MEMBERS: LazyLock<Search> = LazyLock::new(|| Search::of("profile", Order::Titles));

/// The most results that are ordered together by their relationship with the viewer. A longer window costs more than the search.
pub const WINDOW: usize = 40;

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

/// Finds a page of members, in windows that are ordered by match and then by [`results::Relationship`]. Leaves out
/// hidden members, members with a block between them and the viewer, and profiles that the viewer may not see: a match would tell
/// what they contain.
pub async fn members(
    db: &mut PgConnection,
    cards: &SearchCards,
    window: &WindowQuery,
    viewer: Option<Uuid>,
) -> Result<SearchPage<FoundMember>, Error> {
    let mut executor = MEMBERS.execute(window.query.clone(), vec![PUBLIC]);
    while let Some(ids) = executor.next(db).await? {
        executor.accept(cards.visible(db, &ids, viewer).await?, |member: &FoundMember| member.card.id);
    }
    Ok(executor.page_of_window(window, |member| member.relationship))
}

/// A query for names among given members.
#[derive(Debug)]
pub struct NameQuery {
    /// The members to look among.
    pub member_ids: Vec<Uuid>,
    /// The words of the query.
    pub text: Line<100>,
}

/// Returns the given members with a matching name: every word of the query is the prefix of a word of the name, without
/// regard to case and accents; in Chinese, Japanese, Thai, Lao, Khmer and Burmese any part of the name. Reads the names by primary
/// key, so it needs no index. Leaves out hidden members.
pub async fn match_names(db: &mut PgConnection, query: &NameQuery) -> Result<Vec<Uuid>, Error> {
    let found = sqlx::query_scalar!(
        r#"with query_words as materialized (
            select case
                when word ~ '^[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u3400-\u9fff]' then word
                else ' ' || word
            end as word
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
