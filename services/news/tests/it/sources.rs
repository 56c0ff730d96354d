//! Sources: the specification's four, known before anything was crawled.

use portia_proto::news::ListSourcesRequest;

use crate::newsroom::Newsroom;

#[tokio::test]
async fn the_four_are_there_from_the_start_by_name() {
    let newsroom = Newsroom::open().await;
    let expected = [
        ("aba", "ABA Journal"),
        ("above_the_law", "Above the Law"),
        ("law_com", "Law.com"),
        ("law_school_org", "LawSchool.org"),
    ];
    let expected = expected.map(|(source, name)| (source.to_owned(), name.to_owned()));
    assert_eq!(newsroom.sources().await, expected);
}

#[tokio::test]
async fn nobody_is_refused() {
    let newsroom = Newsroom::open().await;
    let request = newsroom.harness.actors.nobody().request(ListSourcesRequest {}).unwrap();
    let status = newsroom.news.clone().list_sources(request).await.unwrap_err();
    assert_eq!(status.code(), tonic::Code::Unauthenticated);
}
