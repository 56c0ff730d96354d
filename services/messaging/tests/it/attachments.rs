//! Messages with pictures and files: who sees them, and when their bytes are gone.

use std::io::Cursor;

use image::{ImageFormat, Rgb, RgbImage};
use portia_proto::messaging::{
    AttachmentSummary, DownloadAttachmentRequest, ExportMemberRequest, Message, MessageFile, MessagePicture,
    NewMessagePicture, SendMessageRequest, UploadFileRequest, UploadFileResponse, UploadPictureRequest,
    UploadPictureResponse,
};
use primitives::error::{ErrorKind, StatusDetails};
use testkit::member;

use crate::fixtures::{Fixture, REQUESTS, into_result, reason};

/// Returns a distinct photo for each `n`.
pub fn photo(n: u8, width: u32, height: u32, format: ImageFormat) -> Vec<u8> {
    let mut file = Cursor::new(Vec::new());
    let image = RgbImage::from_fn(width, height, |x, y| Rgb([n.wrapping_mul(40), (x / 8) as u8, y as u8]));
    image.write_to(&mut file, format).unwrap();
    file.into_inner()
}

pub fn pdf(size: usize) -> Vec<u8> {
    let mut file = b"%PDF-1.7\n".to_vec();
    file.resize(size.max(file.len()), 7);
    file
}

pub const PICTURE: Option<i32> = Some(1);
pub const FILE: Option<i32> = None;

impl Fixture {
    pub async fn upload_picture(
        &self,
        who: u128,
        file: &[u8],
        key: Option<&str>,
    ) -> Result<UploadPictureResponse, StatusDetails> {
        let first = UploadPictureRequest { chunk: Vec::new(), idempotency_key: key.map(str::to_owned) };
        let chunks = file.chunks(1 << 20);
        let chunks = chunks.map(|chunk| UploadPictureRequest { chunk: chunk.to_vec(), idempotency_key: None });
        let all: Vec<_> = [first].into_iter().chain(chunks).collect();
        let request = self.as_member(who, futures::stream::iter(all));
        into_result(self.messaging.clone().upload_picture(request).await)
    }

    pub async fn upload_file(
        &self,
        who: u128,
        name: &str,
        file: &[u8],
        key: Option<&str>,
    ) -> Result<UploadFileResponse, StatusDetails> {
        let (name, idempotency_key) = (name.to_owned(), key.map(str::to_owned));
        let first = UploadFileRequest { name, chunk: Vec::new(), idempotency_key };
        let chunks = file.chunks(1 << 20);
        let chunks = chunks.map(|chunk| UploadFileRequest { chunk: chunk.to_vec(), ..Default::default() });
        let all: Vec<_> = [first].into_iter().chain(chunks).collect();
        let request = self.as_member(who, futures::stream::iter(all));
        into_result(self.messaging.clone().upload_file(request).await)
    }

    /// Uploads a small picture and returns it with a description.
    pub async fn new_picture(&self, who: u128, alt: &str) -> NewMessagePicture {
        let uploaded = self.upload_picture(who, &photo(1, 30, 20, ImageFormat::Png), None).await.unwrap();
        NewMessagePicture { picture_id: uploaded.picture_id, alt: alt.to_owned() }
    }

    pub async fn send_request(&self, who: u128, request: SendMessageRequest) -> Result<Message, StatusDetails> {
        let sent = into_result(self.messaging.clone().send_message(self.as_member(who, request)).await);
        sent.map(|sent| sent.message.unwrap())
    }

    /// Sends a message with a new picture.
    pub async fn send_picture(&self, who: u128, id: &str, content: &str) -> Result<Message, StatusDetails> {
        let pictures = vec![self.new_picture(who, "A court").await];
        self.send_request(who, with_pictures(id, content, pictures)).await
    }

    /// Sends a message with a new file.
    pub async fn send_file(&self, who: u128, id: &str) -> Result<Message, StatusDetails> {
        let file_id = Some(self.upload_file(who, "Brief.pdf", &pdf(150_000), None).await.unwrap().file_id);
        let request = SendMessageRequest { conversation_id: id.to_owned(), file_id, ..Default::default() };
        self.send_request(who, request).await
    }

    /// Returns the name and the bytes.
    pub async fn download(
        &self,
        who: u128,
        message: &str,
        picture: Option<i32>,
    ) -> Result<(String, Vec<u8>), StatusDetails> {
        let request = DownloadAttachmentRequest { message_id: message.to_owned(), picture };
        let mut stream = into_result(self.messaging.clone().download_attachment(self.as_member(who, request)).await)?;
        let attachment = stream.message().await.unwrap().unwrap().attachment.unwrap();
        let mut bytes = Vec::new();
        while let Some(part) = stream.message().await.unwrap() {
            bytes.extend(part.chunk);
        }
        assert_eq!(usize::try_from(attachment.size), Ok(bytes.len()));
        Ok((attachment.name, bytes))
    }
}

