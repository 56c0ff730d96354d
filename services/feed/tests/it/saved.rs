//! Keeping things for later: once each, in the order they were kept, a thousand at most, and nobody else's.

use std::sync::Arc;

use portia_proto::feed::{
    BatchGetPostsRequest, DeletePostRequest, ListSavedItemsRequest, SaveItemRequest, SavedItem, SavedKind,
    UnsaveItemRequest,
};
use primitives::error::{ErrorKind, StatusDetails};
use tokio::task::JoinSet;
use uuid::Uuid;

use crate::stand::{NOWHERE, Stand, community, member, patiently};

const KINDS: [SavedKind; 5] =
    [SavedKind::Post, SavedKind::Job, SavedKind::Article, SavedKind::Resource, SavedKind::Event];

async fn save(stand: &Stand, who: Uuid, kind: SavedKind, id: &str) -> Result<SavedItem, StatusDetails> {
    let (who, request) = (stand.by(who), SaveItemRequest { kind: kind.into(), id: id.to_owned() });
    Ok(patiently(|| stand.save_item(&who, request.clone())).await?.item.unwrap())
}

async fn unsave(stand: &Stand, who: Uuid, kind: SavedKind, id: &str) -> Result<(), StatusDetails> {
    let (who, request) = (stand.by(who), UnsaveItemRequest { kind: kind.into(), id: id.to_owned() });
    patiently(|| stand.unsave_item(&who, request.clone())).await.map(drop)
}

/// All of it, in pages of so many.
async fn kept(stand: &Stand, who: Uuid, kind: SavedKind, page_size: i32) -> Vec<SavedItem> {
    let mut request = ListSavedItemsRequest { kind: kind.into(), page_size, page_token: String::new() };
    let mut kept = Vec::new();
    loop {
        let page = stand.list_saved_items(&stand.by(who), request.clone()).await.unwrap();
        kept.extend(page.items);
        if page.next_page_token.is_empty() {
            return kept;
        }
        request.page_token = page.next_page_token;
    }
}

async fn assert_counted(stand: &Stand) {
    let wrong = "select count(*) from feed.savers s
        where items <> (select count(*) from feed.saved_items i where i.member_id = s.member_id)";
    assert_eq!(stand.count(wrong).await, 0);
}

fn id(n: u128) -> String {
    Uuid::from_u128(0x0193_0000_0000_7000_8000_0005_0000_0000 + n).to_string()
}

#[tokio::test]
async fn what_is_kept_is_listed_the_last_first_and_by_kind() {
    let stand = Stand::new().await;
    let (me, post) = (member(1), stand.post(member(2), "Keep this").await);
    let mut saved = Vec::new();
    for (n, kind) in (1..).zip(KINDS) {
        stand.wait(60);
        let id = if kind == SavedKind::Post { post.id.clone() } else { id(n) };
        let item = save(&stand, me, kind, &id).await.unwrap();
        assert_eq!((item.kind(), &item.id), (kind, &id));
        assert_eq!(item.saved_at.unwrap().seconds, stand.harness.clock.now().timestamp());
        saved.insert(0, item);
    }
    assert_eq!(kept(&stand, me, SavedKind::Unspecified, 0).await, saved);
    for (kind, item) in KINDS.into_iter().rev().zip(&saved) {
        assert_eq!(kept(&stand, me, kind, 0).await, std::slice::from_ref(item), "{kind:?}");
    }
    assert_eq!(kept(&stand, member(2), SavedKind::Unspecified, 0).await, []);
    // The same again changes nothing, not even since when.
    stand.wait(60);
    let again = save(&stand, me, SavedKind::Job, &id(2).to_uppercase()).await.unwrap();
    assert_eq!(again, saved[3]);
    assert_eq!(kept(&stand, me, SavedKind::Unspecified, 0).await, saved);
    for _ in 0..2 {
        unsave(&stand, me, SavedKind::Job, &id(2)).await.unwrap();
        unsave(&stand, member(2), SavedKind::Event, &id(5)).await.unwrap();
    }
    // Of another kind it is another thing.
    unsave(&stand, me, SavedKind::Article, &id(5)).await.unwrap();
    saved.remove(3);
    assert_eq!(kept(&stand, me, SavedKind::Unspecified, 0).await, saved);
    assert_counted(&stand).await;
}

#[tokio::test]
async fn pages_walk_through_things_of_one_moment() {
    let stand = Stand::new().await;
    for n in 0..7 {
        save(&stand, member(1), KINDS[1 + n as usize % 4], &id(n)).await.unwrap();
    }
    // One id of two kinds.
    save(&stand, member(1), SavedKind::Event, &id(0)).await.unwrap();
    let whole = kept(&stand, member(1), SavedKind::Unspecified, 100).await;
    assert_eq!(whole.len(), 8);
    for size in 1..=9 {
        assert_eq!(kept(&stand, member(1), SavedKind::Unspecified, size).await, whole, "{size}");
    }
    let events: Vec<SavedItem> = whole.into_iter().filter(|item| item.kind() == SavedKind::Event).collect();
    assert_eq!(events.len(), 2);
    assert_eq!(kept(&stand, member(1), SavedKind::Event, 1).await, events);
}

