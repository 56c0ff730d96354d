//! Members on a page: asked for once, forgotten when they change, nameless when nobody can say.

use portia_proto::profile::MemberChanged;
use tokio::time::timeout;

use crate::{
    cast::ANA,
    door::Door,
    fakes::{SOON, World},
};

#[tokio::test]
async fn a_warm_page_asks_nobody() {
    let door = Door::open().await;
    let cold = door.get("/api/posts").await;
    assert_eq!(door.world.count("batch_get_members"), 1, "author and commenter in one call");
    let warm = door.get("/api/posts").await;
    assert_eq!(door.world.count("batch_get_members"), 0);
    assert_eq!(cold.json(), warm.json());
}

#[tokio::test]
async fn a_changed_member_is_asked_for_again() {
    let door = Door::open().await;
    door.get("/api/posts").await;
    door.world.tell("profile", &MemberChanged { member_id: ANA.to_string(), ..MemberChanged::default() }).await;
    let asked_again = async {
        door.world.seen();
        while door.world.count("batch_get_members") == 0 {
            door.get("/api/posts").await;
        }
    };
    timeout(SOON, asked_again).await.unwrap();
}

#[tokio::test]
async fn without_profile_the_page_still_comes() {
    let door = Door::open().await;
    door.world.fail("batch_get_members", World::away());
    let reply = door.get("/api/posts").await;
    assert_eq!((reply.status.as_u16(), reply.header("x-degraded")), (200, "profile"));
    let author = &reply.json()[0]["user"];
    assert_eq!(author["fullName"], "Portia member");
    assert_eq!(author["id"], ANA.to_string());
    door.world.heal();
    let reply = door.get("/api/posts").await;
    assert_eq!(reply.header("x-degraded"), "");
    assert_eq!(reply.json()[0]["user"]["fullName"], "Ana Reyes");
}

#[tokio::test]
async fn cards_it_has_serve_while_profile_is_away() {
    let door = Door::open().await;
    door.get("/api/posts").await;
    door.world.fail("batch_get_members", World::away());
    let reply = door.get("/api/posts").await;
    assert_eq!(reply.header("x-degraded"), "");
    assert_eq!(reply.json()[0]["user"]["fullName"], "Ana Reyes");
}
