//! Notifications from the facts of the other services: constructors of facts, and actions of the recipient.

mod admissions;
mod comments;
mod community_removals;
mod connections;
mod former_members;
mod grouping;
mod history;
mod kinds;
mod mentions;
mod postings;
mod read_marks;
mod removals;
mod security;
mod snapshot;
mod switches;
mod withdrawals;

use portia_proto::{
    feed::{
        CommentReacted, CommentReactionRemoved, PostCommentRemoved, PostCommented, PostCreated, PostDeleted,
        PostReacted, PostReactionRemoved, PostRepostRemoved, PostReposted,
    },
    messaging::{
        GetUnreadRequest, ListNotificationsRequest, ListNotificationsResponse, MarkNotificationsReadRequest,
        Notification, mark_notifications_read_request::Selection,
    },
    profile::{SkillEndorsed, SkillEndorsementRemoved},
    social_graph::{
        CommunityChanged, CommunityJoined, CommunityLeft, ConnectionRemoved, ConnectionRequested, EventAttended,
        EventChanged, EventRemoved, EventUnattended,
    },
};
use primitives::error::StatusDetails;
use prost::{Message, Name};
use testkit::member;
use uuid::Uuid;

use crate::fixtures::{Fixture, into_result, number};

/// Returns the id of the `n`th post, connection, community or event.
pub fn entity_id(n: u128) -> Uuid {
    Uuid::from_u128(0x0193_0000_0000_7000_8000_0000_0005_0000 + n)
}

pub fn post_reacted(who: u128, post: u128, author: u128) -> PostReacted {
    let (post_id, author_id, member_id) = (entity_id(post).to_string(), member_id(author), member_id(who));
    PostReacted { post_id, author_id, member_id, kind: 1, community_id: None }
}

pub fn reaction_removed(who: u128, post: u128, author: u128) -> PostReactionRemoved {
    PostReactionRemoved {
        post_id: entity_id(post).to_string(),
        author_id: member_id(author),
        member_id: member_id(who),
    }
}

pub fn post_commented(who: u128, post: u128, author: u128, comment: u128) -> PostCommented {
    let (post_id, comment_id) = (entity_id(post).to_string(), entity_id(comment).to_string());
    let (author_id, member_id) = (member_id(author), member_id(who));
    PostCommented { post_id, author_id, comment_id, member_id, ..Default::default() }
}

/// Creates the fact of a reply to the comment `to` of `answered`.
pub fn comment_replied(
    who: u128,
    post: u128,
    author: u128,
    (to, answered): (u128, u128),
    reply: u128,
) -> PostCommented {
    PostCommented {
        reply_to: Some(entity_id(to).to_string()),
        reply_to_author_id: Some(member_id(answered)),
        ..post_commented(who, post, author, reply)
    }
}

/// Creates the fact that a comment or reply was deleted.
pub fn removed(comment: PostCommented) -> PostCommentRemoved {
    let PostCommented { post_id, author_id, comment_id, member_id, reply_to, reply_to_author_id, .. } = comment;
    PostCommentRemoved { post_id, author_id, comment_id, member_id, reply_to, reply_to_author_id }
}

pub fn comment_reacted(who: u128, post: u128, comment: u128, author: u128) -> CommentReacted {
    let (post_id, comment_id) = (entity_id(post).to_string(), entity_id(comment).to_string());
    CommentReacted {
        post_id,
        comment_id,
        author_id: member_id(author),
        member_id: member_id(who),
        kind: 1,
        community_id: None,
    }
}

pub fn comment_reaction_removed(who: u128, post: u128, comment: u128, author: u128) -> CommentReactionRemoved {
    let CommentReacted { post_id, comment_id, author_id, member_id, .. } = comment_reacted(who, post, comment, author);
    CommentReactionRemoved { post_id, comment_id, author_id, member_id }
}

pub fn comment_removed(who: u128, post: u128, author: u128, comment: u128) -> PostCommentRemoved {
    removed(post_commented(who, post, author, comment))
}

pub fn post_reposted(who: u128, post: u128, author: u128, repost: u128) -> PostReposted {
    let (post_id, repost_id) = (entity_id(post).to_string(), entity_id(repost).to_string());
    PostReposted { post_id, author_id: member_id(author), repost_id, member_id: member_id(who) }
}

pub fn repost_removed(who: u128, post: u128, author: u128, repost: u128) -> PostRepostRemoved {
    let PostReposted { post_id, author_id, repost_id, member_id } = post_reposted(who, post, author, repost);
    PostRepostRemoved { post_id, author_id, repost_id, member_id }
}

pub fn post_deleted(post: u128, author: u128, community: Option<u128>) -> PostDeleted {
    let community_id = community.map(|community| entity_id(community).to_string());
    PostDeleted { post_id: entity_id(post).to_string(), author_id: member_id(author), community_id }
}

pub fn post_created(who: u128, post: u128, community: Option<u128>) -> PostCreated {
    let community_id = community.map(|community| entity_id(community).to_string());
    let (post_id, author_id) = (entity_id(post).to_string(), member_id(who));
    PostCreated { post_id, author_id, community_id, mentioned_ids: Vec::new() }
}

pub fn connection_requested(connection: u128, who: u128, other: u128) -> ConnectionRequested {
    let (requester_id, recipient_id) = (member_id(who), member_id(other));
    ConnectionRequested { connection_id: entity_id(connection).to_string(), requester_id, recipient_id }
}

pub fn connection_removed(connection: u128, who: u128, other: u128) -> ConnectionRemoved {
    let (requester_id, recipient_id) = (member_id(who), member_id(other));
    ConnectionRemoved { connection_id: entity_id(connection).to_string(), requester_id, recipient_id }
}

