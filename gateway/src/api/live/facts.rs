//! Source -> the facts of that source as live events.
//!
//! A fact that concerns members themselves goes to the members that it names. Any other goes to the streams that watch its
//! topic: they were allowed to see it when they registered, and read the entity again with their own authorisation.

use std::time::Duration;

use axum::response::sse::Event;
use chrono::{DateTime, Utc};
use outbox::proto::Fact;
use portia_proto::{
    feed::{
        CommentReacted, CommentReactionRemoved, PostCommentEdited, PostCommentRemoved, PostCommented, PostCreated,
        PostDeleted, PostEdited, PostReacted, PostReactionRemoved, PostRepostRemoved, PostReposted,
    },
    jobs::{ApplicationChanged, AppliedPostingClosed},
    messaging::{ConversationChanged, ConversationRead, MessageChanged, MessageSent, NotificationsChanged},
    profile::{MemberChanged, SkillEndorsed, SkillEndorsementRemoved},
    social_graph::{
        CommunityChanged, CommunityInvitationRemoved, CommunityInvited, CommunityJoinRequestRemoved,
        CommunityJoinRequested, CommunityJoined, CommunityLeft, CommunityRemoved, ConnectionAccepted,
        ConnectionRemoved, ConnectionRequested, EventAttended, EventChanged, EventRemoved, EventUnattended,
        MemberBlocked,
    },
};
use prost::{Message, Name};
use uuid::Uuid;

use crate::api::live::{
    events,
    interests::Change,
    views::{LiveApplication, LiveConnection, LiveConversation, LiveMessage, LiveMessageRef, LiveParticipant},
};

/// The margin between the id of a post, which contains its time, and the time that the post states.
const CREATION_MARGIN: Duration = Duration::from_secs(1);

/// An effect of a fact on the streams.
pub enum Effect {
    /// Sends an event to every stream of the members.
    Notify(Vec<Uuid>, Event),
    /// Sends a change to the streams that watch its topic, with the time of the change where it matters.
    Publish(Change, DateTime<Utc>),
    /// The streams of the member no longer watch content of the community.
    Leave(Uuid, Uuid),
    /// The streams of those who are not members no longer watch content of the community.
    Hide(Uuid),
    /// The streams of each of the two members no longer watch content of the other.
    Separate(Uuid, Uuid),
}

/// The effects of a fact; none for facts that have no live event.
type Effects = fn(&Fact) -> Option<Vec<Effect>>;

/// The watched sources.
pub const SOURCES: [(&str, Effects); 5] = [
    ("messaging", of_messaging),
    ("social-graph", of_social_graph),
    ("feed", of_feed),
    ("jobs", of_jobs),
    ("profile", of_profile),
];

fn of_messaging(fact: &Fact) -> Option<Vec<Effect>> {
    if let Some(fact) = read::<MessageSent>(fact) {
        let MessageSent { conversation_id, message_id, sender_id, recipient_id, recipient_ids } = fact;
        let message = LiveMessage { conversation_id, message_id, user_id: sender_id.clone() };
        let members = [Some(sender_id), recipient_id].into_iter().chain(recipient_ids.into_iter().map(Some));
        return notify(members, events::with_data("message", &message));
    }
    if let Some(MessageChanged { conversation_id, message_id, member_ids }) = read(fact) {
        let message = LiveMessageRef { conversation_id, message_id };
        return notify(member_ids.into_iter().map(Some), events::with_data("message-changed", &message));
    }
    if let Some(ConversationRead { conversation_id, reader_id, other_member_id, other_member_ids }) = read(fact) {
        let read = LiveParticipant { conversation_id, user_id: reader_id.clone() };
        let members = [Some(reader_id), other_member_id].into_iter().chain(other_member_ids.into_iter().map(Some));
        return notify(members, events::with_data("conversation-read", &read));
    }
    if let Some(ConversationChanged { conversation_id, member_id, member_ids }) = read(fact) {
        let members = [member_id].into_iter().chain(member_ids).map(Some);
        return notify(members, events::with_data("conversation", &LiveConversation { conversation_id }));
    }
    let NotificationsChanged { member_id } = read(fact)?;
    notify([Some(member_id)], events::notification())
}

