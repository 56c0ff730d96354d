//! Tokens: 256 random bits in a cookie or link. The database stores only their hash.

use std::fmt;

use aws_lc_rs::rand;
use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use sha2::{Digest as _, Sha256};
use zeroize::Zeroizing;

use crate::error::Error;

/// The secret. Its memory is wiped on drop, and `Debug` does not show it.
pub struct Token(Zeroizing<[u8; 32]>);

impl Token {
    /// Generates a token.
    pub fn generate() -> Result<Self, Error> {
        let mut bits = Zeroizing::new([0_u8; 32]);
        rand::fill(bits.as_mut_slice()).map_err(|_| Error::Randomness)?;
        Ok(Self(bits))
    }

    /// Parses the text of a cookie or link.
    pub fn parse(raw: &str) -> Option<Self> {
        let mut bits = Zeroizing::new([0_u8; 32]);
        let length = URL_SAFE_NO_PAD.decode_slice(raw, bits.as_mut_slice()).ok()?;
        (length == bits.len()).then_some(Self(bits))
    }

    /// The text of a cookie or link: base64url.
    pub fn encoded(&self) -> String {
        URL_SAFE_NO_PAD.encode(self.0.as_slice())
    }

    /// The stored hash. All bits are random, so SHA-256 suffices.
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
    fn an_encoded_token_parses_back_and_debug_hides_it() {
        let token = Token::generate().unwrap();
        assert_eq!(token.encoded().len(), 43);
        assert_eq!(Token::parse(&token.encoded()).unwrap().hash(), token.hash());
        assert_eq!(format!("{token:?}"), "Token(..)");
    }

    #[test]
    fn invalid_input_is_no_token() {
        for bad in ["", "x", "\0", &"A".repeat(42), &"A".repeat(44), &"=".repeat(43), &"A".repeat(1 << 20), "é"] {
            assert!(Token::parse(bad).is_none(), "{} bytes", bad.len());
        }
    }
}
