//! Blocks: what was between the two goes, and neither sees the other until it is lifted.

use chrono::TimeDelta;
use portia_proto::social_graph::{
    Block, BlockMemberRequest, ConnectionStatus, ListBlocksRequest, ListBlocksResponse, UnblockMemberRequest,
};
use primitives::{clock::timestamp, error::ErrorKind};
use testkit::member;

use crate::graph::{Graph, fields, told};

impl Graph {
    async fn blocked_by(&self, who: u128, request: ListBlocksRequest) -> ListBlocksResponse {
        told(self.client.clone().list_blocks(self.by(who, request)).await).unwrap()
    }
}

fn names(facts: &[(String, u128, u128)]) -> Vec<&str> {
    facts.iter().map(|(name, ..)| name.as_str()).collect()
}

#[tokio::test]
async fn a_block_ends_a_connection_and_both_counts_say_so() {
    let graph = Graph::empty().await;
    graph.befriend(1, 2).await;
    graph.blocks(2, 1).await.unwrap();
    assert_eq!((graph.connections_of(1).await.total, graph.connections_of(2).await.total), (0, 0));
    assert_eq!(graph.connections_of(1).await.connections, vec![]);
    let facts = graph.facts().await;
    assert_eq!(facts[2..], [("ConnectionRemoved".to_owned(), 1, 2), ("MemberBlocked".to_owned(), 2, 1)]);
    graph.assert_true().await;
}

#[tokio::test]
async fn a_block_ends_a_request_of_either_side() {
    let graph = Graph::empty().await;
    graph.asked(1, 2).await;
    graph.blocks(2, 1).await.unwrap();
    assert_eq!(graph.requests_of(2).await.total, 0);
    graph.asked(3, 4).await;
    graph.blocks(3, 4).await.unwrap();
    assert_eq!((graph.requests_of(4).await.total, graph.find(4, 3).await), (0, None));
    graph.assert_true().await;
}

#[tokio::test]
async fn neither_can_ask_the_other_until_it_is_lifted() {
    let graph = Graph::empty().await;
    graph.blocks(1, 2).await.unwrap();
    for (who, other) in [(1, 2), (2, 1)] {
        let refused = graph.request(who, other).await.unwrap_err();
        assert_eq!((refused.kind, refused.reason.as_str()), (ErrorKind::NotFound, "MEMBER_NOT_FOUND"));
    }
    // The other's own block is theirs to lift.
    graph.blocks(2, 1).await.unwrap();
    graph.unblocks(1, 2).await.unwrap();
    assert_eq!(graph.request(1, 2).await.unwrap_err().reason, "MEMBER_NOT_FOUND");
    graph.unblocks(2, 1).await.unwrap();
    graph.request(1, 2).await.unwrap();
    graph.assert_true().await;
}

#[tokio::test]
async fn blocking_and_lifting_twice_tells_once() {
    let graph = Graph::empty().await;
    for _ in 0..2 {
        graph.blocks(1, 2).await.unwrap();
    }
    for _ in 0..2 {
        graph.unblocks(1, 2).await.unwrap();
    }
    graph.unblocks(1, 3).await.unwrap();
    assert_eq!(names(&graph.facts().await), ["MemberBlocked", "MemberUnblocked"]);
}

#[tokio::test]
async fn a_block_does_not_wash_a_rejection_away() {
    let graph = Graph::empty().await;
    let id = graph.asked(1, 2).await;
    graph.answer(2, &id, ConnectionStatus::Rejected).await.unwrap();
    graph.blocks(1, 2).await.unwrap();
    assert_eq!((graph.find(1, 2).await, graph.find(2, 1).await), (None, None));
    graph.unblocks(1, 2).await.unwrap();
    assert_eq!(graph.request(1, 2).await.unwrap_err().reason, "ASKED_TOO_SOON");
    assert_eq!(graph.find(1, 2).await.unwrap().status(), ConnectionStatus::Rejected);
}

#[tokio::test]
async fn ones_own_blocks_are_listed_newest_first_without_closed_accounts() {
    let graph = Graph::empty().await;
    for other in 2..=6 {
        graph.blocks(1, other).await.unwrap();
        graph.harness.clock.advance(TimeDelta::minutes(1));
    }
    graph.blocks(7, 1).await.unwrap();
    graph.close(4).await;
    let mut seen = Vec::new();
    let mut request = ListBlocksRequest { page_size: 2, ..Default::default() };
    loop {
        let page = graph.blocked_by(1, request.clone()).await;
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
    assert_eq!(graph.blocked_by(2, ListBlocksRequest::default()).await.blocks, vec![], "who blocks whom is not told");
}

#[tokio::test]
async fn oneself_visitors_and_bad_input_are_refused() {
    let graph = Graph::empty().await;
    let refused = graph.blocks(1, 1).await.unwrap_err();
    assert_eq!((refused.kind, fields(&refused)), (ErrorKind::Invalid, vec!["memberId"]));
    let mut client = graph.client.clone();
    for bad in ["", "\0", "\u{202e}", &"a".repeat(1 << 20)] {
        let block = client.block_member(graph.by(1, BlockMemberRequest { member_id: bad.to_owned() })).await;
        let lift = client.unblock_member(graph.by(1, UnblockMemberRequest { member_id: bad.to_owned() })).await;
        for refused in [told(block).map(drop), told(lift).map(drop)] {
            let refused = refused.unwrap_err();
            assert_eq!((refused.kind, fields(&refused)), (ErrorKind::Invalid, vec!["memberId"]), "{bad:.9?}");
        }
    }
    for (page_size, page_token, field) in [(-1, "", "pageSize"), (0, "\0", "pageToken"), (0, "e30", "pageToken")] {
        let request = graph.by(1, ListBlocksRequest { page_size, page_token: page_token.to_owned() });
        let refused = told(client.list_blocks(request).await).unwrap_err();
        assert_eq!((refused.kind, fields(&refused)), (ErrorKind::Invalid, vec![field]));
    }
    let visitor = graph.harness.actors.service("gateway");
    let block = client.block_member(visitor.request(BlockMemberRequest::default()).unwrap()).await;
    let lift = client.unblock_member(visitor.request(UnblockMemberRequest::default()).unwrap()).await;
    let list = client.list_blocks(visitor.request(ListBlocksRequest::default()).unwrap()).await;
    for refused in [told(block).map(drop), told(lift).map(drop), told(list).map(drop)] {
        assert_eq!(refused.unwrap_err().kind, ErrorKind::Unauthenticated);
    }
}
