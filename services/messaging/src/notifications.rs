//! Notifications: the kinds, and the list of a member.

mod kinds;
pub mod mark_read;
pub mod notifier;
pub mod switches;

use chrono::{DateTime, NaiveDate, Utc};
use primitives::input::{Cursor, Page, PageSize};
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::error::Error;

pub use kinds::Kind;
pub use notifier::{CommunityRemoval, Deadline, NotificationTrigger, SecurityNotice};

/// All causes of one kind about one subject.
pub struct Notification {
    pub id: Uuid,
    pub kind: Kind,
    pub subject_id: Uuid,
    pub subject_name: Option<String>,
    /// The post of a comment.
    pub post_id: Option<Uuid>,
    /// The latest actors, at most three, latest first.
    pub member_ids: Vec<Uuid>,
    pub member_count: i32,
    pub active_at: DateTime<Utc>,
    pub is_read: bool,
    /// The deadline of a reminder.
    pub due_at: Option<DateTime<Utc>>,
    /// That deadline, when it is a date.
    pub due_date: Option<NaiveDate>,
    /// The browser, network and time of a security notice.
    pub user_agent: Option<String>,
    pub address: Option<String>,
    pub happened_at: Option<DateTime<Utc>>,
    /// The passkeys that a security notice names.
    pub passkeys: Vec<String>,
    /// The stated reason of a removal from a community.
    pub reason: Option<String>,
}

/// The position of a notification in the list.
#[derive(Clone, Copy, Serialize, Deserialize)]
pub struct NotificationCursor {
    at: DateTime<Utc>,
    id: Uuid,
}

impl Cursor for NotificationCursor {}

impl NotificationCursor {
    /// Before every notification.
    pub const START: Self = Self { at: DateTime::<Utc>::MAX_UTC, id: Uuid::max() };
}

/// A page of the caller's notifications.
pub struct ListNotifications {
    pub size: PageSize,
    pub after: NotificationCursor,
}

/// Lists a member's notifications, newest first, with the current names of events, and of communities for their members
/// and invited members. Former members do not learn later names, because the community may be private. Omits kinds of a later
/// release, whose replicas run beside those of this one during an update.
pub async fn list(db: &mut PgConnection, member: Uuid, query: &ListNotifications) -> Result<Page<Notification>, Error> {
    let rows = sqlx::query_as!(
        Notification,
        r#"select
            n.id, n.kind as "kind: Kind", coalesce(n.community_id, n.subject_id) as "subject_id!", n.post_id, n.member_ids,
            n.member_count, n.active_at, n.due_at, n.due_date, n.user_agent, n.address, n.happened_at, n.passkeys,
            case
                when n.community_id is null
                then coalesce(nullif(n.detail, ''), c.name, f.name, e.title)
                else coalesce(c.name, f.name)
            end as subject_name,
            case when n.community_id is not null then nullif(n.detail, '') end as reason,
            coalesce(n.read_at >= n.active_at, false) as "is_read!"
        from (
            select
                id, kind, subject_id, post_id, detail, member_ids, member_count, active_at, read_at, due_at,
                due_date, user_agent, address, happened_at, passkeys, community_id
            from messaging.notifications
            where member_id = $1
                and (active_at, id) < ($2, $3)
                and kind = any ($5)
            order by active_at desc, id desc
            limit $4
        ) as n
        left join messaging.communities c
            on c.id = coalesce(n.community_id, n.subject_id)
            and (
                n.kind = 'community_invited'
                or exists (
                    select
                    from messaging.memberships m
                    where m.community_id = c.id
                        and m.member_id = $1
                )
            )
        left join messaging.former_memberships f
            on f.community_id = coalesce(n.community_id, n.subject_id)
            and f.member_id = $1
        left join messaging.events e on e.id = n.subject_id
        order by n.active_at desc, n.id desc"#,
        member,
        query.after.at,
        query.after.id,
        query.size.to_fetch(),
        Kind::ALL as &[Kind],
    )
    .fetch_all(db)
    .await?;
    Ok(Page::cut(rows, query.size, |notification| NotificationCursor {
        at: notification.active_at,
        id: notification.id,
    }))
}
