//! Two replicas with bodies and search results of their own, and a gateway with bodies of earlier versions, compared with the
//! statements that read without memory: a profile for a report, and the results of a search.

use std::{collections::HashMap, sync::Arc};

use chassis::lifecycle::Upstreams;
use portia_proto::profile::{
    GetMemberRequest, GetMemberResponse, Member, profile_service_client::ProfileServiceClient,
};
use profile::search::{SearchCards, results};
use prost::Message as _;
use rpc::{Call, Transport};
use testkit::member;
use tonic::Code;
use uuid::Uuid;

use crate::Profile;

/// The replica of the fixture, and another one of the same database.
pub struct Replicas {
    pub profile: Profile,
    other: ProfileServiceClient<Transport>,
    /// The search results in the memory of each replica.
    cards: [SearchCards; 2],
    /// The bodies that a gateway has received first, with their versions.
    kept: HashMap<u128, (Member, Vec<u8>)>,
}

impl Replicas {
    pub async fn start() -> Self {
        let profile = Profile::start().await;
        let context = &profile.harness.context;
        let routes = profile::start(Arc::clone(context)).await.unwrap();
        let upstreams = Upstreams::local();
        upstreams.slot("profile").fill(rpc::wrap("profile", routes, Arc::clone(&context.keyring)));
        let other = ProfileServiceClient::new(upstreams.transport("profile").unwrap());
        Self { profile, other, cards: <[SearchCards; 2]>::default(), kept: HashMap::new() }
    }

    fn caller(&self, viewer: Option<u128>) -> Call {
        viewer.map_or_else(|| self.profile.gateway(), |viewer| self.profile.by(viewer))
    }

    async fn get(&self, replica: usize, viewer: Option<u128>, request: GetMemberRequest) -> Option<GetMemberResponse> {
        let mut client = if replica == 0 { self.profile.client() } else { self.other.clone() };
        match client.get_member(self.caller(viewer).request(request).unwrap()).await {
            Ok(response) => Some(response.into_inner()),
            Err(status) => {
                assert_eq!(status.code(), Code::NotFound, "{status}");
                None
            }
        }
    }

    /// Compares a profile from both replicas with the complete statement. Each replica answers twice, so that the body
    /// is in memory the second time. Each also answers a gateway that has the body, and one that has an earlier body.
    pub async fn compare(&mut self, viewer: Option<u128>, of: u128, when: &str) -> Option<GetMemberResponse> {
        let when = format!("{when}, {of} seen by {viewer:?}");
        let request = GetMemberRequest { member_id: member(of).to_string(), ..Default::default() };
        let for_report = GetMemberRequest { for_report: true, ..request.clone() };
        let expected = match viewer {
            Some(viewer) if viewer != of && self.are_separated(viewer, of).await => None,
            _ => self.get(0, viewer, for_report).await.map(comparable),
        };
        for replica in [0, 1, 0, 1] {
            let shown = self.get(replica, viewer, request.clone()).await;
            let version = shown.as_ref().map(|shown| shown.version.clone()).unwrap_or_default();
            assert_same(shown, expected.as_ref(), &when);
            let Some(expected) = expected.as_ref().filter(|_| !version.is_empty()) else { continue };
            let known = GetMemberRequest { known_version: version.clone(), ..request.clone() };
            let shown = self.get(replica, viewer, known).await.unwrap();
            assert!(shown.member.is_none(), "{when}: the body is known");
            let body = without_marks(expected.member.clone().unwrap());
            assert_same(Some(with_body(shown, &body)), Some(expected), &when);
            let (earlier, earlier_version) = self.kept.entry(of).or_insert((body, version)).clone();
            let known = GetMemberRequest { known_version: earlier_version, ..request.clone() };
            let shown = self.get(replica, viewer, known).await.unwrap();
            let shown = if shown.member.is_none() { with_body(shown, &earlier) } else { shown };
            assert_same(Some(shown), Some(expected), &format!("{when}, with an earlier body"));
        }
        expected
    }

    /// Lets the gateway forget its bodies.
    pub fn forget_kept(&mut self) {
        self.kept.clear();
    }

    /// Compares the search results in memory with the complete statement.
    pub async fn compare_search(&self, viewer: Option<u128>, members: u128, when: &str) {
        let ids: Vec<Uuid> = (1..=members).map(member).collect();
        let (viewer, mut db) = (viewer.map(member), self.profile.harness.pool().acquire().await.unwrap());
        let mut expected = results::read(&mut db, &ids, viewer).await.unwrap();
        expected.sort_by_key(|found| found.card.id);
        for cards in [&self.cards[0], &self.cards[1], &self.cards[0]] {
            let mut found = cards.visible(&mut db, &ids, viewer).await.unwrap();
            found.sort_by_key(|found| found.card.id);
            assert_eq!(found, expected, "{when}, found by {viewer:?}");
        }
    }

    /// The version of a member's row.
    pub async fn version(&self, n: u128) -> Option<String> {
        let version = sqlx::query_scalar("select xmin::text from profile.members where id = $1").bind(member(n));
        version.fetch_optional(self.profile.harness.pool()).await.unwrap()
    }

    async fn are_separated(&self, one: u128, other: u128) -> bool {
        let separated = "select exists (
            select from profile.blocks where lower_id = least($1, $2) and upper_id = greatest($1, $2)
        )";
        let separated = sqlx::query_scalar(separated).bind(member(one)).bind(member(other));
        separated.fetch_one(self.profile.harness.pool()).await.unwrap()
    }
}

/// Removes the parts that the complete statement does not read, and the views, which are written in the background.
fn comparable(mut response: GetMemberResponse) -> GetMemberResponse {
    response.version.clear();
    if let Some(stats) = &mut response.stats {
        stats.profile_views = 0;
    }
    response
}

fn assert_same(shown: Option<GetMemberResponse>, expected: Option<&GetMemberResponse>, when: &str) {
    let shown = shown.map(comparable);
    assert_eq!(shown.as_ref(), expected, "{when}");
    assert_eq!(shown.map(|shown| shown.encode_to_vec()), expected.map(prost::Message::encode_to_vec));
}

/// A body as a gateway keeps it.
fn without_marks(mut member: Member) -> Member {
    member.endorsements.iter_mut().for_each(|skill| skill.endorsed_by_actor = false);
    member
}

/// The response of a gateway that has the body.
fn with_body(mut response: GetMemberResponse, body: &Member) -> GetMemberResponse {
    let endorsed = std::mem::take(&mut response.endorsed_skills);
    let mut member = body.clone();
    for skill in &mut member.endorsements {
        skill.endorsed_by_actor = endorsed.contains(&skill.skill);
    }
    GetMemberResponse { member: Some(member), ..response }
}
