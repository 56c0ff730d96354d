//! The export of the data of a member.

pub mod about;
pub mod archive;
pub mod handlers;
pub mod page;
pub mod records;
