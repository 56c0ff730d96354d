//! Full-text search of upcoming and recent events: titles rank before descriptions and locations.

use ::search::{SearchPage, WindowQuery};
use chrono::{DateTime, TimeDelta, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use super::{Event, batch_get_since};
use crate::{
    error::Error,
    search::{EVENTS, GRAPH},
};

/// The time for which an event is found after its end.
const RECENT: TimeDelta = TimeDelta::days(30);
/// The most results that are ordered together by their time.
pub const WINDOW: usize = 40;

/// Finds a page of events, in windows that are ordered by match, then soonest first; those that have ended follow, latest first.
pub async fn search(
    db: &mut PgConnection,
    window: &WindowQuery,
    viewer: Option<Uuid>,
    now: DateTime<Utc>,
) -> Result<SearchPage<Event>, Error> {
    let mut executor = GRAPH.execute(window.query.clone(), vec![EVENTS]);
    while let Some(ids) = executor.next(db).await? {
        executor.accept(batch_get_since(db, viewer, &ids, now - RECENT).await?, |event: &Event| event.id);
    }
    Ok(executor.page_of_window(window, |event| (event.ends_at <= now, (event.starts_at - now).abs())))
}