fn of_social_graph(fact: &Fact) -> Option<Vec<Effect>> {
    if let Some(ConnectionRequested { connection_id, requester_id, recipient_id }) = read(fact) {
        return connection(connection_id, requester_id, recipient_id);
    }
    if let Some(ConnectionAccepted { connection_id, requester_id, recipient_id }) = read(fact) {
        return connection(connection_id, requester_id, recipient_id);
    }
    if let Some(ConnectionRemoved { connection_id, requester_id, recipient_id }) = read(fact) {
        return connection(connection_id, requester_id, recipient_id);
    }
    if let Some(MemberBlocked { blocker_id, blocked_id }) = read(fact) {
        return Some(vec![Effect::Separate(id(&blocker_id)?, id(&blocked_id)?)]);
    }
    if let Some(CommunityChanged { community_id, became_private, .. }) = read(fact) {
        let community = id(&community_id)?;
        // First, so that only members hear of the change that hides it.
        let hidden = became_private.then_some(Effect::Hide(community));
        return Some(hidden.into_iter().chain(publish(Change::Community(community))?).collect());
    }
    if let Some(CommunityRemoved { community_id }) = read(fact) {
        return publish(Change::Community(id(&community_id)?));
    }
    if let Some(CommunityJoined { community_id, member_id, .. }) = read(fact) {
        return both(&member_id, Change::Community(id(&community_id)?));
    }
    if let Some(CommunityLeft { community_id, member_id }) = read(fact) {
        let community = id(&community_id)?;
        let mut effects = vec![Effect::Leave(id(&member_id)?, community)];
        effects.extend(both(&member_id, Change::Community(community))?);
        return Some(effects);
    }
    if let Some(CommunityJoinRequested { community_id, member_id, moderator_ids }) = read(fact) {
        return membership(&community_id, moderator_ids.into_iter().chain([member_id]));
    }
    if let Some(CommunityJoinRequestRemoved { community_id, member_id }) = read(fact) {
        return both(&member_id, Change::Community(id(&community_id)?));
    }
    if let Some(CommunityInvited { community_id, member_id, invited_by_id }) = read(fact) {
        return membership(&community_id, [member_id, invited_by_id]);
    }
    if let Some(CommunityInvitationRemoved { community_id, member_id, invited_by_id }) = read(fact) {
        return membership(&community_id, [member_id].into_iter().chain(invited_by_id));
    }
    if let Some(EventAttended { event_id, member_id }) = read(fact) {
        return both(&member_id, Change::Event(id(&event_id)?));
    }
    if let Some(EventUnattended { event_id, member_id }) = read(fact) {
        return both(&member_id, Change::Event(id(&event_id)?));
    }
    if let Some(EventChanged { event_id, .. }) = read(fact) {
        return publish(Change::Event(id(&event_id)?));
    }
    let EventRemoved { event_id } = read(fact)?;
    publish(Change::Event(id(&event_id)?))
}

fn of_feed(fact: &Fact) -> Option<Vec<Effect>> {
    if let Some(PostCreated { post_id, author_id, community_id, .. }) = read(fact) {
        let at = creation_of(id(&post_id)?)?;
        let changes = match community_id {
            // Not `NewPostsBy`: members outside the community may watch the author's profile.
            Some(community) => vec![Change::NewPosts(Some(id(&community)?))],
            None => vec![Change::NewPosts(None), Change::NewPostsBy(id(&author_id)?)],
        };
        return Some(changes.into_iter().map(|change| Effect::Publish(change, at)).collect());
    }
    if let Some(PostEdited { post_id, .. }) = read(fact) {
        return publish(Change::Post(id(&post_id)?));
    }
    if let Some(PostDeleted { post_id, .. }) = read(fact) {
        return publish(Change::Post(id(&post_id)?));
    }
    if let Some(PostCommented { post_id, .. }) = read(fact) {
        return publish(Change::Comments(id(&post_id)?));
    }
    if let Some(PostCommentEdited { post_id, .. }) = read(fact) {
        return publish(Change::Comments(id(&post_id)?));
    }
    if let Some(PostCommentRemoved { post_id, .. }) = read(fact) {
        return publish(Change::Comments(id(&post_id)?));
    }
    if let Some(CommentReacted { post_id, .. }) = read(fact) {
        return publish(Change::Comments(id(&post_id)?));
    }
    if let Some(CommentReactionRemoved { post_id, .. }) = read(fact) {
        return publish(Change::Comments(id(&post_id)?));
    }
    if let Some(PostReacted { post_id, .. }) = read(fact) {
        return publish(Change::Reactions(id(&post_id)?));
    }
    if let Some(PostReactionRemoved { post_id, .. }) = read(fact) {
        return publish(Change::Reactions(id(&post_id)?));
    }
    if let Some(PostReposted { post_id, .. }) = read(fact) {
        return publish(Change::Reactions(id(&post_id)?));
    }
    let PostRepostRemoved { post_id, .. } = read(fact)?;
    publish(Change::Reactions(id(&post_id)?))
}

