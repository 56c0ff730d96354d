//! Lists of connections and requests, from both sides of a pair.

use portia_proto::social_graph::{
    BatchFindConnectionsRequest, Connection, ConnectionStatus, FindConnectionRequest, ListConnectionsRequest,
    ListPendingRequestsRequest,
};
use primitives::{clock::timestamp, error::ErrorKind};
use testkit::member;

use crate::fixtures::{Fixture, fields, into_result, row_id};

impl Fixture {
    async fn connections(&self, who: u128, request: ListConnectionsRequest) -> Vec<String> {
        let request = self.harness.actors.member(member(who)).request(request).unwrap();
        let page = into_result(self.client.clone().list_connections(request).await).unwrap();
        page.connections.into_iter().map(|connection| connection.id).collect()
    }
}

fn ids<const N: usize>(rows: [u128; N]) -> Vec<String> {
    rows.map(|n| row_id(n).to_string()).to_vec()
}

#[tokio::test]
async fn connections_are_listed_newest_first_from_both_sides() {
    let graph = Fixture::empty().await;
    graph.insert_connection(3, 1, 2, "accepted").await;
    graph.insert_connection(1, 3, 1, "accepted").await;
    graph.insert_connection(2, 1, 4, "accepted").await;
    graph.insert_connection(4, 1, 5, "pending").await;
    graph.insert_connection(5, 6, 1, "rejected").await;
    graph.insert_connection(6, 2, 3, "accepted").await;
    assert_eq!(graph.connections(1, ListConnectionsRequest::default()).await, ids([1, 2, 3]));
    assert_eq!(graph.connections(2, ListConnectionsRequest::default()).await, ids([3, 6]));
    assert_eq!(graph.connections(9, ListConnectionsRequest::default()).await, ids([]));
}

#[tokio::test]
async fn pages_cover_both_sides_in_one_order() {
    let graph = Fixture::empty().await;
    for n in 1..=9 {
        let (requester, recipient) = if n % 3 == 0 { (1, 100 + n) } else { (100 + n, 1) };
        graph.insert_connection(n, requester, recipient, "accepted").await;
    }
    let mut seen = Vec::new();
    let mut request = ListConnectionsRequest { page_size: 2, ..Default::default() };
    loop {
        let requested = graph.harness.actors.member(member(1)).request(request.clone()).unwrap();
        let page = into_result(graph.client.clone().list_connections(requested).await).unwrap();
        seen.extend(page.connections.into_iter().map(|connection| connection.id));
        if page.next_page_token.is_empty() {
            break;
        }
        request.page_token = page.next_page_token;
    }
    assert_eq!(seen, ids([1, 2, 3, 4, 5, 6, 7, 8, 9]));
}

#[tokio::test]
async fn only_the_recipient_sees_a_pending_request() {
    let graph = Fixture::empty().await;
    graph.insert_connection(2, 1, 2, "pending").await;
    graph.insert_connection(1, 3, 2, "pending").await;
    graph.insert_connection(3, 4, 2, "accepted").await;
    graph.insert_connection(4, 2, 5, "pending").await;
    let seen: Vec<String> =
        graph.requests_of(2).await.connections.into_iter().map(|connection| connection.id).collect();
    assert_eq!(seen, ids([1, 2]));
    assert_eq!(graph.requests_of(1).await.connections, vec![]);
}

#[tokio::test]
async fn a_pair_is_found_from_either_side_whatever_its_status() {
    let graph = Fixture::empty().await;
    for (n, status, expected) in [
        (2, "pending", ConnectionStatus::Pending),
        (3, "accepted", ConnectionStatus::Accepted),
        (4, "rejected", ConnectionStatus::Rejected),
    ] {
        graph.insert_connection(n, 1, n, status).await;
        let connection = Connection {
            id: row_id(n).to_string(),
            requester_id: member(1).to_string(),
            recipient_id: member(n).to_string(),
            status: expected.into(),
            created_at: Some(timestamp(graph.minutes_ago(n))),
        };
        assert_eq!(graph.find(1, n).await.as_ref(), Some(&connection));
        assert_eq!(graph.find(n, 1).await.as_ref(), Some(&connection));
    }
    assert_eq!(graph.find(2, 3).await, None, "a third member does not find the connection");
    assert_eq!(graph.batch_find(2, &[3, 2]).await, []);
    let others: Vec<u128> = (1..40).collect();
    let mut found: Vec<String> = graph.batch_find(1, &others).await.into_iter().map(|found| found.id).collect();
    found.sort();
    let mut each: Vec<String> = Vec::new();
    for other in others {
        each.extend(graph.find(1, other).await.map(|found| found.id));
    }
    each.sort();
    assert!(found.len() > 2 && found == each, "the batch equals single calls: {found:?} {each:?}");
    assert_eq!(graph.find(1, 1).await, None);
}

