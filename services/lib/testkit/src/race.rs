//! Two actions at once.

use std::future::Future;

/// Runs both actions of the `n`th repetition. The first two repetitions run them one after the other, in either order, so that the
/// outcomes of both orders occur on any machine; the others run them concurrently, and begin with either.
pub async fn race<A, B>(n: u128, one: impl Future<Output = A>, other: impl Future<Output = B>) -> (A, B) {
    match n {
        0 => {
            let one = one.await;
            (one, other.await)
        }
        1 => {
            let other = other.await;
            (one.await, other)
        }
        _ if n.is_multiple_of(2) => tokio::join!(one, other),
        _ => {
            let (other, one) = tokio::join!(other, one);
            (one, other)
        }
    }
}
