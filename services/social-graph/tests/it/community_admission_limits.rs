//! Admissions that end or are refused: invitations of former moderators and of blocked ones, delays after a decline, bans.

use chrono::TimeDelta;
use portia_proto::social_graph::{CommunityAction, CommunityInvitationRemoved, CommunityInvited, CommunityRole};
use primitives::error::ErrorKind;

use crate::{
    community_admission::{INVITATION, OPEN, PRIVATE, PUBLIC, REQUEST},
    fixtures::{Fixture, number},
};

#[tokio::test]
async fn invitations_end_with_the_role_of_their_author() {
    let graph = Fixture::empty().await;
    // Owner 1, moderators 2 and 3, members 4 and 5.
    let id = graph.community_with_moderators("Moot").await;
    graph.set_access(1, &id, "Moot", PRIVATE, INVITATION).await.unwrap();
    graph.register(10..=16).await;
    let promote = async |who| drop(graph.set_role(1, &id, who, CommunityRole::Moderator).await.unwrap());
    promote(4).await;
    promote(5).await;
    for (author, invited) in [(1, 10), (2, 11), (3, 12), (4, 13), (5, 14)] {
        graph.invite(author, &id, invited).await.unwrap();
        graph.harness.clock.advance(TimeDelta::minutes(1));
    }
    assert_eq!(graph.invitations(1, &id, 0).await.unwrap(), [14, 13, 12, 11, 10]);
    graph.set_role(1, &id, 2, CommunityRole::Member).await.unwrap();
    graph.remove_member(1, &id, 3, false).await.unwrap();
    graph.leave_private_community(4, &id).await.unwrap();
    graph.erase(5).await;
    assert_eq!(graph.invitations(1, &id, 0).await.unwrap(), [10]);
    for invited in [11, 12, 13, 14] {
        assert!(graph.own_invitations(invited).await.is_empty(), "{invited}");
        assert_eq!(graph.join_community(invited, &id).await.unwrap_err().reason, "COMMUNITY_NOT_FOUND");
    }
    let ended: CommunityInvitationRemoved = graph.last_fact().await;
    assert_eq!((number(&ended.member_id), ended.invited_by_id.map(|id| number(&id))), (14, Some(5)));
    assert_eq!(graph.count_facts::<CommunityInvitationRemoved>().await, 4);
    // A change between two roles that may invite ends nothing.
    graph.join_community(10, &id).await.unwrap();
    promote(10).await;
    graph.invite(10, &id, 15).await.unwrap();
    graph.set_role(1, &id, 10, CommunityRole::Owner).await.unwrap();
    graph.invite(1, &id, 16).await.unwrap();
    graph.set_role(10, &id, 1, CommunityRole::Moderator).await.unwrap();
    assert_eq!(graph.invitations(10, &id, 0).await.unwrap().len(), 2);
    graph.remove_member(10, &id, 1, true).await.unwrap();
    assert_eq!(graph.invitations(10, &id, 0).await.unwrap(), [15], "a ban, too");
    graph.assert_consistent_communities().await;
}

#[tokio::test]
async fn a_declined_request_is_not_repeated_for_thirty_days() {
    let graph = Fixture::empty().await;
    let id = graph.create_community_with(1, "Moot", PUBLIC, REQUEST).await.unwrap().id;
    for who in [5, 6] {
        graph.join_community(who, &id).await.unwrap();
        graph.answer_join_request(1, &id, who, false).await.unwrap();
    }
    let refused = graph.join_community(5, &id).await.unwrap_err();
    assert_eq!((refused.kind, refused.reason.as_str()), (ErrorKind::Conflict, "REQUESTED_TOO_SOON"));
    assert_eq!(refused.message, "You can ask to join this community again 30 days after its moderators declined.");
    // A ban and its end do not shorten the delay, and neither does leaving.
    graph.remove_member(1, &id, 5, true).await.unwrap();
    graph.unban_member(1, &id, 5).await.unwrap();
    graph.leave_community(5, &id).await.unwrap();
    assert_eq!(graph.join_community(5, &id).await.unwrap_err().reason, "REQUESTED_TOO_SOON");
    // An invitation does.
    graph.invite(1, &id, 6).await.unwrap();
    assert_eq!(graph.join_community(6, &id).await.unwrap().role(), CommunityRole::Member);
    graph.harness.clock.advance(TimeDelta::days(30));
    graph.join_community(5, &id).await.unwrap();
    assert_eq!(graph.join_requests(1, &id, 0).await.unwrap(), [5]);
    // Another decline delays it again, and an open community has no requests.
    graph.answer_join_request(1, &id, 5, false).await.unwrap();
    assert_eq!(graph.join_community(5, &id).await.unwrap_err().reason, "REQUESTED_TOO_SOON");
    graph.set_access(1, &id, "Moot", PUBLIC, OPEN).await.unwrap();
    assert_eq!(graph.join_community(5, &id).await.unwrap().role(), CommunityRole::Member);
    graph.assert_consistent_communities().await;
}

