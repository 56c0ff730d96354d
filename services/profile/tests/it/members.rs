//! Members: ensure, get and batch get.

use portia_proto::profile::{EnsureMemberRequest, GetMemberRequest};
use primitives::error::ErrorKind;
use testkit::member;
use tonic::Code;

use crate::{Profile, details, registration};

/// A complete profile of the first member, inserted out of order.
const COMPLETE_PROFILE: &str = "
    update profile.members set bio = 'About me', website = 'https://example.org', linkedin = 'https://example.org/in/1',
        avatar_url = '/media/1.jpg', school = 'Ateneo Law';
    insert into profile.experiences
        (member_id, id, position, title, company, start_date, end_date, is_current_position, description, location)
        select id, 'e2', 1, 'Intern', 'Court of Appeals', '2023-06', '2023-08', false, 'Digests', 'Manila'
        from profile.members;
    insert into profile.experiences (member_id, id, position, title, company, start_date, is_current_position)
        select id, 'e1', 0, 'Clerk', 'Supreme Court', '2024-01', true from profile.members;
    insert into profile.educations (member_id, id, position, institution, degree, field_of_study, start_date, end_date)
        select id, 's1', 0, 'Ateneo Law', 'Juris Doctor (J.D.)', 'Law', '2023-08', '2027-05' from profile.members;
    insert into profile.skills (member_id, name, position)
        select id, skill, position - 1 from profile.members, unnest(array['Research', 'Moot court', 'Drafting'])
        with ordinality as skills (skill, position);";

#[tokio::test]
async fn a_member_is_created_from_the_registration() {
    let profile = Profile::start().await;
    let made = profile.ensure(registration(1)).await.unwrap();
    assert_eq!((made.id.as_str(), made.username.as_str()), (member(1).to_string().as_str(), "member.1"));
    assert_eq!((made.full_name.as_str(), made.school.as_deref()), ("Member 1", None));
    assert_eq!(made.created_at.unwrap().seconds, profile.harness.clock.now().timestamp());
    assert_eq!((made.bio.as_deref(), made.experiences.len(), made.skills.len()), (None, 0, 0));
    assert_eq!(profile.get(member(1)).await.unwrap(), made);
    assert_eq!(profile.all_facts().await, 1);
}

#[tokio::test]
async fn ensure_does_not_overwrite_a_member() {
    let profile = Profile::start().await;
    profile.ensure(registration(1)).await.unwrap();
    profile.harness.database().run("update profile.members set full_name = 'Written Since', headline = null").await;
    let again = profile.ensure(registration(1)).await.unwrap();
    assert_eq!((again.full_name.as_str(), again.headline), ("Written Since", None));
    assert_eq!(profile.all_facts().await, 1, "an unchanged member publishes no fact");
}

#[tokio::test]
async fn concurrent_ensures_create_one_member() {
    let profile = Profile::start().await;
    let answers = futures::future::join_all((0..8).map(|_| profile.ensure(registration(1)))).await;
    assert!(answers.into_iter().all(|answer| answer.is_ok()));
    assert_eq!(profile.all_facts().await, 1);
}

#[tokio::test]
async fn a_complete_profile_is_in_its_owners_order() {
    let profile = Profile::start().await;
    profile.ensure(registration(1)).await.unwrap();
    profile.harness.database().run(COMPLETE_PROFILE).await;
    let whole = profile.get(member(1)).await.unwrap();
    assert_eq!((whole.bio.as_deref(), whole.avatar_url.as_deref()), (Some("About me"), Some("/media/1.jpg")));
    let [clerk, intern] = whole.experiences.as_slice() else { panic!("{whole:?}") };
    assert_eq!((clerk.id.as_str(), clerk.title.as_str(), clerk.end_date.as_deref()), ("e1", "Clerk", None));
    assert!(clerk.is_current_position && !intern.is_current_position);
    assert_eq!((intern.description.as_deref(), intern.location.as_deref()), (Some("Digests"), Some("Manila")));
    assert_eq!(whole.education[0].end_date.as_deref(), Some("2027-05"));
    assert_eq!(whole.skills, ["Research", "Moot court", "Drafting"]);
}

#[tokio::test]
async fn an_unknown_id_is_not_found() {
    let profile = Profile::start().await;
    let error = details(profile.get(member(1)).await);
    assert_eq!((error.kind, error.reason.as_str()), (ErrorKind::NotFound, "MEMBER_NOT_FOUND"));
    assert_eq!(error.message, "User not found");
}

#[tokio::test]
async fn a_batch_returns_cards_of_existing_members() {
    let profile = Profile::start().await;
    for n in 1..=3 {
        profile.ensure(registration(n)).await.unwrap();
    }
    let asked = [1, 3, 9, 1].map(|n| member(n).to_string());
    let mut cards = profile.cards(&asked).await.unwrap();
    cards.sort_by(|a, b| a.id.cmp(&b.id));
    let names: Vec<&str> = cards.iter().map(|card| card.full_name.as_str()).collect();
    assert_eq!(names, ["Member 1", "Member 3"]);
    assert_eq!(cards[0].headline.as_deref(), Some("2L at Ateneo Law"));
    assert!(profile.cards(&[]).await.unwrap().is_empty());
}

#[tokio::test]
async fn a_batch_has_a_limit() {
    let profile = Profile::start().await;
    let ids: Vec<String> = (1..=201).map(|n| member(n).to_string()).collect();
    assert!(profile.cards(&ids[..200]).await.is_ok());
    assert_eq!(details(profile.cards(&ids).await).violations[0].field, "memberIds");
}

#[tokio::test]
async fn members_may_read_and_only_the_gateway_may_create() {
    let profile = Profile::start().await;
    profile.ensure(registration(1)).await.unwrap();
    let actors = &profile.harness.actors;
    for (call, may_read) in
        [(actors.member(member(2)), true), (actors.service("feed"), false), (actors.invalid_token(), false)]
    {
        let ensured = profile.client().ensure_member(call.request(registration(2)).unwrap()).await;
        assert!(matches!(ensured.unwrap_err().code(), Code::PermissionDenied | Code::Unauthenticated));
        let request = GetMemberRequest { member_id: member(1).to_string(), ..Default::default() };
        assert_eq!(profile.client().get_member(call.request(request).unwrap()).await.is_ok(), may_read);
    }
    assert_eq!(profile.count("select count(*) from profile.members").await, 1);
}

#[tokio::test]
async fn a_violated_constraint_reports_its_field() {
    let profile = Profile::start().await;
    profile.ensure(registration(1)).await.unwrap();
    for (column, field) in [("headline", "headline"), ("full_name", "fullName"), ("graduation_year", "graduationYear")]
    {
        let statement = format!("update profile.members set {column} = repeat('x', 300)");
        let error = sqlx::raw_sql(sqlx::AssertSqlSafe(statement)).execute(profile.harness.pool()).await.unwrap_err();
        let status = tonic::Status::from(profile::error::Error::from(error));
        assert_eq!(details(Err::<(), _>(status)).violations[0].field, field);
    }
}

#[tokio::test]
async fn a_registration_without_a_form_reports_missing_fields() {
    let profile = Profile::start().await;
    let error = details(profile.ensure(EnsureMemberRequest { form: None, ..registration(1) }).await);
    assert_eq!(error.violations[0].message, "Full name is required");
}
