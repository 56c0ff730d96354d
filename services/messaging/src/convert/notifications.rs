//! Notifications: what is asked, and the answers.

use chrono::{DateTime, Utc};
use portia_proto::messaging::{self as wire, NotificationKind, mark_notifications_read_request::Selection};
use primitives::{
    clock::timestamp,
    error::Violation,
    ids,
    input::{Cursor as _, PageSize},
};
use prost_types::Timestamp;

use crate::{
    error::Error,
    notifications::{Kind, Newest, Notification, marks::Seen, switches::Switch},
};

/// A page of what the actor was told.
pub struct MyNotifications {
    pub size: PageSize,
    pub after: Newest,
}

impl TryFrom<wire::ListNotificationsRequest> for MyNotifications {
    type Error = Error;

    fn try_from(request: wire::ListNotificationsRequest) -> Result<Self, Error> {
        let size = PageSize::parse(request.page_size)?;
        let after = Newest::from_token(&request.page_token)?.unwrap_or(Newest::FIRST);
        Ok(Self { size, after })
    }
}

impl TryFrom<wire::MarkNotificationsReadRequest> for Seen {
    type Error = Error;

    fn try_from(request: wire::MarkNotificationsReadRequest) -> Result<Self, Error> {
        match request.selection {
            Some(Selection::NotificationId(id)) => Ok(Self::One(ids::parse("notificationId", &id)?)),
            Some(Selection::UpTo(up_to)) => Ok(Self::UpTo(moment("upTo", &up_to)?)),
            None => Err(Violation::new("notificationId", "Name a notification, or a moment.").into()),
        }
    }
}

/// A moment a clock of ours could have shown: of year 1970 to 9999.
fn moment(field: &str, raw: &Timestamp) -> Result<DateTime<Utc>, Violation> {
    const YEAR_10000: i64 = 253_402_300_800;
    let nanos = u32::try_from(raw.nanos).ok().filter(|_| (0..YEAR_10000).contains(&raw.seconds));
    let moment = nanos.and_then(|nanos| DateTime::from_timestamp(raw.seconds, nanos));
    moment.ok_or_else(|| Violation::new(field, "This is not a moment."))
}

/// Which kinds a member turns on or off: each at most once.
pub struct Turned(pub Vec<Switch>);

impl TryFrom<wire::SetNotificationSwitchesRequest> for Turned {
    type Error = Error;

    fn try_from(request: wire::SetNotificationSwitchesRequest) -> Result<Self, Error> {
        let mut switches: Vec<Switch> = Vec::new();
        for raw in request.switches {
            let kind = kind(raw.kind()).ok_or_else(|| refused("There is no such kind of notification."))?;
            // Which also bounds how many there are.
            if switches.iter().any(|switch| switch.kind == kind) {
                return Err(refused("Name each kind once.").into());
            }
            switches.push(Switch { kind, on: raw.on });
        }
        Ok(Self(switches))
    }
}

fn refused(why: &str) -> Violation {
    Violation::new("switches", why)
}

const fn kind(raw: NotificationKind) -> Option<Kind> {
    Some(match raw {
        NotificationKind::Unspecified => return None,
        NotificationKind::PostLiked => Kind::PostLiked,
        NotificationKind::PostCommented => Kind::PostCommented,
        NotificationKind::ConnectionRequested => Kind::ConnectionRequested,
        NotificationKind::ConnectionAccepted => Kind::ConnectionAccepted,
        NotificationKind::SkillEndorsed => Kind::SkillEndorsed,
        NotificationKind::CommunityJoined => Kind::CommunityJoined,
        NotificationKind::CommunityPosted => Kind::CommunityPosted,
        NotificationKind::EventAttended => Kind::EventAttended,
        NotificationKind::EventChanged => Kind::EventChanged,
        NotificationKind::EventCancelled => Kind::EventCancelled,
        NotificationKind::PostingClosed => Kind::PostingClosed,
        NotificationKind::PostReposted => Kind::PostReposted,
    })
}

impl From<Kind> for NotificationKind {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::PostLiked => Self::PostLiked,
            Kind::PostCommented => Self::PostCommented,
            Kind::ConnectionRequested => Self::ConnectionRequested,
            Kind::ConnectionAccepted => Self::ConnectionAccepted,
            Kind::SkillEndorsed => Self::SkillEndorsed,
            Kind::CommunityJoined => Self::CommunityJoined,
            Kind::CommunityPosted => Self::CommunityPosted,
            Kind::EventAttended => Self::EventAttended,
            Kind::EventChanged => Self::EventChanged,
            Kind::EventCancelled => Self::EventCancelled,
            Kind::PostingClosed => Self::PostingClosed,
            Kind::PostReposted => Self::PostReposted,
        }
    }
}

impl From<Switch> for wire::NotificationSwitch {
    fn from(Switch { kind, on }: Switch) -> Self {
        Self { kind: NotificationKind::from(kind).into(), on }
    }
}

impl From<Notification> for wire::Notification {
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
        }
    }
}
