//! Stories and resources found by their words, each by itself, and as they are told now.

use chrono::TimeDelta;
use news::admin;
use portia_proto::news::{
    SearchArticlesRequest, SearchArticlesResponse, SearchResourcesRequest, SearchResourcesResponse,
};
use primitives::error::{ErrorKind, StatusDetails};
use testkit::member;

use crate::{
    newsroom::{Newsroom, fields},
    press::{Press, Story, feed, story},
    suggestions::suggestion,
};

impl Newsroom {
    async fn stories_with(&self, query: &str) -> Result<SearchArticlesResponse, StatusDetails> {
        let request = SearchArticlesRequest { query: query.to_owned(), ..Default::default() };
        let answer = self.news.clone().search_articles(self.visitor().request(request).unwrap()).await;
        answer.map(tonic::Response::into_inner).map_err(|status| StatusDetails::from(&status))
    }

    async fn headlines(&self, query: &str) -> Vec<String> {
        self.stories_with(query).await.unwrap().articles.into_iter().map(|article| article.title).collect()
    }

    async fn resources_with(&self, query: &str) -> Result<SearchResourcesResponse, StatusDetails> {
        let request = SearchResourcesRequest { query: query.to_owned(), ..Default::default() };
        let answer = self.news.clone().search_resources(self.visitor().request(request).unwrap()).await;
        answer.map(tonic::Response::into_inner).map_err(|status| StatusDetails::from(&status))
    }

    /// Waits until everything was read, and its words learnt.
    async fn read(&self) {
        self.until("select id::text from news.search_documents where state < 2", 0).await;
    }
}

#[tokio::test]
async fn headlines_come_before_what_else_is_told_and_typing_errors_are_forgiven() {
    let press = Press::start().await;
    let hours_ago = |hours| testkit::clock().now() - TimeDelta::hours(hours);
    let docket =
        Story { description: "Docket of the tribunal".to_owned(), ..story(3, "What else is new", hours_ago(1)) };
    press.print("aba", feed(&[story(1, "Tribunal hears appeal", hours_ago(9)), docket]));
    press.print("law_com", feed(&[story(2, "Two tribunals disagree", hours_ago(5))]));
    let newsroom = Newsroom::reading(&press, &["aba", "law_com"]).await;
    newsroom.read().await;
    let found = ["Tribunal hears appeal", "What else is new", "Two tribunals disagree"];
    assert_eq!(newsroom.headlines("tribunal").await, found);
    assert_eq!(newsroom.headlines("tribunl").await, ["Tribunal hears appeal", "What else is new"]);
    assert_eq!(newsroom.headlines("tribunal docket").await, ["What else is new"]);
    assert!(newsroom.headlines("admiralty").await.is_empty());
    assert_eq!(newsroom.stories_with("tribunals").await.unwrap().terms, ["tribunal"]);
    let refused = newsroom.stories_with("").await.unwrap_err();
    assert_eq!((refused.kind, fields(&refused)), (ErrorKind::Invalid, vec!["query"]));
}

#[tokio::test]
async fn a_story_is_found_once_as_the_copy_that_stands_for_it_and_as_it_is_told_now() {
    let press = Press::start().await;
    let hours_ago = |hours| testkit::clock().now() - TimeDelta::hours(hours);
    let titles = [
        "Supreme Court Rules Police Need a Warrant to Search Doorbell Videos",
        "Police Need Warrant for Doorbell Videos, Supreme Court Rules",
    ];
    press.print("aba", feed(&[story(1, titles[0], hours_ago(5))]));
    press.print("law_com", feed(&[]));
    let newsroom = Newsroom::reading(&press, &["aba", "law_com"]).await;
    newsroom.read().await;
    assert_eq!(newsroom.headlines("doorbell warrant").await, [titles[0]]);
    press.print("law_com", feed(&[story(2, titles[1], hours_ago(9))]));
    newsroom.refresh().await;
    newsroom.read().await;
    assert_eq!(newsroom.headlines("doorbell warrant").await, [titles[1]], "the earlier copy leads now");
    press.print("law_com", feed(&[story(2, "Corrected: no warrant", hours_ago(9))]));
    newsroom.refresh().await;
    newsroom.read().await;
    assert_eq!(newsroom.headlines("corrected").await, ["Corrected: no warrant"]);
    assert_eq!(
        newsroom
            .column(
                "select id::text from news.search_documents d where d.shelf = 0 and not exists (
            select from news.articles a where a.id = d.id and a.leads)"
            )
            .await,
        [""; 0],
        "nothing is kept of what nobody finds",
    );
}

#[tokio::test]
async fn a_resource_is_found_once_it_is_approved_and_is_no_story() {
    let newsroom = Newsroom::open().await;
    newsroom.suggest(member(1), &suggestion("https://torts.example/")).await.unwrap();
    newsroom.read().await;
    assert!(newsroom.resources_with("torts").await.unwrap().resources.is_empty());
    let mut db = newsroom.harness.pool().acquire().await.unwrap();
    let waiting = admin::resources_waiting(&mut db).await.unwrap();
    admin::approve(&mut db, waiting[0].id, newsroom.now()).await.unwrap();
    newsroom.read().await;
    let found = newsroom.resources_with("tort hours").await.unwrap();
    assert_eq!(found.resources.len(), 1);
    assert_eq!(
        (found.resources[0].title.as_str(), found.terms),
        ("Torts in two hours", vec!["hours".into(), "tort".into()])
    );
    assert!(newsroom.headlines("torts").await.is_empty());
    let refused = newsroom.resources_with(" ").await.unwrap_err();
    assert_eq!((refused.kind, fields(&refused)), (ErrorKind::Invalid, vec!["query"]));
}
