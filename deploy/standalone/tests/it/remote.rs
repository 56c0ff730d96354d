//! Eight processes: what one member wrote outlives the process that wrote it.

use serde_json::json;

use crate::{
    browser::{Browser, walk},
    processes::Processes,
};

#[tokio::test(flavor = "multi_thread")]
async fn eight_processes_serve_a_member_and_feed_survives_its_own_death() {
    let mut processes = Processes::start(&[]).await;
    let id = walk(&processes.base).await;

    processes.kill("feed");
    let mut visitor = Browser::new(&processes.base);
    let refused = visitor.get("/api/posts?sort=recent").await;
    assert_eq!(refused.headers["content-type"], "application/problem+json");
    let refused = refused.expect(503);
    assert!(!refused["error"].as_str().unwrap().is_empty(), "the list says honestly that it cannot be shown");
    visitor.get("/api/communities").await.expect(200);

    processes.spawn("feed");
    processes.until_ready().await;
    let post = visitor.get(&format!("/api/posts/{id}")).await.expect(200);
    assert_eq!((&post["likeCount"], &post["commentCount"]), (&json!(1), &json!(1)));
}
