//! The version of a profile, and the age at which a copy in memory is read again. The rule for writers is in
//! members/versions.rs.

use std::time::Duration;

/// The longest use of a copy in memory. Numbers of transactions may be assigned again, after some billions, or by
/// another database server that took over without the last transactions.
pub const MAX_AGE: Duration = Duration::from_secs(300);

/// The version of everything that a profile shows to the viewers within its audience.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Version(pub i64);

impl Version {
    /// Encodes the version for the gateway, which only compares it.
    pub fn to_bytes(self) -> Vec<u8> {
        self.0.to_le_bytes().to_vec()
    }
}
