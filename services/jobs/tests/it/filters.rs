//! Filters and the literal search, one by one and together.

use chrono::TimeDelta;
use portia_proto::jobs::{EmploymentType, ExperienceLevel, ListJobsRequest, LocationFilter, PracticeArea};
use primitives::error::ErrorKind;

use crate::fixtures::{Fixture, Posting, REBUILD_LISTINGS, SOURCE, fields, posting, posting_id};

pub fn search(words: &str) -> ListJobsRequest {
    ListJobsRequest { search: words.to_owned(), ..Default::default() }
}

pub fn location(filter: LocationFilter) -> ListJobsRequest {
    ListJobsRequest { location: filter.into(), ..Default::default() }
}

#[tokio::test]
async fn a_location_matches_whole_words_in_any_case() {
    let fixture = Fixture::empty().await;
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
        fixture.insert_posting(Posting { location: Some(place), ..posting(n, place) }).await;
    }
    fixture.insert_posting(posting(90, "nowhere")).await;
    let washington = fixture.titles(location(LocationFilter::Washington)).await;
    assert_eq!(washington, ["Seattle, WA", "spokane, wa", "Washington, D.C."]);
    assert_eq!(fixture.titles(location(LocationFilter::NewYork)).await, ["Albany, NY", "NEW YORK CITY"]);
    assert_eq!(fixture.titles(location(LocationFilter::California)).await, ["San José, CA", "california"]);
    assert_eq!(fixture.titles(location(LocationFilter::Remote)).await, ["Remote - US"]);
    assert_eq!(fixture.titles(location(LocationFilter::Unspecified)).await.len(), 14);
}

#[tokio::test]
async fn the_location_of_a_remote_posting_contains_remote() {
    let fixture = Fixture::empty().await;
    fixture.insert_posting(Posting { remote: true, location: Some("Austin (remote)"), ..posting(1, "says so") }).await;
    assert_eq!(fixture.titles(location(LocationFilter::Remote)).await, ["says so"]);
    let mute = sqlx::raw_sql("update jobs.postings set location = 'Austin'").execute(fixture.harness.pool()).await;
    let refused = db::Error::from(mute.unwrap_err());
    assert_eq!(refused.constraint(), Some("postings_location_check"));
}

#[tokio::test]
async fn filters_combine() {
    let fixture = Fixture::empty().await;
    let whole = || Posting {
        location: Some("Oakland, CA"),
        employment_type: Some("internship"),
        experience_level: Some("entry-level"),
        practice_area: Some("immigration"),
        ..posting(1, "Asylum clinic intern")
    };
    fixture.insert_posting(whole()).await;
    fixture.insert_posting(Posting { n: 2, employment_type: Some("contract"), ..whole() }).await;
    fixture.insert_posting(Posting { n: 3, experience_level: Some("senior"), ..whole() }).await;
    fixture.insert_posting(Posting { n: 4, practice_area: Some("corporate"), ..whole() }).await;
    fixture.insert_posting(Posting { n: 5, location: Some("Reno, NV"), ..whole() }).await;
    fixture.insert_posting(Posting { n: 6, title: "Clinic intern", ..whole() }).await;
    fixture
        .insert_posting(Posting { n: 7, employment_type: None, experience_level: None, practice_area: None, ..whole() })
        .await;

    let one_by_one = [
        (ListJobsRequest { employment_type: EmploymentType::Internship.into(), ..Default::default() }, 5),
        (ListJobsRequest { experience_level: ExperienceLevel::EntryLevel.into(), ..Default::default() }, 5),
        (ListJobsRequest { practice_area: PracticeArea::Immigration.into(), ..Default::default() }, 5),
        (location(LocationFilter::California), 6),
        (search("asylum"), 6),
    ];
    for (request, expected) in one_by_one {
        assert_eq!(fixture.titles(request.clone()).await.len(), expected, "{request:?}");
    }
    let all = ListJobsRequest {
        search: "asylum".to_owned(),
        location: LocationFilter::California.into(),
        practice_area: PracticeArea::Immigration.into(),
        experience_level: ExperienceLevel::EntryLevel.into(),
        employment_type: EmploymentType::Internship.into(),
        ..Default::default()
    };
    assert_eq!(fixture.titles(all).await, ["Asylum clinic intern"]);
}

