//! Suggestions of members, and their approval by an operator.

use news::{
    admin::{self, PendingResource},
    error::Error,
};
use portia_proto::news::{ListResourcesRequest, SuggestResourceRequest};
use primitives::error::ErrorKind;
use testkit::member;
use tokio::task::JoinSet;
use uuid::Uuid;

use crate::fixtures::{Fixture, fields, longest_address, resource_id};

/// A guide at this address.
pub fn suggestion(url: &str) -> SuggestResourceRequest {
    SuggestResourceRequest {
        title: "Torts in two hours".to_owned(),
        description: "Short.\n\nAnd to the point.".to_owned(),
        url: url.to_owned(),
        r#type: "guide".to_owned(),
    }
}

async fn list_pending(fixture: &Fixture) -> Vec<PendingResource> {
    admin::list_pending_resources(&mut fixture.harness.pool().acquire().await.unwrap()).await.unwrap()
}

async fn list_approved(fixture: &Fixture) -> Vec<String> {
    let page = fixture.list_resources(ListResourcesRequest::default()).await.unwrap();
    page.resources.into_iter().map(|resource| resource.id).collect()
}

#[tokio::test]
async fn a_suggestion_is_listed_after_approval() {
    let fixture = Fixture::empty().await;
    let resource =
        fixture.suggest(member(1), &suggestion("http://www.torts.example/Guide/?utm_source=x")).await.unwrap();
    assert_eq!(resource.url.as_deref(), Some("http://www.torts.example/Guide/?utm_source=x"), "as it was given");
    assert_eq!((resource.title.as_str(), resource.r#type.as_str()), ("Torts in two hours", "guide"));
    assert_eq!(resource.description.as_deref(), Some("Short.\n\nAnd to the point."));
    assert_eq!(list_approved(&fixture).await, Vec::<String>::new());

    let mut db = fixture.harness.pool().acquire().await.unwrap();
    let pending = list_pending(&fixture).await;
    let ids: Vec<_> = pending.iter().map(|pending| (pending.id.to_string(), pending.suggested_by)).collect();
    assert_eq!(ids, [(resource.id.clone(), Some(member(1)))]);
    let title = admin::approve_resource(&mut db, pending[0].id, fixture.now()).await.unwrap();
    assert_eq!(title, "Torts in two hours");
    assert_eq!(list_approved(&fixture).await, [resource.id]);
    assert_eq!(list_pending(&fixture).await, []);
    for again in [pending[0].id, resource_id(9), Uuid::nil()] {
        let gone = admin::approve_resource(&mut db, again, fixture.now()).await.unwrap_err();
        assert!(matches!(gone, Error::ResourceNotFound));
        assert!(matches!(admin::reject_resource(&mut db, again).await.unwrap_err(), Error::ResourceNotFound));
    }
}

#[tokio::test]
async fn a_rejected_suggestion_is_deleted_and_may_be_repeated() {
    let fixture = Fixture::empty().await;
    fixture.suggest(member(1), &suggestion("https://torts.example/")).await.unwrap();
    let mut db = fixture.harness.pool().acquire().await.unwrap();
    assert_eq!(
        admin::reject_resource(&mut db, list_pending(&fixture).await[0].id).await.unwrap(),
        "Torts in two hours"
    );
    assert_eq!(list_approved(&fixture).await, Vec::<String>::new());
    fixture.suggest(member(1), &suggestion("https://torts.example/")).await.unwrap();
    assert_eq!(list_pending(&fixture).await.len(), 1);
}

#[tokio::test]
async fn an_address_is_recognised_in_every_form_pending_or_listed() {
    let fixture = Fixture::with(&[("news_feeds", "none")]).await;
    fixture.suggest(member(1), &suggestion("https://torts.example/guide")).await.unwrap();
    for known in [
        "https://torts.example/guide",
        "http://www.torts.example/guide/",
        "HTTPS://TORTS.example/guide?utm_medium=mail#top",
        "https://www.oyez.org/cases",
        "http://oyez.org/cases/",
    ] {
        let refused = fixture.suggest(member(2), &suggestion(known)).await.unwrap_err();
        assert_eq!((refused.kind, refused.reason.as_str()), (ErrorKind::Conflict, "RESOURCE_KNOWN"), "{known}");
        assert_eq!(refused.message, "This resource is already known");
    }
    assert!(fixture.suggest(member(2), &suggestion("https://torts.example/Guide")).await.is_ok(), "paths have a case");
    fixture.suggest(member(2), &suggestion(&longest_address())).await.unwrap();
    let again = fixture.suggest(member(1), &suggestion(&longest_address())).await.unwrap_err();
    assert_eq!(again.reason, "RESOURCE_KNOWN", "nor does its length make it another");
    let waits = fixture.column("select waiting::text from news.suggesters order by member_id").await;
    assert_eq!(waits, ["1", "2"], "what is refused does not count");
}

#[tokio::test]
async fn a_member_has_at_most_ten_pending_suggestions() {
    let fixture = Fixture::empty().await;
    let mut senders = JoinSet::new();
    for n in 0..30 {
        let (mut news, actors) = (fixture.news.clone(), fixture.harness.actors.clone());
        senders.spawn(async move {
            let request = actors.member(member(1)).request(suggestion(&format!("https://torts.example/{n}"))).unwrap();
            news.suggest_resource(request).await.is_ok()
        });
    }
    let kept = senders.join_all().await.into_iter().filter(|kept| *kept).count();
    assert_eq!((kept, list_pending(&fixture).await.len()), (10, 10));
    let refused = fixture.suggest(member(1), &suggestion("https://torts.example/more")).await.unwrap_err();
    assert_eq!((refused.kind, refused.reason.as_str()), (ErrorKind::Conflict, "TOO_MANY_SUGGESTIONS"));
    assert_eq!(refused.message, "Ten of your suggestions are waiting already");
    assert!(fixture.suggest(member(2), &suggestion("https://torts.example/more")).await.is_ok(), "another's ten");

    let mut db = fixture.harness.pool().acquire().await.unwrap();
    let mine: Vec<_> = list_pending(&fixture).await.into_iter().filter(|w| w.suggested_by == Some(member(1))).collect();
    admin::approve_resource(&mut db, mine[0].id, fixture.now()).await.unwrap();
    admin::reject_resource(&mut db, mine[1].id).await.unwrap();
    for n in ["a", "b"] {
        fixture.suggest(member(1), &suggestion(&format!("https://torts.example/{n}"))).await.unwrap();
    }
    let refused = fixture.suggest(member(1), &suggestion("https://torts.example/c")).await.unwrap_err();
    assert_eq!(refused.reason, "TOO_MANY_SUGGESTIONS");
}

#[tokio::test]
async fn a_visitor_cannot_suggest() {
    let fixture = Fixture::empty().await;
    let request = fixture.visitor().request(suggestion("https://torts.example/")).unwrap();
    let refused = fixture.news.clone().suggest_resource(request).await.unwrap_err();
    assert_eq!(refused.code(), tonic::Code::Unauthenticated);
    assert_eq!(list_pending(&fixture).await, []);
}

#[tokio::test]
async fn invalid_suggestions_name_the_field() {
    let fixture = Fixture::empty().await;
    let long = "a".repeat(1 << 20);
    let with = |change: &dyn Fn(&mut SuggestResourceRequest)| {
        let mut one = suggestion("https://torts.example/");
        change(&mut one);
        one
    };
    let mut bad = Vec::new();
    for title in ["", "  ", "\u{200b}", "\0a", "a\0", "a\nb", "\u{202e}a", &"a".repeat(201), &long] {
        bad.push(("title", with(&|one| one.title = title.to_owned())));
    }
    for description in ["\0a", "a\0b", "a\u{202e}", &"a".repeat(2_001), &long] {
        bad.push(("description", with(&|one| one.description = description.to_owned())));
    }
    for url in [
        "",
        "torts.example",
        "javascript:alert(1)",
        "data:text/html,x",
        "ftp://torts.example/",
        "https://user:pw@torts.example/",
        "https://torts.example:99999/",
        "https://[::1/",
        "https://\0torts.example/",
        "//torts.example/",
        &format!("https://torts.example/{}", "a".repeat(2_048)),
        &long,
    ] {
        bad.push(("url", with(&|one| one.url = url.to_owned())));
    }
    for kind in ["", "Guide", "book", "guide\0", &long] {
        bad.push(("type", with(&|one| one.r#type = kind.to_owned())));
    }
    for (field, request) in bad {
        let refused = fixture.suggest(member(1), &request).await.unwrap_err();
        assert_eq!((refused.kind, fields(&refused)), (ErrorKind::Invalid, vec![field]), "{request:.200?}");
    }
    let all = fixture.suggest(member(1), &SuggestResourceRequest::default()).await.unwrap_err();
    assert_eq!(fields(&all), ["title", "url", "type"], "all at once");
    let plain = with(&|one| one.description = " \n ".to_owned());
    assert_eq!(fixture.suggest(member(1), &plain).await.unwrap().description, None, "blank is none");
}
