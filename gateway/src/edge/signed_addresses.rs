//! Signed addresses of pictures: `<path>?expires=<Unix seconds>&signature=<..>`, or without an end `<path>?signature=<..>`.
//!
//! The signature is the permission, so a picture costs no call to a service. Every gateway has the same secrets.

use std::{fs, path::PathBuf, sync::Arc};

use anyhow::Context as _;
use aws_lc_rs::hmac;
use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use chrono::TimeDelta;
use primitives::clock::Clock;

/// An address is valid for one to two of these: within one it stays the same, so that browsers keep the picture.
const PERIOD: TimeDelta = TimeDelta::hours(1);
/// The minimum size of a secret, in bytes.
const MIN_SECRET: usize = 32;
/// The paths of the pictures that need a signature.
const FOLDER: &str = "/media/signed/";

/// The duration of a permission.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Permission {
    /// Of a picture that everyone may see.
    Permanent,
    /// For this number of seconds from now.
    Seconds(i64),
}

/// The secrets. Clones share them.
#[derive(Clone)]
pub struct SignedAddresses {
    /// The first one signs.
    keys: Arc<[hmac::Key]>,
    clock: Clock,
}

impl SignedAddresses {
    /// Reads the secrets.
    ///
    /// # Errors
    /// One sentence that names the variable: no file, an unreadable one, or a short secret.
    pub fn read(files: &[PathBuf], clock: Clock) -> anyhow::Result<Self> {
        let mut keys = Vec::with_capacity(files.len());
        for file in files {
            let secret =
                fs::read(file).with_context(|| format!("PORTIA_PICTURE_KEYS: {} cannot be read", file.display()))?;
            let secret = secret.trim_ascii();
            if secret.len() < MIN_SECRET {
                anyhow::bail!("PORTIA_PICTURE_KEYS: {} has less than {MIN_SECRET} bytes.", file.display());
            }
            keys.push(hmac::Key::new(hmac::HMAC_SHA256, secret));
        }
        if keys.is_empty() {
            anyhow::bail!("PORTIA_PICTURE_KEYS names no file.");
        }
        Ok(Self { keys: keys.into(), clock })
    }

    /// Keys for another purpose, one of each secret, which are no secrets of addresses.
    pub fn derive_keys(&self, purpose: &str) -> Arc<[hmac::Key]> {
        let derive = |key: &hmac::Key| hmac::Key::new(hmac::HMAC_SHA256, hmac::sign(key, purpose.as_bytes()).as_ref());
        self.keys.iter().map(derive).collect()
    }

    /// The address of a picture that everyone may see. It never changes, so that browsers keep the picture.
    pub fn permanent(&self, path: String) -> String {
        self.signed(path, None)
    }

    /// The address of a picture that the caller may see now, valid for a further hour at least.
    pub fn temporary(&self, path: String) -> String {
        let period = PERIOD.num_seconds();
        let expires = (self.clock.now().timestamp().div_euclid(period) + 2) * period;
        self.signed(path, Some(expires))
    }

    /// The permission of a path with a query; `None` without a valid signature, or after its end.
    pub fn verify(&self, path: &str, query: &str) -> Option<Permission> {
        let (expires, signature) = match query.strip_prefix("expires=") {
            Some(rest) => rest.split_once("&signature=").map(|(expires, signature)| (Some(expires), signature))?,
            None => (None, query.strip_prefix("signature=")?),
        };
        let signature = URL_SAFE_NO_PAD.decode(signature).ok()?;
        let message = message(path, expires);
        // The library compares in constant time.
        if !self.keys.iter().any(|key| hmac::verify(key, message.as_bytes(), &signature).is_ok()) {
            return None;
        }
        let Some(expires) = expires else { return Some(Permission::Permanent) };
        let left = expires.parse::<i64>().ok()? - self.clock.now().timestamp();
        (left > 0).then_some(Permission::Seconds(left))
    }

    /// Other paths, such as those of pictures of members, need no signature.
    fn signed(&self, path: String, expires: Option<i64>) -> String {
        let Some(key) = self.keys.first().filter(|_| path.starts_with(FOLDER)) else { return path };
        let expires = expires.map(|at| at.to_string());
        let signature = hmac::sign(key, message(&path, expires.as_deref()).as_bytes());
        let signature = URL_SAFE_NO_PAD.encode(signature);
        match expires {
            Some(expires) => format!("{path}?expires={expires}&signature={signature}"),
            None => format!("{path}?signature={signature}"),
        }
    }
}

