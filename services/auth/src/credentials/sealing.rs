//! Secrets that auth must read again, encrypted with AES-256-GCM. The keys are files, so that a copy of the database does not
//! contain them; the id of the key is stored beside each secret, so that the keys can be rotated.

use std::{fs, path::Path, sync::Arc};

use anyhow::Context as _;
use aws_lc_rs::{
    aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey},
    rand,
};
use sha2::{Digest as _, Sha256};
use uuid::Uuid;
use zeroize::Zeroizing;

use crate::error::Error;

/// The length of a key, in bytes.
const KEY: usize = 32;
/// The length of the id of a key, in bytes.
const ID: usize = 8;

/// An encrypted secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sealed {
    /// The key that encrypted it.
    pub key_id: String,
    /// The nonce, the encrypted secret and its tag.
    pub bytes: Vec<u8>,
}

/// The keys. Clones share them.
#[derive(Clone)]
pub struct SealingKeys {
    /// The first one encrypts.
    keys: Arc<[SealingKey]>,
}

struct SealingKey {
    id: String,
    key: LessSafeKey,
}

impl SealingKeys {
    /// Reads the keys, 64 hexadecimal digits each.
    ///
    /// # Errors
    /// One sentence that names the variable: no file, an unreadable one, or one that contains no key.
    pub fn read<'a>(files: impl IntoIterator<Item = &'a Path>) -> anyhow::Result<Self> {
        let mut keys = Vec::new();
        for file in files {
            let text = fs::read_to_string(file).map(Zeroizing::new);
            let text = text.with_context(|| format!("PORTIA_CREDENTIAL_KEYS: {} cannot be read", file.display()))?;
            let Some(key) = parse_key(text.trim()) else {
                anyhow::bail!("PORTIA_CREDENTIAL_KEYS: {} does not contain 64 hexadecimal digits.", file.display());
            };
            keys.push(SealingKey::new(key.as_slice())?);
        }
        if keys.is_empty() {
            anyhow::bail!("PORTIA_CREDENTIAL_KEYS names no file.");
        }
        Ok(Self { keys: keys.into() })
    }

    /// Encrypts a secret of a member with the first key. It cannot be decrypted as another member's secret.
    ///
    /// # Errors
    /// [`Error::Randomness`], [`Error::SealedSecret`].
    pub fn seal(&self, member: Uuid, secret: &[u8]) -> Result<Sealed, Error> {
        let SealingKey { id, key } = self.keys.first().ok_or(Error::SealedSecret)?;
        let mut nonce = [0; NONCE_LEN];
        rand::fill(&mut nonce).map_err(|_| Error::Randomness)?;
        let mut encrypted = secret.to_vec();
        key.seal_in_place_append_tag(Nonce::assume_unique_for_key(nonce), associated(member), &mut encrypted)
            .map_err(|_| Error::SealedSecret)?;
        Ok(Sealed { key_id: id.clone(), bytes: [nonce.as_slice(), &encrypted].concat() })
    }

    /// The id of the key that encrypts.
    pub fn current(&self) -> &str {
        self.keys.first().map_or("", |key| &key.id)
    }

    /// Decrypts a secret of a member.
    ///
    /// # Errors
    /// [`Error::SealedSecret`] when the key is missing, or the secret was changed or belongs to another member.
    pub fn open(&self, member: Uuid, sealed: &Sealed) -> Result<Zeroizing<Vec<u8>>, Error> {
        let key = self.keys.iter().find(|key| key.id == sealed.key_id).ok_or(Error::SealedSecret)?;
        let (nonce, encrypted) = sealed.bytes.split_first_chunk::<NONCE_LEN>().ok_or(Error::SealedSecret)?;
        let mut secret = Zeroizing::new(encrypted.to_vec());
        let opened =
            key.key.open_in_place(Nonce::assume_unique_for_key(*nonce), associated(member), secret.as_mut_slice());
        let length = opened.map_err(|_| Error::SealedSecret)?.len();
        secret.truncate(length);
        Ok(secret)
    }
}

impl SealingKey {
    fn new(key: &[u8]) -> anyhow::Result<Self> {
        let digest = Sha256::new().chain_update("portia credential key").chain_update(key).finalize();
        let id = digest.iter().take(ID).map(|byte| format!("{byte:02x}")).collect();
        let key = UnboundKey::new(&AES_256_GCM, key).map_err(|_| anyhow::anyhow!("AES-256-GCM is unavailable"))?;
        Ok(Self { id, key: LessSafeKey::new(key) })
    }
}

