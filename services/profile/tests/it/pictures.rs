//! Avatars: validation, re-encoding, storage by hash, viewers and cleanup.

use std::io::Cursor;

use chassis::config::Source;
use chrono::TimeDelta;
use image::{ImageFormat, Rgb, RgbImage};
use picture_store::{Name, Pictures};
use portia_proto::{
    auth::{AccountClosed, AccountErased, AccountReopened},
    profile::{CheckPictureRequest, Member, ProfileAudience, UpdateMemberRequest, update_member_request::Picture},
};
use primitives::error::ErrorKind;
use testkit::member;
use tonic::Status;

use crate::{Profile, details};

/// A photo that differs for each `n`.
fn photo(n: u8, format: ImageFormat) -> Vec<u8> {
    let mut file = Cursor::new(Vec::new());
    let image = RgbImage::from_fn(500, 250, |x, y| Rgb([n.wrapping_mul(40), (x / 2) as u8, y as u8]));
    image.write_to(&mut file, format).unwrap();
    file.into_inner()
}

fn with_file(file: impl Into<Vec<u8>>) -> UpdateMemberRequest {
    UpdateMemberRequest { picture: Some(Picture::NewPicture(file.into())), ..Default::default() }
}

/// A change of the picture only.
pub fn avatar(n: u8) -> UpdateMemberRequest {
    with_file(photo(n, ImageFormat::Png))
}

fn same(address: &str) -> UpdateMemberRequest {
    UpdateMemberRequest { picture: Some(Picture::SamePicture(address.into())), ..Default::default() }
}

fn cleared() -> UpdateMemberRequest {
    UpdateMemberRequest { picture: Some(Picture::ClearPicture(true)), ..Default::default() }
}

impl Profile {
    /// Starts with a picture store in `folder`.
    async fn with_folder(folder: &tempfile::TempDir) -> (Self, Pictures) {
        let url = folder.path().to_str().unwrap();
        let profile = Self::start_with(|builder| builder.with("pictures_url", url)).await;
        for n in 1..=2 {
            profile.ensure(crate::registration(n)).await.unwrap();
        }
        (profile, Pictures::open(&Source::default().with("pictures_url", url)).unwrap())
    }

    /// Runs the cleanup with an empty store.
    pub async fn delete_unused_pictures(&self) -> u32 {
        let store = Pictures::open(&self.harness.context.config).unwrap();
        profile::pictures::delete_unused(self.harness.pool(), &store, self.harness.clock.now()).await.unwrap()
    }
}

fn name(member: &Member) -> Name {
    Name::from_address(member.avatar_url.as_deref().unwrap()).unwrap()
}

fn stored_files(folder: &tempfile::TempDir) -> usize {
    folder.path().read_dir().unwrap().count()
}

#[tokio::test]
async fn a_picture_is_re_encoded_and_stored_under_its_address() {
    let folder = tempfile::tempdir().unwrap();
    let (profile, store) = Profile::with_folder(&folder).await;
    for format in [ImageFormat::Png, ImageFormat::Jpeg] {
        let file = photo(1, format);
        let changed = profile.update(1, with_file(file.clone())).await.unwrap();
        let jpeg = store.get(&name(&changed)).await.unwrap().unwrap();
        assert!(jpeg.starts_with(b"\xff\xd8\xff") && jpeg != file);
        let image = image::load_from_memory_with_format(&jpeg, ImageFormat::Jpeg).unwrap();
        assert_eq!((image.width(), image.height()), (400, 200));
        let cards = profile.cards(&[member(1).to_string()]).await.unwrap();
        assert_eq!(cards[0].avatar_url, changed.avatar_url);
    }
}

#[tokio::test]
async fn one_photo_of_two_members_is_two_objects() {
    let folder = tempfile::tempdir().unwrap();
    let (profile, _) = Profile::with_folder(&folder).await;
    let (one, other) = (profile.update(1, avatar(1)).await.unwrap(), profile.update(2, avatar(1)).await.unwrap());
    assert_ne!(one.avatar_url, other.avatar_url);
    assert_eq!(stored_files(&folder), 2);
}

#[tokio::test]
async fn the_current_address_keeps_the_picture_and_another_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (profile, _) = Profile::with_folder(&folder).await;
    let address = profile.update(1, avatar(1)).await.unwrap().avatar_url.unwrap();
    assert_eq!(profile.update(1, same(&address)).await.unwrap().avatar_url.as_ref(), Some(&address));
    let others = profile.update(2, avatar(2)).await.unwrap().avatar_url.unwrap();
    for bad in [others.as_str(), "", "https://evil.example/1.jpg", "/media/1.jpg", "\0", &"x".repeat(1 << 20)] {
        let error = details(profile.update(1, same(bad)).await);
        assert_eq!((error.kind, error.violations[0].field.as_str()), (ErrorKind::Invalid, "avatarUrl"), "{bad:.20?}");
    }
    assert_eq!(profile.get(member(1)).await.unwrap().avatar_url, Some(address));
    let pointless = UpdateMemberRequest { picture: Some(Picture::ClearPicture(false)), ..Default::default() };
    assert_eq!(details(profile.update(1, pointless).await).violations[0].field, "avatarUrl");
}

