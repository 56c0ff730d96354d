//! Moderators, removals, bans, transfer, dissolution and the log of a community.

use chrono::TimeDelta;
use portia_proto::{
    feed::CommunityContentRemoved,
    social_graph::{
        CommunityAction, CommunityLogEntry, CommunityReason, CommunityRole, DissolveCommunityRequest, ListBansRequest,
        ListCommunitiesRequest, ListCommunityLogRequest, RemoveMemberRequest, TransferCommunityRequest,
        UnbanMemberRequest,
    },
};
use primitives::error::{ErrorKind, StatusDetails};
use testkit::member;

use crate::{
    actors::VISITOR,
    fixtures::{Fixture, fields, into_result, number, row_id},
};

const OWNER: CommunityRole = CommunityRole::Owner;
const MODERATOR: CommunityRole = CommunityRole::Moderator;
const MEMBER: CommunityRole = CommunityRole::Member;

impl Fixture {
    pub async fn remove_member(&self, who: u128, id: &str, other: u128, ban: bool) -> Result<(), StatusDetails> {
        let reason = CommunityReason::Spam.into();
        let request =
            RemoveMemberRequest { community_id: id.to_owned(), member_id: member(other).to_string(), ban, reason };
        into_result(self.client.clone().remove_member(self.as_member(who, request)).await).map(drop)
    }

    pub async fn unban_member(&self, who: u128, id: &str, other: u128) -> Result<(), StatusDetails> {
        let request = UnbanMemberRequest { community_id: id.to_owned(), member_id: member(other).to_string() };
        into_result(self.client.clone().unban_member(self.as_member(who, request)).await).map(drop)
    }

    pub async fn transfer(&self, who: u128, id: &str, other: u128) -> Result<CommunityRole, StatusDetails> {
        let request = TransferCommunityRequest { community_id: id.to_owned(), member_id: member(other).to_string() };
        let transferred = self.client.clone().transfer_community(self.as_member(who, request)).await;
        into_result(transferred).map(|transferred| transferred.community.unwrap().role())
    }

    pub async fn dissolve(&self, who: u128, id: &str) -> Result<(), StatusDetails> {
        let request = DissolveCommunityRequest { community_id: id.to_owned() };
        into_result(self.client.clone().dissolve_community(self.as_member(who, request)).await).map(drop)
    }

    pub async fn bans(&self, who: u128, id: &str, page_size: i32) -> Result<Vec<u128>, StatusDetails> {
        let mut request = ListBansRequest { community_id: id.to_owned(), page_size, page_token: String::new() };
        let mut seen = Vec::new();
        loop {
            let page = into_result(self.client.clone().list_bans(self.as_member(who, request.clone())).await)?;
            seen.extend(page.bans.iter().map(|ban| number(&ban.member_id)));
            if page.next_page_token.is_empty() {
                return Ok(seen);
            }
            request.page_token = page.next_page_token;
        }
    }

    pub async fn log_entries(
        &self,
        who: u128,
        id: &str,
        page_size: i32,
    ) -> Result<Vec<CommunityLogEntry>, StatusDetails> {
        let mut request = ListCommunityLogRequest { community_id: id.to_owned(), page_size, page_token: String::new() };
        let mut seen = Vec::new();
        loop {
            let page = into_result(self.client.clone().list_community_log(self.as_member(who, request.clone())).await)?;
            seen.extend(page.entries);
            if page.next_page_token.is_empty() {
                return Ok(seen);
            }
            request.page_token = page.next_page_token;
        }
    }

    /// Action, actor and member of each entry, newest first.
    pub async fn log(&self, who: u128, id: &str) -> Vec<(CommunityAction, Option<u128>, Option<u128>)> {
        let id_of = |raw: &Option<String>| raw.as_deref().map(number);
        let entries = self.log_entries(who, id, 0).await.unwrap();
        entries.iter().map(|entry| (entry.action(), id_of(&entry.actor_id), id_of(&entry.member_id))).collect()
    }

