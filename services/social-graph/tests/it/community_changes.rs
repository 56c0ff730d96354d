//! Creation and update of communities, and memberships: permissions, results and published facts.

use chrono::TimeDelta;
use portia_proto::social_graph::{
    CommunityRole, CommunityText, CreateCommunityRequest, JoinCommunityRequest, LeaveCommunityRequest,
    ListCommunitiesRequest, SetMemberRoleRequest, UpdateCommunityRequest,
};
use primitives::error::ErrorKind;
use testkit::member;

use crate::{
    actors::{VISITOR, community_text},
    fixtures::{Fixture, fields, into_result, row_id},
};

const OWNER: CommunityRole = CommunityRole::Owner;
const MEMBER: CommunityRole = CommunityRole::Member;
const NOTHING: CommunityRole = CommunityRole::Unspecified;
const TAKEN: &str = "COMMUNITY_NAME_TAKEN";

#[tokio::test]
async fn the_creator_of_a_community_is_its_owner_and_first_member() {
    let graph = Fixture::empty().await;
    let text = CommunityText {
        name: "  Moot   Court\u{a0}Society ".to_owned(),
        description: Some("Problems,\r\nbenches.".to_owned()),
        rules: Some(" ".to_owned()),
    };
    let request = CreateCommunityRequest { text: Some(text), ..Default::default() };
    let made = into_result(graph.client.clone().create_community(graph.as_member(1, request)).await)
        .unwrap()
        .community
        .unwrap();
    assert_eq!((made.name.as_str(), made.description.as_deref()), ("Moot Court Society", Some("Problems,\nbenches.")));
    assert_eq!((made.rules.as_deref(), made.member_count, made.role()), (None, 1, OWNER));
    assert_eq!(made.created_at, Some(primitives::clock::timestamp(graph.harness.clock.now())));
    assert_eq!(graph.community(1, &made.id).await.unwrap(), made);
    assert_eq!(graph.members(VISITOR, &made.id, 0).await, [(1, true)]);
    let listed = graph.communities(2, ListCommunitiesRequest::default()).await;
    assert_eq!((listed.communities.len(), listed.total), (1, 1));
    assert_eq!(graph.published_community_facts().await, ["CommunityChanged", "CommunityJoined"]);
    graph.assert_community_facts().await;
    graph.assert_invariants().await;
}

#[tokio::test]
async fn a_name_that_differs_only_in_case_or_white_space_is_taken() {
    let graph = Fixture::empty().await;
    graph.create_community(1, "École de Droit").await.unwrap();
    let other = graph.create_community(2, "Ecole de Droit").await.unwrap();
    for twin in ["École de Droit", "ÉCOLE DE DROIT", " école \u{2003}de\u{a0}droit ", "E\u{301}cole de Droit"] {
        let refused = graph.create_community(2, twin).await.unwrap_err();
        assert_eq!(
            (refused.kind, refused.reason.as_str(), fields(&refused)),
            (ErrorKind::Conflict, TAKEN, vec!["name"])
        );
        let refused = graph.update_community(2, &other.id, community_text(twin)).await.unwrap_err();
        assert_eq!(
            (refused.kind, refused.reason.as_str(), fields(&refused)),
            (ErrorKind::Conflict, TAKEN, vec!["name"])
        );
    }
    // A community may change the case of its own name.
    let shouted = graph.update_community(2, &other.id, community_text("ECOLE de Droit")).await.unwrap();
    assert_eq!(shouted.name, "ECOLE de Droit");
    assert_eq!(graph.communities(VISITOR, ListCommunitiesRequest::default()).await.total, 2);
    graph.assert_community_facts().await;
    graph.assert_invariants().await;
}