/// The signed text. A path contains no line break.
fn message(path: &str, expires: Option<&str>) -> String {
    expires.map_or_else(|| path.to_owned(), |expires| format!("{path}\n{expires}"))
}

#[cfg(test)]
mod tests {
    use chrono::{DateTime, Utc};

    use super::*;

    const PATH: &str = "/media/signed/a.jpg";

    fn at(seconds: i64) -> Clock {
        Clock::fixed(DateTime::<Utc>::from_timestamp(seconds, 0).unwrap())
    }

    fn addresses(secrets: &[&str], seconds: i64) -> SignedAddresses {
        let folder = tempfile::tempdir().unwrap();
        let files: Vec<_> = secrets
            .iter()
            .enumerate()
            .map(|(n, secret)| {
                let file = folder.path().join(n.to_string());
                fs::write(&file, secret).unwrap();
                file
            })
            .collect();
        SignedAddresses::read(&files, at(seconds)).unwrap()
    }

    const OLD: &str = "an old secret of more than thirty-two bytes\n";
    const NEW: &str = "a new secret of more than thirty-two bytes";

    fn verify(addresses: &SignedAddresses, address: &str) -> Option<Permission> {
        let (path, query) = address.split_once('?').unwrap();
        addresses.verify(path, query)
    }

    #[test]
    fn an_address_stays_the_same_for_an_hour_and_is_valid_for_a_further_one() {
        let first = addresses(&[NEW], 3_600).temporary(PATH.to_owned());
        assert!(first.starts_with("/media/signed/a.jpg?expires=10800&signature="), "{first}");
        assert_eq!(addresses(&[NEW], 7_199).temporary(PATH.to_owned()), first);
        assert_ne!(addresses(&[NEW], 7_200).temporary(PATH.to_owned()), first);
        for (now, left) in [(3_600, Some(7_200)), (7_199, Some(3_601)), (10_799, Some(1)), (10_800, None)] {
            assert_eq!(verify(&addresses(&[NEW], now), &first), left.map(Permission::Seconds), "{now}");
        }
    }

    #[test]
    fn the_address_of_a_public_picture_has_no_end() {
        let address = addresses(&[NEW], 0).permanent(PATH.to_owned());
        assert_eq!(verify(&addresses(&[NEW], i64::from(u32::MAX)), &address), Some(Permission::Permanent));
        assert_eq!(addresses(&[NEW], 0).permanent("/media/b.jpg".to_owned()), "/media/b.jpg");
    }

    #[test]
    fn another_path_end_or_signature_is_refused() {
        let one = addresses(&[NEW], 0);
        let (temporary, permanent) = (one.temporary(PATH.to_owned()), one.permanent(PATH.to_owned()));
        let signature = temporary.split_once("signature=").unwrap().1;
        let endless = permanent.split_once("signature=").unwrap().1;
        for query in [
            String::new(),
            "signature=".to_owned(),
            "expires=7200&signature=".to_owned(),
            format!("expires=7201&signature={signature}"),
            format!("expires=+7200&signature={signature}"),
            format!("signature={signature}"),
            format!("signature={signature}&expires=7200"),
            format!("expires=&signature={endless}"),
            format!("expires=7200&signature={endless}"),
            format!("expires=7200&signature={}", signature.to_lowercase()),
            format!("expires=7200&signature={signature}&x=1"),
            format!("x=1&expires=7200&signature={signature}"),
        ] {
            assert_eq!(one.verify(PATH, &query), None, "{query}");
        }
        assert_eq!(one.verify("/media/signed/b.jpg", &format!("expires=7200&signature={signature}")), None);
        assert_eq!(verify(&addresses(&[OLD], 0), &temporary), None);
    }

    #[test]
    fn an_older_secret_is_accepted_and_the_first_one_signs() {
        let before = addresses(&[OLD], 0).temporary(PATH.to_owned());
        let rotated = addresses(&[NEW, OLD], 0);
        assert_eq!(verify(&rotated, &before), Some(Permission::Seconds(7_200)));
        assert_eq!(rotated.temporary(PATH.to_owned()), addresses(&[NEW], 0).temporary(PATH.to_owned()));
    }

    #[test]
    fn a_short_or_missing_secret_is_refused_with_the_variable() {
        let folder = tempfile::tempdir().unwrap();
        let short = folder.path().join("short");
        fs::write(&short, "short").unwrap();
        for files in [vec![], vec![short], vec![folder.path().join("missing")]] {
            let error = SignedAddresses::read(&files, at(0)).err().unwrap();
            assert!(error.to_string().contains("PORTIA_PICTURE_KEYS"), "{error}");
        }
    }
}
