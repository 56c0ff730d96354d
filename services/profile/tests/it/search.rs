//! The search document follows every change of what it is made of; and who of some people is called so.

use chassis::error::{Explained, Kind};
use portia_proto::{
    auth::{AccountClosed, RegistrationForm},
    profile::{
        EnsureMemberRequest, MatchNamesRequest, UpdateMemberRequest, profile_service_client::ProfileServiceClient,
    },
};
use prost_types::FieldMask;
use testkit::member;
use uuid::Uuid;

use crate::{Profile, registration};

impl Profile {
    async fn document(&self) -> String {
        let text = sqlx::query_scalar("select search_text from profile.members");
        text.fetch_one(self.harness.pool()).await.unwrap()
    }

    async fn named(&self, n: u128, full_name: &str) {
        let form = RegistrationForm { full_name: full_name.to_owned(), ..Default::default() };
        self.ensure(EnsureMemberRequest { form: Some(form), ..registration(n) }).await.unwrap();
    }

    /// Which of these ids match, in order.
    async fn match_names(&self, ids: Vec<String>, query: &str) -> Result<Vec<Uuid>, Explained> {
        let request = MatchNamesRequest { member_ids: ids, query: query.to_owned() };
        let mut client = ProfileServiceClient::new(self.harness.transport());
        let answer = client.match_names(self.by(1).request(request).unwrap()).await;
        let found = answer.map_err(|status| Explained::from(&status))?.into_inner().member_ids;
        let mut found: Vec<Uuid> = found.iter().map(|id| id.parse().unwrap()).collect();
        found.sort();
        Ok(found)
    }

    /// Whether full text finds the one member there is.
    async fn found(&self, words: &str) -> bool {
        let found = sqlx::query_scalar(
            "select count(*) from profile.members where search_words @@ plainto_tsquery('simple', $1)",
        );
        found.bind(words).fetch_one(self.harness.pool()).await.unwrap_or(0) == 1_i64
    }
}

#[tokio::test]
async fn it_follows_every_change() {
    let profile = Profile::start().await;
    let form = RegistrationForm {
        full_name: "José Núñez".into(),
        headline: Some("Litigator".into()),
        school: Some("École de Droit".into()),
        ..Default::default()
    };
    profile.ensure(EnsureMemberRequest { form: Some(form), ..registration(1) }).await.unwrap();
    assert_eq!(profile.document().await, "member.1 jose nunez litigator ecole de droit");

    let paths = ["full_name", "headline", "school"].map(str::to_owned).to_vec();
    let update = UpdateMemberRequest {
        update_mask: Some(FieldMask { paths }),
        full_name: "Zoë Ångström".into(),
        school: "Ateneo".into(),
        ..Default::default()
    };
    profile.update(1, update).await.unwrap();
    assert_eq!(profile.document().await, "member.1 zoe angstrom ateneo");

    profile.with_skills(1, &["Moot Court", "Research"]).await;
    assert_eq!(profile.document().await, "member.1 zoe angstrom ateneo moot court research");
    for words in ["angstrom", "moot zoe", "member"] {
        assert!(profile.found(words).await, "{words}");
    }
    assert!(!profile.found("nunez").await && !profile.found("litigator").await);

    profile.with_skills(1, &[]).await;
    assert!(!profile.found("moot").await);
}

#[tokio::test]
async fn both_indexes_serve_it() {
    let profile = Profile::start().await;
    profile.ensure(registration(1)).await.unwrap();
    for (condition, index) in [
        ("search_text % 'membre'", "members_search_text_idx"),
        ("search_words @@ 'member'::tsquery", "members_search_words_idx"),
    ] {
        let mut conn = profile.harness.pool().acquire().await.unwrap();
        sqlx::raw_sql("set enable_seqscan = off").execute(&mut *conn).await.unwrap();
        let explain = format!("explain select id from profile.members where {condition}");
        let plan: Vec<String> = sqlx::query_scalar(sqlx::AssertSqlSafe(explain)).fetch_all(&mut *conn).await.unwrap();
        assert!(plan.iter().any(|line| line.contains(index)), "{plan:?}");
    }
}

fn ids(numbers: impl IntoIterator<Item = u128>) -> Vec<String> {
    numbers.into_iter().map(|n| member(n).to_string()).collect()
}

#[tokio::test]
async fn each_word_begins_a_word_of_the_name_whatever_its_case_and_accents() {
    let profile = Profile::start().await;
    profile.named(1, "José Núñez-Álvarez").await;
    profile.named(2, "Josephine O'Brien").await;
    profile.named(3, "Nuno José 100% Barr_ister").await;
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
        ("jose jose nobody", &[]),
        // No character is a wildcard or a pattern.
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
    // Only among those one asks about, and nobody whose account is closed.
    assert_eq!(profile.match_names(ids([2]), "jose").await.unwrap(), members(&[2]));
    assert!(profile.match_names(vec![], "jose").await.unwrap().is_empty());
    let closed = AccountClosed { member_id: member(3).to_string() };
    profile.harness.heard("auth", profile.auth.tell(member(3), &closed)).await;
    assert_eq!(matches("jose").await, members(&[1, 2]));
}

#[tokio::test]
async fn names_are_looked_for_among_a_thousand_and_in_words() {
    let profile = Profile::start().await;
    profile.named(1, "José Núñez").await;
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
        let refused = profile.match_names(ids, query).await.unwrap_err();
        let fields: Vec<_> = refused.violations.iter().map(|violation| violation.field.as_str()).collect();
        assert_eq!((refused.kind, fields), (Kind::Invalid, vec![field]), "{query:.20?}");
    }
}
