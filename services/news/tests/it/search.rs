//! Search for articles and resources, which are separate, in their current state.

use chrono::TimeDelta;
use news::admin;
use portia_proto::news::{
    SearchArticlesRequest, SearchArticlesResponse, SearchResourcesRequest, SearchResourcesResponse,
};
use primitives::error::{ErrorKind, StatusDetails};
use testkit::member;

use crate::{
    feed_server::{FeedItem, FeedServer, feed, item},
    fixtures::{Fixture, fields},
    suggestions::suggestion,
};

impl Fixture {
    async fn search_articles(&self, query: &str) -> Result<SearchArticlesResponse, StatusDetails> {
        let request = SearchArticlesRequest { query: query.to_owned(), ..Default::default() };
        let answer = self.news.clone().search_articles(self.visitor().request(request).unwrap()).await;
        answer.map(tonic::Response::into_inner).map_err(|status| StatusDetails::from(&status))
    }

    async fn titles_found(&self, query: &str) -> Vec<String> {
        self.search_articles(query).await.unwrap().articles.into_iter().map(|article| article.title).collect()
    }

    async fn search_resources(&self, query: &str) -> Result<SearchResourcesResponse, StatusDetails> {
        let request = SearchResourcesRequest { query: query.to_owned(), ..Default::default() };
        let answer = self.news.clone().search_resources(self.visitor().request(request).unwrap()).await;
        answer.map(tonic::Response::into_inner).map_err(|status| StatusDetails::from(&status))
    }

    /// Waits until all documents are indexed.
    async fn wait_for_index(&self) {
        self.wait_for_rows("select id::text from news.search_documents where state < 4", 0).await;
    }
}

#[tokio::test]
async fn titles_rank_before_bodies_and_spelling_errors_are_tolerated() {
    let server = FeedServer::start().await;
    let hours_ago = |hours| testkit::clock().now() - TimeDelta::hours(hours);
    let docket =
        FeedItem { description: "Docket of the tribunal".to_owned(), ..item(3, "What else is new", hours_ago(1)) };
    server.serve("aba", feed(&[item(1, "Tribunal hears appeal", hours_ago(9)), docket]));
    server.serve("law_com", feed(&[item(2, "Two tribunals disagree", hours_ago(5))]));
    let fixture = Fixture::crawling(&server, &["aba", "law_com"]).await;
    fixture.wait_for_index().await;
    let found = ["Tribunal hears appeal", "What else is new", "Two tribunals disagree"];
    assert_eq!(fixture.titles_found("tribunal").await, found);
    assert_eq!(fixture.titles_found("tribunl").await, ["Tribunal hears appeal", "What else is new"]);
    assert_eq!(fixture.titles_found("tribunal docket").await, ["What else is new"]);
    assert!(fixture.titles_found("admiralty").await.is_empty());
    assert_eq!(fixture.search_articles("tribunals").await.unwrap().terms, ["tribunal"]);
    let refused = fixture.search_articles("").await.unwrap_err();
    assert_eq!((refused.kind, fields(&refused)), (ErrorKind::Invalid, vec!["query"]));
}

#[tokio::test]
async fn a_cluster_is_found_once_as_its_current_leader() {
    let server = FeedServer::start().await;
    let hours_ago = |hours| testkit::clock().now() - TimeDelta::hours(hours);
    let titles = [
        "Supreme Court Rules Police Need a Warrant to Search Doorbell Videos",
        "Police Need Warrant for Doorbell Videos, Supreme Court Rules",
    ];
    server.serve("aba", feed(&[item(1, titles[0], hours_ago(5))]));
    server.serve("law_com", feed(&[]));
    let fixture = Fixture::crawling(&server, &["aba", "law_com"]).await;
    fixture.wait_for_index().await;
    assert_eq!(fixture.titles_found("doorbell warrant").await, [titles[0]]);
    server.serve("law_com", feed(&[item(2, titles[1], hours_ago(9))]));
    fixture.refresh().await;
    fixture.wait_for_index().await;
    assert_eq!(fixture.titles_found("doorbell warrant").await, [titles[1]], "the earlier copy leads now");
    server.serve("law_com", feed(&[item(2, "Corrected: no warrant", hours_ago(9))]));
    fixture.refresh().await;
    fixture.wait_for_index().await;
    assert_eq!(fixture.titles_found("corrected").await, ["Corrected: no warrant"]);
    assert_eq!(
        fixture
            .column(
                "select id::text from news.search_documents d where d.shelf = 0 and not exists (
            select from news.articles a where a.id = d.id and a.leads)"
            )
            .await,
        [""; 0],
        "no document of a copy remains",
    );
}

#[tokio::test]
async fn a_resource_is_found_after_approval_and_not_among_articles() {
    let fixture = Fixture::empty().await;
    fixture.suggest(member(1), &suggestion("https://torts.example/")).await.unwrap();
    fixture.wait_for_index().await;
    assert!(fixture.search_resources("torts").await.unwrap().resources.is_empty());
    let mut db = fixture.harness.pool().acquire().await.unwrap();
    let waiting = admin::list_pending_resources(&mut db).await.unwrap();
    admin::approve_resource(&mut db, waiting[0].id, fixture.now()).await.unwrap();
    fixture.wait_for_index().await;
    let found = fixture.search_resources("tort hours").await.unwrap();
    assert_eq!(found.resources.len(), 1);
    assert_eq!(
        (found.resources[0].title.as_str(), found.terms),
        ("Torts in two hours", vec!["hours".into(), "tort".into()])
    );
    assert!(fixture.titles_found("torts").await.is_empty());
    let refused = fixture.search_resources(" ").await.unwrap_err();
    assert_eq!((refused.kind, fields(&refused)), (ErrorKind::Invalid, vec!["query"]));
}
