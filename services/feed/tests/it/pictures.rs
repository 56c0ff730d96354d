//! Posts with pictures: made anew, taken once and by their uploader only, and no object stays for nobody.

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

use crate::stand::{NOWHERE, Stand, community, member};

/// A photo that is another one for each `n`.
pub fn photo(n: u8, width: u32, height: u32, format: ImageFormat) -> Vec<u8> {
    let mut file = Cursor::new(Vec::new());
    let image = RgbImage::from_fn(width, height, |x, y| Rgb([n.wrapping_mul(40), (x / 8) as u8, y as u8]));
    image.write_to(&mut file, format).unwrap();
    file.into_inner()
}

pub fn small(n: u8) -> Vec<u8> {
    photo(n, 30, 20, ImageFormat::Png)
}

/// A feed with a folder for pictures that the test can look into.
async fn open() -> (Stand, Pictures, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let url = folder.path().to_str().unwrap().to_owned();
    let stand = Stand::beside(|builder| builder.with("pictures_url", url.as_str())).await;
    (stand, Pictures::open(&Source::default().with("pictures_url", url)).unwrap(), folder)
}

fn files(folder: &TempDir) -> usize {
    folder.path().read_dir().unwrap().count()
}

fn showing(picture: &str, alt: Option<&str>) -> CreatePostRequest {
    CreatePostRequest {
        content: "Look".to_owned(),
        picture_id: Some(picture.to_owned()),
        picture_alt: alt.map(str::to_owned),
        ..Default::default()
    }
}

async fn publish(stand: &Stand, who: Uuid, request: CreatePostRequest) -> Result<Post, StatusDetails> {
    Ok(stand.create_post(&stand.by(who), request).await?.post.unwrap())
}

async fn sweep(stand: &Stand, store: &Pictures) -> u32 {
    feed::pictures::sweep(stand.pool(), store, stand.harness.clock.now()).await.unwrap()
}

async fn object(store: &Pictures, picture: &UploadPictureResponse) -> Option<Vec<u8>> {
    store.get(&Name::from_address(&picture.url).unwrap()).await.unwrap().map(Into::into)
}

#[tokio::test]
async fn a_picture_is_made_anew_and_its_post_shows_it_wherever_it_stands() {
    let (stand, store, _folder) = open().await;
    for (format, from, to) in [(ImageFormat::Png, (2400, 600), (1600, 400)), (ImageFormat::Jpeg, (60, 90), (60, 90))] {
        let file = photo(1, from.0, from.1, format);
        let kept = stand.upload(member(1), &file, None).await.unwrap();
        assert_eq!((kept.width, kept.height), to);
        let jpeg = object(&store, &kept).await.unwrap();
        let made = image::load_from_memory_with_format(&jpeg, ImageFormat::Jpeg).unwrap();
        assert_eq!(((made.width() as i32, made.height() as i32), jpeg != file), (to, true));
        let post = publish(&stand, member(1), showing(&kept.picture_id, Some(" A court "))).await.unwrap();
        let picture = Picture { alt: "A court".to_owned(), width: to.0, height: to.1 };
        assert_eq!((post.image_url.as_deref(), post.picture.as_ref()), (Some(kept.url.as_str()), Some(&picture)));
        assert_eq!(stand.seen(&stand.visitor(), &post.id).await.picture, Some(picture.clone()));
        for (sort, author_id) in [
            (PostSort::Recent, None),
            (PostSort::Top, None),
            (PostSort::Relevant, None),
            (PostSort::Recent, Some(member(1).to_string())),
        ] {
            let request = ListPostsRequest { sort: sort.into(), author_id, ..Default::default() };
            let posts = stand.list_posts(&stand.visitor(), request).await.unwrap().posts;
            let listed = posts.into_iter().find(|listed| listed.id == post.id).unwrap();
            assert_eq!((listed.image_url, listed.picture), (post.image_url.clone(), Some(picture.clone())), "{sort:?}");
        }
        let request = CreatePostRequest { repost_of: Some(post.id.clone()), ..Default::default() };
        let original = publish(&stand, member(2), request).await.unwrap().repost.unwrap();
        assert_eq!((original.image_url, original.picture), (post.image_url, Some(picture)));
    }
}

