//! Requests and responses about notifications.

use chrono::{DateTime, Utc};
use portia_proto::messaging::{self as pb, NotificationKind, mark_notifications_read_request::Selection};
use primitives::{
    clock::timestamp,
    error::Violation,
    ids,
    input::{Cursor as _, PageSize},
};
use prost_types::Timestamp;

use crate::{
    error::Error,
    notifications::{Kind, ListNotifications, Notification, NotificationCursor, mark_read::ReadMark, switches::Switch},
};

impl TryFrom<pb::ListNotificationsRequest> for ListNotifications {
    type Error = Error;

    fn try_from(request: pb::ListNotificationsRequest) -> Result<Self, Error> {
        let size = PageSize::parse(request.page_size)?;
        let after = NotificationCursor::from_token(&request.page_token)?.unwrap_or(NotificationCursor::START);
        Ok(Self { size, after })
    }
}

impl TryFrom<pb::MarkNotificationsReadRequest> for ReadMark {
    type Error = Error;

    fn try_from(request: pb::MarkNotificationsReadRequest) -> Result<Self, Error> {
        match request.selection {
            Some(Selection::NotificationId(id)) => Ok(Self::One(ids::parse("notificationId", &id)?)),
            Some(Selection::UpTo(up_to)) => Ok(Self::UpTo(parse_time("upTo", &up_to)?)),
            None => Err(Violation::new("notificationId", "Name a notification, or a moment.").into()),
        }
    }
}

/// Parses a time in the years 1970 to 9999.
pub fn parse_time(field: &str, raw: &Timestamp) -> Result<DateTime<Utc>, Violation> {
    const YEAR_10000: i64 = 253_402_300_800;
    let nanos = u32::try_from(raw.nanos).ok().filter(|_| (0..YEAR_10000).contains(&raw.seconds));
    let time = nanos.and_then(|nanos| DateTime::from_timestamp(raw.seconds, nanos));
    time.ok_or_else(|| Violation::new(field, "This is not a moment."))
}

/// The kinds that a member turns on or off, each at most once.
pub struct SetSwitches(pub Vec<Switch>);

impl TryFrom<pb::SetNotificationSwitchesRequest> for SetSwitches {
    type Error = Error;

    fn try_from(request: pb::SetNotificationSwitchesRequest) -> Result<Self, Error> {
        let mut switches: Vec<Switch> = Vec::new();
        for raw in request.switches {
            let kind = Kind::of(raw.kind()).filter(|kind| kind.is_switchable());
            let kind = kind.ok_or_else(|| violation("There is no such kind of notification."))?;
            // This also bounds their number.
            if switches.iter().any(|switch| switch.kind == kind) {
                return Err(violation("Name each kind once.").into());
            }
            switches.push(Switch { kind, on: raw.on });
        }
        Ok(Self(switches))
    }
}

fn violation(message: &str) -> Violation {
    Violation::new("switches", message)
}

impl From<Switch> for pb::NotificationSwitch {
    fn from(Switch { kind, on }: Switch) -> Self {
        Self { kind: NotificationKind::from(kind).into(), on }
    }
}

impl From<Notification> for pb::Notification {
    fn from(notification: Notification) -> Self {
        Self {
            id: notification.id.to_string(),
            kind: NotificationKind::from(notification.kind).into(),
            subject_id: notification.subject_id.to_string(),
            subject_name: notification.subject_name,
            member_ids: notification.member_ids.iter().map(ToString::to_string).collect(),
            member_count: notification.member_count,
            active_at: Some(timestamp(notification.active_at)),
            is_read: notification.is_read,
            due_at: notification.due_at.map(timestamp),
            due_date: notification.due_date.map(|date| date.to_string()),
            post_id: notification.post_id.map(|id| id.to_string()),
            reason: notification.reason,
            origin: notification.happened_at.map(|at| pb::SecurityOrigin {
                user_agent: notification.user_agent.unwrap_or_default(),
                address: notification.address.unwrap_or_default(),
                at: Some(timestamp(at)),
                passkeys: notification.passkeys,
            }),
        }
    }
}