pub fn skill_endorsed(who: u128, other: u128, skill: &str) -> SkillEndorsed {
    SkillEndorsed { member_id: member_id(other), skill: skill.to_owned(), endorser_id: member_id(who) }
}

pub fn endorsement_removed(who: u128, other: u128, skill: &str) -> SkillEndorsementRemoved {
    SkillEndorsementRemoved { member_id: member_id(other), skill: skill.to_owned(), endorser_id: member_id(who) }
}

pub fn community_changed(community: u128, name: &str) -> CommunityChanged {
    CommunityChanged { community_id: entity_id(community).to_string(), name: name.to_owned(), became_private: false }
}

pub fn community_joined(who: u128, community: u128, is_owner: bool) -> CommunityJoined {
    let community_id = entity_id(community).to_string();
    CommunityJoined { community_id, member_id: member_id(who), is_owner, ..Default::default() }
}

pub fn community_left(who: u128, community: u128) -> CommunityLeft {
    CommunityLeft { community_id: entity_id(community).to_string(), member_id: member_id(who) }
}

/// Creates the fact of a new event (revision 0), or of another place or time.
pub fn event_changed(event: u128, organiser: Option<u128>, title: &str, revision: i32) -> EventChanged {
    let (event_id, organiser_id) = (entity_id(event).to_string(), organiser.map(member_id));
    EventChanged { event_id, organiser_id, title: title.to_owned(), revision, moved: revision > 0 }
}

/// Creates the fact of an event with another text at the same place and time.
pub fn event_text_changed(event: u128, organiser: Option<u128>, title: &str, revision: i32) -> EventChanged {
    EventChanged { moved: false, ..event_changed(event, organiser, title, revision) }
}

pub fn event_removed(event: u128) -> EventRemoved {
    EventRemoved { event_id: entity_id(event).to_string() }
}

pub fn event_attended(who: u128, event: u128) -> EventAttended {
    EventAttended { event_id: entity_id(event).to_string(), member_id: member_id(who) }
}

pub fn event_unattended(who: u128, event: u128) -> EventUnattended {
    EventUnattended { event_id: entity_id(event).to_string(), member_id: member_id(who) }
}

fn member_id(who: u128) -> String {
    member(who).to_string()
}

/// Describes a notification: kind, actors, their number, and `!` while it is unread.
fn describe(notification: &Notification) -> String {
    let who: Vec<String> = notification.member_ids.iter().map(|id| number(id).to_string()).collect();
    let mark = if notification.is_read { "" } else { " !" };
    format!("{:?} by {} ({}){mark}", notification.kind(), who.join(" "), notification.member_count)
}

impl Fixture {
    pub async fn publish_feed<M: Message + Name>(&self, fact: &M) {
        self.harness.wait_until_applied("feed", self.feed.publish("feed", fact)).await;
    }

    pub async fn publish_graph<M: Message + Name>(&self, fact: &M) {
        self.harness.wait_until_applied("social-graph", self.social_graph.publish("graph", fact)).await;
    }

    pub async fn publish_profile<M: Message + Name>(&self, fact: &M) {
        self.harness.wait_until_applied("profile", self.profile.publish("profile", fact)).await;
    }

    pub async fn list_notifications_page(
        &self,
        who: u128,
        request: ListNotificationsRequest,
    ) -> Result<ListNotificationsResponse, StatusDetails> {
        into_result(self.messaging.clone().list_notifications(self.as_member(who, request)).await)
    }

    /// Returns the first page of a member's notifications.
    pub async fn list_notifications(&self, who: u128) -> Vec<Notification> {
        self.list_notifications_page(who, ListNotificationsRequest::default()).await.unwrap().notifications
    }

    /// Returns the first page as text. The stored unread count must match it.
    pub async fn describe_notifications(&self, who: u128) -> Vec<String> {
        let lines: Vec<String> = self.list_notifications(who).await.iter().map(describe).collect();
        let unread = lines.iter().filter(|line| line.ends_with('!')).count();
        assert_eq!(self.count_unread(who).await, i32::try_from(unread).unwrap(), "{lines:?}");
        lines
    }

    /// Returns the stored number of unread notifications.
    pub async fn count_unread(&self, who: u128) -> i32 {
        into_result(self.messaging.clone().get_unread(self.as_member(who, GetUnreadRequest {})).await)
            .unwrap()
            .notifications
    }

    pub async fn mark_notifications(&self, who: u128, selection: Selection) -> Result<(), StatusDetails> {
        let request = MarkNotificationsReadRequest { selection: Some(selection) };
        into_result(self.messaging.clone().mark_notifications_read(self.as_member(who, request)).await).map(drop)
    }

    /// Marks all notifications as read.
    pub async fn mark_all_read(&self, who: u128) {
        let newest = self.list_notifications(who).await.first().and_then(|newest| newest.active_at);
        self.mark_notifications(who, Selection::UpTo(newest.unwrap())).await.unwrap();
    }

    /// Returns the number of published changes of a member's notifications.
    pub async fn count_changes(&self, who: u128) -> i64 {
        let changes = "select count(*) from messaging.outbox where kind like '%.NotificationsChanged' and key = $1";
        sqlx::query_scalar(changes).bind(member_id(who)).fetch_one(self.harness.pool()).await.unwrap()
    }

    /// Asserts that notifications match their causes, stored counts match the rows, and no fact is dead.
    pub async fn assert_notification_invariants(&self) {
        let wrong = sqlx::query_scalar(include_str!("notifications/truth.sql"));
        let wrong: Vec<String> = wrong.fetch_all(self.harness.pool()).await.unwrap();
        assert_eq!(wrong, Vec::<String>::new());
    }
}
