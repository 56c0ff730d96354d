//! The pictures and the PDF file of a post. The first picture is in columns of its own; the rest is the column `media`.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::pictures::{self, PostPicture, UploadedPicture};

/// The maximum number of pictures of a post.
pub const MAX_PICTURES: usize = 4;

/// A picture of a new post.
pub struct NewPicture {
    /// An uploaded picture.
    pub id: Uuid,
    /// The description; empty when there is none.
    pub alt: String,
}

/// The column `media`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Media {
    /// The pictures after the first one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pictures: Vec<StoredPicture>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pdf: Option<PostPdf>,
}

/// A picture in the column `media`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredPicture {
    hash: String,
    alt: String,
    width: i32,
    height: i32,
}

/// The description of the PDF file of a post.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PostPdf {
    pub name: String,
    /// In bytes.
    pub size: i32,
}

impl Media {
    /// Stores the pictures of a new post after the first one; `None` without any.
    pub fn of_pictures(uploaded: &[UploadedPicture], new: &[NewPicture]) -> Option<Self> {
        let stored = |(uploaded, new): (&UploadedPicture, &NewPicture)| StoredPicture {
            hash: uploaded.hash.clone(),
            alt: new.alt.clone(),
            width: uploaded.width,
            height: uploaded.height,
        };
        let pictures: Vec<_> = uploaded.iter().zip(new).skip(1).map(stored).collect();
        (!pictures.is_empty()).then_some(Self { pictures, pdf: None })
    }

    /// Stores the PDF file of a new post.
    pub fn of_pdf(name: String, size: i32) -> Self {
        Self { pictures: Vec::new(), pdf: Some(PostPdf { name, size }) }
    }
}

/// Returns all pictures of a post: the first one, then the pictures in the column `media`.
pub fn pictures(first: Option<PostPicture>, media: Option<&Media>) -> Vec<PostPicture> {
    let more = media.into_iter().flat_map(|media| media.pictures.iter()).map(|picture| PostPicture {
        url: pictures::url(&picture.hash),
        alt: picture.alt.clone(),
        width: picture.width,
        height: picture.height,
    });
    first.into_iter().chain(more).collect()
}
