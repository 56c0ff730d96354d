//! The bare server answers with Portia's rows, and changes only its own.

use std::path::Path;

use chrono::{DateTime, Utc};
use portia_bench::{
    bare::{self, Bare},
    client::{Member, Request},
    fill::fill,
    world::World,
};
use reqwest::Method;
use serde_json::Value;

use crate::database::Database;

async fn get(member: &Member, path: &str) -> (Value, Option<String>) {
    let answer = member.send(&Request::get(path)).await.unwrap();
    (answer.json().unwrap(), answer.next)
}

fn ids(list: &Value) -> Vec<&str> {
    list.as_array().unwrap().iter().map(|entry| entry["id"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn the_bare_server_answers_with_the_rows_of_portia() {
    let mut database = Database::fresh("bare").await;
    let as_of: DateTime<Utc> = "2026-11-01T12:00:00Z".parse().unwrap();
    fill(&mut database.db, &World::new("60".parse().unwrap(), as_of), &|_| {}).await.unwrap();
    for _ in 0..2 {
        bare::ensure_tables(&mut database.db, &|_| {}).await.unwrap();
    }
    let server = Bare::start(Path::new(env!("CARGO_BIN_EXE_portia-bench")), &database.options()).unwrap();
    let most =
        "select member_id::text from bare.connections group by member_id order by count(*) desc, member_id limit 1";
    let me = database.rows(most).await.remove(0);
    let member = Member::without_session(&server.base, &me).unwrap();

    let newest =
        "select id::text from feed.posts where community_id is null order by created_at desc, id desc limit 40";
    let expected = database.rows(newest).await;
    let (first, next) = get(&member, &format!("/posts?me={me}")).await;
    let (second, _) = get(&member, &next.unwrap()).await;
    assert_eq!([ids(&first), ids(&second)].concat(), expected);

    let post = expected[0].clone();
    let (shown, _) = get(&member, &format!("/posts/{post}?me={me}")).await;
    let comments = format!(
        "select id::text
        from (select * from feed.comments where post_id = '{post}' order by created_at desc, id desc limit 20) as c
        order by created_at, id"
    );
    assert_eq!(ids(&shown["comments"]), database.rows(&comments).await);

    let home = format!(
        "select p.id::text
        from feed.posts p
        join bare.connections c on c.other_id = p.author_id
        where c.member_id = '{me}' and p.community_id is null
        order by p.created_at desc, p.id desc
        limit 20"
    );
    assert_eq!(ids(&get(&member, &format!("/home?me={me}")).await.0), database.rows(&home).await);

    let name = database.rows(&format!("select full_name from profile.members where id = '{me}'")).await.remove(0);
    assert_eq!(get(&member, &format!("/members/{me}")).await.0["fullName"], *name);
    let people = get(&member, &format!("/people?q={}", name.replace(' ', "+").to_lowercase())).await.0;
    assert!(ids(&people).contains(&&*me), "{people}");
    assert_eq!(get(&member, "/people?q=%25").await.0, Value::Array(vec![]), "a percent sign is in no name");
    let unread =
        format!("select coalesce(sum(unread_count), 0)::text from messaging.participants where member_id = '{me}'");
    assert_eq!(get(&member, &format!("/unread?me={me}")).await.0.to_string(), database.rows(&unread).await[0]);

    let likes = |method| Request { method, path: format!("/posts/{post}/likes?me={me}"), body: None };
    database.rows(&format!("delete from bare.likes where member_id = '{me}' returning post_id::text")).await;
    let before = shown["likeCount"].as_i64().unwrap();
    for (method, count) in [
        (Method::POST, Value::from(before + 1)),
        (Method::POST, Value::Null),
        (Method::DELETE, Value::from(before)),
        (Method::DELETE, Value::Null),
    ] {
        assert_eq!(member.send(&likes(method)).await.unwrap().json().unwrap(), count);
    }
    let counted = format!("select like_count::text from feed.posts where id = '{post}'");
    assert_eq!(database.rows(&counted).await, [before.to_string()], "Portia's rows are not written");
    drop(server);
    database.drop().await;
}
