//! Joining on request and by invitation: requests, their answers, invitations, and their facts.

use chrono::TimeDelta;
use portia_proto::social_graph::{
    AnswerJoinRequestRequest, Community, CommunityAction, CommunityInvitationRemoved, CommunityInvited,
    CommunityJoinRequestRemoved, CommunityJoinRequested, CommunityJoined, CommunityJoining, CommunityRole,
    CommunityStanding, CommunityVisibility, CreateCommunityRequest, InviteMemberRequest, ListInvitationsRequest,
    ListJoinRequestsRequest, ListOwnInvitationsRequest, OwnInvitation, UpdateCommunityRequest,
    WithdrawInvitationRequest,
};
use primitives::error::{ErrorKind, StatusDetails};
use prost::{Message, Name};
use testkit::member;

use crate::{
    actors::{VISITOR, community_text},
    fixtures::{Fixture, fields, into_result, number, row_id},
};

pub const PUBLIC: CommunityVisibility = CommunityVisibility::Public;
pub const PRIVATE: CommunityVisibility = CommunityVisibility::Private;
pub const OPEN: CommunityJoining = CommunityJoining::Open;
pub const REQUEST: CommunityJoining = CommunityJoining::Request;
pub const INVITATION: CommunityJoining = CommunityJoining::Invitation;
const MEMBER: CommunityRole = CommunityRole::Member;
const NOTHING: CommunityRole = CommunityRole::Unspecified;

impl Fixture {
    pub async fn create_community_with(
        &self,
        who: u128,
        name: &str,
        visibility: CommunityVisibility,
        joining: CommunityJoining,
    ) -> Result<Community, StatusDetails> {
        let request = CreateCommunityRequest {
            text: Some(community_text(name)),
            idempotency_key: None,
            visibility: visibility.into(),
            joining: joining.into(),
        };
        let made = into_result(self.client.clone().create_community(self.as_member(who, request)).await);
        made.map(|made| made.community.unwrap())
    }

    pub async fn set_access(
        &self,
        who: u128,
        id: &str,
        name: &str,
        visibility: CommunityVisibility,
        joining: CommunityJoining,
    ) -> Result<Community, StatusDetails> {
        let request = UpdateCommunityRequest {
            community_id: id.to_owned(),
            text: Some(community_text(name)),
            visibility: visibility.into(),
            joining: joining.into(),
        };
        let updated = into_result(self.client.clone().update_community(self.as_member(who, request)).await);
        updated.map(|updated| updated.community.unwrap())
    }

    pub async fn answer_join_request(
        &self,
        who: u128,
        id: &str,
        other: u128,
        approve: bool,
    ) -> Result<(), StatusDetails> {
        let (community_id, member_id) = (id.to_owned(), member(other).to_string());
        let request = self.as_member(who, AnswerJoinRequestRequest { community_id, member_id, approve });
        into_result(self.client.clone().answer_join_request(request).await).map(drop)
    }

    pub async fn invite(&self, who: u128, id: &str, other: u128) -> Result<(), StatusDetails> {
        let request = InviteMemberRequest { community_id: id.to_owned(), member_id: member(other).to_string() };
        into_result(self.client.clone().invite_member(self.as_member(who, request)).await).map(drop)
    }

    pub async fn withdraw_invitation(&self, who: u128, id: &str, other: u128) -> Result<(), StatusDetails> {
        let request = WithdrawInvitationRequest { community_id: id.to_owned(), member_id: member(other).to_string() };
        into_result(self.client.clone().withdraw_invitation(self.as_member(who, request)).await).map(drop)
    }

    pub async fn join_requests(&self, who: u128, id: &str, page_size: i32) -> Result<Vec<u128>, StatusDetails> {
        let mut request = ListJoinRequestsRequest { community_id: id.to_owned(), page_size, page_token: String::new() };
        let mut seen = Vec::new();
        loop {
            let page = into_result(self.client.clone().list_join_requests(self.as_member(who, request.clone())).await)?;
            seen.extend(page.requests.iter().map(|request| number(&request.member_id)));
            if page.next_page_token.is_empty() {
                return Ok(seen);
            }
            request.page_token = page.next_page_token;
        }
    }

