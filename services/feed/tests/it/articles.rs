//! Articles and links to videos: stored unchanged, with excerpts in lists.

use portia_proto::feed::{
    BatchGetPostsRequest, CreatePostRequest, ListActivityRequest, ListPostsRequest, Post, PostSort, SearchPostsRequest,
    UpdatePostRequest,
};
use primitives::error::{ErrorKind, StatusDetails};

use crate::fixtures::{Fixture, member};

async fn publish(fixture: &Fixture, request: CreatePostRequest) -> Result<Post, StatusDetails> {
    Ok(fixture.create_post(&fixture.as_member(member(1)), request).await?.post.unwrap())
}

fn article(title: &str, content: &str) -> CreatePostRequest {
    CreatePostRequest { title: Some(title.to_owned()), content: content.to_owned(), ..Default::default() }
}

fn update_request(post: &Post, title: Option<&str>, content: &str) -> UpdatePostRequest {
    let title = title.map(str::to_owned);
    UpdatePostRequest { post_id: post.id.clone(), title, content: content.to_owned(), ..Default::default() }
}

/// Returns the post in each list.
async fn list_everywhere(fixture: &Fixture, post: &str) -> Vec<Post> {
    let mut seen = Vec::new();
    for (sort, author_id) in [
        (PostSort::Recent, None),
        (PostSort::Top, None),
        (PostSort::Relevant, None),
        (PostSort::Recent, Some(member(1).to_string())),
    ] {
        let request = ListPostsRequest { sort: sort.into(), author_id, ..Default::default() };
        let posts = fixture.list_posts(&fixture.as_visitor(), request).await.unwrap().posts;
        seen.extend(posts.into_iter().filter(|one| one.id == post));
    }
    let request = BatchGetPostsRequest { post_ids: vec![post.to_owned()] };
    seen.extend(fixture.batch_get_posts(&fixture.as_visitor(), request).await.unwrap().posts);
    assert_eq!(seen.len(), 5);
    seen
}

#[tokio::test]
async fn an_article_is_stored_unchanged_and_lists_contain_its_excerpt() {
    let fixture = Fixture::new().await;
    let text = format!("# Rule *23*\n\nSee [the rule](https://x.example) <b>here</b>.\n{}", "Long. ".repeat(5_000));
    let post = publish(&fixture, article(" Class actions ", &text)).await.unwrap();
    assert_eq!((post.title.as_deref(), post.content.as_str()), (Some("Class actions"), text.as_str()));
    let whole = fixture.get_post_as(&fixture.as_visitor(), &post.id).await;
    assert_eq!((whole.title.as_deref(), whole.content.as_str()), (Some("Class actions"), text.as_str()));
    for short in list_everywhere(&fixture, &post.id).await {
        assert!(short.content.starts_with("Rule 23\nSee the rule <b>here</b>.\nLong. Long."), "{}", short.content);
        assert_eq!((short.content.chars().count() <= 600, short.title.as_deref()), (true, Some("Class actions")));
    }
    let request = CreatePostRequest { repost_of: Some(post.id.clone()), ..Default::default() };
    let repost =
        fixture.create_post(&fixture.as_member(member(2)), request).await.unwrap().post.unwrap().repost.unwrap();
    assert_eq!(repost.title.as_deref(), Some("Class actions"));
    assert!(repost.content.unwrap().starts_with("Rule 23\nSee the rule"));
    let request = ListActivityRequest { member_id: member(1).to_string(), ..Default::default() };
    let activity = fixture.list_activity(&fixture.as_visitor(), request).await.unwrap().activities.remove(0);
    assert!(activity.post_excerpt.starts_with("Rule 23\nSee") && activity.post_excerpt.chars().count() == 300);
    // Found by its title and by its text.
    for query in ["class actions", "rule"] {
        let request = SearchPostsRequest { query: query.to_owned(), ..Default::default() };
        let found = fixture.search_posts(&fixture.as_visitor(), request).await.unwrap().posts;
        assert_eq!(found[0].id, post.id, "{query}");
        assert!(found[0].content.chars().count() <= 600);
    }
}

