//! Topics.

pub use crate::api::contract::feed::{Topics, TrendingTopic};
