//! Where members study: copied from what profile tells, for the order by relevance.

use sqlx::PgConnection;
use uuid::Uuid;

use crate::error::Error;

/// A school as two members' are compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key(pub Option<String>);

/// The longest key: names are shorter, and it must fit an index.
const LONGEST: usize = 200;

impl Key {
    /// Case and white space make no difference. What is blank is nothing in common.
    #[must_use]
    pub fn of(raw: Option<&str>) -> Self {
        let words: Vec<&str> = raw.unwrap_or_default().split_whitespace().collect();
        let key: String = words.join(" ").to_lowercase().chars().filter(|c| *c != '\0').take(LONGEST).collect();
        Self(Some(key).filter(|key| !key.is_empty()))
    }
}

/// Notes where a member studies. A profile that names no school, is hidden or gone leaves nothing to note.
///
/// # Errors
/// As any statement.
pub async fn note(conn: &mut PgConnection, member_id: Uuid, school: &Key) -> Result<(), Error> {
    match &school.0 {
        Some(key) => {
            sqlx::query!(
                "insert into feed.members (member_id, school_key)
                values ($1, $2)
                on conflict (member_id) do update
                set school_key = excluded.school_key",
                member_id,
                key
            )
            .execute(conn)
            .await?
        }
        None => sqlx::query!("delete from feed.members where member_id = $1", member_id).execute(conn).await?,
    };
    Ok(())
}

/// Forgets it all, because profile is about to tell anew.
///
/// # Errors
/// As any statement.
pub async fn clear(conn: &mut PgConnection) -> Result<(), Error> {
    sqlx::query!("delete from feed.members").execute(conn).await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_and_white_space_make_no_difference() {
        assert_eq!(Key::of(Some("  Yale\u{a0}Law  SCHOOL ")).0.as_deref(), Some("yale law school"));
        assert_eq!(Key::of(Some("école")), Key::of(Some("ÉCOLE")));
        for nothing in [None, Some(""), Some(" \t"), Some("\0")] {
            assert_eq!(Key::of(nothing).0, None, "{nothing:?}");
        }
        assert_eq!(Key::of(Some(&"é".repeat(1 << 20))).0.map(|key| key.chars().count()), Some(200));
    }
}
