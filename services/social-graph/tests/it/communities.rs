//! Lists of communities: own ones first, then by size, also for visitors.

use portia_proto::social_graph::{
    Community, CommunityJoining, CommunityRole, CommunityVisibility, GetCommunityRequest, ListCommunitiesRequest,
    ListMembersRequest,
};
use primitives::error::ErrorKind;

use crate::{
    actors::VISITOR,
    fixtures::{Fixture, fields, into_result, row_id},
};

const OWNER: CommunityRole = CommunityRole::Owner;
const NOTHING: CommunityRole = CommunityRole::Unspecified;

impl Fixture {
    /// All communities as `who` sees them, page by page: number and role.
    async fn list_all_communities(&self, who: u128, page_size: i32) -> Vec<(u128, CommunityRole)> {
        let mut request = ListCommunitiesRequest { page_size, ..Default::default() };
        let mut seen = Vec::new();
        loop {
            let page = self.communities(who, request).await;
            seen.extend(page.communities.iter().map(|community| {
                let number = community.name.strip_prefix("Community ").unwrap();
                (number.parse().unwrap(), community.role())
            }));
            if page.next_page_token.is_empty() {
                return seen;
            }
            request = ListCommunitiesRequest { page_size, page_token: page.next_page_token };
        }
    }
}

#[tokio::test]
async fn communities_are_listed_by_descending_size_with_the_stored_count() {
    let graph = Fixture::empty().await;
    graph.insert_community(1, &[1]).await;
    graph.insert_community(2, &[1, 2, 3]).await;
    graph.insert_community(3, &[]).await;
    let database = graph.harness.database();
    database
        .run("update social_graph.communities set description = 'Moot', rules = 'None' where member_count = 3")
        .await;
    let page = graph.communities(VISITOR, ListCommunitiesRequest::default()).await;
    let community = |n, description: Option<&str>, member_count| Community {
        id: row_id(n).to_string(),
        name: format!("Community {n}"),
        description: description.map(str::to_owned),
        member_count,
        rules: None,
        role: NOTHING.into(),
        created_at: Some(primitives::clock::timestamp(graph.minutes_ago(n))),
        visibility: CommunityVisibility::Public.into(),
        joining: CommunityJoining::Open.into(),
        standing: 0,
    };
    assert_eq!(page.communities, [community(2, Some("Moot"), 3), community(1, None, 1), community(3, None, 0)]);
    assert_eq!((page.next_page_token.as_str(), page.total), ("", 3));
}

#[tokio::test]
async fn own_communities_come_first_for_every_page_size() {
    let graph = Fixture::empty().await;
    let (me, member) = (9, CommunityRole::Member);
    graph.insert_community(1, &[1, me]).await;
    graph.insert_community(2, &[1, 2, 3, 4]).await;
    graph.insert_community(3, &[me]).await;
    graph.insert_community(4, &[1, 2]).await;
    graph.insert_community(5, &[1]).await;
    graph.insert_community(6, &[1, 2, me]).await;
    graph.insert_community(7, &[1, 2]).await;
    let mine = [(6, member), (1, member), (3, OWNER), (2, NOTHING), (7, NOTHING), (4, NOTHING), (5, NOTHING)];
    for page_size in 1..=8 {
        assert_eq!(graph.list_all_communities(me, page_size).await, mine, "page size {page_size}");
        let all = [2, 6, 7, 4, 1, 5, 3].map(|n| (n, NOTHING));
        assert_eq!(graph.list_all_communities(VISITOR, page_size).await, all, "page size {page_size}");
    }
    let last = graph.communities(me, ListCommunitiesRequest { page_size: 7, ..Default::default() }).await;
    assert_eq!((last.next_page_token.as_str(), last.total), ("", 7));
}

#[tokio::test]
async fn pages_cover_all_communities_of_the_same_size() {
    let graph = Fixture::empty().await;
    for n in 1..=5 {
        graph.insert_community(n, &[1]).await;
    }
    assert_eq!(graph.list_all_communities(VISITOR, 2).await, [5, 4, 3, 2, 1].map(|n| (n, NOTHING)));
    assert_eq!(graph.list_all_communities(1, 2).await, [5, 4, 3, 2, 1].map(|n| (n, OWNER)));
}

