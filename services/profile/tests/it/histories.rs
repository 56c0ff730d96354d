//! Random histories: after every change both replicas show every profile, and find every member, as the statements without memory do.

use portia_proto::{
    auth::{AccountClosed, AccountErased, AccountReopened},
    profile::{
        Experience, OnboardingItem, OnboardingState, OnboardingStep, PrivacySettings, ProfileAudience,
        ReplaceProfileRequest, UpdateMemberRequest, update_onboarding_request::Change,
    },
    social_graph::MemberErased,
};
use primitives::ids::Ids;
use profile::{
    admin,
    views::{View, ViewBuffer},
};
use prost_types::FieldMask;
use testkit::member;

use crate::{registration, replicas::Replicas, verifications::line};

const HISTORIES: u64 = 2;
const CHANGES: u64 = 70;
const MEMBERS: u128 = 6;
const SKILLS: [&str; 3] = ["Research", "Drafting", "Moot court"];
const SCHOOLS: [&str; 3] = ["Ateneo Law", "ateneo  LAW", "UP Law"];

/// A random number generator with the same sequence in every run (splitmix64).
struct Rng(u64);

impl Rng {
    /// A number below `below`.
    fn draw(&mut self, below: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % below
    }

    fn one_of<T: Copy>(&mut self, of: &[T]) -> T {
        of[usize::try_from(self.draw(of.len() as u64)).unwrap()]
    }

    fn someone(&mut self) -> u128 {
        1 + u128::from(self.draw(u64::try_from(MEMBERS).unwrap()))
    }
}

/// Makes a random change, which may be refused. Returns what was tried.
async fn change(replicas: &Replicas, rng: &mut Rng, n: u64) -> String {
    let profile = &replicas.profile;
    let (who, other, skill) = (rng.someone(), rng.someone(), rng.one_of(&SKILLS));
    let mut db = profile.harness.pool().acquire().await.unwrap();
    let kind = rng.draw(17);
    profile.harness.clock.advance(chrono::TimeDelta::seconds(1));
    match kind {
        0 => {
            let paths = vec!["full_name".to_owned(), "school".to_owned(), "interests".to_owned()];
            let request = UpdateMemberRequest {
                full_name: format!("Member {who} {}", n % 3),
                school: rng.one_of(&SCHOOLS).to_owned(),
                interests: if n.is_multiple_of(2) { vec!["tax".to_owned()] } else { vec![] },
                update_mask: Some(FieldMask { paths }),
                ..Default::default()
            };
            drop(profile.update(who, request).await);
        }
        1 => {
            let position = Experience {
                title: format!("Clerk {n}"),
                company: "Supreme Court".into(),
                start_date: "2024-01".into(),
                ..Default::default()
            };
            let skills = SKILLS.iter().take(usize::try_from(1 + rng.draw(3)).unwrap());
            let request = ReplaceProfileRequest {
                bio: Some(format!("Bio {n}")),
                experiences: vec![position],
                skills: skills.map(|skill| (*skill).to_owned()).collect(),
                ..Default::default()
            };
            drop(profile.replace(who, request).await);
        }
        2..5 => drop(profile.endorse(who, other, skill).await),
        5 => drop(profile.withdraw(who, other, skill).await),
        6 => drop(profile.hide(who, skill, other, n.is_multiple_of(2)).await),
        7 | 8 if who != other => profile.connect(who, other).await,
        9 if who != other => profile.disconnect(who, other).await,
        10 if who != other && n.is_multiple_of(2) => profile.block(who, other).await,
        10 if who != other => profile.unblock(who, other).await,
        11 => {
            let audiences = [ProfileAudience::Public, ProfileAudience::Members, ProfileAudience::Connections];
            let settings = PrivacySettings { profile_audience: rng.one_of(&audiences).into(), ..Default::default() };
            drop(profile.set_privacy(who, &["profile_audience"], settings).await);
        }
        12 => profile.publish_auth(who, &AccountClosed { member_id: member(who).to_string() }).await,
        13 => {
            for who in 1..=MEMBERS {
                profile.publish_auth(who, &AccountReopened { member_id: member(who).to_string() }).await;
            }
        }
        14 if n.is_multiple_of(2) => {
            let school = Some(rng.one_of(&SCHOOLS)).filter(|_| n.is_multiple_of(4));
            drop(profile.verify_by_operator(who, school).await);
        }
        14 => {
            let clock = &profile.harness.clock;
            let ids = Ids::random(clock.clone());
            drop(admin::withdraw(&mut db, member(who), &line("A mistake."), &ids, clock).await);
        }
        15 if n.is_multiple_of(3) => {
            let school = line(rng.one_of(&SCHOOLS));
            drop(admin::add_steward(&mut db, member(who), &school, &profile.harness.clock).await);
        }
        15 if n.is_multiple_of(5) => drop(admin::remove_steward(&mut db, member(who)).await),
        15 => {
            let item = OnboardingItem { step: OnboardingStep::Communities.into(), state: OnboardingState::Done.into() };
            drop(profile.change_onboarding(who, Change::Item(item)).await);
        }
        16 if n.is_multiple_of(4) => {
            profile.publish_auth(who, &AccountErased { member_id: member(who).to_string() }).await;
            let erased = profile.graph.publish(member(who), &MemberErased { member_id: member(who).to_string() });
            profile.harness.wait_until_applied("social-graph", erased).await;
            profile.ensure(registration(who)).await.unwrap();
        }
        _ => {
            let views = ViewBuffer::default();
            let day = profile.harness.clock.now().date_naive();
            views.record(View { member_id: member(who), viewer_id: member(other), day });
            views.write(profile.harness.pool()).await.unwrap();
        }
    }
    format!("change {n} of kind {kind} by {who} to {other}")
}