#[tokio::test]
async fn an_invalid_picture_is_refused_and_not_stored() {
    let folder = tempfile::tempdir().unwrap();
    let (profile, _) = Profile::with_folder(&folder).await;
    let whole = photo(1, ImageFormat::Jpeg);
    let wide = {
        let mut file = Cursor::new(Vec::new());
        RgbImage::new(4097, 1).write_to(&mut file, ImageFormat::Png).unwrap();
        file.into_inner()
    };
    let hostile: [Vec<u8>; 8] = [
        vec![],
        b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>".to_vec(),
        b"GIF89a\x01\0\x01\0\0\0\0;".to_vec(),
        b"%PDF-1.7".to_vec(),
        whole[..whole.len() / 2].to_vec(),
        [b"\xff\xd8\xff".as_slice(), &[0; 1000]].concat(),
        vec![0xff; 600_001],
        wide,
    ];
    for file in hostile {
        let shown = file.iter().take(12).copied().collect::<Vec<u8>>();
        let error = details(profile.update(1, with_file(file)).await);
        assert_eq!((error.kind, error.violations[0].field.as_str()), (ErrorKind::Invalid, "avatarUrl"), "{shown:?}");
    }
    assert_eq!((stored_files(&folder), profile.count("select count(*) from profile.pictures").await), (0, 0));
}

#[tokio::test]
async fn a_replaced_picture_is_deleted_after_an_hour() {
    let folder = tempfile::tempdir().unwrap();
    let (profile, store) = Profile::with_folder(&folder).await;
    let sweep =
        async || profile::pictures::delete_unused(profile.harness.pool(), &store, profile.harness.clock.now()).await;
    profile.update(1, avatar(1)).await.unwrap();
    let second = profile.update(1, avatar(2)).await.unwrap();
    assert_eq!((sweep().await.unwrap(), stored_files(&folder)), (0, 2), "a page may still show the old picture");
    profile.harness.clock.advance(TimeDelta::minutes(61));
    assert_eq!((sweep().await.unwrap(), stored_files(&folder)), (1, 1));
    assert!(store.get(&name(&second)).await.unwrap().is_some());

    assert_eq!(profile.update(1, cleared()).await.unwrap().avatar_url, None);
    assert_eq!(profile.update(1, cleared()).await.unwrap().avatar_url, None, "and again");
    profile.harness.clock.advance(TimeDelta::minutes(61));
    assert_eq!((sweep().await.unwrap(), stored_files(&folder)), (1, 0));
    assert_eq!(profile.count("select count(*) from profile.pictures").await, 0);
}

#[tokio::test]
async fn a_picture_that_is_used_again_before_the_cleanup_stays() {
    let folder = tempfile::tempdir().unwrap();
    let (profile, store) = Profile::with_folder(&folder).await;
    let first = profile.update(1, avatar(1)).await.unwrap();
    profile.update(1, avatar(1)).await.unwrap();
    profile.update(1, cleared()).await.unwrap();
    profile.harness.clock.advance(TimeDelta::minutes(61));
    let again = profile.update(1, avatar(1)).await.unwrap();
    assert_eq!(again.avatar_url, first.avatar_url);
    let now = profile.harness.clock.now();
    assert_eq!(profile::pictures::delete_unused(profile.harness.pool(), &store, now).await.unwrap(), 0);
    assert!(store.get(&name(&again)).await.unwrap().is_some());
}

#[tokio::test]
async fn pictures_of_a_killed_process_are_deleted() {
    let folder = tempfile::tempdir().unwrap();
    let (profile, store) = Profile::with_folder(&folder).await;
    let now = profile.harness.clock.now();
    // A process was killed after the put of one picture and before the put of another.
    let orphan = Name::from_hash(&"ab".repeat(32)).unwrap();
    std::fs::write(folder.path().join(orphan.to_string()), b"jpeg").unwrap();
    let mut conn = profile.harness.pool().acquire().await.unwrap();
    for name in [orphan, Name::from_hash(&"cd".repeat(32)).unwrap()] {
        profile::pictures::claim(&mut conn, &name, member(1), now).await.unwrap();
    }
    drop(conn);
    let later = now + TimeDelta::minutes(61);
    assert_eq!(profile::pictures::delete_unused(profile.harness.pool(), &store, later).await.unwrap(), 2);
    assert_eq!((stored_files(&folder), profile.count("select count(*) from profile.pictures").await), (0, 0));
}

#[tokio::test]
async fn an_unavailable_picture_store_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    // A file in place of the folder makes every put fail.
    let blocked = folder.path().join("blocked");
    std::fs::write(&blocked, b"").unwrap();
    let url = blocked.join("pictures").to_str().unwrap().to_owned();
    let profile = Profile::start_with(|builder| builder.with("pictures_url", url)).await;
    profile.ensure(crate::registration(1)).await.unwrap();
    let error = details(profile.update(1, avatar(1)).await);
    assert_eq!((error.kind, error.reason.as_str()), (ErrorKind::Unavailable, "PICTURES_UNAVAILABLE"));
    assert!(error.retry_after.is_some());
    assert_eq!(profile.get(member(1)).await.unwrap().avatar_url, None);
}

