//! The kinds of sources there are, one file each, and what all of them make of what they read.

pub mod demo;
pub mod rss;

use std::collections::{HashMap, HashSet};

use chrono::{DateTime, Utc};

/// How a source is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Connector {
    /// RSS or Atom, by HTTPS.
    Rss,
    /// The file this program carries.
    Demo,
}

impl Connector {
    /// As the table says it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Rss => "rss",
            Self::Demo => "demo",
        }
    }

    /// What the table says; it keeps no third.
    #[must_use]
    pub fn named(name: &str) -> Self {
        if name == Self::Demo.name() { Self::Demo } else { Self::Rss }
    }
}

/// A story as a source tells it: plain texts of bounded length, and an address people can open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// What the source itself calls it.
    pub guid: Option<String>,
    /// As the source gave it.
    pub url: String,
    /// The one form of all the ways of writing that.
    pub canonical_url: String,
    /// Not empty.
    pub title: String,
    /// The beginning of it, or what the source says of it.
    pub description: Option<String>,
    /// Who wrote it.
    pub author: Option<String>,
    /// `None` when nobody can say.
    pub published_at: Option<DateTime<Utc>>,
}

/// Each story once, as it was told first. A name that is given to several is none.
#[must_use]
pub fn each_once(mut items: Vec<Item>) -> Vec<Item> {
    let mut told = HashSet::new();
    items.retain(|item| told.insert(item.canonical_url.clone()));
    let mut named: HashMap<String, usize> = HashMap::new();
    for guid in items.iter().filter_map(|item| item.guid.as_ref()) {
        *named.entry(guid.clone()).or_default() += 1;
    }
    for item in &mut items {
        item.guid = item.guid.take().filter(|guid| named.get(guid) == Some(&1));
    }
    items
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_feed_that_repeats_itself_or_gives_all_one_name_is_read_all_the_same() {
        let item = |url: &str, guid: &str, title: &str| Item {
            guid: Some(guid.to_owned()),
            url: url.to_owned(),
            canonical_url: url.to_owned(),
            title: title.to_owned(),
            description: None,
            author: None,
            published_at: None,
        };
        let told = vec![item("a", "1", "first"), item("a", "2", "again"), item("b", "x", "b"), item("c", "x", "c")];
        let once = each_once(told);
        let told: Vec<_> = once.iter().map(|item| (item.title.as_str(), item.guid.as_deref())).collect();
        assert_eq!(told, [("first", Some("1")), ("b", None), ("c", None)]);
    }
}
