//! ReplaceProfile: the lists are replaced together or not at all.

use portia_proto::profile::{Education, Experience, ReplaceProfileRequest, SkillEndorsementRemoved};
use primitives::error::ErrorKind;
use testkit::member;

use crate::{Profile, details};

fn position(id: &str, title: &str) -> Experience {
    Experience {
        id: id.into(),
        title: title.into(),
        company: "Supreme Court".into(),
        start_date: "2024-01".into(),
        end_date: Some("2024-06".into()),
        description: Some("Digests,\nand more digests".into()),
        ..Default::default()
    }
}

fn course(id: &str, institution: &str) -> Education {
    Education {
        id: id.into(),
        institution: institution.into(),
        degree: "Juris Doctor (J.D.)".into(),
        start_date: "2023-08".into(),
        ..Default::default()
    }
}

fn whole() -> ReplaceProfileRequest {
    ReplaceProfileRequest {
        bio: Some("About me".into()),
        experiences: vec![position("mine", "Clerk"), position("", "Intern")],
        education: vec![course("", "Ateneo Law"), course("old", "UP Diliman")],
        skills: vec!["Research".into(), "Moot court".into()],
    }
}

#[tokio::test]
async fn a_replaced_career_is_read_back_in_its_order() {
    let profile = Profile::with_members(1).await;
    let saved = profile.replace(1, whole()).await.unwrap();
    assert_eq!(saved.bio.as_deref(), Some("About me"));
    let titles: Vec<&str> = saved.experiences.iter().map(|entry| entry.title.as_str()).collect();
    assert_eq!(titles, ["Clerk", "Intern"]);
    assert_eq!(saved.experiences[0].id, "mine");
    assert!(primitives::ids::parse("id", &saved.experiences[1].id).is_ok(), "{}", saved.experiences[1].id);
    assert_eq!(saved.experiences[0].end_date.as_deref(), Some("2024-06"));
    assert_eq!(saved.education[1].id, "old");
    assert_eq!(saved.skills, ["Research", "Moot court"]);
    assert_eq!(profile.get(member(1)).await.unwrap(), saved);
}

#[tokio::test]
async fn a_replacement_changes_order_and_entries() {
    let profile = Profile::with_members(1).await;
    let first = profile.replace(1, whole()).await.unwrap();
    let mut next = ReplaceProfileRequest {
        bio: None,
        experiences: first.experiences.iter().rev().cloned().collect(),
        education: vec![],
        skills: vec!["Moot court".into(), "Drafting".into(), "Research".into()],
    };
    next.experiences.push(position("third", "Assistant"));
    let saved = profile.replace(1, next.clone()).await.unwrap();
    assert_eq!((saved.bio.as_deref(), &saved.education), (None, &vec![]));
    assert_eq!(saved.experiences, next.experiences);
    assert_eq!(saved.skills, next.skills);
    let emptied = profile.replace(1, ReplaceProfileRequest::default()).await.unwrap();
    assert!(emptied.experiences.is_empty() && emptied.skills.is_empty());
    assert_eq!(profile.count("select count(*) from profile.experiences").await, 0);
}

#[tokio::test]
async fn a_current_position_has_no_end() {
    let profile = Profile::with_members(1).await;
    let present = Experience { is_current_position: true, ..position("", "Clerk") };
    let saved = profile.replace(1, ReplaceProfileRequest { experiences: vec![present], ..Default::default() }).await;
    assert_eq!(saved.unwrap().experiences[0].end_date, None);
}

#[tokio::test]
async fn an_invalid_career_changes_nothing() {
    let profile = Profile::with_members(1).await;
    let saved = profile.replace(1, whole()).await.unwrap();
    let facts_before = profile.all_facts().await;
    let mut bad = whole();
    bad.bio = Some("Another".into());
    bad.education[1].degree = " ".into();
    let error = details(profile.replace(1, bad).await);
    assert_eq!(error.violations[0].field, "education[1].degree");
    assert_eq!(error.violations[0].message, "Degree is required");
    assert_eq!((profile.get(member(1)).await.unwrap(), profile.all_facts().await), (saved, facts_before));
}

