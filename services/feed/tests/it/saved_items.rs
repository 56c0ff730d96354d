//! Saved items: each once, newest first, at most a thousand, visible to the member only.

use std::sync::Arc;

use portia_proto::feed::{
    BatchGetPostsRequest, DeletePostRequest, ListSavedItemsRequest, SaveItemRequest, SavedItem, SavedKind,
    UnsaveItemRequest,
};
use primitives::error::{ErrorKind, StatusDetails};
use tokio::task::JoinSet;
use uuid::Uuid;

use crate::fixtures::{Fixture, UNKNOWN_ID, community, member, retry_unavailable};

const KINDS: [SavedKind; 5] =
    [SavedKind::Post, SavedKind::Job, SavedKind::Article, SavedKind::Resource, SavedKind::Event];

async fn save(fixture: &Fixture, who: Uuid, kind: SavedKind, id: &str) -> Result<SavedItem, StatusDetails> {
    let (who, request) = (fixture.as_member(who), SaveItemRequest { kind: kind.into(), id: id.to_owned() });
    Ok(retry_unavailable(|| fixture.save_item(&who, request.clone())).await?.item.unwrap())
}

async fn unsave(fixture: &Fixture, who: Uuid, kind: SavedKind, id: &str) -> Result<(), StatusDetails> {
    let (who, request) = (fixture.as_member(who), UnsaveItemRequest { kind: kind.into(), id: id.to_owned() });
    retry_unavailable(|| fixture.unsave_item(&who, request.clone())).await.map(drop)
}

/// Returns all saved items, in pages of this size.
async fn list_saved(fixture: &Fixture, who: Uuid, kind: SavedKind, page_size: i32) -> Vec<SavedItem> {
    let mut request = ListSavedItemsRequest { kind: kind.into(), page_size, page_token: String::new() };
    let mut saved = Vec::new();
    loop {
        let page = fixture.list_saved_items(&fixture.as_member(who), request.clone()).await.unwrap();
        saved.extend(page.items);
        if page.next_page_token.is_empty() {
            return saved;
        }
        request.page_token = page.next_page_token;
    }
}

async fn assert_saver_counts(fixture: &Fixture) {
    let wrong = "select count(*) from feed.savers s
        where items <> (select count(*) from feed.saved_items i where i.member_id = s.member_id)";
    assert_eq!(fixture.count(wrong).await, 0);
}

fn id(n: u128) -> String {
    Uuid::from_u128(0x0193_0000_0000_7000_8000_0005_0000_0000 + n).to_string()
}

#[tokio::test]
async fn saved_items_are_listed_newest_first_and_by_kind() {
    let fixture = Fixture::new().await;
    let (me, post) = (member(1), fixture.create_post_of(member(2), "Keep this").await);
    let mut saved = Vec::new();
    for (n, kind) in (1..).zip(KINDS) {
        fixture.advance_clock(60);
        let id = if kind == SavedKind::Post { post.id.clone() } else { id(n) };
        let item = save(&fixture, me, kind, &id).await.unwrap();
        assert_eq!((item.kind(), &item.id), (kind, &id));
        assert_eq!(item.saved_at.unwrap().seconds, fixture.harness.clock.now().timestamp());
        saved.insert(0, item);
    }
    assert_eq!(list_saved(&fixture, me, SavedKind::Unspecified, 0).await, saved);
    for (kind, item) in KINDS.into_iter().rev().zip(&saved) {
        assert_eq!(list_saved(&fixture, me, kind, 0).await, std::slice::from_ref(item), "{kind:?}");
    }
    assert_eq!(list_saved(&fixture, member(2), SavedKind::Unspecified, 0).await, []);
    // A repeated save changes nothing, not even the time.
    fixture.advance_clock(60);
    let again = save(&fixture, me, SavedKind::Job, &id(2).to_uppercase()).await.unwrap();
    assert_eq!(again, saved[3]);
    assert_eq!(list_saved(&fixture, me, SavedKind::Unspecified, 0).await, saved);
    for _ in 0..2 {
        unsave(&fixture, me, SavedKind::Job, &id(2)).await.unwrap();
        unsave(&fixture, member(2), SavedKind::Event, &id(5)).await.unwrap();
    }
    // The same id of another kind is another item.
    unsave(&fixture, me, SavedKind::Article, &id(5)).await.unwrap();
    saved.remove(3);
    assert_eq!(list_saved(&fixture, me, SavedKind::Unspecified, 0).await, saved);
    assert_saver_counts(&fixture).await;
}