#[tokio::test]
async fn a_community_has_its_rules_and_the_role_of_the_viewer() {
    let graph = Fixture::empty().await;
    graph.insert_community(1, &[1, 2]).await;
    graph.harness.database().run("update social_graph.communities set rules = 'Cite.'").await;
    let id = row_id(1).to_string();
    for (who, role) in [(1, OWNER), (2, CommunityRole::Member), (3, NOTHING), (VISITOR, NOTHING)] {
        let community = graph.community(who, &id).await.unwrap();
        assert_eq!((community.rules.as_deref(), community.role()), (Some("Cite."), role));
    }
    let refused = graph.community(VISITOR, &row_id(2).to_string()).await.unwrap_err();
    assert_eq!((refused.kind, refused.reason.as_str()), (ErrorKind::NotFound, "COMMUNITY_NOT_FOUND"));
}

#[tokio::test]
async fn owners_are_listed_first_then_members_by_time_of_joining() {
    let graph = Fixture::empty().await;
    graph.insert_community(1, &[5, 8, 3, 7, 4, 6]).await;
    let database = graph.harness.database();
    let id = testkit::member;
    database
        .run(format!(
            "update social_graph.memberships set role = 'owner' where member_id = '{}';
            update social_graph.memberships set joined_at = joined_at - interval '1 hour' where member_id in ('{}', '{}')",
            id(7),
            id(7),
            id(6),
        ))
        .await;
    let community = row_id(1).to_string();
    let all = [(7, true), (5, true), (6, false), (3, false), (4, false), (8, false)];
    for page_size in [0, 1, 2, 4, 6] {
        assert_eq!(graph.members(VISITOR, &community, page_size).await, all, "page size {page_size}");
    }
}

#[tokio::test]
async fn the_member_list_omits_closed_accounts_and_blocks_in_both_directions() {
    let graph = Fixture::empty().await;
    graph.insert_community(1, &[1, 2, 3, 4, 5]).await;
    let community = row_id(1).to_string();
    graph.insert_block(5, 2).await;
    graph.insert_block(3, 5).await;
    graph.deactivate(4).await;
    let numbers = async |who| graph.members(who, &community, 1).await.into_iter().map(|(n, _)| n).collect::<Vec<_>>();
    assert_eq!(numbers(5).await, [1, 5]);
    assert_eq!(numbers(2).await, [1, 2, 3]);
    assert_eq!(numbers(VISITOR).await, [1, 2, 3, 5]);
    assert_eq!(graph.community(5, &community).await.unwrap().member_count, 4, "the count includes omitted members");
    // A community whose members are all omitted is not a missing community.
    graph.insert_block(9, 1).await;
    graph.insert_community(2, &[1]).await;
    assert_eq!(graph.members(9, &row_id(2).to_string(), 0).await, vec![]);
    let request = ListMembersRequest { community_id: row_id(3).to_string(), ..Default::default() };
    let refused = into_result(graph.client.clone().list_members(graph.as_member(9, request)).await).unwrap_err();
    assert_eq!((refused.kind, refused.reason.as_str()), (ErrorKind::NotFound, "COMMUNITY_NOT_FOUND"));
    graph.unblock_member(5, 2).await.unwrap();
    graph.reactivate(4).await;
    assert_eq!(numbers(5).await, [1, 2, 4, 5]);
}

#[tokio::test]
async fn a_page_or_a_community_that_does_not_exist_is_refused() {
    let graph = Fixture::empty().await;
    graph.insert_community(1, &[1]).await;
    let mut client = graph.client.clone();
    for (page_size, page_token, field) in [(-1, "", "pageSize"), (0, "x", "pageToken"), (0, "e30", "pageToken")] {
        let page_token = page_token.to_owned();
        let list = ListCommunitiesRequest { page_size, page_token: page_token.clone() };
        let members = ListMembersRequest { community_id: row_id(1).to_string(), page_size, page_token };
        let list = client.list_communities(graph.as_viewer(VISITOR, list)).await;
        let members = client.list_members(graph.as_viewer(VISITOR, members)).await;
        for refused in [into_result(list).map(drop), into_result(members).map(drop)] {
            let refused = refused.unwrap_err();
            assert_eq!((refused.kind, fields(&refused)), (ErrorKind::Invalid, vec![field]));
        }
    }
    for bad in ["", "1", "\0", "' or true --", "\u{202e}", &"a".repeat(1 << 20)] {
        let one = GetCommunityRequest { community_id: bad.to_owned() };
        let members = ListMembersRequest { community_id: bad.to_owned(), ..Default::default() };
        let one = client.get_community(graph.as_viewer(VISITOR, one)).await;
        let members = client.list_members(graph.as_viewer(VISITOR, members)).await;
        for refused in [into_result(one).map(drop), into_result(members).map(drop)] {
            let refused = refused.unwrap_err();
            assert_eq!((refused.kind, fields(&refused)), (ErrorKind::Invalid, vec!["communityId"]), "{bad:.9?}");
        }
    }
}
