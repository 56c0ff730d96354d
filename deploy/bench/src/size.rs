//! The size of the generated data.

use std::{fmt, str::FromStr};

/// The minimum: in a smaller network every member would know all others.
const MIN_MEMBERS: u32 = 20;
/// The maximum that the tables are designed for.
const MAX_MEMBERS: u32 = 1_000_000;
/// The maximum of postings and of articles: their number does not grow with the members.
const MAX_CRAWLED: u32 = 100_000;

/// A number of members and what follows from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Members.
    pub members: u32,
    /// Their posts within a year.
    pub posts: u32,
}

impl Size {
    /// 1,000 members, 20,000 posts.
    pub const S: Self = Self { members: 1_000, posts: 20_000 };
    /// 10,000 members, 100,000 posts.
    pub const M: Self = Self { members: 10_000, posts: 100_000 };
    /// 100,000 members, 1,000,000 posts.
    pub const L: Self = Self { members: 100_000, posts: 1_000_000 };

    /// Accepted connections: fifty per member.
    #[must_use]
    pub const fn connections(self) -> u32 {
        self.members * 25
    }

    /// Reactions, five per post.
    #[must_use]
    pub const fn reactions(self) -> u32 {
        self.posts * 5
    }

    /// Comments, two per post.
    #[must_use]
    pub const fn comments(self) -> u32 {
        self.posts * 2
    }

    /// Open postings: one per post, up to the maximum.
    #[must_use]
    pub const fn postings(self) -> u32 {
        if self.posts < MAX_CRAWLED { self.posts } else { MAX_CRAWLED }
    }

    /// Articles, likewise.
    #[must_use]
    pub const fn articles(self) -> u32 {
        self.postings()
    }

    /// Communities, one for fifty members.
    #[must_use]
    pub const fn communities(self) -> u32 {
        if self.members < 250 { 5 } else { self.members / 50 }
    }

    /// Events, one for five members; most of them are over.
    #[must_use]
    pub const fn events(self) -> u32 {
        self.members / 5
    }
}

impl FromStr for Size {
    type Err = String;

    fn from_str(raw: &str) -> Result<Self, String> {
        match raw {
            "S" | "s" => Ok(Self::S),
            "M" | "m" => Ok(Self::M),
            "L" | "l" => Ok(Self::L),
            _ => match raw.parse() {
                Ok(members) if (MIN_MEMBERS..=MAX_MEMBERS).contains(&members) => {
                    Ok(Self { members, posts: members * 10 })
                }
                _ => Err(format!("a size is S, M, L or a number of members from {MIN_MEMBERS} to {MAX_MEMBERS}")),
            },
        }
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::S => f.write_str("S"),
            Self::M => f.write_str("M"),
            Self::L => f.write_str("L"),
            Self { members, .. } => write!(f, "{members}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_letters_or_numbers() {
        assert_eq!("M".parse(), Ok(Size { members: 10_000, posts: 100_000 }));
        assert_eq!("250".parse(), Ok(Size { members: 250, posts: 2_500 }));
        for bad in ["", "XL", "-5", "0", "19", "1000001", "1e3"] {
            assert!(bad.parse::<Size>().is_err(), "{bad}");
        }
    }

    #[test]
    fn a_size_is_shown_as_it_is_written() {
        for raw in ["S", "M", "L", "50"] {
            assert_eq!(raw.parse::<Size>().unwrap().to_string(), raw);
        }
    }

    #[test]
    fn the_large_one_is_the_one_goals_are_stated_for() {
        let large = Size::L;
        assert_eq!((large.connections(), large.reactions(), large.comments()), (2_500_000, 5_000_000, 2_000_000));
        assert_eq!((large.postings(), large.articles()), (100_000, 100_000));
    }
}