#[tokio::test]
async fn nobody_takes_anothers_picture_or_one_that_is_taken_or_none() {
    let (stand, _, _folder) = open().await;
    let mine = stand.upload(member(1), &small(1), None).await.unwrap().picture_id;
    let theirs = stand.upload(member(2), &small(1), None).await.unwrap().picture_id;
    assert_ne!(mine, theirs, "one file of two members is two pictures");
    let taken = publish(&stand, member(1), showing(&mine, None)).await.unwrap();
    assert_eq!(taken.picture.unwrap().alt, "");
    let mut sentences = Vec::new();
    for (who, picture) in [(1, theirs.as_str()), (1, &mine), (2, &mine), (1, NOWHERE), (1, &taken.id)] {
        let refused = publish(&stand, member(who), showing(picture, None)).await.unwrap_err();
        assert_eq!(
            (refused.kind, refused.violations[0].field.as_str()),
            (ErrorKind::Invalid, "pictureId"),
            "{who} {picture}"
        );
        sentences.push(refused.message);
    }
    sentences.dedup();
    assert_eq!(sentences.len(), 1, "nobody learns which of them it is");
    // Nor is it taken by a post that is not published after all.
    let society = community(1);
    let into = CreatePostRequest { community_id: Some(society.to_string()), ..showing(&theirs, None) };
    assert_eq!(publish(&stand, member(2), into.clone()).await.unwrap_err().kind, ErrorKind::Forbidden);
    stand.join(society, &[member(2)]).await;
    publish(&stand, member(2), into).await.unwrap();
    assert_eq!(stand.count("select count(*) from feed.posts").await, 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_posts_that_take_one_picture_at_once_one_has_it() {
    let stand = Arc::new(Stand::new().await);
    let picture = stand.upload(member(1), &small(1), None).await.unwrap().picture_id;
    let mut racers = JoinSet::new();
    for _ in 0..8 {
        let (stand, picture) = (Arc::clone(&stand), picture.clone());
        racers.spawn(async move { publish(&stand, member(1), showing(&picture, None)).await });
    }
    let published = racers.join_all().await.into_iter().filter(Result::is_ok).count();
    assert_eq!((published, stand.count("select count(*) from feed.posts").await), (1, 1));
}

#[tokio::test]
async fn what_goes_with_a_picture_and_what_does_not() {
    let stand = Stand::new().await;
    let picture = stand.upload(member(1), &small(1), None).await.unwrap().picture_id;
    let other = stand.post(member(2), "Other").await.id;
    let plain = || showing(&picture, None);
    let video = Some("https://video.example/1".to_owned());
    for (field, request) in [
        ("videoUrl", CreatePostRequest { video_url: video.clone(), ..plain() }),
        ("pictureId", CreatePostRequest { title: Some("Title".to_owned()), ..plain() }),
        ("pictureId", CreatePostRequest { repost_of: Some(other.clone()), ..plain() }),
        ("pictureAlt", CreatePostRequest { picture_id: None, picture_alt: Some("A court".to_owned()), ..plain() }),
        ("pictureAlt", showing(&picture, Some(&"a".repeat(1_001)))),
        ("pictureAlt", showing(&picture, Some("a\0b"))),
        ("pictureId", showing("1", None)),
        ("pictureId", showing("\0", None)),
        ("content", CreatePostRequest { content: " ".to_owned(), ..plain() }),
        (
            "videoUrl",
            CreatePostRequest { video_url: video.clone(), repost_of: Some(other.clone()), ..Default::default() },
        ),
        ("title", CreatePostRequest { title: Some("Title".to_owned()), repost_of: Some(other), ..Default::default() }),
    ] {
        let refused = publish(&stand, member(1), request).await.unwrap_err();
        let fields: Vec<&str> = refused.violations.iter().map(|violation| violation.field.as_str()).collect();
        assert!(refused.kind == ErrorKind::Invalid && fields.contains(&field), "{field}: {fields:?}");
    }
    assert_eq!(stand.count("select count(*) from feed.posts").await, 1);
    // All that while it waits.
    publish(&stand, member(1), plain()).await.unwrap();
}

#[tokio::test]
async fn what_is_no_picture_is_refused_and_nothing_is_kept() {
    let (stand, _, folder) = open().await;
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
        let refused = stand.upload(member(1), &file, None).await.unwrap_err();
        assert_eq!((refused.kind, refused.violations[0].field.as_str()), (ErrorKind::Invalid, "picture"), "{n}");
    }
    for key in ["", "a\0b", &"k".repeat(201)] {
        let refused = stand.upload(member(1), &whole, Some(key)).await.unwrap_err();
        assert_eq!((refused.kind, refused.violations[0].field.as_str()), (ErrorKind::Invalid, "idempotencyKey"));
    }
    assert_eq!((files(&folder), stand.count("select count(*) from feed.pictures").await), (0, 0));
}

#[tokio::test]
async fn a_file_sent_twice_with_its_key_is_one_picture() {
    let (stand, store, folder) = open().await;
    let first = stand.upload(member(1), &small(1), Some("k")).await.unwrap();
    // The first was stopped before its object was there.
    store.delete(&Name::from_address(&first.url).unwrap()).await.unwrap();
    assert_eq!(stand.upload(member(1), &small(1), Some("k")).await.unwrap(), first);
    assert!(object(&store, &first).await.is_some());
    let refused = stand.upload(member(1), &small(2), Some("k")).await.unwrap_err();
    assert_eq!((refused.kind, refused.reason.as_str()), (ErrorKind::KeyReused, "IDEMPOTENCY_KEY_REUSED"));
    assert_ne!(stand.upload(member(2), &small(1), Some("k")).await.unwrap(), first);
    assert_ne!(stand.upload(member(1), &small(1), None).await.unwrap(), first);
    assert_eq!(files(&folder), 3);
    // A post that has it changes nothing of the answer, until the post is gone.
    let request = CreatePostRequest { idempotency_key: Some("p".to_owned()), ..showing(&first.picture_id, None) };
    let post = publish(&stand, member(1), request.clone()).await.unwrap();
    assert_eq!(publish(&stand, member(1), request.clone()).await.unwrap(), post);
    let other = CreatePostRequest { picture_alt: Some("Other".to_owned()), ..request };
    assert_eq!(publish(&stand, member(1), other).await.unwrap_err().kind, ErrorKind::KeyReused);
    assert_eq!(stand.upload(member(1), &small(1), Some("k")).await.unwrap(), first);
    stand.delete_post(&stand.by(member(1)), DeletePostRequest { post_id: post.id }).await.unwrap();
    assert_eq!(stand.upload(member(1), &small(1), Some("k")).await.unwrap_err().kind, ErrorKind::KeyReused);
}

#[tokio::test]
async fn what_no_post_takes_within_a_day_is_dropped_and_what_a_post_had_goes_with_it() {
    let (stand, store, folder) = open().await;
    let taken = stand.upload(member(1), &small(1), None).await.unwrap();
    let waits = stand.upload(member(1), &small(2), None).await.unwrap();
    let post = publish(&stand, member(1), showing(&taken.picture_id, None)).await.unwrap();
    stand.harness.clock.advance(TimeDelta::hours(24) - TimeDelta::seconds(1));
    assert_eq!((sweep(&stand, &store).await, files(&folder)), (0, 2));
    stand.wait(1);
    // Too late, whether or not it was swept yet.
    assert!(publish(&stand, member(1), showing(&waits.picture_id, None)).await.is_err());
    assert_eq!((sweep(&stand, &store).await, files(&folder)), (1, 1));
    assert!(object(&store, &waits).await.is_none());
    assert!(publish(&stand, member(1), showing(&waits.picture_id, None)).await.is_err());
    stand.delete_post(&stand.by(member(1)), DeletePostRequest { post_id: post.id }).await.unwrap();
    assert!(publish(&stand, member(1), showing(&taken.picture_id, None)).await.is_err(), "once is once");
    assert_eq!((sweep(&stand, &store).await, files(&folder)), (1, 0));
    assert_eq!(stand.count("select count(*) from feed.pictures").await, 0);
    let left = "select count(*) from feed.posts where picture_hash is not null";
    assert_eq!(stand.count(left).await, 0, "nobody's, and without it");
}

#[tokio::test]
async fn of_a_member_who_is_gone_no_picture_stays() {
    let (stand, store, folder) = open().await;
    for n in 0..3 {
        let kept = stand.upload(member(1), &small(n), None).await.unwrap();
        if n > 0 {
            publish(&stand, member(1), showing(&kept.picture_id, None)).await.unwrap();
        }
    }
    let stays = stand.upload(member(2), &small(1), None).await.unwrap();
    publish(&stand, member(2), showing(&stays.picture_id, None)).await.unwrap();
    let mut conn = stand.pool().acquire().await.unwrap();
    feed::erase::request(&mut conn, &member(1).to_string(), stand.harness.clock.now()).await.unwrap();
    drop(conn);
    feed::erase::forget_all(stand.pool()).await.unwrap();
    assert_eq!((sweep(&stand, &store).await, files(&folder)), (3, 1));
    assert!(object(&store, &stays).await.is_some());
}

#[tokio::test]
async fn without_its_store_no_picture_is_kept() {
    let (stand, _, folder) = open().await;
    let url = folder.path().to_owned();
    // A file where the folder should be: the store fails, whoever runs the test.
    drop(folder);
    std::fs::write(&url, "").unwrap();
    let refused = stand.upload(member(1), &small(1), None).await.unwrap_err();
    assert_eq!((refused.kind, refused.reason.as_str()), (ErrorKind::Unavailable, "PICTURES_AWAY"));
    std::fs::remove_file(&url).unwrap();
}

#[tokio::test]
async fn what_is_said_of_a_picture_is_changed_by_its_author() {
    let stand = Stand::new().await;
    let picture = stand.upload(member(1), &small(1), None).await.unwrap().picture_id;
    let post = publish(&stand, member(1), showing(&picture, Some("A court"))).await.unwrap();
    let change = |alt: Option<&str>| UpdatePostRequest {
        post_id: post.id.clone(),
        content: "Look".to_owned(),
        picture_alt: alt.map(str::to_owned),
        ..Default::default()
    };
    let changed = async |alt| stand.update_post(&stand.by(member(1)), change(alt)).await.unwrap().post.unwrap();
    stand.wait(20);
    // What is as it was is no change.
    for alt in [None, Some("A court"), Some(" A court ")] {
        assert_eq!(changed(alt).await.edited_at, None);
    }
    let new = changed(Some("The Supreme Court")).await;
    assert_eq!((new.picture.unwrap().alt.as_str(), new.edited_at.is_some()), ("The Supreme Court", true));
    assert_eq!(changed(Some("")).await.picture.unwrap().alt, "");
    let refused = stand.update_post(&stand.by(member(1)), change(Some(&"a".repeat(1_001)))).await.unwrap_err();
    assert_eq!(refused.violations[0].field, "pictureAlt");
    let foreign = stand.update_post(&stand.by(member(2)), change(Some("Mine"))).await.unwrap_err();
    assert_eq!(foreign.kind, ErrorKind::Forbidden);
}