    pub async fn invitations(&self, who: u128, id: &str, page_size: i32) -> Result<Vec<u128>, StatusDetails> {
        let mut request = ListInvitationsRequest { community_id: id.to_owned(), page_size, page_token: String::new() };
        let mut seen = Vec::new();
        loop {
            let page = into_result(self.client.clone().list_invitations(self.as_member(who, request.clone())).await)?;
            seen.extend(page.invitations.iter().map(|invitation| number(&invitation.member_id)));
            if page.next_page_token.is_empty() {
                return Ok(seen);
            }
            request.page_token = page.next_page_token;
        }
    }

    pub async fn own_invitations(&self, who: u128) -> Vec<OwnInvitation> {
        let mut request = ListOwnInvitationsRequest { page_size: 1, page_token: String::new() };
        let mut seen = Vec::new();
        loop {
            let page = self.client.clone().list_own_invitations(self.as_member(who, request.clone())).await;
            let page = into_result(page).unwrap();
            seen.extend(page.invitations);
            if page.next_page_token.is_empty() {
                return seen;
            }
            request.page_token = page.next_page_token;
        }
    }

    /// Makes members known to the service.
    pub async fn register(&self, members: impl IntoIterator<Item = u128>) {
        for who in members {
            self.publish_registration(who, "Yale", "Boston").await;
        }
    }

    /// The last published fact of this kind.
    pub async fn last_fact<M: Message + Name + Default>(&self) -> M {
        let published = self.published().await;
        let last = published.iter().rfind(|(name, _)| name == M::NAME).unwrap();
        M::decode(&*last.1).unwrap()
    }

    pub async fn count_facts<M: Name>(&self) -> usize {
        self.published().await.iter().filter(|(name, _)| name == M::NAME).count()
    }
}

#[tokio::test]
async fn a_moderator_approves_or_declines_a_request_to_join() {
    let graph = Fixture::empty().await;
    let id = graph.community_with_moderators("Moot").await;
    graph.set_access(1, &id, "Moot", PUBLIC, REQUEST).await.unwrap();
    for who in [8, 6, 7] {
        for _ in 0..2 {
            let asked = graph.join_community(who, &id).await.unwrap();
            assert_eq!(
                (asked.role(), asked.standing(), asked.member_count),
                (NOTHING, CommunityStanding::Requested, 5)
            );
        }
        graph.harness.clock.advance(TimeDelta::minutes(1));
    }
    let fact: CommunityJoinRequested = graph.last_fact().await;
    assert_eq!((fact.community_id.as_str(), number(&fact.member_id)), (id.as_str(), 7));
    assert_eq!(fact.moderator_ids.iter().map(|id| number(id)).collect::<Vec<_>>(), [1, 2, 3]);
    assert_eq!(graph.count_facts::<CommunityJoinRequested>().await, 3, "asking again publishes nothing");
    for page_size in [0, 1] {
        assert_eq!(graph.join_requests(2, &id, page_size).await.unwrap(), [8, 6, 7]);
    }
    for stranger in [4, 6, 9] {
        assert_eq!(graph.join_requests(stranger, &id, 0).await.unwrap_err().reason, "NOT_MODERATOR");
        for approve in [true, false] {
            let refused = graph.answer_join_request(stranger, &id, 6, approve).await.unwrap_err();
            assert_eq!((refused.kind, refused.reason.as_str()), (ErrorKind::Forbidden, "NOT_MODERATOR"));
        }
    }
    for _ in 0..2 {
        graph.answer_join_request(3, &id, 6, true).await.unwrap();
    }
    let approved: CommunityJoined = graph.last_fact().await;
    assert_eq!((number(&approved.member_id), approved.approved_by_id), (6, Some(member(3).to_string())));
    graph.answer_join_request(1, &id, 8, false).await.unwrap();
    for approve in [true, false] {
        let refused = graph.answer_join_request(1, &id, 8, approve).await.unwrap_err();
        assert_eq!((refused.kind, refused.reason.as_str()), (ErrorKind::NotFound, "JOIN_REQUEST_NOT_FOUND"));
    }
    assert_eq!(graph.community(8, &id).await.unwrap().standing(), CommunityStanding::Unspecified);
    assert_eq!(graph.community(6, &id).await.unwrap().role(), MEMBER);
    // The member withdraws the request; withdrawing again changes nothing.
    for _ in 0..2 {
        let withdrawn = graph.leave_community(7, &id).await.unwrap();
        assert_eq!(withdrawn.standing(), CommunityStanding::Unspecified);
    }
    assert_eq!(graph.count_facts::<CommunityJoinRequestRemoved>().await, 3);
    assert!(graph.join_requests(1, &id, 0).await.unwrap().is_empty());
    let log = graph.log(2, &id).await;
    assert!(log.contains(&(CommunityAction::JoinDeclined, Some(1), Some(8))));
    assert!(log.contains(&(CommunityAction::JoinApproved, Some(3), Some(6))));
    graph.assert_consistent_communities().await;
}

