//! The page of a list that a request asks for.

use primitives::input::PageSize;

/// The size of a page and the cursor it follows.
pub struct PageRequest<C> {
    pub size: PageSize,
    pub after: C,
}
