//! Blocks: both members are hidden from each other and from no other member.

use std::sync::Arc;

use portia_proto::profile::{BatchGetMembersRequest, GetMemberRequest, ListEndorsementsRequest};
use primitives::error::ErrorKind;
use profile::MIGRATOR;
use testkit::{FactSource, Harness, member};

use crate::{
    Profile, details,
    endorsements::{endorsers, of},
};

impl Profile {
    /// Whether both members see each other. Visibility in one direction only would reveal the block.
    async fn can_see_each_other(&self, one: u128, other: u128) -> bool {
        let [first, second] =
            [self.view_profile(one, other).await, self.view_profile(other, one).await].map(|seen| match seen {
                Ok(seen) => seen.member.is_some(),
                Err(error) => {
                    let error = details(Err::<(), _>(error));
                    assert_eq!((error.kind, error.reason.as_str()), (ErrorKind::NotFound, "MEMBER_NOT_FOUND"));
                    false
                }
            });
        assert_eq!(first, second);
        first
    }

    async fn blocks(&self) -> i64 {
        self.count("select count(*) from profile.blocks").await
    }
}

#[tokio::test]
async fn a_block_hides_both_members_from_each_other_only() {
    let profile = Profile::with_members(3).await;
    // A repeated fact, as after a snapshot, and a block in the other direction.
    for (blocker, blocked) in [(1, 2), (1, 2), (2, 1)] {
        profile.block(blocker, blocked).await;
        assert!(!profile.can_see_each_other(1, 2).await);
    }
    assert_eq!(profile.blocks().await, 2);
    for n in 1..=2 {
        assert!(profile.view_profile(n, n).await.unwrap().stats.is_some());
        assert!(profile.can_see_each_other(3, n).await && profile.get(member(n)).await.is_ok());
    }
    let cards = profile.cards(&[1, 2, 3].map(|n| member(n).to_string())).await.unwrap();
    assert_eq!(cards.len(), 3, "cards are the same for every viewer");
    for (viewer, visible) in [(1, [1, 3]), (2, [2, 3])] {
        let member_ids = [1, 2, 3].map(|n| member(n).to_string()).to_vec();
        let request = BatchGetMembersRequest { member_ids, visible_to_actor: true };
        let request = profile.harness.actors.member(member(viewer)).request(request).unwrap();
        let mut cards = profile.client().batch_get_members(request).await.unwrap().into_inner().members;
        cards.sort_by(|a, b| a.id.cmp(&b.id));
        let ids: Vec<_> = cards.into_iter().map(|card| card.id).collect();
        assert_eq!(ids, visible.map(|n| member(n).to_string()), "on request, as {viewer} sees them");
    }

    profile.unblock(1, 2).await;
    assert!(!profile.can_see_each_other(1, 2).await, "the block in the other direction stays");
    for _ in 0..2 {
        profile.unblock(2, 1).await;
        assert!(profile.can_see_each_other(1, 2).await);
    }
    assert_eq!((profile.blocks().await, profile.count("select count(*) from profile.dead_facts").await), (0, 0));
}

#[tokio::test]
async fn a_member_can_be_reported_after_a_block() {
    let profile = Profile::with_members(3).await;
    profile.block(1, 2).await;
    let report = async |who: u128, of: u128| {
        let request = GetMemberRequest { member_id: member(of).to_string(), for_report: true, ..Default::default() };
        let request = profile.by(who).request(request).unwrap();
        profile.client().get_member(request).await.map(|answer| answer.into_inner().member.unwrap().id)
    };
    assert!(profile.view_profile(2, 1).await.is_err(), "the profile stays hidden");
    for (who, of) in [(2, 1), (1, 2)] {
        assert_eq!(report(who, of).await.unwrap(), member(of).to_string());
    }
    let options = profile.harness.context.database.clone().unwrap();
    profile.harness.stop().await;
    let pool = sqlx::PgPool::connect_with(options).await.unwrap();
    let views: i64 = sqlx::query_scalar("select count(*) from profile.view_counts").fetch_one(&pool).await.unwrap();
    assert_eq!(views, 0, "a report is no view");
}

#[tokio::test]
async fn a_blocked_profile_request_is_no_view() {
    let profile = Profile::with_members(3).await;
    profile.block(1, 2).await;
    assert!(!profile.can_see_each_other(1, 2).await);
    profile.view_profile(3, 1).await.unwrap();
    let options = profile.harness.context.database.clone().unwrap();
    profile.harness.stop().await;
    let pool = sqlx::PgPool::connect_with(options).await.unwrap();
    let counted = sqlx::query!("select member_id, n from profile.view_counts").fetch_all(&pool).await.unwrap();
    assert_eq!(counted.iter().map(|row| (row.member_id, row.n)).collect::<Vec<_>>(), [(member(1), 1)]);
}

