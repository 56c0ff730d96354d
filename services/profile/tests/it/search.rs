//! The search document follows every change of what it is made of.

use portia_proto::{
    auth::RegistrationForm,
    profile::{EnsureMemberRequest, UpdateMemberRequest},
};
use prost_types::FieldMask;

use crate::{Profile, registration};

impl Profile {
    async fn document(&self) -> String {
        let text = sqlx::query_scalar("select search_text from profile.members");
        text.fetch_one(self.harness.pool()).await.unwrap()
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
