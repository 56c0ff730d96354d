//! The gateway as a process of its own.

use std::{process::ExitCode, sync::Arc};

use chassis::lifecycle::{self, StopSignal};

fn main() -> ExitCode {
    lifecycle::block_on("gateway", async {
        let stop_signal = StopSignal::listen()?.received();
        let (context, process, telemetry) = lifecycle::prepare("gateway", false).await?;
        let cache = gateway::edge::cache::Cache::open(&context.config)?;
        let context = Arc::new(context);
        let server = gateway::start(Arc::clone(&context), cache).await?;
        let listener = lifecycle::bind(process.listen, "PORTIA_LISTEN").await?;
        let draining = context.tasks.draining();
        context.tasks.track(server.serve(listener, async move { draining.cancelled().await }));
        context.readiness.start();
        tracing::info!(address = %process.listen, "ready");
        stop_signal.await;
        lifecycle::stop(&context, process.drain()).await;
        telemetry.shutdown().await;
        Ok(())
    })
}
