//! The four orders, page by page while others write.

use portia_proto::feed::{ListPostsRequest, Post, PostSort};
use primitives::error::ErrorKind;
use rpc::Call;
use uuid::Uuid;

use crate::fixtures::{Fixture, member};

/// Creates `posts` posts by five members, a minute apart, with different numbers of likes and comments.
async fn fixture_with_posts(posts: u128) -> Fixture {
    let fixture = Fixture::new().await;
    for n in 0..posts {
        let post = fixture.create_post_of(member(1 + n % 5), &format!("post {n}")).await;
        for fan in 0..(n * 7 % 6) {
            fixture.like(member(10 + fan), &post.id).await;
        }
        for _ in 0..(n * 5 % 3) {
            fixture.create_comment_of(member(20), &post.id, "Noted.").await;
        }
        fixture.advance_clock(60);
    }
    fixture
}

fn request(sort: PostSort, author: Option<Uuid>, size: i32, token: &str) -> ListPostsRequest {
    ListPostsRequest {
        sort: sort.into(),
        author_id: author.map(|id| id.to_string()),
        page_size: size,
        page_token: token.to_owned(),
        ..Default::default()
    }
}

/// Reads all pages and runs `between` after each.
async fn read_all_pages(
    fixture: &Fixture,
    who: &Call,
    sort: PostSort,
    author: Option<Uuid>,
    size: i32,
    mut between: impl AsyncFnMut(&Fixture),
) -> Vec<Post> {
    let (mut posts, mut token) = (Vec::new(), String::new());
    loop {
        let page = fixture.list_posts(who, request(sort, author, size, &token)).await.unwrap();
        assert!(page.posts.len() <= usize::try_from(size).unwrap());
        posts.extend(page.posts);
        if page.next_page_token.is_empty() {
            return posts;
        }
        token = page.next_page_token;
        between(fixture).await;
    }
}

fn contents(posts: &[Post]) -> Vec<String> {
    posts.iter().map(|post| post.content.clone()).collect()
}

fn created_at(post: &Post) -> (i64, i32) {
    post.created_at.map(|at| (at.seconds, at.nanos)).unwrap()
}

#[tokio::test]
async fn each_order_sorts_by_its_definition() {
    let fixture = fixture_with_posts(23).await;
    fixture.advance_clock(7_200);
    let who = fixture.as_visitor();
    let quiet = async |_: &Fixture| {};

    let recent = read_all_pages(&fixture, &who, PostSort::Recent, None, 100, quiet).await;
    assert_eq!(contents(&recent), (0..23).rev().map(|n| format!("post {n}")).collect::<Vec<_>>());

    let top = read_all_pages(&fixture, &who, PostSort::Top, None, 100, quiet).await;
    let mut expected = recent.clone();
    expected.sort_by_key(|post| std::cmp::Reverse((post.like_count, created_at(post), post.id.clone())));
    assert_eq!(contents(&top), contents(&expected));

    let relevant = read_all_pages(&fixture, &who, PostSort::Relevant, None, 100, quiet).await;
    let mut expected = recent.clone();
    let rank = |post: &Post| {
        let (seconds, nanos) = created_at(post);
        let at = chrono::DateTime::from_timestamp(seconds, nanos.try_into().unwrap()).unwrap();
        feed::ranking::rank(feed::freshness(at), post.like_count, post.comment_count)
    };
    expected.sort_by(|a, b| rank(b).total_cmp(&rank(a)));
    assert_eq!(contents(&relevant), contents(&expected));

    let own = read_all_pages(&fixture, &who, PostSort::Recent, Some(member(2)), 100, quiet).await;
    assert_eq!(contents(&own), ["post 21", "post 16", "post 11", "post 6", "post 1"]);
}

#[tokio::test]
async fn pages_contain_each_post_once_while_others_post() {
    let fixture = fixture_with_posts(23).await;
    let who = fixture.as_member(member(3));
    for (sort, author) in [
        (PostSort::Relevant, None),
        (PostSort::Recent, None),
        (PostSort::Top, None),
        (PostSort::Recent, Some(member(3))),
    ] {
        let before = read_all_pages(&fixture, &who, sort, author, 100, async |_: &Fixture| {}).await;
        // The viewer and another member post, so that posts occur that would lead a new first page.
        let publish = async |fixture: &Fixture| {
            fixture.advance_clock(1);
            fixture.create_post_of(member(3), "while you read").await;
            fixture.create_post_of(member(4), "and another").await;
        };
        let paged = read_all_pages(&fixture, &who, sort, author, 4, publish).await;
        let met: Vec<&Post> = paged.iter().filter(|post| before.iter().any(|known| known.id == post.id)).collect();
        assert_eq!(
            met.iter().map(|post| &post.id).collect::<Vec<_>>(),
            before.iter().map(|post| &post.id).collect::<Vec<_>>(),
            "{sort:?} {author:?}"
        );
        if sort != PostSort::Top {
            assert_eq!(paged.len(), before.len(), "{sort:?}: later posts are not on these pages");
        }
    }
}

