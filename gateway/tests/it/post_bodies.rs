//! Bodies of posts: a list with bodies in memory is the same, byte for byte, as one with complete posts.

use std::sync::atomic::Ordering;

use portia_proto::feed::{
    Comment, Community, LinkPreview, LinkPreviewImage, Post, PostPicture, Reaction, ReactionKind, Repost,
};
use uuid::Uuid;

use crate::{
    actors::{self, ANA, BEN, CARL, COMMUNITY, POST},
    test_gateway::{TestGateway, TestRequest},
};

fn reaction(member: Uuid, kind: ReactionKind) -> Reaction {
    Reaction { member_id: member.to_string(), kind: kind.into() }
}

/// A text that resembles the JSON around it.
const TRICKY: &str = r#""likes":[] {"id":"x","fullName":"Portia member","headline":null,"avatarUrl":null} \ \u0000 é"#;

/// Posts as feed shows them to Ana, with a reaction of Ana in the first place, if there is one.
fn posts() -> Vec<(&'static str, Post)> {
    let picture = PostPicture { url: "/media/signed/a.jpg".to_owned(), alt: TRICKY.to_owned(), width: 4, height: 3 };
    let preview = LinkPreview {
        url: "https://a.example/".to_owned(),
        host: "a.example".to_owned(),
        title: TRICKY.to_owned(),
        image: Some(LinkPreviewImage { url: "/media/signed/b.jpg".to_owned(), width: 4, height: 3 }),
        ..Default::default()
    };
    let own = reaction(ANA, ReactionKind::Thanks);
    let others = (1..=19).map(|n| reaction(Uuid::from_u128(n), ReactionKind::Support));
    let mentioning =
        Comment { content: format!("With @[{CARL}]"), mentioned_ids: vec![CARL.to_string()], ..actors::comment() };
    let liked = Comment { reactions: vec![own.clone()], ..actors::comment() };
    let by = |author: Uuid| Comment { author_id: author.to_string(), content: TRICKY.to_owned(), ..actors::comment() };
    let second = Comment { id: Uuid::from_u128(8).to_string(), ..by(BEN) };
    let community = Community { id: COMMUNITY.to_string(), name: "Moot".to_owned() };
    let unavailable = Repost::default();
    vec![
        ("plain", actors::post()),
        ("no reaction, no comment", Post { reactions: vec![], comments: vec![], ..actors::post() }),
        (
            "tricky",
            Post {
                content: TRICKY.to_owned(),
                title: Some(TRICKY.to_owned()),
                link_preview: Some(preview.clone()),
                comments: vec![by(ANA), by(CARL), by(Uuid::from_u128(7))],
                ..actors::post()
            },
        ),
        ("own reaction", Post { reactions: [own.clone()].into_iter().chain(others).collect(), ..actors::post() }),
        ("own reaction only", Post { reactions: vec![own], ..actors::post() }),
        ("reaction to a comment", Post { comments: vec![liked, second], ..actors::post() }),
        ("mention", Post { content: format!("With @[{BEN}]"), mentioned_ids: vec![BEN.to_string()], ..actors::post() }),
        ("mention in a comment", Post { comments: vec![mentioning], ..actors::post() }),
        ("repost", Post { repost: Some(actors::repost()), ..actors::post() }),
        ("unavailable original", Post { repost: Some(unavailable), ..actors::post() }),
        (
            "pictures",
            Post {
                image_url: Some(picture.url.clone()),
                pictures: vec![picture.clone(), picture.clone()],
                ..actors::post()
            },
        ),
        (
            "community",
            Post {
                community: Some(community),
                image_url: Some(picture.url.clone()),
                pictures: vec![picture],
                link_preview: Some(preview),
                ..actors::post()
            },
        ),
    ]
}

async fn get(gateway: &TestGateway, path: &str) -> String {
    gateway.send(TestRequest::new("GET", path).by_member(ANA)).await.text()
}

async fn list(gateway: &TestGateway) -> String {
    get(gateway, "/api/posts").await
}

