//! Communities found by their words: names first, as lists carry them, and as they are called now.

use chrono::TimeDelta;
use portia_proto::social_graph::{Community, CommunityText, SearchCommunitiesRequest, SearchCommunitiesResponse};
use primitives::error::{ErrorKind, StatusDetails};

use crate::{
    gatherings::{VISITOR, called},
    graph::{Graph, fields, told},
};

impl Graph {
    async fn search(&self, who: u128, query: &str) -> Result<SearchCommunitiesResponse, StatusDetails> {
        let request = SearchCommunitiesRequest { query: query.to_owned(), ..Default::default() };
        told(self.client.clone().search_communities(self.seen_by(who, request)).await)
    }

    async fn founds_saying(&self, name: &str, description: &str) -> Community {
        let founded = self.founds(1, name).await.unwrap();
        let text = CommunityText { description: Some(description.to_owned()), ..called(name) };
        self.harness.clock.advance(TimeDelta::seconds(1));
        self.rewords(1, &founded.id, text).await.unwrap()
    }

    /// The names found, in order.
    async fn found_named(&self, query: &str) -> Vec<String> {
        let found = self.search(VISITOR, query).await.unwrap();
        found.communities.into_iter().map(|community| community.name).collect()
    }

    async fn all_learnt(&self) {
        let waiting = "select count(*) from social_graph.search_documents where state < 2";
        let patience = async {
            while sqlx::query_scalar::<_, i64>(waiting).fetch_one(self.harness.pool()).await.unwrap() > 0 {
                tokio::task::yield_now().await;
            }
        };
        tokio::time::timeout(std::time::Duration::from_secs(30), patience).await.unwrap();
    }
}

#[tokio::test]
async fn a_name_comes_before_a_description() {
    let graph = Graph::empty().await;
    graph.founds_saying("Tax Law Circle", "For whoever likes numbers").await;
    graph.founds_saying("Numbers Guild", "Tax, and more tax").await;
    graph.founds_saying("Moot Court", "Taxes us all").await;
    graph.all_learnt().await;
    assert_eq!(graph.found_named("tax").await, ["Tax Law Circle", "Numbers Guild", "Moot Court"]);
    assert_eq!(graph.found_named("numbers").await, ["Numbers Guild", "Tax Law Circle"]);
    assert_eq!(graph.found_named("tax numbers").await, ["Numbers Guild", "Tax Law Circle"]);
    assert_eq!(graph.found_named("mout court").await, ["Moot Court"]);
    assert_eq!(graph.found_named("gui").await, ["Numbers Guild"]);
    assert!(graph.found_named("admiralty").await.is_empty());
    let refused = graph.search(1, " ").await.unwrap_err();
    assert_eq!((refused.kind, fields(&refused)), (ErrorKind::Invalid, vec!["query"]));
}

#[tokio::test]
async fn they_are_found_as_lists_carry_them_and_as_they_are_called_now() {
    let graph = Graph::empty().await;
    let founded = graph.founds_saying("Tax Circle", "Rates").await;
    for (who, member) in [(1, true), (2, false), (VISITOR, false)] {
        let found = graph.search(who, "circle rates").await.unwrap();
        let role = if member { founded.role } else { 0 };
        assert_eq!(found.communities, [Community { role, rules: None, ..founded.clone() }]);
        assert_eq!(found.terms, ["circle", "rates"]);
    }
    graph.rewords(1, &founded.id, called("Levy Circle")).await.unwrap();
    assert!(graph.found_named("tax").await.is_empty());
    assert_eq!(graph.found_named("levy").await, ["Levy Circle"]);
    graph.erase(1).await;
    assert!(graph.found_named("circle").await.is_empty(), "nobody is left in it");
}
