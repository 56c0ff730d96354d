//! Positions in the facts of a source, and the newest one that a process knows.

use sqlx::FromRow;
use tokio::sync::watch;
use uuid::Uuid;

/// The number of a fact in a history. Numbers start again from an older one when a database is restored, so a number alone can
/// belong to two facts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, FromRow)]
pub(super) struct Position {
    /// Unknown for a cursor from before the first release with histories.
    pub history: Option<Uuid>,
    /// 0 before the first fact.
    pub seq: i64,
}

/// Parses the history in a message; `None` when it states none.
pub(super) fn parse_history(history: &str) -> Option<Uuid> {
    history.parse().ok()
}

/// Formats the history for a message.
pub(super) fn format_history(history: Option<Uuid>) -> String {
    history.map(|history| history.to_string()).unwrap_or_default()
}

/// Moves the newest number forward. Notifications of other replicas can arrive late, and state no history.
pub(super) fn advance(newest: &watch::Sender<Position>, n: i64) {
    newest.send_if_modified(|known| {
        let moved = n > known.seq;
        known.seq = n.max(known.seq);
        moved
    });
}

/// Takes a position that was read from the table: another history replaces the known one.
pub(super) fn observe(newest: &watch::Sender<Position>, read: Position) {
    newest.send_if_modified(|known| {
        let moved = read.history != known.history || read.seq > known.seq;
        if moved {
            *known = read;
        }
        moved
    });
}

/// Like [`observe`], also when the number is lower: the known one was not of this database.
pub(super) fn correct(newest: &watch::Sender<Position>, read: Position) {
    newest.send_if_modified(|known| std::mem::replace(known, read) != read);
}
