//! profile from outside: the real service on a real Postgres, with an auth that tells what a test has it tell.
#![cfg(test)]

mod bad_input;
mod cost;
mod demo;
mod facts;
mod members;

use chassis::{
    error::Explained,
    rpc::{Call, Transport},
};
use portia_proto::{
    auth::RegistrationForm,
    profile::{
        BatchGetMembersRequest, EnsureMemberRequest, GetMemberRequest, Member, MemberCard,
        profile_service_client::ProfileServiceClient,
    },
};
use profile::MIGRATOR;
use testkit::{FactSource, Harness};
use tonic::Status;

/// The service under test, who asks it, and whom it hears.
struct Profile {
    harness: Harness,
    auth: FactSource,
}

impl Profile {
    async fn start() -> Self {
        let auth = FactSource::default();
        let builder = Harness::of("profile").neighbour("auth", auth.routes()).database(&MIGRATOR).await;
        Self { harness: builder.start(profile::start).await, auth }
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
        let request = self.gateway().request(GetMemberRequest { member_id: id.to_string() })?;
        Ok(self.client().get_member(request).await?.into_inner().member.unwrap())
    }

    async fn cards(&self, ids: &[String]) -> Result<Vec<MemberCard>, Status> {
        let request = self.gateway().request(BatchGetMembersRequest { member_ids: ids.to_vec() })?;
        Ok(self.client().batch_get_members(request).await?.into_inner().members)
    }

    async fn count(&self, sql: &'static str) -> i64 {
        sqlx::query_scalar(sql).fetch_one(self.harness.pool()).await.unwrap()
    }

    /// MemberChanged facts told so far.
    async fn told(&self) -> i64 {
        self.count("select count(*) from profile.outbox").await
    }
}

/// The registration of the test's member number `n`.
fn registration(n: u128) -> EnsureMemberRequest {
    EnsureMemberRequest {
        member_id: testkit::member(n).to_string(),
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

/// What a caller can read from a refusal.
fn explained<T: std::fmt::Debug>(answer: Result<T, Status>) -> Explained {
    Explained::from(&answer.unwrap_err())
}
