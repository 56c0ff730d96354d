//! Reports, and the reported content.

use portia_proto::{feed as pb, jobs, messaging, profile};
use serde::Deserialize;
use utoipa::ToSchema;

pub use crate::api::contract::feed::{ReportReason, ReportedKind};

/// A report.
#[derive(Deserialize, ToSchema)]
pub struct Report {
    /// The kind of content.
    pub kind: ReportedKind,
    /// The id of the content.
    #[schema(format = Uuid)]
    pub id: String,
    /// The reason.
    pub reason: ReportReason,
    /// An explanation, at most 1,000 characters.
    #[schema(format = "text", max_length = 1000)]
    pub words: Option<String>,
}

/// Reported content of a service other than feed, as the caller sees it.
#[derive(Default)]
pub struct Reported {
    /// The author of the content.
    subject: Option<String>,
    /// The text. feed stores its beginning.
    excerpt: Option<String>,
}

impl Report {
    /// The request to feed, with the reported content.
    pub fn about(self, reported: Reported) -> pb::ReportItemRequest {
        pb::ReportItemRequest {
            kind: pb::ReportedKind::from(self.kind).into(),
            id: self.id,
            reason: pb::ReportReason::from(self.reason).into(),
            words: self.words,
            subject_member_id: reported.subject,
            excerpt: reported.excerpt,
        }
    }
}

impl From<profile::Member> for Reported {
    fn from(member: profile::Member) -> Self {
        let name = format!("{} (@{})", member.full_name, member.username);
        let texts = [Some(name), member.headline, member.bio, member.website, member.linkedin];
        Self { subject: Some(member.id), excerpt: Some(lines(texts)) }
    }
}

impl From<messaging::Message> for Reported {
    fn from(message: messaging::Message) -> Self {
        // messaging keeps copies of the pictures and the file; the list of reports shows their descriptions.
        let pictures = message.pictures.iter().enumerate().map(|(at, picture)| {
            let alt = if picture.alt.is_empty() { "without a description" } else { &picture.alt };
            format!("[picture {}: {alt}]", at + 1)
        });
        let file = message.file.iter().map(|file| format!("[file: {}, {} bytes]", file.name, file.size));
        let attached: Vec<String> = pictures.chain(file).collect();
        Self { subject: message.sender_id, excerpt: Some(lines([Some(attached.join("\n")), Some(message.content)])) }
    }
}

impl From<jobs::Job> for Reported {
    fn from(job: jobs::Job) -> Self {
        let title = format!("{}, {}", job.title, job.company);
        Self { subject: None, excerpt: Some(lines([Some(title), job.external_url, Some(job.description)])) }
    }
}

fn lines<const N: usize>(texts: [Option<String>; N]) -> String {
    texts.into_iter().flatten().filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
}
