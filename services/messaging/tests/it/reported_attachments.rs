//! Copies of the attachments of reported messages: for moderators, after the sender deleted the message, for a limited time.

use chrono::TimeDelta;
use messaging::delete_expired_copies;
use portia_proto::{
    feed::ReportDecided,
    messaging::{
        DownloadReportedAttachmentRequest, ListReportedAttachmentsRequest, ListReportedAttachmentsResponse,
        MessageFile, PreserveMessageRequest,
    },
};
use primitives::error::{ErrorKind, StatusDetails};
use testkit::member;

use crate::{
    attachments::{FILE, PICTURE, pdf, with_pictures},
    fixtures::{Fixture, into_result, reason},
};

/// A moderator.
const MODERATOR: u128 = 9;

impl Fixture {
    async fn preserve(&self, who: u128, message: &str) -> Result<(), StatusDetails> {
        let request = self.as_member(who, PreserveMessageRequest { message_id: message.to_owned() });
        into_result(self.messaging.clone().preserve_message(request).await).map(drop)
    }

    async fn reported(&self, moderator: u128, message: &str) -> Result<ListReportedAttachmentsResponse, StatusDetails> {
        let request = ListReportedAttachmentsRequest { message_id: message.to_owned() };
        let request = self.harness.actors.moderator(member(moderator)).request(request).unwrap();
        into_result(self.messaging.clone().list_reported_attachments(request).await)
    }

    /// Returns the name and the bytes.
    async fn download_reported(
        &self,
        moderator: u128,
        message: &str,
        picture: Option<i32>,
    ) -> Result<(String, Vec<u8>), StatusDetails> {
        let request = DownloadReportedAttachmentRequest { message_id: message.to_owned(), picture };
        let request = self.harness.actors.moderator(member(moderator)).request(request).unwrap();
        let mut stream = into_result(self.messaging.clone().download_reported_attachment(request).await)?;
        let attachment = stream.message().await.unwrap().unwrap().attachment.unwrap();
        let mut bytes = Vec::new();
        while let Some(part) = stream.message().await.unwrap() {
            bytes.extend(part.chunk);
        }
        assert_eq!(usize::try_from(attachment.size), Ok(bytes.len()));
        Ok((attachment.name, bytes))
    }

    async fn decide(&self, kind: &str, message: &str) {
        let fact = ReportDecided {
            report_id: member(50).to_string(),
            kind: kind.to_owned(),
            item_id: message.to_owned(),
            subject_member_id: Some(member(1).to_string()),
            removed: false,
            moderator_id: Some(member(MODERATOR).to_string()),
            reason: Some("no-violation".to_owned()),
            note: None,
            removal_id: None,
        };
        self.harness.wait_until_applied("feed", self.feed.publish(message, &fact)).await;
    }
}

#[tokio::test]
async fn moderators_read_the_attachments_of_a_reported_message_after_its_deletion() {
    let inbox = Fixture::new().await;
    let id = inbox.connect_pair(1, 2).await;
    let pictures = vec![inbox.new_picture(1, "First").await, inbox.new_picture(1, "").await];
    let sent = inbox.send_request(1, with_pictures(&id, "Look", pictures)).await.unwrap();
    let file = inbox.send_file(1, &id).await.unwrap();
    let shown = inbox.download(2, &sent.id, Some(2)).await.unwrap().1;
    assert_eq!(inbox.reported(MODERATOR, &sent.id).await.unwrap(), ListReportedAttachmentsResponse::default());
    for message in [&sent.id, &file.id, &sent.id] {
        inbox.preserve(2, message).await.unwrap();
    }
    assert_eq!(inbox.count_rows("reported_attachments").await, 3, "repeated reports copy once");
    for message in [&sent.id, &file.id] {
        inbox.delete_message(1, &id, message).await.unwrap();
    }
    let copied = inbox.reported(MODERATOR, &sent.id).await.unwrap();
    assert_eq!((copied.pictures, copied.file), (sent.pictures, None));
    assert!(inbox.download_reported(MODERATOR, &sent.id, Some(2)).await.unwrap().1 == shown);
    let copied = inbox.reported(MODERATOR, &file.id).await.unwrap();
    assert_eq!(copied.file, Some(MessageFile { name: "Brief.pdf".to_owned(), size: 150_000 }));
    let downloaded = inbox.download_reported(MODERATOR, &file.id, FILE).await.unwrap();
    assert!(downloaded == ("Brief.pdf".to_owned(), pdf(150_000)));
    for (message, part) in [(&sent.id, Some(3)), (&sent.id, FILE), (&file.id, PICTURE)] {
        assert_eq!(reason(inbox.download_reported(MODERATOR, message, part).await), "ATTACHMENT_NOT_FOUND");
    }
    assert_eq!(inbox.reported(MODERATOR, "x").await.unwrap_err().kind, ErrorKind::Invalid);
}

