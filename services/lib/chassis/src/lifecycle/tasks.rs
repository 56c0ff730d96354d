//! Background work: supervised while it runs, ended in order when the process stops.

use std::{
    future::Future,
    io,
    pin::Pin,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

/// How long a failed background task rests before it runs again.
const REST: Duration = Duration::from_secs(1);

type Closing = Pin<Box<dyn Future<Output = ()> + Send>>;

/// The background work of one process.
#[derive(Clone, Default)]
pub struct Tasks {
    /// Stage one: no new requests.
    draining: CancellationToken,
    /// Stage two: background work ends.
    stopped: CancellationToken,
    requests: TaskTracker,
    background: TaskTracker,
    closing: Arc<Mutex<Vec<Closing>>>,
}

impl Tasks {
    /// Cancelled when servers must take no more requests.
    #[must_use]
    pub fn draining(&self) -> CancellationToken {
        self.draining.clone()
    }

    /// Cancelled when background work must end.
    #[must_use]
    pub fn stopped(&self) -> CancellationToken {
        self.stopped.clone()
    }

    /// A server: it ends after `draining`, and is waited for.
    pub fn track<F>(&self, server: F) -> tokio::task::JoinHandle<()>
    where
        F: Future<Output = anyhow::Result<()>> + Send + 'static,
    {
        self.requests.spawn(async move {
            if let Err(error) = server.await {
                tracing::error!(%error, "a server ended");
            }
        })
    }

    /// Work that goes on until `stopped`. One that fails or panics is logged and started again after a rest.
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
                        tracing::error!(task = name, error = format!("{error:#}"), "background work failed")
                    }
                    Err(error) => tracing::error!(task = name, %error, "background work panicked"),
                }
                tokio::select! {
                    () = tokio::time::sleep(REST) => {}
                    () = stopped.cancelled() => {}
                }
            }
        });
    }

    /// What to do last, when nothing runs any more: close a pool.
    pub fn on_stop(&self, closing: impl Future<Output = ()> + Send + 'static) {
        self.closing.lock().unwrap_or_else(PoisonError::into_inner).push(Box::pin(closing));
    }

    /// Ends it all, in order; nothing is waited for longer than `finish`.
    pub async fn stop(&self, finish: Duration) {
        self.draining.cancel();
        self.requests.close();
        if tokio::time::timeout(finish, self.requests.wait()).await.is_err() {
            tracing::warn!("requests still run; they are dropped");
        }
        self.stopped.cancel();
        self.background.close();
        if tokio::time::timeout(finish, self.background.wait()).await.is_err() {
            tracing::warn!("background work still runs; it is dropped");
        }
        let closing = std::mem::take(&mut *self.closing.lock().unwrap_or_else(PoisonError::into_inner));
        for close in closing {
            if tokio::time::timeout(finish, close).await.is_err() {
                tracing::warn!("something did not close in time");
            }
        }
    }
}

impl std::fmt::Debug for Tasks {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Tasks").field("background", &self.background.len()).finish_non_exhaustive()
    }
}

/// The two ways to be asked to stop: SIGTERM and Ctrl-C.
#[derive(Debug)]
pub struct StopSignal {
    terminate: Signal,
    interrupt: Signal,
}

impl StopSignal {
    /// Hears them from now on. To be called first: until then they end the process wherever it is, and are lost on one
    /// that was started to ignore them, as the first process of a container is.
    ///
    /// # Errors
    /// When the system gives no handler.
    pub fn listen() -> io::Result<Self> {
        Ok(Self { terminate: signal(SignalKind::terminate())?, interrupt: signal(SignalKind::interrupt())? })
    }

    /// Waits for one, which may have come since [`Self::listen`]. A second one ends the process at once.
    pub async fn asked(mut self) {
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
    async fn background_work_is_started_again_after_an_error_and_after_a_panic() {
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
            tokio::time::advance(REST).await;
            tokio::task::yield_now().await;
        }
        tasks.stop(Duration::from_secs(1)).await;
        assert_eq!(runs.load(Ordering::SeqCst), 3);
    }

    #[tokio::test]
    async fn servers_end_before_background_work_and_that_before_what_closes() {
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
