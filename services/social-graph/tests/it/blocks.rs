//! Blocks end the connection of a pair and hide both members from each other.

use chrono::TimeDelta;
use portia_proto::social_graph::{
    Block, BlockMemberRequest, ConnectionStatus, ListBlocksRequest, ListBlocksResponse, UnblockMemberRequest,
};
use primitives::{clock::timestamp, error::ErrorKind};
use testkit::member;

use crate::fixtures::{Fixture, fields, into_result};

impl Fixture {
    async fn list_blocks(&self, who: u128, request: ListBlocksRequest) -> ListBlocksResponse {
        into_result(self.client.clone().list_blocks(self.as_member(who, request)).await).unwrap()
    }
}

fn names(facts: &[(String, u128, u128)]) -> Vec<&str> {
    facts.iter().map(|(name, ..)| name.as_str()).collect()
}

#[tokio::test]
async fn a_block_ends_a_connection_and_updates_both_counts() {
    let graph = Fixture::empty().await;
    graph.connect_pair(1, 2).await;
    graph.block_member(2, 1).await.unwrap();
    assert_eq!((graph.connections_of(1).await.total, graph.connections_of(2).await.total), (0, 0));
    assert_eq!(graph.connections_of(1).await.connections, vec![]);
    let facts = graph.connection_facts().await;
    assert_eq!(facts[2..], [("ConnectionRemoved".to_owned(), 1, 2), ("MemberBlocked".to_owned(), 2, 1)]);
    graph.assert_invariants().await;
}

#[tokio::test]
async fn a_block_ends_a_request_of_either_side() {
    let graph = Fixture::empty().await;
    graph.create_pending_request(1, 2).await;
    graph.block_member(2, 1).await.unwrap();
    assert_eq!(graph.requests_of(2).await.total, 0);
    graph.create_pending_request(3, 4).await;
    graph.block_member(3, 4).await.unwrap();
    assert_eq!((graph.requests_of(4).await.total, graph.find(4, 3).await), (0, None));
    graph.assert_invariants().await;
}

#[tokio::test]
async fn neither_member_can_request_a_connection_while_a_block_exists() {
    let graph = Fixture::empty().await;
    graph.block_member(1, 2).await.unwrap();
    for (who, other) in [(1, 2), (2, 1)] {
        let refused = graph.request(who, other).await.unwrap_err();
        assert_eq!((refused.kind, refused.reason.as_str()), (ErrorKind::NotFound, "MEMBER_NOT_FOUND"));
    }
    // Each member lifts only their own block.
    graph.block_member(2, 1).await.unwrap();
    graph.unblock_member(1, 2).await.unwrap();
    assert_eq!(graph.request(1, 2).await.unwrap_err().reason, "MEMBER_NOT_FOUND");
    graph.unblock_member(2, 1).await.unwrap();
    graph.request(1, 2).await.unwrap();
    graph.assert_invariants().await;
}

#[tokio::test]
async fn repeated_blocks_and_unblocks_publish_one_fact_each() {
    let graph = Fixture::empty().await;
    for _ in 0..2 {
        graph.block_member(1, 2).await.unwrap();
    }
    for _ in 0..2 {
        graph.unblock_member(1, 2).await.unwrap();
    }
    graph.unblock_member(1, 3).await.unwrap();
    assert_eq!(names(&graph.connection_facts().await), ["MemberBlocked", "MemberUnblocked"]);
}

#[tokio::test]
async fn a_rejection_survives_a_block_and_an_unblock() {
    let graph = Fixture::empty().await;
    let id = graph.create_pending_request(1, 2).await;
    graph.answer(2, &id, ConnectionStatus::Rejected).await.unwrap();
    graph.block_member(1, 2).await.unwrap();
    assert_eq!((graph.find(1, 2).await, graph.find(2, 1).await), (None, None));
    graph.unblock_member(1, 2).await.unwrap();
    assert_eq!(graph.request(1, 2).await.unwrap_err().reason, "ASKED_TOO_SOON");
    assert_eq!(graph.find(1, 2).await.unwrap().status(), ConnectionStatus::Rejected);
}

#[tokio::test]
async fn blocks_are_listed_newest_first_without_closed_accounts() {
    let graph = Fixture::empty().await;
    for other in 2..=6 {
        graph.block_member(1, other).await.unwrap();
        graph.harness.clock.advance(TimeDelta::minutes(1));
    }
    graph.block_member(7, 1).await.unwrap();
    graph.deactivate(4).await;
    let mut seen = Vec::new();
    let mut request = ListBlocksRequest { page_size: 2, ..Default::default() };
    loop {
        let page = graph.list_blocks(1, request.clone()).await;
        seen.extend(page.blocks);
        if page.next_page_token.is_empty() {
            break;
        }
        request.page_token = page.next_page_token;
    }
    let block = |n: u128| {
        let minutes = TimeDelta::minutes(7 - i64::try_from(n).unwrap());
        Block { member_id: member(n).to_string(), created_at: Some(timestamp(graph.harness.clock.now() - minutes)) }
    };
    assert_eq!(seen, [6, 5, 3, 2].map(block));
    assert_eq!(
        graph.list_blocks(2, ListBlocksRequest::default()).await.blocks,
        vec![],
        "a blocked member does not see the block"
    );
}

#[tokio::test]
async fn the_caller_visitors_and_bad_input_are_refused() {
    let graph = Fixture::empty().await;
    let refused = graph.block_member(1, 1).await.unwrap_err();
    assert_eq!((refused.kind, fields(&refused)), (ErrorKind::Invalid, vec!["memberId"]));
    let mut client = graph.client.clone();
    for bad in ["", "\0", "\u{202e}", &"a".repeat(1 << 20)] {
        let block = client.block_member(graph.as_member(1, BlockMemberRequest { member_id: bad.to_owned() })).await;
        let lift = client.unblock_member(graph.as_member(1, UnblockMemberRequest { member_id: bad.to_owned() })).await;
        for refused in [into_result(block).map(drop), into_result(lift).map(drop)] {
            let refused = refused.unwrap_err();
            assert_eq!((refused.kind, fields(&refused)), (ErrorKind::Invalid, vec!["memberId"]), "{bad:.9?}");
        }
    }
    for (page_size, page_token, field) in [(-1, "", "pageSize"), (0, "\0", "pageToken"), (0, "e30", "pageToken")] {
        let request = graph.as_member(1, ListBlocksRequest { page_size, page_token: page_token.to_owned() });
        let refused = into_result(client.list_blocks(request).await).unwrap_err();
        assert_eq!((refused.kind, fields(&refused)), (ErrorKind::Invalid, vec![field]));
    }
    let visitor = graph.harness.actors.service("gateway");
    let block = client.block_member(visitor.request(BlockMemberRequest::default()).unwrap()).await;
    let lift = client.unblock_member(visitor.request(UnblockMemberRequest::default()).unwrap()).await;
    let list = client.list_blocks(visitor.request(ListBlocksRequest::default()).unwrap()).await;
    for refused in [into_result(block).map(drop), into_result(lift).map(drop), into_result(list).map(drop)] {
        assert_eq!(refused.unwrap_err().kind, ErrorKind::Unauthenticated);
    }
}
