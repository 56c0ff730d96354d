//! What the search looks into, kept beside the member.

use sqlx::PgConnection;
use uuid::Uuid;

use crate::error::Error;

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
