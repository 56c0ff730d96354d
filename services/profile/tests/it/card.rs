//! UpdateMember: only the fields of the mask change.

use portia_proto::profile::{MemberChanged, UpdateMemberRequest, update_member_request::Picture};
use primitives::error::ErrorKind;
use prost_types::FieldMask;

use crate::{Profile, details, registration};

fn naming(paths: &[&str]) -> UpdateMemberRequest {
    let paths = paths.iter().map(|path| (*path).to_owned()).collect();
    UpdateMemberRequest {
        update_mask: Some(FieldMask { paths }),
        full_name: "Isabel Reyes".into(),
        headline: "3L".into(),
        location: "Manila".into(),
        website: "https://example.org".into(),
        linkedin: "https://example.org/in/isabel".into(),
        school: "Ateneo Law".into(),
        graduation_year: "2028".into(),
        jurisdictions: vec!["us-ny".into(), "ph".into()],
        interests: vec!["tax".into(), "criminal".into()],
        picture: None,
    }
}

const ALL: [&str; 9] = [
    "full_name",
    "headline",
    "location",
    "website",
    "linkedin",
    "school",
    "graduation_year",
    "jurisdictions",
    "interests",
];

#[tokio::test]
async fn only_the_fields_of_the_mask_change() {
    let profile = Profile::start().await;
    let before = profile.ensure(registration(1)).await.unwrap();
    let after = profile.update(1, naming(&["headline"])).await.unwrap();
    assert_eq!(after.headline.as_deref(), Some("3L"));
    assert_eq!((&after.full_name, &after.location, &after.website), (&before.full_name, &before.location, &None));

    let after = profile.update(1, naming(&ALL)).await.unwrap();
    let links = (after.website.as_deref(), after.linkedin.as_deref());
    assert_eq!(links, (Some("https://example.org"), Some("https://example.org/in/isabel")));
    assert_eq!((after.full_name.as_str(), after.location.as_deref()), ("Isabel Reyes", Some("Manila")));
    assert_eq!((after.school.as_deref(), after.graduation_year.as_deref()), (Some("Ateneo Law"), Some("2028")));
    assert_eq!((after.jurisdictions.join(" "), after.interests.join(" ")), ("ph us-ny".into(), "criminal tax".into()));
    assert_eq!(profile.view_profile(1, 1).await.unwrap().member, Some(after.clone()));
    assert_eq!(
        profile.update(1, UpdateMemberRequest::default()).await.unwrap(),
        after,
        "an empty mask changes nothing"
    );

    let named = FieldMask { paths: ALL[1..].iter().map(|path| (*path).to_owned()).collect() };
    let cleared =
        profile.update(1, UpdateMemberRequest { update_mask: Some(named), ..Default::default() }).await.unwrap();
    assert_eq!((cleared.headline, cleared.website, cleared.school), (None, None, None));
    assert_eq!((cleared.jurisdictions.len(), cleared.interests.len()), (0, 0));
    assert_eq!(profile.fact_count::<MemberChanged>().await, 5, "one creation and four updates");
}

#[tokio::test]
async fn a_full_name_cannot_be_cleared() {
    let profile = Profile::start().await;
    profile.ensure(registration(1)).await.unwrap();
    for name in ["", " ", "I", "\u{200b}\u{200b}"] {
        let error =
            details(profile.update(1, UpdateMemberRequest { full_name: name.into(), ..naming(&["full_name"]) }).await);
        assert_eq!(error.violations[0].field, "fullName");
        assert_eq!(error.violations[0].message, "Full name must be at least 2 characters");
    }
}

#[tokio::test]
async fn only_http_links_are_accepted() {
    let profile = Profile::start().await;
    profile.ensure(registration(1)).await.unwrap();
    for bad in [
        "javascript:alert(1)",
        "JaVaScRiPt:alert(1)",
        "java\tscript:alert(1)",
        "data:text/html,<script>alert(1)</script>",
        "vbscript:x",
        "//example.org",
        "https://user:pw@example.org",
        "https://exa\0mple.org",
        "example.org",
    ] {
        let both =
            UpdateMemberRequest { website: bad.into(), linkedin: bad.into(), ..naming(&["website", "linkedin"]) };
        let error = details(profile.update(1, both).await);
        let fields: Vec<&str> = error.violations.iter().map(|violation| violation.field.as_str()).collect();
        assert_eq!(
            (error.kind, fields.as_slice()),
            (ErrorKind::Invalid, ["website", "linkedin"].as_slice()),
            "{bad:?}"
        );
    }
    assert_eq!(profile.count("select count(*) from profile.members where website is not null").await, 0);
}

