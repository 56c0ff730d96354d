//! gRPC between services: identity, deadlines, circuit breakers, and one client over two transports. No business term.

mod call;
mod circuit_breaker;
mod endpoints;
#[doc(hidden)]
pub mod forward;
pub mod identity;
mod layers;
mod positions;
mod refusals;
mod replay;
mod timeout;
pub mod tls;
mod transport;

use std::{future::Future, sync::Arc, time::Duration};

use tokio::net::TcpListener;
use tonic::{service::Routes, transport::Server};
use tonic_reflection::server::v1::ServerReflectionServer;

pub use call::Call;
pub use endpoints::InvalidAddress;
pub use layers::{Deadline, wrap, wrap_with_standby};
pub use positions::{Positions, WrittenLog};
pub use timeout::{set_time_left, time_left};
pub use transport::{Slot, Transport};

/// The maximum of concurrent streams of a connection.
const MAX_STREAMS: u32 = 128;

/// The age at which a connection gets no new calls: its client opens another one, which a balancer of connections between them may
/// lead to another replica. Running calls and streams continue.
const MAX_CONNECTION_AGE: Duration = Duration::from_mins(5);

/// Serves wrapped routes on a socket until `shutdown`, then finishes the running calls. With `tls`, callers need a certificate.
///
/// # Errors
/// When the socket fails.
pub async fn serve(
    routes: Routes,
    listener: TcpListener,
    tls: Option<Arc<tls::Tls>>,
    shutdown: impl Future<Output = ()>,
) -> anyhow::Result<()> {
    let router = Server::builder()
        .max_concurrent_streams(MAX_STREAMS)
        .max_connection_age(MAX_CONNECTION_AGE)
        .http2_keepalive_interval(Some(Duration::from_secs(30)))
        .add_routes(routes);
    match tls {
        Some(tls) => router.serve_with_incoming_shutdown(tls::accept(tls, listener), shutdown).await?,
        None => {
            let incoming = tonic::transport::server::TcpIncoming::from(listener).with_nodelay(Some(true));
            router.serve_with_incoming_shutdown(incoming, shutdown).await?;
        }
    }
    Ok(())
}

/// The reflection service for grpcurl: the contract and health.
///
/// # Errors
/// When `contract` is not a set of descriptors.
pub fn reflection(
    contract: &'static [u8],
) -> anyhow::Result<ServerReflectionServer<impl tonic_reflection::server::v1::ServerReflection>> {
    Ok(tonic_reflection::server::Builder::configure()
        .register_encoded_file_descriptor_set(contract)
        .register_encoded_file_descriptor_set(tonic_health::pb::FILE_DESCRIPTOR_SET)
        .build_v1()?)
}
