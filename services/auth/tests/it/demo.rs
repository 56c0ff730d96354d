//! The demo's accounts: two that open, fifty-eight that do not.

use crate::{Auth, details, registration};

const SIGN_INS: [(&str, &str); 2] =
    [("isabel.reyes", "first demo password"), ("daniel.whitlock", "second demo password")];

#[tokio::test]
async fn two_members_can_sign_in_and_loading_is_idempotent() {
    let auth = Auth::start().await;
    auth::demo::load(&auth.harness.context, &SIGN_INS).await.unwrap();
    auth::demo::load(&auth.harness.context, &[("isabel.reyes", "another one"), ("daniel.whitlock", "another two")])
        .await
        .unwrap();
    assert_eq!(auth.value::<i64>("select count(*) from auth.accounts").await, 60);
    let mut ids = Vec::new();
    for (name, password) in SIGN_INS {
        ids.push(auth.login(name, password).await.unwrap().member_id);
    }
    assert_eq!(ids, [testkit::member(1).to_string(), testkit::member(2).to_string()]);
    assert_eq!(details(auth.login("priya.raghavan", "first demo password").await).reason, "BAD_CREDENTIALS");
    assert_eq!(auth.value::<i64>("select count(*) from auth.outbox").await, 0, "no fact is published");
}

#[tokio::test]
async fn an_unknown_sign_in_is_refused() {
    let auth = Auth::start().await;
    assert!(auth::demo::load(&auth.harness.context, &[SIGN_INS[1], SIGN_INS[0]]).await.is_err());
    assert_eq!(auth.value::<i64>("select count(*) from auth.accounts").await, 0);
    assert!(auth.register(registration(1)).await.is_ok());
}
