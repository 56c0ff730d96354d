//! Classification of new, changed, moved and repeated postings.

use chrono::DateTime;
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
    external_url: None,
    title: String::new(),
    fingerprint: None,
    is_open: true,
    is_of_another_source: false,
    is_removed: false,
};

fn known(id: u128, url: &str, mark: u8) -> KnownPosting {
    KnownPosting {
        id: Uuid::from_u128(id),
        url: url.to_owned(),
        title: "Clerk".to_owned(),
        fingerprint: Some(vec![mark; 16]),
        ..OPEN
    }
}

/// A found posting at a real address. Each title has a fingerprint of its own.
fn titled(url: &str, title: &str) -> ParsedPosting {
    let mark = title.bytes().fold(0, |mark: u8, byte| mark.wrapping_mul(31).wrapping_add(byte));
    ParsedPosting {
        url: crawler::canonical::canonical(&url.parse().unwrap()),
        external_url: Some(url.to_owned()),
        title: title.to_owned(),
        ..found("", mark)
    }
}

/// The stored posting of [`titled`].
fn stored(id: u128, url: &str, title: &str) -> KnownPosting {
    let ParsedPosting { url, external_url, title, fingerprint, .. } = titled(url, title);
    KnownPosting { id: Uuid::from_u128(id), url, external_url, title, fingerprint: Some(fingerprint.to_vec()), ..OPEN }
}

/// The numbers of the postings that a crawl changes with their titles, and the titles of new ones.
fn crawled(known: Vec<KnownPosting>, found: Vec<ParsedPosting>) -> (Vec<(u128, String)>, Vec<String>) {
    let ids = Ids::seeded(Clock::fixed(DateTime::UNIX_EPOCH), 1);
    let mut seen = SeenPostings::default();
    let (mut changes, mut additions) = classify(&ids, &known, found, &mut seen, false);
    let undecided = std::mem::take(&mut seen.undecided);
    let late = classify(&ids, &known, undecided, &mut seen, true);
    assert_eq!(seen.undecided, []);
    changes.extend(late.0);
    additions.extend(late.1);
    let changes = changes.into_iter().map(|(id, found)| (id.as_u128(), found.title)).collect();
    (changes, additions.into_iter().map(|(_, found)| found.title).collect())
}

fn kept(postings: &[(u128, &str)]) -> Vec<(u128, String)> {
    postings.iter().map(|(id, title)| (*id, (*title).to_owned())).collect()
}

/// Addresses that change a known posting, with its number, and new addresses.
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
    let mut seen = SeenPostings { ids: HashSet::from([Uuid::from_u128(1)]), ..SeenPostings::default() };
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

/// Pairs of an address and another page, which differ in what is tracking elsewhere.
const PAIRS: [(&str, &str); 7] = [
    ("https://ats.example/apply?ref=REQ-1", "https://ats.example/apply?ref=REQ-2"),
    ("https://ats.example/apply", "https://ats.example/apply?REF=REQ-2"),
    ("https://spajobs.example/#/job/11", "https://spajobs.example/#/job/12"),
    ("https://firm.example/show?cmp=901", "https://firm.example/show?cmpid=902"),
    ("https://firm.example/p?referrer=a1", "https://firm.example/p?referrer=a2"),
    ("https://firm.example/q?a=1&a=2", "https://firm.example/q?a=2&a=1"),
    ("https://firm.example/careers", "https://firm.example/careers?utm_source=rss"),
];

#[test]
fn postings_with_different_titles_are_never_one() {
    for (one, other) in PAIRS {
        let both = || vec![titled(one, "Associate"), titled(other, "Counsel")];
        assert_eq!(crawled(vec![], both()), (vec![], vec!["Associate".to_owned(), "Counsel".to_owned()]), "{one}");
        let (first, second) = (|| stored(1, one, "Associate"), || stored(2, other, "Counsel"));
        assert_eq!(crawled(vec![first()], both()), (kept(&[(1, "Associate")]), vec!["Counsel".to_owned()]), "{one}");
        assert_eq!(crawled(vec![second()], both()), (kept(&[(2, "Counsel")]), vec!["Associate".to_owned()]), "{one}");
        let known = (kept(&[(1, "Associate"), (2, "Counsel")]), vec![]);
        assert_eq!(crawled(vec![first(), second()], both()), known, "nothing is new at the next crawl: {one}");
        // Another one takes the place of the second.
        let replaced = vec![titled(one, "Associate"), titled(other, "Paralegal")];
        let (changes, new) = crawled(vec![first(), second()], replaced);
        assert_eq!(changes[0], (1, "Associate".to_owned()), "{one}");
        assert!(changes.len() + new.len() == 2, "{one}");
    }
}

