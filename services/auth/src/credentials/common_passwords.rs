//! The 100,000 most common passwords of six characters and more, as hashes.
//!
//! `common-passwords.bin` contains the first five bytes of the SHA-256 of each password in lower case, sorted: one in
//! ten million other passwords is refused by mistake. The passwords are the most frequent ones of Mark Burnett's ten
//! million, from SecLists (github.com/danielmiessler/SecLists, Creative Commons Attribution-ShareAlike 3.0). `cargo run -p
//! auth --example common_passwords` makes the file from such a list.

use sha2::{Digest as _, Sha256};
use zeroize::Zeroizing;

/// The bytes of a hash in the list.
pub const HASH: usize = 5;

static LIST: &[u8] = include_bytes!("common-passwords.bin");

/// The hash of a password, in any case.
pub fn hash(password: &str) -> [u8; HASH] {
    let mut hash = [0; HASH];
    hash.copy_from_slice(Sha256::digest(Zeroizing::new(password.to_lowercase()).as_bytes()).split_at(HASH).0);
    hash
}

/// Whether the password is on the list, in any case.
pub fn contains(password: &str) -> bool {
    hashes().binary_search(&hash(password)).is_ok()
}

fn hashes() -> &'static [[u8; HASH]] {
    LIST.as_chunks().0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_sorted_and_whole() {
        assert_eq!((LIST.len() % HASH, hashes().len()), (0, 100_000));
        assert!(hashes().is_sorted_by(|one, next| one < next));
    }

    #[test]
    fn common_passwords_are_found_in_any_case() {
        for common in ["password", "Password1", "QWERTY", "iloveyou", "123456"] {
            assert!(contains(common), "{common}");
        }
        for uncommon in ["correct horse", "certiorari!", "short", "ñandú-añil"] {
            assert!(!contains(uncommon), "{uncommon}");
        }
    }
}
