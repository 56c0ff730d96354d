//! What an operator may decide about auth.

use std::{num::NonZeroUsize, path::Path, thread};

use serde::Deserialize;

use crate::password::Policy;

/// auth's own settings, besides those every process has.
#[derive(Clone, Debug, Deserialize)]
pub struct Settings {
    /// `PORTIA_SIGNING_KEYS`: private key files (PKCS#8 PEM), separated by commas. The first signs member tokens. The
    /// others are about to sign or did until lately: they are read too, so that a rotation that would fail, fails now.
    pub signing_keys: String,
    /// `PORTIA_PASSWORD_POLICY`: `standard` (6 characters, not the username) or `strict` (8, and no common one).
    #[serde(default)]
    pub password_policy: Policy,
    /// `PORTIA_HASHING_THREADS`: passwords hashed at once, 19 MiB and one core each; by default one a core.
    pub hashing_threads: Option<NonZeroUsize>,
}

impl Settings {
    /// The signing keys' files, the signing one first.
    pub fn signing_key_files(&self) -> impl Iterator<Item = &Path> {
        self.signing_keys.split(',').map(str::trim).filter(|path| !path.is_empty()).map(Path::new)
    }

    /// Passwords hashed at once.
    #[must_use]
    pub fn hashing_threads(&self) -> NonZeroUsize {
        self.hashing_threads.or_else(|| thread::available_parallelism().ok()).unwrap_or(NonZeroUsize::MIN)
    }
}

#[cfg(test)]
mod tests {
    use chassis::config::Source;

    use super::*;

    #[test]
    fn keys_are_a_list_and_the_rest_has_defaults() {
        let source = Source::default().with("signing_keys", "/keys/new.pem, /keys/old.pem,");
        let settings: Settings = source.extract().unwrap();
        let files: Vec<&Path> = settings.signing_key_files().collect();
        assert_eq!(files, [Path::new("/keys/new.pem"), Path::new("/keys/old.pem")]);
        assert_eq!(settings.password_policy, Policy::Standard);
    }

    #[test]
    fn a_policy_nobody_knows_is_named() {
        let source = Source::default().with("signing_keys", "/k").with("password_policy", "lenient");
        let refused = source.extract::<Settings>().unwrap_err();
        assert!(refused.to_string().contains("PORTIA_PASSWORD_POLICY"), "{refused}");
    }
}
