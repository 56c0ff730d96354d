//! Members: made once, never overwritten, read whole or as cards.

use portia_proto::profile::{EnsureMemberRequest, GetMemberRequest};
use primitives::error::ErrorKind;
use testkit::member;
use tonic::Code;

use crate::{Profile, explained, registration};

/// A whole life for the test's first member, entered out of order.
const LIFE: &str = "
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
async fn a_member_is_made_from_the_registration() {
    let profile = Profile::start().await;
    let made = profile.ensure(registration(1)).await.unwrap();
    assert_eq!((made.id.as_str(), made.username.as_str()), (member(1).to_string().as_str(), "member.1"));
    assert_eq!((made.full_name.as_str(), made.school.as_deref()), ("Member 1", None));
    assert_eq!(made.created_at.unwrap().seconds, profile.harness.clock.now().timestamp());
    assert_eq!((made.bio.as_deref(), made.experiences.len(), made.skills.len()), (None, 0, 0));
    assert_eq!(profile.get(member(1)).await.unwrap(), made);
    assert_eq!(profile.told().await, 1);
}

#[tokio::test]
async fn what_a_member_wrote_is_never_overwritten() {
    let profile = Profile::start().await;
    profile.ensure(registration(1)).await.unwrap();
    profile.harness.database().run("update profile.members set full_name = 'Written Since', headline = null").await;
    let again = profile.ensure(registration(1)).await.unwrap();
    assert_eq!((again.full_name.as_str(), again.headline), ("Written Since", None));
    assert_eq!(profile.told().await, 1, "nothing changed, nothing is told");
}

#[tokio::test]
async fn of_many_who_ensure_at_once_one_makes_the_member() {
    let profile = Profile::start().await;
    let answers = futures::future::join_all((0..8).map(|_| profile.ensure(registration(1)))).await;
    assert!(answers.into_iter().all(|answer| answer.is_ok()));
    assert_eq!(profile.told().await, 1);
}

#[tokio::test]
async fn a_whole_profile_comes_in_its_owners_order() {
    let profile = Profile::start().await;
    profile.ensure(registration(1)).await.unwrap();
    profile.harness.database().run(LIFE).await;
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
async fn nobody_is_found_under_an_unknown_id() {
    let profile = Profile::start().await;
    let refused = explained(profile.get(member(1)).await);
    assert_eq!((refused.kind, refused.reason.as_str()), (ErrorKind::NotFound, "MEMBER_NOT_FOUND"));
    assert_eq!(refused.message, "User not found");
}

#[tokio::test]
async fn cards_come_for_those_who_exist() {
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
    assert_eq!(explained(profile.cards(&ids).await).violations[0].field, "memberIds");
}

#[tokio::test]
async fn anybody_of_ours_reads_and_only_the_gateway_makes() {
    let profile = Profile::start().await;
    profile.ensure(registration(1)).await.unwrap();
    let actors = &profile.harness.actors;
    for (call, may_read) in [(actors.member(member(2)), true), (actors.service("feed"), true), (actors.nobody(), false)]
    {
        let ensured = profile.client().ensure_member(call.request(registration(2)).unwrap()).await;
        assert!(matches!(ensured.unwrap_err().code(), Code::PermissionDenied | Code::Unauthenticated));
        let request = GetMemberRequest { member_id: member(1).to_string() };
        assert_eq!(profile.client().get_member(call.request(request).unwrap()).await.is_ok(), may_read);
    }
    assert_eq!(profile.count("select count(*) from profile.members").await, 1);
}

#[tokio::test]
async fn the_database_names_the_field_it_refuses() {
    let profile = Profile::start().await;
    profile.ensure(registration(1)).await.unwrap();
    for (column, field) in [("headline", "headline"), ("full_name", "fullName"), ("graduation_year", "graduationYear")]
    {
        let statement = format!("update profile.members set {column} = repeat('x', 300)");
        let refused = sqlx::raw_sql(sqlx::AssertSqlSafe(statement)).execute(profile.harness.pool()).await.unwrap_err();
        let status = tonic::Status::from(profile::error::Error::from(refused));
        assert_eq!(explained(Err::<(), _>(status)).violations[0].field, field);
    }
}

#[tokio::test]
async fn a_registration_without_a_form_says_what_is_missing() {
    let profile = Profile::start().await;
    let refused = explained(profile.ensure(EnsureMemberRequest { form: None, ..registration(1) }).await);
    assert_eq!(refused.violations[0].message, "Full name is required");
}