    /// A community of the owner 1, the moderators 2 and 3, and the members 4 and 5.
    pub async fn community_with_moderators(&self, name: &str) -> String {
        let id = self.create_community(1, name).await.unwrap().id;
        for who in 2..=5 {
            self.join_community(who, &id).await.unwrap();
        }
        for who in [2, 3] {
            assert_eq!(self.set_role(1, &id, who, MODERATOR).await.unwrap().role(), MODERATOR);
        }
        id
    }

    pub async fn assert_consistent_communities(&self) {
        self.assert_community_facts().await;
        self.assert_invariants().await;
    }
}

#[tokio::test]
async fn moderators_remove_members_and_owners_remove_moderators() {
    let graph = Fixture::empty().await;
    let id = graph.community_with_moderators("Moot").await;
    for (who, other, expected) in [
        (4, 5, "NOT_MODERATOR"),
        (9, 5, "NOT_MODERATOR"),
        (2, 1, "MEMBER_PROTECTED"),
        (2, 3, "MEMBER_PROTECTED"),
        (2, 2, "MEMBER_PROTECTED"),
        (1, 1, "MEMBER_PROTECTED"),
        (2, 9, "MEMBER_NOT_FOUND"),
    ] {
        for ban in [true, false] {
            let refused = graph.remove_member(who, &id, other, ban).await.unwrap_err();
            assert_eq!(refused.reason, expected, "{who} removes {other}");
        }
    }
    assert_eq!(graph.community(4, &id).await.unwrap().member_count, 5, "nothing changed");
    graph.remove_member(2, &id, 4, false).await.unwrap();
    assert_eq!(graph.remove_member(2, &id, 4, false).await.unwrap_err().reason, "MEMBER_NOT_FOUND");
    graph.remove_member(1, &id, 3, false).await.unwrap();
    assert_eq!(graph.members(VISITOR, &id, 0).await, [(1, true), (2, false), (5, false)]);
    assert_eq!(graph.join_community(4, &id).await.unwrap().role(), MEMBER, "a removed member may join again");
    assert_eq!(graph.community(4, &id).await.unwrap().member_count, 4);
    let refused = graph.remove_member(1, &row_id(1).to_string(), 4, true).await.unwrap_err();
    assert_eq!(refused.reason, "COMMUNITY_NOT_FOUND");
    graph.assert_consistent_communities().await;
}

#[tokio::test]
async fn a_banned_member_cannot_join_until_the_ban_ends() {
    let graph = Fixture::empty().await;
    let id = graph.community_with_moderators("Moot").await;
    for _ in 0..2 {
        graph.remove_member(2, &id, 4, true).await.unwrap();
    }
    let refused = graph.join_community(4, &id).await.unwrap_err();
    assert_eq!((refused.kind, refused.reason.as_str()), (ErrorKind::Forbidden, "BANNED"));
    assert_eq!(refused.message, "You cannot join this community, because its moderators have banned you.");
    // A member who left can be banned, and a block does not prevent it.
    graph.leave_community(5, &id).await.unwrap();
    graph.block_member(5, 2).await.unwrap();
    graph.harness.clock.advance(TimeDelta::minutes(1));
    graph.remove_member(2, &id, 5, true).await.unwrap();
    assert_eq!(graph.join_community(5, &id).await.unwrap_err().reason, "BANNED");
    for page_size in [0, 1] {
        assert_eq!(graph.bans(3, &id, page_size).await.unwrap(), [5, 4]);
    }
    for stranger in [4, 9] {
        assert_eq!(graph.bans(stranger, &id, 0).await.unwrap_err().reason, "NOT_MODERATOR");
        assert_eq!(graph.unban_member(stranger, &id, 4).await.unwrap_err().reason, "NOT_MODERATOR");
    }
    for _ in 0..2 {
        graph.unban_member(3, &id, 4).await.unwrap();
    }
    assert_eq!(graph.join_community(4, &id).await.unwrap().role(), MEMBER);
    assert_eq!(graph.bans(1, &id, 0).await.unwrap(), [5]);
    let bans = graph.log(1, &id).await.into_iter().filter(|(action, ..)| *action == CommunityAction::MemberBanned);
    let expected = [5, 4].map(|who| (CommunityAction::MemberBanned, Some(2), Some(who)));
    assert_eq!(bans.collect::<Vec<_>>(), expected, "a repeated ban is not logged");
    graph.assert_consistent_communities().await;
}

