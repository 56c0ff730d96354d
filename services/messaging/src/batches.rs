//! The sizes of batches, so that no statement or lock takes long.

/// The number of rows of an erased member, or of groups without members, that one transaction deletes.
pub const BATCH: i64 = 500;
/// The maximum number of members in one statement.
pub const STATEMENT_MEMBERS: usize = 1_000;
