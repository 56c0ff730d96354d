//! The batches of erasures. A transaction deletes few rows, so that no statement and no lock takes long.

/// Rows of an erased member, or of groups without members, that one transaction deletes.
pub const BATCH: i64 = 500;
