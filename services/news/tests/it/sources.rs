//! Sources: the specification's four, known before anything was crawled.

use portia_proto::news::ListSourcesRequest;

use crate::newsroom::Newsroom;

#[tokio::test]
async fn the_four_are_there_from_the_start_by_name() {
    let newsroom = Newsroom::open().await;
    let request = newsroom.harness.actors.service("gateway").request(ListSourcesRequest {}).unwrap();
    let sources = newsroom.news.clone().list_sources(request).await.unwrap().into_inner().sources;
    let told: Vec<_> = sources.iter().map(|s| (s.source.as_str(), s.source_name.as_str())).collect();
    let expected = [
        ("aba", "ABA Journal"),
        ("above_the_law", "Above the Law"),
        ("law_com", "Law.com"),
        ("law_school_org", "LawSchool.org"),
    ];
    assert_eq!(told, expected);
}

#[tokio::test]
async fn nobody_is_refused() {
    let newsroom = Newsroom::open().await;
    let request = newsroom.harness.actors.nobody().request(ListSourcesRequest {}).unwrap();
    let status = newsroom.news.clone().list_sources(request).await.unwrap_err();
    assert_eq!(status.code(), tonic::Code::Unauthenticated);
}
