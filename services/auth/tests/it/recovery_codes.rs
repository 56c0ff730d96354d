//! Recovery codes: renewal, and the count of unused ones.

use auth::recovery::codes::RecoveryCode;
use chrono::TimeDelta;

use crate::{Auth, PASSWORD, with_code};

#[tokio::test]
async fn a_renewal_replaces_the_eight_codes() {
    let auth = Auth::start().await;
    let home = auth.member(1).await;
    let none = home.code_status().await.unwrap();
    assert_eq!((none.remaining, none.made_at), (0, None));

    let first = home.renew_codes().await.unwrap();
    assert_eq!(first.len(), 8);
    assert!(first.iter().all(|code| code.len() == 29 && code.matches('-').count() == 5), "{first:?}");
    auth.harness.clock.advance(TimeDelta::minutes(1));
    let second = home.renew_codes().await.unwrap();
    assert!(second.iter().all(|code| !first.contains(code)));
    let left = home.code_status().await.unwrap();
    assert_eq!((left.remaining, left.made_at.unwrap().seconds), (8, auth.harness.clock.now().timestamp()));
    assert_eq!(auth.value::<i64>("select count(*) from auth.recovery_codes").await, 8);
    assert_eq!(auth.audit_of(home.member).await, ["recovery codes made", "recovery codes made", "registered"]);
}

#[tokio::test]
async fn a_used_code_is_not_counted() {
    let auth = Auth::start().await;
    let codes = auth.member(1).await.renew_codes().await.unwrap();
    let back = crate::ResetPasswordRequest { password: PASSWORD.into(), ..with_code(1, &codes[7]) };
    auth.reset(back).await.unwrap();
    assert_eq!(auth.sign_in(1, "").await.code_status().await.unwrap().remaining, 7);
}

#[tokio::test]
async fn concurrent_renewals_leave_one_set() {
    let auth = Auth::start().await;
    let home = auth.member(1).await;
    for _ in 0..10 {
        let sets = futures::future::join_all((0..4).map(|_| home.renew_codes())).await;
        assert!(sets.iter().all(Result::is_ok), "{sets:?}");
        assert_eq!(auth.value::<i64>("select count(*) from auth.recovery_codes").await, 8);
    }
}

#[tokio::test]
async fn the_shorter_codes_of_earlier_versions_stay_valid() {
    let auth = Auth::start().await;
    let home = auth.member(1).await;
    let former = "0110-ABCD-EFGH-JKMN";
    let hash = RecoveryCode::parse(former).unwrap().hash(home.member);
    let hash: String = hash.iter().map(|byte| format!("{byte:02x}")).collect();
    let insert = format!(
        "insert into auth.recovery_codes (member_id, code_hash, made_at)
        select id, decode('{hash}', 'hex'), created_at from auth.accounts"
    );
    auth.harness.database().run(insert).await;
    auth.reset(with_code(1, former)).await.unwrap();
}
