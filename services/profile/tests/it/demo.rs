//! The demo's profiles.

use testkit::member;

use crate::Profile;

#[tokio::test]
async fn the_demo_profiles_are_complete_and_loading_is_idempotent() {
    let profile = Profile::start().await;
    profile::demo::load(&profile.harness.context).await.unwrap();
    assert_eq!((profile.count("select count(*) from profile.members").await, profile.all_facts().await), (60, 60));
    let isabel = profile.get(member(1)).await.unwrap();
    assert_eq!((isabel.username.as_str(), isabel.full_name.as_str()), ("isabel.reyes", "Isabel Reyes"));
    assert!(isabel.bio.is_some() && !isabel.experiences.is_empty() && !isabel.skills.is_empty());
    assert!(isabel.endorsements.iter().all(|standing| standing.count == 5));
    assert_eq!(profile.count("select count(*) from profile.skills where endorsement_count <> 5").await, 0);
    assert_eq!(
        profile.count("select count(*) from profile.search_documents where title = '{}' or body = '{}'").await,
        0
    );
    profile.assert_counters_match_rows().await;

    profile
        .harness
        .database()
        .run("update profile.members set headline = 'Written Since' where username = 'isabel.reyes'")
        .await;
    profile::demo::load(&profile.harness.context).await.unwrap();
    assert_eq!(profile.get(member(1)).await.unwrap().headline.as_deref(), Some("Written Since"));
    assert_eq!(profile.all_facts().await, 60);
}
