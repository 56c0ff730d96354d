//! Search of communities by their current texts, names first.

use chrono::TimeDelta;
use portia_proto::social_graph::{Community, CommunityText, SearchCommunitiesRequest, SearchCommunitiesResponse};
use primitives::error::{ErrorKind, StatusDetails};

use crate::{
    actors::{VISITOR, community_text},
    fixtures::{Fixture, fields, into_result},
};

impl Fixture {
    pub async fn search(&self, who: u128, query: &str) -> Result<SearchCommunitiesResponse, StatusDetails> {
        let request = SearchCommunitiesRequest { query: query.to_owned(), ..Default::default() };
        into_result(self.client.clone().search_communities(self.as_viewer(who, request)).await)
    }

    async fn create_described_community(&self, name: &str, description: &str) -> Community {
        let founded = self.create_community(1, name).await.unwrap();
        let text = CommunityText { description: Some(description.to_owned()), ..community_text(name) };
        self.harness.clock.advance(TimeDelta::seconds(1));
        self.update_community(1, &founded.id, text).await.unwrap()
    }

    async fn search_names(&self, query: &str) -> Vec<String> {
        let found = self.search(VISITOR, query).await.unwrap();
        found.communities.into_iter().map(|community| community.name).collect()
    }

    pub async fn wait_until_indexed(&self) {
        let waiting = "select count(*) from social_graph.search_documents where state < 4";
        let indexed = async {
            while sqlx::query_scalar::<_, i64>(waiting).fetch_one(self.harness.pool()).await.unwrap() > 0 {
                testkit::pause().await;
            }
        };
        tokio::time::timeout(std::time::Duration::from_secs(120), indexed).await.unwrap();
    }
}

#[tokio::test]
async fn a_match_in_the_name_ranks_before_a_match_in_the_description() {
    let graph = Fixture::empty().await;
    graph.create_described_community("Tax Law Circle", "For members who like numbers").await;
    graph.create_described_community("Numbers Guild", "Tax, and more tax").await;
    graph.create_described_community("Moot Court", "Taxes us all").await;
    graph.wait_until_indexed().await;
    assert_eq!(graph.search_names("tax").await, ["Tax Law Circle", "Numbers Guild", "Moot Court"]);
    assert_eq!(graph.search_names("numbers").await, ["Numbers Guild", "Tax Law Circle"]);
    assert_eq!(graph.search_names("tax numbers").await, ["Numbers Guild", "Tax Law Circle"]);
    assert_eq!(graph.search_names("mout court").await, ["Moot Court"]);
    assert_eq!(graph.search_names("gui").await, ["Numbers Guild"]);
    assert!(graph.search_names("admiralty").await.is_empty());
    let refused = graph.search(1, " ").await.unwrap_err();
    assert_eq!((refused.kind, fields(&refused)), (ErrorKind::Invalid, vec!["query"]));
}

#[tokio::test]
async fn search_returns_communities_in_the_form_of_lists_by_their_current_texts() {
    let graph = Fixture::empty().await;
    let founded = graph.create_described_community("Tax Circle", "Rates").await;
    for (who, member) in [(1, true), (2, false), (VISITOR, false)] {
        let found = graph.search(who, "circle rates").await.unwrap();
        let role = if member { founded.role } else { 0 };
        assert_eq!(found.communities, [Community { role, rules: None, ..founded.clone() }]);
        assert_eq!(found.terms, ["circle", "rates"]);
    }
    graph.update_community(1, &founded.id, community_text("Levy Circle")).await.unwrap();
    assert!(graph.search_names("tax").await.is_empty());
    assert_eq!(graph.search_names("levy").await, ["Levy Circle"]);
    graph.erase(1).await;
    assert!(graph.search_names("circle").await.is_empty(), "an empty community is deleted");
}
