//! The kinds of notifications, from the table in the contract (`NotificationKind` in messaging.proto).

use portia_proto::messaging::NotificationKind;

use crate::push::Topic;

/// Declares the kinds.
macro_rules! declare {
    (
        switches { $(#[doc = $about:literal] $kind:ident $name:ident: $on:literal $(, $topic:ident)?;)+ }
        always { $(#[doc = $fixed_about:literal] $fixed:ident $fixed_name:ident $(, $fixed_topic:ident)?;)+ }
    ) => {
        /// The kind of a notification. The comment of a variant is its subject.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, sqlx::Type)]
        #[sqlx(type_name = "text", rename_all = "snake_case")]
        pub enum Kind {
            $(#[doc = $about] $kind,)+
            $(#[doc = $fixed_about] $fixed,)+
        }

        impl Kind {
            /// All kinds, in the order of the contract. A row of a later release may have another.
            pub const ALL: &[Self] = &[$(Self::$kind,)+ $(Self::$fixed,)+];

            /// The state of the switch for members who did not set it; `None` for a kind without a switch. Posts in communities
            /// are off: one in a community of thousands must not insert thousands of rows.
            const fn default_switch(self) -> Option<bool> {
                match self {
                    $(Self::$kind => Some($on),)+
                    $(Self::$fixed => None,)+
                }
            }

            /// Returns the topic of its pushes; `None` for kinds that are not pushed. Likes, joins and similar kinds need no
            /// answer. Decisions on content, appeals and verifications are not pushed, because others may see the screen of a
            /// device and an appeal is possible for 30 days.
            pub const fn topic(self) -> Option<Topic> {
                match self {
                    $(Self::$kind => declare!(@topic $($topic)?),)+
                    $(Self::$fixed => declare!(@topic $($fixed_topic)?),)+
                }
            }

            /// Returns the kind of a message; `None` when it is unspecified.
            pub const fn of(kind: NotificationKind) -> Option<Self> {
                match kind {
                    NotificationKind::Unspecified => None,
                    $(NotificationKind::$kind => Some(Self::$kind),)+
                    $(NotificationKind::$fixed => Some(Self::$fixed),)+
                }
            }
        }

        impl From<Kind> for NotificationKind {
            fn from(kind: Kind) -> Self {
                match kind {
                    $(Kind::$kind => Self::$kind,)+
                    $(Kind::$fixed => Self::$fixed,)+
                }
            }
        }
    };
    (@topic) => { None };
    (@topic $topic:ident) => { Some(Topic::$topic) };
}

portia_proto::notification_kinds!(declare);

impl Kind {
    /// The kinds with a switch.
    pub fn switchable() -> impl Iterator<Item = Self> {
        Self::ALL.iter().copied().filter(|kind| kind.is_switchable())
    }

    /// Whether members have a switch for it.
    pub const fn is_switchable(self) -> bool {
        self.default_switch().is_some()
    }

    /// Returns the state for members who set no switch.
    pub const fn on_by_default(self) -> bool {
        !matches!(self.default_switch(), Some(false))
    }
}