#[tokio::test]
async fn a_post_is_kept_by_whoever_sees_it_and_stays_when_it_is_gone() {
    let stand = Stand::new().await;
    let society = community(1);
    stand.join(society, &[member(1), member(2)]).await;
    let ours = stand.post_in(member(1), society, "Ours").await;
    let open = stand.post(member(1), "Open").await;
    stand.block(member(1), member(4)).await;
    for (who, post) in [(3, ours.id.as_str()), (4, &open.id), (2, NOWHERE)] {
        let refused = save(&stand, member(who), SavedKind::Post, post).await.unwrap_err();
        assert_eq!((refused.kind, refused.reason.as_str()), (ErrorKind::NotFound, "POST_NOT_FOUND"), "{who}");
    }
    let theirs = async |who: Uuid| {
        let ids = kept(&stand, who, SavedKind::Post, 0).await.into_iter().map(|item| item.id).collect::<Vec<_>>();
        let request = BatchGetPostsRequest { post_ids: ids.clone() };
        let posts = stand.batch_get_posts(&stand.by(who), request).await.unwrap().posts;
        (ids.len(), posts.into_iter().map(|post| post.content).collect::<Vec<_>>())
    };
    for post in [&ours.id, &open.id] {
        save(&stand, member(2), SavedKind::Post, post).await.unwrap();
    }
    let (kept, mut shown) = theirs(member(2)).await;
    shown.sort();
    assert_eq!((kept, shown), (2, vec!["Open".to_owned(), "Ours".to_owned()]));
    stand.leave(society, member(2)).await;
    assert_eq!(theirs(member(2)).await, (2, vec!["Open".to_owned()]));
    let request = DeletePostRequest { post_id: open.id.clone() };
    stand.delete_post(&stand.by(member(1)), request).await.unwrap();
    assert_eq!(theirs(member(2)).await, (2, vec![]));
    feed::removal::clear(stand.pool()).await.unwrap();
    assert_eq!(theirs(member(2)).await, (2, vec![]));
    unsave(&stand, member(2), SavedKind::Post, &open.id).await.unwrap();
    assert_eq!(theirs(member(2)).await, (1, vec![]));
}

#[tokio::test]
async fn a_thousand_things_are_kept_and_no_more() {
    let stand = Stand::new().await;
    let fill = format!(
        "insert into feed.saved_items (member_id, kind, item_id, saved_at)
        select '{me}', 'job', '01930000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'), to_timestamp(n)
        from generate_series(1, 999) n;
        insert into feed.savers (member_id, items) values ('{me}', 999)",
        me = member(1)
    );
    stand.harness.database().run(fill).await;
    save(&stand, member(1), SavedKind::Event, &id(1)).await.unwrap();
    let refused = save(&stand, member(1), SavedKind::Event, &id(2)).await.unwrap_err();
    assert_eq!((refused.kind, refused.reason.as_str()), (ErrorKind::Limited, "TOO_MANY_SAVED"));
    assert_eq!(refused.message, "You can save up to 1,000 items");
    // What is there may be said again, and makes room.
    save(&stand, member(1), SavedKind::Event, &id(1)).await.unwrap();
    save(&stand, member(2), SavedKind::Event, &id(2)).await.unwrap();
    // All of them in one page, where that is asked for.
    let request = ListSavedItemsRequest { page_size: 5_000, ..Default::default() };
    let page = stand.list_saved_items(&stand.by(member(1)), request).await.unwrap();
    assert_eq!((page.items.len(), page.next_page_token.as_str()), (1_000, ""));
    unsave(&stand, member(1), SavedKind::Event, &id(1)).await.unwrap();
    save(&stand, member(1), SavedKind::Event, &id(2)).await.unwrap();
    assert_counted(&stand).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn kept_and_let_go_at_once_it_is_counted_as_it_is() {
    let stand = Arc::new(Stand::new().await);
    let mut racers = JoinSet::new();
    for n in 0..60 {
        let stand = Arc::clone(&stand);
        racers.spawn(async move {
            let thing = id(n % 3);
            if n % 5 == 0 {
                unsave(&stand, member(1), SavedKind::Job, &thing).await.unwrap();
            } else {
                save(&stand, member(1), SavedKind::Job, &thing).await.unwrap();
            }
        });
    }
    racers.join_all().await;
    assert_counted(&stand).await;
    assert!(kept(&stand, member(1), SavedKind::Unspecified, 0).await.len() <= 3);
}

#[tokio::test]
async fn what_is_no_thing_is_refused() {
    let stand = Stand::new().await;
    let me = stand.by(member(1));
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
        for refused in [stand.save_item(&me, save).await.map(drop), stand.unsave_item(&me, unsave).await.map(drop)] {
            let refused = refused.unwrap_err();
            assert_eq!((refused.kind, refused.violations[0].field.as_str()), (ErrorKind::Invalid, "id"), "{id:.20?}");
        }
    }
    for kind in [0, 6, -1] {
        let refused = stand.save_item(&me, SaveItemRequest { kind, id: id(1) }).await.unwrap_err();
        assert_eq!((refused.kind, refused.violations[0].field.as_str()), (ErrorKind::Invalid, "kind"), "{kind}");
    }
    for (kind, page_size, page_token, field) in
        [(6, 0, "", "kind"), (0, -1, "", "pageSize"), (0, 0, "x", "pageToken"), (1, 0, "eyJhdCI6MWU0MDB9", "pageToken")]
    {
        let request = ListSavedItemsRequest { kind, page_size, page_token: page_token.to_owned() };
        let refused = stand.list_saved_items(&me, request).await.unwrap_err();
        assert_eq!((refused.kind, refused.violations[0].field.as_str()), (ErrorKind::Invalid, field));
    }
    for post_ids in [vec![id(1); 101], vec![id(1), "\0".to_owned()]] {
        let refused = stand.batch_get_posts(&me, BatchGetPostsRequest { post_ids }).await.unwrap_err();
        assert_eq!((refused.kind, refused.violations[0].field.as_str()), (ErrorKind::Invalid, "postIds"));
    }
    save(&stand, member(1), SavedKind::Resource, "builtin-barbri").await.unwrap();
    assert_eq!(stand.count("select count(*) from feed.saved_items").await, 1);
}
