//! An erased member leaves no rows and correct counters.

use portia_proto::auth::{AccountClosed, AccountErased};
use testkit::member;

use crate::{Profile, details, pictures::avatar};

async fn full() -> Profile {
    let profile = Profile::with_members(3).await;
    for n in 1..=3 {
        profile.with_skills(n, &["Research"]).await;
    }
    profile.update(2, avatar(2)).await.unwrap();
    profile
        .harness
        .database()
        .run(format!(
            "insert into profile.experiences (member_id, id, position, title, company, start_date, is_current_position)
                select id, 'e', 0, 'Clerk', 'Supreme Court', '2024-01', true from profile.members;
            insert into profile.educations (member_id, id, position, institution, degree, start_date)
                select id, 's', 0, 'Ateneo Law', 'J.D.', '2023-08' from profile.members;
            insert into profile.views (member_id, day, viewer_id)
                values ('{one}', '2026-03-01', '{two}'), ('{two}', '2026-03-01', '{one}');
            insert into profile.view_counts (member_id, n) values ('{one}', 1), ('{two}', 1);",
            one = member(1),
            two = member(2),
        ))
        .await;
    profile.endorse(2, 1, "Research").await.unwrap();
    profile.endorse(3, 1, "Research").await.unwrap();
    profile.endorse(1, 2, "Research").await.unwrap();
    // Member 2 is verified, and the steward who verified 3.
    profile
        .harness
        .database()
        .run(format!(
            "insert into profile.stewards (member_id, school, granted_at) values ('{two}', 'Ateneo Law', now());
            update profile.members set verified_at = now() where id in ('{two}', '{three}');
            insert into profile.verification_decisions (id, member_id, verified, cause, steward_id, school, reason, at)
                values ('{two}', '{two}', true, 'operator', null, null, 'Known', now()),
                    ('{three}', '{three}', true, 'steward', '{two}', 'Ateneo Law', 'Known', now());",
            two = member(2),
            three = member(3),
        ))
        .await;
    profile.block(2, 3).await;
    profile.block(1, 2).await;
    profile
}

#[tokio::test]
async fn an_erased_member_leaves_no_rows() {
    for closed_before in [false, true] {
        let profile = full().await;
        let database = profile.harness.database();
        let everywhere = [
            "blocks",
            "connections",
            "educations",
            "endorsements",
            "experiences",
            "members",
            "onboarding",
            "pictures",
            "search_documents",
            "search_entries",
            "skills",
            "stewards",
            "verification_decisions",
            "view_counts",
            "views",
        ];
        assert_eq!(database.tables_referencing(member(2)).await, everywhere);
        if closed_before {
            profile.publish_auth(2, &AccountClosed { member_id: member(2).to_string() }).await;
        }
        for _ in 0..2 {
            profile.publish_auth(2, &AccountErased { member_id: member(2).to_string() }).await;
        }
        assert_eq!(database.tables_referencing(member(2)).await, [""; 0]);
        assert_eq!(details(profile.get(member(2)).await).reason, "MEMBER_NOT_FOUND");
        assert_eq!(profile.counts(1).await, [("Research".to_owned(), 1)], "other members are unchanged");
        assert_eq!(profile.connections(1).await, 1);
        profile.assert_counters_match_rows().await;
        assert_eq!(profile.count("select count(*) from profile.dead_facts").await, 0);
        assert_eq!(profile.count("select count(*) from profile.verification_decisions").await, 1, "of member 3");
    }
}

#[tokio::test]
async fn the_picture_of_an_erased_member_is_deleted_at_once() {
    let profile = full().await;
    assert_eq!(profile.delete_unused_pictures().await, 0);
    profile.publish_auth(2, &AccountErased { member_id: member(2).to_string() }).await;
    assert_eq!(profile.delete_unused_pictures().await, 1);
    assert_eq!(profile.count("select count(*) from profile.pictures").await, 0);
}
