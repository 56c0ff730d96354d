//! What is new, what has changed and what is told twice.

use chassis::clock::Clock;

use super::*;

fn found(url: &str, mark: u8) -> Found {
    Found {
        url: url.to_owned(),
        fingerprint: [mark; 16],
        title: "Clerk".to_owned(),
        company: "Firm".to_owned(),
        location: None,
        remote: false,
        description: String::new(),
        employment_type: None,
        experience_level: None,
        practice_area: None,
        salary: None,
        application_deadline: None,
        external_url: None,
        posted_at: None,
    }
}

const OPEN: Known = Known { id: Uuid::nil(), url: String::new(), fingerprint: None, is_open: true, is_anothers: false };

fn known(id: u128, url: &str, mark: u8) -> Known {
    Known { id: Uuid::from_u128(id), url: url.to_owned(), fingerprint: Some(vec![mark; 16]), ..OPEN }
}

/// Addresses that change a known posting, with its number, and those that are new.
fn sorted(known: Vec<Known>, found: Vec<Found>, seen: &[u128]) -> (Vec<(u128, String)>, Vec<String>) {
    let ids = Ids::seeded(Clock::fixed(DateTime::UNIX_EPOCH), 1);
    let mut seen = seen.iter().map(|id| Uuid::from_u128(*id)).collect();
    let (changes, additions) = sort(&ids, known, found, &mut seen);
    assert!(changes.iter().chain(&additions).all(|(id, _)| seen.contains(id)));
    let changes = changes.into_iter().map(|(id, found)| (id.as_u128(), found.url)).collect();
    (changes, additions.into_iter().map(|(_, found)| found.url).collect())
}

fn nothing() -> (Vec<(u128, String)>, Vec<String>) {
    (vec![], vec![])
}

#[test]
fn an_address_is_known_or_new() {
    let (changed, new) = sorted(vec![known(1, "a", 1)], vec![found("a", 9), found("b", 2)], &[]);
    assert_eq!((changed, new), (vec![(1, "a".to_owned())], vec!["b".to_owned()]));
}

#[test]
fn the_same_at_another_address_has_moved_unless_the_old_one_is_still_told_of() {
    let moved = sorted(vec![known(1, "a", 1)], vec![found("b", 1)], &[]);
    assert_eq!(moved, (vec![(1, "b".to_owned())], vec![]));
    let (changed, new) = sorted(vec![known(1, "a", 1)], vec![found("b", 1), found("a", 1)], &[]);
    assert_eq!((changed, new), (vec![(1, "a".to_owned())], vec![]), "later in the batch");
    assert_eq!(sorted(vec![known(1, "a", 1)], vec![found("b", 1)], &[1]), nothing(), "earlier in the crawl");
}

#[test]
fn told_twice_is_one() {
    let (changed, new) = sorted(vec![], vec![found("a", 1), found("b", 1), found("a", 2)], &[]);
    assert_eq!((changed, new), (vec![], vec!["a".to_owned()]));
    assert_eq!(sorted(vec![known(1, "a", 1)], vec![found("a", 1)], &[1]), nothing());
    let (changed, new) = sorted(vec![known(1, "a", 1)], vec![found("a", 2), found("b", 2)], &[]);
    assert_eq!((changed.len(), new), (1, vec![]), "what becomes the same in one batch");
}

#[test]
fn anothers_is_left_to_it_while_that_is_on() {
    let theirs = || Known { is_anothers: true, ..known(1, "a", 1) };
    assert_eq!(sorted(vec![theirs()], vec![found("a", 1)], &[]), nothing());
    assert_eq!(sorted(vec![theirs()], vec![found("b", 1)], &[]), nothing());
    let closed = Known { is_open: false, ..theirs() };
    assert_eq!(sorted(vec![closed], vec![found("a", 1)], &[]), (vec![(1, "a".to_owned())], vec![]));
}

#[test]
fn a_closed_one_opens_again_unless_it_is_open_elsewhere() {
    let closed = || Known { is_open: false, ..known(1, "a", 1) };
    assert_eq!(sorted(vec![closed()], vec![found("a", 1)], &[]), (vec![(1, "a".to_owned())], vec![]));
    assert_eq!(sorted(vec![closed(), known(2, "b", 1)], vec![found("a", 1)], &[]), nothing());
}
