//! The signed addresses of the pictures of posts.

use crate::edge::signed_addresses::AddressSigner;

/// Signs the addresses of the pictures of a post: for the viewer and a time in a community, and for good when everyone may see the
/// post.
#[derive(Clone, Copy)]
pub struct PictureSigner<'a> {
    /// The secrets and the viewer.
    pub addresses: AddressSigner<'a>,
    /// Everyone may see the post.
    pub is_public: bool,
}

impl PictureSigner<'_> {
    /// The address of a picture.
    pub fn sign(&self, path: String) -> String {
        if self.is_public { self.addresses.permanent(path) } else { self.addresses.temporary(path) }
    }
}
