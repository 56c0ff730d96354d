//! Mentions: names in place of ids, with their offsets.

use portia_proto::feed;
use serde_json::json;
use uuid::Uuid;

use crate::{
    actors::{self, ANA, BEN, CARL, UNKNOWN},
    test_gateway::{TestGateway, TestRequest},
};

fn name(id: Uuid) -> String {
    actors::member(id).unwrap().full_name
}

#[tokio::test]
async fn a_list_has_names_in_place_of_ids_in_one_batch_call() {
    let gateway = TestGateway::start().await;
    let content = format!("\u{1f389} @[{BEN}] and @[{CARL}], not @[{UNKNOWN}] or @[x].");
    let mentioned_ids = vec![BEN.to_string(), UNKNOWN.to_string()];
    let comment =
        feed::Comment { content: format!("@[{CARL}]"), mentioned_ids: vec![CARL.to_string()], ..actors::comment() };
    let repost = feed::Repost {
        content: Some(format!("For @[{BEN}]")),
        mentioned_ids: vec![BEN.to_string()],
        ..actors::repost()
    };
    let post = feed::Post { content, mentioned_ids, comments: vec![comment], repost: Some(repost), ..actors::post() };
    *gateway.fakes.post.lock().unwrap() = Some(post);
    let body = gateway.send(TestRequest::new("GET", "/api/posts").by_member(ANA)).await.json();
    let post = &body[0];
    let (ben, carl) = (name(BEN), name(CARL));
    let text = format!("\u{1f389} @{ben} and @{carl}, not @Portia member or @[x].");
    assert_eq!(post["content"], text);
    // The emoji has two code units. Carl is not visible to Ana, and the unknown member has no name.
    let end = 4 + ben.encode_utf16().count();
    assert_eq!(post["mentions"], json!([{ "id": BEN, "name": ben, "start": 3, "end": end }]));
    assert_eq!(post["comments"][0]["content"], format!("@{carl}"));
    assert_eq!(post["comments"][0]["mentions"][0]["id"], json!(CARL));
    assert_eq!(
        (&post["repost"]["content"], &post["repost"]["mentions"][0]["start"]),
        (&json!(format!("For @{ben}")), &json!(4))
    );
    assert_eq!(gateway.fakes.count("batch_get_members"), 1);
}

#[tokio::test]
async fn a_new_comment_is_answered_with_the_name() {
    let gateway = TestGateway::start().await;
    let path = format!("/api/posts/{}/comments", actors::POST);
    let content = format!("Thank you, @[{BEN}]!");
    let body = json!({ "content": content });
    let reply = gateway.send(TestRequest::new("POST", &path).by_member(ANA).json(&body)).await.json();
    assert_eq!(reply["content"], format!("Thank you, @{}!", name(BEN)));
}
