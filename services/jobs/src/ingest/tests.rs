//! Classification of new, changed, moved and repeated postings.

use primitives::clock::Clock;

use super::*;

fn found(url: &str, mark: u8) -> ParsedPosting {
    ParsedPosting {
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

const OPEN: KnownPosting = KnownPosting {
    id: Uuid::nil(),
    url: String::new(),
    fingerprint: None,
    is_open: true,
    is_of_another_source: false,
    is_removed: false,
};

fn known(id: u128, url: &str, mark: u8) -> KnownPosting {
    KnownPosting { id: Uuid::from_u128(id), url: url.to_owned(), fingerprint: Some(vec![mark; 16]), ..OPEN }
}

/// Addresses that change a known posting, with its number, and those that are new.
type Sorted = (Vec<(u128, String)>, Vec<String>);

fn sorting(known: Vec<KnownPosting>, found: Vec<ParsedPosting>, seen: &mut SeenPostings, is_last: bool) -> Sorted {
    let ids = Ids::seeded(Clock::fixed(DateTime::UNIX_EPOCH), 1);
    let (changes, additions) = classify(&ids, &known, found, seen, is_last);
    assert!(changes.iter().chain(&additions).all(|(id, _)| seen.ids.contains(id)));
    let changes = changes.into_iter().map(|(id, found)| (id.as_u128(), found.url)).collect();
    (changes, additions.into_iter().map(|(_, found)| found.url).collect())
}

/// A crawl of one batch; undecided postings are classified at its end.
fn sorted(known: &[(u128, &str, u8)], found: Vec<ParsedPosting>) -> Sorted {
    let known = || known.iter().map(|(id, url, mark)| self::known(*id, url, *mark)).collect();
    let mut seen = SeenPostings::default();
    let (mut changed, mut new) = sorting(known(), found, &mut seen, false);
    let undecided = std::mem::take(&mut seen.undecided);
    let late = sorting(known(), undecided, &mut seen, true);
    assert_eq!(seen.undecided, [], "nothing stays undecided");
    changed.extend(late.0);
    new.extend(late.1);
    (changed, new)
}

fn one(known: KnownPosting, found: ParsedPosting) -> Sorted {
    sorting(vec![known], vec![found], &mut SeenPostings::default(), true)
}

fn changed(id: u128, url: &str) -> (u128, String) {
    (id, url.to_owned())
}

fn nothing() -> Sorted {
    (vec![], vec![])
}

#[test]
fn a_posting_is_recognised_by_its_address() {
    let sorted = sorted(&[(1, "a", 1)], vec![found("a", 9), found("b", 2)]);
    assert_eq!(sorted, (vec![changed(1, "a")], vec!["b".to_owned()]));
}

#[test]
fn a_known_fingerprint_has_moved_unless_the_old_address_is_in_the_crawl() {
    assert_eq!(sorted(&[(1, "a", 1)], vec![found("b", 1)]), (vec![changed(1, "b")], vec![]));
    let two = (vec![changed(1, "a")], vec!["b".to_owned()]);
    assert_eq!(sorted(&[(1, "a", 1)], vec![found("b", 1), found("a", 1)]), two, "later in the batch");
    assert_eq!(sorted(&[(1, "a", 1)], vec![found("a", 1), found("b", 1)]), two, "earlier in the batch");
    // In a batch of its own.
    let mut seen = SeenPostings::default();
    assert_eq!(sorting(vec![known(1, "a", 1)], vec![found("b", 1)], &mut seen, false), nothing());
    assert_eq!(sorting(vec![known(1, "a", 1)], vec![found("a", 1)], &mut seen, false).0, [changed(1, "a")]);
    let undecided = std::mem::take(&mut seen.undecided);
    assert_eq!(sorting(vec![known(1, "a", 1)], undecided, &mut seen, true).1, ["b"]);
}

#[test]
fn of_two_equal_postings_the_missing_one_has_moved() {
    let twins = [(1, "a", 1), (2, "b", 1)];
    assert_eq!(sorted(&twins, vec![found("c", 1), found("a", 1)]), (vec![changed(1, "a"), changed(2, "c")], vec![]));
    assert_eq!(sorted(&twins, vec![found("c", 1), found("b", 1)]), (vec![changed(2, "b"), changed(1, "c")], vec![]));
    let both = sorted(&twins, vec![found("c", 1), found("d", 1), found("e", 1)]);
    assert_eq!(both, (vec![changed(1, "c"), changed(2, "d")], vec!["e".to_owned()]));
}

#[test]
fn each_address_is_one_posting() {
    let (changed, new) = sorted(&[], vec![found("a", 1), found("b", 1), found("a", 2)]);
    assert_eq!((changed, new), (vec![], vec!["a".to_owned(), "b".to_owned()]));
    let mut seen = SeenPostings { ids: HashSet::from([Uuid::from_u128(1)]), undecided: vec![] };
    assert_eq!(sorting(vec![known(1, "a", 1)], vec![found("a", 1)], &mut seen, true), nothing());
}

#[test]
fn a_posting_of_another_configured_source_is_unchanged() {
    let theirs = || KnownPosting { is_of_another_source: true, ..known(1, "a", 1) };
    assert_eq!(one(theirs(), found("a", 1)), nothing());
    assert_eq!(one(theirs(), found("b", 1)), nothing());
    let closed = KnownPosting { is_open: false, ..theirs() };
    assert_eq!(one(closed, found("a", 1)), (vec![changed(1, "a")], vec![]));
}

#[test]
fn a_closed_posting_reopens_unless_another_source_has_it_open() {
    let closed = || KnownPosting { is_open: false, ..known(1, "a", 1) };
    let open = |is_of_another_source| KnownPosting { is_of_another_source, ..known(2, "b", 1) };
    let sort_one = |known: Vec<KnownPosting>| sorting(known, vec![found("a", 1)], &mut SeenPostings::default(), true);
    assert_eq!(sort_one(vec![closed()]), (vec![changed(1, "a")], vec![]));
    assert_eq!(sort_one(vec![closed(), open(false)]), (vec![changed(1, "a")], vec![]));
    assert_eq!(sort_one(vec![closed(), open(true)]), nothing());
}

#[test]
fn a_removed_posting_stays_closed_at_its_address_only() {
    let removed = || KnownPosting { is_open: false, is_removed: true, ..known(1, "a", 1) };
    assert_eq!(one(removed(), found("a", 1)), nothing());
    assert_eq!(one(removed(), found("a", 9)), nothing(), "whatever it says by now");
    assert_eq!(one(removed(), found("b", 1)), (vec![], vec!["b".to_owned()]), "elsewhere it is another");
}
