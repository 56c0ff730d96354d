//! Key files that change while the process runs.

use std::{
    os::unix::fs::MetadataExt as _,
    path::PathBuf,
    time::{Duration, SystemTime},
};

use metrics::{counter, describe_counter};
use primitives::error::ErrorChain;

use super::Tasks;

/// The time between two looks at the files.
const INTERVAL: Duration = Duration::from_secs(5);

const CHANGES: &str = "key_file_changes_total";

/// The metadata that differ after a change of a file, also when a Secret of Kubernetes is replaced.
type Version = Option<(SystemTime, u64, u64)>;

impl Tasks {
    /// Calls `apply` when one of the files has changed, and again until it succeeds. `apply` reads the files; after a failure it must
    /// leave the keys as they were.
    pub fn watch_keys<F>(&self, files: Vec<PathBuf>, apply: F)
    where
        F: Fn() -> anyhow::Result<()> + Clone + Send + Sync + 'static,
    {
        self.watch_keys_every(INTERVAL, files, apply);
    }

    fn watch_keys_every<F>(&self, interval: Duration, files: Vec<PathBuf>, apply: F)
    where
        F: Fn() -> anyhow::Result<()> + Clone + Send + Sync + 'static,
    {
        describe_counter!(CHANGES, "Changes of key files, by whether the new keys are used");
        let changes = |result| counter!(CHANGES, "result" => result);
        let (used, refused) = (changes("used"), changes("refused"));
        // Initialises the metrics, because a rate needs a first value.
        used.increment(0);
        refused.increment(0);
        let mut applied = versions(&files);
        let mut failed = None;
        let mut look = move || {
            let found = versions(&files);
            if found == applied {
                return;
            }
            match apply() {
                Ok(()) => {
                    used.increment(1);
                    tracing::info!(files = ?files, "changed key files were read");
                    applied = found;
                }
                Err(error) => {
                    if failed.as_ref() != Some(&found) {
                        refused.increment(1);
                        let error = ErrorChain(error.as_ref());
                        tracing::warn!(files = ?files, %error, "changed key files cannot be used; the previous keys stay");
                    }
                    failed = Some(found);
                }
            }
        };
        let stopped = self.stopped();
        self.track_background(async move {
            while stopped.run_until_cancelled(tokio::time::sleep(interval)).await.is_some() {
                look();
            }
            Ok(())
        });
    }
}

fn versions(files: &[PathBuf]) -> Vec<Version> {
    let version = |file: &PathBuf| {
        let metadata = std::fs::metadata(file).ok()?;
        Some((metadata.modified().ok()?, metadata.len(), metadata.ino()))
    };
    files.iter().map(version).collect()
}

#[cfg(test)]
mod tests {
    use std::{
        fs,
        sync::{Arc, Mutex},
    };

    use super::*;

    #[tokio::test]
    async fn a_changed_file_is_read_again_until_it_can_be_used() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("key");
        fs::write(&file, "first").unwrap();
        let tasks = Tasks::default();
        let (seen, mut changes) = tokio::sync::mpsc::unbounded_channel();
        let key = Arc::new(Mutex::new("first".to_owned()));
        let apply = {
            let (file, key) = (file.clone(), Arc::clone(&key));
            move || {
                let text = fs::read_to_string(&file)?;
                seen.send(text.clone()).ok();
                anyhow::ensure!(text != "torn", "half of a file");
                *key.lock().unwrap() = text;
                Ok(())
            }
        };
        tasks.watch_keys_every(Duration::from_millis(5), vec![file.clone()], apply);

        // As a rename, which is how a folder of secrets is replaced.
        let replace = |text: &str| {
            let next = folder.path().join("next");
            fs::write(&next, text).unwrap();
            fs::rename(&next, &file).unwrap();
        };
        replace("torn");
        while changes.recv().await.unwrap() != "torn" {}
        assert_eq!(changes.recv().await.unwrap(), "torn", "it is tried again");
        assert_eq!(*key.lock().unwrap(), "first");

        replace("second");
        while changes.recv().await.unwrap() != "second" {}
        tasks.stop(Duration::from_secs(60)).await;
        assert_eq!(*key.lock().unwrap(), "second");
        assert!(changes.try_recv().is_err(), "once");
    }
}
