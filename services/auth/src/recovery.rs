//! Recovery codes: eight a set, each good for one new password, made to be written down and typed in.

use std::fmt;

use aws_lc_rs::rand;
use chrono::{DateTime, Utc};
use sha2::{Digest as _, Sha256};
use sqlx::{PgConnection, PgExecutor, PgPool};
use uuid::Uuid;
use zeroize::Zeroizing;

use crate::{
    error::Error,
    sessions::{self, Session},
};

/// Codes in a set.
pub const SET: usize = 8;
/// Crockford's base 32: no I, L, O or U, so that nothing is mistaken for something else, and no word comes out.
const ALPHABET: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
/// Characters of a code: five bits each.
const LENGTH: usize = 16;
/// Characters between two hyphens.
const GROUP: usize = 4;
/// The longest thing looked at: a code with every character spaced out.
const LONGEST: usize = 4 * LENGTH;

/// A code: 80 bits, wiped from memory when dropped, told by no log.
pub struct Code(Zeroizing<[u8; LENGTH]>);

impl Code {
    fn draw() -> Result<Self, Error> {
        let mut digits = Zeroizing::new([0_u8; LENGTH]);
        rand::fill(digits.as_mut_slice()).map_err(|_| Error::Randomness)?;
        // Five of the eight bits drawn for each character: 256 is a multiple of 32, so none is likelier than another.
        digits.iter_mut().for_each(|digit| *digit &= 31);
        Ok(Self(digits))
    }

    /// Reads what somebody typed: in either case, with or without hyphens and spaces, O for 0, I and L for 1.
    #[must_use]
    pub fn read(raw: &str) -> Option<Self> {
        if raw.len() > LONGEST {
            return None;
        }
        let mut digits = Zeroizing::new([0_u8; LENGTH]);
        let mut places = digits.iter_mut();
        for typed in raw.chars().filter(|c| *c != '-' && !c.is_whitespace()) {
            let meant = match typed.to_ascii_uppercase() {
                'O' => '0',
                'I' | 'L' => '1',
                other => other,
            };
            let digit = ALPHABET.iter().position(|letter| char::from(*letter) == meant)?;
            *places.next()? = u8::try_from(digit).ok()?;
        }
        places.next().is_none().then_some(Self(digits))
    }

    /// As it is shown.
    #[must_use]
    pub fn shown(&self) -> String {
        let letters = self.0.iter().filter_map(|digit| ALPHABET.get(usize::from(*digit)));
        let mut shown = String::with_capacity(LENGTH + LENGTH / GROUP);
        for (place, letter) in letters.enumerate() {
            if place > 0 && place % GROUP == 0 {
                shown.push('-');
            }
            shown.push(char::from(*letter));
        }
        shown
    }

    /// As the database knows it. A slow hash protects what people choose; 80 bits drawn by lot nobody goes through, at
    /// whatever speed. The member's id is hashed with them, so that one guess is not tried on every account's codes.
    #[must_use]
    pub fn hash(&self, member: Uuid) -> Vec<u8> {
        Sha256::new().chain_update(member.as_bytes()).chain_update(self.0.as_slice()).finalize().to_vec()
    }
}

impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Code(..)")
    }
}

/// A set of codes nobody has.
///
/// # Errors
/// When the system has no randomness.
pub fn draw() -> Result<Vec<Code>, Error> {
    (0..SET).map(|_| Code::draw()).collect()
}

/// Puts a new set in the place of the member's old one. Lock the account first: two sets at once would both stay.
///
/// # Errors
/// When the database is away.
pub async fn renew(conn: &mut PgConnection, member: Uuid, codes: &[Code], now: DateTime<Utc>) -> Result<(), Error> {
    let hashes: Vec<Vec<u8>> = codes.iter().map(|code| code.hash(member)).collect();
    sqlx::query!(
        "delete from auth.recovery_codes
        where member_id = $1",
        member,
    )
    .execute(&mut *conn)
    .await?;
    sqlx::query!(
        "insert into auth.recovery_codes (member_id, code_hash, made_at)
        select $1, code_hash, $3
        from unnest($2::bytea[]) as made (code_hash)",
        member,
        &hashes,
        now,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// What is left of a member's set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Left {
    /// Codes not used yet.
    pub remaining: i64,
    /// When the set was made; `None` when none was.
    pub made_at: Option<DateTime<Utc>>,
}

/// What is left to the member who asks.
///
/// # Errors
/// [`Error::SessionEnded`].
pub async fn left(db: &PgPool, asking: Session, now: DateTime<Utc>) -> Result<Left, Error> {
    let left = sqlx::query_as!(
        Left,
        "select count(code.made_at) filter (where code.used_at is null) as \"remaining!\", max(code.made_at) as made_at
        from auth.sessions live
        left join auth.recovery_codes code on code.member_id = live.member_id
        where live.id = $1 and live.member_id = $2 and live.last_seen_at > $3 and live.ends_at > $4
        group by live.id",
        asking.id,
        asking.member,
        now - sessions::IDLE,
        now,
    );
    left.fetch_optional(db).await?.ok_or(Error::SessionEnded)
}

/// Whether the member has any code to use.
///
/// # Errors
/// When the database is away.
pub async fn are_left(db: &PgPool, member: Uuid) -> Result<bool, Error> {
    let left = sqlx::query_scalar!(
        "select exists (
            select from auth.recovery_codes
            where member_id = $1 and used_at is null
        ) as \"left!\"",
        member,
    );
    Ok(left.fetch_one(db).await?)
}

