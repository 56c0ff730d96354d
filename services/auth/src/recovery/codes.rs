//! Recovery codes: sets of eight, each valid for one password reset, or once in the place of a code of an authenticator app.

use std::fmt;

use aws_lc_rs::rand;
use chrono::{DateTime, Utc};
use outbox::UnitOfWork;
use portia_proto::auth::SecurityNoticeCause;
use sha2::{Digest as _, Sha256};
use sqlx::{PgConnection, PgExecutor, PgPool};
use uuid::Uuid;
use zeroize::Zeroizing;

use crate::{
    audit::AuditEvent,
    error::Error,
    notices,
    sessions::{self, Browser, Session},
};

/// Codes per set.
pub const SET: usize = 8;
/// Crockford's base 32, which leaves out I, L, O and U.
const ALPHABET: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
/// Characters of a code, five bits each.
const LENGTH: usize = 24;
/// Characters of the codes that were created until 2026-11. They stay valid.
const FORMER_LENGTH: usize = 16;
/// Characters between two hyphens.
const GROUP: usize = 4;
/// The longest accepted input, in bytes: room for separators between all characters.
const MAX_INPUT: usize = 4 * LENGTH;

/// A code of 120 bits, or of 80. Its memory is wiped on drop, and `Debug` does not show it.
pub struct RecoveryCode(Zeroizing<Vec<u8>>);

impl RecoveryCode {
    fn generate() -> Result<Self, Error> {
        let mut digits = Zeroizing::new(vec![0_u8; LENGTH]);
        rand::fill(digits.as_mut_slice()).map_err(|_| Error::Randomness)?;
        // 256 is a multiple of 32, so the five low bits of a random byte are uniform.
        digits.iter_mut().for_each(|digit| *digit &= 31);
        Ok(Self(digits))
    }

    /// Parses in either case, with or without hyphens and spaces; O means 0, I and L mean 1.
    pub fn parse(raw: &str) -> Option<Self> {
        if raw.len() > MAX_INPUT {
            return None;
        }
        let mut digits = Zeroizing::new(Vec::with_capacity(LENGTH));
        for character in raw.chars().filter(|c| *c != '-' && !c.is_whitespace()) {
            let letter = match character.to_ascii_uppercase() {
                'O' => '0',
                'I' | 'L' => '1',
                other => other,
            };
            let digit = ALPHABET.iter().position(|known| char::from(*known) == letter)?;
            if digits.len() == LENGTH {
                // A longer vector would move, and leave a copy behind.
                return None;
            }
            digits.push(u8::try_from(digit).ok()?);
        }
        [LENGTH, FORMER_LENGTH].contains(&digits.len()).then_some(Self(digits))
    }

    /// Formats the code for its owner.
    pub fn format(&self) -> String {
        let letters = self.0.iter().filter_map(|digit| ALPHABET.get(usize::from(*digit)));
        let mut text = String::with_capacity(LENGTH + LENGTH / GROUP);
        for (index, letter) in letters.enumerate() {
            if index > 0 && index % GROUP == 0 {
                text.push('-');
            }
            text.push(char::from(*letter));
        }
        text
    }

    /// The stored hash. So many random bits need no slow hash. The member's id is a salt, so that an attacker cannot test a
    /// guess against all accounts at once.
    pub fn hash(&self, member: Uuid) -> Vec<u8> {
        Sha256::new().chain_update(member.as_bytes()).chain_update(self.0.as_slice()).finalize().to_vec()
    }
}

impl fmt::Debug for RecoveryCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RecoveryCode(..)")
    }
}

/// Generates a new set.
pub fn generate_set() -> Result<Vec<RecoveryCode>, Error> {
    (0..SET).map(|_| RecoveryCode::generate()).collect()
}

/// Replaces the set of the caller, who must hold the lock on the account: concurrent calls would leave two sets.
pub async fn replace(
    work: &mut UnitOfWork<'_>,
    caller: Session,
    codes: &[RecoveryCode],
    browser: &Browser,
) -> Result<(), Error> {
    let member = caller.member;
    let hashes: Vec<Vec<u8>> = codes.iter().map(|code| code.hash(member)).collect();
    sqlx::query!(
        "delete from auth.recovery_codes
        where member_id = $1",
        member,
    )
    .execute(&mut *work.db)
    .await?;
    sqlx::query!(
        "insert into auth.recovery_codes (member_id, code_hash, made_at)
        select $1, code_hash, $3
        from unnest($2::bytea[]) as made (code_hash)",
        member,
        &hashes,
        work.now,
    )
    .execute(&mut *work.db)
    .await?;
    let change = (AuditEvent::CodesMade, SecurityNoticeCause::RecoveryCodesRenewed);
    notices::record_change(work, caller, change, browser).await
}