/// The members who see the picture, of a visitor (0), the owner, a connection and a stranger.
async fn viewers(profile: &Profile, address: &str) -> Vec<u128> {
    let mut seen = Vec::new();
    for n in [0, 1, 2, 3] {
        let viewer_id = (n > 0).then(|| member(n).to_string());
        if profile.check_picture(address, viewer_id).await.unwrap() {
            seen.push(n);
        }
    }
    seen
}

impl Profile {
    async fn check_picture(&self, address: &str, viewer_id: Option<String>) -> Result<bool, Status> {
        let hash = address.trim_start_matches("/media/").trim_end_matches(".jpg").to_owned();
        let request = self.gateway().request(CheckPictureRequest { hash, viewer_id }).unwrap();
        Ok(self.client().check_picture(request).await?.into_inner().visible)
    }
}

#[tokio::test]
async fn a_picture_is_visible_while_it_is_the_present_one_and_to_the_audience_of_its_member() {
    let profile = Profile::with_members(2).await;
    profile.ensure(crate::registration(3)).await.unwrap();
    let first = profile.update(1, avatar(1)).await.unwrap().avatar_url.unwrap();
    let others = profile.update(2, avatar(1)).await.unwrap().avatar_url.unwrap();
    assert_eq!(viewers(&profile, &first).await, [0, 1, 2, 3]);
    for (audience, seen) in [
        (ProfileAudience::Members, vec![1, 2, 3]),
        (ProfileAudience::Connections, vec![1, 2]),
        (ProfileAudience::Public, vec![0, 1, 2, 3]),
    ] {
        profile.set_audience(1, audience).await;
        assert_eq!(viewers(&profile, &first).await, seen, "{audience:?}");
        assert_eq!(viewers(&profile, &others).await, [0, 1, 2, 3], "the same photo of another member");
    }
    profile.set_audience(1, ProfileAudience::Connections).await;
    profile.disconnect(1, 2).await;
    assert_eq!(viewers(&profile, &first).await, [1]);
    profile.set_audience(1, ProfileAudience::Public).await;

    let second = profile.update(1, avatar(2)).await.unwrap().avatar_url.unwrap();
    assert!(viewers(&profile, &first).await.is_empty(), "replaced");
    assert_eq!(viewers(&profile, &second).await, [0, 1, 2, 3]);
    profile.update(1, cleared()).await.unwrap();
    assert!(viewers(&profile, &second).await.is_empty(), "cleared");
    profile.update(1, avatar(1)).await.unwrap();
    assert_eq!(viewers(&profile, &first).await, [0, 1, 2, 3], "used again");

    let member_id = member(1).to_string();
    profile.publish_auth(1, &AccountClosed { member_id: member_id.clone() }).await;
    assert!(viewers(&profile, &first).await.is_empty(), "closed or suspended");
    profile.publish_auth(1, &AccountReopened { member_id: member_id.clone() }).await;
    assert_eq!(viewers(&profile, &first).await, [0, 1, 2, 3], "reopened");
    profile.publish_auth(1, &AccountErased { member_id }).await;
    assert!(viewers(&profile, &first).await.is_empty(), "erased");
    assert_eq!(viewers(&profile, &others).await, [0, 1, 2, 3]);
}

#[tokio::test]
async fn an_unused_or_unknown_picture_is_not_visible_and_an_invalid_name_is_refused() {
    let profile = Profile::with_members(1).await;
    let claimed = Name::from_hash(&"cd".repeat(32)).unwrap();
    let mut conn = profile.harness.pool().acquire().await.unwrap();
    profile::pictures::claim(&mut conn, &claimed, member(1), profile.harness.clock.now()).await.unwrap();
    drop(conn);
    for unseen in [claimed.address(), format!("/media/{}.jpg", "ab".repeat(32))] {
        assert!(!profile.check_picture(&unseen, Some(member(1).to_string())).await.unwrap(), "{unseen}");
    }
    for bad in ["", "x", "\0", &"AB".repeat(32), &"a".repeat(1 << 20)] {
        assert_eq!(details(profile.check_picture(bad, None).await).kind, ErrorKind::Invalid, "{bad:.20?}");
    }
    let bad_viewer = profile.check_picture(&claimed.address(), Some("x".to_owned())).await;
    assert_eq!(details(bad_viewer).violations[0].field, "viewerId");
    let request = CheckPictureRequest { hash: claimed.hash().to_owned(), viewer_id: None };
    let refused = profile.client().check_picture(profile.by(1).request(request).unwrap()).await;
    assert_eq!(details(refused).kind, ErrorKind::Forbidden, "the gateway alone names a viewer");
}