#[tokio::test]
async fn replicas_with_memory_answer_like_the_statements_without_it() {
    for seed in 0..HISTORIES {
        let mut replicas = Replicas::start().await;
        let mut rng = Rng(seed);
        for n in 1..=MEMBERS {
            replicas.profile.ensure(registration(n)).await.unwrap();
            replicas.profile.with_skills(n, &SKILLS).await;
        }
        for n in 2..=MEMBERS {
            replicas.profile.connect(1, n).await;
        }
        for n in 0..CHANGES {
            let change = change(&replicas, &mut rng, n).await;
            let when = format!("history {seed}, {change}");
            for of in 1..=MEMBERS {
                let viewer = Some(rng.someone()).filter(|_| rng.draw(5) > 0);
                replicas.compare(viewer, of, &when).await;
                replicas.compare(Some(of), of, &when).await;
            }
            for viewer in [None, Some(rng.someone()), Some(rng.someone())] {
                replicas.compare_search(viewer, MEMBERS, &when).await;
            }
            if rng.draw(8) == 0 {
                replicas.forget_kept();
            }
        }
        replicas.profile.assert_counters_match_rows().await;
    }
}

/// Makes a change and returns the members whose versions changed.
async fn changed(replicas: &Replicas, change: impl Future<Output = ()>) -> Vec<u128> {
    let mut before = Vec::new();
    for n in 1..=MEMBERS {
        before.push(replicas.version(n).await);
    }
    change.await;
    let mut changed = Vec::new();
    for (n, before) in (1..=MEMBERS).zip(before) {
        if replicas.version(n).await != before {
            changed.push(n);
        }
    }
    changed
}

#[tokio::test]
async fn only_a_change_of_what_is_shown_changes_a_version() {
    let replicas = Replicas::start().await;
    let profile = &replicas.profile;
    for n in 1..=MEMBERS {
        profile.ensure(registration(n)).await.unwrap();
        profile.with_skills(n, &SKILLS).await;
    }
    assert_eq!(changed(&replicas, profile.connect(1, 2)).await, [1, 2]);
    assert_eq!(changed(&replicas, profile.connect(2, 1)).await, [0; 0], "a repeated fact");
    profile.connect(1, 3).await;
    let endorse = async || drop(profile.endorse(2, 1, SKILLS[0]).await.unwrap());
    assert_eq!(changed(&replicas, endorse()).await, [1]);
    assert_eq!(changed(&replicas, endorse()).await, [0; 0], "a repeated endorsement");
    let hide = async |hidden| drop(profile.hide(1, SKILLS[0], 2, hidden).await.unwrap());
    assert_eq!(changed(&replicas, hide(true)).await, [1]);
    assert_eq!(changed(&replicas, hide(true)).await, [0; 0], "hidden already");
    assert_eq!(changed(&replicas, async { drop(profile.withdraw(2, 1, SKILLS[0]).await.unwrap()) }).await, [0; 0]);
    endorse().await;
    profile.disconnect(1, 2).await;
    let closed = AccountClosed { member_id: member(2).to_string() };
    assert_eq!(
        changed(&replicas, profile.publish_auth(2, &closed)).await,
        [1, 2],
        "the count of the endorsements of a former connection"
    );
    assert_eq!(changed(&replicas, profile.connect(2, 4)).await, [2, 4], "a connection with a hidden member");
    assert_eq!(changed(&replicas, profile.disconnect(2, 4)).await, [2, 4]);
    profile.connect(2, 4).await;
    let erased = AccountErased { member_id: member(2).to_string() };
    assert_eq!(changed(&replicas, profile.publish_auth(2, &erased)).await, [2, 4], "an erased account that was closed");
    assert_eq!(changed(&replicas, async { drop(profile.withdraw(3, 1, SKILLS[0]).await.unwrap()) }).await, [0; 0]);
}

#[tokio::test]
async fn a_view_changes_no_version_and_is_counted() {
    let mut replicas = Replicas::start().await;
    for n in 1..=MEMBERS {
        replicas.profile.ensure(registration(n)).await.unwrap();
    }
    let views = ViewBuffer::default();
    let day = replicas.profile.harness.clock.now().date_naive();
    for n in 2..=4 {
        views.record(View { member_id: member(1), viewer_id: member(n), day });
    }
    let write = async { views.write(replicas.profile.harness.pool()).await.unwrap() };
    assert_eq!(changed(&replicas, write).await, [0; 0]);
    let own = replicas.profile.view_profile(1, 1).await.unwrap().stats.unwrap();
    assert_eq!(own.profile_views, 3);
    replicas.compare(Some(1), 1, "views").await;
}

#[tokio::test]
async fn a_body_in_memory_is_not_read_again() {
    let replicas = Replicas::start().await;
    let profile = &replicas.profile;
    profile.ensure(registration(1)).await.unwrap();
    profile.with_skills(1, &["Research"]).await;
    let skills = async || profile.get(member(1)).await.unwrap().skills;
    assert_eq!(skills().await, ["Research"]);
    // No writer changes a skill without its member.
    profile.harness.database().run("update profile.skills set name = 'Behind its back'".to_owned()).await;
    assert_eq!(skills().await, ["Research"]);
    profile.harness.database().run("update profile.members set full_name = full_name".to_owned()).await;
    assert_eq!(skills().await, ["Behind its back"]);
}
