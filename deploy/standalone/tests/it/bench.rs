//! A data folder that was filled by COPY: its members use it, and its routes are measured and explained.

use std::{fs, path::Path, time::Duration};

use portia_bench::{
    compare::{self, Programs, lines::Verdict},
    data_folder::{DataFolder, Note},
    effort::Effort,
    explain, facts,
    portia::Portia,
    processes::Processes,
    report, seed,
};
use serde_json::json;

use crate::{browser::Browser, local, processes::binary};

/// Enough for every part of the report: the numbers of a debug build are compared with nothing.
const EFFORT: Effort = Effort {
    seconds: 0.1,
    warm_up: Duration::ZERO,
    idle: Duration::from_millis(100),
    messages: 20,
    pictures: 1,
    // Both directions of the list of routes.
    rounds: 2,
    settle_timeout: Duration::from_millis(100),
};

fn program() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_portia"))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_filled_portia_is_used_measured_and_explained() {
    let data = local::folder();
    let folder = DataFolder::at(&data.path().join("data")).unwrap();
    let size = "300".parse().unwrap();
    let note = seed::ensure(program(), &folder, size, None, &|_| {}).await.unwrap();
    let again = seed::ensure(program(), &folder, size, None, &|_| {}).await.unwrap();
    assert_eq!(again.as_of, note.as_of, "an existing folder is not filled again");
    let other = seed::ensure(program(), &folder, "400".parse().unwrap(), None, &|_| {}).await.unwrap_err();
    assert!(other.to_string().contains("has size 300, not 400"), "{other:#}");

    used(&folder, &note).await;
    measured(&folder).await;
    compared(&folder).await;
    served_by_processes(&folder).await;
    explained(&folder).await;
    consumed(&folder).await;
}

/// The services accept the rows of COPY in their tables and read models.
async fn used(folder: &DataFolder, note: &Note) {
    let portia = Portia::start(program(), folder).unwrap();
    let mut me = Browser::new(&portia.base);
    let credentials = json!({"username": note.typical[0], "password": note.password});
    me.post("/api/auth/login", credentials).await.expect(200);
    let id = me.get("/api/auth/me").await.expect(200)["id"].as_str().unwrap().to_owned();
    for order in ["recent", "relevant", "top"] {
        let page = me.get(&format!("/api/posts?sort={order}")).await.expect(200);
        let posts = page.as_array().unwrap();
        assert_eq!(posts.len(), 20, "{order}");
        for post in posts {
            // Reactions of blocked members are omitted.
            let likes = post["likes"].as_array().unwrap().len() as u64;
            assert!(likes <= post["likeCount"].as_u64().unwrap().min(20), "{post}");
            assert!(post["user"]["fullName"].is_string(), "{post}");
        }
        assert!(posts.iter().any(|post| !post["likes"].as_array().unwrap().is_empty()), "{order}");
    }
    let connections = me.get(&format!("/api/users/{id}/connections")).await;
    assert_eq!(connections.headers["x-total-count"], note.degrees[0].to_string().as_str());
    let suggestions = me.get(&format!("/api/users/{id}/suggestions")).await.expect(200);
    assert_eq!(suggestions[0]["reason"], json!("mutual_connections"), "{suggestions}");
    let communities = me.get("/api/communities").await.expect(200);
    assert!(communities[0]["role"].is_string(), "own communities come first: {communities}");
    let community = communities[0]["id"].as_str().unwrap();
    let inside = me.get(&format!("/api/posts?sort=recent&communityId={community}")).await.expect(200);
    assert_eq!(inside[0]["community"]["name"], communities[0]["name"], "the membership is known to feed: {inside}");
    let events = me.get("/api/events").await.expect(200);
    assert!(!events[0]["attendees"].as_array().unwrap().is_empty(), "{events}");
    portia.stop().unwrap();
}

async fn measured(folder: &DataFolder) {
    let report = report::measure(program(), std::slice::from_ref(folder), EFFORT, &|_| {}).await.unwrap();
    assert!(report.is_clean(), "{report}");
    let routes = &report.portias[0].routes;
    for wanted in ["feed recent", "feed relevant", "feed top", "post", "profile", "like, unlike"] {
        assert!(routes.iter().any(|line| line.route == wanted), "{wanted}: {report}");
    }
    // Two bytes are an empty list.
    assert!(routes.iter().all(|line| line.bytes > 2 && line.requests >= 8), "{report}");
    assert!(report.to_string().contains("300: 300 members, 3000 posts"), "{report}");
}

