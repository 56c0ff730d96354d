//! The contract of the services: one module per service, generated from `proto/portia/<service>/v1`, and the marks in texts.
//!
//! The .proto files document every message, field and error.
#![expect(missing_docs, reason = "the .proto files document the generated code")]
#![expect(clippy::all, reason = "generated code")]
#![expect(unused_qualifications, reason = "generated code")]

pub mod mentions;
mod secrets;
pub mod topics;

/// All descriptors, for gRPC reflection.
pub const DESCRIPTORS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/descriptors.bin"));

/// The paths of RPCs that are safe to repeat (`idempotency_level` in the contract), sorted.
const IDEMPOTENT: &[&str] = &include!(concat!(env!("OUT_DIR"), "/idempotent.rs"));

/// Whether the RPC of a path (`/portia.feed.v1.FeedService/ListPosts`) is safe to repeat.
#[must_use]
pub fn is_idempotent(path: &str) -> bool {
    IDEMPOTENT.binary_search(&path).is_ok()
}

/// The paths of RPCs that only read (NO_SIDE_EFFECTS), sorted.
const READS: &[&str] = &include!(concat!(env!("OUT_DIR"), "/reads.rs"));

/// Whether the RPC of a path only reads.
#[must_use]
pub fn is_read(path: &str) -> bool {
    READS.binary_search(&path).is_ok()
}

include!(concat!(env!("OUT_DIR"), "/notification_kinds.rs"));

macro_rules! contract {
    ($($module:ident = $package:literal;)*) => {
        $(
            pub mod $module {
                pub mod v1 {
                    tonic::include_proto!($package);
                }
            }
        )*
    };
}

/// `portia.<service>.v1` as `portia::<service>::v1`: generated code refers to sibling packages by this path.
pub mod portia {
    contract! {
        auth = "portia.auth.v1";
        profile = "portia.profile.v1";
        social_graph = "portia.social_graph.v1";
        feed = "portia.feed.v1";
        jobs = "portia.jobs.v1";
        news = "portia.news.v1";
        messaging = "portia.messaging.v1";
    }
}

pub use portia::{
    auth::v1 as auth, feed::v1 as feed, jobs::v1 as jobs, messaging::v1 as messaging, news::v1 as news,
    profile::v1 as profile, social_graph::v1 as social_graph,
};
