//! Uploaded pictures: validated and re-encoded by `decode`, stored by content hash in a folder or S3. No business term.

mod decode;
mod jpeg;

use std::{
    collections::HashMap,
    fmt,
    future::Future,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use aws_lc_rs::digest::{Context, SHA256};
use bytes::Bytes;
use object_store::{
    ObjectStore, ObjectStoreExt as _, ObjectStoreScheme, PutPayload, local::LocalFileSystem, parse_url_opts, path::Path,
};
use tokio::sync::Semaphore;
use url::Url;
use uuid::Uuid;

use chassis::config::{self, Source};

/// The maximum of concurrent decodings: each takes a core and up to 96 MiB.
const THREADS: usize = 2;
/// The maximum of queued pictures, about a second of work. Further ones are refused.
const QUEUE: usize = 16;
/// The maximum of pictures of a member that are decoded or queued, as many as a post has: a member who gives up waiting and sends
/// others does not fill the queue.
const OF_MEMBER: usize = 4;
/// The timeout of the store: a member waits for it.
const STORE_TIMEOUT: Duration = Duration::from_secs(3);
/// The path of pictures at the gateway.
const FOLDER: &str = "/media/";
/// The folder of the pictures with signed addresses, in the store and below [`FOLDER`].
const SIGNED: &str = "signed";
const SUFFIX: &str = ".jpg";

/// The reason why a picture is not stored or returned.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Neither a PNG nor a JPEG, or not a whole one.
    #[error("Failed to process image file. Please try another image.")]
    NotAPicture,
    /// It has too many pixels.
    #[error("This image is too large. Please try one of at most 4096 x 4096 pixels.")]
    TooLarge,
    /// The queue is full, or its part for the member.
    #[error("Too many images are being processed. Please try again.")]
    Busy,
    /// The store failed or timed out.
    #[error("the picture store is unavailable")]
    Unavailable(#[source] Box<dyn std::error::Error + Send + Sync>),
}

/// Returns the time that the encoding of an upload may take, by the pixels that its header states: a second for each
/// million, at most 17 seconds. A request that uploads a picture has so much more time than others.
#[must_use]
pub fn encoding_time(raw: &[u8]) -> Duration {
    decode::time(raw)
}

/// The owner of a picture, part of its name: the same photo of two members is two objects. So deleting one does not
/// delete the other, services do not count uses of others, and an upload does not reveal that another member has the
/// photo.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Owner {
    /// The service that stores the reference.
    pub service: &'static str,
    /// The owning entity: a member, a post.
    pub id: Uuid,
}

/// The name of a stored picture, `<SHA-256 in hex>.jpg`. Its content never changes.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Name(String);

impl Name {
    fn of(owner: Owner, jpeg: &[u8]) -> Self {
        let mut hash = Context::new(&SHA256);
        // A service name contains no zero byte and an id has 16 bytes, so the encoding is unique.
        for part in [owner.service.as_bytes(), &[0], owner.id.as_bytes(), jpeg] {
            hash.update(part);
        }
        Self(hash.finish().as_ref().iter().map(|byte| format!("{byte:02x}")).collect())
    }

    /// Parses a file name, `<64 lower-case hex digits>.jpg`.
    #[must_use]
    pub fn parse(file: &str) -> Option<Self> {
        Self::from_hash(file.strip_suffix(SUFFIX)?)
    }

    /// Parses the hash alone, as services store it.
    #[must_use]
    pub fn from_hash(hash: &str) -> Option<Self> {
        let hex = hash.len() == 64 && hash.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        hex.then(|| Self(hash.to_owned()))
    }

    /// Parses the path of a picture at the gateway ([`Self::address`]).
    #[must_use]
    pub fn from_address(address: &str) -> Option<Self> {
        Self::parse(address.strip_prefix(FOLDER)?)
    }

    /// Parses the path of a picture of [`Pictures::signed`] at the gateway ([`Self::signed_address`]).
    #[must_use]
    pub fn from_signed_address(address: &str) -> Option<Self> {
        Self::parse(address.strip_prefix(FOLDER)?.strip_prefix(SIGNED)?.strip_prefix('/')?)
    }

    /// The hash.
    #[must_use]
    pub fn hash(&self) -> &str {
        &self.0
    }

    /// The path at the gateway: `/media/<hash>.jpg`.
    #[must_use]
    pub fn address(&self) -> String {
        format!("{FOLDER}{self}")
    }

    /// The path of a picture of [`Pictures::signed`] at the gateway, to which the gateway adds a signature:
    /// `/media/signed/<hash>.jpg`.
    #[must_use]
    pub fn signed_address(&self) -> String {
        format!("{FOLDER}{SIGNED}/{self}")
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{SUFFIX}", self.0)
    }
}