/// Binds an encrypted secret to its member.
fn associated(member: Uuid) -> Aad<[u8; 16]> {
    Aad::from(member.into_bytes())
}

fn parse_key(hex: &str) -> Option<Zeroizing<Vec<u8>>> {
    let digits = hex.as_bytes();
    if digits.len() != 2 * KEY {
        return None;
    }
    let mut key = Zeroizing::new(Vec::with_capacity(KEY));
    for pair in digits.chunks_exact(2) {
        let mut byte = 0;
        for digit in pair {
            byte = byte * 16 + u8::try_from(char::from(*digit).to_digit(16)?).ok()?;
        }
        key.push(byte);
    }
    Some(key)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MEMBER: Uuid = Uuid::from_u128(1);

    fn keys(secrets: &[&str]) -> anyhow::Result<SealingKeys> {
        let folder = tempfile::tempdir().unwrap();
        let files: Vec<_> = (0..secrets.len()).map(|n| folder.path().join(n.to_string())).collect();
        for (file, secret) in files.iter().zip(secrets) {
            fs::write(file, secret).unwrap();
        }
        SealingKeys::read(files.iter().map(AsRef::as_ref))
    }

    fn old() -> String {
        "0f".repeat(KEY)
    }

    fn new() -> String {
        format!("{}\n", "A1".repeat(KEY))
    }

    #[test]
    fn a_sealed_secret_opens_and_two_of_one_secret_differ() {
        let keys = keys(&[&new()]).unwrap();
        let (first, second) = (keys.seal(MEMBER, &[7; 20]).unwrap(), keys.seal(MEMBER, &[7; 20]).unwrap());
        assert_ne!(first.bytes, second.bytes);
        assert_eq!((first.bytes.len(), first.key_id.len()), (48, 16));
        assert_eq!(*keys.open(MEMBER, &first).unwrap(), [7; 20]);
    }

    #[test]
    fn a_changed_foreign_or_short_secret_does_not_open() {
        let keys = keys(&[&new()]).unwrap();
        let sealed = keys.seal(MEMBER, &[7; 20]).unwrap();
        assert!(matches!(keys.open(Uuid::from_u128(2), &sealed), Err(Error::SealedSecret)));
        for at in [0, 12, 31, 47] {
            let mut changed = sealed.clone();
            changed.bytes[at] ^= 1;
            assert!(matches!(keys.open(MEMBER, &changed), Err(Error::SealedSecret)), "{at}");
        }
        for length in [0, 11, 12, 27, 47] {
            let short = Sealed { bytes: sealed.bytes[..length].to_vec(), ..sealed.clone() };
            assert!(matches!(keys.open(MEMBER, &short), Err(Error::SealedSecret)), "{length}");
        }
    }

    #[test]
    fn after_a_rotation_the_new_key_seals_and_the_old_one_opens() {
        let before = keys(&[&old()]).unwrap().seal(MEMBER, b"secret").unwrap();
        let rotated = keys(&[&new(), &old()]).unwrap();
        assert_eq!(*rotated.open(MEMBER, &before).unwrap(), *b"secret");
        let after = rotated.seal(MEMBER, b"secret").unwrap();
        assert_ne!(after.key_id, before.key_id);
        let current = keys(&[&new()]).unwrap();
        assert_eq!(*current.open(MEMBER, &after).unwrap(), *b"secret");
        assert!(matches!(current.open(MEMBER, &before), Err(Error::SealedSecret)));
    }

    #[test]
    fn a_file_without_a_key_is_refused_with_the_variable() {
        for bad in [&[][..], &[""], &["0f"], &[&"g0".repeat(KEY)], &[&"0f".repeat(KEY + 1)], &[&"é".repeat(KEY)]] {
            let error = keys(bad).err().unwrap().to_string();
            assert!(error.contains("PORTIA_CREDENTIAL_KEYS"), "{error}");
        }
        let missing = SealingKeys::read([Path::new("/no/such/file")]).err().unwrap();
        assert!(missing.to_string().contains("PORTIA_CREDENTIAL_KEYS"));
    }
}
