//! Notes about a request: extractors write them, and the security log reads them.

use std::sync::{Arc, OnceLock};

use http::Extensions;
use uuid::Uuid;

/// The notes about a request, in its extensions. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct RequestNotes(Arc<Notes>);

#[derive(Debug, Default)]
struct Notes {
    member: OnceLock<Uuid>,
    hidden: OnceLock<&'static str>,
}

impl RequestNotes {
    /// Notes that a member sent the request.
    pub fn note_member(extensions: &Extensions, member: Uuid) {
        if let Some(Self(notes)) = extensions.get() {
            notes.member.get_or_init(|| member);
        }
    }

    /// Notes that the request is refused for a reason that its response hides.
    pub fn note_hidden_refusal(extensions: &Extensions, reason: &'static str) {
        if let Some(Self(notes)) = extensions.get() {
            notes.hidden.get_or_init(|| reason);
        }
    }

    /// The member of the session.
    pub fn member(&self) -> Option<Uuid> {
        self.0.member.get().copied()
    }

    /// The reason that the response hides.
    pub fn hidden(&self) -> Option<&'static str> {
        self.0.hidden.get().copied()
    }
}
