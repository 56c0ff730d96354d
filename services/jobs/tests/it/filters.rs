//! Filters and the literal search, one by one and together.

use chrono::TimeDelta;
use portia_proto::jobs::{EmploymentType, ExperienceLevel, ListJobsRequest, LocationFilter, PracticeArea};
use primitives::error::ErrorKind;

use crate::board::{Board, LISTED_ANEW, Posting, SOURCE, fields, posting, posting_id};

fn search(words: &str) -> ListJobsRequest {
    ListJobsRequest { search: words.to_owned(), ..Default::default() }
}

fn location(filter: LocationFilter) -> ListJobsRequest {
    ListJobsRequest { location: filter.into(), ..Default::default() }
}

#[tokio::test]
async fn a_location_is_a_whole_word_in_any_case() {
    let board = Board::open().await;
    let places = [
        "Seattle, WA",
        "spokane, wa",
        "Washington, D.C.",
        "Albany, NY",
        "NEW YORK CITY",
        "San José, CA",
        "california",
        "Remote - US",
        "Wausau, WI",
        "Cary, NC",
        "Nyack",
        "Newark / York",
        "Remoteville, OH",
    ];
    for (n, place) in (1..).zip(places) {
        board.put(Posting { location: Some(place), ..posting(n, place) }).await;
    }
    board.put(posting(90, "nowhere")).await;
    let washington = board.titles(location(LocationFilter::Washington)).await;
    assert_eq!(washington, ["Seattle, WA", "spokane, wa", "Washington, D.C."]);
    assert_eq!(board.titles(location(LocationFilter::NewYork)).await, ["Albany, NY", "NEW YORK CITY"]);
    assert_eq!(board.titles(location(LocationFilter::California)).await, ["San José, CA", "california"]);
    assert_eq!(board.titles(location(LocationFilter::Remote)).await, ["Remote - US"]);
    assert_eq!(board.titles(location(LocationFilter::Unspecified)).await.len(), 14);
}

#[tokio::test]
async fn a_remote_posting_always_says_so_in_its_location() {
    let board = Board::open().await;
    board.put(Posting { remote: true, location: Some("Austin (remote)"), ..posting(1, "says so") }).await;
    assert_eq!(board.titles(location(LocationFilter::Remote)).await, ["says so"]);
    let mute = sqlx::raw_sql("update jobs.postings set location = 'Austin'").execute(board.harness.pool()).await;
    let refused = db::Error::from(mute.unwrap_err());
    assert_eq!(refused.constraint(), Some("postings_location_check"));
}

#[tokio::test]
async fn filters_combine() {
    let board = Board::open().await;
    let whole = || Posting {
        location: Some("Oakland, CA"),
        employment_type: Some("internship"),
        experience_level: Some("entry-level"),
        practice_area: Some("immigration"),
        ..posting(1, "Asylum clinic intern")
    };
    board.put(whole()).await;
    board.put(Posting { n: 2, employment_type: Some("contract"), ..whole() }).await;
    board.put(Posting { n: 3, experience_level: Some("senior"), ..whole() }).await;
    board.put(Posting { n: 4, practice_area: Some("corporate"), ..whole() }).await;
    board.put(Posting { n: 5, location: Some("Reno, NV"), ..whole() }).await;
    board.put(Posting { n: 6, title: "Clinic intern", ..whole() }).await;
    board.put(Posting { n: 7, employment_type: None, experience_level: None, practice_area: None, ..whole() }).await;

    let one_by_one = [
        (ListJobsRequest { employment_type: EmploymentType::Internship.into(), ..Default::default() }, 5),
        (ListJobsRequest { experience_level: ExperienceLevel::EntryLevel.into(), ..Default::default() }, 5),
        (ListJobsRequest { practice_area: PracticeArea::Immigration.into(), ..Default::default() }, 5),
        (location(LocationFilter::California), 6),
        (search("asylum"), 6),
    ];
    for (request, expected) in one_by_one {
        assert_eq!(board.titles(request.clone()).await.len(), expected, "{request:?}");
    }
    let all = ListJobsRequest {
        search: "asylum".to_owned(),
        location: LocationFilter::California.into(),
        practice_area: PracticeArea::Immigration.into(),
        experience_level: ExperienceLevel::EntryLevel.into(),
        employment_type: EmploymentType::Internship.into(),
        ..Default::default()
    };
    assert_eq!(board.titles(all).await, ["Asylum clinic intern"]);
}

