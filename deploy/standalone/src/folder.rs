//! The data folder of a standalone Portia, and the permissions in it.

use std::{
    fs, io,
    os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _},
    path::{Path, PathBuf},
};

use anyhow::Context as _;

/// `postgres/` (the database), `keys/` (who may sign), `pictures/` (what members uploaded), `sign-ins.json` (the demo's
/// passwords).
#[derive(Clone, Debug)]
pub struct Folder(PathBuf);

impl Folder {
    /// Opens the folder, and creates it if it does not exist.
    ///
    /// # Errors
    /// One sentence that names the folder.
    pub fn open(path: PathBuf) -> anyhow::Result<Self> {
        // Others may traverse it (Postgres runs as a user of its own) but not list it, regardless of the umask.
        fs::create_dir_all(&path)
            .and_then(|()| fs::set_permissions(&path, fs::Permissions::from_mode(0o711)))
            .with_context(|| format!("The data folder {} cannot be made", path.display()))?;
        let folder = Self(path);
        // It contains the pictures of private communities.
        let pictures = folder.pictures();
        fs::create_dir_all(&pictures)
            .and_then(|()| fs::set_permissions(&pictures, fs::Permissions::from_mode(0o700)))
            .with_context(|| format!("The folder {} cannot be made", pictures.display()))?;
        Ok(folder)
    }

    /// A folder that another process creates; this touches nothing.
    #[must_use]
    pub const fn at(path: PathBuf) -> Self {
        Self(path)
    }

    /// Its path.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// The database's folder.
    #[must_use]
    pub fn postgres(&self) -> PathBuf {
        self.0.join("postgres")
    }

    /// The keys' folder.
    #[must_use]
    pub fn keys(&self) -> PathBuf {
        self.0.join("keys")
    }

    /// The pictures' folder.
    #[must_use]
    pub fn pictures(&self) -> PathBuf {
        self.0.join("pictures")
    }

    /// The demo's sign-ins.
    #[must_use]
    pub fn sign_ins(&self) -> PathBuf {
        self.0.join("sign-ins.json")
    }
}

/// Writes a file that only its owner may read, atomically.
///
/// # Errors
/// When the file cannot be written.
pub fn write_secret(path: &Path, content: &[u8]) -> io::Result<()> {
    let unfinished = path.with_extension("unfinished");
    let mut file = fs::OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&unfinished)?;
    io::Write::write_all(&mut file, content)?;
    file.sync_all()?;
    fs::rename(&unfinished, path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_owner_lists_the_folder_and_reads_the_pictures() {
        let data = tempfile::tempdir().unwrap();
        let folder = Folder::open(data.path().join("data")).unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        // As an earlier version made it.
        fs::set_permissions(folder.pictures(), fs::Permissions::from_mode(0o755)).unwrap();
        let folder = Folder::open(folder.path().to_owned()).unwrap();
        assert_eq!((mode(folder.path()), mode(&folder.pictures())), (0o711, 0o700));
    }
}
