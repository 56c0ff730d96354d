//! Signed addresses of pictures: `<path>?expires=<Unix seconds>&viewer=<viewer>&signature=<..>`, or for everyone and without an
//! end `<path>?signature=<..>`.
//!
//! An address works without a session, and for one viewer: the owner of the picture is asked whether that viewer may still see it
//! (api/picture_access.rs). Only an address for moderators needs the session of one. Every gateway has the same secrets.

use std::{fmt, fs, path::PathBuf, sync::Arc};

use anyhow::Context as _;
use aws_lc_rs::hmac;
use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use chrono::TimeDelta;
use primitives::{clock::Clock, ids};
use uuid::Uuid;

/// An address is valid for one to two of these, an hour at most: within one it stays the same, so that browsers keep the picture.
const PERIOD: TimeDelta = TimeDelta::minutes(30);
/// The minimum size of a secret, in bytes.
const MIN_SECRET: usize = 32;
/// The paths of the pictures that need a signature.
const FOLDER: &str = "/media/signed/";

/// The viewer of an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Viewer {
    /// A viewer without a session.
    Visitor,
    /// A signed-in member.
    Member(Uuid),
    /// The readers of a report: those who are moderators when they ask for the picture.
    Moderators,
}

impl Viewer {
    /// The id of a member.
    pub fn member_id(self) -> Option<String> {
        match self {
            Self::Member(id) => Some(id.to_string()),
            Self::Visitor | Self::Moderators => None,
        }
    }

    fn parse(text: &str) -> Option<Self> {
        match text {
            "visitor" => Some(Self::Visitor),
            "moderators" => Some(Self::Moderators),
            id => ids::parse("viewer", id).ok().map(Self::Member),
        }
    }
}

impl From<Uuid> for Viewer {
    fn from(member: Uuid) -> Self {
        Self::Member(member)
    }
}

impl From<Option<Uuid>> for Viewer {
    fn from(member: Option<Uuid>) -> Self {
        member.map_or(Self::Visitor, Self::Member)
    }
}

impl fmt::Display for Viewer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Visitor => f.write_str("visitor"),
            Self::Member(id) => id.fmt(f),
            Self::Moderators => f.write_str("moderators"),
        }
    }
}

/// The permission of a signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Permission {
    /// For everyone, without an end.
    Permanent,
    /// For one viewer.
    Temporary {
        /// The viewer.
        viewer: Viewer,
        /// From now.
        seconds: i64,
    },
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

    /// Signs the addresses in a response to the viewer.
    pub fn given_to(&self, viewer: impl Into<Viewer>) -> AddressSigner<'_> {
        AddressSigner { addresses: self, viewer: viewer.into() }
    }

    /// The permission of a path with a query; `None` without a valid signature, or after its end.
    pub fn verify(&self, path: &str, query: &str) -> Option<Permission> {
        let (limits, signature) = match query.strip_prefix("expires=") {
            Some(rest) => {
                let (limits, signature) = rest.split_once("&signature=")?;
                (Some(limits.split_once("&viewer=")?), signature)
            }
            None => (None, query.strip_prefix("signature=")?),
        };
        let signature = URL_SAFE_NO_PAD.decode(signature).ok()?;
        let message = message(path, limits);
        // The library compares in constant time.
        if !self.keys.iter().any(|key| hmac::verify(key, message.as_bytes(), &signature).is_ok()) {
            return None;
        }
        let Some((expires, viewer)) = limits else { return Some(Permission::Permanent) };
        let (viewer, expires) = (Viewer::parse(viewer)?, expires.parse::<i64>().ok()?);
        let seconds = expires - self.clock.now().timestamp();
        (seconds > 0).then_some(Permission::Temporary { viewer, seconds })
    }

    /// Signs a path below [`FOLDER`]. Other paths, such as pictures of members, need no signature.
    fn signed(&self, path: String, limits: Option<(i64, Viewer)>) -> String {
        let Some(key) = self.keys.first().filter(|_| path.starts_with(FOLDER)) else { return path };
        let limits = limits.map(|(expires, viewer)| (expires.to_string(), viewer.to_string()));
        let limits = limits.as_ref().map(|(expires, viewer)| (expires.as_str(), viewer.as_str()));
        let signature = hmac::sign(key, message(&path, limits).as_bytes());
        let signature = URL_SAFE_NO_PAD.encode(signature);
        match limits {
            Some((expires, viewer)) => format!("{path}?expires={expires}&viewer={viewer}&signature={signature}"),
            None => format!("{path}?signature={signature}"),
        }
    }
}

/// The addresses in a response.
#[derive(Clone, Copy)]
pub struct AddressSigner<'a> {
    addresses: &'a SignedAddresses,
    viewer: Viewer,
}

impl AddressSigner<'_> {
    /// The address of a picture that everyone may see. It never changes, so that browsers keep the picture.
    pub fn permanent(self, path: String) -> String {
        self.addresses.signed(path, None)
    }

    /// The address of a picture that the viewer may see now, valid for a further half hour at least and an hour at most.
    pub fn temporary(self, path: String) -> String {
        let period = PERIOD.num_seconds();
        let expires = (self.addresses.clock.now().timestamp().div_euclid(period) + 2) * period;
        self.addresses.signed(path, Some((expires, self.viewer)))
    }
}

