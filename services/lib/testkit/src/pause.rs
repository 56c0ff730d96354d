//! The pause of a test that waits for a state of the database or of a fake.

use std::time::Duration;

/// Five milliseconds between two reads of the state. Without a pause the reads take the processor from the service that the
/// test waits for, and from the other tests.
pub async fn pause() {
    tokio::time::sleep(Duration::from_millis(5)).await;
}
