//! Privacy settings: who sees a profile, its card and its endorsements, and who finds it.

use outbox::proto::{SnapshotRequest, outbox_client::OutboxClient};
use portia_proto::{
    auth::AccountErased,
    profile::{
        BatchGetMembersRequest, GetMemberRequest, GetPrivacySettingsRequest, ListEndorsementsRequest, Member,
        MemberCard, MessageAudience, PrivacyChanged, PrivacySettings, ProfileAudience, SearchMembersRequest,
        UpdatePrivacySettingsRequest,
    },
};
use primitives::error::{ErrorKind, StatusDetails};
use prost::{Message as _, Name as _};
use prost_types::FieldMask;
use rpc::Call;
use testkit::member;

use crate::{Profile, details};

/// Every kind of viewer of member 1: a visitor, the member, a connection, and a member without a connection.
const VISITOR: u128 = 0;
const SELF: u128 = 1;
const CONNECTION: u128 = 2;
const STRANGER: u128 = 3;
const VIEWERS: [u128; 4] = [VISITOR, STRANGER, CONNECTION, SELF];

impl Profile {
    /// Members 1 to 3 with a skill; 1 and 2 are connected.
    async fn with_viewers() -> Self {
        let profile = Self::with_members(2).await;
        profile.ensure(crate::registration(STRANGER)).await.unwrap();
        profile.with_skills(SELF, &["Research"]).await;
        profile
    }

    fn viewer(&self, n: u128) -> Call {
        if n == VISITOR { self.gateway() } else { self.by(n) }
    }

    pub(crate) async fn set_privacy(
        &self,
        n: u128,
        paths: &[&str],
        settings: PrivacySettings,
    ) -> Result<PrivacySettings, StatusDetails> {
        let paths = paths.iter().map(|path| (*path).to_owned()).collect();
        let request = UpdatePrivacySettingsRequest { update_mask: Some(FieldMask { paths }), settings: Some(settings) };
        match self.client().update_privacy_settings(self.viewer(n).request(request).unwrap()).await {
            Ok(answer) => Ok(answer.into_inner().settings.unwrap()),
            Err(status) => Err(StatusDetails::from(&status)),
        }
    }

    pub async fn set_audience(&self, n: u128, audience: ProfileAudience) {
        let settings = PrivacySettings { profile_audience: audience.into(), ..Default::default() };
        self.set_privacy(n, &["profile_audience"], settings).await.unwrap();
    }

    async fn seen_by(&self, viewer: u128) -> Option<Member> {
        let request = GetMemberRequest { member_id: member(SELF).to_string(), ..Default::default() };
        let answer = self.client().get_member(self.viewer(viewer).request(request).unwrap()).await;
        match answer {
            Ok(answer) => answer.into_inner().member,
            Err(status) => {
                assert_eq!(StatusDetails::from(&status).reason, "MEMBER_NOT_FOUND");
                None
            }
        }
    }

    async fn card_seen_by(&self, viewer: u128) -> MemberCard {
        let request = BatchGetMembersRequest { member_ids: vec![member(SELF).to_string()], ..Default::default() };
        let request = self.viewer(viewer).request(request).unwrap();
        self.client().batch_get_members(request).await.unwrap().into_inner().members.remove(0)
    }

    async fn is_found_by(&self, viewer: u128) -> bool {
        let request = SearchMembersRequest { query: "member 1".into(), ..Default::default() };
        let request = self.viewer(viewer).request(request).unwrap();
        let found = self.client().search_members(request).await.unwrap().into_inner().members;
        found.iter().any(|found| found.card.as_ref().unwrap().id == member(SELF).to_string())
    }

    async fn endorsements_are_listed_for(&self, viewer: u128) -> bool {
        let request = ListEndorsementsRequest {
            member_id: member(SELF).to_string(),
            skill: "Research".into(),
            ..Default::default()
        };
        let listed = self.client().list_endorsements(self.viewer(viewer).request(request).unwrap()).await;
        listed.map_err(|status| assert_eq!(StatusDetails::from(&status).reason, "SKILL_NOT_FOUND")).is_ok()
    }
}

#[tokio::test]
async fn the_defaults_show_everything_to_everyone() {
    let profile = Profile::with_viewers().await;
    let request = profile.by(SELF).request(GetPrivacySettingsRequest {}).unwrap();
    let settings = profile.client().get_privacy_settings(request).await.unwrap().into_inner().settings.unwrap();
    let defaults = PrivacySettings {
        profile_audience: ProfileAudience::Public.into(),
        message_audience: MessageAudience::Everyone.into(),
        search_engines: true,
        activity_shown: true,
        read_receipts: true,
    };
    assert_eq!(settings, defaults);
    for viewer in VIEWERS {
        let seen = profile.seen_by(viewer).await.unwrap();
        assert!(!seen.restricted && seen.indexable && seen.headline.is_some(), "viewer {viewer}");
        assert!(!profile.card_seen_by(viewer).await.varies_by_actor);
    }
}