#[tokio::test]
async fn every_text_of_an_entry_refuses_invalid_text() {
    let profile = Profile::with_members(1).await;
    type Set = fn(&mut ReplaceProfileRequest, String);
    let fields: [(&str, Set); 13] = [
        ("bio", |all, text| all.bio = Some(text)),
        ("experiences[0].id", |all, text| all.experiences[0].id = text),
        ("experiences[0].title", |all, text| all.experiences[0].title = text),
        ("experiences[0].company", |all, text| all.experiences[0].company = text),
        ("experiences[0].startDate", |all, text| all.experiences[0].start_date = text),
        ("experiences[0].endDate", |all, text| all.experiences[0].end_date = Some(text)),
        ("experiences[0].description", |all, text| all.experiences[0].description = Some(text)),
        ("experiences[0].location", |all, text| all.experiences[0].location = Some(text)),
        ("education[1].institution", |all, text| all.education[1].institution = text),
        ("education[1].degree", |all, text| all.education[1].degree = text),
        ("education[1].fieldOfStudy", |all, text| all.education[1].field_of_study = Some(text)),
        ("education[1].description", |all, text| all.education[1].description = Some(text)),
        ("skills[1]", |all, text| all.skills[1] = text),
    ];
    for (field, set) in fields {
        for bad in ["\0a", "a\0", "\u{202e}a", "a\u{2066}b", "\u{1b}[31m", &"ñ".repeat(1 << 19), "\u{ffff}x"] {
            let mut request = whole();
            set(&mut request, bad.to_owned());
            let error = details(profile.replace(1, request).await);
            let shown: String = bad.chars().take(9).collect();
            assert_eq!((error.kind, error.violations[0].field.as_str()), (ErrorKind::Invalid, field), "{shown:?}");
        }
    }
    assert_eq!(profile.count("select count(*) from profile.experiences").await, 0);
}

#[tokio::test]
async fn entries_of_the_maximum_length_are_stored() {
    let profile = Profile::with_members(1).await;
    let long = Experience {
        id: "i".repeat(64),
        title: "ñ".repeat(200),
        company: "ñ".repeat(200),
        description: Some("ñ".repeat(5000)),
        location: Some("ñ".repeat(100)),
        ..position("", "")
    };
    let request = ReplaceProfileRequest {
        bio: Some("ñ".repeat(5000)),
        experiences: vec![long.clone()],
        skills: (0..50).map(|n| format!("{n:0>60}")).collect(),
        ..Default::default()
    };
    let saved = profile.replace(1, request.clone()).await.unwrap();
    assert_eq!((saved.bio, saved.skills), (request.bio, request.skills));
    assert_eq!(saved.experiences, [long]);
}

#[tokio::test]
async fn a_remaining_skill_keeps_its_endorsements_and_a_removed_one_loses_them() {
    let profile = Profile::with_members(3).await;
    profile.with_skills(1, &["Research", "Moot court"]).await;
    for skill in ["Research", "Moot court"] {
        profile.endorse(2, 1, skill).await.unwrap();
        profile.endorse(3, 1, skill).await.unwrap();
    }
    profile.with_skills(1, &["Drafting", "Research"]).await;
    assert_eq!(profile.counts(1).await, [("Drafting".to_owned(), 0), ("Research".to_owned(), 2)]);
    assert_eq!(profile.fact_count::<SkillEndorsementRemoved>().await, 2);
    profile.with_skills(1, &["Moot court"]).await;
    assert_eq!(profile.counts(1).await, [("Moot court".to_owned(), 0)], "a re-added skill has no endorsements");
    assert_eq!(profile.count("select count(*) from profile.endorsements").await, 0);
}

#[tokio::test]
async fn only_a_member_may_replace_the_own_career() {
    let profile = Profile::with_members(1).await;
    let error = profile.client().replace_profile(profile.gateway().request(whole()).unwrap()).await;
    assert_eq!(details(error).kind, ErrorKind::Unauthenticated);
    assert_eq!(details(profile.replace(9, whole()).await).reason, "MEMBER_NOT_FOUND");
}