#[tokio::test]
async fn every_value_of_every_filter_finds_its_own() {
    let board = Board::open().await;
    let types = ["internship", "full-time", "part-time", "contract"];
    let levels = ["entry-level", "mid-level", "senior"];
    let areas = ["corporate", "litigation", "public-interest", "government", "immigration", "intellectual-property"];
    for (n, value) in (1..).zip(types) {
        board.put(Posting { employment_type: Some(value), ..posting(n, value) }).await;
    }
    for (n, value) in (11..).zip(levels) {
        board.put(Posting { experience_level: Some(value), ..posting(n, value) }).await;
    }
    for (n, value) in (21..).zip(areas) {
        board.put(Posting { practice_area: Some(value), ..posting(n, value) }).await;
    }
    for (wire, value) in (1..).zip(types) {
        let request = ListJobsRequest { employment_type: wire, ..Default::default() };
        assert_eq!(board.titles(request).await, [value]);
    }
    for (wire, value) in (1..).zip(levels) {
        let request = ListJobsRequest { experience_level: wire, ..Default::default() };
        assert_eq!(board.titles(request).await, [value]);
    }
    for (wire, value) in (1..).zip(areas) {
        let request = ListJobsRequest { practice_area: wire, ..Default::default() };
        assert_eq!(board.titles(request).await, [value]);
    }
}

/// Every place, area, level and type with every other, and none of each: one posting, and one list, for each of them.
#[tokio::test]
async fn every_set_of_filters_lists_what_passes_all_of_them() {
    let board = Board::open().await;
    let places = [None, Some("Seattle, WA"), Some("Albany, NY"), Some("Fresno, CA"), Some("Remote")];
    let areas = ["corporate", "litigation", "public-interest", "government", "immigration", "intellectual-property"];
    let levels = ["entry-level", "mid-level", "senior"];
    let types = ["internship", "full-time", "part-time", "contract"];
    let quoted = |held: Option<&str>| held.map_or_else(|| "null".to_owned(), |held| format!("'{held}'"));
    let pick = |values: &[&'static str], n: usize| n.checked_sub(1).map(|n| values[n]);
    let sets: Vec<[usize; 4]> = (0..5)
        .flat_map(|place| (0..7).flat_map(move |area| (0..4).map(move |level| [place, area, level])))
        .flat_map(|[place, area, level]| (0..5).map(move |kind| [place, area, level, kind]))
        .collect();
    let rows: Vec<String> = sets
        .iter()
        .enumerate()
        .map(|(n, [place, area, level, kind])| {
            format!(
                "('{}', '{SOURCE}', 'https://example.org/{n}', '{n}', 'Firm', {}, false, '', {}, {}, {}, '2026-01-01')",
                posting_id(u32::try_from(n).unwrap()),
                quoted(places[*place]),
                quoted(pick(&areas, *area)),
                quoted(pick(&levels, *level)),
                quoted(pick(&types, *kind)),
            )
        })
        .collect();
    let put = format!(
        "insert into jobs.postings (
            id, source_id, url, title, company, location, remote, description, practice_area, experience_level,
            employment_type, posted_at
        )
        values {};
        {LISTED_ANEW}",
        rows.join(", ")
    );
    board.harness.database().run(put).await;
    for asked in &sets {
        let [location, practice_area, experience_level, employment_type] = asked.map(|n| i32::try_from(n).unwrap());
        let mut request = ListJobsRequest {
            location,
            practice_area,
            experience_level,
            employment_type,
            page_size: 100,
            ..Default::default()
        };
        let mut listed = Vec::new();
        loop {
            let page = board.list(request.clone()).await.unwrap();
            listed.extend(page.jobs.into_iter().map(|job| job.title.parse::<usize>().unwrap()));
            if page.next_page_token.is_empty() {
                break;
            }
            request.page_token = page.next_page_token;
        }
        let passes = |set: &[usize; 4]| set.iter().zip(asked).all(|(is, asked)| *asked == 0 || is == asked);
        let expected: Vec<usize> = (0..sets.len()).rev().filter(|n| passes(&sets[*n])).collect();
        assert_eq!(listed, expected, "{asked:?}");
    }
}

