//! Sources: the four of the specification exist before the first crawl.

use portia_proto::news::ListSourcesRequest;

use crate::fixtures::Fixture;

#[tokio::test]
async fn the_four_sources_are_listed_from_the_start() {
    let fixture = Fixture::empty().await;
    let expected = [
        ("aba", "ABA Journal"),
        ("above_the_law", "Above the Law"),
        ("law_com", "Law.com"),
        ("law_school_org", "LawSchool.org"),
    ];
    let expected = expected.map(|(source, name)| (source.to_owned(), name.to_owned()));
    assert_eq!(fixture.list_sources().await, expected);
}

#[tokio::test]
async fn a_call_without_a_token_is_unauthenticated() {
    let fixture = Fixture::empty().await;
    let request = fixture.harness.actors.invalid_token().request(ListSourcesRequest {}).unwrap();
    let status = fixture.news.clone().list_sources(request).await.unwrap_err();
    assert_eq!(status.code(), tonic::Code::Unauthenticated);
}
