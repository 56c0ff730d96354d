//! Articles and links to videos: kept as they were written, and in lists their beginning.

use portia_proto::feed::{
    BatchGetPostsRequest, CreatePostRequest, ListActivityRequest, ListPostsRequest, Post, PostSort, SearchPostsRequest,
    UpdatePostRequest,
};
use primitives::error::{ErrorKind, StatusDetails};

use crate::stand::{Stand, member};

async fn publish(stand: &Stand, request: CreatePostRequest) -> Result<Post, StatusDetails> {
    Ok(stand.create_post(&stand.by(member(1)), request).await?.post.unwrap())
}

fn article(title: &str, content: &str) -> CreatePostRequest {
    CreatePostRequest { title: Some(title.to_owned()), content: content.to_owned(), ..Default::default() }
}

fn to(post: &Post, title: Option<&str>, content: &str) -> UpdatePostRequest {
    let title = title.map(str::to_owned);
    UpdatePostRequest { post_id: post.id.clone(), title, content: content.to_owned(), ..Default::default() }
}

/// The post as each list carries it.
async fn listed(stand: &Stand, post: &str) -> Vec<Post> {
    let mut seen = Vec::new();
    for (sort, author_id) in [
        (PostSort::Recent, None),
        (PostSort::Top, None),
        (PostSort::Relevant, None),
        (PostSort::Recent, Some(member(1).to_string())),
    ] {
        let request = ListPostsRequest { sort: sort.into(), author_id, ..Default::default() };
        let posts = stand.list_posts(&stand.visitor(), request).await.unwrap().posts;
        seen.extend(posts.into_iter().filter(|one| one.id == post));
    }
    let request = BatchGetPostsRequest { post_ids: vec![post.to_owned()] };
    seen.extend(stand.batch_get_posts(&stand.visitor(), request).await.unwrap().posts);
    assert_eq!(seen.len(), 5);
    seen
}

#[tokio::test]
async fn an_article_is_kept_as_it_was_written_and_lists_have_its_beginning() {
    let stand = Stand::new().await;
    let text = format!("# Rule *23*\n\nSee [the rule](https://x.example) <b>here</b>.\n{}", "Long. ".repeat(5_000));
    let post = publish(&stand, article(" Class actions ", &text)).await.unwrap();
    assert_eq!((post.title.as_deref(), post.content.as_str()), (Some("Class actions"), text.as_str()));
    let whole = stand.seen(&stand.visitor(), &post.id).await;
    assert_eq!((whole.title.as_deref(), whole.content.as_str()), (Some("Class actions"), text.as_str()));
    for short in listed(&stand, &post.id).await {
        assert!(short.content.starts_with("Rule 23\nSee the rule <b>here</b>.\nLong. Long."), "{}", short.content);
        assert_eq!((short.content.chars().count() <= 600, short.title.as_deref()), (true, Some("Class actions")));
    }
    let request = CreatePostRequest { repost_of: Some(post.id.clone()), ..Default::default() };
    let repost = stand.create_post(&stand.by(member(2)), request).await.unwrap().post.unwrap().repost.unwrap();
    assert_eq!(repost.title.as_deref(), Some("Class actions"));
    assert!(repost.content.unwrap().starts_with("Rule 23\nSee the rule"));
    let request = ListActivityRequest { member_id: member(1).to_string(), ..Default::default() };
    let activity = stand.list_activity(&stand.visitor(), request).await.unwrap().activities.remove(0);
    assert!(activity.post_excerpt.starts_with("Rule 23\nSee") && activity.post_excerpt.chars().count() == 300);
    // Found by its title and by what it says.
    for query in ["class actions", "rule"] {
        let request = SearchPostsRequest { query: query.to_owned(), ..Default::default() };
        let found = stand.search_posts(&stand.visitor(), request).await.unwrap().posts;
        assert_eq!(found[0].id, post.id, "{query}");
        assert!(found[0].content.chars().count() <= 600);
    }
}