#[tokio::test]
async fn requests_of_closed_and_banned_accounts_are_not_answered() {
    let graph = Fixture::empty().await;
    let id = graph.create_community_with(1, "Moot", PUBLIC, REQUEST).await.unwrap().id;
    for who in [5, 6] {
        graph.join_community(who, &id).await.unwrap();
    }
    graph.deactivate(5).await;
    assert_eq!(graph.join_requests(1, &id, 0).await.unwrap(), [6]);
    assert_eq!(graph.answer_join_request(1, &id, 5, true).await.unwrap_err().reason, "JOIN_REQUEST_NOT_FOUND");
    graph.reactivate(5).await;
    assert_eq!(graph.join_requests(1, &id, 0).await.unwrap(), [5, 6]);
    graph.remove_member(1, &id, 6, true).await.unwrap();
    assert_eq!(graph.join_requests(1, &id, 0).await.unwrap(), [5]);
    assert_eq!(graph.join_community(6, &id).await.unwrap_err().reason, "BANNED");
    let removed: CommunityJoinRequestRemoved = graph.last_fact().await;
    assert_eq!(number(&removed.member_id), 6);
    graph.assert_consistent_communities().await;
}

#[tokio::test]
async fn requests_end_when_the_community_is_not_joined_on_request_any_more() {
    let graph = Fixture::empty().await;
    let id = graph.create_community_with(1, "Moot", PUBLIC, REQUEST).await.unwrap().id;
    graph.join_community(5, &id).await.unwrap();
    // Other changes keep them, and an unspecified access too.
    graph.update_community(1, &id, community_text("Moot Court")).await.unwrap();
    assert_eq!(graph.join_requests(1, &id, 0).await.unwrap(), [5]);
    let opened = graph.set_access(1, &id, "Moot Court", CommunityVisibility::Unspecified, OPEN).await.unwrap();
    assert_eq!((opened.visibility(), opened.joining()), (PUBLIC, OPEN));
    assert!(graph.join_requests(1, &id, 0).await.unwrap().is_empty());
    assert_eq!(graph.count_facts::<CommunityJoinRequestRemoved>().await, 1);
    assert_eq!(graph.join_community(5, &id).await.unwrap().role(), MEMBER);
    graph.assert_consistent_communities().await;
}

#[tokio::test]
async fn a_member_has_at_most_fifty_requests() {
    let graph = Fixture::empty().await;
    for n in 1..=51 {
        graph.insert_community(n, &[1]).await;
    }
    graph.harness.database().run("update social_graph.communities set joining = 'request'").await;
    for n in 1..=50 {
        graph.join_community(5, &row_id(n).to_string()).await.unwrap();
    }
    let refused = graph.join_community(5, &row_id(51).to_string()).await.unwrap_err();
    assert_eq!((refused.kind, refused.reason.as_str()), (ErrorKind::Conflict, "TOO_MANY_JOIN_REQUESTS"));
    graph.leave_community(5, &row_id(7).to_string()).await.unwrap();
    graph.join_community(5, &row_id(51).to_string()).await.unwrap();
    graph.assert_invariants().await;
}