#[tokio::test]
async fn a_repeated_create_community_request_creates_one_community() {
    let graph = Fixture::empty().await;
    let request = |name: &str, description: Option<&str>| CreateCommunityRequest {
        text: Some(CommunityText { description: description.map(str::to_owned), ..community_text(name) }),
        idempotency_key: Some("k".to_owned()),
        ..Default::default()
    };
    let found =
        async |who, request| into_result(graph.client.clone().create_community(graph.as_member(who, request)).await);
    let first = found(1, request("Moot", None)).await.unwrap();
    graph.join_community(2, &first.community.as_ref().unwrap().id).await.unwrap();
    graph.harness.clock.advance(TimeDelta::hours(24) - TimeDelta::seconds(1));
    let again = found(1, request("Moot", None)).await.unwrap().community.unwrap();
    assert_eq!((again.id, again.member_count), (first.community.unwrap().id, 2), "the response has the current state");
    let refused = found(1, request("Moot", Some("Other words"))).await.unwrap_err();
    assert_eq!((refused.kind, refused.reason.as_str()), (ErrorKind::KeyReused, "IDEMPOTENCY_KEY_REUSED"));
    // A key belongs to one member, and a key of a failed request is free.
    assert_eq!(found(2, request("Moot", None)).await.unwrap_err().reason, TAKEN);
    found(2, request("Law Review", None)).await.unwrap();
    graph.harness.clock.advance(TimeDelta::seconds(1));
    found(1, request("Tomorrow", None)).await.unwrap();
    assert_eq!(graph.communities(VISITOR, ListCommunitiesRequest::default()).await.total, 3);
    graph.assert_community_facts().await;
    graph.assert_invariants().await;
}

#[tokio::test]
async fn only_owners_update_the_texts_of_a_community() {
    let graph = Fixture::empty().await;
    let id = graph.create_community(1, "Moot").await.unwrap().id;
    graph.join_community(2, &id).await.unwrap();
    let text = CommunityText { rules: Some("Be kind.".to_owned()), ..community_text("Moot") };
    let ruled = graph.update_community(1, &id, text.clone()).await.unwrap();
    assert_eq!((ruled.rules.as_deref(), ruled.member_count, ruled.role()), (Some("Be kind."), 2, OWNER));
    let named = graph.update_community(1, &id, community_text("Moot Court")).await.unwrap();
    assert_eq!((named.name.as_str(), named.rules.as_deref()), ("Moot Court", None));
    for who in [2, 3] {
        let refused = graph.update_community(who, &id, text.clone()).await.unwrap_err();
        assert_eq!((refused.kind, refused.reason.as_str()), (ErrorKind::Forbidden, "NOT_OWNER"));
    }
    let refused = graph.update_community(1, &row_id(1).to_string(), text).await.unwrap_err();
    assert_eq!((refused.kind, refused.reason.as_str()), (ErrorKind::NotFound, "COMMUNITY_NOT_FOUND"));
    graph.update_community(1, &id, community_text("Moot Court")).await.unwrap();
    let published = ["CommunityChanged", "CommunityJoined", "CommunityJoined", "CommunityChanged", "CommunityChanged"];
    assert_eq!(
        graph.published_community_facts().await,
        published,
        "the rules and the name; the same text is no change"
    );
    graph.assert_community_facts().await;
}

#[tokio::test]
async fn joining_and_leaving_are_idempotent() {
    let graph = Fixture::empty().await;
    let id = graph.create_community(1, "Moot").await.unwrap().id;
    for _ in 0..2 {
        let joined = graph.join_community(2, &id).await.unwrap();
        assert_eq!((joined.member_count, joined.role()), (2, MEMBER));
    }
    assert_eq!(graph.join_community(1, &id).await.unwrap().role(), OWNER, "an owner keeps the role");
    for _ in 0..2 {
        let left = graph.leave_community(2, &id).await.unwrap();
        assert_eq!((left.member_count, left.role()), (1, NOTHING));
    }
    assert_eq!(graph.leave_community(3, &id).await.unwrap().member_count, 1);
    assert_eq!(graph.join_community(2, &row_id(1).to_string()).await.unwrap_err().reason, "COMMUNITY_NOT_FOUND");
    graph.leave_private_community(2, &row_id(1).to_string()).await.unwrap();
    let published = ["CommunityChanged", "CommunityJoined", "CommunityJoined", "CommunityLeft"];
    assert_eq!(graph.published_community_facts().await, published);
    graph.assert_community_facts().await;
    graph.assert_invariants().await;
}

#[tokio::test]
async fn the_last_owner_can_neither_leave_nor_become_a_member() {
    let graph = Fixture::empty().await;
    let id = graph.create_community(1, "Moot").await.unwrap().id;
    graph.join_community(2, &id).await.unwrap();
    for refused in [graph.leave_community(1, &id).await.map(drop), graph.set_role(1, &id, 1, MEMBER).await.map(drop)] {
        let refused = refused.unwrap_err();
        assert_eq!((refused.kind, refused.reason.as_str()), (ErrorKind::Conflict, "LAST_OWNER"));
        assert_eq!(refused.message, "A community needs an owner: make another member one first.");
    }
    graph.set_role(1, &id, 2, OWNER).await.unwrap();
    assert_eq!(graph.leave_community(1, &id).await.unwrap().role(), NOTHING);
    assert_eq!(graph.leave_community(2, &id).await.unwrap_err().reason, "LAST_OWNER");
    graph.assert_community_facts().await;
    graph.assert_invariants().await;
}

