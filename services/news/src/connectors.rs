//! The kinds of sources, one file each, and the item that each of them produces.

pub mod demo;
pub mod rss;

use std::collections::HashMap;

use chrono::{DateTime, NaiveDate, Utc};

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

    /// Returns the kind of a name in the table, whose constraint allows only the two.
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
    /// The canonical form of the address, which different items may share.
    pub canonical_url: String,
    /// Its exact form.
    pub exact_url: String,
    /// Not empty.
    pub title: String,
    /// The beginning of the text, or the summary of the source.
    pub description: Option<String>,
    pub author: Option<String>,
    /// `None` when the source gives no readable date.
    pub published_at: Option<DateTime<Utc>>,
    /// The date of publication when the source gives no time of day: members in every zone see that date.
    pub published_date: Option<NaiveDate>,
    /// When it was found; without a date, the assumed time (`ingest::undated`).
    pub found_at: DateTime<Utc>,
}

/// Removes repeated items, keeping the first. Items with different identifiers are different, whatever their address; an
/// identifier that several different items share is dropped.
pub fn deduplicate(items: Vec<Item>) -> Vec<Item> {
    let mut kept: Vec<Item> = Vec::with_capacity(items.len());
    let (mut by_guid, mut by_title) = (HashMap::<_, usize>::new(), HashMap::<_, Vec<usize>>::new());
    for item in items {
        let titled = by_title.entry((item.exact_url.clone(), item.title.clone())).or_default();
        let may_be = |place: &&usize| {
            kept.get(**place).is_some_and(|kept| kept.guid.is_none() || item.guid.is_none() || kept.guid == item.guid)
        };
        let same = titled.iter().find(may_be).copied();
        let with_guid = item.guid.clone().and_then(|guid| by_guid.get(&(guid, item.exact_url.clone())).copied());
        match same.or(with_guid).and_then(|place| kept.get_mut(place)) {
            Some(kept) => kept.guid = kept.guid.take().or(item.guid),
            None => {
                titled.push(kept.len());
                if let Some(guid) = item.guid.clone() {
                    by_guid.insert((guid, item.exact_url.clone()), kept.len());
                }
                kept.push(item);
            }
        }
    }
    let mut items = kept;
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

    fn item(url: &str, guid: Option<&str>, title: &str) -> Item {
        Item {
            guid: guid.map(str::to_owned),
            url: url.to_owned(),
            canonical_url: url.to_owned(),
            exact_url: url.to_owned(),
            title: title.to_owned(),
            description: None,
            author: None,
            published_at: None,
            published_date: None,
            found_at: DateTime::UNIX_EPOCH,
        }
    }

    fn deduplicated(items: Vec<Item>) -> Vec<(String, Option<String>)> {
        deduplicate(items).into_iter().map(|item| (item.title, item.guid)).collect()
    }

    fn kept(title: &str, guid: Option<&str>) -> (String, Option<String>) {
        (title.to_owned(), guid.map(str::to_owned))
    }

    #[test]
    fn items_with_different_identifiers_stay() {
        let items = vec![item("a", Some("1"), "first"), item("a", Some("2"), "again"), item("a", Some("3"), "first")];
        let all = [kept("first", Some("1")), kept("again", Some("2")), kept("first", Some("3"))];
        assert_eq!(deduplicated(items), all);
    }

    #[test]
    fn repeated_items_are_removed() {
        let items = vec![
            item("a", Some("1"), "first"),
            item("a", Some("1"), "first, corrected"),
            item("b", None, "b"),
            item("b", None, "b"),
            item("b", None, "another at the address"),
            item("c", None, "c"),
            item("c", Some("3"), "c"),
        ];
        let once =
            [kept("first", Some("1")), kept("b", None), kept("another at the address", None), kept("c", Some("3"))];
        assert_eq!(deduplicated(items), once);
    }

    #[test]
    fn a_shared_identifier_is_dropped() {
        let items = vec![item("a", Some("1"), "a"), item("b", Some("x"), "b"), item("c", Some("x"), "c")];
        assert_eq!(deduplicated(items), [kept("a", Some("1")), kept("b", None), kept("c", None)]);
    }
}
