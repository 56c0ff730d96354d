//! The commands of operators on facts that a service could not apply.

use portia_proto::auth::AccountReopened;
use prost::{Message as _, Name as _};
use sqlx::{ConnectOptions as _, Connection as _, PgConnection};

use crate::{
    admin::{admin, assert_refused, utf8},
    local::{folder, start, wait_until_consumes},
};

const MEMBER: &str = "01930000-0000-7000-8000-000000000401";

async fn insert(db: &mut PgConnection, member: &str) -> String {
    let sql = "insert into feed.dead_facts (source, seq, kind, key, payload, error, at)
        values ('auth', 7, $1, $2, $3, 'broken', now()) returning id";
    let payload = AccountReopened { member_id: member.to_owned() }.encode_to_vec();
    let id = sqlx::query_scalar::<_, i64>(sql).bind(AccountReopened::full_name()).bind(member).bind(payload);
    id.fetch_one(db).await.unwrap().to_string()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dead_fact_is_listed_shown_applied_again_and_dropped() {
    let data = folder();
    let home = data.path().join("data");
    let stack = start(&data, true).await;
    wait_until_consumes(&stack, "feed", "auth").await;
    let facts = |part: &[&str]| admin(&home, &[&["facts"], part].concat());
    assert_eq!(utf8(&facts(&["list"]).stdout), "Every fact was applied.\n");

    let mut db = stack.context("feed").unwrap().database.clone().unwrap().connect().await.unwrap();
    let (good, bad) = (insert(&mut db, MEMBER).await, insert(&mut db, "no id").await);
    db.close().await.unwrap();
    let listed = utf8(&facts(&["list"]).stdout);
    let lines: Vec<&str> = listed.lines().collect();
    assert!(lines.len() == 3 && lines[0].starts_with("service  id"), "{listed}");
    for (line, id) in lines[1..].iter().zip([&good, &bad]) {
        let start = format!("feed     {id}   auth    7    portia.auth.v1.AccountReopened");
        assert!(line.starts_with(&start) && line.ends_with("broken"), "{listed}");
    }
    let shown = utf8(&facts(&["show", "feed", &good]).stdout);
    assert!(
        shown.contains(&format!("\"memberId\": \"{MEMBER}\"")) && shown.contains("could not apply it: broken"),
        "{shown}"
    );

    let output = facts(&["replay", "feed", &good]);
    assert_eq!(utf8(&output.stdout), "It is applied.\n", "{}", utf8(&output.stderr));
    assert_refused(&facts(&["replay", "feed", &bad]), "It failed again: ");
    let output = facts(&["drop", "feed", &bad]);
    assert_eq!(utf8(&output.stdout), "It is deleted and was not applied.\n", "{}", utf8(&output.stderr));
    assert_eq!(utf8(&facts(&["list"]).stdout), "Every fact was applied.\n");
    for command in ["show", "replay", "drop"] {
        assert_refused(&facts(&[command, "feed", &good]), "There is no such fact");
    }
    assert_eq!(facts(&["show", "gateway", &good]).status.code(), Some(2));
    stack.stop().await.unwrap();
    assert_refused(&facts(&["list"]), "Portia is not running on the data in");
}