/// The state of a member's set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecoveryCodeStatus {
    /// Unused codes.
    pub remaining: i64,
    /// The creation of the set; `None` without one.
    pub made_at: Option<DateTime<Utc>>,
}

/// Returns the state of the caller's set.
pub async fn get_status(db: &PgPool, caller: Session, now: DateTime<Utc>) -> Result<RecoveryCodeStatus, Error> {
    let status = sqlx::query_as!(
        RecoveryCodeStatus,
        "select count(code.made_at) filter (where code.used_at is null) as \"remaining!\", max(code.made_at) as made_at
        from auth.sessions session
        left join auth.recovery_codes code on code.member_id = session.member_id
        where session.id = $1 and session.member_id = $2 and session.last_seen_at > $3 and session.ends_at > $4
        group by session.id",
        caller.id,
        caller.member,
        now - sessions::IDLE_TIMEOUT,
        now,
    );
    status.fetch_optional(db).await?.ok_or(Error::SessionEnded)
}

/// Checks a code without consuming it. Only [`consume`] is conclusive under concurrency.
pub async fn is_valid(db: impl PgExecutor<'_>, member: Uuid, code: &RecoveryCode) -> Result<bool, Error> {
    let valid = sqlx::query_scalar!(
        "select exists (
            select from auth.recovery_codes
            where member_id = $1 and code_hash = $2 and used_at is null
        ) as \"good!\"",
        member,
        &code.hash(member),
    );
    Ok(valid.fetch_one(db).await?)
}

/// Marks a code as used; `false` when it is used already or not the member's.
pub async fn consume(
    db: &mut PgConnection,
    member: Uuid,
    code: &RecoveryCode,
    now: DateTime<Utc>,
) -> Result<bool, Error> {
    let used = sqlx::query!(
        "update auth.recovery_codes
        set used_at = $3
        where member_id = $1 and code_hash = $2 and used_at is null",
        member,
        &code.hash(member),
        now,
    );
    Ok(used.execute(db).await?.rows_affected() == 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MEMBER: Uuid = Uuid::from_u128(1);

    #[test]
    fn a_formatted_code_has_six_groups_of_four_and_parses_back() {
        for code in generate_set().unwrap() {
            let text = code.format();
            let groups: Vec<&str> = text.split('-').collect();
            assert_eq!(groups.iter().map(|group| group.len()).collect::<Vec<_>>(), [4; 6], "{text}");
            assert!(text.bytes().all(|b| b == b'-' || ALPHABET.contains(&b)), "{text}");
            assert_eq!(RecoveryCode::parse(&text).unwrap().hash(MEMBER), code.hash(MEMBER));
        }
    }

    #[test]
    fn a_set_has_eight_different_codes() {
        let mut codes: Vec<String> = generate_set().unwrap().iter().map(RecoveryCode::format).collect();
        codes.sort();
        codes.dedup();
        assert_eq!(codes.len(), SET);
    }

    #[test]
    fn confusable_letters_and_separators_are_accepted() {
        let expected = RecoveryCode::parse("0110-ABCD-EFGH-JKMN").unwrap().hash(MEMBER);
        for typed in ["0110abcdefghjkmn", " OiLo - abcd efgh\tJKMN ", "oLIO-ABCD-EFGH-JKMN", "0-1-1-0-A-B-C-D-EFGHJKMN"]
        {
            assert_eq!(RecoveryCode::parse(typed).unwrap().hash(MEMBER), expected, "{typed}");
        }
    }

    #[test]
    fn invalid_input_is_no_code() {
        let long = "0".repeat(1 << 20);
        for bad in [
            "",
            "-",
            "0110-ABCD-EFGH-JKM",
            "0110-ABCD-EFGH-JKMN0",
            "0110-ABCD-EFGH-JKMN-PQRS-TVW",
            "0110-ABCD-EFGH-JKMN-PQRS-TVWXY",
            "U110-ABCD-EFGH-JKMN",
            "0110-ABCD-EFGH-JKM\0",
            &long,
        ] {
            assert!(RecoveryCode::parse(bad).is_none(), "{bad:.24?}");
        }
        for bad in ["0110-ABCD-EFGH-JKMÑ", "０110-ABCD-EFGH-JKMN", "0110\u{202e}ABCD-EFGH-JKMN"] {
            assert!(RecoveryCode::parse(bad).is_none(), "{bad}");
        }
    }

    #[test]
    fn a_hash_depends_on_the_member_and_debug_hides_the_code() {
        let code = RecoveryCode::parse("0110-ABCD-EFGH-JKMN").unwrap();
        assert_ne!(code.hash(MEMBER), code.hash(Uuid::from_u128(2)));
        assert_eq!(format!("{code:?}"), "RecoveryCode(..)");
    }
}
