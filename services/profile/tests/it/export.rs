//! The export of a member's data.

use std::collections::BTreeMap;

use portia_proto::profile::{Education, Experience, ExportMemberRequest, ReplaceProfileRequest};
use primitives::error::ErrorKind;
use serde_json::{Value, json};
use testkit::member;

use crate::{Profile, details, pictures::avatar};

impl Profile {
    async fn export(&self, n: u128) -> Vec<(String, Value)> {
        let request = self.by(n).request(ExportMemberRequest {}).unwrap();
        let mut stream = self.client().export_member(request).await.unwrap().into_inner();
        let mut records = Vec::new();
        while let Some(record) = stream.message().await.unwrap() {
            records.push((record.section, serde_json::from_str(&record.json).unwrap()));
        }
        records
    }
}

#[tokio::test]
async fn an_export_contains_all_sections() {
    let profile = Profile::with_members(3).await;
    let career = ReplaceProfileRequest {
        bio: Some("About me".into()),
        experiences: vec![Experience {
            title: "Clerk".into(),
            company: "Supreme Court".into(),
            start_date: "2024-01".into(),
            is_current_position: true,
            ..Default::default()
        }],
        education: vec![Education {
            institution: "Ateneo Law".into(),
            degree: "J.D.".into(),
            start_date: "2023-08".into(),
            ..Default::default()
        }],
        skills: vec!["Research".into(), "Drafting".into()],
    };
    profile.replace(1, career).await.unwrap();
    profile.with_skills(2, &["Arbitration"]).await;
    profile.update(1, avatar(1)).await.unwrap();
    profile.endorse(2, 1, "Research").await.unwrap();
    profile.endorse(1, 2, "Arbitration").await.unwrap();
    let views = format!(
        "insert into profile.views (member_id, day, viewer_id)
        values ('{one}', '2026-03-01', '{two}'), ('{one}', '2026-03-01', '{three}'), ('{two}', '2026-03-01', '{one}')",
        one = member(1),
        two = member(2),
        three = member(3),
    );
    profile.harness.database().run(views).await;
    let verified = format!(
        "insert into profile.stewards (member_id, school, granted_at) values ('{one}', 'Ateneo Law', '2026-03-01Z');
        update profile.members set verified_at = '2026-03-01Z' where id = '{one}';
        insert into profile.verification_decisions (id, member_id, verified, cause, steward_id, school, reason, at)
            values ('{one}', '{one}', true, 'operator', null, null, 'Known', '2026-03-01Z'),
                ('{two}', '{two}', true, 'steward', '{one}', 'Ateneo Law', 'Met', '2026-03-02Z');",
        one = member(1),
        two = member(2),
    );
    profile.harness.database().run(verified).await;

    let records = profile.export(1).await;
    let mut order: Vec<&str> = records.iter().map(|(section, _)| section.as_str()).collect();
    order.dedup();
    let sections = [
        "profile",
        "experiences",
        "education",
        "skills",
        "privacy",
        "verifications",
        "steward",
        "verifications-made",
        "onboarding",
        "endorsements-received",
        "endorsements-given",
        "views",
        "pictures",
    ];
    assert_eq!(order, sections);
    let mut by_section: BTreeMap<&str, Vec<&Value>> = BTreeMap::new();
    for (section, record) in &records {
        by_section.entry(section).or_default().push(record);
    }
    assert_eq!(by_section["profile"][0]["fullName"], "Member 1");
    assert_eq!(by_section["profile"][0]["bio"], "About me");
    assert_eq!(by_section["experiences"][0]["isCurrentPosition"], true);
    let privacy = json!({"profileAudience": "public", "messageAudience": "everyone", "searchEngines": true,
        "activityShown": true, "readReceipts": true});
    assert_eq!(*by_section["privacy"][0], privacy);
    assert_eq!(*by_section["onboarding"][0], json!({"done": [], "skipped": [], "dismissed": false}));
    assert_eq!(
        (&by_section["profile"][0]["verified"], &by_section["profile"][0]["verifiedSchool"]),
        (&json!(true), &json!(null))
    );
    let decided = json!({"verified": true, "cause": "operator", "school": null, "at": "2026-03-01T00:00:00Z"});
    assert_eq!(*by_section["verifications"][0], decided);
    assert_eq!(*by_section["steward"][0], json!({"school": "Ateneo Law", "grantedAt": "2026-03-01T00:00:00Z"}));
    let made =
        json!({"memberId": member(2).to_string(), "verified": true, "reason": "Met", "at": "2026-03-02T00:00:00Z"});
    assert_eq!(*by_section["verifications-made"][0], made);
    assert_eq!(by_section["education"][0]["startDate"], "2023-08");
    assert_eq!(*by_section["skills"][0], json!({"name": "Research", "endorsements": 1}));
    assert_eq!(by_section["endorsements-received"][0]["endorserId"], member(2).to_string());
    assert_eq!(by_section["endorsements-given"][0]["skill"], "Arbitration");
    assert_eq!(*by_section["views"][0], json!({"day": "2026-03-01", "viewers": 2}));
    assert_eq!(by_section["pictures"][0]["inUse"], true);
}

#[tokio::test]
async fn only_a_member_may_export_the_own_data() {
    let profile = Profile::with_members(2).await;
    assert_eq!(profile.export(2).await[0].1["id"], member(2).to_string());
    let visitor = profile.client().export_member(profile.gateway().request(ExportMemberRequest {}).unwrap()).await;
    assert_eq!(details(visitor.map(|_| ())).kind, ErrorKind::Unauthenticated);
}

#[tokio::test]
async fn a_failed_export_ends_with_an_error() {
    let profile = Profile::with_members(1).await;
    let request = profile.by(9).request(ExportMemberRequest {}).unwrap();
    let mut stream = profile.client().export_member(request).await.unwrap().into_inner();
    assert_eq!(details(stream.message().await).reason, "MEMBER_NOT_FOUND");
}