#[tokio::test]
async fn every_filter_value_lists_its_postings() {
    let fixture = Fixture::empty().await;
    let types = ["internship", "full-time", "part-time", "contract"];
    let levels = ["entry-level", "mid-level", "senior"];
    let areas = ["corporate", "litigation", "public-interest", "government", "immigration", "intellectual-property"];
    for (n, value) in (1..).zip(types) {
        fixture.insert_posting(Posting { employment_type: Some(value), ..posting(n, value) }).await;
    }
    for (n, value) in (11..).zip(levels) {
        fixture.insert_posting(Posting { experience_level: Some(value), ..posting(n, value) }).await;
    }
    for (n, value) in (21..).zip(areas) {
        fixture.insert_posting(Posting { practice_area: Some(value), ..posting(n, value) }).await;
    }
    for (wire, value) in (1..).zip(types) {
        let request = ListJobsRequest { employment_type: wire, ..Default::default() };
        assert_eq!(fixture.titles(request).await, [value]);
    }
    for (wire, value) in (1..).zip(levels) {
        let request = ListJobsRequest { experience_level: wire, ..Default::default() };
        assert_eq!(fixture.titles(request).await, [value]);
    }
    for (wire, value) in (1..).zip(areas) {
        let request = ListJobsRequest { practice_area: wire, ..Default::default() };
        assert_eq!(fixture.titles(request).await, [value]);
    }
}

/// All combinations of place, area, level and type, each also absent: one posting and one list for each.
#[tokio::test]
async fn every_set_of_filters_lists_the_postings_that_match_all() {
    let fixture = Fixture::empty().await;
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
        {REBUILD_LISTINGS}",
        rows.join(", ")
    );
    fixture.harness.database().run(put).await;
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
            let page = fixture.list_jobs(request.clone()).await.unwrap();
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
async fn a_posting_in_several_places_is_listed_in_each() {
    let fixture = Fixture::empty().await;
    let everywhere = "New York, California or remote (not Washington)";
    fixture
        .insert_posting(Posting {
            location: Some(everywhere),
            experience_level: Some("senior"),
            ..posting(1, "everywhere")
        })
        .await;
    for wire in 0..5 {
        for experience_level in [0, 3] {
            let request = ListJobsRequest { location: wire, experience_level, ..Default::default() };
            assert_eq!(fixture.titles(request).await, ["everywhere"]);
        }
    }
}

#[tokio::test]
async fn a_filtered_list_omits_expired_postings() {
    let fixture = Fixture::empty().await;
    let now = fixture.harness.clock.now();
    for n in 1..=150 {
        let deadline = Some(if n % 5 == 0 { now + TimeDelta::days(1) } else { now - TimeDelta::seconds(1) });
        fixture.insert_posting(Posting { practice_area: Some("immigration"), deadline, ..posting(n, "Clerk") }).await;
    }
    for search in ["", "clerk"] {
        let request = ListJobsRequest { practice_area: 5, search: search.to_owned(), ..Default::default() };
        let first = fixture.list_jobs(request.clone()).await.unwrap();
        let second = fixture.list_jobs(ListJobsRequest { page_token: first.next_page_token, ..request }).await.unwrap();
        assert_eq!((first.jobs.len(), second.jobs.len(), second.next_page_token.as_str()), (20, 10, ""), "{search}");
    }
}

#[tokio::test]
async fn a_search_is_literal() {
    let fixture = Fixture::empty().await;
    fixture.insert_posting(posting(1, "Earn 100% commission")).await;
    fixture.insert_posting(posting(2, "Earn 1000 commission")).await;
    fixture.insert_posting(posting(3, "law_clerk")).await;
    fixture.insert_posting(posting(4, "lawyclerk")).await;
    fixture.insert_posting(posting(5, r"back\slash")).await;
    assert_eq!(fixture.titles(search("100%")).await, ["Earn 100% commission"]);
    assert_eq!(fixture.titles(search("law_clerk")).await, ["law_clerk"]);
    assert_eq!(fixture.titles(search(r"k\s")).await, [r"back\slash"]);
    assert_eq!(fixture.titles(search("' or true --")).await, Vec::<String>::new());
}

