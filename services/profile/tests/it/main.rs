//! Integration tests: the service on a Postgres database, with fake fact sources for auth and social-graph.
#![cfg(test)]

mod bad_input;
mod blocks;
mod card;
mod career;
mod concurrency;
mod deactivation;
mod demo;
mod endorsements;
mod erase;
mod export;
mod facts;
mod histories;
mod match_names;
mod members;
mod namesakes;
mod onboarding;
mod personal_data;
mod pictures;
mod privacy;
mod read_cost;
mod replicas;
mod search;
mod search_cost;
mod verifications;
mod views;

use portia_proto::{
    auth::RegistrationForm,
    profile::{
        BatchGetMembersRequest, EndorseSkillRequest, EnsureMemberRequest, GetMemberRequest, GetMemberResponse, Member,
        MemberCard, ReplaceProfileRequest, SkillEndorsements, UpdateMemberRequest,
        profile_service_client::ProfileServiceClient,
    },
    social_graph::{ConnectionAccepted, ConnectionRemoved, MemberBlocked, MemberUnblocked},
};
use primitives::error::StatusDetails;
use profile::MIGRATOR;
use rpc::{Call, Transport};
use testkit::{Builder, FactSource, Harness, member};
use tonic::Status;
use uuid::Uuid;

/// The service under test and its fact sources.
struct Profile {
    harness: Harness,
    auth: FactSource,
    graph: FactSource,
}

impl Profile {
    async fn start() -> Self {
        Self::start_with(|builder| builder).await
    }

    async fn start_with(more: impl FnOnce(Builder) -> Builder) -> Self {
        let (auth, graph) = (FactSource::default(), FactSource::default());
        let builder = Harness::of("profile").upstream("auth", auth.routes()).upstream("social-graph", graph.routes());
        let builder = more(builder).database(&MIGRATOR).await;
        Self { harness: builder.start(profile::start).await, auth, graph }
    }

    /// Starts with `n` members. The first is connected with all others.
    async fn with_members(n: u128) -> Self {
        let profile = Self::start().await;
        for n in 1..=n {
            profile.ensure(registration(n)).await.unwrap();
        }
        for n in 2..=n {
            profile.connect(1, n).await;
        }
        profile
    }

    fn by(&self, n: u128) -> Call {
        self.harness.actors.member(member(n))
    }

    /// Publishes ConnectionAccepted.
    async fn connect(&self, one: u128, other: u128) {
        let (requester_id, recipient_id) = (member(one).to_string(), member(other).to_string());
        let fact = ConnectionAccepted { connection_id: Uuid::nil().to_string(), requester_id, recipient_id };
        let seq = self.graph.publish("pair", &fact);
        self.harness.wait_until_applied("social-graph", seq).await;
    }

    /// Publishes ConnectionRemoved.
    async fn disconnect(&self, one: u128, other: u128) {
        let (requester_id, recipient_id) = (member(one).to_string(), member(other).to_string());
        let fact = ConnectionRemoved { connection_id: Uuid::nil().to_string(), requester_id, recipient_id };
        let seq = self.graph.publish("pair", &fact);
        self.harness.wait_until_applied("social-graph", seq).await;
    }

    /// Publishes MemberBlocked.
    async fn block(&self, blocker: u128, blocked: u128) {
        let (blocker_id, blocked_id) = (member(blocker).to_string(), member(blocked).to_string());
        let seq = self.graph.publish(&blocker_id, &MemberBlocked { blocker_id: blocker_id.clone(), blocked_id });
        self.harness.wait_until_applied("social-graph", seq).await;
    }

    /// Publishes MemberUnblocked.
    async fn unblock(&self, blocker: u128, blocked: u128) {
        let (blocker_id, blocked_id) = (member(blocker).to_string(), member(blocked).to_string());
        let seq = self.graph.publish(&blocker_id, &MemberUnblocked { blocker_id: blocker_id.clone(), blocked_id });
        self.harness.wait_until_applied("social-graph", seq).await;
    }

    /// Publishes a fact of auth about a member.
    async fn publish_auth<M: prost::Message + prost::Name>(&self, n: u128, fact: &M) {
        let seq = self.auth.publish(member(n), fact);
        self.harness.wait_until_applied("auth", seq).await;
    }

    async fn update(&self, n: u128, request: UpdateMemberRequest) -> Result<Member, Status> {
        let request = self.by(n).request(request)?;
        Ok(self.client().update_member(request).await?.into_inner().member.unwrap())
    }

