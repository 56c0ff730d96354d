//! The export: all data of the member, no secrets, no data of other members.

use std::collections::BTreeMap;

use chrono::TimeDelta;
use futures::TryStreamExt as _;
use serde_json::{Value, json};
use testkit::member;

use crate::{Auth, PASSWORD, authenticator::Authenticator, with_code};

fn by_section(records: Vec<(String, Value)>) -> BTreeMap<String, Vec<Value>> {
    let mut sections: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for (section, record) in records {
        sections.entry(section).or_default().push(record);
    }
    sections
}

#[tokio::test]
async fn an_export_contains_all_data_of_its_member_only() {
    let auth = Auth::start().await;
    let home = auth.member(1).await;
    let other = auth.member(2).await;
    other.renew_codes().await.unwrap();
    let codes = home.renew_codes().await.unwrap();
    let back = crate::ResetPasswordRequest { password: PASSWORD.into(), ..with_code(1, &codes[0]) };
    auth.reset(back).await.unwrap();
    auth.harness.clock.advance(TimeDelta::minutes(1));
    let home = auth.sign_in(1, "").await;
    let mut device = Authenticator::new();
    let passkey = home.add_passkey(&auth, &mut device).await.unwrap();
    other.add_passkey(&auth, &mut Authenticator::new()).await.unwrap();

    let records = home.exported().await;
    let whole = format!("{records:?}");
    let hash: String = auth.value("select password_hash from auth.accounts where username = 'Member.1'").await;
    assert!(!whole.contains(&hash));
    for secret in codes.iter().chain([&home.token, &home.browser]) {
        assert!(!whole.contains(secret.as_str()));
    }
    for stranger in [member(2).to_string(), other.session.to_string(), "Member.2".to_owned()] {
        assert!(!whole.contains(&stranger), "{stranger}");
    }

    let mut order: Vec<&str> = records.iter().map(|(section, _)| section.as_str()).collect();
    order.dedup();
    assert_eq!(
        order,
        ["account", "sessions", "trusted-browsers", "known-browsers", "recovery-codes", "passkeys", "audit"]
    );
    let sections = by_section(records);
    let registered = json!("2026-03-02T09:00:00Z");
    assert_eq!(sections["account"], [json!({"id": member(1), "username": "Member.1", "createdAt": registered})]);
    assert_eq!(sections["sessions"].len(), 1);
    assert_eq!(sections["sessions"][0]["userAgent"], json!("Mozilla/5.0 (X11)"));
    assert_eq!(sections["sessions"][0]["address"], json!("192.0.2.7"));
    let signed_in = json!("2026-03-02T09:01:00Z");
    let trusted = json!({
        "trustedSince": signed_in,
        "trustedAt": signed_in,
        "lastSeenAt": signed_in,
        "userAgent": "Mozilla/5.0 (X11)",
        "address": "192.0.2.7",
    });
    assert_eq!(sections["trusted-browsers"], [trusted]);
    assert_eq!(sections["known-browsers"], [json!({"signedInAt": registered}), json!({"signedInAt": signed_in})]);
    assert_eq!(sections["recovery-codes"].len(), 8);
    assert_eq!(sections["recovery-codes"][0], json!({"madeAt": registered, "usedAt": registered}));
    assert_eq!(sections["recovery-codes"][1]["usedAt"], Value::Null);
    let listed = json!({
        "id": passkey.id, "name": "Phone", "createdAt": signed_in, "lastUsedAt": null, "signCount": 0,
        "backupEligible": true, "backedUp": true,
    });
    assert_eq!(sections["passkeys"], [listed]);
    let noted = &sections["audit"];
    let mut events: Vec<&str> = noted.iter().map(|row| row["event"].as_str().unwrap()).collect();
    events.sort_unstable();
    assert_eq!(
        events,
        ["exported", "passkey added", "recovery codes made", "registered", "reset by recovery code", "signed in"]
    );
    let registration = noted.iter().find(|row| row["event"] == "registered").unwrap();
    assert_eq!(registration["address"], json!("192.0.2.1"));
}

#[tokio::test]
async fn ten_thousand_rows_are_streamed() {
    let auth = Auth::start().await;
    let home = auth.member(1).await;
    auth.harness
        .database()
        .run(
            "insert into auth.audit (id, member_id, event, at)
            select gen_random_uuid(), member_id, 'signed in', at
            from auth.audit, generate_series(1, 10000)",
        )
        .await;
    // A dropped stream frees its connection and its place: two exports run at once.
    for _ in 0..4 {
        let mut stream = home.export().await.unwrap();
        for _ in 0..3 {
            assert!(stream.try_next().await.unwrap().is_some());
        }
    }
    assert_eq!(home.exported().await.iter().filter(|(section, _)| section == "audit").count(), 10_006);
}

#[tokio::test]
async fn a_stopping_process_ends_an_export_with_an_error() {
    let auth = Auth::start().await;
    let home = auth.member(1).await;
    auth.harness
        .database()
        .run(
            "insert into auth.audit (id, member_id, event, at)
            select gen_random_uuid(), member_id, 'signed in', at
            from auth.audit, generate_series(1, 10000)",
        )
        .await;
    let mut stream = home.export().await.unwrap();
    assert!(stream.try_next().await.unwrap().is_some());
    auth.harness.stop().await;
    let rest: Result<Vec<_>, _> = stream.try_collect().await;
    assert_eq!(rest.unwrap_err().code(), tonic::Code::Unavailable);
}