/// A picture ready to be stored: a re-encoded JPEG.
#[derive(Clone, Debug)]
pub struct Picture {
    /// The name in the store.
    pub name: Name,
    /// The file.
    pub jpeg: Bytes,
    /// The width in pixels.
    pub width: u32,
    /// The height in pixels.
    pub height: u32,
}

/// A re-encoded JPEG without a place.
#[derive(Clone, Debug)]
pub struct Reencoded {
    /// The file.
    pub jpeg: Bytes,
    /// The width in pixels.
    pub width: u32,
    /// The height in pixels.
    pub height: u32,
}

/// The threads that decode. Clones share them. Without a store, for services that keep pictures in their own rows.
#[derive(Clone, Debug)]
pub struct Encoder {
    queue: Arc<Semaphore>,
    threads: Arc<Semaphore>,
    members: Arc<Mutex<HashMap<Uuid, usize>>>,
}

impl Default for Encoder {
    fn default() -> Self {
        Self {
            queue: Arc::new(Semaphore::new(THREADS + QUEUE)),
            threads: Arc::new(Semaphore::new(THREADS)),
            members: Arc::default(),
        }
    }
}

/// A place of a member, free again when it is dropped.
struct Place {
    members: Arc<Mutex<HashMap<Uuid, usize>>>,
    member: Uuid,
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut members = self.members.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = members.get_mut(&self.member) {
            *count -= 1;
            // The map has as many entries as there are pictures.
            if *count == 0 {
                members.remove(&self.member);
            }
        }
    }
}

impl Encoder {
    /// Validates an upload and re-encodes it as a JPEG whose longer side is at most `side` pixels: upright, opaque, in sRGB,
    /// without metadata. Nothing of the uploaded file is stored. `member` sent it.
    ///
    /// # Errors
    /// [`Error::NotAPicture`], [`Error::TooLarge`]; [`Error::Busy`] when the queue is full, or its part for the member.
    pub async fn reencode(&self, member: Uuid, raw: Bytes, side: u32) -> Result<Reencoded, Error> {
        let place = self.place(member)?;
        let queued = Arc::clone(&self.queue).try_acquire_owned().map_err(|_| Error::Busy)?;
        let thread = Arc::clone(&self.threads).acquire_owned().await.map_err(|_| Error::Busy)?;
        // The permits move into the task: they are released when the work is done, not when the caller is cancelled.
        let work = tokio::task::spawn_blocking(move || {
            let decode::Jpeg { file, width, height } = decode::reencoded(&raw, side)?;
            drop((place, queued, thread));
            Ok(Reencoded { jpeg: file.into(), width, height })
        });
        // A panic of the decoder means that the file is invalid; the panic hook logs and counts it.
        work.await.unwrap_or(Err(Error::NotAPicture))
    }

    fn place(&self, member: Uuid) -> Result<Place, Error> {
        let mut members = self.members.lock().unwrap_or_else(PoisonError::into_inner);
        let count = members.entry(member).or_default();
        if *count >= OF_MEMBER {
            return Err(Error::Busy);
        }
        *count += 1;
        Ok(Place { members: Arc::clone(&self.members), member })
    }
}

/// The store, and the threads that decode. Clones share both.
#[derive(Clone)]
pub struct Pictures {
    store: Arc<dyn ObjectStore>,
    folder: Path,
    encoder: Encoder,
}

