//! The records of a member, by service.

use std::{io, pin::Pin, sync::Arc, time::Duration};

use futures::{Stream, StreamExt as _, TryStreamExt as _};
use portia_proto::{auth, feed, jobs, messaging, news, profile, social_graph};
use tonic::Status;

use crate::{api::state::Gateway, edge::problem::Problem};

/// The timeout for the start of an export.
const START_TIMEOUT: Duration = Duration::from_secs(5);

/// A service with records of members.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Service {
    /// Accounts and sessions.
    Auth,
    /// The member as shown to others.
    Profile,
    /// Connections, communities, events.
    SocialGraph,
    /// Posts, comments, reactions.
    Feed,
    /// Applications.
    Jobs,
    /// Suggested resources.
    News,
    /// Conversations.
    Messaging,
}

impl Service {
    /// The first service of the archive.
    pub const FIRST: Self = Self::Auth;
    /// All services, in the order of the archive.
    pub const ALL: [Self; 7] =
        [Self::FIRST, Self::Profile, Self::SocialGraph, Self::Feed, Self::Jobs, Self::News, Self::Messaging];

    /// The folder in the archive.
    pub const fn folder(self) -> &'static str {
        match self {
            Self::Auth => "auth",
            Self::Profile => "profile",
            Self::SocialGraph => "social-graph",
            Self::Feed => "feed",
            Self::Jobs => "jobs",
            Self::News => "news",
            Self::Messaging => "messaging",
        }
    }

    /// The heading on the page.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Auth => "Account",
            Self::Profile => "Profile",
            Self::SocialGraph => "Network",
            Self::Feed => "Posts, comments and reactions",
            Self::Jobs => "Jobs",
            Self::News => "News and resources",
            Self::Messaging => "Messages",
        }
    }
}

/// A record of a service.
#[derive(Clone, Debug)]
pub struct Record {
    /// The section, in kebab case.
    pub section: String,
    /// A JSON object; empty with a part of a file.
    pub json: String,
    /// A part of a file.
    pub part: Option<FilePart>,
}

/// A part of a file. The parts of one file follow each other.
#[derive(Clone, Debug)]
pub struct FilePart {
    /// The name in the folder of the service.
    pub file: String,
    /// The bytes.
    pub chunk: Vec<u8>,
}

/// The stream of the records of a service.
pub type Records = Pin<Box<dyn Stream<Item = Result<Record, Status>> + Send>>;

/// The next record; `None` at the end.
///
/// # Errors
/// When the service fails.
pub async fn next(records: &mut Records) -> io::Result<Option<Record>> {
    records.next().await.transpose().map_err(io::Error::other)
}

/// Opens the exports of the services for a member.
pub struct ExportClient {
    gateway: Arc<Gateway>,
    cookie: String,
}

impl ExportClient {
    /// A client for the member of the session cookie.
    pub const fn new(gateway: Arc<Gateway>, cookie: String) -> Self {
        Self { gateway, cookie }
    }

    /// Starts the export of a service, with a new token: a download can outlive a token, and ends when the member signs
    /// out.
    ///
    /// # Errors
    /// When the session has ended, or the service refuses or is unavailable.
    pub async fn open(&self, service: Service) -> Result<Records, Problem> {
        let own = self.gateway.authentication.service_call(START_TIMEOUT);
        let session = self.gateway.authentication.sessions.resolve(&self.cookie, &own).await?;
        let session = session.map_err(|_| Problem::sign_in("Sign in required"))?;
        let call = own.with_member(&session.tokens);
        macro_rules! export {
            ($client:ident, $proto:ident $(, $part:ident)?) => {{
                let request = call.request($proto::ExportMemberRequest {})?;
                let answer = self.gateway.clients.$client().export_member(request).await?;
                let records = answer.into_inner().map_ok(|record| {
                    let part: Option<FilePart> = None;
                    $(let part = record.$part.map(|part| FilePart { file: part.file, chunk: part.chunk }).or(part);)?
                    Record { section: record.section, json: record.json, part }
                });
                Box::pin(records) as Records
            }};
        }
        Ok(match service {
            Service::Auth => export!(auth, auth),
            Service::Profile => export!(profile, profile),
            Service::SocialGraph => export!(graph, social_graph),
            Service::Feed => export!(feed, feed, part),
            Service::Jobs => export!(jobs, jobs, part),
            Service::News => export!(news, news),
            Service::Messaging => export!(messaging, messaging, part),
        })
    }
}
