//! The one place that hashes passwords: Argon2id on a bounded pool, with a queue that refuses rather than grows.
//!
//! A hash takes a core for some 20 ms and 19 MiB of memory. As many run at once as there are threads; up to `QUEUE`
//! more wait their turn, in order. Whoever comes then is told to come back ([`Error::Busy`]): a queue longer than that
//! would only answer people who have given up. A caller who leaves while waiting frees its place.

use std::{
    num::NonZeroUsize,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use argon2::{
    Algorithm, Argon2, Params, PasswordHasher as _, PasswordVerifier as _, Version,
    password_hash::{self, phc::PasswordHash},
};
use aws_lc_rs::rand;
use base64::{Engine as _, engine::general_purpose::STANDARD_NO_PAD};
use tokio::sync::Semaphore;

use crate::password::Password;

/// Hashes that may wait for a thread: at two threads the last of them waits well under a second.
const QUEUE: usize = 64;

/// What a hash costs. Stored hashes of another cost are renewed at the next sign-in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cost {
    /// Memory in KiB.
    pub memory: u32,
    /// Passes over it.
    pub passes: u32,
    /// Lanes.
    pub lanes: u32,
}

impl Cost {
    /// OWASP's first choice for Argon2id.
    pub const STANDARD: Self = Self { memory: 19_456, passes: 2, lanes: 1 };
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Every thread and every waiting place is taken.
    #[error("too many passwords are being checked")]
    Busy,
    /// The library refused: a stored hash it cannot read, no memory.
    #[error("the password cannot be hashed")]
    Argon2(#[from] password_hash::Error),
    /// The system has no randomness to give.
    #[error("there is no randomness")]
    Randomness,
    /// The process is stopping.
    #[error("the hashing was cut off")]
    Stopped,
}

/// What a password turned out to be.
#[derive(Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Not the one.
    Wrong,
    /// The one. `renewed` is its hash at today's cost, when the stored one had another.
    Right {
        /// To be stored in place of the old one.
        renewed: Option<String>,
    },
}

/// The pool; clones share it.
#[derive(Clone)]
pub struct Hashing(Arc<Pool>);

struct Pool {
    argon2: Argon2<'static>,
    /// Of a password nobody has: whoever asks for an unknown name waits for this one.
    decoy: PasswordHash,
    places: Arc<Semaphore>,
    threads: Arc<Semaphore>,
    hashed: AtomicU64,
}

impl Hashing {
    /// A pool that hashes `threads` passwords at once.
    ///
    /// # Errors
    /// When the cost is out of Argon2's range, or there is no randomness.
    pub fn new(cost: Cost, threads: NonZeroUsize) -> Result<Self, Error> {
        let params = Params::new(cost.memory, cost.passes, cost.lanes, Some(Params::DEFAULT_OUTPUT_LEN))
            .map_err(password_hash::Error::from)?;
        Ok(Self(Arc::new(Pool {
            argon2: Argon2::new(Algorithm::Argon2id, Version::V0x13, params),
            decoy: decoy(cost)?,
            places: Arc::new(Semaphore::new(threads.get() + QUEUE)),
            threads: Arc::new(Semaphore::new(threads.get())),
            hashed: AtomicU64::new(0),
        })))
    }

    /// The PHC string to keep for a new password.
    ///
    /// # Errors
    /// [`Error::Busy`] when the queue is full.
    pub async fn hash(&self, password: Password) -> Result<String, Error> {
        self.run(move |pool| pool.hash(&password)).await
    }

    /// Compares a password with a stored hash; with `None` (there is no such account) it takes as long and is wrong.
    ///
    /// # Errors
    /// [`Error::Busy`] when the queue is full.
    pub async fn verify(&self, password: Password, stored: Option<&str>) -> Result<Verdict, Error> {
        let stored = stored.map(PasswordHash::new).transpose().map_err(password_hash::Error::from)?;
        self.run(move |pool| pool.verify(&password, stored.as_ref())).await
    }

    /// Hashes computed so far.
    #[must_use]
    pub fn hashed(&self) -> u64 {
        self.0.hashed.load(Ordering::Relaxed)
    }

    async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Pool) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        let place = Arc::clone(&self.0.places).try_acquire_owned().map_err(|_| Error::Busy)?;
        let thread = Arc::clone(&self.0.threads).acquire_owned().await.map_err(|_| Error::Stopped)?;
        let pool = Arc::clone(&self.0);
        // Both permits go along: they are given back when the hash is done, not when its caller has left.
        let done = tokio::task::spawn_blocking(move || {
            let result = work(&pool);
            drop((place, thread));
            result
        });
        done.await.map_err(|_| Error::Stopped)?
    }
}

impl std::fmt::Debug for Hashing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Hashing").field("hashed", &self.hashed()).finish_non_exhaustive()
    }
}