/// Whether the code is one of the member's that was not used yet. It may be by the time it is used: see [`use_up`].
///
/// # Errors
/// When the database is away.
pub async fn is_good(db: impl PgExecutor<'_>, member: Uuid, code: &Code) -> Result<bool, Error> {
    let good = sqlx::query_scalar!(
        "select exists (
            select from auth.recovery_codes
            where member_id = $1 and code_hash = $2 and used_at is null
        ) as \"good!\"",
        member,
        &code.hash(member),
    );
    Ok(good.fetch_one(db).await?)
}

/// Uses a code up; `false` when it is none of the member's, or was used before.
///
/// # Errors
/// When the database is away.
pub async fn use_up(conn: &mut PgConnection, member: Uuid, code: &Code, now: DateTime<Utc>) -> Result<bool, Error> {
    let used = sqlx::query!(
        "update auth.recovery_codes
        set used_at = $3
        where member_id = $1 and code_hash = $2 and used_at is null",
        member,
        &code.hash(member),
        now,
    );
    Ok(used.execute(conn).await?.rows_affected() == 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MEMBER: Uuid = Uuid::from_u128(1);

    #[test]
    fn a_code_is_four_groups_of_four_and_survives_being_written_down() {
        for code in draw().unwrap() {
            let shown = code.shown();
            let groups: Vec<&str> = shown.split('-').collect();
            assert_eq!(groups.iter().map(|group| group.len()).collect::<Vec<_>>(), [4; 4], "{shown}");
            assert!(shown.bytes().all(|b| b == b'-' || ALPHABET.contains(&b)), "{shown}");
            assert_eq!(Code::read(&shown).unwrap().hash(MEMBER), code.hash(MEMBER));
        }
    }

    #[test]
    fn a_set_is_eight_different_codes() {
        let mut shown: Vec<String> = draw().unwrap().iter().map(Code::shown).collect();
        shown.sort();
        shown.dedup();
        assert_eq!(shown.len(), SET);
    }

    #[test]
    fn people_type_it_as_they_read_it() {
        let meant = Code::read("0110-ABCD-EFGH-JKMN").unwrap().hash(MEMBER);
        for typed in ["0110abcdefghjkmn", " OiLo - abcd efgh\tJKMN ", "oLIO-ABCD-EFGH-JKMN", "0-1-1-0-A-B-C-D-EFGHJKMN"]
        {
            assert_eq!(Code::read(typed).unwrap().hash(MEMBER), meant, "{typed}");
        }
    }

    #[test]
    fn nothing_else_is_a_code() {
        let long = "0".repeat(1 << 20);
        for bad in [
            "",
            "-",
            "0110-ABCD-EFGH-JKM",
            "0110-ABCD-EFGH-JKMN0",
            "U110-ABCD-EFGH-JKMN",
            "0110-ABCD-EFGH-JKM\0",
            &long,
        ] {
            assert!(Code::read(bad).is_none(), "{bad:.24?}");
        }
        for bad in ["0110-ABCD-EFGH-JKMÑ", "０110-ABCD-EFGH-JKMN", "0110\u{202e}ABCD-EFGH-JKMN"] {
            assert!(Code::read(bad).is_none(), "{bad}");
        }
    }

    #[test]
    fn one_code_is_another_hash_for_everybody_and_is_told_by_no_log() {
        let code = Code::read("0110-ABCD-EFGH-JKMN").unwrap();
        assert_ne!(code.hash(MEMBER), code.hash(Uuid::from_u128(2)));
        assert_eq!(format!("{code:?}"), "Code(..)");
    }
}
