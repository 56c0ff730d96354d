//! Uploads for messages: checked by content, used once and by the uploader only, deleted when unused.

use chrono::TimeDelta;
use image::ImageFormat;
use messaging::delete_unused_attachments;
use portia_proto::messaging::{Message, NewMessagePicture, SendMessageRequest};
use primitives::error::{ErrorKind, StatusDetails};
use tokio::task::JoinSet;

use crate::{
    attachments::{FILE, PICTURE, pdf, photo, with_pictures},
    fixtures::{Fixture, reason},
};

const UNKNOWN: &str = "01930000-0000-7000-8000-0000000000ff";
const UNUSED: &str = "attachments where message_id is null";

fn with_file(id: &str, file: &str) -> SendMessageRequest {
    let (conversation_id, file_id) = (id.to_owned(), Some(file.to_owned()));
    SendMessageRequest { conversation_id, file_id, ..Default::default() }
}

/// Returns the field of a refusal.
fn field(outcome: Result<Message, StatusDetails>) -> String {
    let refused = outcome.unwrap_err();
    assert_eq!(refused.kind, ErrorKind::Invalid);
    refused.violations[0].field.clone()
}

#[tokio::test]
async fn hostile_files_are_refused_and_nothing_is_stored() {
    let inbox = Fixture::new().await;
    let mut bomb = photo(1, 30, 20, ImageFormat::Png);
    // The declared width of a PNG.
    bomb[16..20].copy_from_slice(&60_000_u32.to_be_bytes());
    let cut = photo(1, 300, 200, ImageFormat::Jpeg)[..400].to_vec();
    let large = vec![0xff; (8 << 20) + 1];
    for file in [&b""[..], b"<svg xmlns='http://www.w3.org/2000/svg'/>", b"GIF89a", b"%PDF-1.7", &bomb, &cut, &large] {
        let refused = inbox.upload_picture(1, file, None).await.unwrap_err();
        assert_eq!((refused.kind, refused.violations[0].field.as_str()), (ErrorKind::Invalid, "picture"));
    }
    for (field, name, file) in [
        ("file", "a.pdf", b"PK\x03\x04".as_slice()),
        ("file", "a.pdf", b""),
        ("file", "a.pdf", &photo(1, 30, 20, ImageFormat::Png)),
        ("file", "a.pdf", &pdf((5 << 20) + 1)),
        ("name", "a\u{202e}.pdf", b"%PDF-1.7"),
    ] {
        let refused = inbox.upload_file(1, name, file, None).await.unwrap_err();
        assert_eq!((refused.kind, refused.violations[0].field.as_str()), (ErrorKind::Invalid, field));
    }
    assert_eq!((inbox.count_rows("attachments").await, inbox.count_rows("idempotency_keys").await), (0, 0));
}

