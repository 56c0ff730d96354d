//! Founding communities, running them, coming and going: who may, what comes of it, and what others are told.

use chrono::TimeDelta;
use portia_proto::social_graph::{
    CommunityRole, CommunityText, CreateCommunityRequest, JoinCommunityRequest, LeaveCommunityRequest,
    ListCommunitiesRequest, SetMemberRoleRequest, UpdateCommunityRequest,
};
use primitives::error::ErrorKind;
use testkit::member;

use crate::{
    gatherings::{VISITOR, called},
    graph::{Graph, fields, row_id, told},
};

const OWNER: CommunityRole = CommunityRole::Owner;
const MEMBER: CommunityRole = CommunityRole::Member;
const NOTHING: CommunityRole = CommunityRole::Unspecified;
const TAKEN: &str = "COMMUNITY_NAME_TAKEN";

#[tokio::test]
async fn whoever_founds_a_community_owns_it_and_is_its_first_member() {
    let graph = Graph::empty().await;
    let text = CommunityText {
        name: "  Moot   Court\u{a0}Society ".to_owned(),
        description: Some("Problems,\r\nbenches.".to_owned()),
        rules: Some(" ".to_owned()),
    };
    let request = CreateCommunityRequest { text: Some(text), idempotency_key: None };
    let made = told(graph.client.clone().create_community(graph.by(1, request)).await).unwrap().community.unwrap();
    assert_eq!((made.name.as_str(), made.description.as_deref()), ("Moot Court Society", Some("Problems,\nbenches.")));
    assert_eq!((made.rules.as_deref(), made.member_count, made.role()), (None, 1, OWNER));
    assert_eq!(made.created_at, Some(primitives::clock::timestamp(graph.harness.clock.now())));
    assert_eq!(graph.community(1, &made.id).await.unwrap(), made);
    assert_eq!(graph.members(VISITOR, &made.id, 0).await, [(1, true)]);
    let listed = graph.communities(2, ListCommunitiesRequest::default()).await;
    assert_eq!((listed.communities.len(), listed.total), (1, 1));
    assert_eq!(graph.told_of_communities().await, ["CommunityChanged", "CommunityJoined"]);
    graph.assert_told().await;
    graph.assert_true().await;
}

#[tokio::test]
async fn no_two_are_called_the_same_however_it_is_written() {
    let graph = Graph::empty().await;
    graph.founds(1, "École de Droit").await.unwrap();
    let other = graph.founds(2, "Ecole de Droit").await.unwrap();
    for twin in ["École de Droit", "ÉCOLE DE DROIT", " école \u{2003}de\u{a0}droit ", "E\u{301}cole de Droit"] {
        let refused = graph.founds(2, twin).await.unwrap_err();
        assert_eq!(
            (refused.kind, refused.reason.as_str(), fields(&refused)),
            (ErrorKind::Conflict, TAKEN, vec!["name"])
        );
        let refused = graph.rewords(2, &other.id, called(twin)).await.unwrap_err();
        assert_eq!(
            (refused.kind, refused.reason.as_str(), fields(&refused)),
            (ErrorKind::Conflict, TAKEN, vec!["name"])
        );
    }
    // One's own name in other letters is nobody else's.
    let shouted = graph.rewords(2, &other.id, called("ECOLE de Droit")).await.unwrap();
    assert_eq!(shouted.name, "ECOLE de Droit");
    assert_eq!(graph.communities(VISITOR, ListCommunitiesRequest::default()).await.total, 2);
    graph.assert_told().await;
    graph.assert_true().await;
}

