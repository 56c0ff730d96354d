//! A posting that a member applied for has closed: nobody's doing, told once, and nothing takes it back.

use portia_proto::{
    jobs::AppliedPostingClosed,
    messaging::{NotificationKind, mark_notifications_read_request::Which},
};
use prost_types::Timestamp;
use testkit::member;

use super::{reacted, thing};
use crate::inbox::Inbox;

const CLOSED: NotificationKind = NotificationKind::PostingClosed;

fn closed(application: u128, who: u128, title: &str) -> AppliedPostingClosed {
    AppliedPostingClosed {
        application_id: thing(application).to_string(),
        member_id: member(who).to_string(),
        job_id: thing(90).to_string(),
        title: title.to_owned(),
    }
}

impl Inbox {
    async fn jobs_tells(&self, fact: &AppliedPostingClosed) {
        self.harness.heard("jobs", self.jobs.tell("jobs", fact)).await;
    }
}

#[tokio::test]
async fn whoever_applied_hears_which_and_only_once() {
    let inbox = Inbox::open().await;
    for _ in 0..2 {
        inbox.jobs_tells(&closed(1, 1, "Staff Attorney")).await;
    }
    inbox.jobs_tells(&closed(2, 1, "Staff Attorney")).await;
    inbox.jobs_tells(&closed(3, 2, "Law Clerk")).await;
    assert_eq!(inbox.lines(1).await, ["PostingClosed by  (0) !", "PostingClosed by  (0) !"]);
    let told = inbox.bell(1).await.remove(1);
    assert_eq!((told.subject_id, told.subject_name.as_deref()), (thing(1).to_string(), Some("Staff Attorney")));
    assert_eq!((inbox.rung(1).await, inbox.rung(2).await), (2, 1));
    inbox.assert_bells().await;
}

#[tokio::test]
async fn it_is_read_like_any_other() {
    let inbox = Inbox::open().await;
    inbox.feed_tells(&reacted(2, 1, 1)).await;
    inbox.jobs_tells(&closed(1, 1, "Staff Attorney")).await;
    let id = inbox.bell(1).await.remove(0).id;
    inbox.sees(1, Which::NotificationId(id)).await.unwrap();
    assert_eq!(inbox.lines(1).await, ["PostingClosed by  (0)", "PostLiked by 2 (1) !"]);
    inbox.jobs_tells(&closed(1, 1, "Staff Attorney")).await;
    assert_eq!(inbox.lines(1).await, ["PostingClosed by  (0)", "PostLiked by 2 (1) !"], "and does not come back");
    inbox.jobs_tells(&closed(2, 1, "Law Clerk")).await;
    inbox.sees(1, Which::UpTo(Timestamp { seconds: 253_000_000_000, nanos: 0 })).await.unwrap();
    assert_eq!(inbox.rings(1).await, 0);
    inbox.assert_bells().await;
}

#[tokio::test]
async fn it_is_on_unless_turned_off() {
    let inbox = Inbox::open().await;
    inbox.turns(1, &[(CLOSED, false)]).await.unwrap();
    inbox.jobs_tells(&closed(1, 1, "Staff Attorney")).await;
    assert!(inbox.lines(1).await.is_empty());
    assert_eq!(inbox.rung(1).await, 0);
    inbox.turns(1, &[(CLOSED, true)]).await.unwrap();
    inbox.jobs_tells(&closed(2, 1, "Law Clerk")).await;
    assert_eq!(inbox.lines(1).await.len(), 1);
    inbox.assert_bells().await;
}

#[tokio::test]
async fn others_who_leave_take_nothing_of_it_and_the_member_all() {
    let inbox = Inbox::open().await;
    inbox.jobs_tells(&closed(1, 1, "Staff Attorney")).await;
    inbox.feed_tells(&reacted(2, 1, 1)).await;
    inbox.block(1, 2).await;
    inbox.closed(3).await;
    inbox.erase(2).await;
    assert_eq!(inbox.lines(1).await, ["PostingClosed by  (0) !"]);
    inbox.assert_bells().await;
    inbox.erase(1).await;
    assert_eq!(inbox.harness.database().tables_naming(member(1)).await, Vec::<String>::new());
}

#[tokio::test]
async fn a_title_of_any_length_is_told() {
    let inbox = Inbox::open().await;
    inbox.jobs_tells(&closed(1, 1, &"\u{f1}".repeat(5_000))).await;
    inbox.jobs_tells(&closed(2, 1, "")).await;
    let names: Vec<_> = inbox.bell(1).await.into_iter().map(|told| told.subject_name).collect();
    assert_eq!(names, [None, Some("\u{f1}".repeat(200))]);
}
