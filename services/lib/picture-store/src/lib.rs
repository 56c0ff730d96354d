//! Pictures: checked and made anew by `decode`, kept under a name of their own in a folder or an S3, read by the gateway.

mod decode;
mod jpeg;

use std::{fmt, future::Future, sync::Arc, time::Duration};

use aws_lc_rs::digest::{Context, SHA256};
use bytes::Bytes;
use object_store::{
    ObjectStore, ObjectStoreExt as _, ObjectStoreScheme, PutPayload, local::LocalFileSystem, parse_url_opts, path::Path,
};
use tokio::sync::Semaphore;
use url::Url;
use uuid::Uuid;

use chassis::config::{self, Source};

/// Pictures decoded at once: each takes a core, and up to 80 MiB.
const THREADS: usize = 2;
/// Pictures that may wait for a thread, about a second at worst; whoever comes then is told to come back.
const QUEUE: usize = 16;
/// How long the store may take: a member who saves a profile waits for it.
const PATIENCE: Duration = Duration::from_secs(3);
/// Where the gateway serves them.
const FOLDER: &str = "/media/";
const SUFFIX: &str = ".jpg";

/// Why there is no picture.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Neither a PNG nor a JPEG, or not a whole one.
    #[error("Failed to process image file. Please try another image.")]
    NotAPicture,
    /// More pixels than we decode.
    #[error("This image is too large. Please try one of at most 4096 x 4096 pixels.")]
    TooLarge,
    /// Every thread and every waiting place is taken.
    #[error("Too many images are being processed. Please try again.")]
    Busy,
    /// The store failed, or did not answer in time.
    #[error("the pictures are away")]
    Away(#[source] Box<dyn std::error::Error + Send + Sync>),
}

/// Whose a picture is. The name of what is kept depends on it: the same photo of two members is two objects, so the one
/// who deletes theirs takes nobody else's away, no service counts another's uses, and nobody learns by uploading a photo
/// whether somebody else has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Owner {
    /// The service that keeps account of it.
    pub service: &'static str,
    /// The member, the post.
    pub id: Uuid,
}

/// What a picture is kept as, `<SHA-256 in hex>.jpg`: it never changes under its name.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Name(String);

impl Name {
    fn of(owner: Owner, jpeg: &[u8]) -> Self {
        let mut hash = Context::new(&SHA256);
        // No service's name holds a zero byte and an id is 16 bytes, so no two owners are written alike.
        for part in [owner.service.as_bytes(), &[0], owner.id.as_bytes(), jpeg] {
            hash.update(part);
        }
        Self(hash.finish().as_ref().iter().map(|byte| format!("{byte:02x}")).collect())
    }

    /// Reads a file's name, `<64 lower-case hex digits>.jpg`; anything else is none.
    #[must_use]
    pub fn parse(file: &str) -> Option<Self> {
        Self::from_hash(file.strip_suffix(SUFFIX)?)
    }

    /// Reads the hash alone, as services keep it.
    #[must_use]
    pub fn from_hash(hash: &str) -> Option<Self> {
        let hex = hash.len() == 64 && hash.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        hex.then(|| Self(hash.to_owned()))
    }

    /// Reads an address the gateway serves, as [`Self::address`] writes it.
    #[must_use]
    pub fn from_address(address: &str) -> Option<Self> {
        Self::parse(address.strip_prefix(FOLDER)?)
    }

    /// The hash alone.
    #[must_use]
    pub fn hash(&self) -> &str {
        &self.0
    }

    /// Where browsers find it: `/media/<hash>.jpg`.
    #[must_use]
    pub fn address(&self) -> String {
        format!("{FOLDER}{self}")
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{SUFFIX}", self.0)
    }
}

/// A picture fit to be kept: a JPEG of our own making.
#[derive(Clone, Debug)]
pub struct Picture {
    /// What it will be kept as.
    pub name: Name,
    /// The file.
    pub jpeg: Bytes,
    /// Pixels across.
    pub width: u32,
    /// Pixels down.
    pub height: u32,
}

/// Where pictures are kept, and the threads that make them fit for it. Clones share both.
#[derive(Clone)]
pub struct Pictures {
    store: Arc<dyn ObjectStore>,
    folder: Path,
    places: Arc<Semaphore>,
    threads: Arc<Semaphore>,
}

impl Pictures {
    /// The store that `PORTIA_PICTURES_URL` names: `file:///var/lib/portia/pictures` or just the folder, or
    /// `s3://bucket/prefix` with the `AWS_*` variables.
    ///
    /// # Errors
    /// When the variable is missing, or names no store we can reach.
    pub fn open(config: &Source) -> Result<Self, config::Error> {
        let refused = |why: &dyn fmt::Display| {
            config::Error(format!(
                "Set PORTIA_PICTURES_URL to a folder, or to s3://bucket/prefix, where pictures are kept: {why}."
            ))
        };
        let url = config.text("pictures_url").ok_or_else(|| refused(&"it is not set"))?;
        let url = if url.starts_with('/') { Url::from_directory_path(&url).ok() } else { Url::parse(&url).ok() };
        let url = url.ok_or_else(|| refused(&"it is neither an absolute path nor an address"))?;
        let (store, folder): (Arc<dyn ObjectStore>, Path) = match ObjectStoreScheme::parse(&url) {
            // A row of a database is to speak of it, and outlives a power failure.
            Ok((ObjectStoreScheme::Local, folder)) => (Arc::new(LocalFileSystem::new().with_fsync(true)), folder),
            _ => {
                let (store, folder) = parse_url_opts(&url, config.aws()).map_err(|error| refused(&error))?;
                (Arc::from(store), folder)
            }
        };
        Ok(Self {
            store,
            folder,
            places: Arc::new(Semaphore::new(THREADS + QUEUE)),
            threads: Arc::new(Semaphore::new(THREADS)),
        })
    }