#[tokio::test]
async fn one_in_several_places_is_listed_in_each() {
    let board = Board::open().await;
    let everywhere = "New York, California or remote (not Washington)";
    board
        .put(Posting { location: Some(everywhere), experience_level: Some("senior"), ..posting(1, "everywhere") })
        .await;
    for wire in 0..5 {
        for experience_level in [0, 3] {
            let request = ListJobsRequest { location: wire, experience_level, ..Default::default() };
            assert_eq!(board.titles(request).await, ["everywhere"]);
        }
    }
}

#[tokio::test]
async fn a_filtered_list_leaves_out_what_is_over_before_it_is_closed() {
    let board = Board::open().await;
    let now = board.harness.clock.now();
    for n in 1..=150 {
        let deadline = Some(if n % 5 == 0 { now + TimeDelta::days(1) } else { now - TimeDelta::seconds(1) });
        board.put(Posting { practice_area: Some("immigration"), deadline, ..posting(n, "Clerk") }).await;
    }
    for search in ["", "clerk"] {
        let request = ListJobsRequest { practice_area: 5, search: search.to_owned(), ..Default::default() };
        let first = board.list(request.clone()).await.unwrap();
        let second = board.list(ListJobsRequest { page_token: first.next_page_token, ..request }).await.unwrap();
        assert_eq!((first.jobs.len(), second.jobs.len(), second.next_page_token.as_str()), (20, 10, ""), "{search}");
    }
}

#[tokio::test]
async fn a_search_is_literal() {
    let board = Board::open().await;
    board.put(posting(1, "Earn 100% commission")).await;
    board.put(posting(2, "Earn 1000 commission")).await;
    board.put(posting(3, "law_clerk")).await;
    board.put(posting(4, "lawyclerk")).await;
    board.put(posting(5, r"back\slash")).await;
    assert_eq!(board.titles(search("100%")).await, ["Earn 100% commission"]);
    assert_eq!(board.titles(search("law_clerk")).await, ["law_clerk"]);
    assert_eq!(board.titles(search(r"k\s")).await, [r"back\slash"]);
    assert_eq!(board.titles(search("' or true --")).await, Vec::<String>::new());
}

#[tokio::test]
async fn every_word_must_occur_somewhere_in_any_case() {
    let board = Board::open().await;
    let spread = Posting { company: "Innocence Project", description: "Write BRIEFS.", ..posting(1, "Staff Attorney") };
    board.put(spread).await;
    board.put(posting(2, "Staff Attorney")).await;
    assert_eq!(board.titles(search("  briefs attorney   INNOCENCE ")).await, ["Staff Attorney"]);
    assert_eq!(board.titles(search("attorney")).await.len(), 2);
    assert_eq!(board.titles(search("   ")).await.len(), 2, "a blank search is none");
    assert_eq!(board.titles(search("attorney paralegal")).await, Vec::<String>::new());
}

#[tokio::test]
async fn a_search_pages_like_the_list() {
    let board = Board::open().await;
    for (n, title) in [(1, "clerk one"), (2, "judge"), (3, "clerk two")] {
        board.put(posting(n, title)).await;
    }
    let mut request = ListJobsRequest { page_size: 1, ..search("clerk") };
    let first = board.list(request.clone()).await.unwrap();
    request.page_token = first.next_page_token;
    let second = board.list(request).await.unwrap();
    assert_eq!(first.jobs[0].title, "clerk one");
    assert_eq!(second.jobs[0].title, "clerk two");
    assert_eq!(second.next_page_token, "");
}

#[tokio::test]
async fn bad_searches_are_refused_by_name() {
    let board = Board::open().await;
    let corpus = ["\0law", "la\0w", "law\0", "\u{202e}wal", "la\u{7}w", &"a".repeat(1 << 20), &"a ".repeat(90)];
    for bad in corpus {
        let refused = board.list(search(bad)).await.unwrap_err();
        assert_eq!((refused.kind, fields(&refused)), (ErrorKind::Invalid, vec!["search"]), "{bad:.9?}");
    }
}

#[tokio::test]
async fn unknown_filters_are_refused_all_at_once() {
    let board = Board::open().await;
    let request = ListJobsRequest {
        location: 99,
        practice_area: -1,
        experience_level: 4,
        employment_type: i32::MAX,
        ..Default::default()
    };
    let refused = board.list(request).await.unwrap_err();
    assert_eq!(refused.kind, ErrorKind::Invalid);
    assert_eq!(fields(&refused), ["location", "practiceArea", "experienceLevel", "employmentType"]);
}
