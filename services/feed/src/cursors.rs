//! Cursors: one type per list. Their fields differ, so that a list refuses the token of another list.

use std::ops::Deref;

use chrono::{DateTime, Utc};
use primitives::input::Cursor;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// A time in a token: microseconds, in the range that Postgres can compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "i64", into = "i64")]
pub struct Timestamp(DateTime<Utc>);

impl Timestamp {
    /// Later than every row: the bound of a first page.
    pub const END: Self = match DateTime::from_timestamp_secs(253_402_300_799) {
        Some(year_9999) => Self(year_9999),
        None => Self(DateTime::<Utc>::MAX_UTC),
    };
}

impl From<DateTime<Utc>> for Timestamp {
    fn from(at: DateTime<Utc>) -> Self {
        Self(at)
    }
}

impl From<Timestamp> for i64 {
    fn from(timestamp: Timestamp) -> Self {
        timestamp.0.timestamp_micros()
    }
}

impl TryFrom<i64> for Timestamp {
    type Error = &'static str;

    fn try_from(micros: i64) -> Result<Self, Self::Error> {
        let at = DateTime::from_timestamp_micros(micros).map(Self);
        at.filter(|at| (DateTime::UNIX_EPOCH..=Self::END.0).contains(&at.0)).ok_or("out of range")
    }
}

impl Deref for Timestamp {
    type Target = DateTime<Utc>;
    fn deref(&self) -> &DateTime<Utc> {
        &self.0
    }
}

/// A rank or a score in a token: its bits, because a decimal number may be rounded.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "u64", into = "u64")]
pub struct Rank(pub f64);

impl From<Rank> for u64 {
    fn from(rank: Rank) -> Self {
        rank.0.to_bits()
    }
}

impl From<u64> for Rank {
    fn from(bits: u64) -> Self {
        Self(f64::from_bits(bits))
    }
}

/// Cursors of lists with the newest row first. The name of the field differs per list.
macro_rules! newest_first {
    ($($(#[$doc:meta])* $name:ident, $field:literal;)+) => { $(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
        #[serde(deny_unknown_fields)]
        pub struct $name {
            /// The time of the last row.
            #[serde(rename = $field)]
            pub at: Timestamp,
            /// Its id, for rows of the same time.
            pub id: Uuid,
        }

        impl Cursor for $name {}

        impl $name {
            /// Before the first row.
            pub const START: Self = Self { at: Timestamp::END, id: Uuid::max() };
        }
    )+ };
}

newest_first! {
    /// All posts, newest first.
    RecentCursor, "recent";
    /// The posts of a member, newest first.
    AuthorCursor, "authored";
    /// The posts of a community, newest first.
    CommunityCursor, "communal";
    /// The posts of the sources that a member follows, newest first.
    FollowingCursor, "following";
    /// The posts of a member's school, newest first.
    SchoolCursor, "school";
    /// The posts of a member's communities, newest first.
    CommunitiesCursor, "communities";
    /// The posts that a member has hidden, last hidden first.
    HiddenPostsCursor, "hidden";
    /// The posts with a topic, newest first.
    TopicCursor, "topical";
    /// The reactions on a post, newest first. `id` is the member's.
    ReactionsCursor, "reacted";
    /// The top-level comments on a post, newest first.
    CommentsCursor, "commented";
    /// The reactions to a comment, newest first. `id` is the member's.
    CommentReactionsCursor, "liked";
}

/// The replies to a comment, oldest first.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RepliesCursor {
    /// The time of the last reply.
    #[serde(rename = "replied")]
    pub at: Timestamp,
    /// Its id, for replies of the same time.
    pub id: Uuid,
}

impl Cursor for RepliesCursor {}

impl RepliesCursor {
    /// Before the first reply.
    pub const START: Self = Self { at: Timestamp(DateTime::UNIX_EPOCH), id: Uuid::nil() };
}

