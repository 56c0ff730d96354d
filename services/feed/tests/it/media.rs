//! Posts with several pictures, and with a PDF file.

use chrono::TimeDelta;
use portia_proto::feed::{
    self as pb, CreatePostRequest, DeletePostRequest, ListPostsRequest, Post, PostSort, UploadPdfRequest,
    UploadPdfResponse,
};
use primitives::error::{ErrorKind, StatusDetails};
use rpc::Call;
use uuid::Uuid;

use crate::{
    fixtures::{Fixture, UNKNOWN_ID, community, member},
    pictures::small,
};

impl Fixture {
    pub async fn upload_pdf(
        &self,
        who: Uuid,
        name: &str,
        file: &[u8],
        key: Option<&str>,
    ) -> Result<UploadPdfResponse, StatusDetails> {
        let idempotency_key = key.map(str::to_owned);
        let first = UploadPdfRequest { name: name.to_owned(), chunk: Vec::new(), idempotency_key };
        let chunks = file.chunks(300_000);
        let chunks = chunks.map(|chunk| UploadPdfRequest { chunk: chunk.to_vec(), ..Default::default() });
        let messages: Vec<_> = [first].into_iter().chain(chunks).collect();
        let request = self.as_member(who).request(futures::stream::iter(messages)).unwrap();
        let answer = self.feed.clone().upload_pdf(request).await;
        answer.map(tonic::Response::into_inner).map_err(|status| StatusDetails::from(&status))
    }

    /// Returns the name and the bytes of the file of a post.
    async fn download_pdf(&self, who: &Call, post: &str) -> Result<(String, Vec<u8>), StatusDetails> {
        let request = who.request(pb::DownloadPdfRequest { post_id: post.to_owned() }).unwrap();
        let answer = self.feed.clone().download_pdf(request).await;
        let mut messages = answer.map_err(|status| StatusDetails::from(&status))?.into_inner();
        let pdf = messages.message().await.unwrap().unwrap().pdf.unwrap();
        let mut bytes = Vec::new();
        while let Some(message) = messages.message().await.map_err(|status| StatusDetails::from(&status))? {
            bytes.extend(message.chunk);
        }
        assert_eq!(usize::try_from(pdf.size).unwrap(), bytes.len());
        Ok((pdf.name, bytes))
    }

    async fn publish(&self, who: Uuid, request: CreatePostRequest) -> Result<Post, StatusDetails> {
        let request = CreatePostRequest { content: "Look".to_owned(), ..request };
        Ok(self.create_post(&self.as_member(who), request).await?.post.unwrap())
    }

    /// Uploads pictures of member 1, for a post.
    async fn new_pictures(&self, alts: &[&str]) -> Vec<pb::NewPicture> {
        let mut pictures = Vec::new();
        for (n, alt) in alts.iter().enumerate() {
            let file = small(u8::try_from(n).unwrap());
            let picture_id = self.upload_picture(member(1), &file, None).await.unwrap().picture_id;
            pictures.push(pb::NewPicture { picture_id, alt: (*alt).to_owned() });
        }
        pictures
    }
}

