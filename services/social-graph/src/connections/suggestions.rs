//! Suggested members: connections of the member's connections, then members of the same school, of the same location, and
//! active members; and the suggestions a member has dismissed.

mod stored;

use std::collections::HashSet;

use metrics::counter;
use outbox::UnitOfWork;
use primitives::input::PageSize;
use sqlx::PgConnection;
use uuid::Uuid;

use super::memory::{GraphMemory, ValidCandidate, read_changes};
use crate::error::Error;

/// The number of newest connections that are considered, of the member and of each connection on either side. This
/// bounds the work; beyond it the number of mutual connections is a lower bound.
pub const MAX_SCANNED: u8 = 200;

/// The candidates checked beyond a page: some may be known to the viewer or unlisted.
const SPARE: usize = 4;
/// The most looks of one request. Each but the last found a change of the last milliseconds, or too many known
/// candidates.
const MAX_ATTEMPTS: usize = 6;
/// The most candidates of a look. For a member who knows more, the database counts.
const MOST_CANDIDATES: usize = 1_000;

/// The first reason that applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::Type)]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub enum Reason {
    Mutual,
    School,
    Location,
    Active,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Suggestion {
    pub member_id: Uuid,
    pub mutual_connections: i32,
    pub reason: Reason,
}

/// Lists the best suggestions, without members that the viewer already has a row with, and without unlisted members,
/// whose profile the viewer may not see. A later reason fills only the places that earlier reasons leave.
///
/// Mutual connections are counted in memory. While that is loading, or far behind, Postgres counts them.
pub async fn list(
    db: &mut PgConnection,
    memory: &GraphMemory,
    member: Uuid,
    size: PageSize,
) -> Result<Vec<Suggestion>, Error> {
    let mutual = match count_in_memory(db, memory, member, size.rows()).await? {
        Some(mutual) => {
            counter!("social_graph_suggestions_total", "source" => "memory").increment(1);
            mutual
        }
        None => {
            counter!("social_graph_suggestions_total", "source" => "database").increment(1);
            stored::count_mutual(db, member, size.rows(), memory.scanned()).await?
        }
    };
    let missing = size.rows().saturating_sub(mutual.len());
    let named = |(member_id, mutual_connections)| Suggestion { member_id, mutual_connections, reason: Reason::Mutual };
    let mut suggestions: Vec<Suggestion> = mutual.into_iter().map(named).collect();
    if missing > 0 {
        let listed: Vec<Uuid> = suggestions.iter().map(|suggestion| suggestion.member_id).collect();
        suggestions.extend(stored::list_others(db, member, &listed, missing).await?);
    }
    Ok(suggestions)
}

/// Finds the best members by mutual connections, counted in memory and checked in Postgres, so that no result is a
/// member that the viewer may not see. As in Postgres, it considers twice as many candidates without a row of the
/// viewer as the page has. `None` when the memory cannot answer.
async fn count_in_memory(
    db: &mut PgConnection,
    memory: &GraphMemory,
    member: Uuid,
    best: usize,
) -> Result<Option<Vec<(Uuid, i32)>>, Error> {
    let mut limit = best + SPARE;
    let mut applied = HashSet::new();
    for _ in 0..MAX_ATTEMPTS {
        let Some((candidates, position)) = memory.candidates(member, limit) else { return Ok(None) };
        let ids: Vec<Uuid> = candidates.best.iter().map(|(id, _)| *id).collect();
        let batch = read_changes(db, position, member, &ids).await?;
        if !batch.is_complete {
            return Ok(None);
        }
        let changes: Vec<_> =
            batch.changes.iter().filter(|(id, _)| applied.insert(*id)).map(|(_, change)| *change).collect();
        if !memory.apply(db, &batch, &changes).await? {
            return Ok(None);
        }
        if !changes.is_empty() {
            continue;
        }
        let considered = batch.valid.iter().take(2 * best);
        let shown = considered.clone().filter(|candidate| !candidate.unlisted).take(best);
        let shown: Vec<(Uuid, i32)> =
            shown.filter_map(|ValidCandidate { place, .. }| candidates.best.get(*place).copied()).collect();
        if shown.len() == best || considered.len() == 2 * best || candidates.are_all {
            return Ok(Some(shown));
        }
        limit *= 4;
        if limit > MOST_CANDIDATES {
            break;
        }
    }
    Ok(None)
}

/// Excludes `other` from the member's suggestions.
pub async fn dismiss(work: &mut UnitOfWork<'_>, member: Uuid, other: Uuid) -> Result<(), Error> {
    sqlx::query!(
        "insert into social_graph.dismissed_suggestions (member_id, dismissed_id, dismissed_at)
        values ($1, $2, $3)
        on conflict (member_id, dismissed_id) do nothing",
        member,
        other,
        work.now,
    )
    .execute(&mut *work.db)
    .await?;
    Ok(())
}