#[tokio::test]
async fn each_audience_sees_the_profile_and_others_the_name_or_nothing() {
    let profile = Profile::with_viewers().await;
    for (audience, sees_all) in [
        (ProfileAudience::Members, [false, true, true, true]),
        (ProfileAudience::Connections, [false, false, true, true]),
        (ProfileAudience::Public, [true, true, true, true]),
    ] {
        profile.set_audience(SELF, audience).await;
        for (viewer, sees_all) in VIEWERS.into_iter().zip(sees_all) {
            let at = format!("{audience:?} as {viewer}");
            let seen = profile.seen_by(viewer).await;
            assert_eq!(seen.is_some(), sees_all || viewer != VISITOR, "{at}");
            if let Some(seen) = seen {
                assert_eq!((seen.restricted, seen.headline.is_some()), (!sees_all, sees_all), "{at}");
                assert_eq!(seen.full_name, "Member 1");
                assert_eq!((seen.skills.len(), seen.username.is_empty()), (usize::from(sees_all), !sees_all), "{at}");
                assert_eq!(seen.location.is_some() || seen.graduation_year.is_some(), sees_all, "{at}");
            }
            let card = profile.card_seen_by(viewer).await;
            assert_eq!((card.full_name.as_str(), card.headline.is_some()), ("Member 1", sees_all), "{at}");
            assert_eq!(card.varies_by_actor, audience != ProfileAudience::Public, "{at}");
            assert_eq!(profile.is_found_by(viewer).await, sees_all, "{at}");
            assert_eq!(profile.endorsements_are_listed_for(viewer).await, sees_all, "{at}");
        }
    }
}

#[tokio::test]
async fn a_connection_that_ends_no_longer_sees_the_profile() {
    let profile = Profile::with_viewers().await;
    profile.set_audience(SELF, ProfileAudience::Connections).await;
    assert!(!profile.seen_by(CONNECTION).await.unwrap().restricted);
    profile.disconnect(SELF, CONNECTION).await;
    assert!(profile.seen_by(CONNECTION).await.unwrap().restricted);
}

#[tokio::test]
async fn only_a_public_profile_with_the_setting_may_be_indexed() {
    let profile = Profile::with_viewers().await;
    let off = PrivacySettings { search_engines: false, ..Default::default() };
    let on = PrivacySettings { search_engines: true, ..Default::default() };
    profile.set_privacy(SELF, &["search_engines"], off).await.unwrap();
    assert!(!profile.seen_by(VISITOR).await.unwrap().indexable);
    profile.set_privacy(SELF, &["search_engines"], on).await.unwrap();
    profile.set_audience(SELF, ProfileAudience::Members).await;
    assert!(!profile.seen_by(STRANGER).await.unwrap().indexable);
}

#[tokio::test]
async fn a_change_publishes_the_settings_and_drops_cached_cards() {
    let profile = Profile::with_viewers().await;
    let before = profile.all_facts().await;
    let settings = PrivacySettings { message_audience: MessageAudience::RepliesOnly.into(), ..Default::default() };
    let after = profile.set_privacy(SELF, &["message_audience", "read_receipts"], settings).await.unwrap();
    assert_eq!(
        (after.message_audience(), after.read_receipts, after.activity_shown),
        (MessageAudience::RepliesOnly, false, true)
    );
    assert_eq!(profile.all_facts().await, before + 2, "PrivacyChanged and MemberChanged");
    let payload = sqlx::query_scalar("select payload from profile.outbox where kind = $1 order by id desc limit 1");
    let payload: Vec<u8> = payload.bind(PrivacyChanged::full_name()).fetch_one(profile.harness.pool()).await.unwrap();
    let fact = PrivacyChanged::decode(payload.as_slice()).unwrap();
    assert_eq!((fact.member_id, fact.settings), (member(SELF).to_string(), Some(after)));
}

#[tokio::test]
async fn a_snapshot_contains_the_settings_that_differ_from_the_defaults() {
    let profile = Profile::with_viewers().await;
    profile.set_audience(CONNECTION, ProfileAudience::Connections).await;
    profile.set_audience(STRANGER, ProfileAudience::Public).await;
    let call = profile.harness.actors.service_stream("messaging");
    let request = call
        .request(SnapshotRequest { kinds: vec![PrivacyChanged::full_name()], ..SnapshotRequest::default() })
        .unwrap();
    let mut stream = OutboxClient::new(profile.harness.transport()).snapshot(request).await.unwrap().into_inner();
    let mut keys = Vec::new();
    while let Some(row) = stream.message().await.unwrap() {
        keys.extend(row.fact.map(|fact| fact.key));
    }
    assert_eq!(keys, [member(CONNECTION).to_string()]);
}

#[tokio::test]
async fn an_erasure_publishes_the_end_of_the_settings() {
    let profile = Profile::with_viewers().await;
    profile.set_audience(SELF, ProfileAudience::Connections).await;
    profile.publish_auth(SELF, &AccountErased { member_id: member(SELF).to_string() }).await;
    let payload = sqlx::query_scalar("select payload from profile.outbox where kind = $1 order by id desc limit 1");
    let payload: Vec<u8> = payload.bind(PrivacyChanged::full_name()).fetch_one(profile.harness.pool()).await.unwrap();
    assert_eq!(PrivacyChanged::decode(payload.as_slice()).unwrap().settings, None);
}

#[tokio::test]
async fn invalid_settings_and_visitors_are_refused() {
    let profile = Profile::with_viewers().await;
    for (path, field) in [
        ("profile_audience", "profileAudience"),
        ("message_audience", "messageAudience"),
        ("hidden", "updateMask"),
        ("\0", "updateMask"),
    ] {
        let refused = profile.set_privacy(SELF, &[path], PrivacySettings::default()).await.unwrap_err();
        assert_eq!((refused.kind, refused.violations[0].field.as_str()), (ErrorKind::Invalid, field));
    }
    let read_receipts = ["read_receipts"];
    let settings = PrivacySettings::default();
    let refused = profile.set_privacy(VISITOR, &read_receipts, settings).await.unwrap_err();
    assert_eq!(refused.kind, ErrorKind::Unauthenticated);
    assert_eq!(profile.set_privacy(9, &read_receipts, settings).await.unwrap_err().reason, "MEMBER_NOT_FOUND");
    let visitor = profile.gateway().request(GetPrivacySettingsRequest {}).unwrap();
    assert_eq!(details(profile.client().get_privacy_settings(visitor).await).kind, ErrorKind::Unauthenticated);
}
