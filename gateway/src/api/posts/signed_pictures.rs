//! The signed addresses of the pictures of posts.

use crate::edge::signed_addresses::SignedAddresses;

/// Signs the addresses of the pictures of a post: for an hour in a community, and for good when everyone may see the post.
#[derive(Clone, Copy)]
pub struct PictureSigner<'a> {
    /// The secrets.
    pub addresses: &'a SignedAddresses,
    /// Everyone may see the post.
    pub is_public: bool,
}

impl PictureSigner<'_> {
    /// The address of a picture.
    pub fn sign(&self, path: String) -> String {
        if self.is_public { self.addresses.permanent(path) } else { self.addresses.temporary(path) }
    }
}