#[test]
fn a_posting_with_another_title_is_the_same_at_an_address_of_its_own() {
    let known = || vec![stored(1, "https://firm.example/1?ref=a", "Associate")];
    let retitled = vec![titled("https://firm.example/1?ref=a&utm_source=x", "Senior Associate")];
    assert_eq!(crawled(known(), retitled), (kept(&[(1, "Senior Associate")]), vec![]));
    let elsewhere = vec![titled("https://firm.example/1?ref=b", "Counsel")];
    assert_eq!(crawled(known(), elsewhere), (vec![], vec!["Counsel".to_owned()]));
    let page = "https://firm.example/careers";
    let two = vec![stored(1, page, "Associate"), stored(2, page, "Counsel")];
    let replaced = vec![titled(page, "Associate"), titled(page, "Paralegal")];
    assert_eq!(crawled(two, replaced), (kept(&[(1, "Associate")]), vec!["Paralegal".to_owned()]));
}

#[test]
fn tracking_of_an_address_may_change() {
    let (old, new) = ("https://firm.example/1?ref=monday", "https://firm.example/1?ref=tuesday");
    assert_eq!(crawled(vec![stored(1, old, "Clerk")], vec![titled(new, "Clerk")]), (kept(&[(1, "Clerk")]), vec![]));
    let two = vec![titled(new, "Clerk"), titled(old, "Clerk")];
    assert_eq!(crawled(vec![stored(1, old, "Clerk")], two), (kept(&[(1, "Clerk")]), vec!["Clerk".to_owned()]));
    let moved_place = ParsedPosting { fingerprint: [9; 16], ..titled(new, "Clerk") };
    let closed = KnownPosting { is_open: false, ..stored(1, old, "Clerk") };
    assert_eq!(crawled(vec![closed], vec![moved_place]), (kept(&[(1, "Clerk")]), vec![]));
    let removed = || KnownPosting { is_open: false, is_removed: true, ..stored(1, old, "Clerk") };
    assert_eq!(crawled(vec![removed()], vec![titled(new, "Clerk")]), (vec![], vec![]), "it stays removed");
    assert_eq!(crawled(vec![removed()], vec![titled(old, "Law Clerk")]), (vec![], vec![]), "whatever its title");
    assert_eq!(crawled(vec![removed()], vec![titled(new, "Law Clerk")]), (vec![], vec!["Law Clerk".to_owned()]));
}

#[test]
fn a_posting_of_another_source_hides_one_with_its_title() {
    let theirs = |url, title| KnownPosting { is_of_another_source: true, ..stored(1, url, title) };
    let page = "https://firm.example/careers";
    let tracked = "https://firm.example/careers?ref=2";
    for (found, new) in [
        (vec![titled(page, "Clerk")], vec![]),
        (vec![titled(page, "CLERK ")], vec![]),
        (vec![titled(tracked, "Clerk")], vec![]),
        (vec![titled(page, "Law Clerk")], vec!["Law Clerk"]),
        (vec![titled(page, "Clerk"), titled(page, "Counsel")], vec!["Counsel"]),
        (vec![titled(page, "Counsel"), titled(page, "Law Clerk")], vec!["Counsel", "Law Clerk"]),
        (vec![titled(tracked, "Counsel")], vec!["Counsel"]),
    ] {
        let new = new.into_iter().map(str::to_owned).collect();
        let case = format!("{found:?}");
        assert_eq!(crawled(vec![theirs(page, "Clerk")], found), (vec![], new), "{case}");
    }
    let mut seen = SeenPostings::default();
    sorting(vec![theirs(page, "Clerk")], vec![titled(page, "Clerk")], &mut seen, true);
    assert_eq!(seen.ids, HashSet::new(), "its source decides whether it is missing");
}

#[test]
fn a_posting_keeps_its_identity_beside_one_of_another_source() {
    let page = "https://firm.example/careers";
    let theirs = KnownPosting { is_of_another_source: true, ..stored(1, page, "Clerk") };
    let both = vec![theirs, stored(2, page, "Law Clerk")];
    let retitled = vec![titled(page, "Senior Law Clerk")];
    assert_eq!(crawled(both, retitled), (kept(&[(2, "Senior Law Clerk")]), vec![]));
}
