//! The JSON types that are generated from the contract (gateway/build): their fields, documentation and conversions are those of the
//! .proto files, by the options of `portia/rest/v1/options.proto`. Types that differ from their message are written in the features.

mod author;
mod reasons;

pub use author::{Author, NAMELESS};
pub use reasons::DecisionReason;

/// The cards of members, which objects contain in place of ids.
pub trait Cards {
    /// Returns the card of a member. A missing card becomes that of a nameless member.
    fn author(&self, id: &str) -> Author;
}

macro_rules! generated {
    ($($package:ident)*) => {
        $(
            #[doc = concat!("The objects, bodies and queries of `portia.", stringify!($package), ".v1`.")]
            pub mod $package {
                #[allow(unused_imports, reason = "not every package has messages of every form")]
                use super::prelude::*;

                include!(concat!(env!("OUT_DIR"), "/", stringify!($package), ".rs"));
            }
        )*
    };
}

generated! { auth profile social_graph feed jobs news messaging }

/// What generated code names.
mod prelude {
    pub(super) use chrono::{DateTime, Utc};
    pub(super) use serde::{Deserialize, Serialize};
    pub(super) use utoipa::{IntoParams, ToSchema};

    pub(super) use super::{Author, Cards, DecisionReason};
    pub(super) use crate::edge::{
        extract::unless_empty,
        timestamps::{DateOrTime, date_or_moment, moment, required_moment},
    };
}
