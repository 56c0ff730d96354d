//! The memory of the hashes that run: one piece for each thread, kept from one hash to the next for a while.
//!
//! The system clears each page of fresh memory, which took 7 of 40 ms of CPU time per sign-in; and pieces of 19 MiB that are freed between small
//! allocations leave gaps: 3,000 sign-ins left 866 MB with the allocator of glibc, and leave 133 MB now.

use std::{
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use argon2::{Algorithm, Argon2, Block, Params, Version, password_hash::phc::Output};
use tokio::time::Instant;

/// How long memory is kept without use.
pub(super) const KEPT_FOR: Duration = Duration::from_secs(30);

/// Pieces without a running hash, each of the size for the current cost, with the time of its last one.
pub(super) struct Memory {
    block_count: usize,
    free: Mutex<Vec<(Instant, Vec<Block>)>>,
}

impl Memory {
    pub(super) fn new(params: &Params) -> Self {
        Self { block_count: params.block_count(), free: Mutex::default() }
    }

    /// Computes a hash by Argon2id of the current version. Memory for another cost than the current one is not kept.
    pub(super) fn hash(&self, password: &[u8], salt: &[u8], params: &Params) -> argon2::Result<Output> {
        let block_count = params.block_count();
        let kept = if block_count == self.block_count { self.free().pop() } else { None };
        let mut blocks = kept.map_or_else(|| vec![Block::new(); block_count], |(_, blocks)| blocks);
        let mut buffer = [0; Output::MAX_LENGTH];
        let length = params.output_len().unwrap_or(Params::DEFAULT_OUTPUT_LEN);
        let output = buffer.get_mut(..length).ok_or(argon2::Error::OutputTooLong)?;
        let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params.clone());
        let result = argon2.hash_password_into_with_memory(password, salt, output, &mut blocks);
        if block_count == self.block_count {
            self.free().push((Instant::now(), blocks));
        }
        result?;
        Output::new(output).map_err(|_| argon2::Error::OutputTooLong)
    }

    /// Frees the pieces without a hash in the last [`KEPT_FOR`].
    pub(super) fn free_unused(&self) {
        self.free().retain(|(used, _)| used.elapsed() < KEPT_FOR);
    }

    /// The addresses of the kept pieces.
    #[cfg(test)]
    pub(super) fn addresses(&self) -> Vec<usize> {
        self.free().iter().map(|(_, blocks)| blocks.as_ptr().addr()).collect()
    }

    fn free(&self) -> MutexGuard<'_, Vec<(Instant, Vec<Block>)>> {
        self.free.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