#[tokio::test]
async fn the_log_is_for_owners_and_moderators_newest_first() {
    let graph = Fixture::empty().await;
    let id = graph.create_community(1, "Moot").await.unwrap().id;
    for who in 2..=4 {
        graph.join_community(who, &id).await.unwrap();
    }
    assert!(graph.log(1, &id).await.is_empty());
    let tick = || graph.harness.clock.advance(TimeDelta::minutes(1));
    graph.set_role(1, &id, 2, MODERATOR).await.unwrap();
    graph.set_role(1, &id, 2, MODERATOR).await.unwrap();
    tick();
    graph.remove_member(2, &id, 3, true).await.unwrap();
    tick();
    graph.unban_member(2, &id, 3).await.unwrap();
    tick();
    graph.remove_member(1, &id, 4, false).await.unwrap();
    tick();
    graph.transfer(1, &id, 2).await.unwrap();
    let expected = [
        (CommunityAction::Transferred, Some(1), Some(2)),
        (CommunityAction::MemberRemoved, Some(1), Some(4)),
        (CommunityAction::MemberUnbanned, Some(2), Some(3)),
        (CommunityAction::MemberBanned, Some(2), Some(3)),
        (CommunityAction::RoleSet, Some(1), Some(2)),
    ];
    for who in [1, 2] {
        assert_eq!(graph.log(who, &id).await, expected);
    }
    let entries = graph.log_entries(1, &id, 2).await.unwrap();
    let reasons: Vec<_> = entries.iter().map(|entry| (entry.role(), entry.reason())).collect();
    let (no_role, none) = (CommunityRole::Unspecified, CommunityReason::Unspecified);
    assert_eq!(
        reasons,
        [
            (no_role, none),
            (no_role, CommunityReason::Spam),
            (no_role, none),
            (no_role, CommunityReason::Spam),
            (MODERATOR, none)
        ]
    );
    for stranger in [3, 9] {
        let refused = graph.log_entries(stranger, &id, 0).await.unwrap_err();
        assert_eq!((refused.kind, refused.reason.as_str()), (ErrorKind::Forbidden, "NOT_MODERATOR"));
    }
    assert_eq!(graph.log_entries(1, &row_id(1).to_string(), 0).await.unwrap_err().reason, "COMMUNITY_NOT_FOUND");
    // An erased account is no longer named.
    graph.erase(3).await;
    assert_eq!(graph.log(2, &id).await[3], (CommunityAction::MemberBanned, Some(2), None));
    graph.erase(1).await;
    assert_eq!(graph.log(2, &id).await[0], (CommunityAction::Transferred, None, Some(2)));
}

#[tokio::test]
async fn removed_content_is_logged_once() {
    let graph = Fixture::empty().await;
    let id = graph.community_with_moderators("Moot").await;
    let removal = |n, community: &str, comment: Option<String>| CommunityContentRemoved {
        removal_id: row_id(n).to_string(),
        community_id: community.to_owned(),
        post_id: row_id(77).to_string(),
        comment_id: comment,
        author_id: member(4).to_string(),
        removed_by: member(2).to_string(),
        reason: "off_topic".to_owned(),
    };
    graph.feed.publish(row_id(77), &removal(1, &id, None));
    graph.feed.publish(row_id(77), &removal(1, &id, None));
    graph.feed.publish(row_id(77), &removal(2, &id, Some(row_id(78).to_string())));
    let unknown = removal(3, &row_id(99).to_string(), None);
    let seq = graph.feed.publish(row_id(77), &unknown);
    graph.harness.wait_until_applied("feed", seq).await;
    let mut entries = graph.log_entries(1, &id, 0).await.unwrap();
    entries.retain(|entry| entry.action() != CommunityAction::RoleSet);
    entries.sort_by_key(|entry| entry.action);
    let seen: Vec<_> = entries.iter().map(|entry| (entry.action(), entry.reason())).collect();
    let reason = CommunityReason::OffTopic;
    assert_eq!(seen, [(CommunityAction::PostRemoved, reason), (CommunityAction::CommentRemoved, reason)]);
    assert_eq!(entries[0].member_id.as_deref(), Some(member(4).to_string().as_str()));
}

