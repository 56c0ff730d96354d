//! Random passwords: of the demo members, and of the roles of the database.

use aws_lc_rs::rand;

/// Letters and digits that are easy to tell apart on a screen.
const ALPHABET: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";

/// A random text of `length` characters: 5 bits each.
///
/// # Errors
/// When the operating system has no randomness.
pub fn random_password(length: usize) -> anyhow::Result<String> {
    let mut bytes = vec![0_u8; length];
    rand::fill(&mut bytes).map_err(|_| anyhow::anyhow!("The system has no randomness."))?;
    Ok(bytes.iter().filter_map(|byte| ALPHABET.get(usize::from(byte & 31))).map(|byte| char::from(*byte)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_have_the_requested_length_and_are_unique() {
        let (one, other) = (random_password(12).unwrap(), random_password(12).unwrap());
        assert_eq!(one.len(), 12);
        assert_ne!(one, other);
    }
}
