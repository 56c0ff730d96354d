//! The keys of an installation: created once, stored in a folder, read at each start.

use std::{fs, os::unix::fs::DirBuilderExt as _, path::Path};

use anyhow::Context as _;
use aws_lc_rs::rand;
use rpc::identity::{KeyPair, public_set};

use crate::{SERVICES, folder::write_secret};

/// The public keys as a JWK set; written last, so that its presence implies the other files.
pub const PUBLIC: &str = "public.json";
/// auth's private key for members' tokens.
pub const MEMBERS: &str = "members.pem";

/// The gateway's secret for the signed addresses of pictures.
pub const PICTURES: &str = "pictures.key";

/// auth's key for the secrets of authenticator apps.
pub const CREDENTIALS: &str = "credentials.key";

/// The file of one process's own private key.
#[must_use]
pub fn own(service: &str) -> String {
    format!("services/{service}.pem")
}

/// Creates the keys unless they exist. Adds the keys of pictures and credentials, which are newer than the others, to a
/// folder without them.
///
/// # Errors
/// When the folder cannot be written, or the operating system has no randomness.
pub fn ensure(folder: &Path) -> anyhow::Result<()> {
    ensure_pairs(folder)?;
    for name in [PICTURES, CREDENTIALS] {
        ensure_secret(&folder.join(name))?;
    }
    Ok(())
}

/// 32 random bytes as hexadecimal digits.
fn ensure_secret(file: &Path) -> anyhow::Result<()> {
    if file.exists() {
        return Ok(());
    }
    let mut secret = [0; 32];
    rand::fill(&mut secret).map_err(|_| anyhow::anyhow!("random bytes are unavailable"))?;
    let hex: String = secret.iter().map(|byte| format!("{byte:02x}")).collect();
    write_secret(file, hex.as_bytes())?;
    Ok(())
}

fn ensure_pairs(folder: &Path) -> anyhow::Result<()> {
    let public = folder.join(PUBLIC);
    if public.exists() {
        return Ok(());
    }
    fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(folder.join("services"))
        .with_context(|| format!("The folder {} cannot be made", folder.display()))?;
    let members = KeyPair::generate("members/1")?;
    write_secret(&folder.join(MEMBERS), members.to_pem().as_bytes())?;
    let mut pairs = vec![members];
    for service in SERVICES.iter().chain(&["gateway"]) {
        let pair = KeyPair::generate(&format!("services/{service}/1"))?;
        write_secret(&folder.join(own(service)), pair.to_pem().as_bytes())?;
        pairs.push(pair);
    }
    let set = public_set(&pairs.iter().collect::<Vec<_>>());
    write_secret(&public, serde_json::to_string_pretty(&set)?.as_bytes())?;
    Ok(())
}
