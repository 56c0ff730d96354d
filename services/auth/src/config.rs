//! The settings of auth.

use std::{num::NonZeroUsize, path::Path, thread};

use serde::Deserialize;

use crate::credentials::password::PasswordPolicy;

/// The settings of auth, in addition to the settings of every process.
#[derive(Clone, Debug, Deserialize)]
pub struct Settings {
    /// `PORTIA_SIGNING_KEYS`: private key files (PKCS#8 PEM), separated by commas. The first signs member tokens. The
    /// others belong to a key rotation; reading them at start reveals a wrong file early.
    pub signing_keys: String,
    /// `PORTIA_CREDENTIAL_KEYS`: files with keys of 64 hexadecimal digits, separated by commas, the same for all replicas. The
    /// first encrypts the secrets of authenticator apps, the others decrypt those that it has not encrypted again.
    pub credential_keys: String,
    /// `PORTIA_PASSWORD_POLICY`: `standard` (6 characters) or `strict` (12). Both refuse guessable passwords.
    #[serde(default)]
    pub password_policy: PasswordPolicy,
    /// `PORTIA_HASHING_THREADS`: concurrent password hashes, 19 MiB and one core each; by default one per core.
    pub hashing_threads: Option<NonZeroUsize>,
}

impl Settings {
    /// The key files, the signing one first.
    pub fn signing_key_files(&self) -> impl Iterator<Item = &Path> {
        files(&self.signing_keys)
    }

    /// The files of the keys for secrets, the encrypting one first.
    pub fn credential_key_files(&self) -> impl Iterator<Item = &Path> {
        files(&self.credential_keys)
    }

    /// The number of concurrent password hashes.
    pub fn hashing_threads(&self) -> NonZeroUsize {
        self.hashing_threads.or_else(|| thread::available_parallelism().ok()).unwrap_or(NonZeroUsize::MIN)
    }
}

fn files(list: &str) -> impl Iterator<Item = &Path> {
    list.split(',').map(str::trim).filter(|path| !path.is_empty()).map(Path::new)
}

#[cfg(test)]
mod tests {
    use chassis::config::Source;

    use super::*;

    #[test]
    fn signing_keys_are_a_list_and_other_settings_have_defaults() {
        let source =
            Source::default().with("signing_keys", "/keys/new.pem, /keys/old.pem,").with("credential_keys", "/c");
        let settings: Settings = source.extract().unwrap();
        assert_eq!(settings.credential_key_files().collect::<Vec<_>>(), [Path::new("/c")]);
        let files: Vec<&Path> = settings.signing_key_files().collect();
        assert_eq!(files, [Path::new("/keys/new.pem"), Path::new("/keys/old.pem")]);
        assert_eq!(settings.password_policy, PasswordPolicy::Standard);
    }

    #[test]
    fn an_unknown_policy_is_reported_with_its_variable() {
        let source = Source::default().with("signing_keys", "/k").with("credential_keys", "/c");
        let source = source.with("password_policy", "lenient");
        let error = source.extract::<Settings>().unwrap_err();
        assert!(error.to_string().contains("PORTIA_PASSWORD_POLICY"), "{error}");
    }
}