#[tokio::test]
async fn every_text_field_refuses_invalid_text() {
    let profile = Profile::start().await;
    profile.ensure(registration(1)).await.unwrap();
    type Field = (&'static str, &'static str, fn(&mut UpdateMemberRequest, String));
    let fields: [Field; 5] = [
        ("full_name", "fullName", |request, text| request.full_name = text),
        ("headline", "headline", |request, text| request.headline = text),
        ("location", "location", |request, text| request.location = text),
        ("school", "school", |request, text| request.school = text),
        ("graduation_year", "graduationYear", |request, text| request.graduation_year = text),
    ];
    for (path, field, set) in fields {
        for bad in ["a\0b", "\u{202e}ab", "a\u{1b}[31m", &"x".repeat(1 << 20), "a\u{ffff}"] {
            let mut request = naming(&[path]);
            set(&mut request, bad.to_owned());
            let error = details(profile.update(1, request).await);
            assert_eq!((error.kind, error.violations[0].field.as_str()), (ErrorKind::Invalid, field), "{bad:.20?}");
        }
    }
}

#[tokio::test]
async fn a_graduation_is_a_year_from_1950_to_ten_years_from_now() {
    use chrono::Datelike as _;

    let profile = Profile::start().await;
    profile.ensure(registration(1)).await.unwrap();
    let last = profile.harness.clock.now().year() + 10;
    let with_year =
        |year: &str| UpdateMemberRequest { graduation_year: year.to_owned(), ..naming(&["graduation_year"]) };
    for year in ["1950", " 2027 ", &last.to_string()] {
        let updated = profile.update(1, with_year(year)).await.unwrap();
        assert_eq!(updated.graduation_year.as_deref(), Some(year.trim()));
    }
    for bad in ["1949", &(last + 1).to_string(), "May 2027", "02027", "+2027", "２０２７", "20.7", "-2027"] {
        let error = details(profile.update(1, with_year(bad)).await);
        assert_eq!(error.violations[0].field, "graduationYear", "{bad}");
        assert_eq!(error.violations[0].message, format!("Enter a year from 1950 to {last}."));
    }
}

#[tokio::test]
async fn unknown_jurisdictions_and_interests_are_refused() {
    let profile = Profile::start().await;
    profile.ensure(registration(1)).await.unwrap();
    let unknown = UpdateMemberRequest {
        jurisdictions: vec!["us-zz".into()],
        interests: vec!["\0".into()],
        ..naming(&["jurisdictions", "interests"])
    };
    let error = details(profile.update(1, unknown).await);
    let fields: Vec<&str> = error.violations.iter().map(|violation| violation.field.as_str()).collect();
    assert_eq!(fields, ["jurisdictions", "interests"]);
}

#[tokio::test]
async fn a_mask_with_an_unknown_field_is_refused() {
    let profile = Profile::start().await;
    profile.ensure(registration(1)).await.unwrap();
    for bad in ["username", "id", "", "avatar_url", "full_name.x", "\0", "*"] {
        let error = details(profile.update(1, naming(&["headline", bad])).await);
        assert_eq!(error.violations[0].field, "updateMask", "{bad:?}");
    }
    assert_eq!(profile.get(testkit::member(1)).await.unwrap().headline.as_deref(), Some("2L at Ateneo Law"));
}

#[tokio::test]
async fn only_a_member_may_update_the_own_card() {
    let profile = Profile::start().await;
    profile.ensure(registration(1)).await.unwrap();
    let error = profile.client().update_member(profile.gateway().request(naming(&ALL)).unwrap()).await;
    assert_eq!(details(error).kind, ErrorKind::Unauthenticated);
    let unknown = details(profile.update(2, naming(&ALL)).await);
    assert_eq!(unknown.reason, "MEMBER_NOT_FOUND");
    let picture = UpdateMemberRequest { picture: Some(Picture::ClearPicture(true)), ..Default::default() };
    assert_eq!(details(profile.update(2, picture).await).reason, "MEMBER_NOT_FOUND");
}
