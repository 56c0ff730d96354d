//! Password hashing: Argon2id on a bounded thread pool with a bounded queue.
//!
//! A hash takes about 20 ms of one core and 19 MiB of memory. One hash runs per thread; up to [`MAX_QUEUED`] calls wait
//! in order, further ones fail with [`HashError::Busy`]. A longer queue would only serve callers that have timed out. A
//! cancelled call frees its place.

mod memory;

use std::{
    num::NonZeroUsize,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use argon2::{
    Algorithm, Params, Version,
    password_hash::{
        self,
        phc::{Output, PasswordHash, Salt},
    },
};
use aws_lc_rs::rand;
use base64::{Engine as _, engine::general_purpose::STANDARD_NO_PAD};
use tokio::sync::Semaphore;

use self::memory::{KEPT_FOR, Memory};
use crate::{credentials::password::Password, error::HashError};

/// Calls that may wait for a thread: with two threads the last one waits less than a second.
const MAX_QUEUED: usize = 64;

/// The parameters of Argon2id. The next sign-in replaces a stored hash of other parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cost {
    /// Memory in KiB.
    pub memory: u32,
    /// Iterations.
    pub passes: u32,
    /// Degree of parallelism.
    pub lanes: u32,
}

impl Cost {
    /// OWASP's recommendation for Argon2id.
    pub const STANDARD: Self = Self { memory: 19_456, passes: 2, lanes: 1 };
}

/// The result of a comparison.
#[derive(Debug, PartialEq, Eq)]
pub enum Verification {
    /// The password is wrong.
    Mismatch,
    /// The password is right.
    Match {
        /// A hash of the current cost, when the stored one has another cost.
        new_hash: Option<String>,
    },
}

/// The thread pool. Clones share it.
#[derive(Clone)]
pub struct PasswordHashing(Arc<Pool>);

struct Pool {
    params: Params,
    memory: Memory,
    /// Compared for an unknown username, so that the response takes as long as for a known one.
    decoy: PasswordHash,
    places: Arc<Semaphore>,
    threads: Arc<Semaphore>,
    hash_count: AtomicU64,
}

impl PasswordHashing {
    /// Makes a pool of `threads` threads.
    ///
    /// # Errors
    /// When the cost is out of range for Argon2.
    pub fn new(cost: Cost, threads: NonZeroUsize) -> Result<Self, HashError> {
        let params = Params::new(cost.memory, cost.passes, cost.lanes, Some(Params::DEFAULT_OUTPUT_LEN))
            .map_err(password_hash::Error::from)?;
        Ok(Self(Arc::new(Pool {
            memory: Memory::new(&params),
            params,
            decoy: decoy(cost)?,
            places: Arc::new(Semaphore::new(threads.get() + MAX_QUEUED)),
            threads: Arc::new(Semaphore::new(threads.get())),
            hash_count: AtomicU64::new(0),
        })))
    }

    /// Hashes a new password to a PHC string.
    pub async fn hash(&self, password: Password) -> Result<String, HashError> {
        self.run(move |pool| pool.hash(&password)).await
    }

    /// Compares a password with a stored hash. `None`, for an unknown account, takes as long and is a mismatch.
    pub async fn verify(&self, password: Password, stored: Option<&str>) -> Result<Verification, HashError> {
        let stored = stored.map(PasswordHash::new).transpose().map_err(password_hash::Error::from)?;
        self.run(move |pool| pool.verify(&password, stored.as_ref())).await
    }

    /// Returns the number of computed hashes.
    pub fn hash_count(&self) -> u64 {
        self.0.hash_count.load(Ordering::Relaxed)
    }

    async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Pool) -> Result<T, HashError> + Send + 'static,
    ) -> Result<T, HashError> {
        let place = Arc::clone(&self.0.places).try_acquire_owned().map_err(|_| HashError::Busy)?;
        let thread = Arc::clone(&self.0.threads).acquire_owned().await.map_err(|_| HashError::Stopped)?;
        let pool = Arc::clone(&self.0);
        // The blocking task owns both permits: they are released after the hash, not when the caller is cancelled.
        let task = tokio::task::spawn_blocking(move || {
            let result = work(&pool);
            drop((place, thread));
            // This also runs after a cancelled call.
            tokio::spawn(async move {
                tokio::time::sleep(KEPT_FOR).await;
                pool.memory.free_unused();
            });
            result
        });
        task.await.map_err(|_| HashError::Stopped)?
    }
}

