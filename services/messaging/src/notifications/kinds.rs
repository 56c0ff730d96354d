//! The kinds of notifications: one row for each, with its switch and the topic of its pushes.

use portia_proto::messaging::NotificationKind;

use crate::push::Topic;

/// Declares the kinds. Each names its state for members who set no switch, or `Always`, and the topic of its pushes, if any.
macro_rules! kinds {
    ($($(#[$about:meta])+ $kind:ident: $default:ident $(, $topic:ident)?;)+) => {
        /// The kind of a notification. The comment of a variant is its subject.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, sqlx::Type)]
        #[sqlx(type_name = "text", rename_all = "snake_case")]
        pub enum Kind {
            $($(#[$about])+ $kind,)+
        }

        impl Kind {
            /// All kinds, in the order in which members see their switches.
            const ALL: &[Self] = &[$(Self::$kind),+];

            const fn by_default(self) -> ByDefault {
                match self {
                    $(Self::$kind => ByDefault::$default,)+
                }
            }

            /// Returns the topic of its pushes; `None` for kinds that are not pushed. Likes, joins and similar kinds need no
            /// answer. Decisions on content, appeals and verifications are not pushed, because others may see the screen of a
            /// device and an appeal is possible for 30 days.
            pub const fn topic(self) -> Option<Topic> {
                match self {
                    $(Self::$kind => kinds!(@topic $($topic)?),)+
                }
            }

            /// Returns the kind of a message; `None` when it is unspecified.
            pub const fn of(kind: NotificationKind) -> Option<Self> {
                match kind {
                    NotificationKind::Unspecified => None,
                    $(NotificationKind::$kind => Some(Self::$kind),)+
                }
            }
        }

        impl From<Kind> for NotificationKind {
            fn from(kind: Kind) -> Self {
                match kind {
                    $(Kind::$kind => Self::$kind,)+
                }
            }
        }
    };
    (@topic) => { None };
    (@topic $topic:ident) => { Some(Topic::$topic) };
}

kinds! {
    /// A post of the recipient.
    PostLiked: On;
    /// A post of the recipient.
    PostCommented: On, Posts;
    /// The connection.
    ConnectionRequested: On, Connections;
    /// The connection.
    ConnectionAccepted: On, Connections;
    /// The recipient. The detail is the skill.
    SkillEndorsed: On;
    /// A community that the recipient owns.
    CommunityJoined: On;
    /// A community that the recipient belongs to. Off, since a post in a community of thousands must not insert thousands of rows.
    CommunityPosted: Off;
    /// An event that the recipient organises.
    EventAttended: On;
    /// An event that the recipient attends.
    EventChanged: On, Reminders;
    /// An event that the recipient attended. The detail is its title.
    EventCancelled: On, Reminders;
    /// The recipient's application. The detail is the title of the posting. It has no actor and is never withdrawn.
    PostingClosed: On, Reminders;
    /// A post of the recipient.
    PostReposted: On;
    /// The recipient's application. The detail is the title of the posting. It has no actor and is never withdrawn; a later reminder
    /// replaces it.
    ApplicationDue: On, Reminders;
    /// A comment of the recipient.
    CommentReplied: On, Posts;
    /// A comment of the recipient.
    CommentLiked: On;
    /// A post or comment that mentions the recipient.
    Mentioned: On, Posts;
    /// A community that invites the recipient.
    CommunityInvited: On, Connections;
    /// A community that the recipient moderates.
    CommunityJoinRequested: On, Connections;
    /// A community that the recipient asked to join.
    CommunityJoinApproved: On;
    /// The removal of a post or comment of the recipient. The detail is the stated reason. Without an actor.
    ContentRemoved: Always;
    /// The same removal. The detail is the decision on the appeal. Without an actor.
    AppealDecided: Always;
    /// The removal of a post or comment of the recipient by an owner or moderator of `community_id`. The detail is the stated reason.
    /// Without an actor.
    CommunityContentRemoved: Always;
    /// A decision in profile. The detail is the school; empty for Portia. Without an actor.
    Verified: Always;
    /// A decision in profile. The detail is the cause. Without an actor.
    VerificationEnded: Always;
    /// The security notice. The detail is its cause. Without an actor.
    Security: Always;
}

/// Whether a kind is on for members who set no switch, or has none.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ByDefault {
    On,
    Off,
    Always,
}

impl Kind {
    /// The kinds with a switch.
    pub fn switchable() -> impl Iterator<Item = Self> {
        Self::ALL.iter().copied().filter(|kind| kind.is_switchable())
    }

    /// Whether members have a switch for it.
    pub const fn is_switchable(self) -> bool {
        !matches!(self.by_default(), ByDefault::Always)
    }

    /// Returns the state for members who set no switch.
    pub const fn on_by_default(self) -> bool {
        !matches!(self.by_default(), ByDefault::Off)
    }
}
