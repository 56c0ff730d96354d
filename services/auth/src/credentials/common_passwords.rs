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

/// The first digits of a hash, which a client sends to learn the hashes that begin with them. About twenty-four passwords of the
/// list and every 4,096th password share them, so that they reveal next to nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HashPrefix(u16);

impl HashPrefix {
    /// Hexadecimal digits.
    const DIGITS: usize = 3;

    /// Parses three lower-case hexadecimal digits.
    pub fn parse(raw: &str) -> Option<Self> {
        let is_hex = raw.bytes().all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f'));
        (raw.len() == Self::DIGITS && is_hex).then(|| u16::from_str_radix(raw, 16).ok().map(Self)).flatten()
    }

    fn of([first, second, ..]: &[u8; HASH]) -> u16 {
        u16::from_be_bytes([*first, *second]) >> 4
    }
}

/// Lists the further digits of the hashes on the list that begin with these.
pub fn list_suffixes(HashPrefix(prefix): HashPrefix) -> Vec<String> {
    let from = hashes().partition_point(|hash| HashPrefix::of(hash) < prefix);
    let same = hashes().iter().skip(from).take_while(|hash| HashPrefix::of(hash) == prefix);
    same.map(|hash| {
        let digits: String = hash.iter().map(|byte| format!("{byte:02x}")).collect();
        digits.chars().skip(HashPrefix::DIGITS).collect()
    })
    .collect()
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
    fn every_hash_is_found_by_its_prefix() {
        let mut found = 0;
        for prefix in 0..0x1000 {
            let digits = format!("{prefix:03x}");
            for suffix in list_suffixes(HashPrefix::parse(&digits).unwrap()) {
                assert_eq!(suffix.len(), 7);
                found += 1;
            }
        }
        assert_eq!(found, 100_000);
        // The SHA-256 of "password".
        assert!(list_suffixes(HashPrefix::parse("5e8").unwrap()).contains(&"84898da".to_owned()));
    }

    #[test]
    fn a_prefix_has_three_lower_case_digits() {
        for bad in ["", "5e", "5e88", "5E8", "+5e", " 5e", "5e\0", "xyz", "ñe", "５e8"] {
            assert_eq!(HashPrefix::parse(bad), None, "{bad:?}");
        }
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
