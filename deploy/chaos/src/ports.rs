//! Free ports for processes that are killed and start again on the same one.

use std::{
    collections::BTreeSet,
    io,
    net::{Ipv4Addr, TcpListener},
};

/// Below the ports of outgoing connections, one of which would take the port of a killed process.
const FIRST: u16 = 10_000;
const LAST: u16 = 32_000;

/// Hands out free ports, each once.
#[derive(Debug)]
pub struct Ports {
    next: u16,
    used: BTreeSet<u16>,
}

impl Ports {
    /// Two runs on one machine begin at different ports.
    #[must_use]
    pub fn new() -> Self {
        let range = u32::from(LAST - FIRST);
        let offset = std::process::id().wrapping_mul(97) % range;
        Self { next: FIRST + u16::try_from(offset).unwrap_or_default(), used: BTreeSet::new() }
    }

    /// A free port.
    ///
    /// # Errors
    /// When there is none.
    pub fn free(&mut self) -> io::Result<u16> {
        for _ in FIRST..LAST {
            let port = self.next;
            self.next = if port + 1 < LAST { port + 1 } else { FIRST };
            if !self.used.contains(&port) && TcpListener::bind((Ipv4Addr::LOCALHOST, port)).is_ok() {
                self.used.insert(port);
                return Ok(port);
            }
        }
        Err(io::ErrorKind::AddrInUse.into())
    }
}