#[tokio::test]
async fn descriptions_of_all_pictures_change_together_and_only_in_full() {
    let fixture = Fixture::new().await;
    let pictures = fixture.new_pictures(&["A hall", "A door", ""]).await;
    let post = fixture.publish(member(1), CreatePostRequest { pictures, ..Default::default() }).await.unwrap();
    let me = fixture.as_member(member(1));
    let change = |alts: &[&str]| pb::UpdatePostRequest {
        post_id: post.id.clone(),
        content: "Look".to_owned(),
        picture_alts: alts.iter().map(|alt| (*alt).to_owned()).collect(),
        ..Default::default()
    };
    fixture.advance_clock(20);
    let changed = fixture.update_post(&me, change(&["A hall", "A blue door", "A judge"])).await.unwrap().post.unwrap();
    assert_eq!(alts(&changed.pictures), ["A hall", "A blue door", "A judge"]);
    let same_except_alt = |pictures: &[pb::PostPicture]| -> Vec<_> {
        pictures.iter().map(|picture| (picture.url.clone(), picture.width, picture.height)).collect()
    };
    assert_eq!(same_except_alt(&changed.pictures), same_except_alt(&post.pictures));
    assert!(changed.edited_at.is_some());
    let list = ListPostsRequest { sort: PostSort::Recent.into(), ..Default::default() };
    let page = fixture.list_posts(&fixture.as_visitor(), list).await.unwrap();
    assert_eq!(alts(&page.posts[0].pictures), ["A hall", "A blue door", "A judge"]);
    // The same descriptions are no change, and no descriptions keep them.
    fixture.advance_clock(20);
    for same in [change(&["A hall", "A blue door", "A judge"]), change(&[])] {
        let again = fixture.update_post(&me, same).await.unwrap().post.unwrap();
        assert_eq!((again.edited_at, alts(&again.pictures)), (changed.edited_at, alts(&changed.pictures)));
    }
    let long = "x".repeat(301);
    let both = pb::UpdatePostRequest { picture_alt: Some("A hall".to_owned()), ..change(&["", "", ""]) };
    for (field, refused) in [
        ("pictureAlts", change(&["A hall", "A door"])),
        ("pictureAlts", change(&["A hall", "A door", "", ""])),
        ("pictureAlts", change(&["A hall", "A door", "", "", ""])),
        ("pictureAlts[1]", change(&["A hall", &long, ""])),
        ("pictureAlts", both),
    ] {
        let refused = fixture.update_post(&me, refused).await.unwrap_err();
        assert_eq!((refused.kind, refused.violations[0].field.as_str()), (ErrorKind::Invalid, field));
    }
    let kept = fixture.get_post_as(&me, &post.id).await;
    assert_eq!(alts(&kept.pictures), ["A hall", "A blue door", "A judge"]);
}

#[tokio::test]
async fn the_description_of_a_single_picture_may_be_sent_as_a_list() {
    let fixture = Fixture::new().await;
    let pictures = fixture.new_pictures(&["A hall"]).await;
    let post = fixture.publish(member(1), CreatePostRequest { pictures, ..Default::default() }).await.unwrap();
    let plain = fixture.create_post_of(member(1), "Plain").await;
    let me = fixture.as_member(member(1));
    let change = |post: &Post, alts: Vec<String>| pb::UpdatePostRequest {
        post_id: post.id.clone(),
        content: post.content.clone(),
        picture_alts: alts,
        ..Default::default()
    };
    let long = "x".repeat(1_000);
    let changed = fixture.update_post(&me, change(&post, vec![long.clone()])).await.unwrap().post.unwrap();
    assert_eq!(alts(&changed.pictures), [long]);
    let refused = fixture.update_post(&me, change(&plain, vec!["A hall".to_owned()])).await.unwrap_err();
    assert_eq!((refused.kind, refused.violations[0].field.as_str()), (ErrorKind::Invalid, "pictureAlts"));
}

fn alts(pictures: &[pb::PostPicture]) -> Vec<&str> {
    pictures.iter().map(|picture| picture.alt.as_str()).collect()
}

/// Returns a file of some bytes that repeat nowhere.
pub fn pdf(bytes: usize) -> Vec<u8> {
    let rest = (0..).flat_map(|n: u32| n.to_be_bytes());
    b"%PDF-1.7\n".iter().copied().chain(rest).take(bytes).collect()
}

#[tokio::test]
async fn four_pictures_keep_their_order_in_every_list() {
    let fixture = Fixture::new().await;
    let mut pictures = fixture.new_pictures(&["one", " two ", "", "four"]).await;
    pictures.reverse();
    let post = fixture.publish(member(1), CreatePostRequest { pictures, ..Default::default() }).await.unwrap();
    assert_eq!(alts(&post.pictures), ["four", "", "two", "one"]);
    let first = &post.pictures[0];
    assert_eq!(
        (post.image_url.as_deref(), &post.picture.as_ref().unwrap().alt),
        (Some(first.url.as_str()), &first.alt)
    );
    assert_eq!((first.width, first.height), (30, 20));
    for sort in [PostSort::Recent, PostSort::Top, PostSort::Relevant] {
        let request = ListPostsRequest { sort: sort.into(), ..Default::default() };
        let listed = fixture.list_posts(&fixture.as_visitor(), request).await.unwrap().posts.remove(0);
        assert_eq!(listed.pictures, post.pictures, "{sort:?}");
    }
    let request = CreatePostRequest { repost_of: Some(post.id.clone()), ..Default::default() };
    let repost = fixture.publish(member(2), request).await.unwrap().repost.unwrap();
    assert_eq!(repost.pictures, post.pictures);
    // The cleanup finds all of them once the post is deleted.
    fixture
        .delete_post(&fixture.as_member(member(1)), DeletePostRequest { post_id: post.id, reason: 0 })
        .await
        .unwrap();
    assert_eq!(fixture.count("select count(*) from feed.pictures where post_id is null").await, 4);
}

