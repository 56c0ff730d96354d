//! The assumed times of items without a readable date, which decide their place in lists. They are shown as 'Unknown date'.
//!
//! Such an item is no newer than the dated items beside it in the document. Without dated items, it is as new as its
//! discovery if the document contains known items beside it; otherwise its age is unknown, and it does not displace
//! items with a date. Consecutive ones keep the order of the document with a distance, so that one source never fills
//! the first page.

use chrono::{DateTime, TimeDelta, Utc};

use super::expiry::RETENTION;
use crate::connectors::Item;

/// The distance of consecutive items.
const DISTANCE: TimeDelta = TimeDelta::hours(6);
/// The assumed age of items in a document without known items.
const BACKLOG: TimeDelta = TimeDelta::days(30);
/// How far below a neighbour an item stands.
const BELOW: TimeDelta = TimeDelta::seconds(1);

/// Sets the times of the items without a date. `is_known` tells for each item whether it is stored already.
pub fn assume_times(items: &mut [Item], is_known: &[bool], now: DateTime<Utc>) {
    let first = if is_known.contains(&true) { now } else { now - BACKLOG };
    let dates: Vec<_> = items.iter().map(|item| item.published_at).collect();
    let mut next = first;
    for (place, (item, is_known)) in items.iter_mut().zip(is_known).enumerate() {
        if item.published_at.is_some() {
            continue;
        }
        let (before, from) = dates.split_at_checked(place).unwrap_or_default();
        // The first of a row of undated items.
        if before.last().is_none_or(Option::is_some) {
            let adjacent = before.last().into_iter().chain(from.iter().find(|date| date.is_some()));
            next = adjacent.flatten().min().map_or(first, |oldest| *oldest.min(&now) - BELOW);
        }
        // Items that would soon expire would come again.
        item.found_at = next.max(now - RETENTION / 2);
        if !is_known {
            next -= DISTANCE;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn now() -> DateTime<Utc> {
        "2026-11-22T12:00:00Z".parse().unwrap()
    }

    /// The hours before now of each undated item. `dates` are such hours, or `None`; the numbers are of known items.
    fn ages(dates: &[Option<i64>], known: &[usize]) -> Vec<i64> {
        let item = |date: &Option<i64>| Item {
            guid: None,
            url: String::new(),
            canonical_url: String::new(),
            exact_url: String::new(),
            title: String::new(),
            description: None,
            author: None,
            published_at: date.map(|hours| now() - TimeDelta::hours(hours)),
            published_date: None,
            found_at: now(),
        };
        let mut items: Vec<Item> = dates.iter().map(item).collect();
        let is_known: Vec<bool> = (0..dates.len()).map(|place| known.contains(&place)).collect();
        assume_times(&mut items, &is_known, now());
        let undated = items.iter().filter(|item| item.published_at.is_none());
        undated.map(|item| (now() - item.found_at).num_hours()).collect()
    }

    #[test]
    fn an_undated_item_is_older_than_the_dated_ones_beside_it() {
        assert_eq!(ages(&[Some(2), None, Some(30)], &[]), [30]);
        assert_eq!(ages(&[Some(30), None, Some(2)], &[]), [30], "the oldest first");
        assert_eq!(ages(&[None, Some(5)], &[]), [5]);
        assert_eq!(ages(&[Some(5), None], &[]), [5]);
        assert_eq!(ages(&[Some(1), None, None, None, Some(48)], &[]), [48, 54, 60]);
        assert_eq!(ages(&[None, Some(1), None, Some(3), None], &[]), [1, 3, 3]);
        assert_eq!(ages(&[None, Some(-5)], &[]), [0], "no later than now");
        assert_eq!(ages(&[Some(24 * 700), None], &[]), [24 * 365]);
    }

    #[test]
    fn a_document_without_dates_is_a_backlog_until_it_is_known() {
        assert_eq!(ages(&[None, None, None], &[]), [720, 726, 732]);
        assert_eq!(ages(&[None, None, None, None], &[2, 3])[..2], [0, 6]);
        let rotating = ages(&[None; 30], &[]);
        assert!(rotating.iter().all(|age| *age >= 720), "a source whose identifiers change each time stays behind");
        let many = ages(&[None; 30], &[29]);
        assert!(many.iter().filter(|age| **age < 24).count() <= 4, "{many:?}");
    }
}
