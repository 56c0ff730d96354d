//! The kinds of sources, one file each, and the item that each of them produces.

pub mod demo;
pub mod rss;

use std::collections::{HashMap, HashSet};

use chrono::{DateTime, Utc};

/// The kind of a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Connector {
    /// RSS or Atom over HTTPS.
    Rss,
    /// The demo file in the binary.
    Demo,
}

impl Connector {
    /// The name in the table.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Rss => "rss",
            Self::Demo => "demo",
        }
    }

    /// The kind of a name in the table, whose constraint allows only the two.
    pub fn from_name(name: &str) -> Self {
        if name == Self::Demo.name() { Self::Demo } else { Self::Rss }
    }
}

/// An item of a source: plain texts of bounded length and an address for browsers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// The identifier that the source gives.
    pub guid: Option<String>,
    /// The address as the source gives it.
    pub url: String,
    /// The canonical form of the address.
    pub canonical_url: String,
    /// Not empty.
    pub title: String,
    /// The beginning of the text, or the summary of the source.
    pub description: Option<String>,
    pub author: Option<String>,
    /// `None` when the source gives no readable date.
    pub published_at: Option<DateTime<Utc>>,
}

/// Removes repeated addresses, keeping the first. An identifier that several items share is dropped.
pub fn deduplicate(mut items: Vec<Item>) -> Vec<Item> {
    let mut seen = HashSet::new();
    items.retain(|item| seen.insert(item.canonical_url.clone()));
    let mut uses: HashMap<String, usize> = HashMap::new();
    for guid in items.iter().filter_map(|item| item.guid.as_ref()) {
        *uses.entry(guid.clone()).or_default() += 1;
    }
    for item in &mut items {
        item.guid = item.guid.take().filter(|guid| uses.get(guid) == Some(&1));
    }
    items
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_addresses_and_shared_identifiers_are_removed() {
        let item = |url: &str, guid: &str, title: &str| Item {
            guid: Some(guid.to_owned()),
            url: url.to_owned(),
            canonical_url: url.to_owned(),
            title: title.to_owned(),
            description: None,
            author: None,
            published_at: None,
        };
        let repeated = vec![item("a", "1", "first"), item("a", "2", "again"), item("b", "x", "b"), item("c", "x", "c")];
        let items = deduplicate(repeated);
        let items: Vec<_> = items.iter().map(|item| (item.title.as_str(), item.guid.as_deref())).collect();
        assert_eq!(items, [("first", Some("1")), ("b", None), ("c", None)]);
    }
}
