//! The secrets of authenticator apps at rest: encryption, rotation of the key, and secrets of earlier versions.

use auth::{
    credentials::sealing::{Sealed, SealingKeys},
    second_factor::{
        stored_secrets,
        totp::{self, TotpCode},
    },
};
use chrono::TimeDelta;
use portia_proto::auth::LoginRequest;
use primitives::error::ErrorKind;
use totp_rs::Secret;

use crate::{Auth, PASSWORD, details};

/// Stores the secret of member 1 as an earlier version did.
async fn store_in_clear(auth: &Auth, secret: &Secret) {
    let hex: String = secret.as_bytes().iter().map(|byte| format!("{byte:02x}")).collect();
    let member = testkit::member(1);
    let update =
        format!("update auth.totp_secrets set secret = '\\x{hex}', key_id = null where member_id = '{member}'");
    auth.harness.database().run(update).await;
}

/// The stored secret of a member.
async fn stored(auth: &Auth, member: uuid::Uuid) -> Sealed {
    let bytes = sqlx::query_scalar("select secret from auth.totp_secrets where member_id = $1").bind(member);
    let key_id = sqlx::query_scalar("select key_id from auth.totp_secrets where member_id = $1").bind(member);
    Sealed { bytes: bytes.fetch_one(auth.pool()).await.unwrap(), key_id: key_id.fetch_one(auth.pool()).await.unwrap() }
}

#[tokio::test]
async fn the_secret_is_encrypted_with_the_key_of_the_service() {
    let auth = Auth::start().await;
    let (home, other) = (auth.member(1).await, auth.member(2).await);
    let secret = auth.set_up(&home).await;
    let clear = Secret::try_from_base32(&secret).unwrap();
    let row = "select secret from auth.totp_secrets where confirmed_at is not null";
    let stored: Vec<u8> = auth.value(row).await;
    assert!(!stored.windows(clear.as_bytes().len()).any(|part| part == clear.as_bytes()));
    let key_id: String = auth.value("select key_id from auth.totp_secrets").await;
    let sealed = Sealed { key_id, bytes: stored.clone() };
    assert_eq!(*auth.secrets().open(home.member, &sealed).unwrap(), *clear.as_bytes());
    // The row of one member does not work for another member.
    other.create_totp().await.unwrap();
    let copy = "update auth.totp_secrets o set secret = m.secret, key_id = m.key_id, confirmed_at = m.confirmed_at, last_step = 0
        from auth.totp_secrets m where m.confirmed_at is not null and o.confirmed_at is null";
    auth.harness.database().run(copy).await;
    auth.harness.clock.advance(TimeDelta::minutes(1));
    let message = LoginRequest {
        username: "member.2".into(),
        password: PASSWORD.into(),
        one_time_code: Some(auth.code(&secret)),
        ..LoginRequest::default()
    };
    let refused = auth.client().login(auth.request(message)).await.map(drop);
    assert_eq!(details(refused).kind, ErrorKind::Internal);
}

#[tokio::test]
async fn a_secret_in_clear_is_encrypted_at_its_next_use() {
    let auth = Auth::start().await;
    let home = auth.member(1).await;
    let secret = auth.set_up(&home).await;
    let clear = Secret::try_from_base32(&secret).unwrap();
    store_in_clear(&auth, &clear).await;
    auth.login_with(PASSWORD, Some("000000")).await.unwrap_err();
    let is_clear = "select key_id is null and octet_length(secret) = 20 from auth.totp_secrets";
    assert!(auth.value::<bool>(is_clear).await, "a wrong code is no use");
    for _ in 0..2 {
        auth.harness.clock.advance(TimeDelta::minutes(1));
        auth.login_with(PASSWORD, Some(&auth.code(&secret))).await.unwrap();
        assert!(
            auth.value::<bool>("select key_id is not null and octet_length(secret) = 48 from auth.totp_secrets").await
        );
    }
}

#[tokio::test]
async fn after_a_rotation_a_secret_moves_to_the_new_key_at_its_next_use() {
    let auth = Auth::start().await;
    let home = auth.member(1).await;
    let secret = auth.set_up(&home).await;
    let folder = tempfile::tempdir().unwrap();
    let (old, new) = (auth.harness.context.config.text("credential_keys").unwrap(), folder.path().join("new"));
    std::fs::write(&new, "0f".repeat(32)).unwrap();
    auth.harness.clock.advance(TimeDelta::minutes(1));
    let code = TotpCode::parse(&auth.code(&secret)).unwrap();
    let keys = SealingKeys::read([new.as_path(), old.as_ref()]).unwrap();
    let mut tx = db::begin(auth.pool()).await.unwrap();
    assert!(totp::consume(&mut tx, home.member, &code, &keys, auth.harness.clock.now()).await.unwrap());
    tx.commit().await.unwrap();
    // The service has the old key only.
    auth.harness.clock.advance(TimeDelta::minutes(1));
    let refused = details(auth.login_with(PASSWORD, Some(&auth.code(&secret))).await);
    assert_eq!(refused.kind, ErrorKind::Internal);
    let code = TotpCode::parse(&auth.code(&secret)).unwrap();
    let keys = SealingKeys::read([new.as_path()]).unwrap();
    let mut tx = db::begin(auth.pool()).await.unwrap();
    assert!(totp::consume(&mut tx, home.member, &code, &keys, auth.harness.clock.now()).await.unwrap());
}

#[tokio::test]
async fn the_cleanup_encrypts_secrets_in_clear_and_of_earlier_keys() {
    let auth = Auth::start().await;
    let (home, other, third) = (auth.member(1).await, auth.member(2).await, auth.member(3).await);
    let secret = auth.set_up(&home).await;
    auth.set_up(&other).await;
    auth.set_up(&third).await;
    let clear = Secret::try_from_base32(&secret).unwrap();
    store_in_clear(&auth, &clear).await;
    // Encrypted with a key that is lost.
    let lost = format!("update auth.totp_secrets set key_id = repeat('0', 16) where member_id = '{}'", third.member);
    auth.harness.database().run(lost).await;
    let folder = tempfile::tempdir().unwrap();
    let (old, new) = (auth.harness.context.config.text("credential_keys").unwrap(), folder.path().join("new"));
    std::fs::write(&new, "0f".repeat(32)).unwrap();
    let keys = SealingKeys::read([new.as_path(), old.as_ref()]).unwrap();
    assert_eq!(stored_secrets::reseal(auth.pool(), &keys).await.unwrap(), 2);
    assert_eq!(stored_secrets::reseal(auth.pool(), &keys).await.unwrap(), 0);
    let only_new = SealingKeys::read([new.as_path()]).unwrap();
    for member in [home.member, other.member, third.member] {
        let opened = only_new.open(member, &stored(&auth, member).await);
        assert_eq!(opened.is_ok(), member != third.member);
        assert!(member != home.member || *opened.unwrap() == *clear.as_bytes());
    }
}
