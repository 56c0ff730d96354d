//! The rights of the whole stack in Postgres: services serve with roles that change no table, and the audit only grows.

use std::{path::Path, time::Duration};

use chassis::config::field_name;
use portia::{SERVICES, stack::Stack};
use sqlx::{AssertSqlSafe, ConnectOptions as _, PgConnection};

use crate::{
    admin::{admin, assert_refused, utf8},
    browser::Browser,
    local::{folder, start},
};

const DENIED: &str = "42501";
const TIMEOUT: Duration = Duration::from_secs(60);

async fn serving(stack: &Stack, service: &str) -> PgConnection {
    stack.context(service).unwrap().database.clone().unwrap().connect().await.unwrap()
}

/// Connects with the rights of the tables' owner.
async fn owner_of_auth(stack: &Stack) -> PgConnection {
    let migrations = stack.database().of_migrations("auth").unwrap();
    migrations.options([("role", "portia_auth_owner")]).connect().await.unwrap()
}

async fn run(db: &mut PgConnection, statement: impl Into<String>) -> Result<(), String> {
    let done = sqlx::raw_sql(AssertSqlSafe(statement.into())).execute(db).await;
    done.map(drop).map_err(|error| error.as_database_error().unwrap().code().unwrap().into_owned())
}

#[tokio::test(flavor = "multi_thread")]
async fn no_service_can_change_its_tables_or_read_those_of_others() {
    let data = folder();
    let stack = start(&data, false).await;
    for service in SERVICES {
        let schema = field_name(service);
        let mut db = serving(&stack, service).await;
        let role: String = sqlx::query_scalar("select current_user::text").fetch_one(&mut db).await.unwrap();
        assert_eq!(role, format!("portia_{schema}"));
        for refused in [
            format!("alter table {schema}.outbox add column more text"),
            format!("drop table {schema}.outbox"),
            format!("truncate {schema}.outbox"),
            format!("create table {schema}.mine (id int)"),
            format!("create index on {schema}.outbox (at)"),
            format!("update {schema}._sqlx_migrations set checksum = ''"),
            format!("update {schema}.compatibility set oldest = 0"),
            format!("set role portia_{schema}_owner"),
            "set role portia_migrate".to_owned(),
        ] {
            assert_eq!(run(&mut db, refused.clone()).await.unwrap_err(), DENIED, "{refused}");
        }
        for other in SERVICES.map(field_name).iter().filter(|other| **other != schema) {
            let read = run(&mut db, format!("select from {other}.outbox")).await;
            assert_eq!(read.unwrap_err(), DENIED, "{service} reads {other}");
        }
        // A table that belongs to the service itself, or one that it cannot read, would be a hole or an error of a request.
        let odd: Vec<String> = sqlx::query_scalar(
            "select c.relname::text
            from pg_catalog.pg_class c
            where c.relnamespace = to_regnamespace($1)
                and c.relkind in ('r', 'S')
                and (pg_get_userbyid(c.relowner) <> current_user || '_owner' or not has_table_privilege(c.oid, 'select'))",
        )
        .bind(&schema)
        .fetch_all(&mut db)
        .await
        .unwrap();
        assert_eq!(odd, Vec::<String>::new(), "{service}");
    }
    stack.stop().await.unwrap();
}

fn verify(home: &Path, head: &[&str]) -> std::process::Output {
    admin(home, &[&["audit", "verify"], head].concat())
}

/// The newest row that a verification prints.
fn head_of(printed: &str) -> String {
    printed.lines().find_map(|line| line.strip_prefix("Newest row: ")).unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_operator_verifies_the_audit_and_is_told_the_first_changed_row() {
    let data = folder();
    let home = data.path().join("data");
    let stack = start(&data, true).await;
    let base = format!("http://{}", stack.address);
    for name in ["first.member", "second.member", "third.member"] {
        Browser::new(&base).register(name).await;
    }
    let mut auth = owner_of_auth(&stack).await;
    let sealed = async {
        let unsealed = "select count(*) from auth.audit where seq is null";
        while sqlx::query_scalar::<_, i64>(unsealed).fetch_one(&mut auth).await.unwrap() > 0 {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    tokio::time::timeout(TIMEOUT, sealed).await.expect("the rows of the audit are linked");
    let output = verify(&home, &[]);
    let printed = utf8(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{}", utf8(&output.stderr));
    assert!(printed.starts_with("The audit is unchanged: 3 rows.\nNewest row: 3:"), "{printed}");
    let head = head_of(&printed);
    assert_eq!(verify(&home, &["--head", &head]).status.code(), Some(0));
    let other = format!("2:{}", "0".repeat(64));
    assert_refused(&verify(&home, &["--head", &other]), "Row 2 is not the one of --head");
    let unreadable = verify(&home, &["--head", "3:abc"]);
    assert!(utf8(&unreadable.stderr).contains("64 hexadecimal digits"), "{}", utf8(&unreadable.stderr));

    run(&mut auth, "update auth.audit set at = at - interval '1 day' where seq = 2").await.unwrap();
    let changed = verify(&home, &[]);
    assert_refused(&changed, "Row 2 (");
    assert!(utf8(&changed.stderr).contains("The rows up to 1 are unchanged."), "{}", utf8(&changed.stderr));
    run(&mut auth, "delete from auth.audit where seq = 2").await.unwrap();
    assert_refused(&verify(&home, &[]), "Row 2 is missing");
    stack.stop().await.unwrap();
}
