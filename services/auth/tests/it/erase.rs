//! Erasing an account: only audit rows with ids stay, and a fact is published.

use chrono::TimeDelta;
use outbox::{Changes, Outbox};
use portia_proto::auth::AccountErased;
use testkit::member;

use crate::{Auth, PASSWORD, authenticator::Authenticator, details, registration};

impl Auth {
    pub async fn erase_due(&self) -> u64 {
        let changes = Changes::new(&self.harness.context, &Outbox::new("auth"));
        auth::deactivation::erase_due(self.pool(), &changes).await.unwrap()
    }
}

#[tokio::test]
async fn an_erased_member_leaves_only_ids_in_the_audit() {
    let auth = Auth::start().await;
    let gone = auth.member(1).await;
    let stays = auth.member(2).await;
    for member in [&gone, &stays] {
        member.renew_codes().await.unwrap();
        member.create_totp().await.unwrap();
    }
    gone.add_passkey(&auth, &mut Authenticator::new()).await.unwrap();
    stays.add_passkey(&auth, &mut Authenticator::new()).await.unwrap();
    auth.sign_in(1, &stays.browser).await;
    gone.close("member.1").await.unwrap();
    auth.link(1).await;
    let database = auth.harness.database();
    let (gone_id, other) = (member(1), member(2));
    database
        .run(format!(
            "insert into auth.disputes (kind, id, about, claimant_id, respondent_id, is_open)
            values ('report', gen_random_uuid(), 'member x', '{gone_id}', '{other}', true);
            insert into auth.suspensions (id, member_id, suspended_at, by_moderator, ended_at)
            values (gen_random_uuid(), '{gone_id}', to_timestamp(0), true, to_timestamp(1));
            insert into auth.suspensions (id, member_id, suspended_at, by_moderator, suspended_by, ended_at)
            values (gen_random_uuid(), '{other}', to_timestamp(0), true, '{gone_id}', to_timestamp(1))",
        ))
        .await;
    assert_eq!(
        database.tables_referencing(member(1)).await,
        [
            "accounts",
            "audit",
            "disputes",
            "known_browsers",
            "passkeys",
            "recovery_codes",
            "reset_links",
            "suspensions",
            "totp_secrets",
            "trusted_browsers"
        ]
    );

    auth.harness.clock.advance(TimeDelta::days(14) - TimeDelta::seconds(1));
    assert_eq!(auth.erase_due().await, 0, "the reactivation period is not over");
    auth.harness.clock.advance(TimeDelta::seconds(1));
    assert_eq!(auth.erase_due().await, 1);
    assert_eq!(auth.erase_due().await, 0, "erased once");

    assert_eq!(database.tables_referencing(member(1)).await, ["audit"]);
    let rows = sqlx::query_scalar::<_, String>("select t::text from auth.audit t where member_id = $1").bind(member(1));
    let rows = rows.fetch_all(auth.pool()).await.unwrap();
    assert!(rows.iter().all(|row| !row.contains("192.0.2") && !row.to_lowercase().contains("member.1")), "{rows:?}");
    assert_eq!(
        auth.audit_of(member(1)).await,
        ["closed", "erased", "passkey added", "recovery codes made", "registered", "reset link made", "signed in"]
    );
    assert_eq!(auth.facts::<AccountErased>().await, [member(1).to_string()]);
    assert_eq!(details(auth.login("member.1", PASSWORD).await).reason, "BAD_CREDENTIALS");

    assert_eq!(auth.value::<i64>("select count(*) from auth.recovery_codes").await, 8, "rows of the other member");
    assert_eq!(auth.value::<i64>("select count(*) from auth.passkeys").await, 1, "that of the other member");
    assert!(auth.is_trusted("member.2", &auth.sign_in(2, "").await.browser).await);
    let address: i64 = auth.value("select count(*) from auth.audit where address is not null").await;
    assert!(address > 0, "rows of the other member");
}

#[tokio::test]
async fn the_username_of_an_erased_account_is_free() {
    let auth = Auth::start().await;
    auth.member(1).await.close("member.1").await.unwrap();
    auth.harness.clock.advance(TimeDelta::days(14));
    assert_eq!(auth.erase_due().await, 1);
    let heir = portia_proto::auth::RegisterRequest { username: "Member.1".into(), ..registration(3) };
    auth.register(heir).await.unwrap();
    assert_eq!(auth.login("member.1", PASSWORD).await.unwrap().member_id, member(3).to_string());
}

#[tokio::test]
async fn concurrent_cleanups_erase_each_account_once() {
    let auth = Auth::start().await;
    auth.member(1).await;
    // Stops the service's own cleanup.
    auth.harness.stop().await;
    auth.harness
        .database()
        .run(
            "insert into auth.accounts (id, username, username_key, password_hash, created_at, closed_at)
            select gen_random_uuid(), 'closed' || n, 'closed' || n, '$', to_timestamp(0), to_timestamp(n)
            from generate_series(1, 40) n",
        )
        .await;
    let (one, other) = futures::join!(auth.erase_due(), auth.erase_due());
    assert_eq!(one + other, 40);
    let mut keys = auth.facts::<AccountErased>().await;
    keys.sort();
    keys.dedup();
    assert_eq!(keys.len(), 40);
    assert_eq!(auth.value::<i64>("select count(*) from auth.accounts").await, 1);
    assert_eq!(auth.value::<i64>("select count(*) from auth.audit where event = 'erased'").await, 40);
}
