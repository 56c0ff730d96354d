//! Posts with pictures: encoded again, used once and by the uploader only, and deleted when unused.

use std::{io::Cursor, sync::Arc};

use chassis::config::Source;
use chrono::TimeDelta;
use image::{ImageFormat, Rgb, RgbImage};
use picture_store::{Name, Pictures};
use portia_proto::feed::{
    CreatePostRequest, DeletePostRequest, ListPostsRequest, Picture, Post, PostSort, UpdatePostRequest,
    UploadPictureResponse,
};
use primitives::error::{ErrorKind, StatusDetails};
use tempfile::TempDir;
use tokio::task::JoinSet;
use uuid::Uuid;

use crate::fixtures::{Fixture, UNKNOWN_ID, community, member};

/// Returns a distinct photo for each `n`.
pub fn photo(n: u8, width: u32, height: u32, format: ImageFormat) -> Vec<u8> {
    let mut file = Cursor::new(Vec::new());
    let image = RgbImage::from_fn(width, height, |x, y| Rgb([n.wrapping_mul(40), (x / 8) as u8, y as u8]));
    image.write_to(&mut file, format).unwrap();
    file.into_inner()
}

pub fn small(n: u8) -> Vec<u8> {
    photo(n, 30, 20, ImageFormat::Png)
}

/// Starts the service with a folder of pictures.
async fn fixture_with_store() -> (Fixture, Pictures, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let url = folder.path().to_str().unwrap().to_owned();
    let fixture = Fixture::with_upstreams(|builder| builder.with("pictures_url", url.as_str())).await;
    (fixture, Pictures::open(&Source::default().with("pictures_url", url)).unwrap().signed(), folder)
}

fn files(folder: &TempDir) -> usize {
    folder.path().join("signed").read_dir().map_or(0, Iterator::count)
}

fn post_request(picture: &str, alt: Option<&str>) -> CreatePostRequest {
    CreatePostRequest {
        content: "Look".to_owned(),
        picture_id: Some(picture.to_owned()),
        picture_alt: alt.map(str::to_owned),
        ..Default::default()
    }
}

async fn publish(fixture: &Fixture, who: Uuid, request: CreatePostRequest) -> Result<Post, StatusDetails> {
    Ok(fixture.create_post(&fixture.as_member(who), request).await?.post.unwrap())
}

async fn sweep(fixture: &Fixture, store: &Pictures) -> u32 {
    feed::pictures::delete_unused(fixture.pool(), store, fixture.harness.clock.now()).await.unwrap()
}

async fn object(store: &Pictures, picture: &UploadPictureResponse) -> Option<Vec<u8>> {
    store.get(&Name::from_signed_address(&picture.url).unwrap()).await.unwrap().map(Into::into)
}

#[tokio::test]
async fn an_uploaded_picture_is_encoded_again_and_shown_in_every_list() {
    let (fixture, store, _folder) = fixture_with_store().await;
    for (format, from, to) in [(ImageFormat::Png, (2400, 600), (1600, 400)), (ImageFormat::Jpeg, (60, 90), (60, 90))] {
        let file = photo(1, from.0, from.1, format);
        let uploaded = fixture.upload_picture(member(1), &file, None).await.unwrap();
        assert_eq!((uploaded.width, uploaded.height), to);
        let jpeg = object(&store, &uploaded).await.unwrap();
        let made = image::load_from_memory_with_format(&jpeg, ImageFormat::Jpeg).unwrap();
        assert_eq!(((made.width() as i32, made.height() as i32), jpeg != file), (to, true));
        let post = publish(&fixture, member(1), post_request(&uploaded.picture_id, Some(" A court "))).await.unwrap();
        let picture = Picture { alt: "A court".to_owned(), width: to.0, height: to.1 };
        assert_eq!((post.image_url.as_deref(), post.picture.as_ref()), (Some(uploaded.url.as_str()), Some(&picture)));
        assert_eq!(fixture.get_post_as(&fixture.as_visitor(), &post.id).await.picture, Some(picture.clone()));
        for (sort, author_id) in [
            (PostSort::Recent, None),
            (PostSort::Top, None),
            (PostSort::Relevant, None),
            (PostSort::Recent, Some(member(1).to_string())),
        ] {
            let request = ListPostsRequest { sort: sort.into(), author_id, ..Default::default() };
            let posts = fixture.list_posts(&fixture.as_visitor(), request).await.unwrap().posts;
            let listed = posts.into_iter().find(|listed| listed.id == post.id).unwrap();
            assert_eq!((listed.image_url, listed.picture), (post.image_url.clone(), Some(picture.clone())), "{sort:?}");
        }
        let request = CreatePostRequest { repost_of: Some(post.id.clone()), ..Default::default() };
        let original = publish(&fixture, member(2), request).await.unwrap().repost.unwrap();
        assert_eq!((original.image_url, original.picture), (post.image_url, Some(picture)));
    }
}

