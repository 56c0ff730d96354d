//! Posts in communities: who may write and read them, and what they carry.

use portia_proto::feed::{CreatePostRequest, ListPostsRequest, PostCreated, PostSort};
use primitives::error::{ErrorKind, StatusDetails};
use prost::{Message as _, Name as _};
use sqlx::Row as _;
use uuid::Uuid;

use crate::stand::{Stand, community, member};

fn posts_of(community: Uuid, size: i32, token: &str) -> ListPostsRequest {
    ListPostsRequest {
        sort: PostSort::Recent.into(),
        community_id: Some(community.to_string()),
        page_size: size,
        page_token: token.to_owned(),
        ..Default::default()
    }
}

async fn publish(stand: &Stand, who: Uuid, into: Option<Uuid>, key: Option<&str>) -> Result<String, StatusDetails> {
    let request = CreatePostRequest {
        content: "Said here".to_owned(),
        community_id: into.map(|id| id.to_string()),
        idempotency_key: key.map(str::to_owned),
        ..Default::default()
    };
    Ok(stand.create_post(&stand.by(who), request).await?.post.unwrap().id)
}

#[tokio::test]
async fn a_post_says_where_it_is() {
    let stand = Stand::new().await;
    stand.join(community(1), &[member(1), member(2)]).await;
    let post = stand.post_in(member(1), community(1), "Ours").await;
    let place = post.community.clone().unwrap();
    assert_eq!((place.id, place.name.as_str()), (community(1).to_string(), "Moot Court Society"));
    assert_eq!(stand.seen(&stand.by(member(2)), &post.id).await, post);
    assert_eq!(stand.post(member(1), "Everybody's").await.community, None);

    let mut conn = stand.pool().acquire().await.unwrap();
    feed::graph::named(&mut conn, community(1), "Moot Court Club").await.unwrap();
    let name = |post: portia_proto::feed::Post| post.community.unwrap().name;
    assert_eq!(name(stand.seen(&stand.by(member(2)), &post.id).await), "Moot Court Club");

    feed::graph::dissolved(&mut conn, community(1)).await.unwrap();
    assert_eq!(name(stand.seen(&stand.by(member(1)), &post.id).await), "", "their own, in what is no more");
    assert_eq!(stand.count("select count(*) from feed.memberships").await, 0);
}

#[tokio::test]
async fn only_members_write_in_it() {
    let stand = Stand::new().await;
    stand.join(community(1), &[member(1)]).await;
    publish(&stand, member(1), Some(community(1)), None).await.unwrap();
    let nowhere = community(99);
    for (who, into) in [(member(2), community(1)), (member(1), nowhere)] {
        let refused = publish(&stand, who, Some(into), Some("k")).await.unwrap_err();
        assert_eq!((refused.kind, refused.reason.as_str()), (ErrorKind::Forbidden, "NOT_A_MEMBER"));
        assert_eq!(refused.message, "Join this community to post in it.");
    }
    stand.leave(community(1), member(1)).await;
    assert_eq!(publish(&stand, member(1), Some(community(1)), None).await.unwrap_err().kind, ErrorKind::Forbidden);
    assert_eq!(stand.count("select count(*) from feed.posts").await, 1);
    assert_eq!(stand.count("select count(*) from feed.outbox").await, 1);
    assert_eq!(stand.count("select count(*) from feed.idempotency_keys").await, 0, "a refusal leaves the key free");
}

#[tokio::test]
async fn only_members_read_it() {
    let stand = Stand::new().await;
    stand.join(community(1), &[member(1), member(3)]).await;
    stand.join(community(2), &[member(2)]).await;
    stand.post_in(member(1), community(1), "Ours").await;
    let refused = stand.list_posts(&stand.by(member(2)), posts_of(community(1), 0, "")).await.unwrap_err();
    assert_eq!((refused.kind, refused.reason.as_str()), (ErrorKind::Forbidden, "NOT_A_MEMBER"));
    assert_eq!(refused.message, "Join this community to see its posts.");
    let refused = stand.list_posts(&stand.by(member(2)), posts_of(community(99), 0, "")).await.unwrap_err();
    assert_eq!(refused.kind, ErrorKind::Forbidden, "nor can one tell whether it is there");
    let visitor = stand.list_posts(&stand.visitor(), posts_of(community(1), 0, "")).await.unwrap_err();
    assert_eq!(visitor.kind, ErrorKind::Unauthenticated);
    let empty = stand.list_posts(&stand.by(member(2)), posts_of(community(2), 0, "")).await.unwrap();
    assert!(empty.posts.is_empty() && empty.next_page_token.is_empty());

    stand.block(member(3), member(1)).await;
    let blocker = stand.list_posts(&stand.by(member(3)), posts_of(community(1), 0, "")).await.unwrap();
    assert!(blocker.posts.is_empty(), "in a community too the two do not meet");
    stand.leave(community(1), member(1)).await;
    let refused = stand.list_posts(&stand.by(member(1)), posts_of(community(1), 0, "")).await.unwrap_err();
    assert_eq!(refused.kind, ErrorKind::Forbidden, "their own posts are among their own");
}

