//! The bell: what members do as the other services tell it, and what it shows.

mod grouping;
mod kinds;
mod marks;
mod postings;
mod removals;
mod snapshot;
mod story;
mod switches;
mod withdrawals;

use portia_proto::{
    feed::{
        PostCommentRemoved, PostCommented, PostCreated, PostDeleted, PostReacted, PostReactionRemoved,
        PostRepostRemoved, PostReposted,
    },
    messaging::{
        GetUnreadRequest, ListNotificationsRequest, ListNotificationsResponse, MarkNotificationsReadRequest,
        Notification, mark_notifications_read_request::Which,
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

use crate::inbox::{Inbox, number, told};

/// A post, a connection, a community, an event: whatever is called by a number here.
pub fn thing(n: u128) -> Uuid {
    Uuid::from_u128(0x0193_0000_0000_7000_8000_0000_0005_0000 + n)
}

pub fn reacted(who: u128, post: u128, author: u128) -> PostReacted {
    let (post_id, author_id, member_id) = (thing(post).to_string(), id(author), id(who));
    PostReacted { post_id, author_id, member_id, kind: 1 }
}

pub fn unreacted(who: u128, post: u128, author: u128) -> PostReactionRemoved {
    PostReactionRemoved { post_id: thing(post).to_string(), author_id: id(author), member_id: id(who) }
}

pub fn commented(who: u128, post: u128, author: u128, comment: u128) -> PostCommented {
    let (post_id, comment_id) = (thing(post).to_string(), thing(comment).to_string());
    PostCommented { post_id, author_id: id(author), comment_id, member_id: id(who) }
}

pub fn uncommented(who: u128, post: u128, author: u128, comment: u128) -> PostCommentRemoved {
    let PostCommented { post_id, author_id, comment_id, member_id } = commented(who, post, author, comment);
    PostCommentRemoved { post_id, author_id, comment_id, member_id }
}

pub fn reposted(who: u128, post: u128, author: u128, repost: u128) -> PostReposted {
    let (post_id, repost_id) = (thing(post).to_string(), thing(repost).to_string());
    PostReposted { post_id, author_id: id(author), repost_id, member_id: id(who) }
}

pub fn unreposted(who: u128, post: u128, author: u128, repost: u128) -> PostRepostRemoved {
    let PostReposted { post_id, author_id, repost_id, member_id } = reposted(who, post, author, repost);
    PostRepostRemoved { post_id, author_id, repost_id, member_id }
}

pub fn deleted(post: u128, author: u128, community: Option<u128>) -> PostDeleted {
    let community_id = community.map(|community| thing(community).to_string());
    PostDeleted { post_id: thing(post).to_string(), author_id: id(author), community_id }
}

pub fn posted(who: u128, post: u128, community: Option<u128>) -> PostCreated {
    let community_id = community.map(|community| thing(community).to_string());
    PostCreated { post_id: thing(post).to_string(), author_id: id(who), community_id }
}

pub fn requested(connection: u128, who: u128, other: u128) -> ConnectionRequested {
    let (requester_id, recipient_id) = (id(who), id(other));
    ConnectionRequested { connection_id: thing(connection).to_string(), requester_id, recipient_id }
}

pub fn parted(connection: u128, who: u128, other: u128) -> ConnectionRemoved {
    let (requester_id, recipient_id) = (id(who), id(other));
    ConnectionRemoved { connection_id: thing(connection).to_string(), requester_id, recipient_id }
}

pub fn endorsed(who: u128, other: u128, skill: &str) -> SkillEndorsed {
    SkillEndorsed { member_id: id(other), skill: skill.to_owned(), endorser_id: id(who) }
}

pub fn unendorsed(who: u128, other: u128, skill: &str) -> SkillEndorsementRemoved {
    SkillEndorsementRemoved { member_id: id(other), skill: skill.to_owned(), endorser_id: id(who) }
}

pub fn called(community: u128, name: &str) -> CommunityChanged {
    CommunityChanged { community_id: thing(community).to_string(), name: name.to_owned() }
}

pub fn joined(who: u128, community: u128, is_owner: bool) -> CommunityJoined {
    CommunityJoined { community_id: thing(community).to_string(), member_id: id(who), is_owner }
}

pub fn left(who: u128, community: u128) -> CommunityLeft {
    CommunityLeft { community_id: thing(community).to_string(), member_id: id(who) }
}

/// An event is new, or elsewhere, or at another time.
pub fn announced(event: u128, organiser: Option<u128>, title: &str, revision: i32) -> EventChanged {
    let (event_id, organiser_id) = (thing(event).to_string(), organiser.map(id));
    EventChanged { event_id, organiser_id, title: title.to_owned(), revision, moved: revision > 0 }
}

/// It says something else, and takes place where and when it did.
pub fn reworded(event: u128, organiser: Option<u128>, title: &str, revision: i32) -> EventChanged {
    EventChanged { moved: false, ..announced(event, organiser, title, revision) }
}

pub fn cancelled(event: u128) -> EventRemoved {
    EventRemoved { event_id: thing(event).to_string() }
}

pub fn attended(who: u128, event: u128) -> EventAttended {
    EventAttended { event_id: thing(event).to_string(), member_id: id(who) }
}

pub fn unattended(who: u128, event: u128) -> EventUnattended {
    EventUnattended { event_id: thing(event).to_string(), member_id: id(who) }
}

fn id(who: u128) -> String {
    member(who).to_string()
}

/// A notification in a line: its kind, who caused it, how many they are, and a mark while it is unread.
fn line(notification: &Notification) -> String {
    let who: Vec<String> = notification.member_ids.iter().map(|id| number(id).to_string()).collect();
    let mark = if notification.is_read { "" } else { " !" };
    format!("{:?} by {} ({}){mark}", notification.kind(), who.join(" "), notification.member_count)
}

impl Inbox {
    pub async fn feed_tells<M: Message + Name>(&self, fact: &M) {
        self.harness.heard("feed", self.feed.tell("feed", fact)).await;
    }

    pub async fn graph_tells<M: Message + Name>(&self, fact: &M) {
        self.harness.heard("social-graph", self.social_graph.tell("graph", fact)).await;
    }

    pub async fn profile_tells<M: Message + Name>(&self, fact: &M) {
        self.harness.heard("profile", self.profile.tell("profile", fact)).await;
    }

    pub async fn notifications(
        &self,
        who: u128,
        request: ListNotificationsRequest,
    ) -> Result<ListNotificationsResponse, StatusDetails> {
        told(self.messaging.clone().list_notifications(self.by(who, request)).await)
    }

    /// The first page of what a member was told.
    pub async fn bell(&self, who: u128) -> Vec<Notification> {
        self.notifications(who, ListNotificationsRequest::default()).await.unwrap().notifications
    }

    /// The same, a line each; and its count is what the kept one says.
    pub async fn lines(&self, who: u128) -> Vec<String> {
        let lines: Vec<String> = self.bell(who).await.iter().map(line).collect();
        let unread = lines.iter().filter(|line| line.ends_with('!')).count();
        assert_eq!(self.rings(who).await, i32::try_from(unread).unwrap(), "{lines:?}");
        lines
    }

    /// How many notifications wait.
    pub async fn rings(&self, who: u128) -> i32 {
        told(self.messaging.clone().get_unread(self.by(who, GetUnreadRequest {})).await).unwrap().notifications
    }

    pub async fn sees(&self, who: u128, which: Which) -> Result<(), StatusDetails> {
        let request = MarkNotificationsReadRequest { which: Some(which) };
        told(self.messaging.clone().mark_notifications_read(self.by(who, request)).await).map(drop)
    }

    /// Has seen everything there is.
    pub async fn sees_all(&self, who: u128) {
        let newest = self.bell(who).await.first().and_then(|newest| newest.active_at);
        self.sees(who, Which::UpTo(newest.unwrap())).await.unwrap();
    }

    /// How often gateways were told that a member's bell changed.
    pub async fn rung(&self, who: u128) -> i64 {
        let rung = "select count(*) from messaging.outbox where kind like '%.NotificationsChanged' and key = $1";
        sqlx::query_scalar(rung).bind(id(who)).fetch_one(self.harness.pool()).await.unwrap()
    }

    /// Complains about groups that their causes contradict, counts that counting does, and facts put aside.
    pub async fn assert_bells(&self) {
        let wrong = sqlx::query_scalar(include_str!("notifications/truth.sql"));
        let wrong: Vec<String> = wrong.fetch_all(self.harness.pool()).await.unwrap();
        assert_eq!(wrong, Vec::<String>::new());
    }
}