#[tokio::test]
async fn a_post_with_a_foreign_used_or_unknown_picture_is_refused() {
    let (fixture, _, _folder) = fixture_with_store().await;
    let mine = fixture.upload_picture(member(1), &small(1), None).await.unwrap().picture_id;
    let theirs = fixture.upload_picture(member(2), &small(1), None).await.unwrap().picture_id;
    assert_ne!(mine, theirs, "one file of two members is two pictures");
    let taken = publish(&fixture, member(1), post_request(&mine, None)).await.unwrap();
    assert_eq!(taken.picture.unwrap().alt, "");
    let mut sentences = Vec::new();
    for (who, picture) in [(1, theirs.as_str()), (1, &mine), (2, &mine), (1, UNKNOWN_ID), (1, &taken.id)] {
        let refused = publish(&fixture, member(who), post_request(picture, None)).await.unwrap_err();
        assert_eq!(
            (refused.kind, refused.violations[0].field.as_str()),
            (ErrorKind::Invalid, "pictureId"),
            "{who} {picture}"
        );
        sentences.push(refused.message);
    }
    sentences.dedup();
    assert_eq!(sentences.len(), 1, "the refusals are equal");
    // A refused post does not use the picture.
    let society = community(1);
    let into = CreatePostRequest { community_id: Some(society.to_string()), ..post_request(&theirs, None) };
    assert_eq!(publish(&fixture, member(2), into.clone()).await.unwrap_err().kind, ErrorKind::Forbidden);
    fixture.join_community(society, &[member(2)]).await;
    publish(&fixture, member(2), into).await.unwrap();
    assert_eq!(fixture.count("select count(*) from feed.posts").await, 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn one_of_several_concurrent_posts_gets_a_picture() {
    let fixture = Arc::new(Fixture::new().await);
    let picture = fixture.upload_picture(member(1), &small(1), None).await.unwrap().picture_id;
    let mut racers = JoinSet::new();
    for _ in 0..8 {
        let (fixture, picture) = (Arc::clone(&fixture), picture.clone());
        racers.spawn(async move { publish(&fixture, member(1), post_request(&picture, None)).await });
    }
    let published = racers.join_all().await.into_iter().filter(Result::is_ok).count();
    assert_eq!((published, fixture.count("select count(*) from feed.posts").await), (1, 1));
}

#[tokio::test]
async fn a_picture_excludes_a_title_a_video_and_a_repost() {
    let fixture = Fixture::new().await;
    let picture = fixture.upload_picture(member(1), &small(1), None).await.unwrap().picture_id;
    let other = fixture.create_post_of(member(2), "Other").await.id;
    let plain = || post_request(&picture, None);
    let video = Some("https://video.example/1".to_owned());
    for (field, request) in [
        ("videoUrl", CreatePostRequest { video_url: video.clone(), ..plain() }),
        ("pictureId", CreatePostRequest { title: Some("Title".to_owned()), ..plain() }),
        ("pictureId", CreatePostRequest { repost_of: Some(other.clone()), ..plain() }),
        ("pictureAlt", CreatePostRequest { picture_id: None, picture_alt: Some("A court".to_owned()), ..plain() }),
        ("pictureAlt", post_request(&picture, Some(&"a".repeat(1_001)))),
        ("pictureAlt", post_request(&picture, Some("a\0b"))),
        ("pictureId", post_request("1", None)),
        ("pictureId", post_request("\0", None)),
        ("content", CreatePostRequest { content: " ".to_owned(), ..plain() }),
        (
            "videoUrl",
            CreatePostRequest { video_url: video.clone(), repost_of: Some(other.clone()), ..Default::default() },
        ),
        ("title", CreatePostRequest { title: Some("Title".to_owned()), repost_of: Some(other), ..Default::default() }),
    ] {
        let refused = publish(&fixture, member(1), request).await.unwrap_err();
        let fields: Vec<&str> = refused.violations.iter().map(|violation| violation.field.as_str()).collect();
        assert!(refused.kind == ErrorKind::Invalid && fields.contains(&field), "{field}: {fields:?}");
    }
    assert_eq!(fixture.count("select count(*) from feed.posts").await, 1);
    // The picture stays unused.
    publish(&fixture, member(1), plain()).await.unwrap();
}

#[tokio::test]
async fn an_invalid_picture_is_refused_and_not_stored() {
    let (fixture, _, folder) = fixture_with_store().await;
    let whole = small(1);
    for (n, file) in [
        vec![],
        b"GIF89a".to_vec(),
        b"<svg xmlns='http://www.w3.org/2000/svg'/>".to_vec(),
        whole[..whole.len() / 2].to_vec(),
        photo(1, 4_097, 1, ImageFormat::Png),
        vec![0xff; (8 << 20) + 1],
    ]
    .into_iter()
    .enumerate()
    {
        let refused = fixture.upload_picture(member(1), &file, None).await.unwrap_err();
        assert_eq!((refused.kind, refused.violations[0].field.as_str()), (ErrorKind::Invalid, "picture"), "{n}");
    }
    for key in ["", "a\0b", &"k".repeat(201)] {
        let refused = fixture.upload_picture(member(1), &whole, Some(key)).await.unwrap_err();
        assert_eq!((refused.kind, refused.violations[0].field.as_str()), (ErrorKind::Invalid, "idempotencyKey"));
    }
    assert_eq!((files(&folder), fixture.count("select count(*) from feed.pictures").await), (0, 0));
}

#[tokio::test]
async fn a_repeated_upload_with_a_key_is_one_picture() {
    let (fixture, store, folder) = fixture_with_store().await;
    let first = fixture.upload_picture(member(1), &small(1), Some("k")).await.unwrap();
    // The first request ended before the object was stored.
    store.delete(&Name::from_signed_address(&first.url).unwrap()).await.unwrap();
    assert_eq!(fixture.upload_picture(member(1), &small(1), Some("k")).await.unwrap(), first);
    assert!(object(&store, &first).await.is_some());
    let refused = fixture.upload_picture(member(1), &small(2), Some("k")).await.unwrap_err();
    assert_eq!((refused.kind, refused.reason.as_str()), (ErrorKind::KeyReused, "IDEMPOTENCY_KEY_REUSED"));
    assert_ne!(fixture.upload_picture(member(2), &small(1), Some("k")).await.unwrap(), first);
    assert_ne!(fixture.upload_picture(member(1), &small(1), None).await.unwrap(), first);
    assert_eq!(files(&folder), 3);
    // The answer is the same while a post uses the picture, until that post is deleted.
    let request = CreatePostRequest { idempotency_key: Some("p".to_owned()), ..post_request(&first.picture_id, None) };
    let post = publish(&fixture, member(1), request.clone()).await.unwrap();
    assert_eq!(publish(&fixture, member(1), request.clone()).await.unwrap(), post);
    let other = CreatePostRequest { picture_alt: Some("Other".to_owned()), ..request };
    assert_eq!(publish(&fixture, member(1), other).await.unwrap_err().kind, ErrorKind::KeyReused);
    assert_eq!(fixture.upload_picture(member(1), &small(1), Some("k")).await.unwrap(), first);
    fixture
        .delete_post(&fixture.as_member(member(1)), DeletePostRequest { post_id: post.id, reason: 0 })
        .await
        .unwrap();
    assert_eq!(fixture.upload_picture(member(1), &small(1), Some("k")).await.unwrap_err().kind, ErrorKind::KeyReused);
}

#[tokio::test]
async fn a_picture_unused_for_a_day_or_of_a_deleted_post_is_deleted() {
    let (fixture, store, folder) = fixture_with_store().await;
    let taken = fixture.upload_picture(member(1), &small(1), None).await.unwrap();
    let waits = fixture.upload_picture(member(1), &small(2), None).await.unwrap();
    let post = publish(&fixture, member(1), post_request(&taken.picture_id, None)).await.unwrap();
    fixture.harness.clock.advance(TimeDelta::hours(24) - TimeDelta::seconds(1));
    assert_eq!((sweep(&fixture, &store).await, files(&folder)), (0, 2));
    fixture.advance_clock(1);
    // Expired, before and after the sweep.
    assert!(publish(&fixture, member(1), post_request(&waits.picture_id, None)).await.is_err());
    assert_eq!((sweep(&fixture, &store).await, files(&folder)), (1, 1));
    assert!(object(&store, &waits).await.is_none());
    assert!(publish(&fixture, member(1), post_request(&waits.picture_id, None)).await.is_err());
    fixture
        .delete_post(&fixture.as_member(member(1)), DeletePostRequest { post_id: post.id, reason: 0 })
        .await
        .unwrap();
    assert!(
        publish(&fixture, member(1), post_request(&taken.picture_id, None)).await.is_err(),
        "the second sweep finds nothing"
    );
    assert_eq!((sweep(&fixture, &store).await, files(&folder)), (1, 0));
    assert_eq!(fixture.count("select count(*) from feed.pictures").await, 0);
    let left = "select count(*) from feed.posts where picture_hash is not null";
    assert_eq!(fixture.count(left).await, 0, "without an owner");
}

#[tokio::test]
async fn the_pictures_of_an_erased_member_are_deleted() {
    let (fixture, store, folder) = fixture_with_store().await;
    for n in 0..3 {
        let uploaded = fixture.upload_picture(member(1), &small(n), None).await.unwrap();
        if n > 0 {
            publish(&fixture, member(1), post_request(&uploaded.picture_id, None)).await.unwrap();
        }
    }
    let stays = fixture.upload_picture(member(2), &small(1), None).await.unwrap();
    publish(&fixture, member(2), post_request(&stays.picture_id, None)).await.unwrap();
    let mut conn = fixture.pool().acquire().await.unwrap();
    feed::deactivation::request_erasure(&mut conn, &member(1).to_string(), fixture.harness.clock.now()).await.unwrap();
    drop(conn);
    feed::deactivation::erase::erase_requested(fixture.pool()).await.unwrap();
    assert_eq!((sweep(&fixture, &store).await, files(&folder)), (3, 1));
    assert!(object(&store, &stays).await.is_some());
}

#[tokio::test]
async fn an_upload_without_a_working_store_is_refused() {
    let (fixture, _, folder) = fixture_with_store().await;
    let url = folder.path().to_owned();
    // A file instead of the folder: the store fails for every user.
    drop(folder);
    std::fs::write(&url, "").unwrap();
    let refused = fixture.upload_picture(member(1), &small(1), None).await.unwrap_err();
    assert_eq!((refused.kind, refused.reason.as_str()), (ErrorKind::Unavailable, "PICTURES_UNAVAILABLE"));
    std::fs::remove_file(&url).unwrap();
}

#[tokio::test]
async fn the_author_edits_the_alternative_text_of_a_picture() {
    let fixture = Fixture::new().await;
    let picture = fixture.upload_picture(member(1), &small(1), None).await.unwrap().picture_id;
    let post = publish(&fixture, member(1), post_request(&picture, Some("A court"))).await.unwrap();
    let change = |alt: Option<&str>| UpdatePostRequest {
        post_id: post.id.clone(),
        content: "Look".to_owned(),
        picture_alt: alt.map(str::to_owned),
        ..Default::default()
    };
    let changed =
        async |alt| fixture.update_post(&fixture.as_member(member(1)), change(alt)).await.unwrap().post.unwrap();
    fixture.advance_clock(20);
    // Equal values are not a change.
    for alt in [None, Some("A court"), Some(" A court ")] {
        assert_eq!(changed(alt).await.edited_at, None);
    }
    let new = changed(Some("The Supreme Court")).await;
    assert_eq!((new.picture.unwrap().alt.as_str(), new.edited_at.is_some()), ("The Supreme Court", true));
    assert_eq!(changed(Some("")).await.picture.unwrap().alt, "");
    let refused =
        fixture.update_post(&fixture.as_member(member(1)), change(Some(&"a".repeat(1_001)))).await.unwrap_err();
    assert_eq!(refused.violations[0].field, "pictureAlt");
    let foreign = fixture.update_post(&fixture.as_member(member(2)), change(Some("Mine"))).await.unwrap_err();
    assert_eq!(foreign.kind, ErrorKind::Forbidden);
}