#[tokio::test]
async fn its_posts_are_paged_newest_first() {
    let stand = Stand::new().await;
    stand.join(community(1), &[member(1), member(2)]).await;
    stand.join(community(2), &[member(1)]).await;
    let mut expected = Vec::new();
    for n in 0..11 {
        let post = stand.post_in(member(1 + n % 2), community(1), &format!("post {n}")).await;
        expected.push((post.created_at.unwrap().seconds, post.id));
        stand.post(member(1), "elsewhere").await;
        stand.post_in(member(1), community(2), "elsewhere").await;
        // Some share a moment.
        stand.wait(i64::from(n % 3 == 0));
    }
    let (mut met, mut token) = (Vec::new(), String::new());
    loop {
        let page = stand.list_posts(&stand.by(member(2)), posts_of(community(1), 4, &token)).await.unwrap();
        met.extend(page.posts.into_iter().map(|post| (post.created_at.unwrap().seconds, post.id)));
        if page.next_page_token.is_empty() {
            break;
        }
        token = page.next_page_token;
        stand.wait(1);
        stand.post_in(member(1), community(1), "meanwhile").await;
    }
    expected.sort();
    expected.reverse();
    assert_eq!(met, expected);
}

#[tokio::test]
async fn what_is_asked_for_is_one_thing() {
    let stand = Stand::new().await;
    let me = stand.by(member(1));
    stand.join(community(1), &[member(1)]).await;
    stand.post_in(member(1), community(1), "one").await;
    stand.post_in(member(1), community(1), "two").await;
    let both = ListPostsRequest { author_id: Some(member(1).to_string()), ..posts_of(community(1), 0, "") };
    let sorted = |sort: PostSort| ListPostsRequest { sort: sort.into(), ..posts_of(community(1), 0, "") };
    let recent = ListPostsRequest { sort: PostSort::Recent.into(), page_size: 1, ..Default::default() };
    let other = stand.list_posts(&me, recent).await.unwrap().next_page_token;
    assert!(!other.is_empty());
    for (request, field) in [
        (both, "communityId"),
        (sorted(PostSort::Relevant), "sort"),
        (sorted(PostSort::Top), "sort"),
        (sorted(PostSort::Unspecified), "sort"),
        (posts_of(community(1), 0, &other), "pageToken"),
    ] {
        let refused = stand.list_posts(&me, request).await.unwrap_err();
        assert_eq!((refused.kind, refused.violations[0].field.as_str()), (ErrorKind::Invalid, field));
    }
}

#[tokio::test]
async fn a_key_is_for_one_audience() {
    let stand = Stand::new().await;
    stand.join(community(1), &[member(1)]).await;
    stand.join(community(2), &[member(1)]).await;
    let first = publish(&stand, member(1), Some(community(1)), Some("k")).await.unwrap();
    assert_eq!(publish(&stand, member(1), Some(community(1)), Some("k")).await.unwrap(), first);
    for into in [None, Some(community(2))] {
        let refused = publish(&stand, member(1), into, Some("k")).await.unwrap_err();
        assert_eq!(refused.kind, ErrorKind::KeyReused, "the same words to others are another request");
    }
    // Who has left meanwhile, and repeats a request that was made: it was made.
    stand.leave(community(1), member(1)).await;
    assert_eq!(publish(&stand, member(1), Some(community(1)), Some("k")).await.unwrap(), first);
    assert_eq!(stand.count("select count(*) from feed.posts").await, 1);
}

#[tokio::test]
async fn the_fact_says_where() {
    let stand = Stand::new().await;
    stand.join(community(1), &[member(1)]).await;
    let post = stand.post_in(member(1), community(1), "Told").await;
    let row = sqlx::raw_sql("select kind, payload from feed.outbox").fetch_one(stand.pool()).await.unwrap();
    assert_eq!(row.get::<String, _>(0), PostCreated::full_name());
    let told = PostCreated::decode(row.get::<Vec<u8>, _>(1).as_slice()).unwrap();
    let community_id = Some(community(1).to_string());
    assert_eq!(told, PostCreated { post_id: post.id, author_id: member(1).to_string(), community_id });
}
