//! The gateway as a process of its own.

use std::{process::ExitCode, sync::Arc};

use chassis::lifecycle::{self, StopSignal};

fn main() -> ExitCode {
    lifecycle::block_on("gateway", async {
        let asked = StopSignal::listen()?.asked();
        let (frame, process, telemetry) = lifecycle::prepare("gateway", false).await?;
        let frame = Arc::new(frame);
        let door = gateway::start(Arc::clone(&frame)).await?;
        let listener = lifecycle::bind(process.listen, "PORTIA_LISTEN").await?;
        let draining = frame.tasks.draining();
        frame.tasks.track(gateway::serve(door, listener, async move { draining.cancelled().await }));
        tracing::info!(address = %process.listen, "ready");
        asked.await;
        lifecycle::stop(&frame, process.drain()).await;
        telemetry.shutdown().await;
        Ok(())
    })
}
