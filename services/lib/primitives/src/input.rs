//! Parsed input of callers: texts, links, files, search patterns and pages. Later code does not validate it again.

mod like_patterns;
mod link;
mod page;
mod pdf;
mod text;

use crate::error::Violation;

pub use like_patterns::LikePatterns;
pub use link::Link;
pub use page::{Cursor, Page, PageSize};
pub use pdf::PdfFile;
pub use text::{Line, Text};

/// A request with invalid fields.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", .0.first().map_or("The request is not valid.", |v| v.message.as_str()))]
pub struct InvalidRequest(pub Vec<Violation>);

impl From<Violation> for InvalidRequest {
    fn from(violation: Violation) -> Self {
        Self(vec![violation])
    }
}

/// Collects the violations of a request, so that the member sees all of them at once.
#[derive(Debug, Default)]
pub struct Form(Vec<Violation>);

impl Form {
    /// Takes the value; `None` when it records a violation instead.
    pub fn take<T>(&mut self, parsed: Result<T, Violation>) -> Option<T> {
        parsed.map_err(|violation| self.0.push(violation)).ok()
    }

    /// Records a violation that no parser found.
    pub fn refuse(&mut self, violation: Violation) {
        self.0.push(violation);
    }

    /// Returns the values, when there is no violation.
    ///
    /// # Errors
    /// The recorded violations.
    pub fn finish<T>(self, taken: Option<T>) -> Result<T, InvalidRequest> {
        match taken {
            Some(value) if self.0.is_empty() => Ok(value),
            _ => Err(InvalidRequest(self.0)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_reports_all_violations() {
        let mut form = Form::default();
        let name = form.take(Err::<(), _>(Violation::new("fullName", "Full name is required")));
        let age = form.take(Err::<(), _>(Violation::new("age", "Too young")));
        let refused = form.finish(name.zip(age));
        assert_eq!(refused.map_err(|invalid| invalid.0.len()), Err(2));
    }
}
