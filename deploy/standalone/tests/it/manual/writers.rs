//! Members who write without a pause, and the journal of what was acknowledged to them.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{
        Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use reqwest::Method;
use serde_json::json;

use crate::browser::{Browser, Response};

/// The timeout of one write with its repetitions.
const TIMEOUT: Duration = Duration::from_secs(120);
/// The pause before a repetition.
const PAUSE: Duration = Duration::from_millis(20);

/// The acknowledged writes: content by id, and `post member` of each like.
#[derive(Clone, Default)]
pub struct Acknowledged {
    pub posts: BTreeMap<String, String>,
    pub comments: BTreeMap<String, String>,
    pub likes: BTreeSet<String>,
}

/// Everything that clients of the installation were told, with the times.
#[derive(Default)]
pub struct Journal {
    acknowledged: Mutex<Acknowledged>,
    times: Mutex<Times>,
}

#[derive(Default)]
struct Times {
    switch: Option<Instant>,
    switched: Option<Instant>,
    /// When each write was first sent and when it was acknowledged, in the order of the latter.
    acknowledged: Vec<[Instant; 2]>,
    refused: Vec<Instant>,
}

impl Journal {
    pub fn acknowledged(&self) -> Acknowledged {
        self.acknowledged.lock().unwrap().clone()
    }

    /// A post was acknowledged.
    pub fn post(&self, id: String, content: String) {
        assert_eq!(self.acknowledged.lock().unwrap().posts.insert(id, content), None);
    }

    /// Later pauses count.
    pub fn begin_switch(&self) {
        self.times.lock().unwrap().switch = Some(Instant::now());
    }

    /// The service uses the new server.
    pub fn end_switch(&self) {
        self.times.lock().unwrap().switched = Some(Instant::now());
    }

    /// The number of writes that were under way during the switch. Whether one of them was refused, or waited, is a matter of time.
    pub fn met_switch(&self) -> usize {
        let times = self.times.lock().unwrap();
        let (begun, ended) = (times.switch.unwrap(), times.switched.unwrap());
        times.acknowledged.iter().filter(|[sent, acknowledged]| *sent < ended && *acknowledged > begun).count()
    }

    /// The longest time between two acknowledged writes of any members since the switch began, and the time from the first refused one
    /// to the last.
    pub fn pause(&self) -> [Duration; 2] {
        let times = self.times.lock().unwrap();
        let begun = times.switch.unwrap();
        let since = |all: &[Instant]| all.iter().copied().filter(|at| *at >= begun).collect::<Vec<_>>();
        let acknowledged: Vec<Instant> = times.acknowledged.iter().map(|[_, at]| *at).collect();
        let acknowledged = since(&acknowledged);
        let before = [begun].into_iter().chain(acknowledged.iter().copied());
        let pause = before.zip(&acknowledged).map(|(before, after)| *after - before).max();
        let refused = since(&times.refused);
        let refusals = refused.first().zip(refused.last()).map(|(first, last)| *last - *first);
        [pause.unwrap_or_default(), refusals.unwrap_or_default()]
    }

    /// Sends a write until it is acknowledged.
    async fn send(&self, member: &mut Browser, path: &str, body: &serde_json::Value, key: &str) -> Response {
        let begun = Instant::now();
        loop {
            let response = member.send(Method::POST, path, Some(body.clone()), &[("idempotency-key", key)]).await;
            if response.status.is_success() {
                self.times.lock().unwrap().acknowledged.push([begun, Instant::now()]);
                return response;
            }
            self.times.lock().unwrap().refused.push(Instant::now());
            assert!(matches!(response.status.as_u16(), 503 | 504), "{path}: {} {}", response.status, response.body);
            assert!(begun.elapsed() < TIMEOUT, "{path}: {}", response.body);
            tokio::time::sleep(PAUSE).await;
        }
    }

    /// A post of any member.
    fn some_post(&self, n: usize) -> String {
        let acknowledged = self.acknowledged.lock().unwrap();
        let posts = &acknowledged.posts;
        posts.keys().nth(n % posts.len()).unwrap().clone()
    }
}

/// Writes posts, likes and comments until `finished`, each with all others in the journal. `count` counts what is acknowledged.
pub async fn write(
    writer: usize,
    mut member: Browser,
    id: &str,
    journal: &Journal,
    finished: &AtomicBool,
    count: &AtomicUsize,
) {
    let mut n = 0;
    while !finished.load(Ordering::SeqCst) {
        n += 1;
        let (content, key) = (format!("Note {n} of {writer}"), format!("{writer}-{n}"));
        let body = json!({"content": content});
        // Another post in each round, of any member.
        let about = journal.some_post(7 * n + writer);
        match n % 3 {
            0 => {
                let response = journal.send(&mut member, "/api/posts", &body, &key).await;
                journal.post(response.body["id"].as_str().unwrap().to_owned(), content);
            }
            1 => {
                let response = journal.send(&mut member, &format!("/api/posts/{about}/comments"), &body, &key).await;
                let comment = response.body["id"].as_str().unwrap().to_owned();
                let replaced = journal.acknowledged.lock().unwrap().comments.insert(comment, content);
                assert_eq!(replaced, None);
            }
            _ => {
                let like = json!({"userId": id, "type": "like"});
                journal.send(&mut member, &format!("/api/posts/{about}/likes"), &like, &key).await;
                journal.acknowledged.lock().unwrap().likes.insert(format!("{about} {id}"));
            }
        }
        count.fetch_add(1, Ordering::SeqCst);
    }
}

/// Registers members of a school until `finished`, and returns their ids: feed consumes the facts about them.
pub async fn register(base: &str, finished: &AtomicBool) -> BTreeSet<String> {
    let mut members = BTreeSet::new();
    while !finished.load(Ordering::SeqCst) {
        let mut member = Browser::new(base);
        let id = member.register(&format!("arrives.{}", members.len())).await;
        let school = json!({"school": "Ateneo Law"});
        member.send(Method::PATCH, &format!("/api/users/{id}"), Some(school), &[]).await.expect(200);
        members.insert(id);
    }
    members
}