pub fn with_pictures(id: &str, content: &str, pictures: Vec<NewMessagePicture>) -> SendMessageRequest {
    let (conversation_id, content) = (id.to_owned(), content.to_owned());
    SendMessageRequest { conversation_id, content, pictures, ..Default::default() }
}

fn summary(pictures: i32, file: bool) -> Option<AttachmentSummary> {
    Some(AttachmentSummary { pictures, file })
}

#[tokio::test]
async fn pictures_are_in_their_order_in_every_list_and_quote() {
    let inbox = Fixture::new().await;
    let id = inbox.connect_pair(1, 2).await;
    let large = inbox.upload_picture(1, &photo(2, 2400, 600, ImageFormat::Jpeg), None).await.unwrap();
    assert_eq!((large.width, large.height), (1600, 400));
    let mut pictures = vec![inbox.new_picture(1, " First ").await, inbox.new_picture(1, "").await];
    pictures.push(NewMessagePicture { picture_id: large.picture_id, alt: "Wide".to_owned() });
    pictures.reverse();
    let sent = inbox.send_request(1, with_pictures(&id, " Look ", pictures)).await.unwrap();
    let picture = |alt: &str, width, height| MessagePicture { alt: alt.to_owned(), width, height };
    assert_eq!(sent.content, "Look");
    assert_eq!(sent.pictures, [picture("Wide", 1600, 400), picture("", 30, 20), picture("First", 30, 20)]);
    assert_eq!(inbox.list_messages(2, &id).await.unwrap().messages[0].pictures, sent.pictures);
    assert_eq!(inbox.get_message(2, &sent.id).await.unwrap().pictures, sent.pictures);
    let found = inbox.search_page(2, "look", 20, "").await.unwrap().messages.remove(0).message.unwrap();
    assert_eq!(found.pictures, sent.pictures);
    let listed = inbox.get_conversation(2, &id).await.unwrap();
    assert_eq!((listed.last_message.as_deref(), listed.last_attachments), (Some("Look"), summary(3, false)));
    let quoting = inbox.reply(2, &id, &sent.id, "Where?").await.unwrap().reply_to.unwrap();
    assert_eq!((quoting.content.as_deref(), quoting.attachments), (Some("Look"), summary(3, false)));
    assert_eq!(inbox.get_conversation(1, &id).await.unwrap().last_attachments, None);
    let jpeg = inbox.download(2, &sent.id, PICTURE).await.unwrap().1;
    let shown = image::load_from_memory_with_format(&jpeg, ImageFormat::Jpeg).unwrap();
    assert_eq!((shown.width(), shown.height()), (1600, 400));
    for none in [Some(4), FILE] {
        assert_eq!(reason(inbox.download(2, &sent.id, none).await), "ATTACHMENT_NOT_FOUND");
    }
    inbox.assert_invariants().await;
}

#[tokio::test]
async fn a_file_needs_no_text_and_is_returned_unchanged() {
    let inbox = Fixture::new().await;
    let id = inbox.connect_pair(1, 2).await;
    let file = pdf(5 << 20);
    let stored = inbox.upload_file(1, "C:\\Briefs\\Brief", &file, None).await.unwrap();
    let request = SendMessageRequest {
        conversation_id: id.clone(),
        content: " \n".to_owned(),
        file_id: Some(stored.file_id.clone()),
        ..Default::default()
    };
    let before = inbox.published_facts().await.len();
    let sent = inbox.send_request(1, request).await.unwrap();
    assert_eq!(inbox.facts_since(before).await, ["message from 1 to 2"]);
    assert_eq!(sent.file, Some(MessageFile { name: "Brief.pdf".to_owned(), size: 5 << 20 }));
    assert_eq!((sent.content.as_str(), sent.deleted), ("", false));
    assert!(inbox.download(2, &sent.id, FILE).await.unwrap() == ("Brief.pdf".to_owned(), file));
    for seen in [
        inbox.get_conversation(2, &id).await.unwrap(),
        inbox.list_messages(2, &id).await.unwrap().conversation.unwrap(),
    ] {
        assert_eq!((seen.last_message, seen.last_message_deleted), (None, false));
        assert_eq!((seen.last_attachments, seen.unread_count), (summary(0, true), 1));
    }
    let listed = inbox.reply(2, &id, &sent.id, "Thanks").await.unwrap().reply_to.unwrap();
    assert_eq!((listed.content.as_deref(), listed.attachments), (Some(""), summary(0, true)));
    let edited = inbox.edit_message(1, &id, &sent.id, "The brief").await.unwrap();
    assert_eq!((edited.content.as_str(), edited.file), ("The brief", sent.file), "an edit keeps the file");
    inbox.assert_invariants().await;
}

