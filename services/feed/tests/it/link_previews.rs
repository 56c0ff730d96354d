//! Previews of links: what a post shows, who shares a preview, hostile pages, and the deletion of unused ones.

use std::{io::Write as _, time::Duration};

use chassis::config::Source;
use flate2::{Compression, write::GzEncoder};
use image::ImageFormat;
use picture_store::{Name, Pictures};
use portia_proto::feed::{
    CreatePostRequest, DeletePostRequest, GetLinkPreviewRequest, GetLinkPreviewResponse, LinkPreview, LinkPreviewState,
    ListPostsRequest, Post, PostSort, UpdatePostRequest,
};
use primitives::error::ErrorKind;
use tempfile::TempDir;
use tokio::net::TcpListener;
use uuid::Uuid;

use crate::{
    fixtures::{Fixture, community, member},
    page_server::PageServer,
    pictures::photo,
};

/// The service, a site, and the folder of pictures.
pub struct Site {
    pub fixture: Fixture,
    pub server: PageServer,
    pub store: Pictures,
    pub folder: TempDir,
}

const PAGE: &str = "<head><title>Plain</title><meta property=og:title content='The &quot;case&quot;'>
    <meta name=description content='About it'><meta property=og:site_name content=Lawphil>
    <meta property=og:image content=/court.png></head>";

impl Site {
    pub async fn start() -> Self {
        let server = PageServer::start().await;
        server.put_page("/case", PAGE);
        server.put("/court.png", "200 OK", "content-type: image/png", photo(1, 1280, 640, ImageFormat::Png));
        let folder = tempfile::tempdir().unwrap();
        let url = folder.path().to_str().unwrap().to_owned();
        let fixture = Fixture::with_upstreams(|builder| {
            let builder = builder.with("crawl", "on").with("link_preview_admit", server.address());
            builder.with("pictures_url", url.as_str()).with("public_origin", "https://portia.example")
        })
        .await;
        let store = Pictures::open(&Source::default().with("pictures_url", url)).unwrap().signed();
        Self { fixture, server, store, folder }
    }

    /// Waits until no page is being fetched and none waits to be. A link that an edit removed before it was read waits for the cleanup.
    pub async fn settle(&self) {
        let due = "select count(*) from feed.link_previews
            where due_at is not null
                and check_at is distinct from 'epoch'";
        let settled = async {
            while self.fixture.count(due).await > 0 {
                testkit::pause().await;
            }
        };
        tokio::time::timeout(Duration::from_secs(120), settled).await.expect("every page is fetched");
    }

    pub async fn publish(&self, who: Uuid, content: &str) -> Post {
        self.fixture.create_post_of(who, content).await
    }

    /// Returns a post as a visitor sees it.
    pub async fn shown(&self, post: &str) -> Option<LinkPreview> {
        self.fixture.get_post_as(&self.fixture.as_visitor(), post).await.link_preview
    }

    /// Publishes a link and returns its preview.
    async fn preview_of(&self, path: &str) -> Option<LinkPreview> {
        let post = self.publish(member(1), &self.server.url(path)).await;
        self.settle().await;
        self.shown(&post.id).await
    }

    pub async fn draft(&self, who: Uuid, url: &str) -> GetLinkPreviewResponse {
        let request = self.fixture.as_member(who).request(GetLinkPreviewRequest { url: url.to_owned() }).unwrap();
        self.fixture.feed.clone().get_link_preview(request).await.unwrap().into_inner()
    }

    pub async fn delete(&self, post: &Post) {
        let author = post.author_id.parse().unwrap();
        let request = DeletePostRequest { post_id: post.id.clone(), reason: 0 };
        self.fixture.delete_post(&self.fixture.as_member(author), request).await.unwrap();
    }

    pub async fn clean(&self) -> u32 {
        feed::delete_unused_link_previews(self.fixture.pool(), &self.store, self.fixture.harness.clock.now())
            .await
            .unwrap()
    }

    fn files(&self) -> usize {
        self.folder.path().join("signed").read_dir().map_or(0, Iterator::count)
    }

    async fn edits(&self) -> i64 {
        self.fixture.count("select count(*) from feed.outbox where kind like '%PostEdited'").await
    }
}