    async fn replace(&self, n: u128, request: ReplaceProfileRequest) -> Result<Member, Status> {
        let request = self.by(n).request(request)?;
        Ok(self.client().replace_profile(request).await?.into_inner().member.unwrap())
    }

    /// Replaces the member's career by these skills.
    async fn with_skills(&self, n: u128, skills: &[&str]) {
        let skills = skills.iter().map(|skill| (*skill).to_owned()).collect();
        self.replace(n, ReplaceProfileRequest { skills, ..Default::default() }).await.unwrap();
    }

    async fn endorse(&self, n: u128, of: u128, skill: &str) -> Result<SkillEndorsements, Status> {
        let request = EndorseSkillRequest { member_id: member(of).to_string(), skill: skill.to_owned() };
        let request = self.by(n).request(request)?;
        Ok(self.client().endorse_skill(request).await?.into_inner().endorsements.unwrap())
    }

    /// Gets a profile as member `n`.
    async fn view_profile(&self, n: u128, of: u128) -> Result<GetMemberResponse, Status> {
        let request =
            self.by(n).request(GetMemberRequest { member_id: member(of).to_string(), ..Default::default() })?;
        Ok(self.client().get_member(request).await?.into_inner())
    }

    /// The endorsement count of each skill, without a viewer.
    async fn counts(&self, n: u128) -> Vec<(String, i64)> {
        let member = self.get(member(n)).await.unwrap();
        member.endorsements.into_iter().map(|skill| (skill.skill, skill.count)).collect()
    }

    async fn connections(&self, n: u128) -> i64 {
        self.view_profile(n, n).await.unwrap().stats.unwrap().connections
    }

    /// Asserts that every stored counter equals the count of its rows.
    async fn assert_counters_match_rows(&self) {
        let wrong = self.count(
            "select (
                select count(*) from profile.skills s
                where endorsement_count <> (
                    select count(*) from profile.endorsements e
                    join profile.members m on m.id = e.endorser_id and not m.hidden
                    where e.member_id = s.member_id and e.skill = s.name and not e.hidden
                )
            ) + (
                select count(*) from profile.members m
                where connection_count <> (
                    select count(*) from profile.connections c
                    join profile.members o on o.id in (c.lower_id, c.upper_id) and o.id <> m.id and not o.hidden
                    where m.id in (c.lower_id, c.upper_id)
                )
            )",
        );
        assert_eq!(wrong.await, 0, "counters");
    }

    /// The number of published facts of a kind.
    async fn fact_count<M: prost::Name>(&self) -> i64 {
        let count = sqlx::query_scalar("select count(*) from profile.outbox where kind = $1").bind(M::full_name());
        count.fetch_one(self.harness.pool()).await.unwrap()
    }

    fn gateway(&self) -> Call {
        self.harness.actors.service("gateway")
    }

    fn client(&self) -> ProfileServiceClient<Transport> {
        ProfileServiceClient::new(self.harness.transport())
    }

    async fn ensure(&self, message: EnsureMemberRequest) -> Result<Member, Status> {
        let request = self.gateway().request(message)?;
        Ok(self.client().ensure_member(request).await?.into_inner().member.unwrap())
    }

    async fn get(&self, id: impl ToString) -> Result<Member, Status> {
        let request = self.gateway().request(GetMemberRequest { member_id: id.to_string(), ..Default::default() })?;
        Ok(self.client().get_member(request).await?.into_inner().member.unwrap())
    }

    async fn cards(&self, ids: &[String]) -> Result<Vec<MemberCard>, Status> {
        let request =
            self.gateway().request(BatchGetMembersRequest { member_ids: ids.to_vec(), ..Default::default() })?;
        Ok(self.client().batch_get_members(request).await?.into_inner().members)
    }

    async fn count(&self, sql: &'static str) -> i64 {
        sqlx::query_scalar(sql).fetch_one(self.harness.pool()).await.unwrap()
    }

    /// The number of published facts.
    async fn all_facts(&self) -> i64 {
        self.count("select count(*) from profile.outbox").await
    }
}

/// A registration of member `n`.
fn registration(n: u128) -> EnsureMemberRequest {
    EnsureMemberRequest {
        member_id: member(n).to_string(),
        username: format!("member.{n}"),
        form: Some(RegistrationForm {
            full_name: format!("Member {n}"),
            headline: Some("2L at Ateneo Law".into()),
            location: Some("Quezon City".into()),
            school: None,
            graduation_year: Some("2027".into()),
        }),
    }
}

/// The error details that a client reads.
fn details<T: std::fmt::Debug>(answer: Result<T, Status>) -> StatusDetails {
    StatusDetails::from(&answer.unwrap_err())
}
