//! Notifications and their settings.

use chrono::{DateTime, Utc};
use portia_proto::messaging as wire;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::api::members::cache::MemberCards;
use crate::{api::members::views::Author, edge::timestamps::required_moment};

/// Every kind, once: what it is called in a list and in the settings, and what it is about.
macro_rules! kinds {
    ($(#[$($about:tt)+] $kind:ident as $name:ident,)+) => {
        /// What a notification tells; in the comment, its subject.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
        #[serde(rename_all = "snake_case")]
        pub enum NotificationKind {
            $(#[$($about)+] $kind,)+
        }

        impl NotificationKind {
            /// `None` for a kind that this version knows nothing of.
            const fn of(kind: wire::NotificationKind) -> Option<Self> {
                match kind {
                    wire::NotificationKind::Unspecified => None,
                    $(wire::NotificationKind::$kind => Some(Self::$kind),)+
                }
            }
        }

        /// Which kinds of notification one is told of.
        #[derive(Clone, Debug, Serialize, ToSchema)]
        pub struct NotificationSettings {
            $(
                /// Whether this kind is told.
                pub $name: bool,
            )+
        }

        impl From<Vec<wire::NotificationSwitch>> for NotificationSettings {
            fn from(switches: Vec<wire::NotificationSwitch>) -> Self {
                let on = |kind| switches.iter().any(|switch| switch.on && switch.kind() == kind);
                Self { $($name: on(wire::NotificationKind::$kind),)+ }
            }
        }

        /// Which kinds of notification to tell from now on; what is left out stays as it is.
        #[derive(Deserialize, ToSchema)]
        #[serde(deny_unknown_fields)]
        pub struct UpdateNotificationSettings {
            $(
                /// Whether to tell this kind.
                #[schema(nullable = false)]
                $name: Option<bool>,
            )+
        }

        impl From<UpdateNotificationSettings> for Vec<wire::NotificationSwitch> {
            fn from(settings: UpdateNotificationSettings) -> Self {
                let named = [$((wire::NotificationKind::$kind, settings.$name),)+].into_iter();
                named
                    .filter_map(|(kind, on)| Some(wire::NotificationSwitch { kind: kind.into(), on: on? }))
                    .collect()
            }
        }
    };
}

kinds! {
    /// One's post.
    PostLiked as post_liked,
    /// One's post.
    PostCommented as post_commented,
    /// The connection.
    ConnectionRequested as connection_requested,
    /// The connection.
    ConnectionAccepted as connection_accepted,
    /// Oneself; the skill is the name.
    SkillEndorsed as skill_endorsed,
    /// A community one owns.
    CommunityJoined as community_joined,
    /// A community one belongs to.
    CommunityPosted as community_posted,
    /// An event one organises.
    EventAttended as event_attended,
    /// An event one comes to.
    EventChanged as event_changed,
    /// An event one wanted to come to.
    EventCancelled as event_cancelled,
    /// One's application; its posting is closed, whose title is the name. Nobody caused it.
    PostingClosed as posting_closed,
    /// One's post, which was passed on.
    PostReposted as post_reposted,
}

/// Everything of one kind about one thing.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Notification {
    /// UUIDv7.
    #[schema(format = Uuid)]
    pub id: String,
    /// What it tells.
    pub kind: NotificationKind,
    /// Who caused it, the latest first: at most three of them.
    pub actors: Vec<Author>,
    /// How many they are in all.
    pub actor_count: i32,
    /// What it is about.
    pub subject: NotificationSubject,
    /// When the latest of them did.
    pub created_at: DateTime<Utc>,
    /// Whether the asker has seen it.
    pub is_read: bool,
}

/// What a notification is about.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NotificationSubject {
    /// UUIDv7; of what, the kind says.
    #[schema(format = Uuid)]
    pub id: String,
    /// What it is called; null where it has no name.
    #[schema(required)]
    pub name: Option<String>,
}

impl Notification {
    /// With its people. `None` for a kind that this version knows nothing of.
    pub fn of(notification: wire::Notification, people: &MemberCards) -> Option<Self> {
        let kind = NotificationKind::of(notification.kind())?;
        Some(Self {
            kind,
            actors: notification.member_ids.iter().map(|member| people.author(member)).collect(),
            actor_count: notification.member_count,
            subject: NotificationSubject { id: notification.subject_id, name: notification.subject_name },
            created_at: required_moment(notification.active_at),
            is_read: notification.is_read,
            id: notification.id,
        })
    }
}

/// What one has seen: one notification, or every one up to a moment.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReadNotifications {
    /// One of them.
    #[schema(format = Uuid, nullable = false)]
    pub id: Option<String>,
    /// The `createdAt` of the newest one seen.
    #[schema(nullable = false)]
    pub up_to: Option<DateTime<Utc>>,
}