#[tokio::test]
async fn only_owners_set_roles() {
    let graph = Fixture::empty().await;
    let id = graph.create_community(1, "Moot").await.unwrap().id;
    for who in [2, 3] {
        graph.join_community(who, &id).await.unwrap();
    }
    let joined_at = Some(primitives::clock::timestamp(graph.harness.clock.now()));
    graph.harness.clock.advance(TimeDelta::days(1));
    for _ in 0..2 {
        let set = graph.set_role(1, &id, 2, OWNER).await.unwrap();
        assert_eq!((set.member_id.clone(), set.role(), set.joined_at), (member(2).to_string(), OWNER, joined_at));
    }
    assert_eq!(graph.members(VISITOR, &id, 0).await, [(1, true), (2, true), (3, false)]);
    // The new owner may demote the old one, and a block does not prevent it.
    graph.block_member(1, 2).await.unwrap();
    assert_eq!(graph.set_role(2, &id, 1, MEMBER).await.unwrap().role(), MEMBER);
    for (who, other) in [(1, 2), (3, 3), (4, 3)] {
        let refused = graph.set_role(who, &id, other, OWNER).await.unwrap_err();
        assert_eq!((refused.kind, refused.reason.as_str()), (ErrorKind::Forbidden, "NOT_OWNER"));
    }
    graph.deactivate(3).await;
    for stranger in [3, 4] {
        let refused = graph.set_role(2, &id, stranger, OWNER).await.unwrap_err();
        assert_eq!((refused.kind, refused.reason.as_str()), (ErrorKind::NotFound, "MEMBER_NOT_FOUND"));
    }
    let refused = graph.set_role(2, &row_id(1).to_string(), 1, OWNER).await.unwrap_err();
    assert_eq!(refused.reason, "COMMUNITY_NOT_FOUND");
    let published = graph.published_community_facts().await;
    assert_eq!(
        published.iter().filter(|name| *name == "CommunityJoined").count(),
        5,
        "each new role once, and each join"
    );
    graph.assert_community_facts().await;
    graph.assert_invariants().await;
}

#[tokio::test]
async fn an_owner_with_a_closed_account_counts_as_owner_only_after_reactivation() {
    let graph = Fixture::empty().await;
    let id = graph.create_community(1, "Moot").await.unwrap().id;
    graph.join_community(2, &id).await.unwrap();
    graph.set_role(1, &id, 2, OWNER).await.unwrap();
    graph.deactivate(2).await;
    assert_eq!(graph.leave_community(1, &id).await.unwrap_err().reason, "LAST_OWNER");
    assert_eq!(graph.set_role(1, &id, 1, MEMBER).await.unwrap_err().reason, "LAST_OWNER");
    graph.reactivate(2).await;
    assert_eq!(graph.members(VISITOR, &id, 0).await, [(1, true), (2, true)]);
    graph.leave_community(1, &id).await.unwrap();
    graph.assert_community_facts().await;
    graph.assert_invariants().await;
}

#[tokio::test]
async fn communities_created_or_joined_by_a_closed_account_count_after_reactivation() {
    let graph = Fixture::empty().await;
    let id = graph.create_community(1, "Moot").await.unwrap().id;
    graph.deactivate(2).await;
    assert_eq!(graph.join_community(2, &id).await.unwrap().member_count, 1);
    let own = graph.create_community(2, "Law Review").await.unwrap();
    assert_eq!((own.member_count, graph.members(VISITOR, &own.id, 0).await), (0, vec![]));
    graph.assert_invariants().await;
    graph.reactivate(2).await;
    assert_eq!(graph.community(VISITOR, &id).await.unwrap().member_count, 2);
    assert_eq!(graph.members(VISITOR, &own.id, 0).await, [(2, true)]);
    graph.deactivate(2).await;
    assert_eq!(graph.leave_community(2, &id).await.unwrap().member_count, 1);
    graph.assert_community_facts().await;
    graph.assert_invariants().await;
}

