//! The handlers that are generated from the contract (gateway/build): those of the RPCs with a route in `portia/rest/v1/options.proto`.
//! Handlers that do more than one call are written in the features.

macro_rules! generated {
    ($($package:ident)*) => {
        $(
            #[doc = concat!("The handlers of `portia.", stringify!($package), ".v1`.")]
            pub mod $package {
                #[allow(unused_imports, reason = "not every package has handlers of every form")]
                use super::prelude::*;
                use crate::api::contract::$package::*;

                include!(concat!(env!("OUT_DIR"), "/", stringify!($package), "_handlers.rs"));
            }
        )*
    };
}

generated! { auth profile social_graph feed jobs news messaging }

/// What generated code names: extractors, answers, and the types that are written by hand.
mod prelude {
    pub(super) use axum::extract::State;
    pub(super) use http::{StatusCode, Uri};

    pub(super) use crate::api::{
        account::views::{OpenSession, TrustedBrowser},
        activity::Activity,
        applications::views::{ApplyForJob, JobApplication, UpdateApplication},
        communities::{
            moderation_views::RemoveCommunityMemberQuery,
            views::{CommunityDetails, CreateCommunity},
        },
        connections::views::Suggestion,
        contract::Author,
        events::views::{CreateEvent, EventDetails},
        feed_control::views::Mute,
        ids,
        members::cache::MemberCache,
        messaging::{group_views::GroupMember, message_views::FoundMessage},
        moderation::{
            removal_views::{DecideAppeal, ModeratedAppeal},
            statistics::ModerationLogEntry,
            views::{DecideReport, ListAppealsQuery, ListReportsQuery},
        },
        notifications::views::Notification,
        posts::{
            comment_views::{Comment, CommentCount},
            like_views::MemberLike,
        },
        privacy::UpdatePrivacySettings,
        push::PushSettings,
        rate_limits,
        resources::{ListResourcesQuery, SuggestResource},
        school::SchoolMember,
    };
    pub(super) use crate::edge::{
        answer::{ApiResponse, unless_unavailable},
        authentication::{Caller, Member, Moderator},
        extract::{Body, Id, IdempotencyKey, Ids, Paging, Params},
        limits::{Client, Limits},
        problem::Problem,
        upstreams::{
            AuthClient, FeedClient, JobsClient, MessagingClient, NewsClient, ProfileClient, SocialGraphClient,
        },
    };
}
