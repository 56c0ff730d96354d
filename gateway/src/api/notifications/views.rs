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

/// Declares every kind once: subject, variant, and name in the settings.
macro_rules! kinds {
    (
        $(#[$($about:tt)+] $kind:ident as $name:ident,)+
        // Kinds that cannot be disabled.
        always { $(#[$($fixed_about:tt)+] $fixed:ident,)+ }
    ) => {
        /// The kind of a notification. The description of a value is the subject.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
        #[serde(rename_all = "snake_case")]
        pub enum NotificationKind {
            $(#[$($about)+] $kind,)+
            $(#[$($fixed_about)+] $fixed,)+
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

kinds! {
    /// A post of the member.
    PostLiked as post_liked,
    /// A post of the member.
    PostCommented as post_commented,
    /// The connection.
    ConnectionRequested as connection_requested,
    /// The connection.
    ConnectionAccepted as connection_accepted,
    /// The member; `name` is the skill.
    SkillEndorsed as skill_endorsed,
    /// A community that the member owns.
    CommunityJoined as community_joined,
    /// A community of the member.
    CommunityPosted as community_posted,
    /// An event that the member organises.
    EventAttended as event_attended,
    /// An event that the member attends.
    EventChanged as event_changed,
    /// An event that the member attended.
    EventCancelled as event_cancelled,
    /// An application of the member; `name` is the title of the closed posting. Without actors.
    PostingClosed as posting_closed,
    /// A post of the member, which was reposted.
    PostReposted as post_reposted,
    /// An application of the member that was not sent to the employer; `name` is the title of the posting. Without actors.
    ApplicationDue as application_due,
    /// A comment of the member, which has a reply.
    CommentReplied as comment_replied,
    /// A comment of the member.
    CommentLiked as comment_liked,
    /// A post, or a comment with its post, that mentions the member.
    Mentioned as mentioned,
    /// A community that invites the member.
    CommunityInvited as community_invited,
    /// A community of which the member is an owner or moderator, which other members ask to join.
    CommunityJoinRequested as community_join_requested,
    /// A community that approved the request of the member.
    CommunityJoinApproved as community_join_approved,
    always {
        /// The removal of a post or comment of the member by a moderator; `name` is the reason. Without actors.
        ContentRemoved,
        /// The same removal after the decision on the appeal; `name` is `upheld` or `overturned`. Without actors.
        AppealDecided,
        /// A community whose owner or moderator removed a post or comment of the member. Without actors.
        CommunityContentRemoved,
        /// A decision that verified the member; `name` is the school, or null for Portia. Without actors.
        Verified,
        /// A decision that ended the verification of the member; `name` is its cause, such as `name_changed`. Without actors.
        VerificationEnded,
        /// A change of the security of the account; `name` is its cause, such as `password_changed`. Without actors.
        Security,
    }
}

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