#[tokio::test]
async fn a_repeated_request_founds_one() {
    let graph = Graph::empty().await;
    let request = |name: &str, description: Option<&str>| CreateCommunityRequest {
        text: Some(CommunityText { description: description.map(str::to_owned), ..called(name) }),
        idempotency_key: Some("k".to_owned()),
    };
    let found = async |who, request| told(graph.client.clone().create_community(graph.by(who, request)).await);
    let first = found(1, request("Moot", None)).await.unwrap();
    graph.joins(2, &first.community.as_ref().unwrap().id).await.unwrap();
    graph.harness.clock.advance(TimeDelta::hours(24) - TimeDelta::seconds(1));
    let again = found(1, request(" Moot", Some(""))).await.unwrap().community.unwrap();
    assert_eq!((again.id, again.member_count), (first.community.unwrap().id, 2), "it is read anew");
    let refused = found(1, request("Moot", Some("Other words"))).await.unwrap_err();
    assert_eq!((refused.kind, refused.reason.as_str()), (ErrorKind::KeyReused, "IDEMPOTENCY_KEY_REUSED"));
    // A key is a member's own, and one that made nothing is free.
    assert_eq!(found(2, request("Moot", None)).await.unwrap_err().reason, TAKEN);
    found(2, request("Law Review", None)).await.unwrap();
    graph.harness.clock.advance(TimeDelta::seconds(1));
    found(1, request("Tomorrow", None)).await.unwrap();
    assert_eq!(graph.communities(VISITOR, ListCommunitiesRequest::default()).await.total, 3);
    graph.assert_told().await;
    graph.assert_true().await;
}

#[tokio::test]
async fn its_owners_say_what_it_says_of_itself() {
    let graph = Graph::empty().await;
    let id = graph.founds(1, "Moot").await.unwrap().id;
    graph.joins(2, &id).await.unwrap();
    let text = CommunityText { rules: Some("Be kind.".to_owned()), ..called("Moot") };
    let ruled = graph.rewords(1, &id, text.clone()).await.unwrap();
    assert_eq!((ruled.rules.as_deref(), ruled.member_count, ruled.role()), (Some("Be kind."), 2, OWNER));
    let named = graph.rewords(1, &id, called("Moot Court")).await.unwrap();
    assert_eq!((named.name.as_str(), named.rules.as_deref()), ("Moot Court", None));
    for who in [2, 3] {
        let refused = graph.rewords(who, &id, text.clone()).await.unwrap_err();
        assert_eq!((refused.kind, refused.reason.as_str()), (ErrorKind::Forbidden, "NOT_OWNER"));
    }
    let refused = graph.rewords(1, &row_id(1).to_string(), text).await.unwrap_err();
    assert_eq!((refused.kind, refused.reason.as_str()), (ErrorKind::NotFound, "COMMUNITY_NOT_FOUND"));
    let told = ["CommunityChanged", "CommunityJoined", "CommunityJoined", "CommunityChanged"];
    assert_eq!(graph.told_of_communities().await, told, "rules are nobody else's affair");
    graph.assert_told().await;
}

#[tokio::test]
async fn coming_and_going_twice_is_once() {
    let graph = Graph::empty().await;
    let id = graph.founds(1, "Moot").await.unwrap().id;
    for _ in 0..2 {
        let joined = graph.joins(2, &id).await.unwrap();
        assert_eq!((joined.member_count, joined.role()), (2, MEMBER));
    }
    assert_eq!(graph.joins(1, &id).await.unwrap().role(), OWNER, "an owner stays one");
    for _ in 0..2 {
        let left = graph.leaves(2, &id).await.unwrap();
        assert_eq!((left.member_count, left.role()), (1, NOTHING));
    }
    assert_eq!(graph.leaves(3, &id).await.unwrap().member_count, 1);
    for refused in [graph.joins(2, &row_id(1).to_string()).await, graph.leaves(2, &row_id(1).to_string()).await] {
        assert_eq!(refused.unwrap_err().reason, "COMMUNITY_NOT_FOUND");
    }
    let told = ["CommunityChanged", "CommunityJoined", "CommunityJoined", "CommunityLeft"];
    assert_eq!(graph.told_of_communities().await, told);
    graph.assert_told().await;
    graph.assert_true().await;
}

#[tokio::test]
async fn somebody_always_owns_it() {
    let graph = Graph::empty().await;
    let id = graph.founds(1, "Moot").await.unwrap().id;
    graph.joins(2, &id).await.unwrap();
    for refused in [graph.leaves(1, &id).await.map(drop), graph.appoints(1, &id, 1, MEMBER).await.map(drop)] {
        let refused = refused.unwrap_err();
        assert_eq!((refused.kind, refused.reason.as_str()), (ErrorKind::Conflict, "LAST_OWNER"));
        assert_eq!(refused.message, "A community needs an owner: make another member one first.");
    }
    graph.appoints(1, &id, 2, OWNER).await.unwrap();
    assert_eq!(graph.leaves(1, &id).await.unwrap().role(), NOTHING);
    assert_eq!(graph.leaves(2, &id).await.unwrap_err().reason, "LAST_OWNER");
    graph.assert_told().await;
    graph.assert_true().await;
}

