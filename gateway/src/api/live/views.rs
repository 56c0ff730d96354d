//! The data of live events: ids of what to read again, never content. And the interests of a stream.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

/// An event of the stream.
#[derive(ToSchema)]
#[expect(dead_code, reason = "only for the OpenAPI document")]
pub struct LiveStreamEvent {
    /// The kind of event, such as `hello`.
    event: String,
    /// The data of this kind as JSON.
    data: String,
    /// The milliseconds before the client reconnects.
    #[schema(nullable = false)]
    retry: Option<u32>,
}

/// The stream of these events (`hello`).
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LiveHello {
    /// The id for `PUT /api/live/{streamId}/interests`.
    pub stream_id: Uuid,
}

/// A message was sent (`message`).
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LiveMessage {
    /// The conversation.
    #[schema(format = Uuid)]
    pub conversation_id: String,
    /// The message.
    #[schema(format = Uuid)]
    pub message_id: String,
    /// The sender.
    #[schema(format = Uuid)]
    pub user_id: String,
}

/// A message was edited or deleted, or its reactions changed (`message-changed`).
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LiveMessageRef {
    /// The conversation.
    #[schema(format = Uuid)]
    pub conversation_id: String,
    /// The message.
    #[schema(format = Uuid)]
    pub message_id: String,
}

/// A participant has read a conversation (`conversation-read`) or is typing (`typing`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LiveParticipant {
    /// The conversation.
    #[schema(format = Uuid)]
    pub conversation_id: String,
    /// The participant.
    #[schema(format = Uuid)]
    pub user_id: String,
}

/// A conversation was added to the list, removed from it, moved, muted or unmuted (`conversation`).
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LiveConversation {
    /// The conversation.
    #[schema(format = Uuid)]
    pub conversation_id: String,
}

/// A connection was requested, accepted, declined, withdrawn or removed (`connection`).
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LiveConnection {
    /// The connection.
    #[schema(format = Uuid)]
    pub connection_id: String,
    /// The member who requested it.
    #[schema(format = Uuid)]
    pub requester_id: String,
    /// The other member.
    #[schema(format = Uuid)]
    pub recipient_id: String,
}

/// A post was edited or deleted, or a list has new posts (`post`).
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LivePost {
    /// The changed post; null for new posts.
    #[schema(required)]
    pub post_id: Option<Uuid>,
    /// The list with new posts: `feed`, `community:{id}` or `member:{id}`; null for a changed post.
    #[schema(required)]
    pub list: Option<String>,
    /// The new posts are not older than this; null for a changed post.
    #[schema(required)]
    pub since: Option<DateTime<Utc>>,
}

/// The comments of a post (`comment`), or its reactions and counters (`reaction`) changed.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LivePostRef {
    /// The post.
    pub post_id: Uuid,
}

/// A membership, the role in it, or the community changed (`membership`).
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LiveCommunity {
    /// The community.
    pub community_id: Uuid,
}

/// An event or its attendees changed (`event`).
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LiveEvent {
    /// The event.
    pub event_id: Uuid,
}

/// An application of the member changed (`application`).
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LiveApplication {
    /// The application.
    #[schema(format = Uuid)]
    pub application_id: String,
}

/// The profile of a member changed (`profile`).
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LiveProfile {
    /// The member.
    pub user_id: Uuid,
}

/// What the tabs of a browser show: at most 100 ids in total. It replaces the previous interests of the stream.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SetLiveInterests {
    /// Posts: their edits, comments and reactions.
    #[serde(default)]
    #[schema(required = false)]
    pub posts: Vec<Uuid>,
    /// Members with an open profile: its changes, and their new public posts.
    #[serde(default)]
    #[schema(required = false)]
    pub members: Vec<Uuid>,
    /// Communities: their texts and memberships, and for a member of the community its new posts.
    #[serde(default)]
    #[schema(required = false)]
    pub communities: Vec<Uuid>,
    /// Events.
    #[serde(default)]
    #[schema(required = false)]
    pub events: Vec<Uuid>,
    /// New public posts.
    #[serde(default)]
    #[schema(required = false)]
    pub feed: bool,
}

/// The state of posts that are new among the interests: a client that has another state reads the post again.
#[derive(Debug, Default, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LiveVersions {
    /// Posts that the member may see; others are left out.
    pub posts: Vec<LivePostVersion>,
}

/// The state of a post.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LivePostVersion {
    /// The post.
    #[schema(format = Uuid)]
    pub id: String,
    /// As in the post.
    pub like_count: i64,
    /// As in the post.
    pub comment_count: i64,
    /// As in the post.
    pub share_count: i64,
    /// As in the post.
    #[schema(required)]
    pub edited_at: Option<DateTime<Utc>>,
}

impl LivePost {
    pub(super) fn changed(post_id: Uuid) -> Self {
        Self { post_id: Some(post_id), list: None, since: None }
    }

    pub(super) fn new_in(list: &str, since: DateTime<Utc>) -> Self {
        Self { post_id: None, list: Some(list.to_owned()), since: Some(since) }
    }
}