impl std::fmt::Debug for PasswordHashing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PasswordHashing").field("hash_count", &self.hash_count()).finish_non_exhaustive()
    }
}

impl Pool {
    fn hash(&self, password: &Password) -> Result<String, HashError> {
        let mut salt = [0_u8; 16];
        rand::fill(&mut salt).map_err(|_| HashError::Randomness)?;
        let hash = PasswordHash {
            algorithm: Algorithm::Argon2id.ident(),
            version: Some(Version::V0x13.into()),
            params: (&self.params).try_into()?,
            salt: Some(Salt::new(&salt).map_err(password_hash::Error::from)?),
            hash: Some(self.output(password, &salt, &self.params)?),
        };
        Ok(hash.to_string())
    }

    fn verify(&self, password: &Password, stored: Option<&PasswordHash>) -> Result<Verification, HashError> {
        let compared = stored.unwrap_or(&self.decoy);
        let PasswordHash { salt: Some(salt), hash: Some(expected), .. } = compared else {
            return Err(password_hash::Error::EncodingInvalid.into());
        };
        // The service never writes hashes of another algorithm or version.
        if (compared.algorithm, compared.version) != (self.decoy.algorithm, self.decoy.version) {
            return Err(password_hash::Error::Algorithm.into());
        }
        let params = Params::try_from(compared)?;
        // The comparison of outputs takes constant time.
        if self.output(password, salt, &params)? != *expected {
            return Ok(Verification::Mismatch);
        }
        let Some(stored) = stored else { return Ok(Verification::Mismatch) };
        let new_hash = if self.is_current(stored) { None } else { Some(self.hash(password)?) };
        Ok(Verification::Match { new_hash })
    }

    fn output(&self, password: &Password, salt: &[u8], params: &Params) -> Result<Output, HashError> {
        self.hash_count.fetch_add(1, Ordering::Relaxed);
        Ok(self.memory.hash(password.as_bytes(), salt, params).map_err(password_hash::Error::from)?)
    }

    fn is_current(&self, stored: &PasswordHash) -> bool {
        stored.params.as_str() == self.decoy.params.as_str()
    }
}

