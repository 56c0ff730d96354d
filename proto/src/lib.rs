//! The contract of Portia's services: one module a service, generated from `proto/portia/<service>/v1`.
//!
//! Every message, field and error is documented in the .proto files, which are the thing to read and to change.
#![expect(missing_docs, reason = "the documentation of generated code stands in the .proto files")]
#![expect(clippy::all, reason = "generated code")]
#![expect(unused_qualifications, reason = "generated code")]

mod secrets;

/// All descriptors, for gRPC reflection.
pub const DESCRIPTORS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/descriptors.bin"));

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
