//! Posts in communities: permission to write and read, and their fields.

use portia_proto::feed::{CreatePostRequest, ListPostsRequest, PostCreated, PostSort};
use primitives::error::{ErrorKind, StatusDetails};
use prost::{Message as _, Name as _};
use sqlx::Row as _;
use uuid::Uuid;

use crate::fixtures::{Fixture, community, member};

fn posts_of(community: Uuid, size: i32, token: &str) -> ListPostsRequest {
    ListPostsRequest {
        sort: PostSort::Recent.into(),
        community_id: Some(community.to_string()),
        page_size: size,
        page_token: token.to_owned(),
        ..Default::default()
    }
}

async fn publish(fixture: &Fixture, who: Uuid, into: Option<Uuid>, key: Option<&str>) -> Result<String, StatusDetails> {
    let request = CreatePostRequest {
        content: "Said here".to_owned(),
        community_id: into.map(|id| id.to_string()),
        idempotency_key: key.map(str::to_owned),
        ..Default::default()
    };
    Ok(fixture.create_post(&fixture.as_member(who), request).await?.post.unwrap().id)
}

#[tokio::test]
async fn a_post_contains_its_community() {
    let fixture = Fixture::new().await;
    fixture.join_community(community(1), &[member(1), member(2)]).await;
    let post = fixture.create_post_in(member(1), community(1), "Ours").await;
    let place = post.community.clone().unwrap();
    assert_eq!((place.id, place.name.as_str()), (community(1).to_string(), "Moot Court Society"));
    assert_eq!(fixture.get_post_as(&fixture.as_member(member(2)), &post.id).await, post);
    assert_eq!(fixture.create_post_of(member(1), "Public").await.community, None);

    let mut conn = fixture.pool().acquire().await.unwrap();
    feed::read_model::communities::set_name(&mut conn, community(1), "Moot Court Club").await.unwrap();
    let name = |post: portia_proto::feed::Post| post.community.unwrap().name;
    assert_eq!(name(fixture.get_post_as(&fixture.as_member(member(2)), &post.id).await), "Moot Court Club");

    feed::read_model::communities::delete(&mut conn, community(1)).await.unwrap();
    assert_eq!(
        name(fixture.get_post_as(&fixture.as_member(member(1)), &post.id).await),
        "",
        "an own post in a deleted community"
    );
    assert_eq!(fixture.count("select count(*) from feed.memberships").await, 0);
}

#[tokio::test]
async fn only_members_of_a_community_post_in_it() {
    let fixture = Fixture::new().await;
    fixture.join_community(community(1), &[member(1)]).await;
    publish(&fixture, member(1), Some(community(1)), None).await.unwrap();
    let nowhere = community(99);
    for (who, into) in [(member(2), community(1)), (member(1), nowhere)] {
        let refused = publish(&fixture, who, Some(into), Some("k")).await.unwrap_err();
        assert_eq!((refused.kind, refused.reason.as_str()), (ErrorKind::Forbidden, "NOT_A_MEMBER"));
        assert_eq!(refused.message, "Join this community to take part in it.");
    }
    fixture.leave_community(community(1), member(1)).await;
    assert_eq!(publish(&fixture, member(1), Some(community(1)), None).await.unwrap_err().kind, ErrorKind::Forbidden);
    assert_eq!(fixture.count("select count(*) from feed.posts").await, 1);
    assert_eq!(fixture.count("select count(*) from feed.outbox").await, 1);
    assert_eq!(fixture.count("select count(*) from feed.idempotency_keys").await, 0, "a refusal leaves the key free");
}

#[tokio::test]
async fn only_members_of_a_community_read_its_posts() {
    let fixture = Fixture::new().await;
    fixture.join_community(community(1), &[member(1), member(3)]).await;
    fixture.join_community(community(2), &[member(2)]).await;
    fixture.create_post_in(member(1), community(1), "Ours").await;
    let refused = fixture.list_posts(&fixture.as_member(member(2)), posts_of(community(1), 0, "")).await.unwrap_err();
    assert_eq!((refused.kind, refused.reason.as_str()), (ErrorKind::Forbidden, "NOT_A_MEMBER"));
    assert_eq!(refused.message, "Join this community to see its posts.");
    let refused = fixture.list_posts(&fixture.as_member(member(2)), posts_of(community(99), 0, "")).await.unwrap_err();
    assert_eq!(refused.kind, ErrorKind::Forbidden, "equal to the answer for an unknown post");
    let visitor = fixture.list_posts(&fixture.as_visitor(), posts_of(community(1), 0, "")).await.unwrap_err();
    assert_eq!(visitor.kind, ErrorKind::Unauthenticated);
    let empty = fixture.list_posts(&fixture.as_member(member(2)), posts_of(community(2), 0, "")).await.unwrap();
    assert!(empty.posts.is_empty() && empty.next_page_token.is_empty());

    fixture.block_member(member(3), member(1)).await;
    let blocker = fixture.list_posts(&fixture.as_member(member(3)), posts_of(community(1), 0, "")).await.unwrap();
    assert!(blocker.posts.is_empty(), "a block applies in a community, too");
    fixture.leave_community(community(1), member(1)).await;
    let refused = fixture.list_posts(&fixture.as_member(member(1)), posts_of(community(1), 0, "")).await.unwrap_err();
    assert_eq!(refused.kind, ErrorKind::Forbidden, "own posts are in the own list");
}