#[tokio::test]
async fn visitors_are_refused() {
    let graph = Fixture::empty().await;
    let visitor = graph.harness.actors.service("gateway");
    let mut client = graph.client.clone();
    let list = client.list_connections(visitor.request(ListConnectionsRequest::default()).unwrap()).await;
    let pending = client.list_pending_requests(visitor.request(ListPendingRequestsRequest::default()).unwrap()).await;
    let find = client.find_connection(visitor.request(FindConnectionRequest::default()).unwrap()).await;
    let request = visitor.request(BatchFindConnectionsRequest::default()).unwrap();
    let several = into_result(client.batch_find_connections(request).await).map(drop);
    for refused in [into_result(list).map(drop), into_result(pending).map(drop), into_result(find).map(drop), several] {
        assert_eq!(refused.unwrap_err().kind, ErrorKind::Unauthenticated);
    }
}

#[tokio::test]
async fn bad_ids_and_pages_are_refused_with_their_field() {
    let graph = Fixture::empty().await;
    let me = graph.harness.actors.member(member(1));
    let nil = "00000000-0000-0000-0000-000000000000";
    for bad in ["", "1", "\0", "x\0", nil, "' or true --", "\u{202e}", &"a".repeat(1 << 20)] {
        let request = me.request(FindConnectionRequest { member_id: bad.to_owned() }).unwrap();
        let refused = into_result(graph.client.clone().find_connection(request).await).unwrap_err();
        assert_eq!((refused.kind, fields(&refused)), (ErrorKind::Invalid, vec!["memberId"]), "{bad:.9?}");
        let member_ids = vec![member(2).to_string(), bad.to_owned()];
        let request = me.request(BatchFindConnectionsRequest { member_ids }).unwrap();
        let refused = into_result(graph.client.clone().batch_find_connections(request).await).unwrap_err();
        assert_eq!((refused.kind, fields(&refused)), (ErrorKind::Invalid, vec!["memberIds"]), "{bad:.9?}");
    }
    for (page_size, page_token, field) in [(-1, "", "pageSize"), (0, "\0", "pageToken"), (0, "e30", "pageToken")] {
        let page_token = page_token.to_owned();
        let request = me.request(ListConnectionsRequest { page_size, page_token: page_token.clone() }).unwrap();
        let refused = into_result(graph.client.clone().list_connections(request).await).unwrap_err();
        assert_eq!((refused.kind, fields(&refused)), (ErrorKind::Invalid, vec![field]));
        let request = me.request(ListPendingRequestsRequest { page_size, page_token }).unwrap();
        let refused = into_result(graph.client.clone().list_pending_requests(request).await).unwrap_err();
        assert_eq!((refused.kind, fields(&refused)), (ErrorKind::Invalid, vec![field]));
    }
}

#[tokio::test]
async fn the_table_constraints_refuse_duplicate_pairs_and_invalid_states() {
    let graph = Fixture::empty().await;
    graph.insert_connection(1, 1, 2, "accepted").await;
    let insert = |values: &str| {
        format!(
            "insert into social_graph.connections (id, requester_id, recipient_id, status, requested_at, answered_at)
            select gen_random_uuid(), {values} from social_graph.connections"
        )
    };
    let refusals = [
        ("requester_id, recipient_id, 'pending', requested_at, null", "connections_pair_key"),
        ("recipient_id, requester_id, 'pending', requested_at, null", "connections_pair_key"),
        ("requester_id, requester_id, 'pending', requested_at, null", "connections_recipient_id_check"),
        ("requester_id, gen_random_uuid(), 'friends', requested_at, requested_at", "connections_status_check"),
        ("requester_id, gen_random_uuid(), 'accepted', requested_at, null", "connections_answered_at_check"),
        ("requester_id, gen_random_uuid(), 'pending', requested_at, requested_at", "connections_answered_at_check"),
    ];
    for (values, constraint) in refusals {
        let refused = sqlx::raw_sql(sqlx::AssertSqlSafe(insert(values))).execute(graph.harness.pool()).await;
        let refused = db::Error::from(refused.unwrap_err());
        assert_eq!(refused.constraint(), Some(constraint), "{values}");
    }
}
