//! An erased account leaves nothing of the member here; what was approved stays, from nobody.

use portia_proto::{auth::AccountErased, news::ListResourcesRequest};
use testkit::member;

use crate::{newsroom::Newsroom, suggestions::suggestion};

#[tokio::test]
async fn nothing_of_the_member_is_left() {
    let newsroom = Newsroom::open().await;
    newsroom.offer(1, Some(member(1)), true).await;
    newsroom.suggest(member(1), &suggestion("https://one.example/")).await.unwrap();
    newsroom.suggest(member(2), &suggestion("https://two.example/")).await.unwrap();
    let database = newsroom.harness.database();
    assert_eq!(database.tables_naming(member(1)).await, ["resources", "suggesters"]);

    let erased = AccountErased { member_id: member(1).to_string() };
    newsroom.auth.tell(member(1), &erased);
    let seq = newsroom.auth.tell(member(1), &erased);
    newsroom.harness.heard("auth", seq).await;

    assert_eq!(database.tables_naming(member(1)).await, Vec::<String>::new());
    assert_eq!(newsroom.resources(ListResourcesRequest::default()).await.unwrap().resources.len(), 1);
    let waiting = database.tables_naming(member(2)).await;
    assert_eq!(waiting, ["resources", "suggesters"], "the suggestion of another waits on");
    newsroom.harness.stop().await;
}
