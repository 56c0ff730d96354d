//! The space that a member may use in messages: counted in bytes, in total and in a day, and free again after a deletion.

use std::time::Duration;

use chrono::TimeDelta;
use primitives::error::ErrorKind;
use testkit::member;
use tokio::task::JoinSet;

use crate::{
    attachments::pdf,
    fixtures::{Fixture, reason},
};

/// Stores small files. Each counts 64 KiB, so the maximum is 8,000, and 2,400 in a day.
async fn store(inbox: &Fixture, who: u128, message: &str, count: usize) {
    let (who, at) = (member(who), inbox.harness.clock.now());
    let sql = format!(
        "insert into messaging.attachments (id, member_id, message_id, kind, name, size, content, uploaded_at)
        select gen_random_uuid(), '{who}', '{message}', 'file', 'a.pdf', 5, '%PDF-', '{at}'
        from generate_series(1, {count})"
    );
    inbox.harness.database().run(sql).await;
}

#[tokio::test]
async fn a_member_stores_500_megabytes_and_a_deleted_message_of_any_age_gives_space_back() {
    let inbox = Fixture::new().await;
    let id = inbox.connect_pair(1, 2).await;
    let many = inbox.send_file(1, &id).await.unwrap().id;
    // The file above has 150,000 bytes, which count as they are.
    store(&inbox, 1, &many, 7_996).await;
    inbox.harness.clock.advance(TimeDelta::days(2));
    let last = inbox.upload_file(1, "last.pdf", &pdf(20), Some("k")).await.unwrap();
    let refused = inbox.upload_file(1, "more.pdf", &pdf(20), None).await.unwrap_err();
    assert_eq!((refused.kind, refused.reason.as_str()), (ErrorKind::Conflict, "ATTACHMENTS_FULL"));
    assert_eq!(
        refused.message,
        "You have sent 500 MB of pictures and files within a year, which is the most. Delete some of them first."
    );
    assert_eq!(inbox.count_rows("attachments").await, 7_998);
    assert_eq!(inbox.upload_file(1, "last.pdf", &pdf(20), Some("k")).await.unwrap(), last, "it is stored already");
    inbox.upload_file(2, "theirs.pdf", &pdf(20), None).await.expect("the space of another member");

    let text = inbox.send(1, &id, "A text").await.unwrap().id;
    inbox.harness.clock.advance(TimeDelta::days(30));
    assert_eq!(reason(inbox.delete_message(1, &id, &text).await), "MESSAGE_CHANGE_TOO_LATE");
    assert_eq!(reason(inbox.edit_message(1, &id, &many, "New").await), "MESSAGE_CHANGE_TOO_LATE");
    inbox.delete_message(1, &id, &many).await.unwrap();
    inbox.upload_file(1, "more.pdf", &pdf(20), None).await.unwrap();
    inbox.assert_invariants().await;
}

#[tokio::test]
async fn a_member_stores_150_megabytes_a_day_and_learns_when_there_is_space_again() {
    let inbox = Fixture::new().await;
    let id = inbox.connect_pair(1, 2).await;
    let sent = inbox.send_file(1, &id).await.unwrap().id;
    inbox.advance_clock(3_600);
    store(&inbox, 1, &sent, 2_396).await;
    let refused = inbox.upload_file(1, "large.pdf", &pdf(200_000), None).await.unwrap_err();
    assert_eq!((refused.kind, refused.reason.as_str()), (ErrorKind::Limited, "ATTACHMENTS_OF_DAY"));
    assert_eq!(refused.retry_after, Some(Duration::from_secs(23 * 3_600)));
    inbox.harness.clock.advance(TimeDelta::hours(23));
    inbox.upload_file(1, "large.pdf", &pdf(200_000), None).await.unwrap();
}

#[tokio::test]
async fn concurrent_uploads_do_not_exceed_the_space() {
    let inbox = Fixture::new().await;
    let id = inbox.connect_pair(1, 2).await;
    let sent = inbox.send_file(1, &id).await.unwrap().id;
    store(&inbox, 1, &sent, 2_396).await;
    let mut uploads = JoinSet::new();
    let inbox = std::sync::Arc::new(inbox);
    for _ in 0..6 {
        let inbox = inbox.clone();
        uploads.spawn(async move { inbox.upload_file(1, "a.pdf", &pdf(20), None).await.is_ok() });
    }
    let stored = uploads.join_all().await.into_iter().filter(|stored| *stored).count();
    assert_eq!(stored, 1, "2,400 of 64 KiB, of which the sent file uses more than two");
}
