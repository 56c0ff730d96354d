//! Writes that meet: nothing is lost, counted twice or half replaced.

use std::sync::Arc;

use portia_proto::{
    auth::{AccountClosed, AccountReopened},
    profile::{ReplaceProfileRequest, SkillEndorsed},
    social_graph::{ConnectionAccepted, ConnectionRemoved},
};
use testkit::member;
use tokio::{sync::Semaphore, task::JoinSet};
use tonic::{Code, Status};

use crate::{Profile, explained, pictures::avatar};

/// Tries again while there is no connection to be had: more race here than the pool has, and on a busy machine the last
/// of them wait longer than the pool lets them.
async fn patiently<T, F>(attempt: impl Fn() -> F) -> Result<T, Status>
where
    F: Future<Output = Result<T, Status>>,
{
    loop {
        match attempt().await {
            Err(refused) if refused.code() == Code::Unavailable => tokio::task::yield_now().await,
            answered => return answered,
        }
    }
}

fn life(n: usize) -> ReplaceProfileRequest {
    let entry = |at: usize| portia_proto::profile::Experience {
        id: format!("{at}"),
        title: format!("Title {n}"),
        company: "Supreme Court".into(),
        start_date: "2024-01".into(),
        ..Default::default()
    };
    ReplaceProfileRequest {
        bio: Some(format!("Bio {n}")),
        experiences: (0..=n % 5).map(entry).collect(),
        skills: (0..=n % 7).map(|at| format!("Skill {at} of {n}")).collect(),
        ..Default::default()
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_many_replacements_one_is_there_whole() {
    let profile = Arc::new(Profile::with_members(1).await);
    let mut racers = JoinSet::new();
    for n in 0..24 {
        let profile = Arc::clone(&profile);
        racers.spawn(async move { patiently(|| profile.replace(1, life(n))).await.unwrap() });
    }
    for answered in racers.join_all().await {
        let n: usize = answered.bio.unwrap().trim_start_matches("Bio ").parse().unwrap();
        assert_eq!((answered.skills, answered.experiences), (life(n).skills, life(n).experiences));
    }
    let left = profile.get(member(1)).await.unwrap();
    let n: usize = left.bio.unwrap().trim_start_matches("Bio ").parse().unwrap();
    assert_eq!((left.skills, left.experiences), (life(n).skills, life(n).experiences));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_hundred_endorsements_at_once_are_counted_right() {
    let profile = Arc::new(Profile::with_members(26).await);
    profile.with_skills(1, &["Research"]).await;
    let mut racers = JoinSet::new();
    // As many as one caller's bulkhead lets through.
    let places = Arc::new(Semaphore::new(64));
    for n in 0..100 {
        let (profile, places) = (Arc::clone(&profile), Arc::clone(&places));
        racers.spawn(async move {
            let _place = places.acquire().await.unwrap();
            patiently(|| profile.endorse(2 + n % 25, 1, "Research")).await.unwrap()
        });
    }
    assert!(racers.join_all().await.iter().all(|standing| (1..=25).contains(&standing.count)));
    assert_eq!(profile.counts(1).await, [("Research".to_owned(), 25)]);
    assert_eq!(profile.told_of::<SkillEndorsed>().await, 25);
    profile.assert_counters_true().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn endorsing_what_is_being_removed_leaves_the_truth() {
    let profile = Arc::new(Profile::with_members(11).await);
    for round in 0..10 {
        profile.with_skills(1, &["Research"]).await;
        let mut racers = JoinSet::new();
        for n in 2..=11 {
            let profile = Arc::clone(&profile);
            racers.spawn(async move {
                if n == 6 {
                    profile.with_skills(1, &["Drafting"]).await;
                } else if let Err(refused) = patiently(|| profile.endorse(n, 1, "Research")).await {
                    assert_eq!(explained(Err::<(), _>(refused)).reason, "SKILL_NOT_FOUND");
                }
            });
        }
        racers.join_all().await;
        assert_eq!(profile.counts(1).await, [("Drafting".to_owned(), 0)], "round {round}");
    }
    assert_eq!(profile.count("select count(*) from profile.endorsements").await, 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn endorsing_while_accounts_close_and_open_leaves_the_truth() {
    let profile = Arc::new(Profile::with_members(6).await);
    for n in 1..=6 {
        profile.with_skills(n, &["Research"]).await;
    }
    let mut last = 0;
    let mut racers = JoinSet::new();
    for round in 0..60 {
        let n = 1 + round % 6;
        if round % 3 == 0 {
            last = profile.auth.tell(member(n), &AccountClosed { member_id: member(n).to_string() });
        } else if round % 3 == 1 {
            last = profile.auth.tell(member(n), &AccountReopened { member_id: member(n).to_string() });
        }
        let profile = Arc::clone(&profile);
        racers.spawn(async move {
            let (one, other) = if round % 2 == 0 { (1, 2 + round % 5) } else { (2 + round % 5, 1) };
            if let Err(refused) = patiently(|| profile.endorse(one, other, "Research")).await {
                assert_eq!(explained(Err::<(), _>(refused)).reason, "SKILL_NOT_FOUND");
            }
        });
    }
    racers.join_all().await;
    profile.harness.heard("auth", last).await;
    profile.assert_counters_true().await;
    assert_eq!(profile.count("select count(*) from profile.dead_facts").await, 0);
}

/// Two sources, each heard at its own pace: what both touch is counted right whichever comes first.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn connecting_while_accounts_close_and_open_leaves_the_truth() {
    let profile = Profile::with_members(6).await;
    let (mut of_auth, mut of_graph) = (0, 0);
    for round in 0..120_u32 {
        let closing = member(u128::from(1 + round / 2 % 6)).to_string();
        of_auth = if round % 2 == 0 {
            profile.auth.tell(&closing, &AccountClosed { member_id: closing.clone() })
        } else {
            profile.auth.tell(&closing, &AccountReopened { member_id: closing.clone() })
        };
        // Removed and accepted by turns, each told twice as after a snapshot.
        let pair = [1, 2 + round / 4 % 5].map(|n| member(u128::from(n)).to_string());
        let [requester_id, recipient_id] = pair;
        let connection_id = uuid::Uuid::nil().to_string();
        of_graph = if round / 20 % 2 == 0 {
            profile.graph.tell("pair", &ConnectionRemoved { connection_id, requester_id, recipient_id })
        } else {
            profile.graph.tell("pair", &ConnectionAccepted { connection_id, requester_id, recipient_id })
        };
    }
    profile.harness.heard("auth", of_auth).await;
    profile.harness.heard("social-graph", of_graph).await;
    profile.assert_counters_true().await;
    assert_eq!(profile.connections(1).await, 5, "all of them were told anew in the end");
    assert_eq!(profile.count("select count(*) from profile.dead_facts").await, 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_many_pictures_one_is_in_use() {
    let profile = Arc::new(Profile::with_members(1).await);
    let mut racers = JoinSet::new();
    for n in 0..6 {
        let profile = Arc::clone(&profile);
        racers.spawn(async move { patiently(|| profile.update(1, avatar(n % 3))).await.unwrap() });
    }
    racers.join_all().await;
    assert_eq!(profile.count("select count(*) from profile.pictures where uses > 0").await, 1);
    assert_eq!(profile.count("select count(*) from profile.pictures where uses = 1").await, 1);
    let in_use = "select count(*) from profile.pictures p, profile.members m
        where p.uses = 1 and m.avatar_url = '/media/' || p.hash || '.jpg'";
    assert_eq!(profile.count(in_use).await, 1);
}