#[tokio::test]
async fn an_article_needs_a_title_and_has_a_higher_limit() {
    let fixture = Fixture::new().await;
    let long = "\u{f1}".repeat(40_000);
    assert_eq!(publish(&fixture, article(&"t".repeat(200), &long)).await.unwrap().content, long);
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
        let refused = publish(&fixture, request).await.unwrap_err();
        assert_eq!((refused.kind, refused.violations[0].field.as_str()), (ErrorKind::Invalid, field));
    }
    assert_eq!(fixture.count("select count(*) from feed.posts").await, 1);
}

#[tokio::test]
async fn an_edited_article_stays_an_article() {
    let fixture = Fixture::new().await;
    let me = fixture.as_member(member(1));
    let post = publish(&fixture, article("Title", "*Text*")).await.unwrap();
    let change = async |title: Option<&str>, content: &str| {
        let changed = fixture.update_post(&me, update_request(&post, title, content)).await;
        changed.map(|changed| changed.post.unwrap())
    };
    for title in [None, Some("Title")] {
        assert_eq!(change(title, "*Text*").await.unwrap().edited_at, None, "a repetition");
    }
    let long = "**Word** ".repeat(1_000);
    let changed = change(None, long.trim()).await.unwrap();
    assert_eq!((changed.title.as_deref(), changed.content.as_str()), (Some("Title"), long.trim()));
    assert!(changed.edited_at.is_some());
    assert!(list_everywhere(&fixture, &post.id).await.iter().all(|short| short.content.starts_with("Word Word")));
    let renamed = change(Some("Other"), long.trim()).await.unwrap();
    assert_eq!(renamed.title.as_deref(), Some("Other"));
    for (field, title, content) in
        [("title", Some(" "), "Text"), ("content", None, " "), ("content", None, &"a".repeat(40_001))]
    {
        let refused = change(title, content).await.unwrap_err();
        assert_eq!((refused.kind, refused.violations[0].field.as_str()), (ErrorKind::Invalid, field));
    }
    // Another post does not become an article and keeps its limit.
    let plain = fixture.create_post_of(member(1), "Plain").await;
    for (field, request) in [
        ("title", update_request(&plain, Some("Title"), "Text")),
        ("content", update_request(&plain, None, &"a".repeat(5_001))),
    ] {
        let refused = fixture.update_post(&me, request).await.unwrap_err();
        assert_eq!((refused.kind, refused.violations[0].field.as_str()), (ErrorKind::Invalid, field));
    }
    assert_eq!(fixture.get_post_as(&me, &plain.id).await, plain);
}

#[tokio::test]
async fn a_video_needs_an_http_address() {
    let fixture = Fixture::new().await;
    let with = |url: &str| CreatePostRequest {
        content: "Watch".to_owned(),
        video_url: Some(url.to_owned()),
        ..Default::default()
    };
    let post = publish(&fixture, with("https://video.example/watch?v=\u{e9}")).await.unwrap();
    assert_eq!(post.video_url.as_deref(), Some("https://video.example/watch?v=%C3%A9"));
    assert!(list_everywhere(&fixture, &post.id).await.iter().all(|short| short.video_url == post.video_url));
    let request = CreatePostRequest { repost_of: Some(post.id.clone()), ..Default::default() };
    let repost =
        fixture.create_post(&fixture.as_member(member(2)), request).await.unwrap().post.unwrap().repost.unwrap();
    assert_eq!(repost.video_url, post.video_url);
    let long = format!("https://video.example/{}", "a".repeat(2_048));
    for bad in
        ["", "javascript:alert(1)", "data:text/html,x", "//video.example", "https://me:pw@video.example", "a\0", &long]
    {
        let refused = publish(&fixture, with(bad)).await.unwrap_err();
        assert_eq!(
            (refused.kind, refused.violations[0].field.as_str()),
            (ErrorKind::Invalid, "videoUrl"),
            "{bad:.40?}"
        );
    }
    // An article may have a video.
    let request = CreatePostRequest { title: Some("Title".to_owned()), ..with("https://video.example/2") };
    assert_eq!(publish(&fixture, request).await.unwrap().video_url.as_deref(), Some("https://video.example/2"));
}