#[tokio::test]
async fn an_invited_member_joins_or_declines() {
    let graph = Fixture::empty().await;
    let id = graph.community_with_moderators("Moot").await;
    graph.set_access(1, &id, "Moot", PUBLIC, INVITATION).await.unwrap();
    graph.register([6, 7, 8]).await;
    let refused = graph.join_community(6, &id).await.unwrap_err();
    assert_eq!((refused.kind, refused.reason.as_str()), (ErrorKind::Forbidden, "NOT_INVITED"));
    assert_eq!(refused.message, "You can join this community by invitation only.");
    for stranger in [4, 9] {
        assert_eq!(graph.invite(stranger, &id, 6).await.unwrap_err().reason, "NOT_MODERATOR");
        assert_eq!(graph.invitations(stranger, &id, 0).await.unwrap_err().reason, "NOT_MODERATOR");
    }
    for who in [6, 7, 8] {
        for _ in 0..2 {
            graph.invite(2, &id, who).await.unwrap();
        }
        graph.harness.clock.advance(TimeDelta::minutes(1));
    }
    let fact: CommunityInvited = graph.last_fact().await;
    assert_eq!((number(&fact.member_id), number(&fact.invited_by_id)), (8, 2));
    assert_eq!(graph.count_facts::<CommunityInvited>().await, 3);
    for page_size in [0, 1] {
        assert_eq!(graph.invitations(3, &id, page_size).await.unwrap(), [8, 7, 6]);
    }
    let own = graph.own_invitations(6).await;
    assert_eq!(own.len(), 1);
    assert_eq!(own[0].invited_by_id, Some(member(2).to_string()));
    assert_eq!(own[0].community.as_ref().unwrap().standing(), CommunityStanding::Invited);
    // One accepts, one declines, one invitation is withdrawn.
    assert_eq!(graph.join_community(6, &id).await.unwrap().role(), MEMBER);
    assert_eq!(graph.leave_community(7, &id).await.unwrap().standing(), CommunityStanding::Unspecified);
    for stranger in [4, 8, 9] {
        assert_eq!(graph.withdraw_invitation(stranger, &id, 8).await.unwrap_err().reason, "NOT_MODERATOR");
    }
    for _ in 0..2 {
        graph.withdraw_invitation(3, &id, 8).await.unwrap();
    }
    assert_eq!(graph.count_facts::<CommunityInvitationRemoved>().await, 3);
    for who in [7, 8] {
        assert_eq!(graph.join_community(who, &id).await.unwrap_err().reason, "NOT_INVITED");
        assert!(graph.own_invitations(who).await.is_empty());
    }
    // A declined invitation is not repeated at once; a withdrawn one may be.
    let refused = graph.invite(2, &id, 7).await.unwrap_err();
    assert_eq!((refused.kind, refused.reason.as_str()), (ErrorKind::Conflict, "INVITED_TOO_SOON"));
    graph.invite(2, &id, 8).await.unwrap();
    graph.harness.clock.advance(TimeDelta::days(30));
    graph.invite(2, &id, 7).await.unwrap();
    assert_eq!(graph.join_community(7, &id).await.unwrap().role(), MEMBER);
    // A member of the community is not invited.
    graph.invite(2, &id, 7).await.unwrap();
    assert!(graph.own_invitations(7).await.is_empty());
    let log: Vec<_> = graph
        .log(1, &id)
        .await
        .into_iter()
        .filter(|(action, ..)| matches!(action, CommunityAction::MemberInvited | CommunityAction::InvitationWithdrawn))
        .collect();
    assert_eq!(log.len(), 6);
    assert!(log.contains(&(CommunityAction::InvitationWithdrawn, Some(3), Some(8))));
    graph.assert_consistent_communities().await;
}

