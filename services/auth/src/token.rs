//! Tokens: 256 random bits that a browser or a link carries, and of which the database knows the hash.

use std::fmt;

use aws_lc_rs::rand;
use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use sha2::{Digest as _, Sha256};
use zeroize::Zeroizing;

use crate::error::Error;

/// The secret itself: wiped from memory when dropped, told by no log.
pub struct Token(Zeroizing<[u8; 32]>);

impl Token {
    /// A new one.
    ///
    /// # Errors
    /// When the system has no randomness.
    pub fn draw() -> Result<Self, Error> {
        let mut bits = Zeroizing::new([0_u8; 32]);
        rand::fill(bits.as_mut_slice()).map_err(|_| Error::Randomness)?;
        Ok(Self(bits))
    }

    /// Reads what a cookie or a link carried; whatever is no token of ours opens nothing.
    #[must_use]
    pub fn read(raw: &str) -> Option<Self> {
        let mut bits = Zeroizing::new([0_u8; 32]);
        let length = URL_SAFE_NO_PAD.decode_slice(raw, bits.as_mut_slice()).ok()?;
        (length == bits.len()).then_some(Self(bits))
    }

    /// As a cookie or a link carries it.
    #[must_use]
    pub fn encoded(&self) -> String {
        URL_SAFE_NO_PAD.encode(self.0.as_slice())
    }

    /// As the database knows it. The token is random in full, so a plain hash is enough.
    #[must_use]
    pub fn hash(&self) -> Vec<u8> {
        Sha256::digest(self.0.as_slice()).to_vec()
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(..)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_survives_its_cookie_and_is_told_by_no_log() {
        let token = Token::draw().unwrap();
        assert_eq!(token.encoded().len(), 43);
        assert_eq!(Token::read(&token.encoded()).unwrap().hash(), token.hash());
        assert_eq!(format!("{token:?}"), "Token(..)");
    }

    #[test]
    fn nothing_else_is_a_token() {
        for bad in ["", "x", "\0", &"A".repeat(42), &"A".repeat(44), &"=".repeat(43), &"A".repeat(1 << 20), "é"] {
            assert!(Token::read(bad).is_none(), "{} bytes", bad.len());
        }
    }
}
