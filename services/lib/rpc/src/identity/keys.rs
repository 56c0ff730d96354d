//! Ed25519 key pairs: generated once per installation, stored as PKCS#8 PEM (private) and as a JWK set (public).

use std::{fs, path::Path};

use aws_lc_rs::signature::{Ed25519KeyPair, KeyPair as _};
use base64::{
    Engine as _,
    engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD},
};
use jsonwebtoken::{EncodingKey, jwk::JwkSet};

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

    /// Reads a private key file.
    ///
    /// # Errors
    /// When it cannot be read or contains something else.
    pub fn read(path: &Path) -> Result<Self, KeyError> {
        let shown = path.display().to_string();
        let pem = fs::read_to_string(path).map_err(|source| KeyError::File { path: shown.clone(), source })?;
        Self::from_pem(&pem).ok_or(KeyError::Pem(shown))
    }

    fn from_pem(pem: &str) -> Option<Self> {
        let kid = pem.lines().find_map(|line| line.strip_prefix("Key-Id: "))?.trim().to_owned();
        let (_, rest) = pem.split_once("-----BEGIN PRIVATE KEY-----")?;
        let (body, _) = rest.split_once("-----END PRIVATE KEY-----")?;
        let der = STANDARD.decode(body.split_whitespace().collect::<String>()).ok()?;
        let pair = Ed25519KeyPair::from_pkcs8(&der).ok()?;
        Some(Self { kid, der, public: pair.public_key().as_ref().to_vec() })
    }

    /// The content of the private key file. RFC 7468 permits the id before the key.
    #[must_use]
    pub fn to_pem(&self) -> String {
        let body = STANDARD.encode(&self.der);
        format!("Key-Id: {}\n-----BEGIN PRIVATE KEY-----\n{body}\n-----END PRIVATE KEY-----\n", self.kid)
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
