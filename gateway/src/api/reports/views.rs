//! What is sent to report something, and what there was to see of it.

use portia_proto::{feed as wire, jobs, messaging, profile};
use serde::Deserialize;
use utoipa::ToSchema;

/// What may be reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ReportedKind {
    /// A post.
    Post,
    /// A comment.
    Comment,
    /// A member.
    Member,
    /// A message in a conversation of mine.
    Message,
    /// A posting.
    Job,
}

/// Why.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ReportReason {
    /// Advertising, or the same thing over and over.
    Spam,
    /// Against somebody.
    Harassment,
    /// Not true.
    FalseInformation,
    /// Against the law.
    Illegal,
    /// What my words say.
    Other,
}

/// What is wrong with what.
#[derive(Deserialize, ToSchema)]
pub struct Report {
    /// Of what sort it is.
    pub kind: ReportedKind,
    /// Its id.
    #[schema(format = Uuid)]
    pub id: String,
    /// Why.
    pub reason: ReportReason,
    /// At most 1,000 characters.
    #[schema(nullable = false)]
    pub words: Option<String>,
}

/// What a member sees of what feed does not own.
#[derive(Default)]
pub struct Reported {
    /// Whose it is.
    subject: Option<String>,
    /// What it says; feed keeps the beginning.
    excerpt: Option<String>,
}

impl Report {
    /// The report, with what was reported as it stands.
    pub fn about(self, reported: Reported) -> wire::ReportItemRequest {
        wire::ReportItemRequest {
            kind: wire::ReportedKind::from(self.kind).into(),
            id: self.id,
            reason: wire::ReportReason::from(self.reason).into(),
            words: self.words,
            subject_member_id: reported.subject,
            excerpt: reported.excerpt,
        }
    }
}

impl From<profile::Member> for Reported {
    fn from(member: profile::Member) -> Self {
        let name = format!("{} (@{})", member.full_name, member.username);
        let said = [Some(name), member.headline, member.bio, member.website, member.linkedin];
        Self { subject: Some(member.id), excerpt: Some(lines(said)) }
    }
}

impl From<messaging::Message> for Reported {
    fn from(message: messaging::Message) -> Self {
        Self { subject: message.sender_id, excerpt: Some(message.content) }
    }
}

impl From<jobs::Job> for Reported {
    fn from(job: jobs::Job) -> Self {
        let title = format!("{}, {}", job.title, job.company);
        Self { subject: None, excerpt: Some(lines([Some(title), job.external_url, Some(job.description)])) }
    }
}

fn lines<const N: usize>(said: [Option<String>; N]) -> String {
    said.into_iter().flatten().filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
}

impl From<ReportedKind> for wire::ReportedKind {
    fn from(kind: ReportedKind) -> Self {
        match kind {
            ReportedKind::Post => Self::Post,
            ReportedKind::Comment => Self::Comment,
            ReportedKind::Member => Self::Member,
            ReportedKind::Message => Self::Message,
            ReportedKind::Job => Self::Job,
        }
    }
}

impl From<ReportReason> for wire::ReportReason {
    fn from(reason: ReportReason) -> Self {
        match reason {
            ReportReason::Spam => Self::Spam,
            ReportReason::Harassment => Self::Harassment,
            ReportReason::FalseInformation => Self::FalseInformation,
            ReportReason::Illegal => Self::Illegal,
            ReportReason::Other => Self::Other,
        }
    }
}
