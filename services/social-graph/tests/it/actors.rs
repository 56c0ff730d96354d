//! Actions of members on communities and events, and checks of the published facts.

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

use crate::fixtures::{Fixture, into_result, number};

/// The number of a caller without an account.
pub const VISITOR: u128 = 0;

/// The texts of a community with only a name.
pub fn community_text(name: &str) -> CommunityText {
    CommunityText { name: name.to_owned(), ..CommunityText::default() }
}

impl Fixture {
    /// A request of a member, or of a visitor.
    pub fn as_viewer<T>(&self, who: u128, message: T) -> Request<T> {
        if who == VISITOR {
            return self.harness.actors.service("gateway").request(message).unwrap();
        }
        self.as_member(who, message)
    }

    pub async fn create_community(&self, who: u128, name: &str) -> Result<Community, StatusDetails> {
        let request = CreateCommunityRequest { text: Some(community_text(name)), ..Default::default() };
        let made = into_result(self.client.clone().create_community(self.as_member(who, request)).await);
        made.map(|made| made.community.unwrap())
    }

    pub async fn update_community(&self, who: u128, id: &str, text: CommunityText) -> Result<Community, StatusDetails> {
        let request = UpdateCommunityRequest { community_id: id.to_owned(), text: Some(text), ..Default::default() };
        let updated = into_result(self.client.clone().update_community(self.as_member(who, request)).await);
        updated.map(|updated| updated.community.unwrap())
    }

    pub async fn join_community(&self, who: u128, id: &str) -> Result<Community, StatusDetails> {
        let request = self.as_member(who, JoinCommunityRequest { community_id: id.to_owned() });
        into_result(self.client.clone().join_community(request).await).map(|joined| joined.community.unwrap())
    }

    pub async fn leave_community(&self, who: u128, id: &str) -> Result<Community, StatusDetails> {
        let request = self.as_member(who, LeaveCommunityRequest { community_id: id.to_owned() });
        into_result(self.client.clone().leave_community(request).await).map(|left| left.community.unwrap())
    }

    /// Leaves a community that the member does not see afterwards.
    pub async fn leave_private_community(&self, who: u128, id: &str) -> Result<(), StatusDetails> {
        let request = self.as_member(who, LeaveCommunityRequest { community_id: id.to_owned() });
        let left = into_result(self.client.clone().leave_community(request).await)?;
        assert_eq!(left.community, None);
        Ok(())
    }

    pub async fn set_role(
        &self,
        who: u128,
        id: &str,
        other: u128,
        role: CommunityRole,
    ) -> Result<CommunityMember, StatusDetails> {
        let (community_id, member_id) = (id.to_owned(), member(other).to_string());
        let request = self.as_member(who, SetMemberRoleRequest { community_id, member_id, role: role.into() });
        into_result(self.client.clone().set_member_role(request).await).map(|set| set.member.unwrap())
    }

    pub async fn community(&self, who: u128, id: &str) -> Result<Community, StatusDetails> {
        let request = self.as_viewer(who, GetCommunityRequest { community_id: id.to_owned() });
        into_result(self.client.clone().get_community(request).await).map(|found| found.community.unwrap())
    }

    pub async fn communities(&self, who: u128, request: ListCommunitiesRequest) -> ListCommunitiesResponse {
        into_result(self.client.clone().list_communities(self.as_viewer(who, request)).await).unwrap()
    }

    /// All members of a community as `who` sees it, page by page: number and ownership.
    pub async fn members(&self, who: u128, id: &str, page_size: i32) -> Vec<(u128, bool)> {
        let mut request = ListMembersRequest { community_id: id.to_owned(), page_size, page_token: String::new() };
        let mut seen = Vec::new();
        loop {
            let page = self.client.clone().list_members(self.as_viewer(who, request.clone())).await;
            let page = into_result(page).unwrap();
            assert!(page_size == 0 || page.members.len() <= usize::try_from(page_size).unwrap());
            seen.extend(page.members.iter().map(|m| (number(&m.member_id), m.role() == CommunityRole::Owner)));
            if page.next_page_token.is_empty() {
                return seen;
            }
            request.page_token = page.next_page_token;
        }
    }

    /// A two-hour event tomorrow in Manila.
    pub fn event_text(&self, title: &str) -> EventText {
        let starts_at = self.harness.clock.now() + TimeDelta::days(1);
        EventText {
            title: title.to_owned(),
            start_date: Some(timestamp(starts_at)),
            end_date: Some(timestamp(starts_at + TimeDelta::hours(2))),
            time_zone: "Asia/Manila".to_owned(),
            ..EventText::default()
        }
    }

