//! Suggestions: what members propose, and what an operator makes of it.

use news::{
    admin::{self, Waiting},
    error::Error,
};
use portia_proto::news::{ListResourcesRequest, SuggestResourceRequest};
use primitives::error::ErrorKind;
use testkit::member;
use tokio::task::JoinSet;
use uuid::Uuid;

use crate::newsroom::{Newsroom, fields, resource_id, unwieldy};

/// A guide at this address.
pub fn suggestion(url: &str) -> SuggestResourceRequest {
    SuggestResourceRequest {
        title: "Torts in two hours".to_owned(),
        description: "Short.\n\nAnd to the point.".to_owned(),
        url: url.to_owned(),
        r#type: "guide".to_owned(),
    }
}

async fn waiting(newsroom: &Newsroom) -> Vec<Waiting> {
    admin::resources_waiting(&mut newsroom.harness.pool().acquire().await.unwrap()).await.unwrap()
}

async fn shown(newsroom: &Newsroom) -> Vec<String> {
    let page = newsroom.resources(ListResourcesRequest::default()).await.unwrap();
    page.resources.into_iter().map(|resource| resource.id).collect()
}

#[tokio::test]
async fn a_suggestion_is_shown_once_an_operator_approved_it() {
    let newsroom = Newsroom::open().await;
    let resource =
        newsroom.suggest(member(1), &suggestion("http://www.torts.example/Guide/?utm_source=x")).await.unwrap();
    assert_eq!(resource.url.as_deref(), Some("http://www.torts.example/Guide/?utm_source=x"), "as it was given");
    assert_eq!((resource.title.as_str(), resource.r#type.as_str()), ("Torts in two hours", "guide"));
    assert_eq!(resource.description.as_deref(), Some("Short.\n\nAnd to the point."));
    assert_eq!(shown(&newsroom).await, Vec::<String>::new());

    let mut db = newsroom.harness.pool().acquire().await.unwrap();
    let waits = waiting(&newsroom).await;
    let told: Vec<_> = waits.iter().map(|waits| (waits.id.to_string(), waits.suggested_by)).collect();
    assert_eq!(told, [(resource.id.clone(), Some(member(1)))]);
    let title = admin::approve(&mut db, waits[0].id, newsroom.now()).await.unwrap();
    assert_eq!(title, "Torts in two hours");
    assert_eq!(shown(&newsroom).await, [resource.id]);
    assert_eq!(waiting(&newsroom).await, []);
    for again in [waits[0].id, resource_id(9), Uuid::nil()] {
        let gone = admin::approve(&mut db, again, newsroom.now()).await.unwrap_err();
        assert!(matches!(gone, Error::ResourceNotFound));
        assert!(matches!(admin::reject(&mut db, again).await.unwrap_err(), Error::ResourceNotFound));
    }
}

#[tokio::test]
async fn a_rejected_one_is_gone_and_may_be_suggested_again() {
    let newsroom = Newsroom::open().await;
    newsroom.suggest(member(1), &suggestion("https://torts.example/")).await.unwrap();
    let mut db = newsroom.harness.pool().acquire().await.unwrap();
    assert_eq!(admin::reject(&mut db, waiting(&newsroom).await[0].id).await.unwrap(), "Torts in two hours");
    assert_eq!(shown(&newsroom).await, Vec::<String>::new());
    newsroom.suggest(member(1), &suggestion("https://torts.example/")).await.unwrap();
    assert_eq!(waiting(&newsroom).await.len(), 1);
}

#[tokio::test]
async fn an_address_is_known_however_it_is_written_whether_it_waits_or_is_shown() {
    let newsroom = Newsroom::with(&[("news_feeds", "none")]).await;
    newsroom.suggest(member(1), &suggestion("https://torts.example/guide")).await.unwrap();
    for known in [
        "https://torts.example/guide",
        "http://www.torts.example/guide/",
        "HTTPS://TORTS.example/guide?utm_medium=mail#top",
        "https://www.oyez.org/cases",
        "http://oyez.org/cases/",
    ] {
        let refused = newsroom.suggest(member(2), &suggestion(known)).await.unwrap_err();
        assert_eq!((refused.kind, refused.reason.as_str()), (ErrorKind::Conflict, "RESOURCE_KNOWN"), "{known}");
        assert_eq!(refused.message, "This resource is already known");
    }
    assert!(newsroom.suggest(member(2), &suggestion("https://torts.example/Guide")).await.is_ok(), "paths have a case");
    newsroom.suggest(member(2), &suggestion(&unwieldy())).await.unwrap();
    let again = newsroom.suggest(member(1), &suggestion(&unwieldy())).await.unwrap_err();
    assert_eq!(again.reason, "RESOURCE_KNOWN", "nor does its length make it another");
    let waits = newsroom.column("select waiting::text from news.suggesters order by member_id").await;
    assert_eq!(waits, ["1", "2"], "what is refused does not count");
}

#[tokio::test]
async fn ten_wait_at_most_however_many_are_sent_at_once() {
    let newsroom = Newsroom::open().await;
    let mut senders = JoinSet::new();
    for n in 0..30 {
        let (mut news, actors) = (newsroom.news.clone(), newsroom.harness.actors.clone());
        senders.spawn(async move {
            let request = actors.member(member(1)).request(suggestion(&format!("https://torts.example/{n}"))).unwrap();
            news.suggest_resource(request).await.is_ok()
        });
    }
    let kept = senders.join_all().await.into_iter().filter(|kept| *kept).count();
    assert_eq!((kept, waiting(&newsroom).await.len()), (10, 10));
    let refused = newsroom.suggest(member(1), &suggestion("https://torts.example/more")).await.unwrap_err();
    assert_eq!((refused.kind, refused.reason.as_str()), (ErrorKind::Limited, "TOO_MANY_SUGGESTIONS"));
    assert_eq!(refused.message, "Ten of your suggestions are waiting already");
    assert!(newsroom.suggest(member(2), &suggestion("https://torts.example/more")).await.is_ok(), "another's ten");

    let mut db = newsroom.harness.pool().acquire().await.unwrap();
    let mine: Vec<_> = waiting(&newsroom).await.into_iter().filter(|w| w.suggested_by == Some(member(1))).collect();
    admin::approve(&mut db, mine[0].id, newsroom.now()).await.unwrap();
    admin::reject(&mut db, mine[1].id).await.unwrap();
    for n in ["a", "b"] {
        newsroom.suggest(member(1), &suggestion(&format!("https://torts.example/{n}"))).await.unwrap();
    }
    let refused = newsroom.suggest(member(1), &suggestion("https://torts.example/c")).await.unwrap_err();
    assert_eq!(refused.reason, "TOO_MANY_SUGGESTIONS");
}

#[tokio::test]
async fn only_members_suggest() {
    let newsroom = Newsroom::open().await;
    let request = newsroom.visitor().request(suggestion("https://torts.example/")).unwrap();
    let refused = newsroom.news.clone().suggest_resource(request).await.unwrap_err();
    assert_eq!(refused.code(), tonic::Code::Unauthenticated);
    assert_eq!(waiting(&newsroom).await, []);
}

#[tokio::test]
async fn what_cannot_be_shown_or_opened_is_refused_by_name() {
    let newsroom = Newsroom::open().await;
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
        let refused = newsroom.suggest(member(1), &request).await.unwrap_err();
        assert_eq!((refused.kind, fields(&refused)), (ErrorKind::Invalid, vec![field]), "{request:.200?}");
    }
    let all = newsroom.suggest(member(1), &SuggestResourceRequest::default()).await.unwrap_err();
    assert_eq!(fields(&all), ["title", "url", "type"], "all at once");
    let plain = with(&|one| one.description = " \n ".to_owned());
    assert_eq!(newsroom.suggest(member(1), &plain).await.unwrap().description, None, "blank is none");
}