#[tokio::test]
async fn foreign_used_unknown_and_mixed_uploads_are_refused_alike() {
    let inbox = Fixture::new().await;
    let id = inbox.connect_pair(1, 2).await;
    let theirs = inbox.new_picture(2, "").await;
    let mine = inbox.new_picture(1, "").await;
    let file = inbox.upload_file(1, "a.pdf", &pdf(20), None).await.unwrap().file_id;
    let their_file = inbox.upload_file(2, "a.pdf", &pdf(20), None).await.unwrap().file_id;
    let used = inbox.new_picture(1, "").await;
    inbox.send_request(1, with_pictures(&id, "", vec![used.clone()])).await.unwrap();
    let named = |id: &str| NewMessagePicture { picture_id: id.to_owned(), alt: String::new() };
    let five = vec![named(UNKNOWN); 5];
    let mut sentences = Vec::new();
    for picture in [&theirs, &used, &named(UNKNOWN), &named(&file)] {
        let request = with_pictures(&id, "Look", vec![mine.clone(), picture.clone()]);
        let refused = inbox.send_request(1, request).await.unwrap_err();
        sentences.push((refused.violations[0].field.clone(), refused.violations[0].message.clone()));
    }
    assert!(sentences.iter().all(|one| *one == sentences[0]) && sentences[0].0 == "pictures", "{sentences:?}");
    for other in [&their_file, &mine.picture_id, UNKNOWN, "x"] {
        assert_eq!(field(inbox.send_request(1, with_file(&id, other)).await), "fileId", "{other}");
    }
    for (expected, request) in [
        ("pictures", with_pictures(&id, "", five)),
        ("pictures", with_pictures(&id, "", vec![mine.clone(), mine.clone()])),
        ("pictures[0].id", with_pictures(&id, "", vec![named("x")])),
        ("pictures[0].alt", with_pictures(&id, "", vec![NewMessagePicture { alt: "a".repeat(301), ..mine.clone() }])),
        ("pictures[0].alt", with_pictures(&id, "", vec![NewMessagePicture { alt: "\0".to_owned(), ..mine.clone() }])),
        ("fileId", SendMessageRequest { file_id: Some(file.clone()), ..with_pictures(&id, "", vec![mine.clone()]) }),
        ("content", with_pictures(&id, &"a".repeat(4_001), vec![mine.clone()])),
        ("content", with_pictures(&id, " ", Vec::new())),
    ] {
        assert_eq!(field(inbox.send_request(1, request).await), expected);
    }
    assert_eq!(inbox.count_rows("messages").await, 1, "a refused message uses nothing");
    inbox.send_request(1, with_pictures(&id, "", vec![mine])).await.unwrap();
    inbox.send_request(1, with_file(&id, &file)).await.unwrap();
    inbox.assert_invariants().await;
}

#[tokio::test]
async fn a_repeated_upload_is_the_first_one_and_a_repeated_message_too() {
    let inbox = Fixture::new().await;
    let id = inbox.connect_pair(1, 2).await;
    let file = photo(1, 30, 20, ImageFormat::Png);
    let first = inbox.upload_picture(1, &file, Some("k")).await.unwrap();
    assert_eq!(inbox.upload_picture(1, &file, Some("k")).await.unwrap(), first);
    assert_ne!(inbox.upload_picture(2, &file, Some("k")).await.unwrap(), first);
    let other = photo(2, 30, 20, ImageFormat::Png);
    assert_eq!(reason(inbox.upload_picture(1, &other, Some("k")).await), "IDEMPOTENCY_KEY_REUSED");
    let request = |picture_id: &str, alt: &str| SendMessageRequest {
        idempotency_key: Some("m".to_owned()),
        ..with_pictures(&id, "", vec![NewMessagePicture { picture_id: picture_id.to_owned(), alt: alt.to_owned() }])
    };
    let sent = inbox.send_request(1, request(&first.picture_id, "A")).await.unwrap();
    assert_eq!(inbox.upload_picture(1, &file, Some("k")).await.unwrap(), first, "also when it is used");
    assert_eq!(inbox.send_request(1, request(&first.picture_id, "A")).await.unwrap().id, sent.id);
    // After days the client uploads again: the new picture is not used.
    let again = inbox.upload_picture(1, &file, None).await.unwrap().picture_id;
    assert_eq!(inbox.send_request(1, request(&again, "A")).await.unwrap().id, sent.id);
    assert_eq!(inbox.count_rows("attachments where message_id is not null").await, 1);
    for other in [
        request(&again, "B"),
        SendMessageRequest { pictures: Vec::new(), content: "Text".to_owned(), ..request(&again, "") },
        SendMessageRequest { content: "Text".to_owned(), ..request(&again, "A") },
    ] {
        assert_eq!(reason(inbox.send_request(1, other).await), "IDEMPOTENCY_KEY_REUSED");
    }
    inbox.delete_message(1, &id, &sent.id).await.unwrap();
    assert_eq!(inbox.send_request(1, request(&again, "A")).await.unwrap().id, sent.id, "deleted since");
    let renewed = inbox.upload_picture(1, &file, Some("k")).await.unwrap();
    assert_eq!(renewed.picture_id, first.picture_id, "deleted with its message, and stored again");
    inbox.assert_invariants().await;
}

