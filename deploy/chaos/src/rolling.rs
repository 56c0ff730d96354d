//! A rolling restart under load, as a deployment does it: one process after the other, each with SIGTERM.

use portia::SERVICES;

use crate::{faults::wait_for_writes, installation::Installation, load::Load, plan::replicas};

/// The writes that are acknowledged between two restarts.
const WRITES: u64 = 10;

/// An order of the restarts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// The services, then the gateways.
    ServicesFirst,
    /// The gateways, then the services in reverse.
    GatewaysFirst,
}

impl Order {
    /// The processes in this order, both replicas of one after the other.
    #[must_use]
    pub fn processes(self) -> Vec<String> {
        let mut order: Vec<&str> = SERVICES.iter().copied().chain(["gateway"]).collect();
        if self == Self::GatewaysFirst {
            order.reverse();
        }
        order.into_iter().flat_map(replicas).collect()
    }
}

/// Restarts every process of Portia.
///
/// # Errors
/// When a process does not end in an orderly way, or is not ready again.
pub async fn restart(installation: &mut Installation, load: &Load, order: Order) -> anyhow::Result<()> {
    for name in order.processes() {
        wait_for_writes(load, WRITES).await?;
        let process = installation.process(&name)?;
        process.stop().await?;
        process.start()?;
        installation.wait_until_ready(&name).await?;
    }
    wait_for_writes(load, WRITES).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_orders_contain_every_process_and_end_differently() {
        let (one, mut other) = (Order::ServicesFirst.processes(), Order::GatewaysFirst.processes());
        assert_eq!(one.first().map(String::as_str), Some("auth-1"));
        assert_eq!(other.first().map(String::as_str), Some("gateway-1"));
        let mut sorted = one.clone();
        sorted.sort();
        other.sort();
        assert_eq!(sorted, other);
        assert_eq!(one.len(), 16);
    }
}
