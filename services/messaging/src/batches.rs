//! The size of erasure batches. A transaction deletes few rows, so that no statement or lock takes long.

/// The number of rows of an erased member, or of groups without members, that one transaction deletes.
pub const BATCH: i64 = 500;