#[tokio::test]
async fn concurrent_messages_use_a_picture_once() {
    let inbox = Fixture::new().await;
    let (id, other) = (inbox.connect_pair(1, 2).await, inbox.connect_pair(1, 3).await);
    let (one, two) = (inbox.new_picture(1, "").await, inbox.new_picture(1, "").await);
    let mut requests = JoinSet::new();
    for n in 0..8 {
        let conversation = if n % 2 == 0 { &id } else { &other };
        let mut pictures = vec![one.clone(), two.clone()];
        if n % 3 == 0 {
            pictures.reverse();
        }
        let request = inbox.as_member(1, with_pictures(conversation, "", pictures));
        let mut client = inbox.messaging.clone();
        requests.spawn(async move { client.send_message(request).await.is_ok() });
    }
    let sent = requests.join_all().await.into_iter().filter(|sent| *sent).count();
    assert_eq!((sent, inbox.count_rows("messages").await, inbox.count_rows(UNUSED).await), (1, 1, 0));
    inbox.assert_invariants().await;
}

#[tokio::test]
async fn a_concurrent_repetition_sends_once() {
    let inbox = Fixture::new().await;
    let id = inbox.connect_pair(1, 2).await;
    let pictures = vec![inbox.new_picture(1, "").await];
    let request = SendMessageRequest { idempotency_key: Some("k".to_owned()), ..with_pictures(&id, "", pictures) };
    let mut requests = JoinSet::new();
    for _ in 0..6 {
        let (request, mut client) = (inbox.as_member(1, request.clone()), inbox.messaging.clone());
        requests.spawn(async move { client.send_message(request).await.unwrap().into_inner().message.unwrap().id });
    }
    let mut ids = requests.join_all().await;
    ids.dedup();
    assert_eq!((ids.len(), inbox.count_rows("messages").await), (1, 1));
}

#[tokio::test]
async fn unused_uploads_are_deleted_after_a_day_and_beyond_sixteen() {
    let inbox = Fixture::new().await;
    let id = inbox.connect_pair(1, 2).await;
    let used = inbox.send_picture(1, &id, "Kept").await.unwrap().id;
    let late = inbox.upload_file(1, "late.pdf", &pdf(20), Some("late")).await.unwrap().file_id;
    let renewed = inbox.upload_file(1, "renewed.pdf", &pdf(20), Some("k")).await.unwrap().file_id;
    inbox.advance_clock(60);
    inbox.upload_file(1, "renewed.pdf", &pdf(20), Some("k")).await.unwrap();
    inbox.harness.clock.advance(TimeDelta::days(1) - TimeDelta::seconds(30));
    assert_eq!(field(inbox.send_request(1, with_file(&id, &late)).await), "fileId");
    let now = inbox.harness.clock.now();
    assert_eq!(delete_unused_attachments(inbox.harness.pool(), now).await.unwrap(), 1);
    inbox.send_request(1, with_file(&id, &renewed)).await.unwrap();

    let first = inbox.upload_file(1, "first.pdf", &pdf(20), None).await.unwrap().file_id;
    let second = inbox.upload_file(1, "second.pdf", &pdf(20), None).await.unwrap().file_id;
    for _ in 0..15 {
        inbox.advance_clock(1);
        inbox.upload_file(1, "more.pdf", &pdf(20), None).await.unwrap();
    }
    inbox.upload_file(2, "theirs.pdf", &pdf(20), None).await.unwrap();
    assert_eq!(inbox.count_rows(UNUSED).await, 16 + 1);
    assert_eq!(field(inbox.send_request(1, with_file(&id, &first)).await), "fileId", "the oldest one");
    inbox.send_request(1, with_file(&id, &second)).await.unwrap();
    assert_eq!(reason(inbox.download(2, &used, PICTURE).await), "OK");
    assert_eq!(reason(inbox.download(2, &used, FILE).await), "ATTACHMENT_NOT_FOUND");
    inbox.assert_invariants().await;
}