    /// Checks what somebody sent and makes it a JPEG whose longer side is at most `side` pixels: upright, opaque, without
    /// metadata. Nothing of the file they sent is kept.
    ///
    /// # Errors
    /// [`Error::NotAPicture`], [`Error::TooLarge`]; [`Error::Busy`] when too many others wait.
    pub async fn prepare(&self, owner: Owner, raw: Bytes, side: u32) -> Result<Picture, Error> {
        let place = Arc::clone(&self.places).try_acquire_owned().map_err(|_| Error::Busy)?;
        let thread = Arc::clone(&self.threads).acquire_owned().await.map_err(|_| Error::Busy)?;
        // Both permits go along: they are given back when the work is done, not when its caller has left.
        let work = tokio::task::spawn_blocking(move || {
            let decode::Jpeg { file, width, height } = decode::reencoded(&raw, side)?;
            drop((place, thread));
            Ok(Picture { name: Name::of(owner, &file), jpeg: file.into(), width, height })
        });
        // A decoder that panics has met no picture; the panic is logged and counted where all are.
        work.await.unwrap_or(Err(Error::NotAPicture))
    }

    /// Keeps a picture. Doing it twice does nothing more.
    ///
    /// # Errors
    /// [`Error::Away`].
    pub async fn put(&self, picture: &Picture) -> Result<(), Error> {
        let (at, payload) = (self.place(&picture.name), PutPayload::from(picture.jpeg.clone()));
        in_time(async { self.store.put(&at, payload).await.map(drop) }).await
    }

    /// A picture's file; `None` when none is kept under this name.
    ///
    /// # Errors
    /// [`Error::Away`].
    pub async fn get(&self, name: &Name) -> Result<Option<Bytes>, Error> {
        let at = self.place(name);
        in_time(async {
            match self.store.get(&at).await {
                Ok(found) => found.bytes().await.map(Some),
                Err(object_store::Error::NotFound { .. }) => Ok(None),
                Err(error) => Err(error),
            }
        })
        .await
    }

    /// Deletes a picture, if it is there.
    ///
    /// # Errors
    /// [`Error::Away`].
    pub async fn delete(&self, name: &Name) -> Result<(), Error> {
        let at = self.place(name);
        in_time(async {
            match self.store.delete(&at).await {
                Err(object_store::Error::NotFound { .. }) => Ok(()),
                done => done,
            }
        })
        .await
    }

    fn place(&self, name: &Name) -> Path {
        self.folder.clone().join(name.to_string())
    }
}

impl fmt::Debug for Pictures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pictures").field("store", &self.store).field("folder", &self.folder).finish_non_exhaustive()
    }
}

async fn in_time<T>(work: impl Future<Output = Result<T, object_store::Error>>) -> Result<T, Error> {
    match tokio::time::timeout(PATIENCE, work).await {
        Ok(done) => done.map_err(|error| Error::Away(error.into())),
        Err(late) => Err(Error::Away(late.into())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_but_our_own_names_passes_for_one() {
        let hash = "0123456789abcdef".repeat(4);
        let name = Name::parse(&format!("{hash}.jpg")).unwrap();
        assert_eq!((name.hash(), name.to_string()), (hash.as_str(), format!("{hash}.jpg")));
        assert_eq!(Name::from_address(&name.address()), Some(name));
        let upper = hash.to_uppercase();
        for bad in [
            "",
            ".jpg",
            "../../etc/passwd",
            &hash,
            &format!("{upper}.jpg"),
            &format!("{hash}.png"),
            &format!("{hash}0.jpg"),
        ] {
            assert_eq!(Name::parse(bad), None, "{bad}");
        }
        assert_eq!(Name::from_address(&format!("https://evil.example/media/{hash}.jpg")), None);
    }

    #[test]
    fn one_file_of_two_owners_has_two_names() {
        let owner = Owner { service: "profile", id: Uuid::nil() };
        assert_eq!(Name::of(owner, b"jpeg"), Name::of(owner, b"jpeg"));
        assert_ne!(Name::of(owner, b"jpeg"), Name::of(Owner { id: Uuid::max(), ..owner }, b"jpeg"));
        assert_ne!(Name::of(owner, b"jpeg"), Name::of(Owner { service: "feed", ..owner }, b"jpeg"));
    }

    #[test]
    fn a_store_we_cannot_reach_is_named() {
        for (url, good) in [
            ("/var/lib/portia/pictures", true),
            ("file:///var/lib/portia/pictures", true),
            ("memory:///", true),
            ("data/pictures", false),
            ("https://example.org/pictures", false),
        ] {
            let opened = Pictures::open(&Source::default().with("pictures_url", url));
            assert_eq!(opened.is_ok(), good, "{url}");
        }
        let missing = Pictures::open(&Source::default()).unwrap_err();
        assert!(missing.to_string().contains("PORTIA_PICTURES_URL"), "{missing}");
        let aws = [("aws_region", "eu-south-2"), ("aws_access_key_id", "1"), ("aws_secret_access_key", "2")];
        let aws: std::collections::BTreeMap<_, _> = aws.into_iter().collect();
        let s3 = Source::default().with("pictures_url", "s3://portia/pictures").with("aws", aws);
        assert!(Pictures::open(&s3).is_ok());
    }
}