/// The activity of a member, newest first.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ActivityCursor {
    /// The time of the last row.
    pub at: Timestamp,
    /// The id of the post or comment; for a reaction the id of its post.
    pub id: Uuid,
    /// The number of its kind, for rows of the same time and id.
    pub part: i32,
}

impl Cursor for ActivityCursor {}

impl ActivityCursor {
    /// Before the first row.
    pub const START: Self = Self { at: Timestamp::END, id: Uuid::max(), part: i32::MAX };
}

/// All posts, most liked first.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TopCursor {
    /// The reactions on the last post.
    pub likes: i64,
    /// The time of the last post.
    pub at: Timestamp,
    /// Its id, for equal posts.
    pub id: Uuid,
}

impl Cursor for TopCursor {}

impl TopCursor {
    /// Before the first post.
    pub const START: Self = Self { likes: i64::MAX, at: Timestamp::END, id: Uuid::max() };
}

/// All posts by relevance, as of the time of the first page.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RelevantCursor {
    /// The time of the first page. Later posts are not in the list.
    pub as_of: Timestamp,
    /// Whether the last post was one of the viewer's new posts, which lead the list.
    pub leads: bool,
    /// Its relevance to the viewer.
    pub score: Rank,
    /// Its id, for equal posts.
    pub id: Uuid,
}

impl Cursor for RelevantCursor {}

#[cfg(test)]
mod tests {
    use super::*;

    const AT: i64 = 1_790_000_000_123_456;

    #[test]
    fn a_token_preserves_every_bit_of_the_score() {
        let score = Rank(20_412.0 + std::f64::consts::LN_2 / 3.0);
        let cursor =
            RelevantCursor { as_of: Timestamp::try_from(AT).unwrap(), leads: true, score, id: Uuid::from_u128(7) };
        assert_eq!(RelevantCursor::from_token(&cursor.to_token()), Ok(Some(cursor)));
    }

    #[test]
    fn a_list_refuses_the_token_of_another_list() {
        let (at, id) = (Timestamp::try_from(AT).unwrap(), Uuid::from_u128(7));
        let recent = RecentCursor { at, id }.to_token();
        let top = TopCursor { likes: 3, at, id }.to_token();
        let relevant = RelevantCursor { as_of: at, leads: false, score: Rank(1.0), id }.to_token();
        assert!(RecentCursor::from_token(&recent).is_ok());
        let others = [
            AuthorCursor { at, id }.to_token(),
            CommunityCursor { at, id }.to_token(),
            TopicCursor { at, id }.to_token(),
            FollowingCursor { at, id }.to_token(),
            SchoolCursor { at, id }.to_token(),
            CommunitiesCursor { at, id }.to_token(),
            HiddenPostsCursor { at, id }.to_token(),
            CommentsCursor { at, id }.to_token(),
            CommentReactionsCursor { at, id }.to_token(),
            RepliesCursor { at, id }.to_token(),
        ];
        for token in others.iter().chain([&top, &relevant]) {
            assert!(RecentCursor::from_token(token).is_err());
            assert!(ReactionsCursor::from_token(token).is_err());
        }
        for token in [&recent, &relevant] {
            assert!(TopCursor::from_token(token).is_err());
        }
        for token in [&recent, &top] {
            assert!(RelevantCursor::from_token(token).is_err());
        }
        for token in [&recent, &top, &relevant] {
            assert!(ActivityCursor::from_token(token).is_err());
        }
        let activity = ActivityCursor { at, id, part: 2 };
        assert_eq!(ActivityCursor::from_token(&activity.to_token()), Ok(Some(activity)));
        assert!(
            RecentCursor::from_token(&activity.to_token()).is_err()
                && TopCursor::from_token(&activity.to_token()).is_err()
        );
    }

    #[test]
    fn times_out_of_the_range_of_the_database_are_refused() {
        for micros in [i64::MIN, -1, 253_402_300_800_000_000, i64::MAX] {
            assert!(Timestamp::try_from(micros).is_err(), "{micros}");
        }
        assert!(Timestamp::try_from(0).is_ok());
    }
}