#[tokio::test]
async fn a_withdrawn_request_may_be_repeated_at_once() {
    let graph = Fixture::empty().await;
    let id = graph.create_community_with(1, "Moot", PUBLIC, REQUEST).await.unwrap().id;
    for _ in 0..2 {
        graph.join_community(5, &id).await.unwrap();
        graph.leave_community(5, &id).await.unwrap();
    }
    graph.join_community(5, &id).await.unwrap();
    assert_eq!(graph.join_requests(1, &id, 0).await.unwrap(), [5]);
}

#[tokio::test]
async fn a_declined_invitation_is_not_repeated_after_a_ban_and_its_end() {
    let graph = Fixture::empty().await;
    let id = graph.create_community_with(1, "Moot", PRIVATE, INVITATION).await.unwrap().id;
    graph.register([5]).await;
    graph.invite(1, &id, 5).await.unwrap();
    graph.leave_private_community(5, &id).await.unwrap();
    graph.remove_member(1, &id, 5, true).await.unwrap();
    graph.unban_member(1, &id, 5).await.unwrap();
    assert_eq!(graph.invite(1, &id, 5).await.unwrap_err().reason, "INVITED_TOO_SOON");
    graph.harness.clock.advance(TimeDelta::days(30));
    graph.invite(1, &id, 5).await.unwrap();
    assert_eq!(graph.own_invitations(5).await.len(), 1);
    graph.assert_consistent_communities().await;
}

#[tokio::test]
async fn an_invited_member_who_blocks_the_author_looks_like_one_who_does_not_answer() {
    let graph = Fixture::empty().await;
    let id = graph.community_with_moderators("Moot").await;
    graph.set_access(1, &id, "Moot", PRIVATE, INVITATION).await.unwrap();
    graph.register([6, 7, 8]).await;
    // 6 ignores the invitation, 7 blocks its author before, 8 after it.
    graph.block_member(7, 2).await.unwrap();
    for who in [6, 7, 8] {
        for _ in 0..2 {
            graph.invite(2, &id, who).await.unwrap();
        }
        graph.harness.clock.advance(TimeDelta::minutes(1));
    }
    graph.block_member(8, 2).await.unwrap();
    for moderator in [1, 2] {
        assert_eq!(graph.invitations(moderator, &id, 0).await.unwrap(), [8, 7, 6]);
        let log = graph.log(moderator, &id).await;
        let invited = |who| log.contains(&(CommunityAction::MemberInvited, Some(2), Some(who)));
        assert!([6, 7, 8].into_iter().all(invited), "{log:?}");
    }
    for who in [6, 7, 8] {
        graph.invite(2, &id, who).await.unwrap();
    }
    // The blockers see nothing of the invitation, also after the end of the block.
    for blocker in [7, 8] {
        assert!(graph.own_invitations(blocker).await.is_empty());
        graph.unblock_member(blocker, 2).await.unwrap();
        assert!(graph.own_invitations(blocker).await.is_empty());
        assert_eq!(graph.community(blocker, &id).await.unwrap_err().reason, "COMMUNITY_NOT_FOUND");
        assert_eq!(graph.join_community(blocker, &id).await.unwrap_err().reason, "COMMUNITY_NOT_FOUND");
        graph.leave_private_community(blocker, &id).await.unwrap();
    }
    assert_eq!(graph.own_invitations(6).await.len(), 1);
    assert_eq!(graph.count_facts::<CommunityInvited>().await, 2, "7 is not notified");
    assert_eq!(graph.count_facts::<CommunityInvitationRemoved>().await, 1, "8 does not see it any more");
    assert_eq!(graph.invitations(1, &id, 0).await.unwrap(), [8, 7, 6], "leaving declined nothing");
    for who in [6, 7, 8] {
        graph.withdraw_invitation(1, &id, who).await.unwrap();
    }
    assert!(graph.invitations(1, &id, 0).await.unwrap().is_empty());
    assert_eq!(graph.count_facts::<CommunityInvitationRemoved>().await, 2, "only that of 6 was seen");
    // Without the block, the next one arrives.
    graph.invite(2, &id, 7).await.unwrap();
    assert_eq!(graph.own_invitations(7).await.len(), 1);
    graph.assert_consistent_communities().await;
}

#[tokio::test]
async fn a_request_is_approved_by_an_invitation_that_its_member_would_not_see() {
    let graph = Fixture::empty().await;
    let id = graph.create_community_with(1, "Moot", PUBLIC, REQUEST).await.unwrap().id;
    graph.register([5]).await;
    graph.block_member(5, 1).await.unwrap();
    graph.invite(1, &id, 5).await.unwrap();
    graph.join_community(5, &id).await.unwrap();
    assert_eq!(graph.join_requests(1, &id, 0).await.unwrap(), [5]);
    graph.invite(1, &id, 5).await.unwrap();
    assert_eq!(graph.community(5, &id).await.unwrap().role(), CommunityRole::Member);
    assert!(graph.invitations(1, &id, 0).await.unwrap().is_empty());
    graph.assert_consistent_communities().await;
}
