//! A private community answers like a missing one to callers who are neither members nor invited.

use portia_proto::social_graph::{
    BatchGetCommunitiesRequest, CommunityChanged, CommunityRole, CommunityStanding, ListCommunitiesRequest,
    ListMembersRequest,
};
use primitives::error::StatusDetails;
use prost::Message as _;
use testkit::member;

use crate::{
    actors::{VISITOR, community_text},
    community_admission::{INVITATION, PRIVATE, PUBLIC},
    fixtures::{Fixture, into_result, row_id},
};

const STRANGER: u128 = 9;
const BANNED: u128 = 8;
const INVITED: u128 = 7;

impl Fixture {
    /// A private community of the owner 1, the moderator 2 and the member 3, which invited 7 and banned 8.
    async fn private_community(&self) -> String {
        let id = self.create_community(1, "Secret Moot").await.unwrap().id;
        for who in [2, 3, BANNED] {
            self.join_community(who, &id).await.unwrap();
        }
        self.set_role(1, &id, 2, CommunityRole::Moderator).await.unwrap();
        self.register([INVITED, STRANGER]).await;
        self.remove_member(2, &id, BANNED, true).await.unwrap();
        self.set_access(1, &id, "Secret Moot", PRIVATE, INVITATION).await.unwrap();
        self.invite(2, &id, INVITED).await.unwrap();
        id
    }

    async fn listed(&self, who: u128) -> (usize, i64) {
        let list = self.communities(who, ListCommunitiesRequest::default()).await;
        (list.communities.len(), list.total)
    }

    async fn batch(&self, who: u128, id: &str) -> usize {
        let request = BatchGetCommunitiesRequest { community_ids: vec![id.to_owned()] };
        let found = into_result(self.client.clone().batch_get_communities(self.as_viewer(who, request)).await);
        found.unwrap().communities.len()
    }

    async fn list_members(&self, who: u128, id: &str) -> Result<usize, StatusDetails> {
        let request = ListMembersRequest { community_id: id.to_owned(), ..Default::default() };
        into_result(self.client.clone().list_members(self.as_viewer(who, request)).await).map(|page| page.members.len())
    }
}

#[tokio::test]
async fn it_is_listed_found_and_read_by_its_members_only() {
    let graph = Fixture::empty().await;
    let id = graph.private_community().await;
    graph.create_community(4, "Public Moot").await.unwrap();
    graph.wait_until_indexed().await;
    for who in [1, 2, 3] {
        assert_eq!(graph.listed(who).await, (2, 2));
        assert_eq!(graph.search(who, "moot").await.unwrap().communities.len(), 2);
        assert_eq!(graph.community(who, &id).await.unwrap().member_count, 3);
        assert_eq!(graph.batch(who, &id).await, 1);
        assert_eq!(graph.list_members(who, &id).await.unwrap(), 3);
    }
    for who in [VISITOR, BANNED, STRANGER] {
        assert_eq!(graph.listed(who).await, (1, 1));
        assert_eq!(graph.search(who, "moot").await.unwrap().communities.len(), 1);
        assert_eq!(graph.search(who, "secret").await.unwrap().communities.len(), 0);
        assert_eq!(graph.batch(who, &id).await, 0);
        let missing = graph.list_members(who, &row_id(99).to_string()).await.unwrap_err();
        let refused = graph.list_members(who, &id).await.unwrap_err();
        assert_eq!((refused.kind, refused.reason, refused.message), (missing.kind, missing.reason, missing.message));
        assert_eq!(graph.community(who, &id).await.unwrap_err().reason, "COMMUNITY_NOT_FOUND");
    }
    // An invited member reads the community to decide, but neither its list of members nor finds it.
    assert_eq!(graph.listed(INVITED).await, (1, 1));
    assert_eq!(graph.search(INVITED, "secret").await.unwrap().communities.len(), 0);
    assert_eq!(graph.community(INVITED, &id).await.unwrap().standing(), CommunityStanding::Invited);
    assert_eq!(graph.list_members(INVITED, &id).await.unwrap(), 0);
    let invited_by = graph.own_invitations(INVITED).await[0].invited_by_id.clone();
    assert_eq!(invited_by, Some(member(2).to_string()));
    graph.assert_invariants().await;
}

