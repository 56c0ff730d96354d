//! gRPC as this house speaks it: one server stack, one client transport over sockets or in process, one way to export.

mod call;
mod circuit_breaker;
pub mod identity;
mod layers;
mod transport;

use std::future::Future;

use tokio::net::TcpListener;
use tonic::{service::Routes, transport::Server};
use tonic_reflection::server::v1::ServerReflectionServer;

pub use call::Call;
pub use layers::{Deadline, wrap};
pub use transport::{Slot, Transport};

/// Concurrent streams a connection may have.
const MAX_STREAMS: u32 = 128;

/// Serves wrapped routes on a socket until `shutdown`, then lets what runs finish.
///
/// # Errors
/// When the socket fails.
pub async fn serve(routes: Routes, listener: TcpListener, shutdown: impl Future<Output = ()>) -> anyhow::Result<()> {
    let incoming = tonic::transport::server::TcpIncoming::from(listener).with_nodelay(Some(true));
    Server::builder()
        .max_concurrent_streams(MAX_STREAMS)
        .http2_keepalive_interval(Some(std::time::Duration::from_secs(30)))
        .add_routes(routes)
        .serve_with_incoming_shutdown(incoming, shutdown)
        .await?;
    Ok(())
}

/// What tells grpcurl which calls there are: the contract, the outbox, health.
///
/// # Errors
/// When `contract` is no set of descriptors.
pub fn reflection(
    contract: &'static [u8],
) -> anyhow::Result<ServerReflectionServer<impl tonic_reflection::server::v1::ServerReflection>> {
    Ok(tonic_reflection::server::Builder::configure()
        .register_encoded_file_descriptor_set(contract)
        .register_encoded_file_descriptor_set(tonic_health::pb::FILE_DESCRIPTOR_SET)
        .build_v1()?)
}
