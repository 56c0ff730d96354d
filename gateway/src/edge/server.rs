//! The socket: hyper with a limit on how long headers may take, and an end in two stages.

use std::{future::Future, net::SocketAddr, time::Duration};

use axum::Router;
use http::{Request, Version};
use hyper::{body::Incoming, service::service_fn};
use hyper_util::{
    rt::{TokioExecutor, TokioIo, TokioTimer},
    server::{conn::auto::Builder, graceful::GracefulShutdown},
};
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::CancellationToken;
use tower::ServiceExt as _;

/// The longest time a request's headers may take, and a connection may idle.
const HEADER_TIME: Duration = Duration::from_secs(10);
/// As much of a request as is read before its headers end: more than the 64 KiB an address may have, so that a longer
/// one is answered as what it is (414).
const HEADER_BYTES: usize = 96 * 1024;
/// Requests under way on one HTTP/2 connection at most.
const MAX_STREAMS: u32 = 128;
/// After a failure to accept (no file handles left), before the next attempt.
const REST: Duration = Duration::from_millis(100);

/// The two ends of a client's connection, in the extensions of each request that came over one.
#[derive(Clone, Copy, Debug)]
pub struct Connection {
    /// The other end.
    pub peer: SocketAddr,
    /// Ours.
    pub local: SocketAddr,
}

/// Ends a client's connection when cancelled, in the extensions of each request that has one for itself (HTTP/1).
#[derive(Clone, Debug)]
pub struct ConnectionCloser(pub CancellationToken);

/// Serves until `shutdown`, then takes no more connections and lets what runs finish.
///
/// # Errors
/// None today: what fails is a connection.
pub async fn serve(router: Router, listener: TcpListener, shutdown: impl Future<Output = ()>) -> anyhow::Result<()> {
    let builder = builder();
    let graceful = GracefulShutdown::new();
    let mut shutdown = std::pin::pin!(shutdown);
    loop {
        let (stream, peer) = tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok(accepted) => accepted,
                Err(error) => {
                    tracing::warn!(%error, "a connection could not be accepted");
                    tokio::time::sleep(REST).await;
                    continue;
                }
            },
            () = &mut shutdown => break,
        };
        let Ok(connection) = ready(&stream, peer) else { continue };
        let router = router.clone();
        let hang_up = CancellationToken::new();
        let hung_up = hang_up.clone().cancelled_owned();
        let service = service_fn(move |mut request: Request<Incoming>| {
            request.extensions_mut().insert(connection);
            // A connection of HTTP/2 carries others' requests too, when a proxy holds it.
            if request.version() < Version::HTTP_2 {
                request.extensions_mut().insert(ConnectionCloser(hang_up.clone()));
            }
            router.clone().oneshot(request.map(axum::body::Body::new))
        });
        let served = builder.serve_connection_with_upgrades(TokioIo::new(stream), service).into_owned();
        let watched = graceful.watch(served);
        tokio::spawn(async move {
            tokio::select! {
                ended = watched => if let Err(error) = ended {
                    tracing::debug!(%error, "a connection ended");
                },
                () = hung_up => tracing::debug!("a connection was hung up"),
            }
        });
    }
    drop(listener);
    graceful.shutdown().await;
    Ok(())
}

fn ready(stream: &TcpStream, peer: std::net::SocketAddr) -> std::io::Result<Connection> {
    stream.set_nodelay(true)?;
    Ok(Connection { peer, local: stream.local_addr()? })
}

fn builder() -> Builder<TokioExecutor> {
    let mut builder = Builder::new(TokioExecutor::new());
    builder.http1().timer(TokioTimer::new()).header_read_timeout(HEADER_TIME).max_buf_size(HEADER_BYTES);
    builder
        .http2()
        .timer(TokioTimer::new())
        .max_concurrent_streams(MAX_STREAMS)
        .max_header_list_size(16 * 1024)
        .keep_alive_interval(Some(Duration::from_secs(30)))
        .keep_alive_timeout(HEADER_TIME);
    builder
}