impl Pictures {
    /// Opens the store of `PORTIA_PICTURES_URL`: `file:///var/lib/portia/pictures` or just the folder, or
    /// `s3://bucket/prefix` with the `AWS_*` variables.
    ///
    /// # Errors
    /// When the variable is missing or names no supported store.
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
            // Rows that reference the object survive a power failure, so it must too.
            Ok((ObjectStoreScheme::Local, folder)) => (Arc::new(LocalFileSystem::new().with_fsync(true)), folder),
            _ => {
                let (store, folder) = parse_url_opts(&url, config.aws()).map_err(|error| refused(&error))?;
                (Arc::from(store), folder)
            }
        };
        Ok(Self { store, folder, encoder: Encoder::default() })
    }

    /// Returns the store of pictures that the gateway returns for a signed address only. They are objects in a folder
    /// of their own: the public address of the same name finds nothing.
    #[must_use]
    pub fn signed(&self) -> Self {
        Self { folder: self.folder.clone().join(SIGNED), ..self.clone() }
    }

    /// Re-encodes an upload by [`Encoder::reencode`] and names it for its owner.
    ///
    /// # Errors
    /// [`Error::NotAPicture`], [`Error::TooLarge`]; [`Error::Busy`] when the queue is full, or its part for the member.
    pub async fn prepare(&self, owner: Owner, member: Uuid, raw: Bytes, side: u32) -> Result<Picture, Error> {
        let Reencoded { jpeg, width, height } = self.encoder.reencode(member, raw, side).await?;
        Ok(Picture { name: Name::of(owner, &jpeg), jpeg, width, height })
    }

    /// Stores a picture. Idempotent.
    ///
    /// # Errors
    /// [`Error::Unavailable`].
    pub async fn put(&self, picture: &Picture) -> Result<(), Error> {
        let (at, payload) = (self.path(&picture.name), PutPayload::from(picture.jpeg.clone()));
        with_timeout(async { self.store.put(&at, payload).await.map(drop) }).await
    }

    /// Reads the file of a picture; `None` when it does not exist.
    ///
    /// # Errors
    /// [`Error::Unavailable`].
    pub async fn get(&self, name: &Name) -> Result<Option<Bytes>, Error> {
        let at = self.path(name);
        with_timeout(async {
            match self.store.get(&at).await {
                Ok(found) => found.bytes().await.map(Some),
                Err(object_store::Error::NotFound { .. }) => Ok(None),
                Err(error) => Err(error),
            }
        })
        .await
    }

    /// Deletes a picture if it exists.
    ///
    /// # Errors
    /// [`Error::Unavailable`].
    pub async fn delete(&self, name: &Name) -> Result<(), Error> {
        let at = self.path(name);
        with_timeout(async {
            match self.store.delete(&at).await {
                Err(object_store::Error::NotFound { .. }) => Ok(()),
                done => done,
            }
        })
        .await
    }

    fn path(&self, name: &Name) -> Path {
        self.folder.clone().join(name.to_string())
    }
}

impl fmt::Debug for Pictures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pictures").field("store", &self.store).field("folder", &self.folder).finish_non_exhaustive()
    }
}

async fn with_timeout<T>(work: impl Future<Output = Result<T, object_store::Error>>) -> Result<T, Error> {
    match tokio::time::timeout(STORE_TIMEOUT, work).await {
        Ok(done) => done.map_err(|error| Error::Unavailable(error.into())),
        Err(late) => Err(Error::Unavailable(late.into())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_generated_names_are_accepted() {
        let hash = "0123456789abcdef".repeat(4);
        let name = Name::parse(&format!("{hash}.jpg")).unwrap();
        assert_eq!((name.hash(), name.to_string()), (hash.as_str(), format!("{hash}.jpg")));
        assert_eq!(Name::from_address(&name.address()), Some(name.clone()));
        assert_eq!(name.signed_address(), format!("/media/signed/{hash}.jpg"));
        assert_eq!(Name::from_signed_address(&name.signed_address()), Some(name.clone()));
        assert_eq!(
            (Name::from_address(&name.signed_address()), Name::from_signed_address(&name.address())),
            (None, None)
        );
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

    #[tokio::test]
    async fn pictures_are_bounded_by_member_and_in_total() {
        let encoder = Encoder::default();
        let busy = Arc::clone(&encoder.threads).acquire_many_owned(2).await.unwrap();
        let begin = |member: u128| encoder.reencode(Uuid::from_u128(member), Bytes::from_static(b"no picture"), 100);
        let mut waiting = Vec::new();
        for member in [1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5] {
            let mut picture = Box::pin(begin(member));
            // The first poll queues it.
            assert!(tokio::time::timeout(Duration::ZERO, &mut picture).await.is_err(), "{member} waits");
            if member == 1 && waiting.len() == 3 {
                assert!(matches!(begin(1).await, Err(Error::Busy)), "the fifth of a member");
            }
            waiting.push(picture);
        }
        assert!(matches!(begin(6).await, Err(Error::Busy)), "the nineteenth");
        // A picture whose caller has given up frees its place.
        drop(waiting.remove(0));
        assert!(tokio::time::timeout(Duration::ZERO, begin(1)).await.is_err(), "the place is free");
        drop(busy);
        for picture in waiting {
            assert!(matches!(picture.await, Err(Error::NotAPicture)));
        }
        assert!(encoder.members.lock().unwrap().is_empty());
    }

    #[test]
    fn one_file_of_two_owners_has_two_names() {
        let owner = Owner { service: "profile", id: Uuid::nil() };
        assert_eq!(Name::of(owner, b"jpeg"), Name::of(owner, b"jpeg"));
        assert_ne!(Name::of(owner, b"jpeg"), Name::of(Owner { id: Uuid::max(), ..owner }, b"jpeg"));
        assert_ne!(Name::of(owner, b"jpeg"), Name::of(Owner { service: "feed", ..owner }, b"jpeg"));
    }

    #[test]
    fn an_unsupported_store_is_refused_with_the_variable() {
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
