//! The switches of a member by kind.

use portia_proto::messaging::{
    ListNotificationSwitchesRequest, NotificationKind, NotificationSwitch, SetNotificationSwitchesRequest,
};
use primitives::error::{ErrorKind, StatusDetails};

use super::post_reacted;
use crate::fixtures::{Fixture, into_result};

pub const LIKED: NotificationKind = NotificationKind::PostLiked;
pub const POSTED: NotificationKind = NotificationKind::CommunityPosted;
pub const REPOST: NotificationKind = NotificationKind::PostReposted;

impl Fixture {
    async fn list_switches(&self, who: u128) -> Vec<(NotificationKind, bool)> {
        let request = self.as_member(who, ListNotificationSwitchesRequest {});
        let stored = into_result(self.messaging.clone().list_notification_switches(request).await).unwrap().switches;
        stored.iter().map(|switch| (switch.kind(), switch.on)).collect()
    }

    pub async fn set_switches(
        &self,
        who: u128,
        switches: &[(NotificationKind, bool)],
    ) -> Result<Vec<(NotificationKind, bool)>, StatusDetails> {
        let switches = switches.iter().map(|(kind, on)| NotificationSwitch { kind: (*kind).into(), on: *on }).collect();
        let request = self.as_member(who, SetNotificationSwitchesRequest { switches });
        let stored = into_result(self.messaging.clone().set_notification_switches(request).await)?.switches;
        Ok(stored.iter().map(|switch| (switch.kind(), switch.on)).collect())
    }
}

#[tokio::test]
async fn every_kind_is_listed_and_only_community_posts_are_off() {
    let inbox = Fixture::new().await;
    let kinds = inbox.list_switches(1).await;
    let off: Vec<_> = kinds.iter().filter(|(_, on)| !on).map(|(kind, _)| *kind).collect();
    assert_eq!(off, [POSTED]);
    let without: Vec<_> = (1..100)
        .filter_map(|number| NotificationKind::try_from(number).ok())
        .filter(|kind| !kinds.iter().any(|(listed, _)| listed == kind))
        .collect();
    assert_eq!(
        without,
        [
            NotificationKind::ContentRemoved,
            NotificationKind::AppealDecided,
            NotificationKind::CommunityContentRemoved,
            NotificationKind::Verified,
            NotificationKind::VerificationEnded,
            NotificationKind::Security,
        ],
        "a member cannot miss these"
    );
    let turned = inbox.set_switches(1, &[(LIKED, false), (POSTED, true)]).await.unwrap();
    assert_eq!((turned[0], turned[6], turned[1]), ((LIKED, false), (POSTED, true), kinds[1]));
    assert_eq!(
        inbox.set_switches(1, &[(LIKED, true)]).await.unwrap()[6],
        (POSTED, true),
        "other kinds keep their value"
    );
    assert_eq!((inbox.list_switches(2).await, inbox.set_switches(2, &[]).await.unwrap()), (kinds.clone(), kinds));
}

#[tokio::test]
async fn a_kind_that_is_turned_off_creates_no_notifications() {
    let inbox = Fixture::new().await;
    inbox.publish_feed(&post_reacted(2, 1, 1)).await;
    inbox.set_switches(1, &[(LIKED, false)]).await.unwrap();
    inbox.publish_feed(&post_reacted(3, 1, 1)).await;
    inbox.publish_feed(&post_reacted(2, 2, 1)).await;
    assert_eq!(inbox.describe_notifications(1).await, ["PostLiked by 2 (1) !"], "earlier notifications stay");
    inbox.set_switches(1, &[(LIKED, true)]).await.unwrap();
    assert_eq!(inbox.describe_notifications(1).await.len(), 1, "only later facts notify");
    inbox.publish_feed(&post_reacted(4, 1, 1)).await;
    assert_eq!(inbox.describe_notifications(1).await, ["PostLiked by 4 2 (2) !"]);
    inbox.assert_notification_invariants().await;
}

#[tokio::test]
async fn an_invalid_or_repeated_kind_is_refused_and_changes_nothing() {
    let inbox = Fixture::new().await;
    let switch = |kind: i32| NotificationSwitch { kind, on: false };
    let set = async |switches: Vec<NotificationSwitch>| {
        let request = inbox.as_member(1, SetNotificationSwitchesRequest { switches });
        into_result(inbox.messaging.clone().set_notification_switches(request).await)
    };
    for bad in [vec![switch(1), switch(0)], vec![switch(1), switch(99)], vec![switch(-1)], vec![switch(1); 100_000]] {
        let refused = set(bad).await.unwrap_err();
        assert_eq!((refused.kind, refused.violations[0].field.as_str()), (ErrorKind::Invalid, "switches"));
    }
    assert_eq!(inbox.count_rows("notification_switches").await, 0);
    let actors = &inbox.harness.actors;
    let set = actors.service("gateway").request(SetNotificationSwitchesRequest::default()).unwrap();
    let list = actors.service("gateway").request(ListNotificationSwitchesRequest {}).unwrap();
    let set = into_result(inbox.messaging.clone().set_notification_switches(set).await).map(drop);
    let list = into_result(inbox.messaging.clone().list_notification_switches(list).await).map(drop);
    for refused in [set, list] {
        assert_eq!(refused.unwrap_err().kind, ErrorKind::Unauthenticated);
    }
}

#[tokio::test]
async fn a_kind_of_a_later_release_is_left_out() {
    let inbox = Fixture::new().await;
    inbox.publish_feed(&post_reacted(2, 1, 1)).await;
    inbox.set_switches(1, &[(LIKED, false)]).await.unwrap();
    for stored in [
        "insert into messaging.notifications (id, member_id, kind, subject_id, active_at, member_ids, member_count)
        select gen_random_uuid(), member_id, 'later_kind', subject_id, active_at, member_ids, member_count
        from messaging.notifications",
        "insert into messaging.notification_switches (member_id, kind, is_on)
        select member_id, 'later_kind', true
        from messaging.notification_switches",
    ] {
        inbox.harness.database().run(stored).await;
    }
    let listed: Vec<_> = inbox.list_notifications(1).await.iter().map(|shown| shown.kind()).collect();
    assert_eq!(listed, [LIKED]);
    assert!(inbox.list_switches(1).await.contains(&(LIKED, false)));
}
