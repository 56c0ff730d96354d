//! The audit only grows: the service cannot change it, and other changes are found.

use auth::admin::{AuditHead, Finding, Verification, verify_audit};
use chrono::TimeDelta;
use testkit::{member, pause};

use crate::Auth;

impl Auth {
    /// Waits until the service has linked all rows.
    async fn wait_until_sealed(&self) {
        while self.value::<i64>("select count(*) from auth.audit where seq is null").await > 0 {
            pause().await;
        }
    }

    async fn verify(&self, kept: Option<AuditHead>) -> Verification {
        verify_audit(&mut self.pool().acquire().await.unwrap(), kept).await.unwrap()
    }

    /// The place of a row with an address, which is not the first one.
    async fn row_with_address(&self) -> i64 {
        self.value("select max(seq) from auth.audit where event = 'registered' and address is not null").await
    }

    async fn finding(&self) -> Option<Finding> {
        self.verify(None).await.finding
    }

    /// Runs a statement with every right, looks at the chain, and undoes it by `undo`.
    async fn finding_after(&self, change: &str, undo: &str) -> Option<Finding> {
        self.harness.database().run_as_superuser(change).await;
        let finding = self.finding().await;
        self.harness.database().run_as_superuser(undo).await;
        assert_eq!(self.finding().await, None, "{undo}");
        finding
    }
}

/// A service with some rows in its audit, and a second member.
async fn with_history() -> (Auth, AuditHead) {
    let auth = Auth::start().await;
    auth.member(1).await.renew_codes().await.unwrap();
    auth.member(2).await;
    auth.sign_in(1, "").await;
    auth.link(1).await;
    auth.wait_until_sealed().await;
    let Verification { head, unsealed, finding } = auth.verify(None).await;
    assert_eq!((unsealed, finding), (0, None));
    assert_eq!(head.seq, auth.value::<i64>("select count(*) from auth.audit").await);
    assert!(head.seq >= 5, "{head}");
    (auth, head)
}

#[tokio::test]
async fn a_changed_row_is_found() {
    let (auth, _) = with_history().await;
    let row = auth.row_with_address().await;
    for (column, value) in [
        ("event", "'signed out'"),
        ("member_id", "gen_random_uuid()"),
        ("session_id", "gen_random_uuid()"),
        ("at", "at + interval '1 microsecond'"),
        ("address", "'203.0.113.9'"),
        ("note", "'A remark'"),
        ("about", "'post'"),
        ("reason", "'spam'"),
        ("actor", "'operator'"),
        ("salt", "null"),
        ("private_hash", "sha256('')"),
        ("hash", "sha256('')"),
        ("id", "gen_random_uuid()"),
    ] {
        let change = format!(
            "create table public.before as select * from auth.audit where seq = {row};
            update auth.audit set {column} = {value} where seq = {row}"
        );
        let undo = format!(
            "delete from auth.audit where seq = {row};
            insert into auth.audit select * from public.before;
            drop table public.before"
        );
        let finding = auth.finding_after(&change, &undo).await;
        assert!(matches!(finding, Some(Finding::Changed { seq, .. }) if seq == row), "{column}: {finding:?}");
    }
}

#[tokio::test]
async fn a_removed_row_and_a_removed_end_are_found() {
    let (auth, head) = with_history().await;
    let undo = "insert into auth.audit select * from public.before; drop table public.before";
    for (condition, first) in [("seq = 3", 3), ("seq = 1", 1), ("seq > 2", 3), ("true", 1)] {
        let change = format!(
            "create table public.before as select * from auth.audit where {condition};
            delete from auth.audit where {condition}"
        );
        assert_eq!(auth.finding_after(&change, undo).await, Some(Finding::Missing { seq: first }), "{condition}");
    }
    // A row that is put in moves the others.
    let change = "update auth.audit set seq = -seq where seq > 2;
        insert into auth.audit (id, member_id, event, at, seq, salt, private_hash, hash)
        select gen_random_uuid(), member_id, event, at, 3, salt, private_hash, hash from auth.audit where seq = 1";
    auth.harness.database().run_as_superuser(change).await;
    let finding = auth.finding().await;
    assert!(matches!(finding, Some(Finding::Changed { .. })), "{finding:?} {head}");
}

#[tokio::test]
async fn a_chain_that_was_written_anew_is_found_with_a_head_that_was_kept_elsewhere() {
    let (auth, head) = with_history().await;
    auth.harness.stop().await;
    let cut = "delete from auth.audit where seq > 2;
        update auth.audit_head h set seq = a.seq, hash = a.hash from auth.audit a where a.seq = 2";
    auth.harness.database().run_as_superuser(cut).await;
    assert_eq!(auth.finding().await, None, "its own head does not show it");
    assert_eq!(auth.verify(Some(head)).await.finding, Some(Finding::Missing { seq: 3 }));

    let anew = "update auth.audit set seq = null;
        update auth.audit set event = 'signed out' where event = 'recovery codes made';
        update auth.audit_head set seq = 0, hash = decode(repeat('00', 32), 'hex');
        insert into auth.audit (id, member_id, event, at)
        select gen_random_uuid(), member_id, 'signed in', at from auth.audit, generate_series(1, 5);
        select auth.seal_audit(1000)";
    auth.harness.database().run_as_superuser(anew).await;
    assert_eq!(auth.finding().await, None, "its own head does not show it");
    assert_eq!(auth.verify(Some(head)).await.finding, Some(Finding::Rewritten { seq: head.seq }));
    let start = AuditHead { seq: 0, hash: [0; 32] };
    assert_eq!(auth.verify(Some(start)).await.finding, None);
}