#[tokio::test]
async fn a_post_shows_what_the_page_of_its_first_link_says() {
    let site = Site::start().await;
    let url = site.server.url("/case");
    let post = site.publish(member(1), &format!("Read {url}?utm_source=x#part, and https://b.example/")).await;
    assert_eq!(post.link_preview, None);
    site.settle().await;
    let preview = site.shown(&post.id).await.unwrap();
    let image = preview.image.clone().unwrap();
    assert_eq!(
        (preview.url.as_str(), preview.host.as_str(), preview.title.as_str()),
        (url.as_str(), "127.0.0.1", "The \"case\"")
    );
    assert_eq!((preview.description.as_str(), preview.site.as_str()), ("About it", "Lawphil"));
    assert_eq!((image.width, image.height), (640, 320));
    assert!(site.store.get(&Name::from_signed_address(&image.url).unwrap()).await.unwrap().is_some());
    let shown = site.fixture.get_post_as(&site.fixture.as_visitor(), &post.id).await;
    assert_eq!((shown.edited_at, site.edits().await), (None, 1));
    assert!(site.server.requests()[0].contains("(previews links of posts)"), "{:?}", site.server.requests());
    for sort in [PostSort::Recent, PostSort::Top, PostSort::Relevant] {
        let request = ListPostsRequest { sort: sort.into(), ..Default::default() };
        let listed = site.fixture.list_posts(&site.fixture.as_visitor(), request).await.unwrap().posts.remove(0);
        assert_eq!(listed.link_preview.as_ref(), Some(&preview), "{sort:?}");
    }
    let request = CreatePostRequest { repost_of: Some(post.id.clone()), ..Default::default() };
    let repost = site.fixture.create_post(&site.fixture.as_member(member(2)), request).await.unwrap().post.unwrap();
    assert_eq!((repost.link_preview, repost.repost.unwrap().link_preview.as_ref()), (None, Some(&preview)));
    // A second post needs no request, until it is a week later.
    let second = site.publish(member(2), &url).await;
    assert_eq!((second.link_preview.as_ref(), site.server.count("/case")), (Some(&preview), 1));
    site.fixture.advance_clock(8 * 86_400);
    site.server.put_page("/case", "<title>Decided</title>");
    site.publish(member(3), &url).await;
    let renewed = async {
        while site.shown(&post.id).await.unwrap().title != "Decided" {
            testkit::pause().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(120), renewed).await.unwrap();
    let replaced = "select count(*) from feed.link_previews where cardinality(pictures) > 0";
    let gone = async {
        while site.fixture.count(replaced).await > 0 {
            testkit::pause().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(120), gone).await.expect("the replaced picture is deleted");
    assert_eq!(site.files(), 0);
    assert_eq!((site.server.count("/case"), site.edits().await), (2, 1));
}

#[tokio::test]
async fn hostile_pages_give_no_preview_or_a_clean_one() {
    let site = Site::start().await;
    let private = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let inside = private.local_addr().unwrap();
    let server = &site.server;
    server.put_page("/huge", &"x".repeat(5 << 20));
    let mut bomb = GzEncoder::new(Vec::new(), Compression::default());
    bomb.write_all(&vec![b' '; 64 << 20]).unwrap();
    server.put("/bomb", "200 OK", "content-type: text/html\r\ncontent-encoding: gzip", bomb.finish().unwrap());
    server.put("/pdf", "200 OK", "content-type: application/pdf", "<title>PDF</title>");
    server.put("/loop", "302 Found", "location: /loop", "");
    server.put("/inside", "302 Found", &format!("location: http://{inside}/secret"), "");
    server.put("/metadata", "302 Found", "location: http://169.254.169.254/latest/meta-data/", "");
    server.put("/file", "302 Found", "location: file:///etc/passwd", "");
    server.put_page("/untitled", "<meta name=description content=x>");
    for path in ["/huge", "/bomb", "/pdf", "/loop", "/inside", "/metadata", "/file", "/untitled", "/missing"] {
        assert_eq!(site.preview_of(path).await, None, "{path}");
    }
    let given_up = "select count(*) from feed.link_previews where due_at is null and fetched_at is not null";
    assert_eq!(site.fixture.count(given_up).await, 9);

    server.put("/x.svg", "200 OK", "content-type: image/svg+xml", "<svg onload='alert(1)'/>");
    server.put("/tiny.png", "200 OK", "content-type: image/png", photo(1, 1, 1, ImageFormat::Png));
    server.put("/broken.png", "200 OK", "content-type: image/png", b"\x89PNG\r\n\x1a\n");
    server.put("/away.png", "302 Found", &format!("location: http://{inside}/secret"), "");
    for (n, picture) in
        ["javascript:alert(1)", "data:image/png;base64,AAAA", "/x.svg", "/tiny.png", "/broken.png", "/away.png"]
            .into_iter()
            .enumerate()
    {
        let path = format!("/picture-{n}");
        let html = "<meta property=og:title content='&lt;script&gt;x&lt;/script&gt;A <b>case</b>\u{202e}'>";
        server.put_page(&path, &format!("{html}<meta property=og:image content='{picture}'>"));
        let preview = site.preview_of(&path).await.unwrap();
        assert_eq!((preview.title.as_str(), preview.image), ("A case", None), "{picture}");
    }
    server.put("/latin", "200 OK", "content-type: text/html; charset=utf-8", b"<title>Caf\xe9</title>");
    assert_eq!(site.preview_of("/latin").await.unwrap().title, "Caf\u{e9}");
    assert_eq!(site.files(), 0);
    // Nothing connected to the private address.
    let accepted = tokio::time::timeout(Duration::ZERO, private.accept()).await;
    assert!(accepted.is_err());
}

#[tokio::test]
async fn a_failing_server_is_asked_again_later_and_then_no_more() {
    let site = Site::start().await;
    site.server.put("/busy", "503 Service Unavailable", "retry-after: 1", "");
    let post = site.publish(member(1), &site.server.url("/busy")).await;
    for (attempt, minutes) in [1, 5, 30, 120].into_iter().enumerate() {
        // Postponed, and not only leased.
        let delay = format!(
            "select count(*) from feed.link_previews where attempts = {} and due_at = '{}'",
            attempt + 1,
            site.fixture.harness.clock.now() + chrono::TimeDelta::minutes(minutes)
        );
        let postponed = async {
            while site.fixture.count(&delay).await == 0 {
                testkit::pause().await;
            }
        };
        tokio::time::timeout(Duration::from_secs(120), postponed).await.unwrap();
        assert_eq!(site.server.count("/busy"), attempt + 1);
        site.fixture.advance_clock(minutes * 60);
    }
    let given_up = async {
        while site.fixture.count("select count(*) from feed.link_previews where due_at is not null").await > 0 {
            testkit::pause().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(120), given_up).await.unwrap();
    assert_eq!((site.shown(&post.id).await, site.server.count("/busy")), (None, 5));
}

#[tokio::test]
async fn posts_of_a_community_and_drafts_tell_others_nothing() {
    let site = Site::start().await;
    let (society, url) = (community(1), site.server.url("/case"));
    site.fixture.join_community(society, &[member(1), member(2)]).await;
    let ours = site.fixture.create_post_in(member(1), society, &url).await;
    site.settle().await;
    let preview = site.fixture.get_post_as(&site.fixture.as_member(member(2)), &ours.id).await.link_preview;
    assert!(preview.is_some());
    // The draft and the public post of another member do not find it.
    assert_eq!(site.draft(member(3), &url).await.state(), LinkPreviewState::Pending);
    site.settle().await;
    assert_eq!(site.publish(member(2), &url).await.link_preview, None);
    site.settle().await;
    assert_eq!(site.server.count("/case"), 3);
}

#[tokio::test]
async fn a_new_post_uses_the_preview_that_its_author_saw() {
    let site = Site::start().await;
    let url = site.server.url("/case");
    assert_eq!(site.draft(member(1), &format!("{url}#part")).await.state(), LinkPreviewState::Pending);
    site.settle().await;
    let seen = site.draft(member(1), &url).await;
    assert_eq!(seen.state(), LinkPreviewState::Ready);
    let post = site.publish(member(1), &url).await;
    assert_eq!((post.link_preview, site.server.count("/case")), (seen.preview, 1));
    let drafts = format!("select count(*) from feed.link_previews where audience = '{}'", member(1));
    assert_eq!((site.fixture.count(&drafts).await, site.clean().await, site.files()), (0, 0, 1));
    // Without a preview, because the author removed it.
    let request = CreatePostRequest { content: url.clone(), without_link_preview: true, ..Default::default() };
    let plain = site.fixture.create_post(&site.fixture.as_member(member(1)), request).await.unwrap().post.unwrap();
    let edit = UpdatePostRequest { post_id: plain.id.clone(), content: format!("See {url}"), ..Default::default() };
    site.fixture.update_post(&site.fixture.as_member(member(1)), edit).await.unwrap();
    site.settle().await;
    assert_eq!(site.shown(&plain.id).await, None);
}

#[tokio::test]
async fn links_without_a_page_to_fetch_have_no_preview() {
    let site = Site::start().await;
    for url in ["https://portia.example/jobs", "https://portia.example/profile/1"] {
        assert_eq!(site.draft(member(1), url).await.state(), LinkPreviewState::None, "{url}");
        assert_eq!(site.publish(member(1), url).await.link_preview, None);
    }
    let titled = CreatePostRequest {
        content: site.server.url("/case"),
        title: Some("An article".to_owned()),
        ..Default::default()
    };
    site.fixture.create_post(&site.fixture.as_member(member(1)), titled).await.unwrap();
    assert_eq!(site.fixture.count("select count(*) from feed.link_previews").await, 0);
    for bad in ["", "javascript:alert(1)", "https://a@b.example/", "https://a.example/\0"] {
        let request = site.fixture.as_member(member(1)).request(GetLinkPreviewRequest { url: bad.to_owned() }).unwrap();
        let refused = site.fixture.feed.clone().get_link_preview(request).await.unwrap_err();
        assert_eq!(primitives::error::StatusDetails::from(&refused).kind, ErrorKind::Invalid, "{bad}");
    }
    let request = site.fixture.as_visitor().request(GetLinkPreviewRequest { url: site.server.url("/case") }).unwrap();
    assert!(site.fixture.feed.clone().get_link_preview(request).await.is_err());
}

#[tokio::test]
async fn an_edited_post_has_the_preview_of_its_new_first_link() {
    let site = Site::start().await;
    site.server.put_page("/other", "<title>Other</title>");
    let post = site.publish(member(1), &site.server.url("/case")).await;
    site.settle().await;
    let edit = |content: String| {
        let request = UpdatePostRequest { post_id: post.id.clone(), content, ..Default::default() };
        let (fixture, who) = (&site.fixture, site.fixture.as_member(member(1)));
        async move { fixture.update_post(&who, request).await.unwrap().post.unwrap() }
    };
    assert!(edit(format!("Again {}", site.server.url("/case"))).await.link_preview.is_some());
    assert_eq!(edit(format!("No, {}", site.server.url("/other"))).await.link_preview, None);
    site.settle().await;
    assert_eq!(site.shown(&post.id).await.unwrap().title, "Other");
    assert_eq!((site.clean().await, site.files()), (1, 0));
    assert_eq!(edit("Nothing".to_owned()).await.link_preview, None);
    assert_eq!((site.clean().await, site.fixture.count("select count(*) from feed.link_previews").await), (1, 0));
}

#[tokio::test]
async fn a_link_that_was_replaced_is_not_fetched_again() {
    let site = Site::start().await;
    site.server.put("/busy", "503 Service Unavailable", "retry-after: 1", "");
    site.server.put_page("/other", "<title>Other</title>");
    let busy = site.server.url("/busy");
    let post = site.publish(member(1), &busy).await;
    let postponed = "select count(*) from feed.link_previews where attempts = 1 and due_at = '";
    let postponed = format!("{postponed}{}'", site.fixture.harness.clock.now() + chrono::TimeDelta::minutes(1));
    let is_postponed = async {
        while site.fixture.count(&postponed).await == 0 {
            testkit::pause().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(120), is_postponed).await.unwrap();
    let request = UpdatePostRequest { post_id: post.id.clone(), content: "No link".to_owned(), ..Default::default() };
    site.fixture.update_post(&site.fixture.as_member(member(1)), request).await.unwrap();
    site.fixture.advance_clock(60);
    // Was due later.
    let other = site.publish(member(2), &site.server.url("/other")).await;
    let is_shown = async {
        while site.shown(&other.id).await.is_none() {
            testkit::pause().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(120), is_shown).await.unwrap();
    assert_eq!(site.server.count("/busy"), 1);
    // Until another post uses it.
    site.publish(member(2), &busy).await;
    let is_asked = async {
        while site.server.count("/busy") < 2 {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(120), is_asked).await.unwrap();
}

#[tokio::test]
async fn a_preview_and_its_picture_are_deleted_with_the_last_post() {
    let site = Site::start().await;
    let url = site.server.url("/case");
    let (one, other) = (site.publish(member(1), &url).await, site.publish(member(2), &url).await);
    site.settle().await;
    assert_eq!(site.files(), 1);
    site.delete(&one).await;
    assert_eq!((site.clean().await, site.files()), (0, 1));
    assert!(site.shown(&other.id).await.is_some());
    site.delete(&other).await;
    assert_eq!((site.clean().await, site.files()), (1, 0));
    // A draft without a post stays for an hour.
    site.draft(member(1), &url).await;
    site.settle().await;
    assert_eq!((site.clean().await, site.files()), (0, 1));
    site.fixture.advance_clock(3_601);
    assert_eq!((site.clean().await, site.files()), (1, 0));
}
