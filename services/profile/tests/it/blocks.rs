//! Two of whom one blocks the other: neither is there for the other, and for everybody else nothing is different.

use std::sync::Arc;

use portia_proto::profile::ListEndorsementsRequest;
use primitives::error::ErrorKind;
use profile::MIGRATOR;
use testkit::{FactSource, Harness, member};

use crate::{
    Profile,
    endorsements::{endorsers, of},
    explained,
};

impl Profile {
    /// Whether the members are there for each other: one of them alone would tell of the block.
    async fn meet(&self, one: u128, other: u128) -> bool {
        let [first, second] = [self.seen(one, other).await, self.seen(other, one).await].map(|seen| match seen {
            Ok(seen) => seen.member.is_some(),
            Err(refused) => {
                let refused = explained(Err::<(), _>(refused));
                assert_eq!((refused.kind, refused.reason.as_str()), (ErrorKind::NotFound, "MEMBER_NOT_FOUND"));
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
async fn neither_is_there_for_the_other_and_both_are_for_the_others() {
    let profile = Profile::with_members(3).await;
    // Told twice, as after a snapshot; and by both.
    for (blocker, blocked) in [(1, 2), (1, 2), (2, 1)] {
        profile.block(blocker, blocked).await;
        assert!(!profile.meet(1, 2).await);
    }
    assert_eq!(profile.blocks().await, 2);
    for n in 1..=2 {
        assert!(profile.seen(n, n).await.unwrap().stats.is_some());
        assert!(profile.meet(3, n).await && profile.get(member(n)).await.is_ok());
    }
    let cards = profile.cards(&[1, 2, 3].map(|n| member(n).to_string())).await.unwrap();
    assert_eq!(cards.len(), 3, "cards are the same for all: lists leave out whom they name");

    profile.unblock(1, 2).await;
    assert!(!profile.meet(1, 2).await, "the other's own stands");
    for _ in 0..2 {
        profile.unblock(2, 1).await;
        assert!(profile.meet(1, 2).await);
    }
    assert_eq!((profile.blocks().await, profile.count("select count(*) from profile.dead_facts").await), (0, 0));
}

#[tokio::test]
async fn looking_for_one_another_is_no_view() {
    let profile = Profile::with_members(3).await;
    profile.block(1, 2).await;
    assert!(!profile.meet(1, 2).await);
    profile.seen(3, 1).await.unwrap();
    let options = profile.harness.context.database.clone().unwrap();
    profile.harness.stop().await;
    let pool = sqlx::PgPool::connect_with(options).await.unwrap();
    let counted = sqlx::query_scalar("select array_agg(view_count order by id) from profile.members");
    let counted: Vec<i64> = counted.fetch_one(&pool).await.unwrap();
    assert_eq!(counted, [1, 0, 0]);
}

#[tokio::test]
async fn neither_meets_the_others_endorsements() {
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
        assert_eq!(page.endorsements.len(), 1, "a page is full while there are more");
        paged.extend(endorsers(&page.endorsements).iter().map(|id| (*id).to_owned()));
        token = page.next_page_token;
        if token.is_empty() {
            break;
        }
    }
    assert_eq!(paged, all(&[5, 2]));

    // The skill's owner and one of those who endorsed it.
    profile.block(1, 2).await;
    assert_eq!(met(1).await, all(&[5, 4, 3]));
    assert_eq!(explained(profile.hide(1, "Research", 2, true).await).reason, "ENDORSEMENT_NOT_FOUND");
    assert_eq!(explained(profile.list(2, of(1, "Research")).await).reason, "SKILL_NOT_FOUND");
    // social-graph takes the connection as well; it is not what is asked for first.
    assert_eq!(explained(profile.endorse(2, 1, "Research").await).reason, "SKILL_NOT_FOUND");
    assert_eq!(explained(profile.withdraw(2, 1, "Research").await).reason, "SKILL_NOT_FOUND");
    assert_eq!(profile.counts(1).await, [("Research".to_owned(), 4)], "a count is the same for all");
    profile.assert_counters_true().await;

    for (blocker, blocked) in [(6, 4), (3, 6), (1, 2)] {
        profile.unblock(blocker, blocked).await;
    }
    assert_eq!((met(1).await, met(2).await, met(6).await), (before.clone(), before.clone(), before));
    assert_eq!(profile.withdraw(2, 1, "Research").await.unwrap().count, 3);
}

#[tokio::test]
async fn a_snapshot_takes_the_place_of_what_was_known() {
    let (auth, graph) = (FactSource::default(), FactSource::default());
    let builder = Harness::of("profile").neighbour("auth", auth.routes()).neighbour("social-graph", graph.routes());
    let harness = builder.database(&MIGRATOR).await.context();
    // As it was when the cursor was lost; by now both have ended.
    let (one, other) = (member(1), member(2));
    let known = format!(
        "insert into profile.members (id, username, full_name, created_at, connection_count)
            values ('{one}', 'member.1', 'Member 1', '2026-01-01', 1), ('{other}', 'member.2', 'Member 2', '2026-01-01', 1);
        insert into profile.connections (lower_id, upper_id) values ('{one}', '{other}');
        insert into profile.blocks (lower_id, upper_id, blocker_id) values ('{one}', '{other}', '{other}')"
    );
    harness.database().run(known).await;
    let frame = &harness.context;
    let routes = profile::start(Arc::clone(frame)).await.unwrap();
    frame.upstreams.slot("profile").fill(rpc::wrap("profile", routes, Arc::clone(&frame.keyring)));
    let profile = Profile { harness, auth, graph };

    profile.harness.heard("social-graph", 0).await;
    assert!(profile.meet(1, 2).await);
    assert_eq!((profile.blocks().await, profile.connections(1).await, profile.connections(2).await), (0, 0, 0));
    profile.block(1, 2).await;
    profile.connect(1, 2).await;
    assert!(!profile.meet(1, 2).await);
    profile.assert_counters_true().await;
}
