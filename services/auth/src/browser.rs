//! The browser of a request.

/// The browser of a session. Its headers are untrusted: an invalid value is dropped, not refused.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Browser {
    /// The User-Agent header.
    pub user_agent: Option<String>,
    /// The IP address.
    pub address: Option<String>,
}
