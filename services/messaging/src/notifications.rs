//! What the bell tells a member: kinds, and the list.

mod bell;
mod copies;
pub mod facts;
pub mod marks;
pub mod switches;

use chrono::{DateTime, Utc};
use primitives::input::{Cursor, Page};
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{convert::MyNotifications, error::Error};

pub use bell::Bell;

/// What a notification is about; in the comment, its subject.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, sqlx::Type)]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub enum Kind {
    /// The member's post.
    PostLiked,
    /// The member's post.
    PostCommented,
    /// The connection.
    ConnectionRequested,
    /// The connection.
    ConnectionAccepted,
    /// The member; the detail is the skill.
    SkillEndorsed,
    /// A community the member owns.
    CommunityJoined,
    /// A community the member belongs to.
    CommunityPosted,
    /// An event the member organises.
    EventAttended,
    /// An event the member attends.
    EventChanged,
    /// An event the member attended; the detail is what it was called.
    EventCancelled,
    /// The member's application; the detail is the posting's title. Nobody causes it, and nothing takes it back.
    PostingClosed,
    /// The member's post, which was passed on.
    PostReposted,
}

impl Kind {
    /// Every kind, in the order of the contract.
    pub const ALL: [Self; 12] = [
        Self::PostLiked,
        Self::PostCommented,
        Self::ConnectionRequested,
        Self::ConnectionAccepted,
        Self::SkillEndorsed,
        Self::CommunityJoined,
        Self::CommunityPosted,
        Self::EventAttended,
        Self::EventChanged,
        Self::EventCancelled,
        Self::PostingClosed,
        Self::PostReposted,
    ];

    /// Whether a member who has not said is told. A post in a community of thousands must not write thousands of rows.
    pub const fn on_by_default(self) -> bool {
        !matches!(self, Self::CommunityPosted)
    }
}

/// Everything of one kind about one thing.
pub struct Notification {
    pub id: Uuid,
    pub kind: Kind,
    pub subject_id: Uuid,
    pub subject_name: Option<String>,
    /// Who caused it, the latest first: at most three of them.
    pub member_ids: Vec<Uuid>,
    pub member_count: i32,
    pub active_at: DateTime<Utc>,
    pub is_read: bool,
}

/// A place in the list of notifications.
#[derive(Clone, Copy, Serialize, Deserialize)]
pub struct Newest {
    at: DateTime<Utc>,
    id: Uuid,
}

impl Cursor for Newest {}

impl Newest {
    /// Before every notification.
    pub const FIRST: Self = Self { at: DateTime::<Utc>::MAX_UTC, id: Uuid::max() };
}

/// What a member was told, newest first. Communities and events are called as they are today.
pub async fn list(db: &mut PgConnection, member: Uuid, mine: &MyNotifications) -> Result<Page<Notification>, Error> {
    let rows = sqlx::query_as!(
        Notification,
        r#"select
            n.id, n.kind as "kind: Kind", n.subject_id, n.member_ids, n.member_count, n.active_at,
            coalesce(nullif(n.detail, ''), c.name, e.title) as subject_name,
            coalesce(n.read_at >= n.active_at, false) as "is_read!"
        from (
            select id, kind, subject_id, detail, member_ids, member_count, active_at, read_at
            from messaging.notifications
            where member_id = $1
                and (active_at, id) < ($2, $3)
            order by active_at desc, id desc
            limit $4
        ) as n
        left join messaging.communities c on c.id = n.subject_id
        left join messaging.events e on e.id = n.subject_id
        order by n.active_at desc, n.id desc"#,
        member,
        mine.after.at,
        mine.after.id,
        mine.size.to_fetch(),
    )
    .fetch_all(db)
    .await?;
    Ok(Page::cut(rows, mine.size, |notification| Newest { at: notification.active_at, id: notification.id }))
}
