//! The schools of members, copied from profile, for the order by relevance.

use sqlx::PgConnection;
use uuid::Uuid;

use crate::error::Error;

/// A school name, normalized for comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SchoolKey(pub Option<String>);

/// The maximum length of a key, in characters: it must fit into an index.
const MAX_KEY: usize = 200;

impl SchoolKey {
    /// Ignores case and white space. `None` for a blank name.
    pub fn from_text(raw: Option<&str>) -> Self {
        let words: Vec<&str> = raw.unwrap_or_default().split_whitespace().collect();
        let key: String = words.join(" ").to_lowercase().chars().filter(|c| *c != '\0').take(MAX_KEY).collect();
        Self(Some(key).filter(|key| !key.is_empty()))
    }
}

/// Sets the school of a member. A profile without a school, a hidden and a deleted profile have none.
pub async fn set(db: &mut PgConnection, member_id: Uuid, school: &SchoolKey) -> Result<(), Error> {
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
            .execute(db)
            .await?
        }
        None => sqlx::query!("delete from feed.members where member_id = $1", member_id).execute(db).await?,
    };
    Ok(())
}

/// Deletes all schools. Runs before a snapshot of profile.
pub async fn clear(db: &mut PgConnection) -> Result<(), Error> {
    sqlx::query!("delete from feed.members").execute(db).await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_ignore_case_and_white_space() {
        assert_eq!(SchoolKey::from_text(Some("  Yale\u{a0}Law  SCHOOL ")).0.as_deref(), Some("yale law school"));
        assert_eq!(SchoolKey::from_text(Some("école")), SchoolKey::from_text(Some("ÉCOLE")));
        for blank in [None, Some(""), Some(" \t"), Some("\0")] {
            assert_eq!(SchoolKey::from_text(blank).0, None, "{blank:?}");
        }
        assert_eq!(SchoolKey::from_text(Some(&"é".repeat(1 << 20))).0.map(|key| key.chars().count()), Some(200));
    }
}