fn of_jobs(fact: &Fact) -> Option<Vec<Effect>> {
    if let Some(ApplicationChanged { application_id, member_id }) = read(fact) {
        return application(application_id, member_id);
    }
    let AppliedPostingClosed { application_id, member_id, .. } = read(fact)?;
    application(application_id, member_id)
}

fn of_profile(fact: &Fact) -> Option<Vec<Effect>> {
    if let Some(MemberChanged { member_id, .. }) = read(fact) {
        return both(&member_id, Change::Member(id(&member_id)?));
    }
    if let Some(SkillEndorsed { member_id, .. }) = read(fact) {
        return both(&member_id, Change::Member(id(&member_id)?));
    }
    let SkillEndorsementRemoved { member_id, .. } = read(fact)?;
    both(&member_id, Change::Member(id(&member_id)?))
}

fn application(application_id: String, member_id: String) -> Option<Vec<Effect>> {
    notify([Some(member_id)], events::with_data("application", &LiveApplication { application_id }))
}

/// Both members read the connection again, and see what the other state of it lets them see.
fn connection(connection_id: String, requester_id: String, recipient_id: String) -> Option<Vec<Effect>> {
    let members = [Some(requester_id.clone()), Some(recipient_id.clone())];
    let connection = LiveConnection { connection_id, requester_id, recipient_id };
    notify(members, events::with_data("connection", &connection))
}

/// The members read the community and their lists of it again.
fn membership(community: &str, members: impl IntoIterator<Item = String>) -> Option<Vec<Effect>> {
    let event = events::changed(Change::Community(id(community)?), DateTime::default());
    notify(members.into_iter().map(Some), event)
}

/// The change concerns the member, and is visible to the streams that watch its topic.
fn both(member: &str, change: Change) -> Option<Vec<Effect>> {
    let now = DateTime::default();
    let own = Effect::Notify(vec![id(member)?], events::changed(change, now));
    Some(vec![own, Effect::Publish(change, now)])
}

fn notify(members: impl IntoIterator<Item = Option<String>>, event: Event) -> Option<Vec<Effect>> {
    let members = members.into_iter().flatten().filter_map(|member| id(&member));
    Some(vec![Effect::Notify(members.collect(), event)])
}

fn publish(change: Change) -> Option<Vec<Effect>> {
    Some(vec![Effect::Publish(change, DateTime::default())])
}

/// The time inside a UUIDv7, minus the margin.
fn creation_of(post: Uuid) -> Option<DateTime<Utc>> {
    let (seconds, nanos) = post.get_timestamp()?.to_unix();
    Some(DateTime::from_timestamp(i64::try_from(seconds).ok()?, nanos)? - CREATION_MARGIN)
}

fn id(raw: &str) -> Option<Uuid> {
    raw.parse().ok()
}

/// The payload of a fact of this kind.
fn read<M: Message + Name + Default>(fact: &Fact) -> Option<M> {
    if fact.kind == M::full_name() { M::decode(fact.payload.as_slice()).ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_community_is_hidden_before_its_change_is_published() {
        let community_id = Uuid::from_u128(8).to_string();
        let changed = CommunityChanged { community_id, became_private: true, ..CommunityChanged::default() };
        let (kind, payload) = (CommunityChanged::full_name(), changed.encode_to_vec());
        let effects = of_social_graph(&Fact { kind, payload, ..Fact::default() }).unwrap();
        assert!(matches!(effects[..], [Effect::Hide(_), Effect::Publish(Change::Community(_), _)]));
    }
}