#[tokio::test]
async fn a_changed_head_is_found() {
    let (auth, head) = with_history().await;
    auth.harness.stop().await;
    auth.harness.database().run_as_superuser("update auth.audit_head set hash = sha256('')").await;
    assert_eq!(auth.finding().await, Some(Finding::Head { seq: head.seq }));
    auth.harness.database().run_as_superuser("delete from auth.audit_head").await;
    assert_eq!(auth.finding().await, Some(Finding::Head { seq: 0 }));
}

#[tokio::test]
async fn an_erasure_removes_addresses_and_breaks_nothing() {
    let (auth, head) = with_history().await;
    let gone = auth.sign_in(1, "").await;
    gone.close("member.1").await.unwrap();
    auth.wait_until_sealed().await;
    auth.harness.clock.advance(TimeDelta::days(14));
    let erased = auth.erase_due().await;
    assert_eq!(erased, 1);
    // Whether or not the row of the erasure is linked.
    assert_eq!(auth.verify(Some(head)).await.finding, None);
    auth.wait_until_sealed().await;
    assert_eq!(auth.verify(Some(head)).await.finding, None);
    let redacted = sqlx::query_scalar::<_, bool>(
        "select count(address) + count(note) = 0 and bool_or(salt is null) from auth.audit where member_id = $1",
    );
    assert!(redacted.bind(member(1)).fetch_one(auth.pool()).await.unwrap());
}

#[tokio::test]
async fn an_address_of_a_member_who_was_not_erased_is_missed() {
    let (auth, _) = with_history().await;
    let row = auth.row_with_address().await;
    let redact = format!("update auth.audit set address = null, note = null, salt = null where seq = {row}");
    auth.harness.database().run_as_superuser(redact).await;
    let finding = auth.finding().await;
    assert!(matches!(finding, Some(Finding::Redacted { seq, .. }) if seq == row), "{finding:?}");
    // A row that says so does not make an erasure of an account that exists, whether or not it is linked.
    let claim = format!(
        "insert into auth.audit (id, member_id, event, at)
        select gen_random_uuid(), member_id, 'erased', now() from auth.audit where seq = {row}"
    );
    auth.harness.database().run(claim).await;
    for _ in 0..2 {
        let finding = auth.finding().await;
        assert!(matches!(finding, Some(Finding::Redacted { seq, .. }) if seq == row), "{finding:?}");
        auth.wait_until_sealed().await;
    }
}

#[tokio::test]
async fn the_service_appends_and_cannot_change_what_is_written() {
    let (auth, head) = with_history().await;
    let denied = async |statement: &'static str| {
        let done = sqlx::raw_sql(statement).execute(auth.pool()).await;
        let code = done.err().and_then(|error| error.as_database_error()?.code().map(|code| code.into_owned()));
        assert_eq!(code.as_deref(), Some("42501"), "{statement}");
    };
    for statement in [
        "update auth.audit set event = 'signed out'",
        "delete from auth.audit",
        "truncate auth.audit",
        "select * from auth.audit for update",
        "insert into auth.audit (id, member_id, event, at, seq) values (gen_random_uuid(), gen_random_uuid(), 'closed', now(), 9)",
        "insert into auth.audit select * from auth.audit on conflict (id) do update set event = 'closed'",
        "update auth.audit_head set seq = 0",
        "delete from auth.audit_head",
        "insert into auth.audit_head (id, seq, hash) values (2, 0, '')",
        "alter table auth.audit disable trigger all",
        "create or replace function auth.seal_audit(batch integer) returns integer language sql as 'select 0'",
        "alter function auth.redact_audit(uuid) security invoker",
    ] {
        denied(statement).await;
    }
    let endless = "insert into auth.audit (id, member_id, event, at)
        values (gen_random_uuid(), gen_random_uuid(), 'closed', 'infinity')";
    let refused = sqlx::raw_sql(endless).execute(auth.pool()).await.unwrap_err();
    assert_eq!(refused.as_database_error().and_then(|error| error.constraint()), Some("audit_at_check"));
    // An account that exists keeps its addresses, whatever the service says.
    auth.harness.database().run(format!("select from auth.redact_audit('{}')", member(1))).await;
    assert!(auth.value::<i64>("select count(*) from auth.audit where address is not null").await > 0);
    let verified = auth.verify(Some(head)).await;
    assert_eq!((verified.head, verified.finding), (head, None));
}

#[tokio::test]
async fn rows_of_many_writers_and_replicas_have_one_order() {
    let auth = Auth::start().await;
    auth.member(1).await;
    let writers = (0..4).map(async |_| {
        for _ in 0..25 {
            sqlx::raw_sql(
                "insert into auth.audit (id, member_id, event, at)
                select gen_random_uuid(), gen_random_uuid(), 'signed in', now() - n * interval '1 hour' from generate_series(1, 3) n",
            )
            .execute(auth.pool())
            .await
            .unwrap();
        }
    });
    let sealing = (0..3).map(async |_| {
        for _ in 0..25 {
            sqlx::raw_sql("select auth.seal_audit(7)").execute(auth.pool()).await.unwrap();
        }
    });
    tokio::join!(futures::future::join_all(writers), futures::future::join_all(sealing));
    auth.wait_until_sealed().await;
    let Verification { head, unsealed, finding } = auth.verify(None).await;
    assert_eq!((unsealed, finding), (0, None));
    assert_eq!(head.seq, 300 + auth.value::<i64>("select count(*) from auth.audit where event <> 'signed in'").await);
}
