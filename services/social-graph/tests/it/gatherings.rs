//! What members do in communities and about events, and what others were told of it.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, TimeDelta, Utc};
use portia_proto::social_graph::{
    AttendEventRequest, CancelEventRequest, Community, CommunityChanged, CommunityJoined, CommunityLeft,
    CommunityMember, CommunityRemoved, CommunityRole, CommunityText, CreateCommunityRequest, CreateEventRequest, Event,
    EventText, GetCommunityRequest, GetEventRequest, JoinCommunityRequest, LeaveCommunityRequest, ListAttendeesRequest,
    ListCommunitiesRequest, ListCommunitiesResponse, ListEventsRequest, ListEventsResponse, ListMembersRequest,
    SetMemberRoleRequest, UnattendEventRequest, UpdateCommunityRequest, UpdateEventRequest,
};
use primitives::{clock::timestamp, error::StatusDetails};
use prost::Message as _;
use testkit::member;
use tonic::Request;

use crate::graph::{Graph, number, told};

/// Nobody: who looks without an account.
pub const VISITOR: u128 = 0;

/// What a community called so says of itself, in as few words as may be.
pub fn called(name: &str) -> CommunityText {
    CommunityText { name: name.to_owned(), ..CommunityText::default() }
}

impl Graph {
    /// A call in the name of a member, or of a visitor.
    pub fn seen_by<T>(&self, who: u128, message: T) -> Request<T> {
        if who == VISITOR {
            return self.harness.actors.service("gateway").request(message).unwrap();
        }
        self.by(who, message)
    }

    pub async fn founds(&self, who: u128, name: &str) -> Result<Community, StatusDetails> {
        let request = CreateCommunityRequest { text: Some(called(name)), idempotency_key: None };
        let made = told(self.client.clone().create_community(self.by(who, request)).await);
        made.map(|made| made.community.unwrap())
    }

    pub async fn rewords(&self, who: u128, id: &str, text: CommunityText) -> Result<Community, StatusDetails> {
        let request = UpdateCommunityRequest { community_id: id.to_owned(), text: Some(text) };
        let updated = told(self.client.clone().update_community(self.by(who, request)).await);
        updated.map(|updated| updated.community.unwrap())
    }

    pub async fn joins(&self, who: u128, id: &str) -> Result<Community, StatusDetails> {
        let request = self.by(who, JoinCommunityRequest { community_id: id.to_owned() });
        told(self.client.clone().join_community(request).await).map(|joined| joined.community.unwrap())
    }

    pub async fn leaves(&self, who: u128, id: &str) -> Result<Community, StatusDetails> {
        let request = self.by(who, LeaveCommunityRequest { community_id: id.to_owned() });
        told(self.client.clone().leave_community(request).await).map(|left| left.community.unwrap())
    }

    pub async fn appoints(
        &self,
        who: u128,
        id: &str,
        other: u128,
        role: CommunityRole,
    ) -> Result<CommunityMember, StatusDetails> {
        let (community_id, member_id) = (id.to_owned(), member(other).to_string());
        let request = self.by(who, SetMemberRoleRequest { community_id, member_id, role: role.into() });
        told(self.client.clone().set_member_role(request).await).map(|set| set.member.unwrap())
    }

    pub async fn community(&self, who: u128, id: &str) -> Result<Community, StatusDetails> {
        let request = self.seen_by(who, GetCommunityRequest { community_id: id.to_owned() });
        told(self.client.clone().get_community(request).await).map(|found| found.community.unwrap())
    }

    pub async fn communities(&self, who: u128, request: ListCommunitiesRequest) -> ListCommunitiesResponse {
        told(self.client.clone().list_communities(self.seen_by(who, request)).await).unwrap()
    }

    /// Everybody who belongs to a community as `who` sees it, page by page: their number, and whether they own it.
    pub async fn members(&self, who: u128, id: &str, page_size: i32) -> Vec<(u128, bool)> {
        let mut request = ListMembersRequest { community_id: id.to_owned(), page_size, page_token: String::new() };
        let mut seen = Vec::new();
        loop {
            let page = self.client.clone().list_members(self.seen_by(who, request.clone())).await;
            let page = told(page).unwrap();
            assert!(page_size == 0 || page.members.len() <= usize::try_from(page_size).unwrap());
            seen.extend(page.members.iter().map(|m| (number(&m.member_id), m.role() == CommunityRole::Owner)));
            if page.next_page_token.is_empty() {
                return seen;
            }
            request.page_token = page.next_page_token;
        }
    }

    /// An event of two hours, tomorrow, in Manila.
    pub fn poster(&self, title: &str) -> EventText {
        let starts_at = self.harness.clock.now() + TimeDelta::days(1);
        EventText {
            title: title.to_owned(),
            start_date: Some(timestamp(starts_at)),
            end_date: Some(timestamp(starts_at + TimeDelta::hours(2))),
            time_zone: "Asia/Manila".to_owned(),
            ..EventText::default()
        }
    }