#[tokio::test]
async fn a_community_passes_to_a_moderator() {
    let graph = Fixture::empty().await;
    let id = graph.community_with_moderators("Moot").await;
    for (who, other, expected) in [
        (2, 3, "NOT_OWNER"),
        (9, 2, "NOT_OWNER"),
        (1, 4, "NOT_A_MODERATOR"),
        (1, 1, "NOT_A_MODERATOR"),
        (1, 9, "MEMBER_NOT_FOUND"),
    ] {
        assert_eq!(graph.transfer(who, &id, other).await.unwrap_err().reason, expected, "{who} to {other}");
    }
    assert_eq!(graph.transfer(1, &id, 2).await.unwrap(), MODERATOR);
    assert_eq!(graph.community(2, &id).await.unwrap().role(), OWNER);
    assert_eq!(graph.transfer(1, &id, 3).await.unwrap_err().reason, "NOT_OWNER");
    graph.deactivate(3).await;
    assert_eq!(graph.transfer(2, &id, 3).await.unwrap_err().reason, "MEMBER_NOT_FOUND");
    graph.assert_consistent_communities().await;
}

#[tokio::test]
async fn only_an_owner_dissolves_a_community() {
    let graph = Fixture::empty().await;
    let id = graph.community_with_moderators("Moot").await;
    graph.remove_member(2, &id, 5, true).await.unwrap();
    for stranger in [2, 4, 9] {
        assert_eq!(graph.dissolve(stranger, &id).await.unwrap_err().reason, "NOT_OWNER");
    }
    graph.dissolve(1, &id).await.unwrap();
    assert_eq!(graph.dissolve(1, &id).await.unwrap_err().reason, "COMMUNITY_NOT_FOUND");
    assert_eq!(graph.community(1, &id).await.unwrap_err().reason, "COMMUNITY_NOT_FOUND");
    assert_eq!(graph.communities(VISITOR, ListCommunitiesRequest::default()).await.total, 0);
    assert_eq!(graph.published_community_facts().await.last().unwrap(), "CommunityRemoved");
    // The name is free again.
    graph.create_community(4, "Moot").await.unwrap();
    graph.assert_consistent_communities().await;
}

#[tokio::test]
async fn the_longest_moderator_follows_an_erased_owner() {
    let graph = Fixture::empty().await;
    let id = graph.create_community(1, "Moot").await.unwrap().id;
    for who in 2..=4 {
        graph.harness.clock.advance(TimeDelta::minutes(1));
        graph.join_community(who, &id).await.unwrap();
    }
    graph.set_role(1, &id, 4, MODERATOR).await.unwrap();
    graph.set_role(1, &id, 3, MODERATOR).await.unwrap();
    graph.erase(1).await;
    assert_eq!(graph.members(VISITOR, &id, 0).await, [(3, true), (2, false), (4, false)]);
    // The clock did not advance since the roles were set, so the order of the entries is open.
    assert!(graph.log(3, &id).await.contains(&(CommunityAction::Succeeded, None, Some(3))));
    graph.erase(3).await;
    graph.erase(4).await;
    assert_eq!(graph.members(VISITOR, &id, 0).await, [(2, true)], "without a moderator the longest member");
    graph.assert_consistent_communities().await;
}

#[tokio::test]
async fn an_invalid_removal_is_refused_with_its_fields() {
    let graph = Fixture::empty().await;
    let request =
        RemoveMemberRequest { community_id: "a".to_owned(), member_id: "\0".to_owned(), ban: true, reason: 9 };
    let refused = into_result(graph.client.clone().remove_member(graph.as_member(1, request)).await).unwrap_err();
    assert_eq!(refused.kind, ErrorKind::Invalid);
    assert_eq!(fields(&refused), ["communityId", "memberId", "reason"]);
}
