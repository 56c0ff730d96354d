//! Waiting for a state.

use std::time::{Duration, Instant};

use anyhow::bail;

/// The timeout of every wait: many times what a busy machine needs, so that it only ends a run that hangs.
pub const TIMEOUT: Duration = Duration::from_secs(180);
/// The interval at which a state is observed.
const INTERVAL: Duration = Duration::from_millis(20);

/// Waits until `holds`.
///
/// # Errors
/// After [`TIMEOUT`], with what was waited for.
pub async fn eventually(what: &str, mut holds: impl AsyncFnMut() -> bool) -> anyhow::Result<()> {
    let begun = Instant::now();
    while !holds().await {
        if begun.elapsed() > TIMEOUT {
            bail!("in vain: {what}");
        }
        tokio::time::sleep(INTERVAL).await;
    }
    Ok(())
}
