//! A feed and a job board on this machine, for what crawls: what they say, and how often they were asked.

use std::{
    collections::HashMap,
    net::SocketAddr,
    sync::{Arc, Mutex, PoisonError},
};

use axum::{
    Router,
    body::Bytes,
    extract::State,
    http::{StatusCode, Uri, header},
    response::{IntoResponse as _, Response},
};
use serde_json::json;
use tokio::{net::TcpListener, task::JoinHandle};

use crate::world::{rng::Rng, words};

/// What a page is served as.
#[derive(Clone, Debug)]
pub struct Page {
    /// `application/json`, `application/rss+xml`.
    pub media: &'static str,
    /// Its text.
    pub body: Bytes,
}

/// Pages by a part of the path they are asked for at, and how often that was.
#[derive(Debug, Default)]
struct Shelf {
    pages: HashMap<String, Page>,
    asked: HashMap<String, usize>,
}

/// The server; it ends with the value.
#[derive(Debug)]
pub struct Sources {
    /// Where it listens.
    pub address: SocketAddr,
    shelf: Arc<Mutex<Shelf>>,
    server: JoinHandle<()>,
}

impl Sources {
    /// Serves nothing yet: whatever is asked for is away (503).
    ///
    /// # Errors
    /// When there is no port.
    pub async fn start() -> anyhow::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let address = listener.local_addr()?;
        let shelf = Arc::<Mutex<Shelf>>::default();
        let router = Router::new().fallback(serve).with_state(Arc::clone(&shelf));
        let server = tokio::spawn(async move {
            // It serves until it is dropped; what goes wrong with one connection is that connection's end.
            let _ = axum::serve(listener, router).await;
        });
        Ok(Self { address, shelf, server })
    }

    /// Serves this page at every path with this part; without a page the path is unavailable.
    pub fn serve(&self, part: &str, page: Option<Page>) {
        let mut shelf = self.shelf.lock().unwrap_or_else(PoisonError::into_inner);
        match page {
            Some(page) => shelf.pages.insert(part.to_owned(), page),
            None => shelf.pages.remove(part),
        };
    }

    /// How often something at a path with this part was asked for.
    #[must_use]
    pub fn asked(&self, part: &str) -> usize {
        let shelf = self.shelf.lock().unwrap_or_else(PoisonError::into_inner);
        shelf.asked.iter().filter(|(path, _)| path.contains(part)).map(|(_, times)| times).sum()
    }
}

impl Drop for Sources {
    fn drop(&mut self) {
        self.server.abort();
    }
}

async fn serve(State(shelf): State<Arc<Mutex<Shelf>>>, uri: Uri) -> Response {
    let mut shelf = shelf.lock().unwrap_or_else(PoisonError::into_inner);
    *shelf.asked.entry(uri.path().to_owned()).or_default() += 1;
    match shelf.pages.iter().find(|(part, _)| uri.path().contains(part.as_str())) {
        Some((_, page)) => ([(header::CONTENT_TYPE, page.media)], page.body.clone()).into_response(),
        None => StatusCode::SERVICE_UNAVAILABLE.into_response(),
    }
}

/// An RSS feed of so many stories, the newest first, as publishers write them: markup within CDATA, categories, a guid.
#[must_use]
pub fn feed(stories: u32) -> Page {
    use std::fmt::Write as _;

    let mut rng = Rng::of(61);
    let now = primitives::clock::Clock::system().now();
    let mut text = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<rss version=\"2.0\"><channel><title>Bench</title>\
         <link>https://bench.example/</link><description>Stories</description>",
    );
    for number in 0..stories {
        let at = now - chrono::TimeDelta::minutes(7 * i64::from(number));
        let (headline, prose) = (words::headline(&mut rng, number), words::prose(&mut rng, 16, number));
        // Writing into a String cannot fail.
        let _ = write!(
            text,
            "<item><title>{headline}</title><link>https://bench.example/stories/{number}?utm_source=rss</link>\
             <guid isPermaLink=\"false\">story-{number}</guid><pubDate>{}</pubDate><category>Courts</category>\
             <description><![CDATA[<p>{prose}</p><p><a href=\"https://bench.example/{number}\">More</a></p>]]>\
             </description></item>",
            at.to_rfc2822(),
        );
    }
    text.push_str("</channel></rss>");
    Page { media: "application/rss+xml", body: text.into() }
}

/// A Greenhouse board of so many legal postings, as `boards/{token}/jobs?content=true` answers: HTML, escaped once more.
#[must_use]
pub fn board(postings: u32) -> Page {
    const PLACES: [&str; 5] = ["New York, NY", "Washington, DC", "San Francisco, CA", "Remote", "Chicago, IL"];
    let mut rng = Rng::of(62);
    let now = primitives::clock::Clock::system().now();
    let jobs: Vec<_> = (0..postings)
        .map(|number| {
            let at = (now - chrono::TimeDelta::minutes(i64::from(number))).to_rfc3339();
            let paragraphs: String = (0..6)
                .map(|_| format!("&lt;p&gt;{}&lt;/p&gt;&lt;ul&gt;&lt;li&gt;J.D.&lt;/li&gt;&lt;/ul&gt;", words::prose(&mut rng, 9, number)))
                .collect();
            json!({
                "id": 4_000_000 + number,
                "internal_job_id": 3_000_000 + number,
                "title": format!("Staff Attorney, {} No. {number}", rng.one(&words::FIELDS)),
                "absolute_url": format!("https://boards.bench.example/bench/jobs/{}", 4_000_000 + number),
                "location": { "name": rng.one(&PLACES) },
                "updated_at": at,
                "first_published": at,
                "requisition_id": number.to_string(),
                "metadata": null,
                "company_name": "Bench LLP",
                "content": paragraphs,
                "departments": [{ "id": 1, "name": "Legal", "child_ids": [], "parent_id": null }],
                "offices": [{ "id": 2, "name": "Main", "location": "New York, NY", "child_ids": [], "parent_id": null }],
            })
        })
        .collect();
    let total = jobs.len();
    Page { media: "application/json", body: json!({ "jobs": jobs, "meta": { "total": total } }).to_string().into() }
}
