//! What callers send, parsed: texts, links, searches and pages. Whatever passed here is not checked again.

mod like_patterns;
mod link;
mod page;
mod text;

use crate::error::Violation;

pub use like_patterns::LikePatterns;
pub use link::Link;
pub use page::{Cursor, Page, PageSize};
pub use text::{Line, Text};

/// A request that breaks rules, with every field at fault.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", .0.first().map_or("The request is not valid.", |v| v.message.as_str()))]
pub struct InvalidRequest(pub Vec<Violation>);

impl From<Violation> for InvalidRequest {
    fn from(violation: Violation) -> Self {
        Self(vec![violation])
    }
}

/// Collects every violation of a form before refusing it, so that people see all of them at once.
#[derive(Debug, Default)]
pub struct Form(Vec<Violation>);

impl Form {
    /// The value, or its violation noted.
    pub fn take<T>(&mut self, parsed: Result<T, Violation>) -> Option<T> {
        parsed.map_err(|violation| self.0.push(violation)).ok()
    }

    /// Notes a violation that is not of one value's parsing.
    pub fn refuse(&mut self, violation: Violation) {
        self.0.push(violation);
    }

    /// Everything taken, when nothing was refused.
    ///
    /// # Errors
    /// The violations collected.
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
    fn a_form_refuses_with_all_its_violations() {
        let mut form = Form::default();
        let name = form.take(Err::<(), _>(Violation::new("fullName", "Full name is required")));
        let age = form.take(Err::<(), _>(Violation::new("age", "Too young")));
        let refused = form.finish(name.zip(age));
        assert_eq!(refused.map_err(|invalid| invalid.0.len()), Err(2));
    }
}