#[tokio::test]
async fn pages_contain_each_item_saved_at_the_same_time_once() {
    let fixture = Fixture::new().await;
    for n in 0..7 {
        save(&fixture, member(1), KINDS[1 + n as usize % 4], &id(n)).await.unwrap();
    }
    // One id of two kinds.
    save(&fixture, member(1), SavedKind::Event, &id(0)).await.unwrap();
    let whole = list_saved(&fixture, member(1), SavedKind::Unspecified, 100).await;
    assert_eq!(whole.len(), 8);
    for size in 1..=9 {
        assert_eq!(list_saved(&fixture, member(1), SavedKind::Unspecified, size).await, whole, "{size}");
    }
    let events: Vec<SavedItem> = whole.into_iter().filter(|item| item.kind() == SavedKind::Event).collect();
    assert_eq!(events.len(), 2);
    assert_eq!(list_saved(&fixture, member(1), SavedKind::Event, 1).await, events);
}

#[tokio::test]
async fn a_visible_post_can_be_saved_and_stays_saved_after_deletion() {
    let fixture = Fixture::new().await;
    let society = community(1);
    fixture.join_community(society, &[member(1), member(2)]).await;
    let ours = fixture.create_post_in(member(1), society, "Ours").await;
    let open = fixture.create_post_of(member(1), "Open").await;
    fixture.block_member(member(1), member(4)).await;
    for (who, post) in [(3, ours.id.as_str()), (4, &open.id), (2, UNKNOWN_ID)] {
        let refused = save(&fixture, member(who), SavedKind::Post, post).await.unwrap_err();
        assert_eq!((refused.kind, refused.reason.as_str()), (ErrorKind::NotFound, "POST_NOT_FOUND"), "{who}");
    }
    let list_saved = async |who: Uuid| {
        let ids =
            list_saved(&fixture, who, SavedKind::Post, 0).await.into_iter().map(|item| item.id).collect::<Vec<_>>();
        let request = BatchGetPostsRequest { post_ids: ids.clone() };
        let posts = fixture.batch_get_posts(&fixture.as_member(who), request).await.unwrap().posts;
        (ids.len(), posts.into_iter().map(|post| post.content).collect::<Vec<_>>())
    };
    for post in [&ours.id, &open.id] {
        save(&fixture, member(2), SavedKind::Post, post).await.unwrap();
    }
    let (saved, mut shown) = list_saved(member(2)).await;
    shown.sort();
    assert_eq!((saved, shown), (2, vec!["Open".to_owned(), "Ours".to_owned()]));
    fixture.leave_community(society, member(2)).await;
    assert_eq!(list_saved(member(2)).await, (2, vec!["Open".to_owned()]));
    let request = DeletePostRequest { post_id: open.id.clone(), reason: 0 };
    fixture.delete_post(&fixture.as_member(member(1)), request).await.unwrap();
    assert_eq!(list_saved(member(2)).await, (2, vec![]));
    feed::purge_deleted_posts(fixture.pool()).await.unwrap();
    assert_eq!(list_saved(member(2)).await, (2, vec![]));
    unsave(&fixture, member(2), SavedKind::Post, &open.id).await.unwrap();
    assert_eq!(list_saved(member(2)).await, (1, vec![]));
}