#[tokio::test]
async fn an_invalid_list_of_pictures_is_refused_and_uses_none() {
    let fixture = Fixture::new().await;
    let mine = fixture.new_pictures(&["one", "two", "three", "four", "five"]).await;
    let theirs = fixture.upload_picture(member(2), &small(1), None).await.unwrap().picture_id;
    let named = |picture_id: &str, alt: &str| pb::NewPicture { picture_id: picture_id.to_owned(), alt: alt.to_owned() };
    let two = || mine[..2].to_vec();
    let with = |pictures| CreatePostRequest { pictures, ..Default::default() };
    for (field, request) in [
        ("pictures", with(mine.clone())),
        ("pictures", with(vec![mine[0].clone(), mine[0].clone()])),
        ("pictures", with(vec![mine[0].clone(), named(&theirs, "")])),
        ("pictures", with(vec![mine[0].clone(), named(UNKNOWN_ID, "")])),
        ("pictures[1].id", with(vec![mine[0].clone(), named("x", "")])),
        ("pictures[0].alt", with(vec![named(&mine[0].picture_id, &"a".repeat(301)), mine[1].clone()])),
        ("pictures", CreatePostRequest { picture_id: Some(mine[2].picture_id.clone()), ..with(two()) }),
        ("pictures", CreatePostRequest { title: Some("Title".to_owned()), ..with(two()) }),
        ("videoUrl", CreatePostRequest { video_url: Some("https://video.example/1".to_owned()), ..with(two()) }),
    ] {
        let refused = fixture.publish(member(1), request).await.unwrap_err();
        assert_eq!((refused.kind, refused.violations[0].field.as_str()), (ErrorKind::Invalid, field));
    }
    assert_eq!(fixture.count("select count(*) from feed.pictures where post_id is not null").await, 0);
    let longest = vec![named(&mine[0].picture_id, &"\u{f1}".repeat(300)), mine[1].clone()];
    fixture.publish(member(1), with(longest)).await.unwrap();
}

#[tokio::test]
async fn a_repeated_request_with_other_pictures_is_refused() {
    let fixture = Fixture::new().await;
    let pictures = fixture.new_pictures(&["one", "two"]).await;
    let request = |pictures: Vec<pb::NewPicture>| CreatePostRequest {
        pictures,
        idempotency_key: Some("k".to_owned()),
        ..Default::default()
    };
    let post = fixture.publish(member(1), request(pictures.clone())).await.unwrap();
    assert_eq!(fixture.publish(member(1), request(pictures.clone())).await.unwrap().id, post.id);
    let reversed = pictures.into_iter().rev().collect();
    let refused = fixture.publish(member(1), request(reversed)).await.unwrap_err();
    assert_eq!(refused.reason, "IDEMPOTENCY_KEY_REUSED");
}