#[tokio::test]
async fn a_block_hides_the_endorsements_of_both_members() {
    let profile = Profile::with_members(6).await;
    profile.with_skills(1, &["Research"]).await;
    for n in 2..=5 {
        profile.endorse(n, 1, "Research").await.unwrap();
        profile.harness.clock.advance(chrono::TimeDelta::seconds(1));
    }
    let met = async |n: u128| {
        let page = profile.list(n, of(1, "Research")).await.unwrap();
        endorsers(&page.endorsements).iter().map(|id| (*id).to_owned()).collect::<Vec<_>>()
    };
    let all = |who: &[u128]| who.iter().map(|n| member(*n).to_string()).collect::<Vec<_>>();
    let before = met(6).await;
    assert_eq!(before, all(&[5, 4, 3, 2]));

    profile.block(6, 4).await;
    profile.block(3, 6).await;
    assert_eq!(met(6).await, all(&[5, 2]));
    assert_eq!((met(4).await, met(3).await, met(1).await), (before.clone(), before.clone(), before.clone()));
    let (mut paged, mut token) = (Vec::new(), String::new());
    loop {
        let page = ListEndorsementsRequest { page_size: 1, page_token: token, ..of(1, "Research") };
        let page = profile.list(6, page).await.unwrap();
        assert_eq!(page.endorsements.len(), 1, "every page but the last is full");
        paged.extend(endorsers(&page.endorsements).iter().map(|id| (*id).to_owned()));
        token = page.next_page_token;
        if token.is_empty() {
            break;
        }
    }
    assert_eq!(paged, all(&[5, 2]));

    // A block between the owner of the skill and an endorser.
    profile.block(1, 2).await;
    assert_eq!(met(1).await, all(&[5, 4, 3]));
    assert_eq!(details(profile.hide(1, "Research", 2, true).await).reason, "ENDORSEMENT_NOT_FOUND");
    assert_eq!(details(profile.list(2, of(1, "Research")).await).reason, "SKILL_NOT_FOUND");
    // The block is checked before the connection, which social-graph removes too.
    assert_eq!(details(profile.endorse(2, 1, "Research").await).reason, "SKILL_NOT_FOUND");
    assert_eq!(details(profile.withdraw(2, 1, "Research").await).reason, "SKILL_NOT_FOUND");
    assert_eq!(profile.counts(1).await, [("Research".to_owned(), 4)], "the count is the same for every viewer");
    profile.assert_counters_match_rows().await;

    for (blocker, blocked) in [(6, 4), (3, 6), (1, 2)] {
        profile.unblock(blocker, blocked).await;
    }
    assert_eq!((met(1).await, met(2).await, met(6).await), (before.clone(), before.clone(), before));
    assert_eq!(profile.withdraw(2, 1, "Research").await.unwrap().count, 3);
}

#[tokio::test]
async fn a_snapshot_replaces_connections_and_blocks() {
    let (auth, graph) = (FactSource::default(), FactSource::default());
    let builder = Harness::of("profile").upstream("auth", auth.routes()).upstream("social-graph", graph.routes());
    let harness = builder.database(&MIGRATOR).await.context();
    // Rows from before the cursor was lost; the connection and the block have ended since.
    let (one, other) = (member(1), member(2));
    let known = format!(
        "insert into profile.members (id, username, full_name, created_at, connection_count)
            values ('{one}', 'member.1', 'Member 1', '2026-01-01', 1), ('{other}', 'member.2', 'Member 2', '2026-01-01', 1);
        insert into profile.connections (lower_id, upper_id) values ('{one}', '{other}');
        insert into profile.blocks (lower_id, upper_id, blocker_id) values ('{one}', '{other}', '{other}')"
    );
    harness.database().run(known).await;
    let context = &harness.context;
    let routes = profile::start(Arc::clone(context)).await.unwrap();
    context.upstreams.slot("profile").fill(rpc::wrap("profile", routes, Arc::clone(&context.keyring)));
    let profile = Profile { harness, auth, graph };

    profile.harness.wait_until_applied("social-graph", 0).await;
    assert!(profile.can_see_each_other(1, 2).await);
    assert_eq!((profile.blocks().await, profile.connections(1).await, profile.connections(2).await), (0, 0, 0));
    profile.block(1, 2).await;
    profile.connect(1, 2).await;
    assert!(!profile.can_see_each_other(1, 2).await);
    profile.assert_counters_match_rows().await;
}