#[tokio::test]
async fn at_most_a_thousand_items_can_be_saved() {
    let fixture = Fixture::new().await;
    let fill = format!(
        "insert into feed.saved_items (member_id, kind, item_id, saved_at)
        select '{me}', 'job', '01930000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'), to_timestamp(n)
        from generate_series(1, 999) n;
        insert into feed.savers (member_id, items) values ('{me}', 999)",
        me = member(1)
    );
    fixture.harness.database().run(fill).await;
    save(&fixture, member(1), SavedKind::Event, &id(1)).await.unwrap();
    let refused = save(&fixture, member(1), SavedKind::Event, &id(2)).await.unwrap_err();
    assert_eq!((refused.kind, refused.reason.as_str()), (ErrorKind::Conflict, "TOO_MANY_SAVED"));
    assert_eq!(refused.message, "You can save up to 1,000 items");
    // At the limit a repeated save succeeds, and a removal permits another item.
    save(&fixture, member(1), SavedKind::Event, &id(1)).await.unwrap();
    save(&fixture, member(2), SavedKind::Event, &id(2)).await.unwrap();
    // All of them in one page.
    let request = ListSavedItemsRequest { page_size: 5_000, ..Default::default() };
    let page = fixture.list_saved_items(&fixture.as_member(member(1)), request).await.unwrap();
    assert_eq!((page.items.len(), page.next_page_token.as_str()), (1_000, ""));
    unsave(&fixture, member(1), SavedKind::Event, &id(1)).await.unwrap();
    save(&fixture, member(1), SavedKind::Event, &id(2)).await.unwrap();
    assert_saver_counts(&fixture).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn concurrent_saves_and_removals_leave_a_correct_count() {
    let fixture = Arc::new(Fixture::new().await);
    let mut racers = JoinSet::new();
    for n in 0..60 {
        let fixture = Arc::clone(&fixture);
        racers.spawn(async move {
            let thing = id(n % 3);
            if n % 5 == 0 {
                unsave(&fixture, member(1), SavedKind::Job, &thing).await.unwrap();
            } else {
                save(&fixture, member(1), SavedKind::Job, &thing).await.unwrap();
            }
        });
    }
    racers.join_all().await;
    assert_saver_counts(&fixture).await;
    assert!(list_saved(&fixture, member(1), SavedKind::Unspecified, 0).await.len() <= 3);
}

#[tokio::test]
async fn an_invalid_item_is_refused() {
    let fixture = Fixture::new().await;
    let me = fixture.as_member(member(1));
    let long = format!("builtin-{}", "a".repeat(60));
    for (kind, id) in [
        (SavedKind::Post, "builtin-barbri"),
        (SavedKind::Job, "builtin-barbri"),
        (SavedKind::Resource, "barbri"),
        (SavedKind::Resource, "builtin-a b"),
        (SavedKind::Resource, "builtin-\0"),
        (SavedKind::Resource, "builtin-\u{e9}"),
        (SavedKind::Resource, long.as_str()),
        (SavedKind::Event, ""),
        (SavedKind::Article, "f47ac10b-58cc-4372-a567-0e02b2c3d479"),
        (SavedKind::Job, &"a".repeat(1 << 20)),
    ] {
        let save = SaveItemRequest { kind: kind.into(), id: id.to_owned() };
        let unsave = UnsaveItemRequest { kind: kind.into(), id: id.to_owned() };
        for refused in [fixture.save_item(&me, save).await.map(drop), fixture.unsave_item(&me, unsave).await.map(drop)]
        {
            let refused = refused.unwrap_err();
            assert_eq!((refused.kind, refused.violations[0].field.as_str()), (ErrorKind::Invalid, "id"), "{id:.20?}");
        }
    }
    for kind in [0, 6, -1] {
        let refused = fixture.save_item(&me, SaveItemRequest { kind, id: id(1) }).await.unwrap_err();
        assert_eq!((refused.kind, refused.violations[0].field.as_str()), (ErrorKind::Invalid, "kind"), "{kind}");
    }
    for (kind, page_size, page_token, field) in
        [(6, 0, "", "kind"), (0, -1, "", "pageSize"), (0, 0, "x", "pageToken"), (1, 0, "eyJhdCI6MWU0MDB9", "pageToken")]
    {
        let request = ListSavedItemsRequest { kind, page_size, page_token: page_token.to_owned() };
        let refused = fixture.list_saved_items(&me, request).await.unwrap_err();
        assert_eq!((refused.kind, refused.violations[0].field.as_str()), (ErrorKind::Invalid, field));
    }
    for post_ids in [vec![id(1); 101], vec![id(1), "\0".to_owned()]] {
        let refused = fixture.batch_get_posts(&me, BatchGetPostsRequest { post_ids }).await.unwrap_err();
        assert_eq!((refused.kind, refused.violations[0].field.as_str()), (ErrorKind::Invalid, "postIds"));
    }
    save(&fixture, member(1), SavedKind::Resource, "builtin-barbri").await.unwrap();
    assert_eq!(fixture.count("select count(*) from feed.saved_items").await, 1);
}