/// Every row has its goal, and numbers exactly if the machine was not too busy.
async fn compared(folder: &DataFolder) {
    let bench = binary("portia-bench");
    let programs = Programs { portia: program(), bench: &bench, processes: None };
    let compared = compare::measure(programs, std::slice::from_ref(folder), EFFORT, &|_| {}).await.unwrap();
    assert!(compared.is_clean(), "{compared}");
    let lines = &compared.tables[0].lines;
    for (row, goal) in [
        ("feed, other pages each time", "<= 2x"),
        ("feed, first page", "<= 1.5x"),
        ("post with comments", "<= 2x"),
        ("profile", "<= 2x"),
        ("like, unlike", "<= 1.5x"),
        ("unread", "<= 1.5x"),
        ("relevant feed, of bare's fan-in", "<= 0.3x"),
        ("search of people", "<= 2x"),
        ("search of all kinds", "<= 6x people"),
        ("suggestions, ", "<= 0.2 ms"),
        ("suggestions, ", "<= 0.4 ms"),
        ("suggestions, ", "<= 2 ms"),
        ("peak of the feed", ">= 3000/s"),
        ("peak of likes", ">= 1500/s"),
        ("sent to seen, p99 at 200/s", "<= 20 ms"),
    ] {
        assert!(lines.iter().any(|line| line.row.starts_with(row) && line.goal == goal), "{row} {goal}: {compared}");
    }
    for line in lines {
        let [rounds, busy] = line.rounds;
        let is_refused = busy * 2 > rounds;
        assert_eq!((line.verdict == Verdict::Refused, line.portia.is_none()), (is_refused, is_refused), "{compared}");
    }
}

/// Eight processes serve the data beside the standalone Portia.
async fn served_by_processes(folder: &DataFolder) {
    let portia = Portia::start(program(), folder).unwrap();
    let processes = Processes::start(binary("portia-bench").parent().unwrap(), folder).await.unwrap();
    assert_eq!(processes.ids().count(), 8);
    let page = Browser::new(&processes.base).get("/api/posts?sort=recent").await.expect(200);
    assert_eq!(page.as_array().unwrap().len(), 20, "{page}");
    drop(processes);
    portia.stop().unwrap();
}

async fn explained(folder: &DataFolder) {
    let explained = explain::explain(program(), folder, 3, &|_| {}).await.unwrap();
    let of = |route: &str| explained.routes.iter().find(|each| each.route == route).unwrap();
    for (route, table) in
        [("feed recent", "feed.posts"), ("connections", "social_graph.connections"), ("profile", "profile.members")]
    {
        let most_expensive = &of(route).statements[0];
        assert!(
            most_expensive.query.contains(table) && most_expensive.buffers() > 0,
            "{route}: {}",
            most_expensive.query
        );
        assert!(!most_expensive.scans.is_empty(), "{route}");
    }
    // The settings are removed: the next start logs no plans.
    let portia = Portia::start(program(), folder).unwrap();
    Browser::new(&portia.base).get("/api/posts").await.expect(200);
    portia.stop().unwrap();
    assert!(!fs::read_to_string(folder.postgres_log()).unwrap().contains("plan:"));
}

/// Checks that the services consume the measured facts.
async fn consumed(folder: &DataFolder) {
    let report = facts::measure(program(), folder, 40, &|_| {}).await.unwrap();
    for backlog in &report.backlogs {
        assert!(backlog.consumers.contains_key("messaging"), "{}", backlog.kind);
        // The notification of a connection replaces the notification of its request.
        let new_notifications = if backlog.kind.ends_with("ConnectionAccepted") { 0 } else { i64::from(backlog.facts) };
        assert_eq!(backlog.notifications, new_notifications, "{}", backlog.kind);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_in_use_is_left_unchanged() {
    let data = local::folder();
    let folder = DataFolder::at(&data.path().join("data")).unwrap();
    let stack = local::start(&data, true).await;
    stack.stop().await.unwrap();
    let refused = seed::ensure(program(), &folder, "50".parse().unwrap(), None, &|_| {}).await.unwrap_err();
    assert!(refused.to_string().contains("holds a Portia that was not made for measuring"), "{refused:#}");
    let refused = report::measure(program(), &[folder], EFFORT, &|_| {}).await.unwrap_err();
    assert!(refused.to_string().contains("was not filled by"), "{refused:#}");
}
