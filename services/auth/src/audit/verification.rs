//! The verification of the audit's chain, for `portia admin audit verify`.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use futures::TryStreamExt as _;
use sqlx::{Connection as _, PgConnection};
use uuid::Uuid;

use super::chain::{AuditHead, Content, private_hash};
use crate::error::Error;

/// The state of the chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verification {
    /// The last row that continues the chain without a break.
    pub head: AuditHead,
    /// Rows that are not linked yet. They can still be changed without a trace.
    pub unsealed: i64,
    /// The first break, if there is one.
    pub finding: Option<Finding>,
}

/// A break of the chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finding {
    /// The row does not continue the chain: it was changed, the row before it was changed with its hash, or rows were
    /// inserted.
    Changed {
        /// Its place.
        seq: i64,
        /// Its id.
        id: Uuid,
        /// Its time.
        at: DateTime<Utc>,
    },
    /// The address or note of a row was removed, but its member was not erased.
    Redacted {
        /// Its place.
        seq: i64,
        /// Its id.
        id: Uuid,
        /// Its time.
        at: DateTime<Utc>,
    },
    /// Rows are missing, from this place on.
    Missing {
        /// The place of the first one.
        seq: i64,
    },
    /// The stored head differs from the last row.
    Head {
        /// The place of the stored head.
        seq: i64,
    },
    /// The chain has a different row than before in the place of the kept head.
    Rewritten {
        /// The place of the kept head.
        seq: i64,
    },
}

struct Row {
    id: Uuid,
    member_id: Option<Uuid>,
    event: String,
    session_id: Option<Uuid>,
    at: DateTime<Utc>,
    actor: Option<String>,
    actor_id: Option<Uuid>,
    about: Option<String>,
    reason: Option<String>,
    address: Option<String>,
    note: Option<String>,
    seq: i64,
    salt: Option<Vec<u8>>,
    private_hash: Option<Vec<u8>>,
    hash: Option<Vec<u8>>,
}

/// Computes the chain again from its first row on, in one snapshot, and compares it with a head that was kept elsewhere.
pub async fn verify(db: &mut PgConnection, kept: Option<AuditHead>) -> Result<Verification, Error> {
    let mut tx = db.begin().await?;
    sqlx::raw_sql("set transaction isolation level repeatable read, read only; set local statement_timeout = 0")
        .execute(&mut *tx)
        .await?;
    let unsealed = sqlx::query_scalar!("select count(*) as \"rows!\" from auth.audit where seq is null");
    let unsealed = unsealed.fetch_one(&mut *tx).await?;
    let (head, mut finding, redacted) = walk(&mut tx, kept).await?;
    if finding.is_none() {
        finding = unexplained(&mut tx, redacted).await?;
    }
    if finding.is_none() {
        finding = compare(&mut tx, head, kept).await?;
    }
    tx.commit().await?;
    Ok(Verification { head, unsealed, finding })
}

/// The first row without address and note of each member. An erasure must explain these rows.
type Redacted = HashMap<Option<Uuid>, RedactedRow>;

/// The first row of a member whose address and note were removed.
struct RedactedRow {
    finding: Finding,
    is_erased: bool,
}

/// Follows the chain up to its first break.
async fn walk(db: &mut PgConnection, kept: Option<AuditHead>) -> Result<(AuditHead, Option<Finding>, Redacted), Error> {
    let mut rows = sqlx::query_as!(
        Row,
        "select id, member_id, event, session_id, at, actor, actor_id, about, reason, address, note, seq as \"seq!\", salt,
            private_hash, hash
        from auth.audit
        where seq is not null
        order by seq",
    )
    .fetch(db);
    let (mut head, mut redacted) = (AuditHead::START, Redacted::new());
    while let Some(row) = rows.try_next().await? {
        if row.seq > head.seq + 1 {
            return Ok((head, Some(Finding::Missing { seq: head.seq + 1 }), redacted));
        }
        let Some(next) = row.follows(head) else {
            return Ok((head, Some(Finding::Changed { seq: row.seq, id: row.id, at: row.at }), redacted));
        };
        head = next;
        if kept.is_some_and(|kept| kept.seq == head.seq && kept != head) {
            return Ok((head, Some(Finding::Rewritten { seq: head.seq }), redacted));
        }
        if row.salt.is_none() {
            let finding = Finding::Redacted { seq: row.seq, id: row.id, at: row.at };
            redacted.entry(row.member_id).or_insert(RedactedRow { finding, is_erased: false });
        }
        if row.event == "erased"
            && let Some(first) = redacted.get_mut(&row.member_id)
        {
            first.is_erased = true;
        }
    }
    Ok((head, None, redacted))
}

impl Row {
    /// Returns the head after this row; `None` when the hash does not match the content.
    fn follows(&self, head: AuditHead) -> Option<AuditHead> {
        let private = self.private_hash.as_deref()?;
        let is_private_part_kept = match &self.salt {
            Some(salt) => private_hash(salt, self.address.as_deref(), self.note.as_deref()) == *private,
            None => self.address.is_none() && self.note.is_none(),
        };
        let content = Content {
            id: self.id,
            member_id: self.member_id,
            event: &self.event,
            session_id: self.session_id,
            at: self.at,
            actor: self.actor.as_deref(),
            actor_id: self.actor_id,
            about: self.about.as_deref(),
            reason: self.reason.as_deref(),
        };
        let next = head.followed_by(&content, private);
        let stored = AuditHead::from_row(self.seq, self.hash.as_deref()?)?;
        (is_private_part_kept && next == stored).then_some(next)
    }
}

/// Returns the first row whose member was not erased: no row, linked or not, records the erasure, or the account still
/// exists.
async fn unexplained(db: &mut PgConnection, mut redacted: Redacted) -> Result<Option<Finding>, Error> {
    let erased = sqlx::query_scalar!("select member_id from auth.audit where seq is null and event = 'erased'");
    for member in erased.fetch_all(&mut *db).await? {
        if let Some(first) = redacted.get_mut(&member) {
            first.is_erased = true;
        }
    }
    let members: Vec<Uuid> = redacted.keys().flatten().copied().collect();
    let accounts = sqlx::query_scalar!("select id from auth.accounts where id = any($1)", &members);
    for account in accounts.fetch_all(db).await? {
        if let Some(first) = redacted.get_mut(&Some(account)) {
            first.is_erased = false;
        }
    }
    let place = |finding: &Finding| match finding {
        Finding::Redacted { seq, .. } => *seq,
        _ => i64::MAX,
    };
    let unexplained = redacted.into_values().filter(|first| !first.is_erased).map(|first| first.finding);
    Ok(unexplained.min_by_key(place))
}

/// Compares the last row with the stored head and the kept head, because removed last rows leave no gap.
async fn compare(db: &mut PgConnection, head: AuditHead, kept: Option<AuditHead>) -> Result<Option<Finding>, Error> {
    let stored = sqlx::query!("select seq, hash from auth.audit_head where id = 1").fetch_optional(db).await?;
    let stored = stored.and_then(|row| AuditHead::from_row(row.seq, &row.hash)).unwrap_or(AuditHead::START);
    let expected = kept.map_or(stored.seq, |kept| kept.seq.max(stored.seq));
    if expected > head.seq {
        return Ok(Some(Finding::Missing { seq: head.seq + 1 }));
    }
    Ok((stored != head).then_some(Finding::Head { seq: stored.seq }))
}
