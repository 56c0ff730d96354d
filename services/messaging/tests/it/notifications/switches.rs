//! Which kinds a member wants to hear of.

use portia_proto::messaging::{
    ListNotificationSwitchesRequest, NotificationKind, NotificationSwitch, SetNotificationSwitchesRequest,
};
use primitives::error::{ErrorKind, StatusDetails};

use super::reacted;
use crate::inbox::{Inbox, told};

pub const LIKED: NotificationKind = NotificationKind::PostLiked;
pub const POSTED: NotificationKind = NotificationKind::CommunityPosted;
pub const REPOST: NotificationKind = NotificationKind::PostReposted;

impl Inbox {
    async fn switches(&self, who: u128) -> Vec<(NotificationKind, bool)> {
        let request = self.by(who, ListNotificationSwitchesRequest {});
        let kept = told(self.messaging.clone().list_notification_switches(request).await).unwrap().switches;
        kept.iter().map(|switch| (switch.kind(), switch.on)).collect()
    }

    pub async fn turns(
        &self,
        who: u128,
        switches: &[(NotificationKind, bool)],
    ) -> Result<Vec<(NotificationKind, bool)>, StatusDetails> {
        let switches = switches.iter().map(|(kind, on)| NotificationSwitch { kind: (*kind).into(), on: *on }).collect();
        let request = self.by(who, SetNotificationSwitchesRequest { switches });
        let kept = told(self.messaging.clone().set_notification_switches(request).await)?.switches;
        Ok(kept.iter().map(|switch| (switch.kind(), switch.on)).collect())
    }
}

#[tokio::test]
async fn every_kind_is_listed_and_only_posts_in_communities_are_off() {
    let inbox = Inbox::open().await;
    let kinds = inbox.switches(1).await;
    let expected: Vec<_> = (1..=12).map(|n| NotificationKind::try_from(n).unwrap()).map(|k| (k, k != POSTED)).collect();
    assert_eq!(kinds, expected);
    let turned = inbox.turns(1, &[(LIKED, false), (POSTED, true)]).await.unwrap();
    assert_eq!((turned[0], turned[6], turned[1]), ((LIKED, false), (POSTED, true), kinds[1]));
    assert_eq!(inbox.turns(1, &[(LIKED, true)]).await.unwrap()[6], (POSTED, true), "those not named stay");
    assert_eq!((inbox.switches(2).await, inbox.turns(2, &[]).await.unwrap()), (kinds.clone(), kinds));
}

#[tokio::test]
async fn of_what_is_turned_off_nothing_more_is_told() {
    let inbox = Inbox::open().await;
    inbox.feed_tells(&reacted(2, 1, 1)).await;
    inbox.turns(1, &[(LIKED, false)]).await.unwrap();
    inbox.feed_tells(&reacted(3, 1, 1)).await;
    inbox.feed_tells(&reacted(2, 2, 1)).await;
    assert_eq!(inbox.lines(1).await, ["PostLiked by 2 (1) !"], "what was told stays");
    inbox.turns(1, &[(LIKED, true)]).await.unwrap();
    assert_eq!(inbox.lines(1).await.len(), 1, "from now on, not from then");
    inbox.feed_tells(&reacted(4, 1, 1)).await;
    assert_eq!(inbox.lines(1).await, ["PostLiked by 4 2 (2) !"]);
    inbox.assert_bells().await;
}

#[tokio::test]
async fn what_is_no_kind_or_is_named_twice_is_refused_and_turns_nothing() {
    let inbox = Inbox::open().await;
    let switch = |kind: i32| NotificationSwitch { kind, on: false };
    let ask = async |switches: Vec<NotificationSwitch>| {
        let request = inbox.by(1, SetNotificationSwitchesRequest { switches });
        told(inbox.messaging.clone().set_notification_switches(request).await)
    };
    for bad in [vec![switch(1), switch(0)], vec![switch(1), switch(13)], vec![switch(-1)], vec![switch(1); 100_000]] {
        let refused = ask(bad).await.unwrap_err();
        assert_eq!((refused.kind, refused.violations[0].field.as_str()), (ErrorKind::Invalid, "switches"));
    }
    assert_eq!(inbox.count("notification_switches").await, 0);
    let actors = &inbox.harness.actors;
    let set = actors.service("gateway").request(SetNotificationSwitchesRequest::default()).unwrap();
    let list = actors.service("gateway").request(ListNotificationSwitchesRequest {}).unwrap();
    let set = told(inbox.messaging.clone().set_notification_switches(set).await).map(drop);
    let list = told(inbox.messaging.clone().list_notification_switches(list).await).map(drop);
    for refused in [set, list] {
        assert_eq!(refused.unwrap_err().kind, ErrorKind::Unauthenticated);
    }
}
