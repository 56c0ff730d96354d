//! The rotation of signing keys: announced, then signing, then removed, so that no process sees a token of a key that it does not know.
//!
//! Processes read the files again within seconds. A private file contains the key that signs and the next one; the public set also
//! contains previous keys, whose tokens are valid for a minute.

use std::{
    collections::HashSet,
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

use anyhow::Context as _;
use rpc::identity::{KeyPair, public_set, read_public_set};

use crate::{SERVICES, folder::write_secret, keys};

/// The time in which every process has read an announced key.
const ANNOUNCED_FOR: Duration = Duration::from_secs(60);
/// The time after which no process accepts a token of a previous key: its lifetime, and the reading of the files.
const SIGNED_FOR: Duration = Duration::from_secs(120);

/// Lets the next keys sign and announces further ones. The first rotation of an installation only announces. Returns what the
/// operator should know.
///
/// # Errors
/// When a file cannot be read or written, or the next keys were announced within the last minute.
pub fn rotate(folder: &Path, now: SystemTime) -> anyhow::Result<String> {
    let mut set = read_public_set(&folder.join(keys::PUBLIC))?;
    let mut files = Vec::new();
    let mut sign = 0;
    for (file, owner) in private_files(folder) {
        let mut pairs = KeyPair::read_all(&file)?;
        if pairs.len() > 1 {
            pairs.remove(0);
            sign += 1;
        }
        let number = set.keys.iter().filter_map(|key| number_of(key.common.key_id.as_deref()?, &owner)).max();
        let fresh = KeyPair::generate(&format!("{owner}{}", number.unwrap_or_default() + 1))?;
        set.keys.extend(public_set(&[&fresh]).keys);
        pairs.push(fresh);
        files.push((file, pairs));
    }
    if sign > 0 {
        refuse_before(folder, ANNOUNCED_FOR, now, "Some processes may not know the next keys yet")?;
    }
    // First, because no private key may be unknown.
    write_secret(&folder.join(keys::PUBLIC), serde_json::to_string_pretty(&set)?.as_bytes())?;
    for (file, pairs) in &files {
        write_secret(file, pairs.iter().map(KeyPair::to_pem).collect::<String>().as_bytes())?;
    }
    Ok(if sign > 0 {
        format!("{sign} next keys sign from now on. Remove the previous ones with `portia keys prune` in two minutes.")
    } else {
        format!("{} next keys are announced. They sign after the next `portia keys rotate`, in a minute.", files.len())
    })
}

/// Removes the public keys that are in no private file. Returns what the operator should know.
///
/// # Errors
/// When a file cannot be read or written, or the keys changed within the last two minutes.
pub fn prune(folder: &Path, now: SystemTime) -> anyhow::Result<String> {
    let mut set = read_public_set(&folder.join(keys::PUBLIC))?;
    let mut used = HashSet::new();
    for (file, _) in private_files(folder) {
        used.extend(KeyPair::read_all(&file)?.iter().map(|pair| pair.kid().to_owned()));
    }
    let before = set.keys.len();
    set.keys.retain(|key| key.common.key_id.as_ref().is_some_and(|kid| used.contains(kid)));
    let removed = before - set.keys.len();
    if removed == 0 {
        return Ok("No previous key is left.".to_owned());
    }
    refuse_before(folder, SIGNED_FOR, now, "Tokens of the previous keys may still be valid")?;
    write_secret(&folder.join(keys::PUBLIC), serde_json::to_string_pretty(&set)?.as_bytes())?;
    Ok(format!("{removed} previous keys are removed."))
}

/// The private files, each with the beginning of the ids of its keys.
fn private_files(folder: &Path) -> Vec<(PathBuf, String)> {
    let members = (folder.join(keys::MEMBERS), "members/".to_owned());
    let own = |service: &&str| (folder.join(keys::own(service)), format!("services/{service}/"));
    std::iter::once(members).chain(SERVICES.iter().chain(&["gateway"]).map(own)).collect()
}

fn number_of(kid: &str, owner: &str) -> Option<u64> {
    kid.strip_prefix(owner)?.parse().ok()
}

fn refuse_before(folder: &Path, time: Duration, now: SystemTime, why: &str) -> anyhow::Result<()> {
    let changed = std::fs::metadata(folder.join(keys::PUBLIC)).and_then(|metadata| metadata.modified());
    let passed = now.duration_since(changed.context("The public keys cannot be read")?).unwrap_or_default();
    anyhow::ensure!(
        passed >= time,
        "{why}: the keys changed {} s ago. Try again in {} s.",
        passed.as_secs(),
        (time - passed).as_secs() + 1
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids(folder: &Path, file: &str) -> Vec<String> {
        KeyPair::read_all(&folder.join(file)).unwrap().iter().map(|pair| pair.kid().to_owned()).collect()
    }

    fn public(folder: &Path, owner: &str) -> Vec<String> {
        let set = read_public_set(&folder.join(keys::PUBLIC)).unwrap();
        let ids = set.keys.into_iter().filter_map(|key| key.common.key_id);
        ids.filter(|kid| kid.starts_with(owner)).collect()
    }

    #[test]
    fn a_key_is_announced_signs_and_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        keys::ensure(folder).unwrap();
        let later = |seconds| SystemTime::now() + Duration::from_secs(seconds);
        assert_eq!(prune(folder, later(0)).unwrap(), "No previous key is left.");

        let said = rotate(folder, later(0)).unwrap();
        assert_eq!(said, "9 next keys are announced. They sign after the next `portia keys rotate`, in a minute.");
        assert_eq!(ids(folder, keys::MEMBERS), ["members/1", "members/2"], "the first one signs");
        assert_eq!(public(folder, "members/"), ["members/1", "members/2"]);
        assert_eq!(ids(folder, &keys::own("feed")), ["services/feed/1", "services/feed/2"]);

        let refused = rotate(folder, later(30)).unwrap_err().to_string();
        assert!(refused.starts_with("Some processes may not know the next keys yet: the keys changed "), "{refused}");
        let said = rotate(folder, later(62)).unwrap();
        assert!(said.starts_with("9 next keys sign from now on."), "{said}");
        assert_eq!(ids(folder, keys::MEMBERS), ["members/2", "members/3"]);
        assert_eq!(
            public(folder, "members/"),
            ["members/1", "members/2", "members/3"],
            "tokens of the first are valid"
        );

        let refused = prune(folder, later(60)).unwrap_err().to_string();
        assert!(refused.starts_with("Tokens of the previous keys may still be valid"), "{refused}");
        assert_eq!(prune(folder, later(122)).unwrap(), "9 previous keys are removed.");
        assert_eq!(public(folder, "members/"), ["members/2", "members/3"]);
        assert_eq!(public(folder, "services/gateway/"), ["services/gateway/2", "services/gateway/3"]);
        keys::ensure(folder).unwrap();
        assert_eq!(ids(folder, keys::MEMBERS), ["members/2", "members/3"], "existing keys stay");
    }
}