#[tokio::test]
async fn some_members_cannot_be_invited() {
    let graph = Fixture::empty().await;
    let id = graph.create_community_with(1, "Moot", PRIVATE, INVITATION).await.unwrap().id;
    graph.register([5, 7, 8]).await;
    graph.deactivate(5).await;
    graph.block_member(1, 7).await.unwrap();
    for other in [5, 7, 99] {
        let refused = graph.invite(1, &id, other).await.unwrap_err();
        assert_eq!((refused.kind, refused.reason.as_str()), (ErrorKind::NotFound, "MEMBER_NOT_FOUND"), "{other}");
    }
    graph.remove_member(1, &id, 8, true).await.unwrap();
    let refused = graph.invite(1, &id, 8).await.unwrap_err();
    assert_eq!((refused.kind, refused.reason.as_str()), (ErrorKind::Conflict, "MEMBER_BANNED"));
    // An invitation ends with a block by its author, and with a ban.
    graph.unblock_member(1, 7).await.unwrap();
    graph.invite(1, &id, 7).await.unwrap();
    graph.block_member(1, 7).await.unwrap();
    assert!(graph.own_invitations(7).await.is_empty() && graph.invitations(1, &id, 0).await.unwrap().is_empty());
    graph.unblock_member(1, 7).await.unwrap();
    graph.invite(1, &id, 7).await.unwrap();
    graph.remove_member(1, &id, 7, true).await.unwrap();
    assert!(graph.own_invitations(7).await.is_empty());
    assert_eq!(graph.count_facts::<CommunityInvitationRemoved>().await, 2);
    graph.assert_consistent_communities().await;
}

#[tokio::test]
async fn an_invitation_approves_a_request() {
    let graph = Fixture::empty().await;
    let id = graph.create_community_with(1, "Moot", PUBLIC, REQUEST).await.unwrap().id;
    graph.join_community(5, &id).await.unwrap();
    graph.invite(1, &id, 5).await.unwrap();
    assert_eq!(graph.community(5, &id).await.unwrap().role(), MEMBER);
    assert_eq!(graph.log(1, &id).await, [(CommunityAction::JoinApproved, Some(1), Some(5))]);
    graph.assert_consistent_communities().await;
}

#[tokio::test]
async fn a_community_has_at_most_a_hundred_invitations() {
    let graph = Fixture::empty().await;
    let id = graph.create_community_with(1, "Moot", PUBLIC, INVITATION).await.unwrap().id;
    graph.register([5]).await;
    let sql = format!(
        "insert into social_graph.community_invitations (community_id, member_id, invited_by, invited_at)
        select '{id}', gen_random_uuid(), '{}', '2026-01-01' from generate_series(1, 100)",
        member(1)
    );
    graph.harness.database().run(sql).await;
    let refused = graph.invite(1, &id, 5).await.unwrap_err();
    assert_eq!((refused.kind, refused.reason.as_str()), (ErrorKind::Conflict, "TOO_MANY_INVITATIONS"));
}

#[tokio::test]
async fn a_private_community_is_joined_by_invitation_only() {
    let graph = Fixture::empty().await;
    for joining in [OPEN, REQUEST] {
        let refused = graph.create_community_with(1, "Moot", PRIVATE, joining).await.unwrap_err();
        assert_eq!((refused.kind, fields(&refused)), (ErrorKind::Invalid, vec!["joining"]));
    }
    let unspecified = CommunityJoining::Unspecified;
    let made = graph.create_community_with(1, "Moot", PRIVATE, unspecified).await.unwrap();
    assert_eq!((made.visibility(), made.joining()), (PRIVATE, INVITATION));
    let refused = graph.set_access(1, &made.id, "Moot", CommunityVisibility::Unspecified, OPEN).await.unwrap_err();
    assert_eq!((refused.kind, fields(&refused)), (ErrorKind::Invalid, vec!["joining"]));
    let opened = graph.set_access(1, &made.id, "Moot", PUBLIC, OPEN).await.unwrap();
    assert_eq!((opened.visibility(), opened.joining()), (PUBLIC, OPEN));
    let closed = graph.set_access(1, &made.id, "Moot", PRIVATE, unspecified).await.unwrap();
    assert_eq!((closed.visibility(), closed.joining()), (PRIVATE, INVITATION));
    assert_eq!(graph.set_access(5, &made.id, "Moot", PUBLIC, OPEN).await.unwrap_err().reason, "COMMUNITY_NOT_FOUND");
    assert_eq!(graph.community(VISITOR, &made.id).await.unwrap_err().reason, "COMMUNITY_NOT_FOUND");
    graph.assert_consistent_communities().await;
}
