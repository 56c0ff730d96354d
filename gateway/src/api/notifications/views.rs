//! Notifications and their settings.

use chrono::{DateTime, Utc};
use portia_proto::messaging as pb;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::api::contract::Cards;
use crate::api::members::cache::MemberCards;
use crate::{
    api::members::views::Author,
    edge::timestamps::{DateOrTime, date_or_moment, required_moment},
};

pub use crate::api::contract::messaging::SecurityOrigin;

/// Declares the kinds of the contract and the settings of those with a switch.
macro_rules! declare {
    (
        switches { $(#[doc = $about:literal] $kind:ident $name:ident: $on:literal $(, $topic:ident)?;)+ }
        always { $(#[doc = $fixed_about:literal] $fixed:ident $fixed_name:ident $(, $fixed_topic:ident)?;)+ }
    ) => {
        /// The kind of a notification. The description of a value is the subject.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
        #[serde(rename_all = "snake_case")]
        pub enum NotificationKind {
            $(#[doc = $about] $kind,)+
            $(#[doc = $fixed_about] $fixed,)+
        }

        impl NotificationKind {
            /// `None` for a kind that this version does not know.
            const fn of(kind: pb::NotificationKind) -> Option<Self> {
                match kind {
                    pb::NotificationKind::Unspecified => None,
                    $(pb::NotificationKind::$kind => Some(Self::$kind),)+
                    $(pb::NotificationKind::$fixed => Some(Self::$fixed),)+
                }
            }
        }

        /// The enabled kinds of notification.
        #[derive(Clone, Debug, Serialize, ToSchema)]
        pub struct NotificationSettings {
            $(
                /// Whether this kind is enabled.
                pub $name: bool,
            )+
        }

        impl From<Vec<pb::NotificationSwitch>> for NotificationSettings {
            fn from(switches: Vec<pb::NotificationSwitch>) -> Self {
                let on = |kind| switches.iter().any(|switch| switch.on && switch.kind() == kind);
                Self { $($name: on(pb::NotificationKind::$kind),)+ }
            }
        }

        /// Changes of the enabled kinds of notification. An absent kind keeps its value.
        #[derive(Deserialize, ToSchema)]
        #[serde(deny_unknown_fields)]
        pub struct UpdateNotificationSettings {
            $(
                /// Whether to enable this kind.
                $name: Option<bool>,
            )+
        }

        impl From<UpdateNotificationSettings> for Vec<pb::NotificationSwitch> {
            fn from(settings: UpdateNotificationSettings) -> Self {
                let sent = [$((pb::NotificationKind::$kind, settings.$name),)+].into_iter();
                sent
                    .filter_map(|(kind, on)| Some(pb::NotificationSwitch { kind: kind.into(), on: on? }))
                    .collect()
            }
        }
    };
}

portia_proto::notification_kinds!(declare);

/// A notification: all events of one kind about one subject.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Notification {
    /// UUIDv7.
    #[schema(format = Uuid)]
    pub id: String,
    /// The kind.
    pub kind: NotificationKind,
    /// The members who caused it, latest first, at most three.
    pub actors: Vec<Author>,
    /// The number of members who caused it.
    pub actor_count: i32,
    /// The subject.
    pub subject: NotificationSubject,
    /// The time of the latest event.
    pub created_at: DateTime<Utc>,
    /// Whether the caller has read it.
    pub is_read: bool,
    /// The deadline of a reminder, a date or a time; null for other kinds.
    #[schema(required)]
    pub due_at: Option<DateOrTime>,
    /// The browser that caused a security notice; null for other kinds.
    #[schema(required)]
    pub origin: Option<SecurityOrigin>,
    /// The stated reason of `community_content_removed`; null without one and for other kinds.
    #[schema(required)]
    pub reason: Option<String>,
}

/// The subject of a notification.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NotificationSubject {
    /// UUIDv7. The kind determines the type of the subject.
    #[schema(format = Uuid)]
    pub id: String,
    /// The name; null when the subject has none.
    #[schema(required)]
    pub name: Option<String>,
    /// The post of a comment; null for other subjects.
    #[schema(required, format = Uuid)]
    pub post_id: Option<String>,
}

impl Notification {
    /// The ids of the members whose cards it contains.
    pub fn members(notification: &pb::Notification) -> impl Iterator<Item = &str> {
        notification.member_ids.iter().map(String::as_str)
    }

    /// A notification with the cards of its members. `None` for a kind that this version does not know.
    pub fn of(notification: pb::Notification, people: &MemberCards) -> Option<Self> {
        let kind = NotificationKind::of(notification.kind())?;
        Some(Self {
            kind,
            actors: notification.member_ids.iter().map(|member| people.author(member)).collect(),
            actor_count: notification.member_count,
            subject: NotificationSubject {
                id: notification.subject_id,
                name: notification.subject_name,
                post_id: notification.post_id,
            },
            created_at: required_moment(notification.active_at),
            is_read: notification.is_read,
            due_at: date_or_moment(notification.due_at, notification.due_date.as_deref()),
            origin: notification.origin.map(SecurityOrigin::from),
            reason: notification.reason,
            id: notification.id,
        })
    }
}

/// The notifications to mark as read: one, or all up to a time. Exactly one field is required.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReadNotifications {
    /// A notification.
    #[schema(format = Uuid)]
    pub id: Option<String>,
    /// The `createdAt` of the newest notification to mark.
    pub up_to: Option<DateTime<Utc>>,
}
