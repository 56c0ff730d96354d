//! The responses of social-graph.

use portia_proto::social_graph;
use uuid::Uuid;

use super::{ANA, BEN, CARL, COMMUNITY, CONNECTION, EVENT, at, id};

/// The connection that Ben requested from Ana.
pub fn connection(status: social_graph::ConnectionStatus) -> social_graph::Connection {
    social_graph::Connection {
        id: CONNECTION.to_string(),
        requester_id: BEN.to_string(),
        recipient_id: ANA.to_string(),
        status: status.into(),
        created_at: at(7200),
    }
}

/// The community of Ana with its rules, as `actor` sees it.
pub fn community(actor: Option<Uuid>) -> social_graph::Community {
    social_graph::Community {
        id: COMMUNITY.to_string(),
        name: "Law Review".to_owned(),
        description: None,
        member_count: 12,
        rules: Some("Cite your sources.".to_owned()),
        role: role(actor).into(),
        created_at: at(86_400),
        visibility: social_graph::CommunityVisibility::Public.into(),
        joining: social_graph::CommunityJoining::Open.into(),
        standing: 0,
    }
}

/// The request of Carl to join the community of Ana.
pub fn join_request() -> social_graph::JoinRequest {
    social_graph::JoinRequest { member_id: CARL.to_string(), requested_at: at(600) }
}

/// The invitation of Carl to the community of Ana.
pub fn community_invitation() -> social_graph::CommunityInvitation {
    let invited_by_id = Some(ANA.to_string());
    social_graph::CommunityInvitation { member_id: CARL.to_string(), invited_by_id, invited_at: at(600) }
}

/// The role of a member in the community of Ana.
pub fn role(actor: Option<Uuid>) -> social_graph::CommunityRole {
    match actor {
        Some(ANA) => social_graph::CommunityRole::Owner,
        Some(BEN) => social_graph::CommunityRole::Member,
        _ => social_graph::CommunityRole::Unspecified,
    }
}

pub fn community_member(member: Uuid) -> social_graph::CommunityMember {
    social_graph::CommunityMember {
        member_id: member.to_string(),
        role: role(Some(member)).into(),
        joined_at: at(86_400),
    }
}

pub fn community_ban() -> social_graph::CommunityBan {
    let reason = social_graph::CommunityReason::Spam.into();
    social_graph::CommunityBan { member_id: CARL.to_string(), reason, banned_at: at(86_400) }
}

/// The log of the community of Ana: a ban, a role, and an action of a deleted account.
pub fn community_log() -> Vec<social_graph::CommunityLogEntry> {
    use social_graph::{CommunityAction, CommunityReason, CommunityRole};
    let entry = |n, action: CommunityAction| social_graph::CommunityLogEntry {
        id: id(n).to_string(),
        action: action.into(),
        actor_id: Some(ANA.to_string()),
        member_id: Some(BEN.to_string()),
        role: CommunityRole::Unspecified.into(),
        reason: CommunityReason::Unspecified.into(),
        created_at: at(86_400),
    };
    vec![
        social_graph::CommunityLogEntry {
            reason: CommunityReason::OffTopic.into(),
            ..entry(0x71, CommunityAction::PostRemoved)
        },
        social_graph::CommunityLogEntry {
            role: CommunityRole::Moderator.into(),
            ..entry(0x72, CommunityAction::RoleSet)
        },
        social_graph::CommunityLogEntry {
            actor_id: None,
            member_id: None,
            ..entry(0x73, CommunityAction::MemberBanned)
        },
    ]
}

/// The event of Ana with its description, as `actor` sees it.
pub fn event(actor: Option<Uuid>) -> social_graph::Event {
    social_graph::Event {
        id: EVENT.to_string(),
        title: "Moot court".to_owned(),
        location: Some("Manila".to_owned()),
        start_date: at(-86_400),
        attendee_count: 2,
        attendees: vec![attendee()],
        end_date: at(-90_000),
        time_zone: "Asia/Manila".to_owned(),
        description: Some("Bring a brief.".to_owned()),
        organiser_id: Some(ANA.to_string()),
        attending: actor == Some(BEN),
        revision: 3,
    }
}

pub fn attendee() -> social_graph::Attendee {
    social_graph::Attendee { id: id(0xc3).to_string(), member_id: BEN.to_string() }
}

/// The block of Carl by Ana.
pub fn block() -> social_graph::Block {
    social_graph::Block { member_id: CARL.to_string(), created_at: at(600) }
}