/// Programs set apostrophes, dashes and quotes in several ways, and punctuation around a word is no part of it.
#[tokio::test]
async fn a_search_does_not_depend_on_the_signs_of_a_program() {
    let fixture = Fixture::empty().await;
    let of_text = |n, title, description| Posting { description, ..posting(n, title) };
    fixture.insert_posting(of_text(1, "Prosecutor\u{2019}s Office", "A bachelor\u{2bc}s degree")).await;
    fixture.insert_posting(of_text(2, "Staff Attorney", "C++ and AT&T; a can\u{2011}do attitude, \u{a7} 230")).await;
    fixture.insert_posting(of_text(3, "Prosecutors", "We can do: a bachelors degree, C, AT T")).await;
    for (words, expected) in [
        ("prosecutor's", vec!["Prosecutor\u{2019}s Office"]),
        ("PROSECUTOR\u{2018}S office", vec!["Prosecutor\u{2019}s Office"]),
        ("bachelor\u{2019}s", vec!["Prosecutor\u{2019}s Office"]),
        ("bachelor\u{ff07}s degree.", vec!["Prosecutor\u{2019}s Office"]),
        ("\"Staff Attorney\"", vec!["Staff Attorney"]),
        ("\u{201c}staff\u{201d}, attorney", vec!["Staff Attorney"]),
        ("attorney (staff)", vec!["Staff Attorney"]),
        ("can-do", vec!["Staff Attorney"]),
        ("can\u{2013}do attitude", vec!["Staff Attorney"]),
        ("c++", vec!["Staff Attorney"]),
        ("at&t", vec!["Staff Attorney"]),
        ("\u{a7} 230", vec!["Staff Attorney"]),
        ("staff - attorney", vec!["Staff Attorney"]),
        ("can-to", vec![]),
    ] {
        assert_eq!(fixture.titles(search(words)).await, expected, "{words}");
    }
    assert_eq!(fixture.titles(search("prosecutor")).await.len(), 2);
    assert_eq!(fixture.titles(search("\"")).await.len(), 3, "a search without a word is none");
}

#[tokio::test]
async fn every_word_must_occur_in_any_case() {
    let fixture = Fixture::empty().await;
    let spread = Posting { company: "Innocence Project", description: "Write BRIEFS.", ..posting(1, "Staff Attorney") };
    fixture.insert_posting(spread).await;
    fixture.insert_posting(posting(2, "Staff Attorney")).await;
    assert_eq!(fixture.titles(search("  briefs attorney   INNOCENCE ")).await, ["Staff Attorney"]);
    assert_eq!(fixture.titles(search("attorney")).await.len(), 2);
    assert_eq!(fixture.titles(search("   ")).await.len(), 2, "a blank search is none");
    assert_eq!(fixture.titles(search("attorney paralegal")).await, Vec::<String>::new());
}

#[tokio::test]
async fn a_search_has_pages() {
    let fixture = Fixture::empty().await;
    for (n, title) in [(1, "clerk one"), (2, "judge"), (3, "clerk two")] {
        fixture.insert_posting(posting(n, title)).await;
    }
    let mut request = ListJobsRequest { page_size: 1, ..search("clerk") };
    let first = fixture.list_jobs(request.clone()).await.unwrap();
    request.page_token = first.next_page_token;
    let second = fixture.list_jobs(request).await.unwrap();
    assert_eq!(first.jobs[0].title, "clerk one");
    assert_eq!(second.jobs[0].title, "clerk two");
    assert_eq!(second.next_page_token, "");
}

#[tokio::test]
async fn invalid_searches_name_the_field() {
    let fixture = Fixture::empty().await;
    let corpus = ["\0law", "la\0w", "law\0", "\u{202e}wal", "la\u{7}w", &"a".repeat(1 << 20), &"a ".repeat(90)];
    for bad in corpus {
        let refused = fixture.list_jobs(search(bad)).await.unwrap_err();
        assert_eq!((refused.kind, fields(&refused)), (ErrorKind::Invalid, vec!["search"]), "{bad:.9?}");
    }
}

#[tokio::test]
async fn all_unknown_filters_are_reported() {
    let fixture = Fixture::empty().await;
    let request = ListJobsRequest {
        location: 99,
        practice_area: -1,
        experience_level: 4,
        employment_type: i32::MAX,
        ..Default::default()
    };
    let refused = fixture.list_jobs(request).await.unwrap_err();
    assert_eq!(refused.kind, ErrorKind::Invalid);
    assert_eq!(fields(&refused), ["location", "practiceArea", "experienceLevel", "employmentType"]);
}