#[tokio::test]
async fn an_article_has_a_title_and_room() {
    let stand = Stand::new().await;
    let long = "\u{f1}".repeat(40_000);
    assert_eq!(publish(&stand, article(&"t".repeat(200), &long)).await.unwrap().content, long);
    for (field, request) in [
        ("title", article("", "Text")),
        ("title", article(" \t", "Text")),
        ("title", article("two\nlines", "Text")),
        ("title", article("a\0b", "Text")),
        ("title", article(&"t".repeat(201), "Text")),
        ("content", article("Title", " ")),
        ("content", article("Title", &"a".repeat(40_001))),
        ("content", CreatePostRequest { content: "a".repeat(5_001), ..Default::default() }),
    ] {
        let refused = publish(&stand, request).await.unwrap_err();
        assert_eq!((refused.kind, refused.violations[0].field.as_str()), (ErrorKind::Invalid, field));
    }
    assert_eq!(stand.count("select count(*) from feed.posts").await, 1);
}

#[tokio::test]
async fn an_article_is_changed_and_stays_one() {
    let stand = Stand::new().await;
    let me = stand.by(member(1));
    let post = publish(&stand, article("Title", "*Text*")).await.unwrap();
    let change = async |title: Option<&str>, content: &str| {
        let changed = stand.update_post(&me, to(&post, title, content)).await;
        changed.map(|changed| changed.post.unwrap())
    };
    for title in [None, Some("Title")] {
        assert_eq!(change(title, "*Text*").await.unwrap().edited_at, None, "the same again");
    }
    let long = "**Word** ".repeat(1_000);
    let changed = change(None, long.trim()).await.unwrap();
    assert_eq!((changed.title.as_deref(), changed.content.as_str()), (Some("Title"), long.trim()));
    assert!(changed.edited_at.is_some());
    assert!(listed(&stand, &post.id).await.iter().all(|short| short.content.starts_with("Word Word")));
    let renamed = change(Some("Other"), long.trim()).await.unwrap();
    assert_eq!(renamed.title.as_deref(), Some("Other"));
    for (field, title, content) in
        [("title", Some(" "), "Text"), ("content", None, " "), ("content", None, &"a".repeat(40_001))]
    {
        let refused = change(title, content).await.unwrap_err();
        assert_eq!((refused.kind, refused.violations[0].field.as_str()), (ErrorKind::Invalid, field));
    }
    // What is no article becomes none, and says no more than it may.
    let plain = stand.post(member(1), "Plain").await;
    for (field, request) in
        [("title", to(&plain, Some("Title"), "Text")), ("content", to(&plain, None, &"a".repeat(5_001)))]
    {
        let refused = stand.update_post(&me, request).await.unwrap_err();
        assert_eq!((refused.kind, refused.violations[0].field.as_str()), (ErrorKind::Invalid, field));
    }
    assert_eq!(stand.seen(&me, &plain.id).await, plain);
}

#[tokio::test]
async fn a_video_is_an_address_and_no_script() {
    let stand = Stand::new().await;
    let with = |url: &str| CreatePostRequest {
        content: "Watch".to_owned(),
        video_url: Some(url.to_owned()),
        ..Default::default()
    };
    let post = publish(&stand, with("https://video.example/watch?v=\u{e9}")).await.unwrap();
    assert_eq!(post.video_url.as_deref(), Some("https://video.example/watch?v=%C3%A9"));
    assert!(listed(&stand, &post.id).await.iter().all(|short| short.video_url == post.video_url));
    let request = CreatePostRequest { repost_of: Some(post.id.clone()), ..Default::default() };
    let repost = stand.create_post(&stand.by(member(2)), request).await.unwrap().post.unwrap().repost.unwrap();
    assert_eq!(repost.video_url, post.video_url);
    let long = format!("https://video.example/{}", "a".repeat(2_048));
    for bad in
        ["", "javascript:alert(1)", "data:text/html,x", "//video.example", "https://me:pw@video.example", "a\0", &long]
    {
        let refused = publish(&stand, with(bad)).await.unwrap_err();
        assert_eq!(
            (refused.kind, refused.violations[0].field.as_str()),
            (ErrorKind::Invalid, "videoUrl"),
            "{bad:.40?}"
        );
    }
    // An article may name one.
    let request = CreatePostRequest { title: Some("Title".to_owned()), ..with("https://video.example/2") };
    assert_eq!(publish(&stand, request).await.unwrap().video_url.as_deref(), Some("https://video.example/2"));
}
