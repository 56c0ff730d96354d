//! The nouns of ids in paths, with the message when there is no such entity.

use crate::edge::extract::Noun;

/// Members.
pub struct OfUser;
impl Noun for OfUser {
    const MISSING: &'static str = "User not found";
}

/// Sessions of the caller.
pub struct OfSession;
impl Noun for OfSession {
    const MISSING: &'static str = "Session not found";
}

/// Trusted browsers of the caller.
pub struct OfTrustedBrowser;
impl Noun for OfTrustedBrowser {
    const MISSING: &'static str = "Trusted browser not found";
}

/// Passkeys of the caller.
pub struct OfPasskey;
impl Noun for OfPasskey {
    const MISSING: &'static str = "Passkey not found";
}

/// Connections.
pub struct OfConnection;
impl Noun for OfConnection {
    const MISSING: &'static str = "Connection not found";
}

/// Posts.
pub struct OfPost;
impl Noun for OfPost {
    const MISSING: &'static str = "Post not found";
}

/// Mutes of the caller.
pub struct OfMute;
impl Noun for OfMute {
    const MISSING: &'static str = "Mute not found";
}

/// Comments.
pub struct OfComment;
impl Noun for OfComment {
    const MISSING: &'static str = "Comment not found";
}

/// Communities.
pub struct OfCommunity;
impl Noun for OfCommunity {
    const MISSING: &'static str = "Community not found";
}

/// Events.
pub struct OfEvent;
impl Noun for OfEvent {
    const MISSING: &'static str = "Event not found";
}

/// Postings of jobs.
pub struct OfJob;
impl Noun for OfJob {
    const MISSING: &'static str = "Job not found";
}

/// Applications.
pub struct OfApplication;
impl Noun for OfApplication {
    const MISSING: &'static str = "Application not found";
}

/// Articles.
pub struct OfArticle;
impl Noun for OfArticle {
    const MISSING: &'static str = "Article not found";
}

/// Law school resources.
pub struct OfResource;
impl Noun for OfResource {
    const MISSING: &'static str = "Resource not found";
}

/// Conversations.
pub struct OfConversation;
impl Noun for OfConversation {
    const MISSING: &'static str = "Conversation not found";
}

/// Messages.
pub struct OfMessage;
impl Noun for OfMessage {
    const MISSING: &'static str = "Message not found";
}

/// Reports.
pub struct OfReport;
impl Noun for OfReport {
    const MISSING: &'static str = "There is no such report.";
}

/// Removals of content.
pub struct OfRemoval;
impl Noun for OfRemoval {
    const MISSING: &'static str = "There is no such removal.";
}

/// Suspensions of members.
pub struct OfSuspension;
impl Noun for OfSuspension {
    const MISSING: &'static str = "This does not exist.";
}

/// Push subscriptions.
pub struct OfSubscription;
impl Noun for OfSubscription {
    const MISSING: &'static str = "This device is not subscribed.";
}

/// Live streams.
pub struct OfStream;
impl Noun for OfStream {
    const MISSING: &'static str = "Stream not found";
}
