//! Read-your-writes over standbys: the positions of a browser's last writes, and the positions of a service for its
//! responses.

use std::{
    collections::BTreeMap,
    future::Future,
    pin::Pin,
    sync::{Mutex, MutexGuard, PoisonError},
};

use primitives::log_position::LogPosition;

/// The positions, by service, that the reads of a request must contain.
#[derive(Debug, Default)]
pub struct Positions(Mutex<BTreeMap<&'static str, Position>>);

#[derive(Clone, Copy, Debug, Default)]
struct Position {
    at: LogPosition,
    is_changed: bool,
}

impl Positions {
    /// Positions from an earlier request.
    #[must_use]
    pub fn new(positions: impl IntoIterator<Item = (&'static str, LogPosition)>) -> Self {
        let known = positions.into_iter().map(|(service, at)| (service, Position { at, is_changed: false }));
        Self(Mutex::new(known.collect()))
    }

    /// The position of a service; zero without a write.
    #[must_use]
    pub fn of(&self, service: &str) -> LogPosition {
        self.lock().get(service).copied().unwrap_or_default().at
    }

    /// Notes a write.
    pub fn raise(&self, service: &'static str, at: LogPosition) {
        let mut positions = self.lock();
        let position = positions.entry(service).or_default();
        if at > position.at {
            *position = Position { at, is_changed: true };
        }
    }

    /// The positions that the request has changed.
    #[must_use]
    pub fn changed(&self) -> Vec<(&'static str, LogPosition)> {
        let positions = self.lock();
        positions.iter().filter(|(_, position)| position.is_changed).map(|(service, one)| (*service, one.at)).collect()
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<&'static str, Position>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The write-ahead log of a service with a standby.
pub trait WrittenLog: Send + Sync {
    /// A position that contains every write that is committed.
    fn written(&self) -> Pin<Box<dyn Future<Output = LogPosition> + Send + '_>>;
}
