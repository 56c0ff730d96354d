//! Bodies of profiles: a profile with its body in memory is the same, byte for byte, as a complete one.

use portia_proto::profile::{Education, Experience, Member, SkillEndorsements, Verification};
use uuid::Uuid;

use crate::{
    actors::{self, ANA, BEN, DINA},
    test_gateway::{TestGateway, TestRequest},
};

/// A text that resembles the JSON around it.
const TRICKY: &str = r#""endorsements":[] "endorsedByMe":false} \ \u0000 é"#;

fn endorsed(skill: &str, count: i64, endorsed_by_actor: bool) -> SkillEndorsements {
    SkillEndorsements { skill: skill.to_owned(), count, endorsed_by_actor }
}

/// Profiles as profile shows them to a caller.
fn profiles() -> Vec<(&'static str, Member)> {
    let member = actors::member(ANA).unwrap();
    let experience =
        Experience { title: TRICKY.to_owned(), description: Some(TRICKY.to_owned()), ..Default::default() };
    let education = Education { institution: TRICKY.to_owned(), ..Default::default() };
    let skills = vec![endorsed(TRICKY, 3, true), endorsed("Research", 0, false), endorsed("Moot court", 2, true)];
    vec![
        ("plain", member.clone()),
        ("no skills", Member { skills: vec![], endorsements: vec![], ..member.clone() }),
        (
            "tricky",
            Member {
                bio: Some(TRICKY.to_owned()),
                experiences: vec![experience],
                education: vec![education],
                skills: skills.iter().map(|skill| skill.skill.clone()).collect(),
                endorsements: skills,
                ..member.clone()
            },
        ),
        ("verified", Member { verification: Some(Verification { school: Some("Ateneo".to_owned()) }), ..member }),
    ]
}

async fn profile(gateway: &TestGateway, of: Uuid, by: Uuid) -> String {
    gateway.send(TestRequest::new("GET", &format!("/api/users/{of}/profile")).by_member(by)).await.text()
}

fn set_version(gateway: &TestGateway, version: &[u8]) {
    *gateway.fakes.profile_version.lock().unwrap() = version.to_vec();
}

#[tokio::test]
async fn a_profile_with_its_body_in_memory_is_the_same_byte_for_byte() {
    let gateway = TestGateway::start().await;
    for (n, (what, member)) in profiles().into_iter().enumerate() {
        *gateway.fakes.member.lock().unwrap() = Some(member);
        // The second caller is the member, who is shown counters and the onboarding too.
        for by in [BEN, ANA] {
            set_version(&gateway, &[]);
            let complete = profile(&gateway, ANA, by).await;
            set_version(&gateway, &[u8::try_from(n + 1).unwrap()]);
            for time in ["first", "second"] {
                assert_eq!(profile(&gateway, ANA, by).await, complete, "{what}, seen by {by}, {time} time");
            }
        }
    }
}

#[tokio::test]
async fn another_version_replaces_the_body() {
    let gateway = TestGateway::start().await;
    for (version, bio) in [(1, "First"), (2, "Second"), (1, "Third")] {
        let member = Member { bio: Some(bio.to_owned()), ..actors::member(ANA).unwrap() };
        *gateway.fakes.member.lock().unwrap() = Some(member);
        set_version(&gateway, &[version]);
        assert!(profile(&gateway, ANA, BEN).await.contains(&format!("\"bio\":\"{bio}\"")), "{bio}");
    }
}

#[tokio::test]
async fn a_restricted_profile_is_not_kept() {
    let gateway = TestGateway::start().await;
    set_version(&gateway, &[1]);
    assert!(profile(&gateway, DINA, BEN).await.contains("\"restricted\":false"));
    let restricted = profile(&gateway, DINA, ANA).await;
    assert!(restricted.contains("\"restricted\":true") && restricted.contains("\"skills\":[]"), "{restricted}");
    assert!(profile(&gateway, DINA, BEN).await.contains("\"restricted\":false"));
}