/// A hash of the current cost with random output, which no password matches.
fn decoy(cost: Cost) -> Result<PasswordHash, HashError> {
    let mut random = [0_u8; 48];
    rand::fill(&mut random).map_err(|_| HashError::Randomness)?;
    let (salt, output) = random.split_at(16);
    let Cost { memory, passes, lanes } = cost;
    let (salt, output) = (STANDARD_NO_PAD.encode(salt), STANDARD_NO_PAD.encode(output));
    let phc = format!("$argon2id$v=19$m={memory},t={passes},p={lanes}${salt}${output}");
    Ok(PasswordHash::new(&phc).map_err(password_hash::Error::from)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHEAP: Cost = Cost { memory: 64, passes: 1, lanes: 1 };

    fn pool(cost: Cost) -> PasswordHashing {
        PasswordHashing::new(cost, NonZeroUsize::MIN).unwrap()
    }

    fn password(raw: &str) -> Password {
        Password::parse(raw.to_owned()).unwrap()
    }

    #[tokio::test]
    async fn only_the_exact_password_matches() {
        let hashing = pool(CHEAP);
        let stored = hashing.hash(password("certiorari")).await.unwrap();
        assert!(stored.starts_with("$argon2id$v=19$m=64,t=1,p=1$"));
        let matching = hashing.verify(password("certiorari"), Some(&stored)).await.unwrap();
        assert_eq!(matching, Verification::Match { new_hash: None });
        assert_eq!(hashing.verify(password("Certiorari"), Some(&stored)).await.unwrap(), Verification::Mismatch);
    }

    #[tokio::test]
    async fn two_hashes_of_one_password_differ() {
        let hashing = pool(CHEAP);
        assert_ne!(
            hashing.hash(password("certiorari")).await.unwrap(),
            hashing.hash(password("certiorari")).await.unwrap()
        );
    }

    #[tokio::test]
    async fn an_unknown_account_costs_one_hash_like_a_wrong_password() {
        let hashing = pool(CHEAP);
        let stored = hashing.hash(password("certiorari")).await.unwrap();
        let before = hashing.hash_count();
        hashing.verify(password("wrong one"), Some(&stored)).await.unwrap();
        let wrong = hashing.hash_count() - before;
        assert_eq!(hashing.verify(password("wrong one"), None).await.unwrap(), Verification::Mismatch);
        assert_eq!((wrong, hashing.hash_count() - before), (1, 2));
    }

    #[tokio::test]
    async fn a_hash_of_another_cost_is_replaced() {
        let old = pool(CHEAP).hash(password("certiorari")).await.unwrap();
        let hashing = pool(Cost { memory: 128, ..CHEAP });
        let Verification::Match { new_hash: Some(new_hash) } =
            hashing.verify(password("certiorari"), Some(&old)).await.unwrap()
        else {
            panic!("not replaced")
        };
        let again = hashing.verify(password("certiorari"), Some(&new_hash)).await.unwrap();
        assert_eq!(again, Verification::Match { new_hash: None });
        assert_eq!(hashing.verify(password("wrong one"), Some(&old)).await.unwrap(), Verification::Mismatch);
    }

    #[tokio::test]
    async fn the_memory_of_a_hash_serves_the_next_one() {
        let hashing = pool(CHEAP);
        let stored = hashing.hash(password("certiorari")).await.unwrap();
        let kept = hashing.0.memory.addresses();
        assert_eq!(kept.len(), 1);
        for raw in ["certiorari", "wrong one"] {
            hashing.verify(password(raw), Some(&stored)).await.unwrap();
            assert_eq!(hashing.0.memory.addresses(), kept);
        }
        let other_cost = pool(Cost { memory: 128, ..CHEAP }).hash(password("certiorari")).await.unwrap();
        hashing.verify(password("wrong one"), Some(&other_cost)).await.unwrap();
        assert_eq!(hashing.0.memory.addresses(), kept, "memory for another cost is not kept");
    }

    #[tokio::test(start_paused = true)]
    async fn memory_without_use_is_freed() {
        let hashing = pool(CHEAP);
        hashing.hash(password("certiorari")).await.unwrap();
        assert_eq!(hashing.0.memory.addresses().len(), 1);
        tokio::time::sleep(KEPT_FOR * 2).await;
        assert!(hashing.0.memory.addresses().is_empty());
    }

    #[tokio::test]
    async fn a_stored_hash_of_another_algorithm_is_refused() {
        let hashing = pool(CHEAP);
        let stored = hashing.hash(password("certiorari")).await.unwrap().replace("argon2id", "argon2i");
        let result = hashing.verify(password("certiorari"), Some(&stored)).await;
        assert!(matches!(result, Err(HashError::Argon2(_))), "{result:?}");
    }

    #[tokio::test]
    async fn a_full_queue_refuses_and_a_cancelled_call_frees_its_place() {
        let hashing = pool(CHEAP);
        let held = Arc::clone(&hashing.0.threads).acquire_owned().await.unwrap();
        // One more than the queue: the thread has a place too.
        let mut waiting: Vec<_> = (0..=MAX_QUEUED).map(|_| Box::pin(hashing.hash(password("certiorari")))).collect();
        for wait in &mut waiting {
            assert!(futures::poll!(wait).is_pending());
        }
        assert!(matches!(hashing.hash(password("certiorari")).await, Err(HashError::Busy)));
        waiting.pop();
        let mut next = Box::pin(hashing.hash(password("certiorari")));
        assert!(futures::poll!(&mut next).is_pending(), "a place was free");
        // The earlier calls would get the thread first, and this test does not poll them.
        drop(waiting);
        drop(held);
        assert!(next.await.is_ok());
    }
}
