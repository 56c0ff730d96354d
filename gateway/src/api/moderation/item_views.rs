//! The reported post or comment in a report.

pub use crate::api::contract::feed::ReportedItem;