/// The signed text. A path contains no line break, nor does the end of a valid address.
fn message(path: &str, limits: Option<(&str, &str)>) -> String {
    limits.map_or_else(|| path.to_owned(), |(expires, viewer)| format!("{path}\n{expires}\n{viewer}"))
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

    const ANA: Viewer = Viewer::Member(Uuid::from_u128(0x0193_0000_0000_7000_8000_0000_0000_0007));

    fn temporary(addresses: &SignedAddresses) -> String {
        addresses.given_to(ANA).temporary(PATH.to_owned())
    }

    #[test]
    fn an_address_stays_the_same_for_half_an_hour_and_is_valid_for_an_hour_at_most() {
        let first = temporary(&addresses(&[NEW], 3_600));
        let beginning = "/media/signed/a.jpg?expires=7200&viewer=01930000-0000-7000-8000-000000000007&signature=";
        assert!(first.starts_with(beginning), "{first}");
        assert_eq!(temporary(&addresses(&[NEW], 5_399)), first);
        assert_ne!(temporary(&addresses(&[NEW], 5_400)), first);
        for (now, left) in [(3_600, Some(3_600)), (5_399, Some(1_801)), (7_199, Some(1)), (7_200, None)] {
            let permission = left.map(|seconds| Permission::Temporary { viewer: ANA, seconds });
            assert_eq!(verify(&addresses(&[NEW], now), &first), permission, "{now}");
        }
    }

    #[test]
    fn an_address_is_of_one_viewer() {
        let one = addresses(&[NEW], 0);
        for viewer in [ANA, Viewer::Visitor, Viewer::Moderators] {
            let address = one.given_to(viewer).temporary(PATH.to_owned());
            assert_eq!(verify(&one, &address), Some(Permission::Temporary { viewer, seconds: 3_600 }), "{address}");
            for other in [ANA, Viewer::Visitor, Viewer::Moderators] {
                let forged = address.replace(&format!("viewer={viewer}"), &format!("viewer={other}"));
                assert_eq!(verify(&one, &forged).is_some(), viewer == other, "{forged}");
            }
        }
    }

    #[test]
    fn the_address_of_a_public_picture_has_no_end() {
        let permanent = |path: &str| addresses(&[NEW], 0).given_to(ANA).permanent(path.to_owned());
        let address = permanent(PATH);
        assert_eq!(address, addresses(&[NEW], 9).given_to(Viewer::Visitor).permanent(PATH.to_owned()));
        assert_eq!(verify(&addresses(&[NEW], i64::from(u32::MAX)), &address), Some(Permission::Permanent));
        assert_eq!(permanent("/media/b.jpg"), "/media/b.jpg");
    }

    #[test]
    fn another_path_end_or_signature_is_refused() {
        let one = addresses(&[NEW], 0);
        let (temporary, permanent) = (temporary(&one), one.given_to(ANA).permanent(PATH.to_owned()));
        let signature = temporary.split_once("signature=").unwrap().1;
        let endless = permanent.split_once("signature=").unwrap().1;
        for query in [
            String::new(),
            "signature=".to_owned(),
            format!("expires=3600&viewer={ANA}&signature="),
            format!("expires=3601&viewer={ANA}&signature={signature}"),
            format!("expires=+3600&viewer={ANA}&signature={signature}"),
            format!("expires=3600&signature={signature}"),
            format!("expires=3600&viewer=&signature={signature}"),
            format!("expires=3600%0A{ANA}&viewer=&signature={signature}"),
            format!("viewer={ANA}&expires=3600&signature={signature}"),
            format!("signature={signature}"),
            format!("signature={signature}&expires=3600&viewer={ANA}"),
            format!("expires=&viewer=&signature={endless}"),
            format!("expires=3600&viewer={ANA}&signature={endless}"),
            format!("expires=3600&viewer={ANA}&signature={}", signature.to_lowercase()),
            format!("expires=3600&viewer={ANA}&signature={signature}&x=1"),
            format!("x=1&expires=3600&viewer={ANA}&signature={signature}"),
        ] {
            assert_eq!(one.verify(PATH, &query), None, "{query}");
        }
        let query = temporary.split_once('?').unwrap().1;
        assert!(one.verify(PATH, query).is_some());
        assert_eq!(one.verify("/media/signed/b.jpg", query), None);
        assert_eq!(verify(&addresses(&[OLD], 0), &temporary), None);
    }

    #[test]
    fn an_older_secret_is_accepted_and_the_first_one_signs() {
        let before = temporary(&addresses(&[OLD], 0));
        let rotated = addresses(&[NEW, OLD], 0);
        assert_eq!(verify(&rotated, &before), Some(Permission::Temporary { viewer: ANA, seconds: 3_600 }));
        assert_eq!(temporary(&rotated), temporary(&addresses(&[NEW], 0)));
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
