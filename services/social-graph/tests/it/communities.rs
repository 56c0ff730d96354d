//! Communities: largest first, open to visitors.

use chassis::error::Kind;
use portia_proto::social_graph::{Community, ListCommunitiesRequest, ListCommunitiesResponse};

use crate::graph::{Graph, fields, row_id, told};

impl Graph {
    async fn communities(&self, request: ListCommunitiesRequest) -> ListCommunitiesResponse {
        let request = self.harness.actors.service("gateway").request(request).unwrap();
        told(self.client.clone().list_communities(request).await).unwrap()
    }
}

#[tokio::test]
async fn the_largest_comes_first_with_its_kept_count() {
    let graph = Graph::empty().await;
    graph.gather(1, &[1]).await;
    graph.gather(2, &[1, 2, 3]).await;
    graph.gather(3, &[]).await;
    graph
        .harness
        .database()
        .run("update social_graph.communities set description = 'Moot' where member_count = 3")
        .await;
    let page = graph.communities(ListCommunitiesRequest::default()).await;
    let community = |n, description: Option<&str>, member_count| Community {
        id: row_id(n).to_string(),
        name: format!("Community {n}"),
        description: description.map(str::to_owned),
        member_count,
    };
    assert_eq!(page.communities, [community(2, Some("Moot"), 3), community(1, None, 1), community(3, None, 0)]);
    assert_eq!(page.next_page_token, "");
}

#[tokio::test]
async fn pages_walk_through_communities_of_one_size() {
    let graph = Graph::empty().await;
    for n in 1..=5 {
        graph.gather(n, &[1]).await;
    }
    let mut seen = Vec::new();
    let mut request = ListCommunitiesRequest { page_size: 2, ..Default::default() };
    loop {
        let page = graph.communities(request.clone()).await;
        seen.extend(page.communities.into_iter().map(|community| community.name));
        if page.next_page_token.is_empty() {
            break;
        }
        request.page_token = page.next_page_token;
    }
    assert_eq!(seen, [5, 4, 3, 2, 1].map(|n| format!("Community {n}")));
}

#[tokio::test]
async fn a_page_that_does_not_exist_is_refused() {
    let graph = Graph::empty().await;
    let gateway = graph.harness.actors.service("gateway");
    for (page_size, page_token, field) in [(-1, "", "pageSize"), (0, "x", "pageToken")] {
        let request = ListCommunitiesRequest { page_size, page_token: page_token.to_owned() };
        let answer = graph.client.clone().list_communities(gateway.request(request).unwrap()).await;
        let refused = told(answer).unwrap_err();
        assert_eq!((refused.kind, fields(&refused)), (Kind::Invalid, vec![field]));
    }
}

#[tokio::test]
async fn two_communities_cannot_look_alike() {
    let graph = Graph::empty().await;
    graph.gather(1, &[1]).await;
    let twin = sqlx::raw_sql(
        "insert into social_graph.communities (id, name, created_at)
        select gen_random_uuid(), upper(name), created_at from social_graph.communities",
    );
    let refused = chassis::db::Error::from(twin.execute(graph.harness.pool()).await.unwrap_err());
    assert_eq!(refused.constraint(), Some("communities_name_key"));
}