#[tokio::test]
async fn an_invalid_text_is_refused_with_its_field() {
    let graph = Fixture::empty().await;
    let id = graph.create_community(1, "Moot").await.unwrap().id;
    let long = |length: usize| "ñ".repeat(length);
    let bad = |field: &str| match field {
        "name" => vec!["", " \t", "\0", "a\0", "a\u{2028}b", "a\u{85}b", "\u{202e}gpj", "\u{200b}", "\u{ffff}"],
        _ => vec!["\0", "a\0b", "\u{202e}gpj", "\u{2066}", "\u{1b}[31m"],
    };
    for (field, most) in [("name", 100), ("description", 500), ("rules", 5_000)] {
        let wording = |value: String| {
            let mut text = community_text("Other");
            match field {
                "name" => text.name = value,
                "description" => text.description = Some(value),
                _ => text.rules = Some(value),
            }
            text
        };
        let mut refused: Vec<String> = bad(field).into_iter().map(str::to_owned).collect();
        refused.extend([long(most + 1), "a".repeat(1 << 20)]);
        for value in refused {
            let text = Some(wording(value.clone()));
            let create = CreateCommunityRequest { text: text.clone(), ..Default::default() };
            let create =
                into_result(graph.client.clone().create_community(graph.as_member(1, create)).await).unwrap_err();
            let update = UpdateCommunityRequest { community_id: id.clone(), text, ..Default::default() };
            let update =
                into_result(graph.client.clone().update_community(graph.as_member(1, update)).await).unwrap_err();
            for refused in [create, update] {
                assert_eq!((refused.kind, fields(&refused)), (ErrorKind::Invalid, vec![field]), "{value:.9?}");
            }
        }
        graph.update_community(1, &id, wording(long(most))).await.unwrap();
    }
    let request = CreateCommunityRequest {
        idempotency_key: Some("\0".to_owned()),
        visibility: 9,
        joining: 9,
        ..Default::default()
    };
    let refused = into_result(graph.client.clone().create_community(graph.as_member(1, request)).await).unwrap_err();
    assert_eq!(
        (refused.kind, fields(&refused)),
        (ErrorKind::Invalid, vec!["visibility", "joining", "name", "idempotencyKey"])
    );
}

#[tokio::test]
async fn visitors_and_invalid_ids_and_roles_are_refused() {
    let graph = Fixture::empty().await;
    let mut client = graph.client.clone();
    for bad in ["", "1", "\0", "x\0", "' or true --", "\u{202e}", &"a".repeat(1 << 20)] {
        let set = |community_id: String, member_id: String| SetMemberRoleRequest { community_id, member_id, role: 1 };
        let good = row_id(1).to_string();
        for (refused, field) in [
            (graph.update_community(1, bad, community_text("Moot")).await.map(drop), "communityId"),
            (graph.join_community(1, bad).await.map(drop), "communityId"),
            (graph.leave_community(1, bad).await.map(drop), "communityId"),
            (
                into_result(client.set_member_role(graph.as_member(1, set(bad.into(), good.clone()))).await).map(drop),
                "communityId",
            ),
            (
                into_result(client.set_member_role(graph.as_member(1, set(good.clone(), bad.into()))).await).map(drop),
                "memberId",
            ),
        ] {
            let refused = refused.unwrap_err();
            assert_eq!((refused.kind, fields(&refused)), (ErrorKind::Invalid, vec![field]), "{bad:.9?}");
        }
    }
    for role in [0, 4, -1, i32::MAX] {
        let (community_id, member_id) = (row_id(1).to_string(), member(1).to_string());
        let request = graph.as_member(1, SetMemberRoleRequest { community_id, member_id, role });
        let refused = into_result(client.set_member_role(request).await).unwrap_err();
        assert_eq!((refused.kind, fields(&refused)), (ErrorKind::Invalid, vec!["role"]), "{role}");
    }
    let create = client.create_community(graph.as_viewer(VISITOR, CreateCommunityRequest::default())).await;
    let update = client.update_community(graph.as_viewer(VISITOR, UpdateCommunityRequest::default())).await;
    let join = client.join_community(graph.as_viewer(VISITOR, JoinCommunityRequest::default())).await;
    let leave = client.leave_community(graph.as_viewer(VISITOR, LeaveCommunityRequest::default())).await;
    let set = client.set_member_role(graph.as_viewer(VISITOR, SetMemberRoleRequest::default())).await;
    let refusals = [
        into_result(create).map(drop),
        into_result(update).map(drop),
        into_result(join).map(drop),
        into_result(leave).map(drop),
        into_result(set).map(drop),
    ];
    for refused in refusals {
        assert_eq!(refused.unwrap_err().kind, ErrorKind::Unauthenticated);
    }
}
