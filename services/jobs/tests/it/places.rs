//! Places: those in the Philippines as filters, and the location in the literal search.

use portia_proto::jobs::{EmploymentType, ExperienceLevel, ListJobsRequest, LocationFilter, PracticeArea};

use crate::{
    filters::{location, search},
    fixtures::{Fixture, Posting, posting},
};

#[tokio::test]
async fn a_place_in_the_philippines_is_listed_in_its_city_region_and_country() {
    let fixture = Fixture::empty().await;
    let places = [
        "Manila, Philippines",
        "Makati, Metro Manila",
        "QUEZON CITY",
        "Bonifacio Global City, Taguig",
        "BGC",
        "Ortigas Center, Pasig",
        "Parañaque",
        "Cebu City",
        "Davao",
        "Baguio",
        "Remote - PH",
        "Manilatown, CA",
        "Quezon, Quebec (QC)",
    ];
    for (n, place) in (1..).zip(places) {
        fixture.insert_posting(Posting { location: Some(place), ..posting(n, place) }).await;
    }
    let all = &places[..11];
    for (filter, expected) in [
        (LocationFilter::Philippines, all),
        (LocationFilter::MetroManila, &all[..7]),
        (LocationFilter::Manila, &all[..1]),
        (LocationFilter::Makati, &all[1..2]),
        (LocationFilter::QuezonCity, &all[2..3]),
        (LocationFilter::Taguig, &all[3..5]),
        (LocationFilter::Pasig, &all[5..6]),
        (LocationFilter::CebuCity, &all[7..8]),
        (LocationFilter::DavaoCity, &all[8..9]),
        (LocationFilter::Remote, &all[10..11]),
        (LocationFilter::California, &places[11..12]),
    ] {
        assert_eq!(fixture.titles(location(filter)).await, expected, "{filter:?}");
    }
}

#[tokio::test]
async fn a_place_in_the_philippines_combines_with_every_other_filter() {
    let fixture = Fixture::empty().await;
    let intern = || Posting {
        location: Some("Davao City"),
        employment_type: Some("internship"),
        experience_level: Some("entry-level"),
        practice_area: Some("intellectual-property"),
        ..posting(1, "Intern")
    };
    fixture.insert_posting(intern()).await;
    fixture.insert_posting(Posting { n: 2, title: "Contractor", employment_type: Some("contract"), ..intern() }).await;
    fixture.insert_posting(Posting { n: 3, title: "Elsewhere", location: Some("Seattle, WA"), ..intern() }).await;
    for wire in 1..=13 {
        for search in ["", "intern"] {
            let request = ListJobsRequest {
                search: search.to_owned(),
                location: wire,
                practice_area: PracticeArea::IntellectualProperty.into(),
                experience_level: ExperienceLevel::EntryLevel.into(),
                employment_type: EmploymentType::Internship.into(),
                ..Default::default()
            };
            let expected = match LocationFilter::try_from(wire).unwrap() {
                LocationFilter::Philippines | LocationFilter::DavaoCity => vec!["Intern"],
                LocationFilter::Washington if search.is_empty() => vec!["Elsewhere"],
                _ => vec![],
            };
            assert_eq!(fixture.titles(request).await, expected, "{wire} {search}");
        }
    }
}

#[tokio::test]
async fn a_search_looks_at_the_location() {
    let fixture = Fixture::empty().await;
    for (n, title, place) in [
        (1, "Associate", Some("Makati, Metro Manila")),
        (2, "Associate in tax", Some("New York, NY")),
        (3, "Associate at home", Some("Remote (Philippines)")),
        (4, "Associate of none", None),
    ] {
        fixture.insert_posting(Posting { location: place, ..posting(n, title) }).await;
    }
    for (words, expected) in [
        ("manila", vec!["Associate"]),
        ("MANILA associate", vec!["Associate"]),
        ("new york", vec!["Associate in tax"]),
        ("remote", vec!["Associate at home"]),
        ("manila tax", vec![]),
        ("null", vec![]),
    ] {
        assert_eq!(fixture.titles(search(words)).await, expected, "{words}");
    }
    let changed = "update jobs.postings set location = 'Cebu City' where title = 'Associate'";
    fixture.harness.database().run(changed).await;
    assert_eq!(fixture.titles(search("manila")).await, Vec::<String>::new());
    assert_eq!(fixture.titles(search("cebu")).await, ["Associate"]);
}
