//! MatchNames among given members.

use portia_proto::{
    auth::{AccountClosed, RegistrationForm},
    profile::{EnsureMemberRequest, MatchNamesRequest, profile_service_client::ProfileServiceClient},
};
use primitives::error::{ErrorKind, StatusDetails};
use testkit::member;
use uuid::Uuid;

use crate::{Profile, registration};

impl Profile {
    pub(crate) async fn create_member(&self, n: u128, full_name: &str) {
        let form = RegistrationForm { full_name: full_name.to_owned(), ..Default::default() };
        self.ensure(EnsureMemberRequest { form: Some(form), ..registration(n) }).await.unwrap();
    }

    /// The matching ids, sorted.
    async fn match_names(&self, ids: Vec<String>, query: &str) -> Result<Vec<Uuid>, StatusDetails> {
        let request = MatchNamesRequest { member_ids: ids, query: query.to_owned() };
        let mut client = ProfileServiceClient::new(self.harness.transport());
        let answer = client.match_names(self.by(1).request(request).unwrap()).await;
        let found = answer.map_err(|status| StatusDetails::from(&status))?.into_inner().member_ids;
        let mut found: Vec<Uuid> = found.iter().map(|id| id.parse().unwrap()).collect();
        found.sort();
        Ok(found)
    }
}

fn ids(numbers: impl IntoIterator<Item = u128>) -> Vec<String> {
    numbers.into_iter().map(|n| member(n).to_string()).collect()
}

#[tokio::test]
async fn every_query_word_is_a_prefix_without_case_and_accents() {
    let profile = Profile::start().await;
    profile.create_member(1, "José Núñez-Álvarez").await;
    profile.create_member(2, "Josephine O'Brien").await;
    profile.create_member(3, "Nuno José 100% Barr_ister").await;
    let matches = async |query: &str| profile.match_names(ids(1..=4), query).await.unwrap();
    let members = |numbers: &[u128]| numbers.iter().map(|n| member(*n)).collect::<Vec<_>>();
    for (query, expected) in [
        ("jose", &[1, 2, 3][..]),
        ("  JOSÉ   nu ", &[1, 3]),
        ("NUNEZ", &[1]),
        ("alvarez jo", &[1]),
        ("núñez-álv", &[1]),
        ("o'b", &[2]),
        ("brien", &[2]),
        ("ose", &[]),
        ("jose jose unknown", &[]),
        // No character is a wildcard.
        ("100%", &[3]),
        ("%", &[]),
        ("-", &[]),
        ("jos_", &[1, 2, 3]),
        ("barr_ister", &[3]),
        ("j.*e", &[]),
        ("\\", &[]),
    ] {
        assert_eq!(matches(query).await, members(expected), "{query:?}");
    }
    profile.create_member(4, "李小明 สมชาย").await;
    for query in ["李小明", "小明", "明", "ชาย", "明 สม"] {
        assert_eq!(matches(query).await, members(&[4]), "{query}: scripts without spaces have no beginnings of words");
    }
    // Only the given ids are matched, without hidden members.
    assert_eq!(profile.match_names(ids([2]), "jose").await.unwrap(), members(&[2]));
    assert!(profile.match_names(vec![], "jose").await.unwrap().is_empty());
    let closed = AccountClosed { member_id: member(3).to_string() };
    profile.harness.wait_until_applied("auth", profile.auth.publish(member(3), &closed)).await;
    assert_eq!(matches("jose").await, members(&[1, 2]));
}

#[tokio::test]
async fn at_most_a_thousand_ids_and_a_non_empty_query_are_accepted() {
    let profile = Profile::start().await;
    profile.create_member(1, "José Núñez").await;
    assert_eq!(profile.match_names(ids(1..=1_000), &"jose ".repeat(20)).await.unwrap(), [member(1)]);
    let one = || ids([1]);
    let megabyte = "a".repeat(1 << 20);
    let refusals = [
        (ids(1..=1_001), "jose", "memberIds"),
        (vec!["\0".to_owned()], "jose", "memberIds"),
        (vec![megabyte.clone()], "jose", "memberIds"),
        (one(), "", "query"),
        (one(), " \u{3000}", "query"),
        (one(), "jo\0se", "query"),
        (one(), "\u{202e}esoj", "query"),
        (one(), megabyte.as_str(), "query"),
    ];
    for (ids, query, field) in refusals {
        let error = profile.match_names(ids, query).await.unwrap_err();
        let fields: Vec<_> = error.violations.iter().map(|violation| violation.field.as_str()).collect();
        assert_eq!((error.kind, fields), (ErrorKind::Invalid, vec![field]), "{query:.20?}");
    }
}
