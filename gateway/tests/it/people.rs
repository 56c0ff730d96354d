//! Member cards on a page: fetched once, dropped on change, and missing when profile is unavailable.

use portia_proto::profile::MemberChanged;
use tokio::time::timeout;

use crate::{
    actors::ANA,
    fakes::{FakeServices, SOON},
    test_gateway::TestGateway,
};

#[tokio::test]
async fn a_page_with_cached_cards_makes_no_card_request() {
    let gateway = TestGateway::start().await;
    let cold = gateway.get("/api/posts").await;
    assert_eq!(gateway.fakes.count("batch_get_members"), 1, "author and commenter in one call");
    let warm = gateway.get("/api/posts").await;
    assert_eq!(gateway.fakes.count("batch_get_members"), 0);
    assert_eq!(cold.json(), warm.json());
}

#[tokio::test]
async fn a_changed_member_is_fetched_again() {
    let gateway = TestGateway::start().await;
    gateway.get("/api/posts").await;
    gateway.fakes.publish("profile", &MemberChanged { member_id: ANA.to_string(), ..MemberChanged::default() }).await;
    let fetched_again = async {
        gateway.fakes.seen();
        while gateway.fakes.count("batch_get_members") == 0 {
            gateway.get("/api/posts").await;
        }
    };
    timeout(SOON, fetched_again).await.unwrap();
}

#[tokio::test]
async fn without_profile_the_page_is_degraded() {
    let gateway = TestGateway::start().await;
    gateway.fakes.fail("batch_get_members", FakeServices::unavailable());
    let reply = gateway.get("/api/posts").await;
    assert_eq!((reply.status.as_u16(), reply.header("x-degraded")), (200, "profile"));
    let author = &reply.json()[0]["user"];
    assert_eq!(author["fullName"], "Portia member");
    assert_eq!(author["id"], ANA.to_string());
    gateway.fakes.heal();
    let reply = gateway.get("/api/posts").await;
    assert_eq!(reply.header("x-degraded"), "");
    assert_eq!(reply.json()[0]["user"]["fullName"], "Ana Reyes");
}

#[tokio::test]
async fn cached_cards_are_used_while_profile_is_unavailable() {
    let gateway = TestGateway::start().await;
    gateway.get("/api/posts").await;
    gateway.fakes.fail("batch_get_members", FakeServices::unavailable());
    let reply = gateway.get("/api/posts").await;
    assert_eq!(reply.header("x-degraded"), "");
    assert_eq!(reply.json()[0]["user"]["fullName"], "Ana Reyes");
}