#[tokio::test]
async fn the_file_of_a_post_is_shown_in_lists_and_returned_unchanged() {
    let fixture = Fixture::new().await;
    let file = pdf(5 << 20);
    let stored = fixture.upload_pdf(member(1), "C:\\Briefs\\Brief", &file, Some("k")).await.unwrap();
    assert_eq!((stored.name.as_str(), stored.size), ("Brief.pdf", 5 << 20));
    assert_eq!(fixture.upload_pdf(member(1), "C:\\Briefs\\Brief", &file, Some("k")).await.unwrap(), stored);
    let other = fixture.upload_pdf(member(1), "Other", &file, Some("k")).await.unwrap_err();
    assert_eq!(other.reason, "IDEMPOTENCY_KEY_REUSED");
    let request = || CreatePostRequest { pdf_id: Some(stored.pdf_id.clone()), ..Default::default() };
    let post = fixture.publish(member(1), request()).await.unwrap();
    let shown = Some(pb::Pdf { name: stored.name.clone(), size: stored.size });
    assert_eq!((&post.pdf, post.pictures.len(), &post.image_url), (&shown, 0, &None));
    assert_eq!(fixture.get_post_as(&fixture.as_visitor(), &post.id).await.pdf, shown);
    let again = fixture.publish(member(1), request()).await.unwrap_err();
    assert_eq!((again.kind, again.violations[0].field.as_str()), (ErrorKind::Invalid, "pdfId"), "used once");
    let repost = CreatePostRequest { repost_of: Some(post.id.clone()), ..Default::default() };
    assert_eq!(fixture.publish(member(2), repost).await.unwrap().repost.unwrap().pdf, shown);
    let download = fixture.download_pdf(&fixture.as_visitor(), &post.id).await.unwrap();
    assert!(download == ("Brief.pdf".to_owned(), file));
    fixture
        .delete_post(&fixture.as_member(member(1)), DeletePostRequest { post_id: post.id.clone(), reason: 0 })
        .await
        .unwrap();
    assert_eq!(fixture.count("select count(*) from feed.pdf_files").await, 0);
    let gone = fixture.download_pdf(&fixture.as_member(member(1)), &post.id).await.unwrap_err();
    assert_eq!(gone.reason, "FILE_NOT_FOUND");
}

#[tokio::test]
async fn the_file_of_a_community_is_for_those_who_see_the_post() {
    let fixture = Fixture::new().await;
    let society = community(1);
    fixture.join_community(society, &[member(1), member(2), member(4)]).await;
    fixture.block_member(member(1), member(4)).await;
    let pdf_id = Some(fixture.upload_pdf(member(1), "Brief.pdf", &pdf(20), None).await.unwrap().pdf_id);
    let request = CreatePostRequest { pdf_id, community_id: Some(society.to_string()), ..Default::default() };
    let post = fixture.publish(member(1), request).await.unwrap();
    for (who, may) in [
        (fixture.as_member(member(1)), true),
        (fixture.as_member(member(2)), true),
        (fixture.as_member(member(3)), false),
        (fixture.as_member(member(4)), false),
        (fixture.as_visitor(), false),
    ] {
        let answer = fixture.download_pdf(&who, &post.id).await;
        assert_eq!(answer.as_ref().err().map(|refused| refused.reason.as_str()), (!may).then_some("FILE_NOT_FOUND"));
    }
    fixture.leave_community(society, member(2)).await;
    assert!(fixture.download_pdf(&fixture.as_member(member(2)), &post.id).await.is_err());
}

#[tokio::test]
async fn a_file_that_is_not_a_pdf_or_belongs_to_another_member_is_refused() {
    let fixture = Fixture::new().await;
    let too_large = pdf((5 << 20) + 1);
    for (field, name, file) in [
        ("file", "a.pdf", b"PK\x03\x04".as_slice()),
        ("file", "a.pdf", b""),
        ("file", "a.pdf", &too_large),
        ("name", "a\u{202e}.pdf", b"%PDF-1.7"),
    ] {
        let refused = fixture.upload_pdf(member(1), name, file, None).await.unwrap_err();
        assert_eq!((refused.kind, refused.violations[0].field.as_str()), (ErrorKind::Invalid, field));
    }
    let theirs = fixture.upload_pdf(member(2), "a.pdf", &pdf(20), None).await.unwrap().pdf_id;
    let mine = fixture.upload_pdf(member(1), "a.pdf", &pdf(20), None).await.unwrap().pdf_id;
    let with = |pdf_id: &str| CreatePostRequest { pdf_id: Some(pdf_id.to_owned()), ..Default::default() };
    let picture = fixture.new_pictures(&["one"]).await;
    for request in [
        with(&theirs),
        with(UNKNOWN_ID),
        with("x"),
        CreatePostRequest { title: Some("Title".to_owned()), ..with(&mine) },
        CreatePostRequest { pictures: picture, ..with(&mine) },
        CreatePostRequest { video_url: Some("https://video.example/1".to_owned()), ..with(&mine) },
    ] {
        let refused = fixture.publish(member(1), request).await.unwrap_err();
        assert_eq!((refused.kind, refused.violations[0].field.as_str()), (ErrorKind::Invalid, "pdfId"));
    }
    fixture.publish(member(1), with(&mine)).await.unwrap();
}

