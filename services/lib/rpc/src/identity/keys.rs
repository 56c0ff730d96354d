//! Ed25519 key pairs: generated once per installation, stored as PKCS#8 PEM (private) and as a JWK set (public).

use std::{fs, path::Path};

use aws_lc_rs::signature::{Ed25519KeyPair, KeyPair as _};
use base64::{
    Engine as _,
    engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD},
};
use jsonwebtoken::{EncodingKey, jwk::JwkSet};

/// The lines around a key in PKCS#8.
const BEGIN: &str = "-----BEGIN PRIVATE KEY-----";
const END: &str = "-----END PRIVATE KEY-----";

/// Why a key cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum KeyError {
    /// The file does not exist or is not readable.
    #[error("the key file {path} cannot be read")]
    File {
        /// The path of the file.
        path: String,
        /// The I/O error.
        #[source]
        source: std::io::Error,
    },
    /// The file contains something else.
    #[error("{0} contains no Ed25519 private key in PKCS#8 PEM with a Key-Id line")]
    Pem(String),
    /// The public keys are not a JWK set.
    #[error("the public keys are not a JWK set")]
    Set(#[from] serde_json::Error),
    /// The key id has neither of the two forms.
    #[error("the key id {0} is neither members/<n> nor services/<name>/<n>")]
    KeyId(String),
    /// The token library refused the key.
    #[error("the key cannot be used")]
    Token(#[from] jsonwebtoken::errors::Error),
    /// A token has characters that a header cannot contain.
    #[error("the token is not a header value")]
    Header,
    /// Key generation failed.
    #[error("the key cannot be generated")]
    Generate,
}

/// A private key and its id.
pub struct KeyPair {
    kid: String,
    der: Vec<u8>,
    public: Vec<u8>,
}

impl KeyPair {
    /// Generates a key.
    ///
    /// # Errors
    /// When the system has no entropy source.
    pub fn generate(kid: &str) -> Result<Self, KeyError> {
        let pair = Ed25519KeyPair::generate().map_err(|_| KeyError::Generate)?;
        let der = pair.to_pkcs8v1().map_err(|_| KeyError::Generate)?;
        Ok(Self { kid: kid.to_owned(), der: der.as_ref().to_vec(), public: pair.public_key().as_ref().to_vec() })
    }

    /// Reads the key of a private key file that signs: the first one.
    ///
    /// # Errors
    /// When it cannot be read or contains something else.
    pub fn read(path: &Path) -> Result<Self, KeyError> {
        let first = Self::read_all(path)?.into_iter().next();
        first.ok_or_else(|| KeyError::Pem(path.display().to_string()))
    }

    /// Reads all keys of a private key file. Those after the first one are in the public set already and sign later.
    ///
    /// # Errors
    /// When it cannot be read or contains something else.
    pub fn read_all(path: &Path) -> Result<Vec<Self>, KeyError> {
        let shown = path.display().to_string();
        let pem = fs::read_to_string(path).map_err(|source| KeyError::File { path: shown.clone(), source })?;
        let mut keys = Vec::new();
        let mut rest = pem.as_str();
        while !rest.trim().is_empty() {
            let end = rest.find(END).map(|at| at + END.len());
            let (key, after) =
                end.and_then(|end| rest.split_at_checked(end)).ok_or_else(|| KeyError::Pem(shown.clone()))?;
            keys.push(Self::from_pem(key).ok_or_else(|| KeyError::Pem(shown.clone()))?);
            rest = after;
        }
        Ok(keys)
    }

    fn from_pem(pem: &str) -> Option<Self> {
        let kid = pem.lines().find_map(|line| line.strip_prefix("Key-Id: "))?.trim().to_owned();
        let (_, rest) = pem.split_once(BEGIN)?;
        let (body, _) = rest.split_once(END)?;
        let der = STANDARD.decode(body.split_whitespace().collect::<String>()).ok()?;
        let pair = Ed25519KeyPair::from_pkcs8(&der).ok()?;
        Some(Self { kid, der, public: pair.public_key().as_ref().to_vec() })
    }

    /// The content of the private key file. RFC 7468 permits the id before the key.
    #[must_use]
    pub fn to_pem(&self) -> String {
        let body = STANDARD.encode(&self.der);
        format!("Key-Id: {}\n{BEGIN}\n{body}\n{END}\n", self.kid)
    }

    /// The key id.
    #[must_use]
    pub fn kid(&self) -> &str {
        &self.kid
    }

    pub(super) fn encoding_key(&self) -> EncodingKey {
        EncodingKey::from_ed_der(&self.der)
    }
}

impl std::fmt::Debug for KeyPair {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("KeyPair").field("kid", &self.kid).finish_non_exhaustive()
    }
}

/// Reads the public keys of auth and of every process.
///
/// # Errors
/// When the file cannot be read or contains something else.
pub fn read_public_set(path: &Path) -> Result<JwkSet, KeyError> {
    let set = fs::read(path).map_err(|source| KeyError::File { path: path.display().to_string(), source })?;
    Ok(serde_json::from_slice(&set)?)
}

/// The JWK set of the public keys.
#[must_use]
pub fn public_set(pairs: &[&KeyPair]) -> JwkSet {
    let keys: Vec<serde_json::Value> = pairs
        .iter()
        .map(|pair| {
            serde_json::json!({
                "kty": "OKP", "crv": "Ed25519", "use": "sig", "alg": "EdDSA",
                "kid": pair.kid, "x": URL_SAFE_NO_PAD.encode(&pair.public),
            })
        })
        .collect();
    serde_json::from_value(serde_json::json!({ "keys": keys })).unwrap_or(JwkSet { keys: vec![] })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_survives_its_file_and_debug_does_not_contain_it() {
        let pair = KeyPair::generate("services/feed/1").unwrap();
        let read = KeyPair::from_pem(&pair.to_pem()).unwrap();
        assert_eq!((read.kid(), &read.public), ("services/feed/1", &pair.public));
        assert!(!format!("{pair:?}").contains("der"));
    }

    #[test]
    fn a_file_contains_the_key_that_signs_and_later_ones() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let pairs = ["services/feed/1", "services/feed/2"].map(|kid| KeyPair::generate(kid).unwrap());
        fs::write(file.path(), pairs.iter().map(KeyPair::to_pem).collect::<String>()).unwrap();
        let read = KeyPair::read_all(file.path()).unwrap();
        assert_eq!(read.iter().map(KeyPair::kid).collect::<Vec<_>>(), ["services/feed/1", "services/feed/2"]);
        assert_eq!(read[1].public, pairs[1].public);
        assert_eq!(KeyPair::read(file.path()).unwrap().kid(), "services/feed/1");

        fs::write(file.path(), format!("{}half", pairs[0].to_pem())).unwrap();
        assert!(matches!(KeyPair::read_all(file.path()), Err(KeyError::Pem(_))));
        fs::write(file.path(), "").unwrap();
        assert!(matches!(KeyPair::read(file.path()), Err(KeyError::Pem(_))));
    }

    #[test]
    fn other_files_are_not_keys() {
        for other in ["", "Key-Id: members/1\n", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"] {
            assert!(KeyPair::from_pem(other).is_none(), "{other}");
        }
    }

    #[test]
    fn a_public_set_contains_every_key() {
        let pair = KeyPair::generate("members/1").unwrap();
        assert!(public_set(&[&pair]).find("members/1").is_some());
    }
}
