//! Resources: approved ones, newest first.

use chassis::error::Kind;
use portia_proto::news::{ListResourcesRequest, Resource};
use testkit::member;

use crate::newsroom::{Newsroom, fields, resource_id};

#[tokio::test]
async fn suggestions_wait_unseen_until_they_are_approved() {
    let newsroom = Newsroom::open().await;
    newsroom.offer(1, Some(member(1)), false).await;
    newsroom.offer(2, Some(member(1)), true).await;
    newsroom.offer(3, None, true).await;
    let page = newsroom.resources(ListResourcesRequest::default()).await.unwrap();
    let ids: Vec<_> = page.resources.iter().map(|resource| resource.id.clone()).collect();
    assert_eq!(ids, [resource_id(2).to_string(), resource_id(3).to_string()]);
}

#[tokio::test]
async fn every_field_arrives() {
    let newsroom = Newsroom::open().await;
    newsroom.offer(1, None, true).await;
    let fill = "update news.resources
        set description = 'Cases.', url = 'https://x.example', type = 'case-brief', title = 'Briefs'";
    newsroom.harness.database().run(fill).await;
    let page = newsroom.resources(ListResourcesRequest::default()).await.unwrap();
    let resource = Resource {
        id: resource_id(1).to_string(),
        title: "Briefs".to_owned(),
        description: Some("Cases.".to_owned()),
        url: Some("https://x.example".to_owned()),
        r#type: "case-brief".to_owned(),
    };
    assert_eq!(page.resources, [resource]);
}

#[tokio::test]
async fn pages_walk_through_all_of_them() {
    let newsroom = Newsroom::open().await;
    for n in 1..=5 {
        newsroom.offer(n, None, true).await;
    }
    let mut seen = Vec::new();
    let mut request = ListResourcesRequest { page_size: 2, ..Default::default() };
    loop {
        let page = newsroom.resources(request.clone()).await.unwrap();
        seen.extend(page.resources.into_iter().map(|resource| resource.id));
        if page.next_page_token.is_empty() {
            break;
        }
        request.page_token = page.next_page_token;
    }
    assert_eq!(seen, [1, 2, 3, 4, 5].map(|n| resource_id(n).to_string()));
}

#[tokio::test]
async fn a_page_that_does_not_exist_is_refused() {
    let newsroom = Newsroom::open().await;
    for (page_size, page_token, field) in [(-1, "", "pageSize"), (0, "bm90IGpzb24", "pageToken")] {
        let request = ListResourcesRequest { page_size, page_token: page_token.to_owned() };
        let refused = newsroom.resources(request).await.unwrap_err();
        assert_eq!((refused.kind, fields(&refused)), (Kind::Invalid, vec![field]));
    }
}