#[tokio::test]
async fn a_list_with_bodies_is_the_same_byte_for_byte() {
    let gateway = TestGateway::start().await;
    for (n, (what, post)) in posts().into_iter().enumerate() {
        let set = |post: Post| *gateway.fakes.post.lock().unwrap() = Some(post);
        set(post.clone());
        let complete = list(&gateway).await;
        assert_eq!(gateway.fakes.count("batch_get_post_bodies"), 0, "a complete post needs no body");
        set(Post { version: vec![u8::try_from(n + 1).unwrap()], ..post });
        for (time, reads) in [("first", 1), ("second", 0)] {
            assert_eq!(list(&gateway).await, complete, "{what}, {time} time");
            assert_eq!(gateway.fakes.count("batch_get_post_bodies"), reads, "{what}, {time} time");
        }
    }
}

#[tokio::test]
async fn another_version_is_read_again() {
    let gateway = TestGateway::start().await;
    for (version, content) in [(1, "Passed"), (2, "Passed the bar"), (1, "Passed again")] {
        let post = Post { content: content.to_owned(), version: vec![version], ..actors::post() };
        *gateway.fakes.post.lock().unwrap() = Some(post);
        assert!(list(&gateway).await.contains(&format!("\"content\":\"{content}\"")), "{content}");
    }
    assert_eq!(gateway.fakes.count("batch_get_post_bodies"), 3);
}

#[tokio::test]
async fn a_list_that_has_its_bodies_needs_no_other_call() {
    let gateway = TestGateway::start().await;
    gateway.fakes.sends_bodies.store(true, Ordering::SeqCst);
    for (n, (what, post)) in posts().into_iter().enumerate() {
        *gateway.fakes.post.lock().unwrap() = Some(post.clone());
        let complete = list(&gateway).await;
        *gateway.fakes.post.lock().unwrap() = Some(Post { version: vec![u8::try_from(n + 1).unwrap()], ..post });
        for time in ["first", "second"] {
            assert_eq!(list(&gateway).await, complete, "{what}, {time} time");
        }
    }
    assert_eq!(gateway.fakes.count("batch_get_post_bodies"), 0);
}

#[tokio::test]
async fn a_post_and_its_comments_in_memory_are_the_same_byte_for_byte() {
    let gateway = TestGateway::start().await;
    let (single, comments) = (format!("/api/posts/{POST}"), format!("/api/posts/{POST}/comments"));
    for (n, (what, post)) in posts().into_iter().enumerate() {
        let set = |post: Post| *gateway.fakes.post.lock().unwrap() = Some(post);
        set(post.clone());
        let complete = (get(&gateway, &single).await, get(&gateway, &comments).await);
        set(Post { version: vec![u8::try_from(n + 1).unwrap()], ..post });
        // The second responses of the fake have neither a body nor comments.
        for time in ["first", "second", "third"] {
            let shown = (get(&gateway, &single).await, get(&gateway, &comments).await);
            assert_eq!(shown, complete, "{what}, {time} time");
        }
    }
}

#[tokio::test]
async fn the_body_of_an_article_in_a_list_is_not_its_whole_text() {
    let gateway = TestGateway::start().await;
    let article = |content: &str| Post {
        title: Some("On appeal".to_owned()),
        content: content.to_owned(),
        version: vec![1],
        ..actors::post()
    };
    let set = |post: Post| *gateway.fakes.post.lock().unwrap() = Some(post);
    let single = format!("/api/posts/{POST}");
    for _ in 0..2 {
        set(article("Whole text"));
        assert!(get(&gateway, &single).await.contains("Whole text"));
        set(article("Excerpt"));
        assert!(list(&gateway).await.contains("Excerpt"));
    }
}

#[tokio::test]
async fn later_pages_of_comments_are_not_kept() {
    let gateway = TestGateway::start().await;
    let path = format!("/api/posts/{POST}/comments?cursor=older");
    for (version, content) in [(1, "Well said."), (1, "Well argued.")] {
        let comments = vec![Comment { content: content.to_owned(), ..actors::comment() }];
        *gateway.fakes.post.lock().unwrap() = Some(Post { comments, version: vec![version], ..actors::post() });
        assert!(get(&gateway, &path).await.contains(content));
    }
}
