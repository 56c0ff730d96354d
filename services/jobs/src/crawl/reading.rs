//! Reading an answer beside the runtime, and handing what is kept of it over by the hundred.

use std::ops::ControlFlow;

use chrono::{DateTime, Utc};
use crawler::fetch::Document;
use tokio::{sync::mpsc, task::JoinHandle};

use crate::{
    connectors::{Item, Page, Unreadable},
    derive,
    ingest::{BATCH, Found},
    sources::Leased,
};

/// No source has more postings; one that sends more is not read further.
const MOST: u32 = 20_000;

/// An answer that is being read.
pub struct Reading {
    batches: mpsc::Receiver<Vec<Found>>,
    reader: JoinHandle<(Result<Page, Unreadable>, Summary)>,
    before: Summary,
}

/// What was read so far, of all pages.
#[derive(Clone, Copy, Default)]
pub struct Summary {
    items: u32,
    broken: u32,
}

impl Summary {
    /// Items, whatever became of them.
    pub fn found(self) -> i32 {
        i32::try_from(self.items).unwrap_or(i32::MAX)
    }

    /// A few broken items are their source's matter. Where most are, it speaks another language than before, and what it
    /// does not seem to tell of any more is not gone.
    pub const fn verdict(self) -> Result<(), &'static str> {
        if self.items > MOST {
            Err("It has more postings than are read.")
        } else if self.broken > self.items / 2 {
            Err("Most of its items could not be read.")
        } else {
            Ok(())
        }
    }
}

impl Reading {
    /// Begins to read. At most two batches wait at any time, whatever the answer's length.
    pub fn begin(leased: &Leased, answer: Option<Document>, before: Summary, now: DateTime<Utc>) -> Self {
        let (out, batches) = mpsc::channel(1);
        let (connector, board) = (leased.connector, leased.board.clone());
        let reader = tokio::task::spawn_blocking(move || {
            let (mut summary, mut batch) = (before, Vec::with_capacity(BATCH));
            let mut hear = |item: Item| {
                summary.items = summary.items.saturating_add(1);
                match item.and_then(|told| told.map_or(Ok(None), |told| derive::posting(connector, told, now))) {
                    Ok(Some(found)) => batch.push(found),
                    Ok(None) => {}
                    Err(_) => summary.broken = summary.broken.saturating_add(1),
                }
                let full = batch.len() >= BATCH;
                let sent = !full || out.blocking_send(std::mem::replace(&mut batch, Vec::with_capacity(BATCH))).is_ok();
                if sent && summary.items <= MOST { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            };
            let read = connector.read(&board, answer, now, &mut hear);
            // What came before it broke off was told all the same.
            if !batch.is_empty() {
                out.blocking_send(batch).ok();
            }
            (read, summary)
        });
        Self { batches, reader, before }
    }

    /// The next batch; `None` when there is no more.
    pub async fn next(&mut self) -> Option<Vec<Found>> {
        self.batches.recv().await
    }

    /// How the answer ended, and what was read so far.
    pub async fn end(self) -> (Result<Page, Unreadable>, Summary) {
        drop(self.batches);
        // A reader that panicked has told its panic, and read nothing to the end.
        self.reader.await.unwrap_or((Err(Unreadable), self.before))
    }
}
