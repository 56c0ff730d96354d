//! Following members: limits, blocks, closed accounts, restricted profiles, and the published facts.

use chrono::TimeDelta;
use portia_proto::{
    profile::ProfileAudience,
    social_graph::{
        FollowMemberRequest, GetFollowRequest, ListFollowsRequest, MemberFollowed, MemberUnfollowed,
        UnfollowMemberRequest,
    },
};
use primitives::{
    clock::timestamp,
    error::{ErrorKind, StatusDetails},
};
use prost::Message as _;
use testkit::member;

use crate::fixtures::{Fixture, fields, into_result, number};

impl Fixture {
    pub async fn follow(&self, who: u128, other: u128) -> Result<(), StatusDetails> {
        let request = self.as_member(who, FollowMemberRequest { member_id: member(other).to_string() });
        into_result(self.client.clone().follow_member(request).await).map(drop)
    }

    async fn unfollow(&self, who: u128, other: u128) {
        let request = self.as_member(who, UnfollowMemberRequest { member_id: member(other).to_string() });
        into_result(self.client.clone().unfollow_member(request).await).unwrap();
    }

    async fn is_followed(&self, who: u128, other: u128) -> bool {
        let request = self.as_member(who, GetFollowRequest { member_id: member(other).to_string() });
        into_result(self.client.clone().get_follow(request).await).unwrap().followed
    }

    /// All members that `who` follows, page by page.
    async fn followed(&self, who: u128, page_size: i32) -> Vec<u128> {
        let mut request = ListFollowsRequest { page_size, page_token: String::new() };
        let mut seen = Vec::new();
        loop {
            let page = self.client.clone().list_follows(self.as_member(who, request.clone())).await;
            let page = into_result(page).unwrap();
            seen.extend(page.follows.iter().map(|follow| number(&follow.member_id)));
            if page.next_page_token.is_empty() {
                return seen;
            }
            request.page_token = page.next_page_token;
        }
    }

    /// The facts of follows in order: whether followed, and both members.
    async fn follow_facts(&self) -> Vec<(bool, u128, u128)> {
        let facts = self.published().await.into_iter().filter_map(|(name, payload)| match name.as_str() {
            "MemberFollowed" => {
                let fact = MemberFollowed::decode(&*payload).unwrap();
                assert_eq!(fact.followed_at, Some(timestamp(self.harness.clock.now())));
                Some((true, number(&fact.follower_id), number(&fact.followed_id)))
            }
            "MemberUnfollowed" => {
                let fact = MemberUnfollowed::decode(&*payload).unwrap();
                Some((false, number(&fact.follower_id), number(&fact.followed_id)))
            }
            _ => None,
        });
        facts.collect()
    }
}

#[tokio::test]
async fn repeated_follows_and_unfollows_publish_one_fact_each() {
    let graph = Fixture::empty().await;
    for _ in 0..2 {
        graph.follow(1, 2).await.unwrap();
        assert!(graph.is_followed(1, 2).await && !graph.is_followed(2, 1).await);
    }
    for _ in 0..2 {
        graph.unfollow(1, 2).await;
        assert!(!graph.is_followed(1, 2).await);
    }
    assert_eq!(graph.follow_facts().await, [(true, 1, 2), (false, 1, 2)]);
}

#[tokio::test]
async fn followed_members_are_listed_newest_first_without_closed_accounts() {
    let graph = Fixture::empty().await;
    for other in 2..=6 {
        graph.follow(1, other).await.unwrap();
        graph.harness.clock.advance(TimeDelta::minutes(1));
    }
    graph.deactivate(4).await;
    assert_eq!(graph.followed(1, 2).await, [6, 5, 3, 2]);
    assert!(!graph.is_followed(1, 4).await);
    assert_eq!(graph.follow(7, 4).await.unwrap_err().reason, "MEMBER_NOT_FOUND");
    graph.reactivate(4).await;
    assert_eq!(graph.followed(1, 0).await, [6, 5, 4, 3, 2]);
}

