//! Resources: approved ones, newest first.

use portia_proto::news::{ListResourcesRequest, Resource};
use primitives::error::ErrorKind;
use testkit::member;

use crate::fixtures::{Fixture, fields, resource_id};

#[tokio::test]
async fn suggestions_are_hidden_until_approval() {
    let fixture = Fixture::empty().await;
    fixture.insert_resource(1, Some(member(1)), false).await;
    fixture.insert_resource(2, Some(member(1)), true).await;
    fixture.insert_resource(3, None, true).await;
    let page = fixture.list_resources(ListResourcesRequest::default()).await.unwrap();
    let ids: Vec<_> = page.resources.iter().map(|resource| resource.id.clone()).collect();
    assert_eq!(ids, [resource_id(2).to_string(), resource_id(3).to_string()]);
}

#[tokio::test]
async fn all_fields_are_returned() {
    let fixture = Fixture::empty().await;
    fixture.insert_resource(1, None, true).await;
    let fill = "update news.resources
        set
            description = 'Cases.', url = 'https://x.example', canonical_url = 'https://x.example',
            type = 'case-brief', title = 'Briefs'";
    fixture.run(fill).await;
    let page = fixture.list_resources(ListResourcesRequest::default()).await.unwrap();
    let resource = Resource {
        id: resource_id(1).to_string(),
        title: "Briefs".to_owned(),
        description: Some("Cases.".to_owned()),
        url: Some("https://x.example".to_owned()),
        r#type: "case-brief".to_owned(),
    };
    assert_eq!(page.resources, std::slice::from_ref(&resource));
    assert_eq!(fixture.get_resource(&resource.id).await.unwrap(), resource);
}

#[tokio::test]
async fn a_pending_suggestion_and_a_missing_resource_are_not_found() {
    let fixture = Fixture::empty().await;
    fixture.insert_resource(1, Some(member(1)), false).await;
    for id in [resource_id(1), resource_id(2)] {
        let missing = fixture.get_resource(&id.to_string()).await.unwrap_err();
        assert_eq!((missing.kind, missing.reason.as_str()), (ErrorKind::NotFound, "RESOURCE_NOT_FOUND"));
    }
    for bad in ["", "1", "\0", "casebriefs", &"a".repeat(1 << 20)] {
        let refused = fixture.get_resource(bad).await.unwrap_err();
        assert_eq!((refused.kind, fields(&refused)), (ErrorKind::Invalid, vec!["resourceId"]), "{bad:.9?}");
    }
}

#[tokio::test]
async fn there_are_built_in_resources_of_each_type_with_canonical_addresses() {
    let fixture = Fixture::with(&[("news_feeds", "none")]).await;
    let all =
        fixture.list_resources(ListResourcesRequest { page_size: 100, ..Default::default() }).await.unwrap().resources;
    assert!(all.len() >= 14, "{}", all.len());
    let mut of_types = 0;
    for kind in ["article", "guide", "study-material", "case-brief"] {
        let request = ListResourcesRequest { page_size: 100, r#type: kind.to_owned(), ..Default::default() };
        let some = fixture.list_resources(request).await.unwrap().resources;
        assert!(some.len() >= 2 && some.iter().all(|resource| resource.r#type == kind), "{kind}: {}", some.len());
        of_types += some.len();
    }
    assert_eq!(of_types, all.len());
    let internal: Vec<_> = all.iter().filter(|resource| resource.url.is_none()).collect();
    assert_eq!(internal.len(), 2);
    assert!(internal.iter().all(|resource| resource.description.as_ref().is_some_and(|text| text.contains("\n\n"))));
    for resource in &all {
        assert_eq!(fixture.get_resource(&resource.id).await.unwrap(), *resource, "its id is one");
    }
    let known = fixture.column("select canonical_url || ' ' || url from news.resources where url is not null").await;
    for pair in known {
        let (canonical, url) = pair.split_once(' ').unwrap();
        assert_eq!(crawler::canonical::canonical(&url.parse().unwrap()), canonical);
    }
}

#[tokio::test]
async fn a_type_has_its_own_pages() {
    let fixture = Fixture::empty().await;
    for n in 1..=6 {
        fixture.insert_resource(n, None, true).await;
    }
    fixture
        .run("update news.resources set type = 'article' where title in ('Outline 2', 'Outline 4', 'Outline 5')")
        .await;
    let mut request = ListResourcesRequest { page_size: 2, r#type: "article".to_owned(), ..Default::default() };
    let first = fixture.list_resources(request.clone()).await.unwrap();
    request.page_token = first.next_page_token;
    let second = fixture.list_resources(request).await.unwrap();
    let seen: Vec<_> = first.resources.into_iter().chain(second.resources).map(|resource| resource.title).collect();
    assert_eq!((seen, second.next_page_token.as_str()), (vec_of(["Outline 2", "Outline 4", "Outline 5"]), ""));
}

fn vec_of<const N: usize>(texts: [&str; N]) -> Vec<String> {
    texts.map(str::to_owned).to_vec()
}

#[tokio::test]
async fn pages_cover_all_resources() {
    let fixture = Fixture::empty().await;
    for n in 1..=5 {
        fixture.insert_resource(n, None, true).await;
    }
    let mut seen = Vec::new();
    let mut request = ListResourcesRequest { page_size: 2, ..Default::default() };
    loop {
        let page = fixture.list_resources(request.clone()).await.unwrap();
        seen.extend(page.resources.into_iter().map(|resource| resource.id));
        if page.next_page_token.is_empty() {
            break;
        }
        request.page_token = page.next_page_token;
    }
    assert_eq!(seen, [1, 2, 3, 4, 5].map(|n| resource_id(n).to_string()));
}

#[tokio::test]
async fn invalid_page_parameters_name_the_field() {
    let fixture = Fixture::empty().await;
    let long = "a".repeat(1 << 20);
    for (page_size, page_token, kind, field) in [
        (-1, "", "", "pageSize"),
        (0, "bm90IGpzb24", "", "pageToken"),
        (0, &long, "", "pageToken"),
        (0, "", "Article", "type"),
        (0, "", "book", "type"),
        (0, "", "guide\0", "type"),
        (0, "", &long, "type"),
    ] {
        let (page_token, r#type) = (page_token.to_owned(), kind.to_owned());
        let request = ListResourcesRequest { page_size, page_token, r#type };
        let refused = fixture.list_resources(request).await.unwrap_err();
        assert_eq!((refused.kind, fields(&refused)), (ErrorKind::Invalid, vec![field]));
    }
}

#[tokio::test]
async fn a_batch_returns_approved_resources_only() {
    let fixture = Fixture::empty().await;
    for (n, approved) in [(1, true), (2, false), (3, true)] {
        fixture.insert_resource(n, Some(member(1)), approved).await;
    }
    let ids: Vec<String> = [3, 2, 9, 1, 3].map(|n| resource_id(n).to_string()).to_vec();
    let mut some = fixture.batch_get_resources(&ids).await.unwrap();
    some.sort_by(|one, other| one.id.cmp(&other.id));
    assert_eq!(some, [fixture.get_resource(&ids[3]).await.unwrap(), fixture.get_resource(&ids[0]).await.unwrap()]);
    for bad in [vec!["builtin-barbri".to_owned()], vec![ids[0].clone(), "\0".to_owned()], vec![ids[0].clone(); 101]] {
        let refused = fixture.batch_get_resources(&bad).await.unwrap_err();
        assert_eq!((refused.kind, fields(&refused)), (ErrorKind::Invalid, vec!["resourceIds"]));
    }
}