#[tokio::test]
async fn copies_are_for_moderators_who_did_not_send_the_message() {
    let inbox = Fixture::new().await;
    let id = inbox.connect_pair(1, 2).await;
    let sent = inbox.send_picture(1, &id, "").await.unwrap().id;
    assert_eq!(reason(inbox.preserve(3, &sent).await), "MESSAGE_NOT_FOUND", "a member who does not see the message");
    inbox.preserve(1, &sent).await.unwrap();
    assert_eq!(inbox.count_rows("reported_attachments").await, 0, "an own message cannot be reported");
    inbox.preserve(2, &sent).await.unwrap();
    assert_eq!(reason(inbox.download_reported(MODERATOR, &sent, PICTURE).await), "OK");
    assert_eq!(reason(inbox.download_reported(1, &sent, PICTURE).await), "ATTACHMENT_NOT_FOUND", "the sender");
    assert_eq!(inbox.reported(1, &sent).await.unwrap().pictures.len(), 0);
    let list = ListReportedAttachmentsRequest { message_id: sent.clone() };
    let refused = into_result(inbox.messaging.clone().list_reported_attachments(inbox.as_member(2, list)).await);
    assert_eq!(refused.unwrap_err().kind, ErrorKind::NotFound);
    let download = DownloadReportedAttachmentRequest { message_id: sent, picture: PICTURE };
    let refused = inbox.messaging.clone().download_reported_attachment(inbox.as_member(2, download)).await;
    assert_eq!(into_result(refused).unwrap_err().kind, ErrorKind::NotFound);
}

#[tokio::test]
async fn copies_are_deleted_a_month_after_the_decision_a_year_after_the_report_and_with_the_account() {
    let inbox = Fixture::new().await;
    let id = inbox.connect_pair(1, 2).await;
    let mut messages = Vec::new();
    for _ in 0..3 {
        let message = inbox.send_picture(1, &id, "").await.unwrap().id;
        inbox.preserve(2, &message).await.unwrap();
        messages.push(message);
    }
    inbox.decide("message", &messages[0]).await;
    inbox.decide("post", &messages[1]).await;
    let kept = async |days: i64| {
        inbox.harness.clock.advance(TimeDelta::days(days));
        delete_expired_copies(inbox.harness.pool(), inbox.harness.clock.now()).await.unwrap();
        inbox.count_rows("reported_attachments").await
    };
    assert_eq!((kept(29).await, kept(1).await), (3, 2));
    assert_eq!(inbox.reported(MODERATOR, &messages[0]).await.unwrap().pictures.len(), 0);
    inbox.preserve(2, &messages[1]).await.unwrap();
    assert_eq!((kept(335).await, kept(30).await), (1, 0), "a later report keeps the copy longer");
    inbox.preserve(2, &messages[2]).await.unwrap();
    inbox.erase(1).await;
    assert_eq!(inbox.count_rows("reported_attachments").await, 0);
    assert_eq!(inbox.harness.database().tables_referencing(member(1)).await, Vec::<String>::new());
}

#[tokio::test]
async fn a_copy_uses_the_space_of_the_sender_once() {
    let inbox = Fixture::new().await;
    let id = inbox.connect_pair(1, 2).await;
    let sent = inbox.send_file(1, &id).await.unwrap().id;
    inbox.preserve(2, &sent).await.unwrap();
    // The sent file has 150,000 bytes: with one more, 8,000 files of 64 KiB would not fit.
    let fill = |count: i32| {
        format!(
            "insert into messaging.reported_attachments (attachment_id, message_id, member_id, name, size, content, kept_until)
            select gen_random_uuid(), gen_random_uuid(), '{}', 'a.pdf', 5, '%PDF-', now() + interval '1 year'
            from generate_series(1, {count})",
            member(1)
        )
    };
    inbox.harness.database().run(fill(7_996)).await;
    inbox.upload_file(1, "fits.pdf", &pdf(20), None).await.unwrap();
    inbox.delete_message(1, &id, &sent).await.unwrap();
    assert_eq!(reason(inbox.upload_file(1, "more.pdf", &pdf(20), None).await), "ATTACHMENTS_FULL");
    inbox.harness.database().run("delete from messaging.reported_attachments where size > 5").await;
    inbox.upload_file(1, "more.pdf", &pdf(20), None).await.unwrap();
}