#[tokio::test]
async fn an_unused_file_is_deleted_after_a_day() {
    let fixture = Fixture::new().await;
    let used = fixture.upload_pdf(member(1), "used.pdf", &pdf(20), None).await.unwrap().pdf_id;
    let waits = fixture.upload_pdf(member(1), "waits.pdf", &pdf(20), None).await.unwrap().pdf_id;
    let post = CreatePostRequest { pdf_id: Some(used), ..Default::default() };
    let post = fixture.publish(member(1), post).await.unwrap();
    fixture.harness.clock.advance(TimeDelta::days(1) + TimeDelta::seconds(1));
    let late = CreatePostRequest { pdf_id: Some(waits), ..Default::default() };
    assert_eq!(fixture.publish(member(1), late).await.unwrap_err().kind, ErrorKind::Invalid);
    let now = fixture.harness.clock.now();
    assert_eq!(feed::pdf_files::delete_unused(fixture.pool(), now).await.unwrap(), 1);
    assert_eq!(fixture.download_pdf(&fixture.as_visitor(), &post.id).await.unwrap().0, "used.pdf");
}

#[tokio::test]
async fn a_member_has_sixteen_unused_files_and_those_of_posts_stay() {
    let fixture = Fixture::new().await;
    let used = fixture.upload_pdf(member(1), "used.pdf", &pdf(20), None).await.unwrap().pdf_id;
    let post = CreatePostRequest { pdf_id: Some(used), ..Default::default() };
    let post = fixture.publish(member(1), post).await.unwrap();
    fixture.upload_pdf(member(2), "theirs.pdf", &pdf(20), None).await.unwrap();
    let mut uploaded = Vec::new();
    for n in 0..18 {
        fixture.advance_clock(1);
        uploaded.push(fixture.upload_pdf(member(1), &format!("{n}.pdf"), &pdf(20), None).await.unwrap().pdf_id);
    }
    assert_eq!(fixture.count("select count(*) from feed.pdf_files where post_id is null").await, 17);
    let with = |id: &String| CreatePostRequest { pdf_id: Some(id.clone()), ..Default::default() };
    for replaced in &uploaded[..2] {
        assert_eq!(fixture.publish(member(1), with(replaced)).await.unwrap_err().kind, ErrorKind::Invalid);
    }
    fixture.publish(member(1), with(&uploaded[2])).await.unwrap();
    assert_eq!(fixture.download_pdf(&fixture.as_visitor(), &post.id).await.unwrap().0, "used.pdf");
}

#[tokio::test]
async fn a_member_uploads_150_mib_of_files_a_day() {
    let fixture = Fixture::new().await;
    let file = pdf(5 << 20);
    for _ in 0..30 {
        fixture.upload_pdf(member(1), "large.pdf", &file, None).await.unwrap();
    }
    let refused = fixture.upload_pdf(member(1), "small.pdf", &pdf(4 << 10), None).await.unwrap_err();
    assert_eq!((refused.kind, refused.reason.as_str()), (ErrorKind::Limited, "FILES_OF_DAY"));
    assert!(refused.retry_after.is_some());
    fixture.upload_pdf(member(2), "theirs.pdf", &pdf(20), None).await.unwrap();
    fixture.harness.clock.advance(TimeDelta::minutes(48));
    fixture.upload_pdf(member(1), "large.pdf", &file, None).await.unwrap();
}

#[tokio::test]
async fn the_export_contains_the_files_of_the_member() {
    let fixture = Fixture::new().await;
    let file = pdf(150_000);
    let stored = fixture.upload_pdf(member(1), "Brief.pdf", &file, None).await.unwrap();
    fixture.upload_pdf(member(2), "Theirs.pdf", &pdf(20), None).await.unwrap();
    let mut stream = fixture.export_member(&fixture.as_member(member(1))).await.unwrap();
    let (mut described, mut bytes) = (Vec::new(), Vec::new());
    while let Some(message) = stream.message().await.unwrap() {
        match message.part {
            Some(part) => {
                assert_eq!(part.file, format!("{}.pdf", stored.pdf_id));
                bytes.extend(part.chunk);
            }
            None if message.section == "pdf-files" => described.push(message.json),
            None => {}
        }
    }
    assert!(bytes == file && described.len() == 1 && described[0].contains("Brief.pdf"), "{described:?}");
}
