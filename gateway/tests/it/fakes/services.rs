//! The answers of the fake services.

mod auth;
mod feed;
mod graph;
mod jobs;
mod messaging;
mod news;
mod profile;

use primitives::error::{ErrorKind, new_status};
use tonic::Status;

use super::table::Table;
use crate::actors;

pub fn add_to(table: &mut Table) {
    auth::add_to(table);
    feed::add_to(table);
    graph::add_to(table);
    jobs::add_to(table);
    messaging::add_to(table);
    news::add_to(table);
    profile::add_to(table);
}

fn refuse(kind: ErrorKind, reason: &'static str, message: &str) -> Status {
    new_status(kind, reason, message)
}

/// The next page token of a search. Every search has two pages.
fn search_page(query: &str, page_token: &str) -> Result<String, Status> {
    if query.trim().is_empty() || query.chars().count() > 200 {
        return Err(actors::invalid_field(ErrorKind::Invalid, "INVALID", "query", "This must not be empty."));
    }
    Ok(if page_token.is_empty() { "page-2" } else { "" }.to_owned())
}

fn require_pdf(file: &[u8]) -> Result<(), Status> {
    let sentence = "This is not a PDF file. Please choose another one.";
    let refused = || actors::invalid_field(ErrorKind::Invalid, "INVALID", "file", sentence);
    file.starts_with(b"%PDF-").then_some(()).ok_or_else(refused)
}

fn require_picture(file: &[u8]) -> Result<(), Status> {
    let sentence = "Failed to process image file. Please try another image.";
    let refused = || actors::invalid_field(ErrorKind::Invalid, "INVALID", "picture", sentence);
    let is_picture = file.starts_with(crate::pictures::PNG) || file.starts_with(b"\xff\xd8\xff");
    is_picture.then_some(()).ok_or_else(refused)
}
