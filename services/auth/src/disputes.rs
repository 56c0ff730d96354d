//! The disputes of members in feed: reports, and appeals against removals. Their parties do not decide on each other's suspension.
//!
//! The rows follow the facts of feed. A decision within the lag of the consumer, usually less than 100 ms, may miss a report.

use portia_proto::feed::{AppealCreated, ReportCreated, ReportDecided};
use primitives::{ids, input::InvalidRequest};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::error::Error;

/// Deletes all disputes, for a snapshot.
pub async fn clear(db: &mut PgConnection) -> Result<(), Error> {
    sqlx::query!("delete from auth.disputes").execute(db).await?;
    Ok(())
}

/// Stores a report of one member about another.
pub async fn insert_report(db: &mut PgConnection, fact: &ReportCreated) -> Result<(), Error> {
    let dispute = Dispute {
        kind: "report",
        id: id(&fact.report_id)?,
        about: &about(&fact.kind, &fact.item_id),
        claimant: id(&fact.reporter_id)?,
        respondent: id(&fact.subject_member_id)?,
        is_open: !fact.decided,
    };
    insert(db, &dispute).await
}

/// Stores an appeal against the removal of a moderator. Operators are not members.
pub async fn insert_appeal(db: &mut PgConnection, fact: &AppealCreated) -> Result<(), Error> {
    let Some(moderator) = &fact.removed_by else { return Ok(()) };
    let dispute = Dispute {
        kind: "appeal",
        id: id(&fact.removal_id)?,
        about: &about(&fact.kind, &fact.item_id),
        claimant: id(&fact.author_id)?,
        respondent: id(moderator)?,
        is_open: true,
    };
    insert(db, &dispute).await
}

struct Dispute<'a> {
    kind: &'a str,
    id: Uuid,
    about: &'a str,
    claimant: Uuid,
    respondent: Uuid,
    is_open: bool,
}

/// Stores a dispute, unless one of the accounts was erased.
async fn insert(db: &mut PgConnection, dispute: &Dispute<'_>) -> Result<(), Error> {
    sqlx::query!(
        "with parties as (
            select id
            from auth.accounts
            where id in ($4, $5)
            order by id
            for key share
        )
        insert into auth.disputes (kind, id, about, claimant_id, respondent_id, is_open)
        select $1, $2, $3, $4, $5, $6
        where (select count(*) from parties) = 2
        on conflict (kind, id) do nothing",
        dispute.kind,
        dispute.id,
        dispute.about,
        dispute.claimant,
        dispute.respondent,
        dispute.is_open,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Closes the reports that a decision decided: all of the item, or one that an operator dismissed alone.
pub async fn close(db: &mut PgConnection, fact: &ReportDecided) -> Result<(), Error> {
    let is_of_item = fact.removed || fact.moderator_id.is_some();
    sqlx::query!(
        "update auth.disputes
        set is_open = false
        where kind = 'report'
            and about = $1
            and is_open
            and ($2 or id = $3)",
        about(&fact.kind, &fact.item_id),
        is_of_item,
        id(&fact.report_id)?,
    )
    .execute(db)
    .await?;
    Ok(())
}

fn about(kind: &str, item: &str) -> String {
    format!("{kind} {item}")
}

fn id(raw: &str) -> Result<Uuid, Error> {
    Ok(ids::parse("id", raw).map_err(InvalidRequest::from)?)
}