#[tokio::test]
async fn owners_say_who_is_one_of_them() {
    let graph = Graph::empty().await;
    let id = graph.founds(1, "Moot").await.unwrap().id;
    for who in [2, 3] {
        graph.joins(who, &id).await.unwrap();
    }
    let joined_at = Some(primitives::clock::timestamp(graph.harness.clock.now()));
    graph.harness.clock.advance(TimeDelta::days(1));
    for _ in 0..2 {
        let set = graph.appoints(1, &id, 2, OWNER).await.unwrap();
        assert_eq!((set.member_id.clone(), set.role(), set.joined_at), (member(2).to_string(), OWNER, joined_at));
    }
    assert_eq!(graph.members(VISITOR, &id, 0).await, [(1, true), (2, true), (3, false)]);
    // The new one may make the old one a member again, and it is no help to block them.
    graph.blocks(1, 2).await.unwrap();
    assert_eq!(graph.appoints(2, &id, 1, MEMBER).await.unwrap().role(), MEMBER);
    for (who, other) in [(1, 2), (3, 3), (4, 3)] {
        let refused = graph.appoints(who, &id, other, OWNER).await.unwrap_err();
        assert_eq!((refused.kind, refused.reason.as_str()), (ErrorKind::Forbidden, "NOT_OWNER"));
    }
    graph.close(3).await;
    for stranger in [3, 4] {
        let refused = graph.appoints(2, &id, stranger, OWNER).await.unwrap_err();
        assert_eq!((refused.kind, refused.reason.as_str()), (ErrorKind::NotFound, "MEMBER_NOT_FOUND"));
    }
    let refused = graph.appoints(2, &row_id(1).to_string(), 1, OWNER).await.unwrap_err();
    assert_eq!(refused.reason, "COMMUNITY_NOT_FOUND");
    let told = graph.told_of_communities().await;
    assert_eq!(
        told.iter().filter(|name| *name == "CommunityJoined").count(),
        5,
        "each new role once, besides who came"
    );
    graph.assert_told().await;
    graph.assert_true().await;
}

#[tokio::test]
async fn an_owner_whose_account_is_closed_does_not_count_as_one_but_comes_back_as_one() {
    let graph = Graph::empty().await;
    let id = graph.founds(1, "Moot").await.unwrap().id;
    graph.joins(2, &id).await.unwrap();
    graph.appoints(1, &id, 2, OWNER).await.unwrap();
    graph.close(2).await;
    assert_eq!(graph.leaves(1, &id).await.unwrap_err().reason, "LAST_OWNER");
    assert_eq!(graph.appoints(1, &id, 1, MEMBER).await.unwrap_err().reason, "LAST_OWNER");
    graph.reopen(2).await;
    assert_eq!(graph.members(VISITOR, &id, 0).await, [(1, true), (2, true)]);
    graph.leaves(1, &id).await.unwrap();
    graph.assert_told().await;
    graph.assert_true().await;
}

#[tokio::test]
async fn what_a_session_founds_or_joins_that_outlived_the_account_counts_once_that_is_open_again() {
    let graph = Graph::empty().await;
    let id = graph.founds(1, "Moot").await.unwrap().id;
    graph.close(2).await;
    assert_eq!(graph.joins(2, &id).await.unwrap().member_count, 1);
    let own = graph.founds(2, "Law Review").await.unwrap();
    assert_eq!((own.member_count, graph.members(VISITOR, &own.id, 0).await), (0, vec![]));
    graph.assert_true().await;
    graph.reopen(2).await;
    assert_eq!(graph.community(VISITOR, &id).await.unwrap().member_count, 2);
    assert_eq!(graph.members(VISITOR, &own.id, 0).await, [(2, true)]);
    graph.close(2).await;
    assert_eq!(graph.leaves(2, &id).await.unwrap().member_count, 1);
    graph.assert_told().await;
    graph.assert_true().await;
}