#[tokio::test]
async fn a_block_ends_both_directions_and_prevents_new_ones() {
    let graph = Fixture::empty().await;
    graph.follow(1, 2).await.unwrap();
    graph.follow(2, 1).await.unwrap();
    graph.block_member(1, 2).await.unwrap();
    let mut facts = graph.follow_facts().await;
    facts[2..].sort_unstable();
    assert_eq!(facts, [(true, 1, 2), (true, 2, 1), (false, 1, 2), (false, 2, 1)]);
    for (who, other) in [(1, 2), (2, 1)] {
        let refused = graph.follow(who, other).await.unwrap_err();
        assert_eq!((refused.kind, refused.reason.as_str()), (ErrorKind::NotFound, "MEMBER_NOT_FOUND"));
        assert_eq!(graph.followed(who, 0).await, Vec::<u128>::new());
    }
    graph.unblock_member(1, 2).await.unwrap();
    graph.follow(2, 1).await.unwrap();
}

#[tokio::test]
async fn a_profile_for_connections_is_followed_by_connections_only() {
    let graph = Fixture::empty().await;
    graph.publish_audience(2, Some(ProfileAudience::Connections)).await;
    graph.publish_audience(3, Some(ProfileAudience::Members)).await;
    assert_eq!(graph.follow(1, 2).await.unwrap_err().reason, "MEMBER_NOT_FOUND");
    graph.follow(1, 3).await.unwrap();
    graph.connect_pair(1, 2).await;
    graph.follow(1, 2).await.unwrap();
}

#[tokio::test]
async fn a_member_follows_at_most_two_thousand() {
    let graph = Fixture::empty().await;
    let fill = format!(
        "insert into social_graph.follows (follower_id, followed_id, followed_at)
        select '{}', gen_random_uuid(), '2026-01-01' from generate_series(1, 1999)",
        member(1)
    );
    graph.harness.database().run(fill).await;
    // Concurrent requests cannot exceed the limit.
    let (one, other) = tokio::join!(graph.follow(1, 2), graph.follow(1, 3));
    let refused = [one, other].into_iter().filter_map(Result::err).collect::<Vec<_>>();
    let reasons: Vec<_> = refused.iter().map(|refused| (refused.kind, refused.reason.as_str())).collect();
    assert_eq!(reasons, [(ErrorKind::Conflict, "TOO_MANY_FOLLOWED")]);
    let known = if graph.is_followed(1, 2).await { 2 } else { 3 };
    graph.follow(1, known).await.unwrap();
    graph.unfollow(1, known).await;
    graph.follow(1, 4).await.unwrap();
}

#[tokio::test]
async fn the_caller_visitors_and_bad_input_are_refused() {
    let graph = Fixture::empty().await;
    let refused = graph.follow(1, 1).await.unwrap_err();
    assert_eq!((refused.kind, fields(&refused)), (ErrorKind::Invalid, vec!["memberId"]));
    let mut client = graph.client.clone();
    for bad in ["", "\0", "\u{202e}", &"a".repeat(1 << 20)] {
        let follow = client.follow_member(graph.as_member(1, FollowMemberRequest { member_id: bad.to_owned() })).await;
        let end = client.unfollow_member(graph.as_member(1, UnfollowMemberRequest { member_id: bad.to_owned() })).await;
        let get = client.get_follow(graph.as_member(1, GetFollowRequest { member_id: bad.to_owned() })).await;
        for refused in [into_result(follow).map(drop), into_result(end).map(drop), into_result(get).map(drop)] {
            assert_eq!(fields(&refused.unwrap_err()), vec!["memberId"], "{bad:.9?}");
        }
    }
    for (page_size, page_token, field) in [(-1, "", "pageSize"), (0, "\0", "pageToken"), (0, "e30", "pageToken")] {
        let request = graph.as_member(1, ListFollowsRequest { page_size, page_token: page_token.to_owned() });
        let refused = into_result(client.list_follows(request).await).unwrap_err();
        assert_eq!((refused.kind, fields(&refused)), (ErrorKind::Invalid, vec![field]));
    }
    let visitor = graph.harness.actors.service("gateway");
    let follow = client.follow_member(visitor.request(FollowMemberRequest::default()).unwrap()).await;
    let end = client.unfollow_member(visitor.request(UnfollowMemberRequest::default()).unwrap()).await;
    let get = client.get_follow(visitor.request(GetFollowRequest::default()).unwrap()).await;
    let list = client.list_follows(visitor.request(ListFollowsRequest::default()).unwrap()).await;
    let refusals = [
        into_result(follow).map(drop),
        into_result(end).map(drop),
        into_result(get).map(drop),
        into_result(list).map(drop),
    ];
    for refused in refusals {
        assert_eq!(refused.unwrap_err().kind, ErrorKind::Unauthenticated);
    }
}
