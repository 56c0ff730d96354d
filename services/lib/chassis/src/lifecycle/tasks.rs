//! Background tasks: restarted on failure, stopped in order.

use std::{
    future::Future,
    io,
    pin::Pin,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

/// The delay before a failed background task restarts.
const RESTART_DELAY: Duration = Duration::from_secs(1);

type Cleanup = Pin<Box<dyn Future<Output = ()> + Send>>;

/// The background tasks of one process.
#[derive(Clone, Default)]
pub struct Tasks {
    /// Stage one: no new requests.
    draining: CancellationToken,
    /// Stage two: background tasks stop.
    stopped: CancellationToken,
    requests: TaskTracker,
    background: TaskTracker,
    cleanups: Arc<Mutex<Vec<Cleanup>>>,
}

impl Tasks {
    /// Cancelled when servers must accept no more requests.
    #[must_use]
    pub fn draining(&self) -> CancellationToken {
        self.draining.clone()
    }

    /// Cancelled when background tasks must stop.
    #[must_use]
    pub fn stopped(&self) -> CancellationToken {
        self.stopped.clone()
    }

    /// Runs a server, which ends after `draining`. [`Self::stop`] waits for it.
    pub fn track<F>(&self, server: F) -> tokio::task::JoinHandle<()>
    where
        F: Future<Output = anyhow::Result<()>> + Send + 'static,
    {
        self.requests.spawn(log_failure(server))
    }

    /// Runs a server that ends after `stopped`, with the background tasks.
    pub fn track_background<F>(&self, server: F)
    where
        F: Future<Output = anyhow::Result<()>> + Send + 'static,
    {
        self.background.spawn(log_failure(server));
    }

    /// Runs a task until `stopped`. A failure or panic is logged, and the task restarts after a delay.
    pub fn spawn<F, Fut>(&self, name: &'static str, mut work: F)
    where
        F: FnMut(CancellationToken) -> Fut + Send + 'static,
        Fut: Future<Output = anyhow::Result<()>> + Send + 'static,
    {
        let stopped = self.stopped.clone();
        self.background.spawn(async move {
            while !stopped.is_cancelled() {
                match tokio::spawn(work(stopped.clone())).await {
                    Ok(Ok(())) => break,
                    Ok(Err(error)) => {
                        tracing::error!(task = name, error = format!("{error:#}"), "background task failed")
                    }
                    Err(error) => tracing::error!(task = name, %error, "background task panicked"),
                }
                tokio::select! {
                    () = tokio::time::sleep(RESTART_DELAY) => {}
                    () = stopped.cancelled() => {}
                }
            }
        });
    }

    /// Registers a last step after all tasks: closing a pool.
    pub fn on_stop(&self, cleanup: impl Future<Output = ()> + Send + 'static) {
        self.cleanups.lock().unwrap_or_else(PoisonError::into_inner).push(Box::pin(cleanup));
    }

    /// Stops everything in order. Each wait takes at most `finish`.
    pub async fn stop(&self, finish: Duration) {
        self.draining.cancel();
        self.requests.close();
        if tokio::time::timeout(finish, self.requests.wait()).await.is_err() {
            tracing::warn!("dropping requests that still run");
        }
        self.stopped.cancel();
        self.background.close();
        if tokio::time::timeout(finish, self.background.wait()).await.is_err() {
            tracing::warn!("dropping background tasks that still run");
        }
        let cleanups = std::mem::take(&mut *self.cleanups.lock().unwrap_or_else(PoisonError::into_inner));
        for cleanup in cleanups {
            if tokio::time::timeout(finish, cleanup).await.is_err() {
                tracing::warn!("a cleanup timed out");
            }
        }
    }
}

async fn log_failure(server: impl Future<Output = anyhow::Result<()>>) {
    if let Err(error) = server.await {
        tracing::error!(%error, "a server failed");
    }
}

impl std::fmt::Debug for Tasks {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Tasks").field("background", &self.background.len()).finish_non_exhaustive()
    }
}

/// The stop signals: SIGTERM and SIGINT.
#[derive(Debug)]
pub struct StopSignal {
    terminate: Signal,
    interrupt: Signal,
}

impl StopSignal {
    /// Installs the handlers. Must be called first: an earlier signal ends the process, or is lost in the first process
    /// of a container, which ignores signals by default.
    ///
    /// # Errors
    /// When a handler cannot be installed.
    pub fn listen() -> io::Result<Self> {
        Ok(Self { terminate: signal(SignalKind::terminate())?, interrupt: signal(SignalKind::interrupt())? })
    }

    /// Waits for a signal since [`Self::listen`]. A second one ends the process at once.
    pub async fn received(mut self) {
        self.next().await;
        tokio::spawn(async move {
            self.next().await;
            eprintln!("stopped at once");
            std::process::exit(130);
        });
    }

    async fn next(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_background_task_restarts_after_an_error_and_after_a_panic() {
        let tasks = Tasks::default();
        let runs = Arc::new(AtomicU32::new(0));
        let counted = Arc::clone(&runs);
        tasks.spawn("test", move |stopped| {
            let run = counted.fetch_add(1, Ordering::SeqCst);
            async move {
                match run {
                    0 => anyhow::bail!("first"),
                    1 => panic!("second"),
                    _ => {
                        stopped.cancelled().await;
                        Ok(())
                    }
                }
            }
        });
        while runs.load(Ordering::SeqCst) < 3 {
            tokio::time::advance(RESTART_DELAY).await;
            tokio::task::yield_now().await;
        }
        tasks.stop(Duration::from_secs(1)).await;
        assert_eq!(runs.load(Ordering::SeqCst), 3);
    }

    #[tokio::test]
    async fn servers_stop_before_background_tasks_and_those_before_cleanups() {
        let tasks = Tasks::default();
        let order = Arc::new(Mutex::new(Vec::new()));
        let note = |what: &'static str| {
            let order = Arc::clone(&order);
            move || order.lock().unwrap().push(what)
        };
        let (server, background, closed) = (note("server"), note("background"), note("closed"));
        let draining = tasks.draining();
        tasks.track(async move {
            draining.cancelled().await;
            server();
            Ok(())
        });
        let background = Arc::new(background);
        tasks.spawn("test", move |stopped| {
            let background = Arc::clone(&background);
            async move {
                stopped.cancelled().await;
                background();
                Ok(())
            }
        });
        tasks.on_stop(async move { closed() });
        tasks.stop(Duration::from_secs(5)).await;
        assert_eq!(*order.lock().unwrap(), ["server", "background", "closed"]);
    }
}
