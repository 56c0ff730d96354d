//! What the search looks into, kept beside the member; and who of some people is called so.

use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use crate::{convert::Called, error::Error};

/// Writes a member's search document anew: after every change of the username, name, headline, school or skills, in its
/// transaction. The text is for trigrams, which forgive typing errors; the words are for full text, in which a username
/// such as `isabel.reyes` is two.
///
/// # Errors
/// When the database is away.
pub async fn index(conn: &mut PgConnection, id: Uuid) -> Result<(), Error> {
    sqlx::query!(
        "update profile.members m
        set search_text = document.folded,
            search_words = to_tsvector('simple', translate(document.folded, '.@+_-', '     '))
        from (
            select lower(ext.unaccent(concat_ws(' ', username, full_name, headline, school, (
                select string_agg(name, ' ' order by position)
                from profile.skills
                where member_id = $1
            )))) as folded
            from profile.members
            where id = $1
        ) as document
        where m.id = $1",
        id,
    )
    .execute(conn)
    .await?;
    Ok(())
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
            where id = any($1)
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