#[tokio::test]
async fn own_posts_of_the_last_hour_lead_the_first_page_once() {
    let fixture = fixture_with_posts(12).await;
    fixture.advance_clock(7_200);
    fixture.create_post_of(member(9), "mine, older").await;
    fixture.advance_clock(3_601);
    for n in 0..3 {
        fixture.create_post_of(member(9), &format!("mine {n}")).await;
        fixture.advance_clock(60);
    }
    let loved = fixture.create_post_of(member(1), "loved").await;
    for n in 20..50 {
        fixture.like(member(n), &loved.id).await;
    }

    let mine =
        read_all_pages(&fixture, &fixture.as_member(member(9)), PostSort::Relevant, None, 2, async |_: &Fixture| {})
            .await;
    assert_eq!(contents(&mine)[..4], ["mine 2", "mine 1", "mine 0", "loved"]);
    assert_eq!(mine.len(), 17);
    assert_eq!(mine.iter().filter(|post| post.author_id == member(9).to_string()).count(), 4);

    let others =
        read_all_pages(&fixture, &fixture.as_visitor(), PostSort::Relevant, None, 100, async |_: &Fixture| {}).await;
    assert_eq!(contents(&others)[0], "loved");
    assert_eq!(others.len(), 17);

    fixture.advance_clock(3_600);
    let later =
        read_all_pages(&fixture, &fixture.as_member(member(9)), PostSort::Relevant, None, 100, async |_: &Fixture| {})
            .await;
    assert_eq!(contents(&later)[0], "loved", "after an hour they have their ranked position");
}

#[tokio::test]
async fn pages_contain_each_post_created_at_the_same_time_once() {
    let fixture = Fixture::new().await;
    for n in 0..25 {
        fixture.create_post_of(member(n % 3), &format!("same moment {n}")).await;
    }
    for sort in [PostSort::Relevant, PostSort::Recent, PostSort::Top] {
        let posts = read_all_pages(&fixture, &fixture.as_visitor(), sort, None, 3, async |_: &Fixture| {}).await;
        let ids: std::collections::HashSet<&String> = posts.iter().map(|post| &post.id).collect();
        assert_eq!((posts.len(), ids.len()), (25, 25), "{sort:?}");
    }
}

#[tokio::test]
async fn pages_have_the_requested_size() {
    let fixture = Fixture::new().await;
    let who = fixture.as_visitor();
    let none = fixture.list_posts(&who, request(PostSort::Relevant, None, 0, "")).await.unwrap();
    assert!(none.posts.is_empty() && none.next_page_token.is_empty());
    for n in 0..105 {
        fixture.create_post_of(member(1), &format!("post {n}")).await;
    }
    for (asked, given) in [(0, 20), (1, 1), (100, 100), (1_000, 100)] {
        for sort in [PostSort::Relevant, PostSort::Recent, PostSort::Top] {
            let page = fixture.list_posts(&who, request(sort, None, asked, "")).await.unwrap();
            assert_eq!(page.posts.len(), given);
            assert!(!page.next_page_token.is_empty());
        }
    }
}

#[tokio::test]
async fn tokens_of_another_order_and_invalid_tokens_are_refused() {
    let fixture = fixture_with_posts(6).await;
    let who = fixture.as_visitor();
    let sorts = [PostSort::Relevant, PostSort::Recent, PostSort::Top];
    let mut tokens = Vec::new();
    for sort in sorts {
        tokens.push(fixture.list_posts(&who, request(sort, None, 2, "")).await.unwrap().next_page_token);
    }
    let authored = fixture.list_posts(&who, request(PostSort::Recent, Some(member(1)), 1, "")).await.unwrap();
    tokens.push(authored.next_page_token);
    tokens.extend(["x", "bnVsbA", "e30", "W10", "\0", "AAAA"].map(str::to_owned));
    tokens.push("A".repeat(1 << 20));
    for (n, sort) in sorts.into_iter().enumerate() {
        for (m, token) in tokens.iter().enumerate() {
            let answer = fixture.list_posts(&who, request(sort, None, 2, token)).await;
            if n == m {
                assert!(answer.is_ok());
            } else {
                let refused = answer.unwrap_err();
                assert_eq!(refused.kind, ErrorKind::Invalid, "{sort:?} {token:.20}");
                assert_eq!(refused.violations[0].field, "pageToken");
            }
        }
    }
}

#[tokio::test]
async fn a_sort_is_required_and_posts_of_a_member_are_newest_first_only() {
    let fixture = Fixture::new().await;
    let who = fixture.as_visitor();
    let bad = [
        (request(PostSort::Unspecified, None, 0, ""), "sort"),
        (ListPostsRequest { sort: 99, ..Default::default() }, "sort"),
        (request(PostSort::Relevant, Some(member(1)), 0, ""), "sort"),
        (request(PostSort::Top, Some(member(1)), 0, ""), "sort"),
        (request(PostSort::Recent, None, -1, ""), "pageSize"),
    ];
    for (request, field) in bad {
        let refused = fixture.list_posts(&who, request).await.unwrap_err();
        assert_eq!((refused.kind, refused.violations[0].field.as_str()), (ErrorKind::Invalid, field));
    }
    let unknown = fixture.list_posts(&who, request(PostSort::Recent, Some(member(99)), 0, "")).await.unwrap();
    assert!(unknown.posts.is_empty());
}
