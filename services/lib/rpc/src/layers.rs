//! What stands around every service's routes: trace, panic net, deadline, identity. The same on a socket and in process.

use std::{any::Any, sync::Arc, time::Duration};

use axum::{
    extract::{Request, State},
    middleware::{Next, from_fn, from_fn_with_state},
    response::Response,
};
use http::HeaderMap;
use tokio::time::{Instant, timeout_at};
use tonic::{Status, service::Routes};
use tower_http::catch_panic::CatchPanicLayer;

use crate::identity::{Actor, Keyring};
use primitives::error::{ErrorKind, new_status};
use telemetry::GrpcServerLayer;

/// A call with less time than this is refused: its answer would come too late.
const LEAST: Duration = Duration::from_millis(50);

/// The moment by which the caller wants its answer; absent for streams.
#[derive(Clone, Copy, Debug)]
pub struct Deadline(pub Instant);

/// Puts the stack around a service's routes.
#[must_use]
pub fn wrap(service: &'static str, routes: Routes, keyring: Arc<Keyring>) -> Routes {
    let router = routes
        .into_axum_router()
        .layer(from_fn_with_state(keyring, identify))
        .layer(from_fn(keep_deadline))
        .layer(CatchPanicLayer::custom(panicked))
        .layer(GrpcServerLayer::new(service));
    Routes::from(router)
}

/// Verifies the caller's token; handlers find the actor in the request's extensions.
async fn identify(State(keyring): State<Arc<Keyring>>, mut request: Request, next: Next) -> Response {
    let path = request.uri().path();
    // Probes and grpcurl carry no token, and learn nothing that is not in the repository.
    if path.starts_with("/grpc.health.") || path.starts_with("/grpc.reflection.") {
        return next.run(request).await;
    }
    match bearer(request.headers()).and_then(|token| keyring.verify(token)) {
        Some(actor) => {
            request.extensions_mut().insert::<Actor>(actor);
            next.run(request).await
        }
        None => answer(new_status(ErrorKind::Unauthenticated, "NO_TOKEN", "Sign in required")),
    }
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    headers.get(http::header::AUTHORIZATION)?.to_str().ok()?.strip_prefix("Bearer ")
}

/// Holds a handler to the time its caller gave it. tonic reports its own time-out as CANCELLED and forwards nothing,
/// so this is done here.
async fn keep_deadline(mut request: Request, next: Next) -> Response {
    let Some(left) = request.headers().get("grpc-timeout").and_then(|value| parse_timeout(value.to_str().ok()?)) else {
        return next.run(request).await;
    };
    let late = || answer(new_status(ErrorKind::Timeout, "DEADLINE_EXCEEDED", "This took too long. Please try again."));
    if left < LEAST {
        return late();
    }
    let deadline = Instant::now() + left;
    request.extensions_mut().insert(Deadline(deadline));
    timeout_at(deadline, next.run(request)).await.unwrap_or_else(|_| late())
}

/// `grpc-timeout`: at most eight digits and a unit.
pub(crate) fn parse_timeout(value: &str) -> Option<Duration> {
    let (digits, unit) = value.split_at_checked(value.len().checked_sub(1)?)?;
    if digits.is_empty() || digits.len() > 8 || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let n: u64 = digits.parse().ok()?;
    match unit {
        "H" => Some(Duration::from_secs(n.saturating_mul(3600))),
        "M" => Some(Duration::from_secs(n.saturating_mul(60))),
        "S" => Some(Duration::from_secs(n)),
        "m" => Some(Duration::from_millis(n)),
        "u" => Some(Duration::from_micros(n)),
        "n" => Some(Duration::from_nanos(n)),
        _ => None,
    }
}

/// A panic ends one call, not the process. Its message goes to the log (by the panic hook), not to the caller.
fn panicked(_: Box<dyn Any + Send>) -> Response {
    answer(new_status(ErrorKind::Internal, "PANIC", "Something went wrong on our side. Please try again."))
}

fn answer(status: Status) -> Response {
    status.into_http::<axum::body::Body>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timeouts_are_read_as_grpc_writes_them() {
        assert_eq!(parse_timeout("1980000u"), Some(Duration::from_micros(1_980_000)));
        assert_eq!(parse_timeout("2S"), Some(Duration::from_secs(2)));
        for bad in ["", "S", "1", "1x", "-1S", "123456789S", "１S"] {
            assert_eq!(parse_timeout(bad), None, "{bad}");
        }
    }
}
