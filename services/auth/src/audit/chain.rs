//! The chain of the audit: each row contains the SHA-256 of the row before it and of itself.
//!
//! The database links rows after their commit (`auth.seal_audit`), in one order, so no writer waits for another one. This file computes
//! every hash again, because a changed database may have a changed function.

use std::{fmt, str::FromStr};

use chrono::{DateTime, Utc};
use sha2::{Digest as _, Sha256};
use sqlx::PgPool;
use uuid::Uuid;

use crate::error::Error;

/// Rows that are linked in one transaction.
const BATCH: i32 = 500;
/// The bytes of a hash.
const HASH: usize = 32;

/// Links all committed rows, of any replica. Returns their number.
pub async fn seal(db: &PgPool) -> Result<u64, Error> {
    let mut sealed = 0;
    loop {
        let batch = sqlx::query_scalar!("select auth.seal_audit($1) as \"sealed!\"", BATCH).fetch_one(db).await?;
        sealed += u64::try_from(batch).unwrap_or_default();
        if batch < BATCH {
            return Ok(sealed);
        }
    }
}

/// Returns the newest row.
pub async fn head(db: &PgPool) -> Result<AuditHead, Error> {
    let row = sqlx::query!("select seq, hash from auth.audit_head where id = 1").fetch_one(db).await?;
    Ok(AuditHead::from_row(row.seq, &row.hash).unwrap_or(AuditHead::START))
}

/// The newest row of the chain. Comparing it with a head that was kept elsewhere reveals a chain that lost its last
/// rows or was written anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AuditHead {
    /// The place of the row, from 1 on. 0 for an empty chain.
    pub seq: i64,
    /// Its hash.
    pub hash: [u8; HASH],
}

impl AuditHead {
    /// Before the first row.
    pub(super) const START: Self = Self { seq: 0, hash: [0; HASH] };

    /// Reads a head from columns of the database, which may have been changed.
    pub(super) fn from_row(seq: i64, hash: &[u8]) -> Option<Self> {
        Some(Self { seq, hash: hash.try_into().ok()? })
    }

    /// Returns the head after this row, whose private part has the given hash.
    pub(super) fn followed_by(&self, row: &Content<'_>, private_hash: &[u8]) -> Self {
        let seq = self.seq + 1;
        let parts = [
            Some(seq.to_string()),
            Some(row.id.to_string()),
            row.member_id.map(|id| id.to_string()),
            Some(row.event.to_owned()),
            row.session_id.map(|id| id.to_string()),
            Some(row.at.timestamp_micros().to_string()),
            row.actor.map(str::to_owned),
            row.actor_id.map(|id| id.to_string()),
            row.about.map(str::to_owned),
            row.reason.map(str::to_owned),
            Some(encode(private_hash)),
        ];
        let parts: Vec<Option<&str>> = parts.iter().map(Option::as_deref).collect();
        let hash = Sha256::new().chain_update(self.hash).chain_update(text(&parts)).finalize();
        Self { seq, hash: hash.into() }
    }
}

/// `412:5f0c..`, for the terminal and the log.
impl fmt::Display for AuditHead {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.seq, encode(&self.hash))
    }
}

/// The text is not in the form that [`AuditHead`] displays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a number, a colon and 64 hexadecimal digits, as `portia admin audit verify` prints them")]
pub struct InvalidHead;

impl FromStr for AuditHead {
    type Err = InvalidHead;

    fn from_str(text: &str) -> Result<Self, InvalidHead> {
        let (seq, digits) = text.trim().split_once(':').ok_or(InvalidHead)?;
        let seq: i64 = seq.parse().map_err(|_| InvalidHead)?;
        let is_hex = digits.len() == 2 * HASH && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
        if seq < 0 || !is_hex {
            return Err(InvalidHead);
        }
        let pairs = digits.as_bytes().chunks(2).filter_map(|pair| str::from_utf8(pair).ok());
        let bytes: Vec<u8> = pairs.filter_map(|pair| u8::from_str_radix(pair, 16).ok()).collect();
        Self::from_row(seq, &bytes).ok_or(InvalidHead)
    }
}

/// The part of a row that stays when the account is erased.
pub(super) struct Content<'a> {
    pub id: Uuid,
    pub member_id: Option<Uuid>,
    pub event: &'a str,
    pub session_id: Option<Uuid>,
    pub at: DateTime<Utc>,
    pub actor: Option<&'a str>,
    pub actor_id: Option<Uuid>,
    pub about: Option<&'a str>,
    pub reason: Option<&'a str>,
}

/// The hash of the part that is erased.
pub(super) fn private_hash(salt: &[u8], address: Option<&str>, note: Option<&str>) -> [u8; HASH] {
    Sha256::new().chain_update(salt).chain_update(text(&[address, note])).finalize().into()
}

/// `auth.audit_text`: no two lists of values have one text.
fn text(parts: &[Option<&str>]) -> String {
    parts.iter().map(|part| part.map_or_else(|| "-".to_owned(), |part| format!("{}:{part}", part.len()))).collect()
}

fn encode(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_survives_its_text() {
        let head = AuditHead { seq: 412, hash: std::array::from_fn(|n| u8::try_from(n * 7).unwrap()) };
        assert_eq!(head.to_string().parse(), Ok(head));
        let digits = "0".repeat(64);
        for refused in [
            "",
            "1",
            ":",
            "1:",
            "-1:".to_owned().as_str(),
            &format!("-1:{digits}"),
            &format!("x:{digits}"),
            &format!("1:{digits}0"),
            &format!("1:+{}", "0".repeat(63)),
            &format!("1:é{}", "0".repeat(62)),
        ] {
            assert_eq!(refused.parse::<AuditHead>(), Err(InvalidHead), "{refused}");
        }
    }

    #[test]
    fn values_cannot_move_between_columns() {
        let lists: [&[Option<&str>]; 6] = [
            &[Some("a"), None],
            &[None, Some("a")],
            &[Some("a"), Some("")],
            &[Some(""), Some("a")],
            &[Some("a-")],
            &[Some("a"), None, None],
        ];
        for (at, one) in lists.iter().enumerate() {
            for other in lists.iter().skip(at + 1) {
                assert_ne!(text(one), text(other), "{one:?} {other:?}");
            }
        }
    }
}
