//! Where pages end: one cursor an order, told apart by their fields, so that a token of one order is none of another.

use std::ops::Deref;

use chrono::{DateTime, Utc};
use primitives::input::Cursor;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::saved::{Kind, ThingId};

/// A moment as a token carries it: microseconds, within what Postgres can compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "i64", into = "i64")]
pub struct Moment(DateTime<Utc>);

impl Moment {
    /// Later than anything: the bound of a first page.
    pub const END: Self = match DateTime::from_timestamp_secs(253_402_300_799) {
        Some(year_9999) => Self(year_9999),
        None => Self(DateTime::<Utc>::MAX_UTC),
    };
}

impl From<DateTime<Utc>> for Moment {
    fn from(at: DateTime<Utc>) -> Self {
        Self(at)
    }
}

impl From<Moment> for i64 {
    fn from(moment: Moment) -> Self {
        moment.0.timestamp_micros()
    }
}

impl TryFrom<i64> for Moment {
    type Error = &'static str;

    fn try_from(micros: i64) -> Result<Self, Self::Error> {
        let at = DateTime::from_timestamp_micros(micros).map(Self);
        at.filter(|at| (DateTime::UNIX_EPOCH..=Self::END.0).contains(&at.0)).ok_or("no moment of ours")
    }
}

impl Deref for Moment {
    type Target = DateTime<Utc>;
    fn deref(&self) -> &DateTime<Utc> {
        &self.0
    }
}

/// A rank or a score as a token carries it: its bits, because a decimal may lose the last of them.
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

/// The last row of a page that goes from new to old. `L` names the list, so that each has tokens of its own.
macro_rules! newest_first {
    ($($(#[$doc:meta])* $name:ident, $field:literal;)+) => { $(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
        #[serde(deny_unknown_fields)]
        pub struct $name {
            /// When the last row was made.
            #[serde(rename = $field)]
            pub at: Moment,
            /// What breaks a tie.
            pub id: Uuid,
        }

        impl Cursor for $name {}

        impl $name {
            /// Before the first row.
            pub const START: Self = Self { at: Moment::END, id: Uuid::max() };
        }
    )+ };
}

newest_first! {
    /// All posts, newest first.
    Recent, "recent";
    /// A member's posts, newest first.
    Authored, "authored";
    /// A community's posts, newest first.
    Communal, "communal";
    /// A post's reactions, newest first; a tie is broken by the member's id.
    Reacted, "reacted";
    /// A post's comments, newest first.
    Commented, "commented";
}

/// What a member did, newest first.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Acted {
    /// When they did the last of it.
    pub at: Moment,
    /// The post's or the comment's id, or that of the post reacted to.
    pub id: Uuid,
    /// Which of the three it was: what breaks the last tie.
    pub part: i32,
}

impl Cursor for Acted {}

impl Acted {
    /// Before the first of it.
    pub const START: Self = Self { at: Moment::END, id: Uuid::max(), part: i32::MAX };
}

/// What a member keeps, the last kept first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Kept {
    /// Since when the last of it.
    pub saved: Moment,
    /// Its owner's id for it.
    pub item: ThingId,
    /// What it is: what breaks the last tie.
    pub kind: Kind,
}

impl Cursor for Kept {}

impl Kept {
    /// Before the first of it.
    pub const START: Self = Self { saved: Moment::END, item: ThingId::FIRST, kind: Kind::Post };
}

/// All posts, most liked first.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Top {
    /// The last post's reactions.
    pub likes: i64,
    /// When it was published.
    pub at: Moment,
    /// What breaks a tie.
    pub id: Uuid,
}

impl Cursor for Top {}

impl Top {
    /// Before the first post.
    pub const START: Self = Self { likes: i64::MAX, at: Moment::END, id: Uuid::max() };
}

/// All posts by relevance, as a walk that began at one moment sees them.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Relevant {
    /// When page 1 was read. What is published later belongs to the next walk.
    pub as_of: Moment,
    /// Whether the last post was one of the viewer's own that lead the walk.
    pub leads: bool,
    /// Its relevance to the viewer.
    pub score: Rank,
    /// What breaks a tie.
    pub id: Uuid,
}

impl Cursor for Relevant {}

#[cfg(test)]
mod tests {
    use super::*;

    const AT: i64 = 1_790_000_000_123_456;

    #[test]
    fn a_token_comes_back_to_the_last_bit() {
        let score = Rank(20_412.0 + std::f64::consts::LN_2 / 3.0);
        let cursor = Relevant { as_of: Moment::try_from(AT).unwrap(), leads: true, score, id: Uuid::from_u128(7) };
        assert_eq!(Relevant::from_token(&cursor.to_token()), Ok(Some(cursor)));
    }

    #[test]
    fn no_order_takes_the_token_of_another() {
        let (at, id) = (Moment::try_from(AT).unwrap(), Uuid::from_u128(7));
        let recent = Recent { at, id }.to_token();
        let top = Top { likes: 3, at, id }.to_token();
        let relevant = Relevant { as_of: at, leads: false, score: Rank(1.0), id }.to_token();
        assert!(Recent::from_token(&recent).is_ok());
        let others = [Authored { at, id }.to_token(), Communal { at, id }.to_token(), Commented { at, id }.to_token()];
        for token in others.iter().chain([&top, &relevant]) {
            assert!(Recent::from_token(token).is_err());
            assert!(Reacted::from_token(token).is_err());
        }
        for token in [&recent, &relevant] {
            assert!(Top::from_token(token).is_err());
        }
        for token in [&recent, &top] {
            assert!(Relevant::from_token(token).is_err());
        }
        for token in [&recent, &top, &relevant] {
            assert!(Acted::from_token(token).is_err());
        }
        let acted = Acted { at, id, part: 2 };
        assert_eq!(Acted::from_token(&acted.to_token()), Ok(Some(acted)));
        assert!(Recent::from_token(&acted.to_token()).is_err() && Top::from_token(&acted.to_token()).is_err());
    }

    #[test]
    fn what_no_id_is_made_of_is_in_no_token() {
        let saved = Moment::try_from(AT).unwrap();
        let kept = Kept { saved, item: Uuid::from_u128(7).into(), kind: Kind::Event };
        assert_eq!(Kept::from_token(&kept.to_token()), Ok(Some(kept)));
        for item in ["", "\0", "a b", "'", &"a".repeat(65)] {
            let token = serde_json::json!({ "saved": AT, "item": item, "kind": "job" });
            assert!(serde_json::from_value::<Kept>(token).is_err(), "{item:?}");
        }
        assert!(Kept::from_token(&Recent { at: saved, id: Uuid::nil() }.to_token()).is_err());
    }

    #[test]
    fn moments_the_database_could_not_compare_are_refused() {
        for micros in [i64::MIN, -1, 253_402_300_800_000_000, i64::MAX] {
            assert!(Moment::try_from(micros).is_err(), "{micros}");
        }
        assert!(Moment::try_from(0).is_ok());
    }
}