#[tokio::test]
async fn every_call_of_a_stranger_about_it_is_refused_like_about_a_missing_one() {
    let graph = Fixture::empty().await;
    let (id, missing) = (graph.private_community().await, row_id(99).to_string());
    for who in [STRANGER, BANNED] {
        for id in [&id, &missing] {
            let text = community_text("Taken");
            let refused = [
                graph.community(who, id).await.map(drop),
                graph.join_community(who, id).await.map(drop),
                graph.update_community(who, id, text).await.map(drop),
                graph.set_role(who, id, 3, CommunityRole::Owner).await.map(drop),
                graph.remove_member(who, id, 3, true).await,
                graph.remove_member(who, id, 3, false).await,
                graph.unban_member(who, id, BANNED).await,
                graph.transfer(who, id, 2).await.map(drop),
                graph.dissolve(who, id).await,
                graph.bans(who, id, 0).await.map(drop),
                graph.log_entries(who, id, 0).await.map(drop),
                graph.join_requests(who, id, 0).await.map(drop),
                graph.answer_join_request(who, id, 3, true).await,
                graph.answer_join_request(who, id, 3, false).await,
                graph.invitations(who, id, 0).await.map(drop),
                graph.invite(who, id, STRANGER).await,
                graph.withdraw_invitation(who, id, INVITED).await,
            ];
            for (n, refused) in refused.into_iter().enumerate() {
                let refused = refused.unwrap_err();
                assert_eq!(refused.reason, "COMMUNITY_NOT_FOUND", "call {n} of {who}");
                assert_eq!(refused.message, "Community not found");
            }
        }
    }
    for (who, id) in [(STRANGER, &id), (STRANGER, &missing), (BANNED, &id), (BANNED, &missing)] {
        graph.leave_private_community(who, id).await.unwrap();
    }
    assert_eq!(graph.community(1, &id).await.unwrap().name, "Secret Moot", "nothing changed");
    graph.assert_invariants().await;
}

#[tokio::test]
async fn its_name_is_not_revealed_by_a_refused_name() {
    let graph = Fixture::empty().await;
    let id = graph.private_community().await;
    graph.create_community(STRANGER, "Secret Moot").await.unwrap();
    assert_eq!(graph.create_community(4, "secret moot").await.unwrap_err().reason, "COMMUNITY_NAME_TAKEN");
    // It needs another name when it becomes public.
    let refused = graph.set_access(1, &id, "Secret Moot", PUBLIC, INVITATION).await.unwrap_err();
    assert_eq!(refused.reason, "COMMUNITY_NAME_TAKEN");
    graph.set_access(1, &id, "Open Moot", PUBLIC, INVITATION).await.unwrap();
    assert_eq!(graph.listed(VISITOR).await, (2, 2));
    graph.wait_until_indexed().await;
    assert_eq!(graph.search(VISITOR, "open").await.unwrap().communities.len(), 1);
    graph.assert_invariants().await;
}

#[tokio::test]
async fn a_member_who_leaves_or_declines_does_not_see_it_any_more() {
    let graph = Fixture::empty().await;
    let id = graph.private_community().await;
    for who in [3, INVITED] {
        graph.leave_private_community(who, &id).await.unwrap();
        assert_eq!(graph.community(who, &id).await.unwrap_err().reason, "COMMUNITY_NOT_FOUND");
        // Once more, like the first time.
        graph.leave_private_community(who, &id).await.unwrap();
        assert_eq!(graph.listed(who).await, (0, 0));
    }
    assert_eq!(graph.listed(1).await, (1, 1));
    graph.dissolve(1, &id).await.unwrap();
    assert_eq!(graph.listed(1).await, (0, 0));
    graph.assert_invariants().await;
}

#[tokio::test]
async fn moderators_see_members_in_a_block() {
    let graph = Fixture::empty().await;
    let id = graph.community_with_moderators("Moot").await;
    graph.block_member(4, 2).await.unwrap();
    graph.block_member(5, 1).await.unwrap();
    graph.block_member(4, 5).await.unwrap();
    for moderator in [1, 2, 3] {
        assert_eq!(graph.list_members(moderator, &id).await.unwrap(), 5);
    }
    assert_eq!(graph.list_members(5, &id).await.unwrap(), 3, "without the owner and the member in a block");
    graph.remove_member(2, &id, 4, true).await.unwrap();
}

#[tokio::test]
async fn its_beginning_is_published_once() {
    let graph = Fixture::empty().await;
    let id = graph.create_community(1, "Moot").await.unwrap().id;
    for visibility in [PUBLIC, PRIVATE, PRIVATE, PUBLIC, PRIVATE] {
        graph.set_access(1, &id, "Moot", visibility, INVITATION).await.unwrap();
    }
    let published = graph.published().await.into_iter().filter(|(name, _)| name == "CommunityChanged");
    let became_private: Vec<bool> =
        published.map(|(_, payload)| CommunityChanged::decode(&*payload).unwrap().became_private).collect();
    let expected = [false, false, true, false, true];
    assert_eq!(became_private, expected, "the creation, and each change; the repeated one is none");
}