#[tokio::test]
async fn posts_of_a_community_are_paged_newest_first() {
    let fixture = Fixture::new().await;
    fixture.join_community(community(1), &[member(1), member(2)]).await;
    fixture.join_community(community(2), &[member(1)]).await;
    let mut expected = Vec::new();
    for n in 0..11 {
        let post = fixture.create_post_in(member(1 + n % 2), community(1), &format!("post {n}")).await;
        expected.push((post.created_at.unwrap().seconds, post.id));
        fixture.create_post_of(member(1), "elsewhere").await;
        fixture.create_post_in(member(1), community(2), "elsewhere").await;
        // Some share a time.
        fixture.advance_clock(i64::from(n % 3 == 0));
    }
    let (mut met, mut token) = (Vec::new(), String::new());
    loop {
        let page = fixture.list_posts(&fixture.as_member(member(2)), posts_of(community(1), 4, &token)).await.unwrap();
        met.extend(page.posts.into_iter().map(|post| (post.created_at.unwrap().seconds, post.id)));
        if page.next_page_token.is_empty() {
            break;
        }
        token = page.next_page_token;
        fixture.advance_clock(1);
        fixture.create_post_in(member(1), community(1), "meanwhile").await;
    }
    expected.sort();
    expected.reverse();
    assert_eq!(met, expected);
}

#[tokio::test]
async fn a_list_has_at_most_one_filter() {
    let fixture = Fixture::new().await;
    let me = fixture.as_member(member(1));
    fixture.join_community(community(1), &[member(1)]).await;
    fixture.create_post_in(member(1), community(1), "one").await;
    fixture.create_post_in(member(1), community(1), "two").await;
    let both = ListPostsRequest { author_id: Some(member(1).to_string()), ..posts_of(community(1), 0, "") };
    let sorted = |sort: PostSort| ListPostsRequest { sort: sort.into(), ..posts_of(community(1), 0, "") };
    let recent = ListPostsRequest { sort: PostSort::Recent.into(), page_size: 1, ..Default::default() };
    let other = fixture.list_posts(&me, recent).await.unwrap().next_page_token;
    assert!(!other.is_empty());
    for (request, field) in [
        (both, "communityId"),
        (sorted(PostSort::Relevant), "sort"),
        (sorted(PostSort::Top), "sort"),
        (sorted(PostSort::Unspecified), "sort"),
        (posts_of(community(1), 0, &other), "pageToken"),
    ] {
        let refused = fixture.list_posts(&me, request).await.unwrap_err();
        assert_eq!((refused.kind, refused.violations[0].field.as_str()), (ErrorKind::Invalid, field));
    }
}

#[tokio::test]
async fn a_key_with_another_audience_is_refused() {
    let fixture = Fixture::new().await;
    fixture.join_community(community(1), &[member(1)]).await;
    fixture.join_community(community(2), &[member(1)]).await;
    let first = publish(&fixture, member(1), Some(community(1)), Some("k")).await.unwrap();
    assert_eq!(publish(&fixture, member(1), Some(community(1)), Some("k")).await.unwrap(), first);
    for into in [None, Some(community(2))] {
        let refused = publish(&fixture, member(1), into, Some("k")).await.unwrap_err();
        assert_eq!(refused.kind, ErrorKind::KeyReused, "the same text for another audience is another request");
    }
    // A former member who repeats a request gets the first answer.
    fixture.leave_community(community(1), member(1)).await;
    assert_eq!(publish(&fixture, member(1), Some(community(1)), Some("k")).await.unwrap(), first);
    assert_eq!(fixture.count("select count(*) from feed.posts").await, 1);
}

#[tokio::test]
async fn the_published_fact_contains_the_community() {
    let fixture = Fixture::new().await;
    fixture.join_community(community(1), &[member(1)]).await;
    let post = fixture.create_post_in(member(1), community(1), "Told").await;
    let row = sqlx::raw_sql("select kind, payload from feed.outbox").fetch_one(fixture.pool()).await.unwrap();
    assert_eq!(row.get::<String, _>(0), PostCreated::full_name());
    let fact = PostCreated::decode(row.get::<Vec<u8>, _>(1).as_slice()).unwrap();
    let community_id = Some(community(1).to_string());
    let expected =
        PostCreated { post_id: post.id, author_id: member(1).to_string(), community_id, ..Default::default() };
    assert_eq!(fact, expected);
}
