//! Concurrent writes: rows and counters stay consistent.

use std::sync::Arc;

use portia_proto::{
    auth::{AccountClosed, AccountReopened},
    profile::{ReplaceProfileRequest, SkillEndorsed},
    social_graph::{ConnectionAccepted, ConnectionRemoved},
};
use testkit::member;
use tokio::{sync::Semaphore, task::JoinSet};
use tonic::{Code, Status};

use crate::{Profile, details, pictures::avatar};

/// Retries while the pool is exhausted: the tests run more calls than the pool has connections.
async fn retry_when_busy<T, F>(attempt: impl Fn() -> F) -> Result<T, Status>
where
    F: Future<Output = Result<T, Status>>,
{
    loop {
        match attempt().await {
            // The database, or the decoders of pictures.
            Err(error) if matches!(error.code(), Code::Unavailable | Code::ResourceExhausted) => {
                tokio::task::yield_now().await;
            }
            answered => return answered,
        }
    }
}

fn career(n: usize) -> ReplaceProfileRequest {
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
async fn of_concurrent_replacements_one_is_complete() {
    let profile = Arc::new(Profile::with_members(1).await);
    let mut tasks = JoinSet::new();
    for n in 0..24 {
        let profile = Arc::clone(&profile);
        tasks.spawn(async move { retry_when_busy(|| profile.replace(1, career(n))).await.unwrap() });
    }
    for answered in tasks.join_all().await {
        let n: usize = answered.bio.unwrap().trim_start_matches("Bio ").parse().unwrap();
        assert_eq!((answered.skills, answered.experiences), (career(n).skills, career(n).experiences));
    }
    let left = profile.get(member(1)).await.unwrap();
    let n: usize = left.bio.unwrap().trim_start_matches("Bio ").parse().unwrap();
    assert_eq!((left.skills, left.experiences), (career(n).skills, career(n).experiences));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_hundred_concurrent_endorsements_are_counted() {
    let profile = Arc::new(Profile::with_members(26).await);
    profile.with_skills(1, &["Research"]).await;
    let mut tasks = JoinSet::new();
    // The concurrency limit of one caller.
    let places = Arc::new(Semaphore::new(64));
    for n in 0..100 {
        let (profile, places) = (Arc::clone(&profile), Arc::clone(&places));
        tasks.spawn(async move {
            let _place = places.acquire().await.unwrap();
            retry_when_busy(|| profile.endorse(2 + n % 25, 1, "Research")).await.unwrap()
        });
    }
    assert!(tasks.join_all().await.iter().all(|standing| (1..=25).contains(&standing.count)));
    assert_eq!(profile.counts(1).await, [("Research".to_owned(), 25)]);
    assert_eq!(profile.fact_count::<SkillEndorsed>().await, 25);
    profile.assert_counters_match_rows().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn endorsing_a_skill_during_its_removal_keeps_counters_correct() {
    let profile = Arc::new(Profile::with_members(11).await);
    for round in 0..10 {
        profile.with_skills(1, &["Research"]).await;
        let mut tasks = JoinSet::new();
        for n in 2..=11 {
            let profile = Arc::clone(&profile);
            tasks.spawn(async move {
                if n == 6 {
                    profile.with_skills(1, &["Drafting"]).await;
                } else if let Err(error) = retry_when_busy(|| profile.endorse(n, 1, "Research")).await {
                    assert_eq!(details(Err::<(), _>(error)).reason, "SKILL_NOT_FOUND");
                }
            });
        }
        tasks.join_all().await;
        assert_eq!(profile.counts(1).await, [("Drafting".to_owned(), 0)], "round {round}");
    }
    assert_eq!(profile.count("select count(*) from profile.endorsements").await, 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn endorsing_during_deactivations_keeps_counters_correct() {
    let profile = Arc::new(Profile::with_members(6).await);
    for n in 1..=6 {
        profile.with_skills(n, &["Research"]).await;
    }
    let mut last = 0;
    let mut tasks = JoinSet::new();
    for round in 0..60 {
        let n = 1 + round % 6;
        if round % 3 == 0 {
            last = profile.auth.publish(member(n), &AccountClosed { member_id: member(n).to_string() });
        } else if round % 3 == 1 {
            last = profile.auth.publish(member(n), &AccountReopened { member_id: member(n).to_string() });
        }
        let profile = Arc::clone(&profile);
        tasks.spawn(async move {
            let (one, other) = if round % 2 == 0 { (1, 2 + round % 5) } else { (2 + round % 5, 1) };
            if let Err(error) = retry_when_busy(|| profile.endorse(one, other, "Research")).await {
                assert_eq!(details(Err::<(), _>(error)).reason, "SKILL_NOT_FOUND");
            }
        });
    }
    tasks.join_all().await;
    profile.harness.wait_until_applied("auth", last).await;
    profile.assert_counters_match_rows().await;
    assert_eq!(profile.count("select count(*) from profile.dead_facts").await, 0);
}

/// The facts of two sources arrive in any order.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn connecting_during_deactivations_keeps_counters_correct() {
    let profile = Profile::with_members(6).await;
    let (mut of_auth, mut of_graph) = (0, 0);
    for round in 0..120_u32 {
        let closing = member(u128::from(1 + round / 2 % 6)).to_string();
        of_auth = if round % 2 == 0 {
            profile.auth.publish(&closing, &AccountClosed { member_id: closing.clone() })
        } else {
            profile.auth.publish(&closing, &AccountReopened { member_id: closing.clone() })
        };
        // Alternating removals and acceptances, each published twice as after a snapshot.
        let pair = [1, 2 + round / 4 % 5].map(|n| member(u128::from(n)).to_string());
        let [requester_id, recipient_id] = pair;
        let connection_id = uuid::Uuid::nil().to_string();
        of_graph = if round / 20 % 2 == 0 {
            profile.graph.publish("pair", &ConnectionRemoved { connection_id, requester_id, recipient_id })
        } else {
            profile.graph.publish("pair", &ConnectionAccepted { connection_id, requester_id, recipient_id })
        };
    }
    profile.harness.wait_until_applied("auth", of_auth).await;
    profile.harness.wait_until_applied("social-graph", of_graph).await;
    profile.assert_counters_match_rows().await;
    assert_eq!(profile.connections(1).await, 5, "the last facts were acceptances");
    assert_eq!(profile.count("select count(*) from profile.dead_facts").await, 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_concurrent_picture_updates_one_is_in_use() {
    let profile = Arc::new(Profile::with_members(1).await);
    let mut tasks = JoinSet::new();
    for n in 0..6 {
        let profile = Arc::clone(&profile);
        tasks.spawn(async move { retry_when_busy(|| profile.update(1, avatar(n % 3))).await.unwrap() });
    }
    tasks.join_all().await;
    assert_eq!(profile.count("select count(*) from profile.pictures where uses > 0").await, 1);
    assert_eq!(profile.count("select count(*) from profile.pictures where uses = 1").await, 1);
    let in_use = "select count(*) from profile.pictures p, profile.members m
        where p.uses = 1 and m.avatar_url = '/media/' || p.hash || '.jpg'";
    assert_eq!(profile.count(in_use).await, 1);
}