#[tokio::test]
async fn only_members_who_see_the_message_download_its_attachments() {
    let inbox = Fixture::new().await;
    let id = inbox.connected_group(&[2, 3, 4]).await;
    let (picture, file) = (inbox.send_picture(2, &id, "").await.unwrap().id, inbox.send_file(2, &id).await.unwrap().id);
    inbox.add_to_group(1, &id, &[5]).await.unwrap();
    inbox.block(3, 2).await;
    inbox.clear_conversation(4, &id).await.unwrap();
    for (who, expected) in [
        (1, "OK"),
        (2, "OK"),
        // Separated by a block, cleared, joined later, not a member.
        (3, "ATTACHMENT_NOT_FOUND"),
        (4, "ATTACHMENT_NOT_FOUND"),
        (5, "ATTACHMENT_NOT_FOUND"),
        (6, "ATTACHMENT_NOT_FOUND"),
    ] {
        assert_eq!(reason(inbox.download(who, &picture, PICTURE).await), expected, "{who}");
        assert_eq!(reason(inbox.download(who, &file, FILE).await), expected, "{who}");
    }
    inbox.unblock(3, 2).await;
    assert_eq!(reason(inbox.download(3, &file, FILE).await), "OK");
    inbox.remove_from_group(1, &id, 3).await.unwrap();
    assert_eq!(reason(inbox.download(3, &file, FILE).await), "ATTACHMENT_NOT_FOUND");
    // In a conversation of two as well.
    let pair = inbox.connect_pair(1, 2).await;
    let sent = inbox.send_picture(1, &pair, "Mine").await.unwrap().id;
    assert_eq!(reason(inbox.download(2, &sent, PICTURE).await), "OK");
    inbox.block(2, 1).await;
    for who in [1, 2] {
        assert_eq!(reason(inbox.download(who, &sent, PICTURE).await), "ATTACHMENT_NOT_FOUND");
    }
    for (message, part) in [("x", PICTURE), (sent.as_str(), Some(0)), (sent.as_str(), Some(-1))] {
        let refused = inbox.download(1, message, part).await.unwrap_err();
        assert_eq!(refused.kind, ErrorKind::Invalid);
    }
}

#[tokio::test]
async fn a_stranger_sends_no_attachments_before_the_request_is_accepted() {
    let inbox = Fixture::new().await;
    let id = inbox.open_request(1, 2).await;
    let refused = inbox.send_picture(1, &id, "Look").await.unwrap_err();
    assert_eq!((refused.kind, refused.reason.as_str()), (ErrorKind::Forbidden, "ATTACHMENTS_REFUSED"));
    assert_eq!(refused.message, "You can send pictures and files once your request is accepted.");
    assert_eq!(reason(inbox.send_file(1, &id).await), "ATTACHMENTS_REFUSED");
    let unused = "attachments where message_id is null";
    assert_eq!((inbox.count_rows("messages").await, inbox.count_rows(unused).await), (0, 2), "they stay usable");
    inbox.send(1, &id, "May I?").await.unwrap();
    inbox.send_file(2, &id).await.expect("an answer accepts the request");
    inbox.send_picture(1, &id, "Look").await.unwrap();

    let group = inbox.create_group(3, None, &[4, 5]).await.unwrap().id;
    assert_eq!(reason(inbox.send_picture(3, &group, "").await), "ATTACHMENTS_REFUSED");
    inbox.accept_request(4, &group).await.unwrap();
    let sent = inbox.send_picture(3, &group, "").await.unwrap().id;
    assert_eq!(inbox.list_conversations(5, REQUESTS).await[0].last_attachments, summary(1, false));
    assert_eq!(reason(inbox.download(5, &sent, PICTURE).await), "ATTACHMENT_NOT_FOUND", "until 5 accepts");
    inbox.accept_request(5, &group).await.unwrap();
    assert_eq!(reason(inbox.download(5, &sent, PICTURE).await), "OK");
    inbox.assert_invariants().await;
}

#[tokio::test]
async fn a_deleted_message_has_no_attachments_at_once() {
    let inbox = Fixture::new().await;
    let id = inbox.connect_pair(1, 2).await;
    let sent = inbox.send_picture(1, &id, "").await.unwrap();
    let reply = inbox.reply(2, &id, &sent.id, "Nice").await.unwrap().id;
    let last = inbox.send_file(1, &id).await.unwrap().id;
    for message in [&sent.id, &last] {
        inbox.delete_message(1, &id, message).await.unwrap();
        assert_eq!(reason(inbox.download(2, message, PICTURE).await), "ATTACHMENT_NOT_FOUND");
        assert_eq!(reason(inbox.download(1, message, FILE).await), "ATTACHMENT_NOT_FOUND");
    }
    assert_eq!(inbox.count_rows("attachments").await, 0);
    let seen = inbox.get_message(2, &sent.id).await.unwrap();
    assert!(seen.deleted && seen.pictures.is_empty());
    let quoted = inbox.get_message(2, &reply).await.unwrap().reply_to.unwrap();
    assert_eq!((quoted.content, quoted.attachments), (None, None));
    let listed = inbox.get_conversation(2, &id).await.unwrap();
    assert!(listed.last_message_deleted && listed.last_attachments.is_none());
    inbox.assert_invariants().await;
}

