//! The member and the time of an archive.

use chrono::{DateTime, Utc};

/// The member and the time of an archive.
#[derive(Clone, Debug)]
pub struct About {
    /// The username of the member.
    pub username: String,
    /// The time of the request.
    pub at: DateTime<Utc>,
}

impl About {
    /// The file name for the browser. Contains no character of the username that can leave the header or the folder.
    pub fn file_name(&self) -> String {
        let harmless = |c: &char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '@' | '+' | '-');
        format!("portia-{}.zip", self.username.chars().filter(harmless).collect::<String>())
    }
}
