//! A data folder that was filled by COPY: its members find what was drawn for them, and it is measured and explained.

use std::{fs, path::Path};

use portia_bench::{
    explain,
    place::{Note, Place},
    portia::Portia,
    report, seed,
};
use serde_json::json;

use crate::{browser::Browser, local::folder};

fn program() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_portia"))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_filled_portia_is_lived_in_measured_and_explained() {
    let data = folder();
    let place = Place::at(&data.path().join("data")).unwrap();
    let size = "300".parse().unwrap();
    let note = seed::ensure(program(), &place, size, None, &|_| {}).await.unwrap();
    let again = seed::ensure(program(), &place, size, None, &|_| {}).await.unwrap();
    assert_eq!(again.as_of, note.as_of, "what is there is not made anew");
    let other = seed::ensure(program(), &place, "400".parse().unwrap(), None, &|_| {}).await.unwrap_err();
    assert!(other.to_string().contains("has size 300, not 400"), "{other:#}");

    lived_in(&place, &note).await;
    measured(&place).await;
    explained(&place).await;
}

/// What COPY wrote is what the services and their read models take for their own.
async fn lived_in(place: &Place, note: &Note) {
    let portia = Portia::start(program(), place).unwrap();
    let mut me = Browser::new(&portia.base);
    let credentials = json!({"username": note.typical[0], "password": note.password});
    me.post("/api/auth/login", credentials).await.expect(200);
    let id = me.get("/api/auth/me").await.expect(200)["id"].as_str().unwrap().to_owned();
    for order in ["recent", "relevant", "top"] {
        let page = me.get(&format!("/api/posts?sort={order}")).await.expect(200);
        let posts = page.as_array().unwrap();
        assert_eq!(posts.len(), 20, "{order}");
        for post in posts {
            // Fewer where one blocks the other.
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
    assert!(communities[0]["role"].is_string(), "one's own come first: {communities}");
    let community = communities[0]["id"].as_str().unwrap();
    let inside = me.get(&format!("/api/posts?sort=recent&communityId={community}")).await.expect(200);
    assert_eq!(inside[0]["community"]["name"], communities[0]["name"], "the membership is known to feed: {inside}");
    let events = me.get("/api/events").await.expect(200);
    assert!(!events[0]["attendees"].as_array().unwrap().is_empty(), "{events}");
    portia.stop().unwrap();
}

async fn measured(place: &Place) {
    let report = report::measure(program(), std::slice::from_ref(place), 0.3, &|_| {}).await.unwrap();
    assert!(report.is_clean(), "{report}");
    let routes = &report.portias[0].routes;
    for wanted in ["feed recent", "feed relevant", "feed top", "post", "profile", "like, unlike"] {
        assert!(routes.iter().any(|line| line.route == wanted), "{wanted}: {report}");
    }
    // Two bytes are an empty list.
    assert!(routes.iter().all(|line| line.bytes > 2 && line.requests >= 40), "{report}");
    assert!(report.to_string().contains("300: 300 members, 3000 posts"), "{report}");
}

async fn explained(place: &Place) {
    let explained = explain::explain(program(), place, 3, &|_| {}).await.unwrap();
    let of = |route: &str| explained.routes.iter().find(|each| each.route == route).unwrap();
    for (route, table) in
        [("feed recent", "feed.posts"), ("connections", "social_graph.connections"), ("profile", "profile.members")]
    {
        let dearest = &of(route).statements[0];
        assert!(dearest.query.contains(table) && dearest.buffers() > 0, "{route}: {}", dearest.query);
        assert!(!dearest.scans.is_empty(), "{route}");
    }
    // Nothing of it is left: the next start writes no plans.
    let portia = Portia::start(program(), place).unwrap();
    Browser::new(&portia.base).get("/api/posts").await.expect(200);
    portia.stop().unwrap();
    assert!(!fs::read_to_string(place.postgres_log()).unwrap().contains("plan:"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_in_use_is_left_unchanged() {
    let data = folder();
    let place = Place::at(&data.path().join("data")).unwrap();
    let stack = crate::local::start(&data, true).await;
    stack.stop().await.unwrap();
    let refused = seed::ensure(program(), &place, "50".parse().unwrap(), None, &|_| {}).await.unwrap_err();
    assert!(refused.to_string().contains("holds a Portia that was not made for measuring"), "{refused:#}");
    let refused = report::measure(program(), &[place], 0.3, &|_| {}).await.unwrap_err();
    assert!(refused.to_string().contains("was not filled by"), "{refused:#}");
}
