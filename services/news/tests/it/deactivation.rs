//! Erasure: no row names the member; approved resources stay.

use portia_proto::{auth::AccountErased, news::ListResourcesRequest};
use testkit::member;

use crate::{fixtures::Fixture, suggestions::suggestion};

#[tokio::test]
async fn an_erased_member_is_named_in_no_row() {
    let fixture = Fixture::empty().await;
    fixture.insert_resource(1, Some(member(1)), true).await;
    fixture.suggest(member(1), &suggestion("https://one.example/")).await.unwrap();
    fixture.suggest(member(2), &suggestion("https://two.example/")).await.unwrap();
    let database = fixture.harness.database();
    assert_eq!(database.tables_referencing(member(1)).await, ["resources", "suggesters"]);

    let erased = AccountErased { member_id: member(1).to_string() };
    fixture.auth.publish(member(1), &erased);
    let seq = fixture.auth.publish(member(1), &erased);
    fixture.harness.wait_until_applied("auth", seq).await;

    assert_eq!(database.tables_referencing(member(1)).await, Vec::<String>::new());
    assert_eq!(fixture.list_resources(ListResourcesRequest::default()).await.unwrap().resources.len(), 1);
    let waiting = database.tables_referencing(member(2)).await;
    assert_eq!(waiting, ["resources", "suggesters"], "the suggestion of another member still waits");
    fixture.harness.stop().await;
}