#[tokio::test]
async fn a_text_that_cannot_be_shown_is_refused_by_field() {
    let graph = Graph::empty().await;
    let id = graph.founds(1, "Moot").await.unwrap().id;
    let long = |length: usize| "ñ".repeat(length);
    let bad = |field: &str| match field {
        "name" => vec!["", " \t", "\0", "a\0", "a\tb", "a\nb", "a\u{85}b", "\u{202e}gpj", "\u{200b}", "\u{ffff}"],
        _ => vec!["\0", "a\0b", "\u{202e}gpj", "\u{2066}", "\u{1b}[31m"],
    };
    for (field, most) in [("name", 100), ("description", 500), ("rules", 5_000)] {
        let wording = |value: String| {
            let mut text = called("Other");
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
            let create = CreateCommunityRequest { text: text.clone(), idempotency_key: None };
            let create = told(graph.client.clone().create_community(graph.by(1, create)).await).unwrap_err();
            let update = UpdateCommunityRequest { community_id: id.clone(), text };
            let update = told(graph.client.clone().update_community(graph.by(1, update)).await).unwrap_err();
            for refused in [create, update] {
                assert_eq!((refused.kind, fields(&refused)), (ErrorKind::Invalid, vec![field]), "{value:.9?}");
            }
        }
        graph.rewords(1, &id, wording(long(most))).await.unwrap();
    }
    let request = CreateCommunityRequest { text: None, idempotency_key: Some("\0".to_owned()) };
    let refused = told(graph.client.clone().create_community(graph.by(1, request)).await).unwrap_err();
    assert_eq!((refused.kind, fields(&refused)), (ErrorKind::Invalid, vec!["name", "idempotencyKey"]));
}

#[tokio::test]
async fn visitors_and_what_is_no_id_or_role_are_refused() {
    let graph = Graph::empty().await;
    let mut client = graph.client.clone();
    for bad in ["", "1", "\0", "x\0", "' or true --", "\u{202e}", &"a".repeat(1 << 20)] {
        let set = |community_id: String, member_id: String| SetMemberRoleRequest { community_id, member_id, role: 1 };
        let good = row_id(1).to_string();
        for (refused, field) in [
            (graph.rewords(1, bad, called("Moot")).await.map(drop), "communityId"),
            (graph.joins(1, bad).await.map(drop), "communityId"),
            (graph.leaves(1, bad).await.map(drop), "communityId"),
            (told(client.set_member_role(graph.by(1, set(bad.into(), good.clone()))).await).map(drop), "communityId"),
            (told(client.set_member_role(graph.by(1, set(good.clone(), bad.into()))).await).map(drop), "memberId"),
        ] {
            let refused = refused.unwrap_err();
            assert_eq!((refused.kind, fields(&refused)), (ErrorKind::Invalid, vec![field]), "{bad:.9?}");
        }
    }
    for role in [0, 3, -1, i32::MAX] {
        let (community_id, member_id) = (row_id(1).to_string(), member(1).to_string());
        let request = graph.by(1, SetMemberRoleRequest { community_id, member_id, role });
        let refused = told(client.set_member_role(request).await).unwrap_err();
        assert_eq!((refused.kind, fields(&refused)), (ErrorKind::Invalid, vec!["role"]), "{role}");
    }
    let create = client.create_community(graph.seen_by(VISITOR, CreateCommunityRequest::default())).await;
    let update = client.update_community(graph.seen_by(VISITOR, UpdateCommunityRequest::default())).await;
    let join = client.join_community(graph.seen_by(VISITOR, JoinCommunityRequest::default())).await;
    let leave = client.leave_community(graph.seen_by(VISITOR, LeaveCommunityRequest::default())).await;
    let set = client.set_member_role(graph.seen_by(VISITOR, SetMemberRoleRequest::default())).await;
    let refusals = [
        told(create).map(drop),
        told(update).map(drop),
        told(join).map(drop),
        told(leave).map(drop),
        told(set).map(drop),
    ];
    for refused in refusals {
        assert_eq!(refused.unwrap_err().kind, ErrorKind::Unauthenticated);
    }
}