    pub async fn announces(&self, who: u128, text: EventText) -> Result<Event, StatusDetails> {
        let request = self.by(who, CreateEventRequest { text: Some(text), idempotency_key: None });
        told(self.client.clone().create_event(request).await).map(|made| made.event.unwrap())
    }

    pub async fn changes(&self, who: u128, id: &str, text: EventText) -> Result<Event, StatusDetails> {
        let request = self.by(who, UpdateEventRequest { event_id: id.to_owned(), text: Some(text) });
        told(self.client.clone().update_event(request).await).map(|changed| changed.event.unwrap())
    }

    pub async fn cancels(&self, who: u128, id: &str) -> Result<(), StatusDetails> {
        let request = self.by(who, CancelEventRequest { event_id: id.to_owned() });
        told(self.client.clone().cancel_event(request).await).map(drop)
    }

    pub async fn attends(&self, who: u128, id: &str) -> Result<Event, StatusDetails> {
        let request = self.by(who, AttendEventRequest { event_id: id.to_owned() });
        told(self.client.clone().attend_event(request).await).map(|said| said.event.unwrap())
    }

    pub async fn unattends(&self, who: u128, id: &str) -> Result<Event, StatusDetails> {
        let request = self.by(who, UnattendEventRequest { event_id: id.to_owned() });
        told(self.client.clone().unattend_event(request).await).map(|said| said.event.unwrap())
    }

    pub async fn event(&self, who: u128, id: &str) -> Result<Event, StatusDetails> {
        let request = self.seen_by(who, GetEventRequest { event_id: id.to_owned() });
        told(self.client.clone().get_event(request).await).map(|found| found.event.unwrap())
    }

    pub async fn events(&self, who: u128, request: ListEventsRequest) -> ListEventsResponse {
        told(self.client.clone().list_events(self.seen_by(who, request)).await).unwrap()
    }

    /// Everybody who comes to an event as `who` sees it, page by page.
    pub async fn attendees(&self, who: u128, id: &str, page_size: i32) -> Vec<u128> {
        let mut request = ListAttendeesRequest { event_id: id.to_owned(), page_size, page_token: String::new() };
        let mut seen = Vec::new();
        loop {
            let page = self.client.clone().list_attendees(self.seen_by(who, request.clone())).await;
            let page = told(page).unwrap();
            seen.extend(page.attendees.iter().map(|attendee| number(&attendee.member_id)));
            if page.next_page_token.is_empty() {
                return seen;
            }
            request.page_token = page.next_page_token;
        }
    }

    /// The names of what was told of communities, in order.
    pub async fn told_of_communities(&self) -> Vec<String> {
        let told = self.told().await.into_iter().map(|(name, _)| name);
        told.filter(|name| name.starts_with("Community")).collect()
    }

    /// Whoever believes every fact knows what stands: each community by its name, and who belongs to it. No fact tells
    /// what was known already.
    pub async fn assert_told(&self) {
        let (mut names, mut memberships) = (BTreeMap::new(), BTreeMap::new());
        for (name, payload) in self.told().await {
            match name.as_str() {
                "CommunityChanged" => {
                    let fact = CommunityChanged::decode(&*payload).unwrap();
                    let before = names.insert(fact.community_id, fact.name.clone());
                    assert_ne!(before, Some(fact.name));
                }
                "CommunityRemoved" => {
                    let fact = CommunityRemoved::decode(&*payload).unwrap();
                    assert!(names.remove(&fact.community_id).is_some());
                    memberships.retain(|(community, _), _| *community != fact.community_id);
                }
                "CommunityJoined" => {
                    let fact = CommunityJoined::decode(&*payload).unwrap();
                    assert!(names.contains_key(&fact.community_id), "the community comes before who belongs to it");
                    let role = if fact.is_owner { "owner" } else { "member" };
                    let before = memberships.insert((fact.community_id, fact.member_id), role);
                    assert_ne!(before, Some(role));
                }
                "CommunityLeft" => {
                    let fact = CommunityLeft::decode(&*payload).unwrap();
                    assert!(memberships.remove(&(fact.community_id, fact.member_id)).is_some());
                }
                _ => {}
            }
        }
        let rows = sqlx::query_scalar("select id || ' ' || name from social_graph.communities");
        let rows: Vec<String> = rows.fetch_all(self.harness.pool()).await.unwrap();
        let names: BTreeSet<String> = names.into_iter().map(|(id, name)| format!("{id} {name}")).collect();
        assert_eq!(names, rows.into_iter().collect());
        let rows = "select format('%s %s %s', community_id, member_id, role) from social_graph.memberships";
        let rows: Vec<String> = sqlx::query_scalar(rows).fetch_all(self.harness.pool()).await.unwrap();
        let memberships = memberships.into_iter().map(|((id, who), role)| format!("{id} {who} {role}"));
        assert_eq!(memberships.collect::<BTreeSet<String>>(), rows.into_iter().collect());
    }
}

/// A moment, some time from `now`.
pub fn moment(now: DateTime<Utc>, later: TimeDelta) -> Option<prost_types::Timestamp> {
    Some(timestamp(now + later))
}
