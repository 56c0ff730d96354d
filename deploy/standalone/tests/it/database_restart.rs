//! The private Postgres is killed while members read and write.

use std::{
    process::Command,
    sync::atomic::{AtomicBool, AtomicUsize, Ordering},
    time::{Duration, Instant},
};

use serde_json::json;

use crate::{
    browser::Browser,
    local::{folder, start},
};

/// The timeout of a recovery on a busy machine.
const TIMEOUT: Duration = Duration::from_secs(120);

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_database_is_restarted_with_every_acknowledged_write() {
    let data = folder();
    let stack = start(&data, true).await;
    let base = format!("http://{}", stack.address);
    let mut member = Browser::new(&base);
    member.register("keeps.writing").await;
    let pid_file = data.path().join("data/postgres/cluster/postmaster.pid");
    let postmaster = || std::fs::read_to_string(&pid_file).ok()?.lines().next().map(str::to_owned);

    let (finished, acknowledged, refused) = (AtomicBool::new(false), AtomicUsize::new(0), AtomicUsize::new(0));
    let write = async |mut writer: Browser| {
        let mut posts = Vec::new();
        while !finished.load(Ordering::SeqCst) {
            let content = format!("Note {}", posts.len());
            let response = writer.post("/api/posts", json!({"content": content})).await;
            match response.status.as_u16() {
                201 => {
                    acknowledged.fetch_add(1, Ordering::SeqCst);
                    posts.push((response.body["id"].as_str().unwrap().to_owned(), content));
                }
                503 | 504 => {
                    refused.fetch_add(1, Ordering::SeqCst);
                }
                status => panic!("{status}: {}", response.body),
            }
        }
        posts
    };
    let read = async |mut reader: Browser| {
        while !finished.load(Ordering::SeqCst) {
            let status = reader.get_once("/api/posts?sort=recent").await.status.as_u16();
            assert!(matches!(status, 200 | 503 | 504), "{status}");
        }
    };
    let reaches = async |what: &str, count: &AtomicUsize, goal: usize| {
        let begun = Instant::now();
        while count.load(Ordering::SeqCst) < goal {
            assert!(begun.elapsed() < TIMEOUT, "in vain: {what}");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    let kill = async {
        for round in 1..=2 {
            reaches("writes before the kill", &acknowledged, acknowledged.load(Ordering::SeqCst) + 20).await;
            let before = postmaster().unwrap();
            assert!(Command::new("kill").args(["-9", &before]).status().unwrap().success());
            let begun = Instant::now();
            while postmaster().is_none_or(|now| now == before) {
                assert!(begun.elapsed() < TIMEOUT, "round {round}: the database does not restart");
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
            reaches("writes after the restart", &acknowledged, acknowledged.load(Ordering::SeqCst) + 20).await;
        }
        finished.store(true, Ordering::SeqCst);
    };
    let (one, other) = (member.with_cookie_of(&member), member.with_cookie_of(&member));
    let (mut posts, more, (), ()) = tokio::join!(write(one), write(other), read(member.with_cookie_of(&member)), kill);
    posts.extend(more);
    assert!(refused.load(Ordering::SeqCst) > 0, "the writers met the interruption");
    for (id, content) in posts {
        let post = member.get(&format!("/api/posts/{id}")).await.expect(200);
        assert_eq!(post["content"], json!(content));
    }
    stack.stop().await.unwrap();
    assert!(!pid_file.exists(), "the restarted server was stopped");
}