#[tokio::test]
async fn an_erased_account_leaves_no_attachments() {
    let inbox = Fixture::new().await;
    let (id, group) = (inbox.connect_pair(1, 2).await, inbox.connected_group(&[2, 3]).await);
    let with_text = inbox.send_picture(2, &group, "Look").await.unwrap().id;
    let mine = inbox.send_picture(1, &id, "Mine").await.unwrap().id;
    let without = inbox.send_file(2, &id).await.unwrap().id;
    inbox.react(1, &id, &without, portia_proto::messaging::MessageReactionKind::Like, true).await.unwrap();
    inbox.upload_file(2, "Unused.pdf", &pdf(20), Some("k")).await.unwrap();
    assert_eq!(inbox.unread_counts(1).await, (2, 0));
    inbox.erase(2).await;
    assert_eq!(inbox.unread_counts(1).await, (1, 0), "the file without a text is deleted, and not unread");
    assert_eq!(inbox.harness.database().tables_referencing(member(2)).await, Vec::<String>::new());
    assert_eq!(inbox.count_rows("attachments").await, 1, "that of member 1");
    let kept = inbox.get_message(1, &with_text).await.unwrap();
    assert_eq!((kept.content.as_str(), kept.pictures.len(), kept.deleted), ("Look", 0, false));
    assert!(inbox.get_message(1, &without).await.unwrap().deleted, "nothing is left of it");
    assert!(inbox.get_conversation(1, &id).await.unwrap().last_message_deleted);
    assert_eq!(reason(inbox.download(1, &mine, PICTURE).await), "OK");
    inbox.assert_invariants().await;
    for who in [1, 3] {
        inbox.erase(who).await;
    }
    let empty = async {
        while inbox.count_rows("conversations").await > 0 {
            testkit::pause().await;
        }
    };
    tokio::time::timeout(crate::fixtures::TIMEOUT, empty).await.expect("abandoned conversations are deleted");
    assert_eq!((inbox.count_rows("messages").await, inbox.count_rows("attachments").await), (0, 0));
}

#[tokio::test]
async fn the_export_contains_own_attachments_and_the_descriptions_of_others() {
    let inbox = Fixture::new().await;
    let id = inbox.connect_pair(1, 2).await;
    let sent = inbox.send_file(1, &id).await.unwrap().id;
    inbox.send_picture(2, &id, "Theirs").await.unwrap();
    let request = inbox.as_member(1, ExportMemberRequest {});
    let mut stream = inbox.messaging.clone().export_member(request).await.unwrap().into_inner();
    let (mut uploads, mut messages, mut bytes) = (Vec::new(), String::new(), Vec::new());
    while let Some(record) = stream.message().await.unwrap() {
        match record.part {
            Some(part) => {
                assert!(part.file.ends_with(".pdf"), "{}", part.file);
                bytes.extend(part.chunk);
            }
            None if record.section == "attachments" => uploads.push(record.json),
            None if record.section == "messages" => messages.push_str(&record.json),
            None => {}
        }
    }
    assert!(bytes == pdf(150_000) && uploads.len() == 1 && uploads[0].contains(&sent), "{uploads:?}");
    assert!(messages.contains("Brief.pdf") && messages.contains("A court"), "{messages}");
}

#[tokio::test]
async fn attachments_of_a_closed_account_are_for_their_sender_until_it_is_reopened() {
    let inbox = Fixture::new().await;
    let id = inbox.connect_pair(1, 2).await;
    let (picture, file) =
        (inbox.send_picture(1, &id, "Look").await.unwrap().id, inbox.send_file(1, &id).await.unwrap().id);
    let answer = inbox.send_picture(2, &id, "And this").await.unwrap().id;
    let all = [(&picture, PICTURE), (&file, FILE)];
    for (message, which) in all {
        inbox.download(2, message, which).await.unwrap();
    }
    inbox.apply_closure(1).await;
    for (message, which) in all {
        assert_eq!(reason(inbox.download(2, message, which).await), "ATTACHMENT_NOT_FOUND");
    }
    inbox.download(1, &picture, PICTURE).await.unwrap();
    inbox.download(2, &answer, PICTURE).await.unwrap();
    inbox.apply_reopening(1).await;
    for (message, which) in all {
        inbox.download(2, message, which).await.unwrap();
    }
}