impl Pool {
    fn hash(&self, password: &Password) -> Result<String, Error> {
        let mut salt = [0_u8; 16];
        rand::fill(&mut salt).map_err(|_| Error::Randomness)?;
        self.hashed.fetch_add(1, Ordering::Relaxed);
        Ok(self.argon2.hash_password_with_salt(password.as_bytes(), &salt)?.to_string())
    }

    fn verify(&self, password: &Password, stored: Option<&PasswordHash>) -> Result<Verdict, Error> {
        self.hashed.fetch_add(1, Ordering::Relaxed);
        match self.argon2.verify_password(password.as_bytes(), stored.unwrap_or(&self.decoy)) {
            Ok(()) => {}
            Err(password_hash::Error::PasswordInvalid) => return Ok(Verdict::Wrong),
            Err(error) => return Err(error.into()),
        }
        let Some(stored) = stored else { return Ok(Verdict::Wrong) };
        let renewed = if self.is_current(stored) { None } else { Some(self.hash(password)?) };
        Ok(Verdict::Right { renewed })
    }

    fn is_current(&self, stored: &PasswordHash) -> bool {
        let ours = &self.decoy;
        (stored.algorithm, stored.version, stored.params.as_str())
            == (ours.algorithm, ours.version, ours.params.as_str())
    }
}

/// A hash of the right cost whose password does not exist: its output was drawn by lot, not computed.
fn decoy(cost: Cost) -> Result<PasswordHash, Error> {
    let mut lot = [0_u8; 48];
    rand::fill(&mut lot).map_err(|_| Error::Randomness)?;
    let (salt, output) = lot.split_at(16);
    let Cost { memory, passes, lanes } = cost;
    let (salt, output) = (STANDARD_NO_PAD.encode(salt), STANDARD_NO_PAD.encode(output));
    let phc = format!("$argon2id$v=19$m={memory},t={passes},p={lanes}${salt}${output}");
    Ok(PasswordHash::new(&phc).map_err(password_hash::Error::from)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHEAP: Cost = Cost { memory: 64, passes: 1, lanes: 1 };

    fn pool(cost: Cost) -> Hashing {
        Hashing::new(cost, NonZeroUsize::MIN).unwrap()
    }

    fn password(raw: &str) -> Password {
        Password::parse(raw.to_owned()).unwrap()
    }

    #[tokio::test]
    async fn only_the_password_itself_is_right() {
        let hashing = pool(CHEAP);
        let stored = hashing.hash(password("certiorari")).await.unwrap();
        assert!(stored.starts_with("$argon2id$v=19$m=64,t=1,p=1$"));
        let right = hashing.verify(password("certiorari"), Some(&stored)).await.unwrap();
        assert_eq!(right, Verdict::Right { renewed: None });
        assert_eq!(hashing.verify(password("Certiorari"), Some(&stored)).await.unwrap(), Verdict::Wrong);
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
    async fn an_unknown_name_costs_one_hash_like_a_wrong_password() {
        let hashing = pool(CHEAP);
        let stored = hashing.hash(password("certiorari")).await.unwrap();
        let before = hashing.hashed();
        hashing.verify(password("wrong one"), Some(&stored)).await.unwrap();
        let wrong = hashing.hashed() - before;
        assert_eq!(hashing.verify(password("wrong one"), None).await.unwrap(), Verdict::Wrong);
        assert_eq!((wrong, hashing.hashed() - before), (1, 2));
    }

    #[tokio::test]
    async fn a_hash_of_another_cost_is_renewed() {
        let old = pool(CHEAP).hash(password("certiorari")).await.unwrap();
        let hashing = pool(Cost { memory: 128, ..CHEAP });
        let Verdict::Right { renewed: Some(renewed) } =
            hashing.verify(password("certiorari"), Some(&old)).await.unwrap()
        else {
            panic!("not renewed")
        };
        let again = hashing.verify(password("certiorari"), Some(&renewed)).await.unwrap();
        assert_eq!(again, Verdict::Right { renewed: None });
        assert_eq!(hashing.verify(password("wrong one"), Some(&old)).await.unwrap(), Verdict::Wrong);
    }

    #[tokio::test]
    async fn a_full_queue_refuses_and_a_caller_who_leaves_frees_the_place() {
        let hashing = pool(CHEAP);
        let held = Arc::clone(&hashing.0.threads).acquire_owned().await.unwrap();
        // One more than the queue: the place of the thread, which nobody has yet.
        let mut waiting: Vec<_> = (0..=QUEUE).map(|_| Box::pin(hashing.hash(password("certiorari")))).collect();
        for wait in &mut waiting {
            assert!(futures::poll!(wait).is_pending());
        }
        assert!(matches!(hashing.hash(password("certiorari")).await, Err(Error::Busy)));
        waiting.pop();
        let mut next = Box::pin(hashing.hash(password("certiorari")));
        assert!(futures::poll!(&mut next).is_pending(), "a place was free");
        // Those who came first would get the thread first, and nobody waits for their answers here.
        drop(waiting);
        drop(held);
        assert!(next.await.is_ok());
    }
}
