//! The workers, each of which fetches one due page after another. Several processes share the rows.

use std::{sync::Arc, time::Duration};

use chassis::{ServiceContext, lifecycle::Activity};
use chrono::TimeDelta;
use crawler::fetch::Fetcher;
use metrics::{counter, describe_counter};
use outbox::Changes;
use picture_store::{Name, Picture, Pictures};
use sqlx::PgPool;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use super::{
    LinkPreview, PreviewPicture,
    fetch::{self, Page, TryLater},
    store::{self, Lease},
};
use crate::error::Error;

/// Concurrent requests in one process: a slow server occupies one worker.
const WORKERS: usize = 3;
/// The interval at which workers look for retries and rows of other processes.
const POLL_INTERVAL: Duration = Duration::from_secs(2);

const FETCHES: &str = "portia_link_preview_fetches_total";

#[derive(Clone)]
struct Worker {
    db: PgPool,
    changes: Changes,
    pictures: Pictures,
    fetcher: Fetcher,
    due: Arc<Notify>,
    activity: Activity,
}

pub fn spawn(
    context: &ServiceContext,
    db: &PgPool,
    pictures: &Pictures,
    changes: &Changes,
    fetcher: &Fetcher,
    due: &Arc<Notify>,
) {
    describe_counter!(FETCHES, "Pages fetched for link previews, by outcome.");
    let worker = Worker {
        db: db.clone(),
        changes: changes.clone(),
        pictures: pictures.clone(),
        fetcher: fetcher.clone(),
        due: Arc::clone(due),
        activity: context.activity.clone(),
    };
    for _ in 0..WORKERS {
        let worker = worker.clone();
        context.tasks.spawn("link previews", move |stopped| worker.clone().work(stopped));
    }
}

impl Worker {
    async fn work(self, stopped: CancellationToken) -> anyhow::Result<()> {
        while !stopped.is_cancelled() {
            while let Some(lease) = store::claim(&self.db, self.changes.clock.now()).await? {
                // Other workers may find another due row.
                self.due.notify_one();
                tokio::select! {
                    // The lease expires, and another process continues.
                    () = stopped.cancelled() => return Ok(()),
                    outcome = self.fetch(&lease) => counter!(FETCHES, "outcome" => outcome?).increment(1),
                }
            }
            tokio::select! {
                () = stopped.cancelled() => {}
                () = self.due.notified() => {}
                () = self.activity.pause(POLL_INTERVAL) => {}
            }
        }
        Ok(())
    }

    /// Fetches a page, stores the outcome and returns the name of the outcome.
    async fn fetch(&self, lease: &Lease) -> Result<&'static str, Error> {
        let read = fetch::read(&self.fetcher, &self.pictures, lease.id, &lease.url).await;
        let now = self.changes.clock.now();
        match read {
            Ok(Page::Described { metadata, picture }) => {
                let shown = picture.as_ref().map(|picture| PreviewPicture {
                    hash: picture.name.hash().to_owned(),
                    width: i32::try_from(picture.width).unwrap_or(i32::MAX),
                    height: i32::try_from(picture.height).unwrap_or(i32::MAX),
                });
                let preview = LinkPreview {
                    url: lease.url.clone(),
                    title: metadata.title,
                    description: metadata.description,
                    site: metadata.site,
                    picture: shown,
                };
                self.finish(lease, Some(preview), picture).await
            }
            Ok(Page::Silent) => self.finish(lease, None, None).await,
            Err(TryLater { after }) => {
                let after = after.and_then(|after| TimeDelta::from_std(after).ok()).unwrap_or_default();
                match lease.next_attempt(now, after) {
                    Some(due_at) => {
                        store::postpone(&self.db, lease, due_at).await?;
                        Ok("postponed")
                    }
                    None => self.finish(lease, None, None).await,
                }
            }
        }
    }

    async fn finish(
        &self,
        lease: &Lease,
        preview: Option<LinkPreview>,
        picture: Option<Picture>,
    ) -> Result<&'static str, Error> {
        if let Some(picture) = &picture {
            if !store::add_picture(&self.db, lease, picture.name.hash()).await? {
                return Ok("lost");
            }
            self.pictures.put(picture).await?;
        }
        let is_ready = preview.is_some();
        let mut tx = db::begin(&self.db).await?;
        let stored = store::finish(&mut self.changes.work(&mut tx), lease, preview).await?;
        tx.commit().await?;
        let Some(stored) = stored else {
            self.delete_lost(lease, picture).await?;
            return Ok("lost");
        };
        if is_ready {
            let current = picture.as_ref().map(|picture| picture.name.hash());
            let replaced: Vec<_> = stored.into_iter().filter(|hash| Some(hash.as_str()) != current).collect();
            for name in replaced.iter().filter_map(|hash| Name::from_hash(hash)) {
                self.pictures.delete(&name).await?;
            }
            if !replaced.is_empty() {
                store::remove_pictures(&self.db, lease.id, &replaced).await?;
            }
        }
        Ok(if is_ready { "ready" } else { "none" })
    }

    /// Deletes the object of a row that was deleted meanwhile: the cleanup may have run before the object existed.
    async fn delete_lost(&self, lease: &Lease, picture: Option<Picture>) -> Result<(), Error> {
        if let Some(picture) = picture
            && !store::exists(&self.db, lease.id).await?
        {
            self.pictures.delete(&picture.name).await?;
        }
        Ok(())
    }
}
