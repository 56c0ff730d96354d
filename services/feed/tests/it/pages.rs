//! The four orders, walked page by page while others write.

use portia_proto::feed::{ListPostsRequest, Post, PostSort};
use primitives::error::ErrorKind;
use rpc::Call;
use uuid::Uuid;

use crate::stand::{Stand, member};

/// A feed of `posts` posts by five members, a minute apart, liked and discussed unevenly.
async fn busy(posts: u128) -> Stand {
    let stand = Stand::new().await;
    for n in 0..posts {
        let post = stand.post(member(1 + n % 5), &format!("post {n}")).await;
        for fan in 0..(n * 7 % 6) {
            stand.like(member(10 + fan), &post.id).await;
        }
        for _ in 0..(n * 5 % 3) {
            stand.comment(member(20), &post.id, "Noted.").await;
        }
        stand.wait(60);
    }
    stand
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

/// Walks from the first page to the last; `between` happens after each page.
async fn walk(
    stand: &Stand,
    who: &Call,
    sort: PostSort,
    author: Option<Uuid>,
    size: i32,
    mut between: impl AsyncFnMut(&Stand),
) -> Vec<Post> {
    let (mut posts, mut token) = (Vec::new(), String::new());
    loop {
        let page = stand.list_posts(who, request(sort, author, size, &token)).await.unwrap();
        assert!(page.posts.len() <= usize::try_from(size).unwrap());
        posts.extend(page.posts);
        if page.next_page_token.is_empty() {
            return posts;
        }
        token = page.next_page_token;
        between(stand).await;
    }
}

fn words(posts: &[Post]) -> Vec<String> {
    posts.iter().map(|post| post.content.clone()).collect()
}

fn when(post: &Post) -> (i64, i32) {
    post.created_at.map(|at| (at.seconds, at.nanos)).unwrap()
}

#[tokio::test]
async fn each_order_is_what_it_says() {
    let stand = busy(23).await;
    stand.wait(7_200);
    let who = stand.visitor();
    let quiet = async |_: &Stand| {};

    let recent = walk(&stand, &who, PostSort::Recent, None, 100, quiet).await;
    assert_eq!(words(&recent), (0..23).rev().map(|n| format!("post {n}")).collect::<Vec<_>>());

    let top = walk(&stand, &who, PostSort::Top, None, 100, quiet).await;
    let mut expected = recent.clone();
    expected.sort_by_key(|post| std::cmp::Reverse((post.like_count, when(post), post.id.clone())));
    assert_eq!(words(&top), words(&expected));

    let relevant = walk(&stand, &who, PostSort::Relevant, None, 100, quiet).await;
    let mut expected = recent.clone();
    let rank = |post: &Post| {
        let (seconds, nanos) = when(post);
        let at = chrono::DateTime::from_timestamp(seconds, nanos.try_into().unwrap()).unwrap();
        feed::ranking::rank(feed::ranking::freshness(at), post.like_count, post.comment_count)
    };
    expected.sort_by(|a, b| rank(b).total_cmp(&rank(a)));
    assert_eq!(words(&relevant), words(&expected));

    let own = walk(&stand, &who, PostSort::Recent, Some(member(2)), 100, quiet).await;
    assert_eq!(words(&own), ["post 21", "post 16", "post 11", "post 6", "post 1"]);
}

#[tokio::test]
async fn a_walk_meets_every_post_once_while_others_publish() {
    let stand = busy(23).await;
    let who = stand.by(member(3));
    for (sort, author) in [
        (PostSort::Relevant, None),
        (PostSort::Recent, None),
        (PostSort::Top, None),
        (PostSort::Recent, Some(member(3))),
    ] {
        let before = walk(&stand, &who, sort, author, 100, async |_: &Stand| {}).await;
        // The writers are the reader and another, so that posts which would lead a new walk come too.
        let publish = async |stand: &Stand| {
            stand.wait(1);
            stand.post(member(3), "while you read").await;
            stand.post(member(4), "and another").await;
        };
        let paged = walk(&stand, &who, sort, author, 4, publish).await;
        let met: Vec<&Post> = paged.iter().filter(|post| before.iter().any(|known| known.id == post.id)).collect();
        assert_eq!(
            met.iter().map(|post| &post.id).collect::<Vec<_>>(),
            before.iter().map(|post| &post.id).collect::<Vec<_>>(),
            "{sort:?} {author:?}"
        );
        if sort != PostSort::Top {
            assert_eq!(paged.len(), before.len(), "{sort:?}: what came later belongs to the next walk");
        }
    }
}

#[tokio::test]
async fn my_posts_of_the_last_hour_lead_page_one_and_come_once() {
    let stand = busy(12).await;
    stand.wait(7_200);
    stand.post(member(9), "mine, older").await;
    stand.wait(3_601);
    for n in 0..3 {
        stand.post(member(9), &format!("mine {n}")).await;
        stand.wait(60);
    }
    let loved = stand.post(member(1), "loved").await;
    for n in 20..50 {
        stand.like(member(n), &loved.id).await;
    }

    let mine = walk(&stand, &stand.by(member(9)), PostSort::Relevant, None, 2, async |_: &Stand| {}).await;
    assert_eq!(words(&mine)[..4], ["mine 2", "mine 1", "mine 0", "loved"]);
    assert_eq!(mine.len(), 17);
    assert_eq!(mine.iter().filter(|post| post.author_id == member(9).to_string()).count(), 4);

    let others = walk(&stand, &stand.visitor(), PostSort::Relevant, None, 100, async |_: &Stand| {}).await;
    assert_eq!(words(&others)[0], "loved");
    assert_eq!(others.len(), 17);

    stand.wait(3_600);
    let later = walk(&stand, &stand.by(member(9)), PostSort::Relevant, None, 100, async |_: &Stand| {}).await;
    assert_eq!(words(&later)[0], "loved", "an hour later they stand where they belong");
}

#[tokio::test]
async fn a_walk_survives_posts_of_the_same_moment() {
    let stand = Stand::new().await;
    for n in 0..25 {
        stand.post(member(n % 3), &format!("same moment {n}")).await;
    }
    for sort in [PostSort::Relevant, PostSort::Recent, PostSort::Top] {
        let posts = walk(&stand, &stand.visitor(), sort, None, 3, async |_: &Stand| {}).await;
        let ids: std::collections::HashSet<&String> = posts.iter().map(|post| &post.id).collect();
        assert_eq!((posts.len(), ids.len()), (25, 25), "{sort:?}");
    }
}

#[tokio::test]
async fn pages_have_the_size_asked_for() {
    let stand = Stand::new().await;
    let who = stand.visitor();
    let none = stand.list_posts(&who, request(PostSort::Relevant, None, 0, "")).await.unwrap();
    assert!(none.posts.is_empty() && none.next_page_token.is_empty());
    for n in 0..105 {
        stand.post(member(1), &format!("post {n}")).await;
    }
    for (asked, given) in [(0, 20), (1, 1), (100, 100), (1_000, 100)] {
        for sort in [PostSort::Relevant, PostSort::Recent, PostSort::Top] {
            let page = stand.list_posts(&who, request(sort, None, asked, "")).await.unwrap();
            assert_eq!(page.posts.len(), given);
            assert!(!page.next_page_token.is_empty());
        }
    }
}

#[tokio::test]
async fn tokens_of_another_order_and_garbage_are_refused() {
    let stand = busy(6).await;
    let who = stand.visitor();
    let sorts = [PostSort::Relevant, PostSort::Recent, PostSort::Top];
    let mut tokens = Vec::new();
    for sort in sorts {
        tokens.push(stand.list_posts(&who, request(sort, None, 2, "")).await.unwrap().next_page_token);
    }
    let authored = stand.list_posts(&who, request(PostSort::Recent, Some(member(1)), 1, "")).await.unwrap();
    tokens.push(authored.next_page_token);
    tokens.extend(["x", "bnVsbA", "e30", "W10", "\0", "AAAA"].map(str::to_owned));
    tokens.push("A".repeat(1 << 20));
    for (n, sort) in sorts.into_iter().enumerate() {
        for (m, token) in tokens.iter().enumerate() {
            let answer = stand.list_posts(&who, request(sort, None, 2, token)).await;
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
async fn a_sort_is_named_and_a_members_posts_come_newest_first_only() {
    let stand = Stand::new().await;
    let who = stand.visitor();
    let bad = [
        (request(PostSort::Unspecified, None, 0, ""), "sort"),
        (ListPostsRequest { sort: 99, ..Default::default() }, "sort"),
        (request(PostSort::Relevant, Some(member(1)), 0, ""), "sort"),
        (request(PostSort::Top, Some(member(1)), 0, ""), "sort"),
        (request(PostSort::Recent, None, -1, ""), "pageSize"),
    ];
    for (request, field) in bad {
        let refused = stand.list_posts(&who, request).await.unwrap_err();
        assert_eq!((refused.kind, refused.violations[0].field.as_str()), (ErrorKind::Invalid, field));
    }
    let nobody = stand.list_posts(&who, request(PostSort::Recent, Some(member(99)), 0, "")).await.unwrap();
    assert!(nobody.posts.is_empty());
}