    pub async fn create_event(&self, who: u128, text: EventText) -> Result<Event, StatusDetails> {
        let request = self.as_member(who, CreateEventRequest { text: Some(text), idempotency_key: None });
        into_result(self.client.clone().create_event(request).await).map(|made| made.event.unwrap())
    }

    pub async fn update_event(&self, who: u128, id: &str, text: EventText) -> Result<Event, StatusDetails> {
        let request = self.as_member(who, UpdateEventRequest { event_id: id.to_owned(), text: Some(text) });
        into_result(self.client.clone().update_event(request).await).map(|changed| changed.event.unwrap())
    }

    pub async fn cancel_event(&self, who: u128, id: &str) -> Result<(), StatusDetails> {
        let request = self.as_member(who, CancelEventRequest { event_id: id.to_owned() });
        into_result(self.client.clone().cancel_event(request).await).map(drop)
    }

    pub async fn attend_event(&self, who: u128, id: &str) -> Result<Event, StatusDetails> {
        let request = self.as_member(who, AttendEventRequest { event_id: id.to_owned() });
        into_result(self.client.clone().attend_event(request).await).map(|said| said.event.unwrap())
    }

    pub async fn unattend_event(&self, who: u128, id: &str) -> Result<Event, StatusDetails> {
        let request = self.as_member(who, UnattendEventRequest { event_id: id.to_owned() });
        into_result(self.client.clone().unattend_event(request).await).map(|said| said.event.unwrap())
    }

    pub async fn event(&self, who: u128, id: &str) -> Result<Event, StatusDetails> {
        let request = self.as_viewer(who, GetEventRequest { event_id: id.to_owned() });
        into_result(self.client.clone().get_event(request).await).map(|found| found.event.unwrap())
    }

    pub async fn events(&self, who: u128, request: ListEventsRequest) -> ListEventsResponse {
        into_result(self.client.clone().list_events(self.as_viewer(who, request)).await).unwrap()
    }

    /// All attendees of an event as `who` sees it, page by page.
    pub async fn attendees(&self, who: u128, id: &str, page_size: i32) -> Vec<u128> {
        let mut request = ListAttendeesRequest { event_id: id.to_owned(), page_size, page_token: String::new() };
        let mut seen = Vec::new();
        loop {
            let page = self.client.clone().list_attendees(self.as_viewer(who, request.clone())).await;
            let page = into_result(page).unwrap();
            seen.extend(page.attendees.iter().map(|attendee| number(&attendee.member_id)));
            if page.next_page_token.is_empty() {
                return seen;
            }
            request.page_token = page.next_page_token;
        }
    }

    /// The names of the published facts of communities, in order.
    pub async fn published_community_facts(&self) -> Vec<String> {
        let published = self.published().await.into_iter().map(|(name, _)| name);
        published.filter(|name| name.starts_with("Community")).collect()
    }

    /// Applying the facts in order reproduces the names and memberships. No fact of a membership repeats the known state.
    pub async fn assert_community_facts(&self) {
        let (mut names, mut memberships) = (BTreeMap::new(), BTreeMap::new());
        for (name, payload) in self.published().await {
            match name.as_str() {
                "CommunityChanged" => {
                    let fact = CommunityChanged::decode(&*payload).unwrap();
                    // A change of another text or of the access repeats the name.
                    names.insert(fact.community_id, fact.name);
                }
                "CommunityRemoved" => {
                    let fact = CommunityRemoved::decode(&*payload).unwrap();
                    assert!(names.remove(&fact.community_id).is_some());
                    memberships.retain(|(community, _), _| *community != fact.community_id);
                }
                "CommunityJoined" => {
                    let fact = CommunityJoined::decode(&*payload).unwrap();
                    assert!(names.contains_key(&fact.community_id), "the community precedes its memberships");
                    let role = match (fact.is_owner, fact.is_moderator) {
                        (true, false) => "owner",
                        (false, true) => "moderator",
                        (false, false) => "member",
                        (true, true) => panic!("two roles"),
                    };
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

pub fn time_after(now: DateTime<Utc>, later: TimeDelta) -> Option<prost_types::Timestamp> {
    Some(timestamp(now + later))
}
