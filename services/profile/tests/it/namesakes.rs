//! Members with equal names: which ones a viewer learns of.

use portia_proto::profile::{
    ConnectionName, ListNamesakesRequest, MatchConnectionNamesRequest, PrivacySettings, ProfileAudience,
    UpdatePrivacySettingsRequest,
};
use primitives::error::ErrorKind;
use prost_types::FieldMask;
use testkit::member;
use tonic::Status;

use crate::{Profile, details};

impl Profile {
    /// The numbers of the members with the name of `of`, in order; viewer 0 is a visitor.
    async fn namesakes(&self, viewer: u128, of: u128) -> Result<Vec<u128>, Status> {
        let call = if viewer == 0 { self.gateway() } else { self.by(viewer) };
        let request = call.request(ListNamesakesRequest { member_id: member(of).to_string() })?;
        let cards = self.client().list_namesakes(request).await?.into_inner().members;
        Ok(cards.iter().map(|card| (1..100).find(|n| member(*n).to_string() == card.id).unwrap()).collect())
    }

    async fn connection_names(&self, viewer: u128, of: &[u128]) -> Result<Vec<ConnectionName>, Status> {
        let member_ids = of.iter().map(|n| member(*n).to_string()).collect();
        let request = self.by(viewer).request(MatchConnectionNamesRequest { member_ids })?;
        Ok(self.client().match_connection_names(request).await?.into_inner().names)
    }

    async fn restrict(&self, n: u128, audience: ProfileAudience) {
        let settings = Some(PrivacySettings { profile_audience: audience.into(), ..Default::default() });
        let update_mask = Some(FieldMask { paths: vec!["profile_audience".into()] });
        let request = self.by(n).request(UpdatePrivacySettingsRequest { update_mask, settings }).unwrap();
        self.client().update_privacy_settings(request).await.unwrap();
    }
}

/// Members 1 to 5 have one name in several spellings, 9 has another.
async fn namesakes() -> Profile {
    let profile = Profile::start().await;
    for (n, name) in [
        (1, "María de la Cruz"),
        (2, "MARIA DE LA CRUZ"),
        (3, "Maria  de la Cruz."),
        (4, "maria de-la cruz"),
        (5, "Maria de la Cruz"),
    ] {
        profile.create_student(n, name, "").await;
    }
    profile.create_student(9, "Maria de la Cruz Santos", "").await;
    profile
}

#[tokio::test]
async fn equal_names_are_listed_without_case_accents_and_punctuation() {
    let profile = namesakes().await;
    assert_eq!(profile.namesakes(0, 3).await.unwrap(), [1, 2, 4, 5]);
    profile.verify_by_operator(4, None).await.unwrap();
    assert_eq!(profile.namesakes(9, 3).await.unwrap(), [4, 1, 2, 5], "verified first, then the oldest");
    assert!(profile.namesakes(9, 4).await.unwrap().is_empty(), "a verified member has no hint");
    assert!(profile.namesakes(1, 9).await.unwrap().is_empty(), "a longer name is another one");
}

#[tokio::test]
async fn profiles_that_the_viewer_may_not_see_are_not_revealed() {
    let profile = namesakes().await;
    profile.restrict(1, ProfileAudience::Members).await;
    profile.restrict(2, ProfileAudience::Connections).await;
    profile.connect(2, 9).await;
    profile.block(4, 9).await;
    assert_eq!(profile.namesakes(0, 3).await.unwrap(), [4, 5], "a visitor");
    assert_eq!(profile.namesakes(9, 3).await.unwrap(), [1, 2, 5], "a connection of one, blocked by another");
    assert_eq!(profile.namesakes(5, 3).await.unwrap(), [1, 4, 5], "a member");
    for (viewer, of) in [(0, 1), (9, 4), (4, 9), (9, 50)] {
        assert_eq!(details(profile.namesakes(viewer, of).await).reason, "MEMBER_NOT_FOUND", "{viewer} {of}");
    }
    let refused =
        profile.client().list_namesakes(profile.by(1).request(ListNamesakesRequest::default()).unwrap()).await;
    assert_eq!(details(refused).kind, ErrorKind::Invalid);
}

#[tokio::test]
async fn a_name_of_a_connection_is_matched() {
    let profile = namesakes().await;
    let named = |n: u128, connection: u128| ConnectionName {
        member_id: member(n).to_string(),
        connection_id: member(connection).to_string(),
    };
    assert!(profile.connection_names(9, &[3, 4]).await.unwrap().is_empty());
    profile.connect(1, 9).await;
    let mut found = profile.connection_names(9, &[3, 4, 9, 50]).await.unwrap();
    found.sort_by(|one, other| one.member_id.cmp(&other.member_id));
    assert_eq!(found, [named(3, 1), named(4, 1)]);
    assert!(profile.connection_names(9, &[1]).await.unwrap().is_empty(), "the connection itself");
    profile.disconnect(1, 9).await;
    assert!(profile.connection_names(9, &[3]).await.unwrap().is_empty());
    let visitor = profile.gateway().request(MatchConnectionNamesRequest::default()).unwrap();
    assert_eq!(details(profile.client().match_connection_names(visitor).await).kind, ErrorKind::Unauthenticated);
    assert_eq!(details(profile.connection_names(9, &[1; 101]).await).kind, ErrorKind::Invalid);
}

#[tokio::test]
async fn a_mark_outside_the_audience_of_the_profile_does_not_end_the_hint() {
    let profile = namesakes().await;
    profile.verify_by_operator(3, None).await.unwrap();
    profile.restrict(3, ProfileAudience::Connections).await;
    profile.connect(3, 9).await;
    assert_eq!(profile.namesakes(5, 3).await.unwrap(), [1, 2, 4, 5], "a stranger sees no mark");
    assert!(profile.namesakes(9, 3).await.unwrap().is_empty(), "a connection");
    assert!(profile.namesakes(3, 3).await.unwrap().is_empty(), "the member");
}
