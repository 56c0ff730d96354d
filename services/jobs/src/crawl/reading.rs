//! Reads a response on a blocking thread and hands the postings over in batches.

use std::ops::ControlFlow;

use chrono::{DateTime, Utc};
use crawler::fetch::Document;
use tokio::{sync::mpsc, task::JoinHandle};

use crate::{
    connectors::{Item, Page, UnreadableResponse},
    derive::{self, ParsedPosting},
    ingest::BATCH,
    sources::LeasedSource,
};

/// ResponseReader stops after this number of items.
const MAX_ITEMS: u32 = 20_000;

/// A response that is being read.
pub struct ResponseReader {
    batches: mpsc::Receiver<Vec<ParsedPosting>>,
    reader: JoinHandle<(Result<Page, UnreadableResponse>, Summary)>,
    previous: Summary,
}

/// The items of all pages so far.
#[derive(Clone, Copy, Default)]
pub struct Summary {
    items: u32,
    invalid: u32,
}

impl Summary {
    /// All items, also invalid and omitted ones.
    pub fn found(self) -> i32 {
        i32::try_from(self.items).unwrap_or(i32::MAX)
    }

    /// Fails when most items are invalid: the format has changed, and missing postings are not gone.
    pub const fn check(self) -> Result<(), &'static str> {
        if self.items > MAX_ITEMS {
            Err("It has more postings than are read.")
        } else if self.invalid > self.items / 2 {
            Err("Most of its items could not be read.")
        } else {
            Ok(())
        }
    }
}

impl ResponseReader {
    /// Starts to read. At most two batches are buffered, whatever the length of the response.
    pub fn start(leased: &LeasedSource, response: Option<Document>, previous: Summary, now: DateTime<Utc>) -> Self {
        let (out, batches) = mpsc::channel(1);
        let (connector, board) = (leased.connector, leased.board.clone());
        let reader = tokio::task::spawn_blocking(move || {
            let (mut summary, mut batch) = (previous, Vec::with_capacity(BATCH));
            let mut handle = |item: Item| {
                summary.items = summary.items.saturating_add(1);
                match item.and_then(|item| item.map_or(Ok(None), |item| derive::derive(connector, item, now))) {
                    Ok(Some(posting)) => batch.push(posting),
                    Ok(None) => {}
                    Err(_) => summary.invalid = summary.invalid.saturating_add(1),
                }
                let full = batch.len() >= BATCH;
                let sent = !full || out.blocking_send(std::mem::replace(&mut batch, Vec::with_capacity(BATCH))).is_ok();
                if sent && summary.items <= MAX_ITEMS { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            };
            let read = connector.read(&board, response, now, &mut handle);
            // The items before an error are valid.
            if !batch.is_empty() {
                out.blocking_send(batch).ok();
            }
            (read, summary)
        });
        Self { batches, reader, previous }
    }

    /// The next batch; `None` at the end.
    pub async fn next(&mut self) -> Option<Vec<ParsedPosting>> {
        self.batches.recv().await
    }

    /// The result of the response, and the items of all pages so far.
    pub async fn finish(self) -> (Result<Page, UnreadableResponse>, Summary) {
        drop(self.batches);
        // A panic has been logged by its hook; the response counts as unreadable.
        self.reader.await.unwrap_or((Err(UnreadableResponse), self.previous))
    }
}
