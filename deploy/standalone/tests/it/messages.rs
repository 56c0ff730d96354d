//! A conversation while its processes are killed: no acknowledged message is lost, duplicated or reordered.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use reqwest::Method;
use serde_json::{Value, json};

use crate::{
    browser::{Browser, Live, Response},
    processes::Processes,
};

/// The number of messages, half of them by each member.
const MESSAGES: usize = 800;
/// The number of tabs in which each member writes concurrently.
const TABS: usize = 4;
/// The timeout of one message.
const TIMEOUT: Duration = Duration::from_secs(60);
/// The maximum delay until every acknowledged message is shown everywhere.
const MAX_DELAY: Duration = Duration::from_secs(30);

/// A message as its sender knows it.
struct Acknowledged {
    id: String,
    content: String,
}

/// The results of the two members.
#[derive(Default)]
struct Done {
    acknowledged: Mutex<Vec<Acknowledged>>,
    /// Failed responses, by status.
    failed: Mutex<BTreeMap<u16, usize>>,
}

/// One tab: sends its messages in order, each until it is acknowledged, through the gateway that responds.
async fn send_from_tab(mut gateways: [Browser; 2], conversation: String, name: String, done: Arc<Done>) {
    let path = format!("/api/conversations/{conversation}/messages");
    let mut gateway = 0;
    for n in 0..MESSAGES / 2 / TABS {
        let content = format!("{name} {n}");
        let begun = Instant::now();
        loop {
            assert!(begun.elapsed() < TIMEOUT, "{content} is not accepted: {:?}", done.failed);
            let (body, key) = (json!({"content": content}), format!("{name}-{n}"));
            let answer = gateways[gateway].send(Method::POST, &path, Some(body), &[("idempotency-key", &key)]).await;
            // A truncated response is not an acknowledgement.
            if let (201, Some(id)) = (answer.status.as_u16(), answer.body["id"].as_str()) {
                assert_eq!(answer.body["content"], json!(content));
                done.acknowledged.lock().unwrap().push(Acknowledged { id: id.to_owned(), content });
                break;
            }
            assert!(answer.status.as_u16() == 201 || answer.status.is_server_error(), "{}", answer.body);
            *done.failed.lock().unwrap().entry(answer.status.as_u16()).or_default() += 1;
            gateway = 1 - gateway;
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
}

/// The messages in a tab that only reads, and reconnects whenever its stream ends.
#[derive(Default)]
struct Shown {
    messages: Mutex<HashSet<String>>,
    streams: AtomicUsize,
}

async fn listen(mut browser: Browser, conversation: String, shown: Arc<Shown>) {
    loop {
        if let Ok(mut line) = Live::open(&browser).await {
            shown.streams.fetch_add(1, Ordering::Relaxed);
            // Its hello event has been read.
            let mut next = Some(("hello".to_owned(), json!({})));
            while let Some((event, data)) = next {
                match event.as_str() {
                    "message" => shown.add(&data["messageId"]),
                    "hello" if !shown.refetch(&mut browser, &conversation).await => break,
                    _ => {}
                }
                next = line.next().await;
            }
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

impl Shown {
    fn add(&self, id: &Value) {
        self.messages.lock().unwrap().insert(id.as_str().unwrap().to_owned());
    }

    fn has(&self, id: &Value) -> bool {
        self.messages.lock().unwrap().contains(id.as_str().unwrap())
    }

    /// Fetches pages until one has only known messages; false after a failure.
    async fn refetch(&self, browser: &mut Browser, conversation: &str) -> bool {
        let mut next = Some(format!("/api/conversations/{conversation}?limit=100"));
        let mut found = Vec::new();
        while let Some(path) = next.take() {
            let answer = browser.get_once(&path).await;
            let Some(page) = answer.body["messages"].as_array() else { return false };
            let new = page.iter().map(|message| message["id"].clone()).filter(|id| !self.has(id));
            let before = found.len();
            found.extend(new);
            if found.len() > before {
                next = older(&answer);
            }
        }
        found.iter().for_each(|id| self.add(id));
        true
    }

    fn contains_all(&self, acknowledged: &[Acknowledged]) -> bool {
        let messages = self.messages.lock().unwrap();
        acknowledged.iter().all(|message| messages.contains(&message.id))
    }
}

/// The path of the next older page.
fn older(answer: &Response) -> Option<String> {
    let link = answer.headers.get("link")?.to_str().unwrap();
    Some(link.trim_start_matches('<').split_once('>').unwrap().0.to_owned())
}

/// Random numbers with a printed seed.
struct Rng(u64);

impl Rng {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % n
    }
}

/// Kills and restarts one process after the other until the work is done. Returns the number of kills per process.
/// `sent` is the number of acknowledged messages.
async fn kill(
    processes: &mut Processes,
    mut rng: Rng,
    is_done: impl Fn() -> bool,
    sent: impl Fn() -> usize,
) -> BTreeMap<&'static str, usize> {
    let mut kills = BTreeMap::new();
    while !is_done() {
        let victims = ["messaging", "messaging", "gateway", "gateway-2"];
        let victim = if kills.is_empty() { victims[0] } else { victims[rng.below(4) as usize] };
        // One kill in four hits a start, the next one does not: on a busy machine no start would ever complete.
        for kills_again in [rng.below(4) == 0, false] {
            processes.kill(victim);
            *kills.entry(victim).or_default() += 1;
            tokio::time::sleep(Duration::from_millis(rng.below(400))).await;
            processes.spawn(victim);
            if !kills_again {
                break;
            }
            tokio::time::sleep(Duration::from_millis(rng.below(500))).await;
        }
        let next = sent() + 1 + rng.below(150) as usize;
        while !is_done() && sent() < next {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }
    kills
}

/// The whole conversation, page by page, the oldest first: ids and texts.
async fn thread(browser: &mut Browser, conversation: &str) -> Vec<(String, String)> {
    let mut next = Some(format!("/api/conversations/{conversation}?limit=100"));
    let mut pages = Vec::new();
    while let Some(path) = next {
        let answer = browser.get(&path).await;
        next = older(&answer);
        pages.push(answer.expect(200)["messages"].as_array().unwrap().clone());
    }
    let text = |message: &Value, field: &str| message[field].as_str().unwrap().to_owned();
    pages.iter().rev().flatten().map(|message| (text(message, "id"), text(message, "content"))).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn acknowledged_messages_are_stored_once_and_in_order_despite_kills() {
    let mut processes = Processes::start(&[]).await;
    let bases = [processes.base.clone(), processes.second_gateway().await];
    let (mut ana, mut ben) = (Browser::new(&bases[0]), Browser::new(&bases[1]));
    let (_, ben_id) = (ana.register("ana").await, ben.register("ben").await);
    let opened = ana.post("/api/conversations", json!({"userId": ben_id})).await.expect(201);
    let conversation = opened["id"].as_str().unwrap().to_owned();
    let words = format!("/api/conversations/{conversation}/messages");
    for (browser, greeting) in [(&mut ana, "Hello"), (&mut ben, "Hi")] {
        browser.post_once(&words, json!({"content": greeting}), greeting).await.expect(201);
    }

    let (done, begun) = (Arc::new(Done::default()), Instant::now());
    let mut tabs = Vec::new();
    let mut listening = HashMap::new();
    for (name, browser) in [("ana", &ana), ("ben", &ben)] {
        let gateways = |n: usize| [browser.at(&bases[n % 2]), browser.at(&bases[(n + 1) % 2])];
        for n in 0..TABS {
            let (conversation, done) = (conversation.clone(), Arc::clone(&done));
            tabs.push(tokio::spawn(send_from_tab(gateways(n), conversation, format!("{name}-{n}"), done)));
        }
        for (n, base) in bases.iter().enumerate() {
            let shown = Arc::new(Shown::default());
            tokio::spawn(listen(browser.at(base), conversation.clone(), Arc::clone(&shown)));
            listening.insert(format!("{name} at {n}"), shown);
        }
    }
    let seed = u64::from(std::process::id()).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let is_done = || tabs.iter().all(|send_from_tab| send_from_tab.is_finished());
    let sent = || done.acknowledged.lock().unwrap().len();
    let kills = kill(&mut processes, Rng(seed), is_done, sent).await;
    for send_from_tab in tabs {
        send_from_tab.await.unwrap();
    }
    let took = begun.elapsed();

    let acknowledged = std::mem::take(&mut *done.acknowledged.lock().unwrap());
    assert_eq!(acknowledged.len(), MESSAGES);
    let asked = Instant::now();
    while let Some((tab, _)) = listening.iter().find(|(_, shown)| !shown.contains_all(&acknowledged)) {
        assert!(asked.elapsed() < MAX_DELAY, "{tab} does not show everything (seed {seed})");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let streams: usize = listening.values().map(|shown| shown.streams.load(Ordering::Relaxed)).sum();
    println!(
        "{MESSAGES} messages in {took:.1?} while {kills:?} died (seed {seed}); failed responses: {:?}; {streams} \
         streams for 4 tabs",
        done.failed.lock().unwrap()
    );
    assert!(kills.values().sum::<usize>() >= 5 && kills.contains_key("messaging"), "no process was killed: {kills:?}");

    let up = Instant::now();
    for browser in [&mut ana, &mut ben] {
        while browser.get("/api/conversations").await.status != 200 {
            assert!(up.elapsed() < TIMEOUT, "the killed process does not restart");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
    let (hers, his) = (thread(&mut ana, &conversation).await, thread(&mut ben, &conversation).await);
    assert_eq!(hers, his, "one order, seed {seed}");
    let contents: HashMap<&str, &str> = hers.iter().map(|(id, content)| (id.as_str(), content.as_str())).collect();
    assert_eq!((hers.len(), contents.len()), (MESSAGES + 2, MESSAGES + 2), "no message is duplicated");
    for message in &acknowledged {
        assert_eq!(contents.get(message.id.as_str()), Some(&message.content.as_str()), "seed {seed}");
    }
    // Each tab's messages in the order in which it sent them.
    let mut next: HashMap<&str, usize> = HashMap::new();
    for (_, content) in hers.iter().skip(2) {
        let (send_from_tab, n) = content.split_once(' ').unwrap();
        let expected = next.entry(send_from_tab).or_default();
        assert_eq!(n.parse(), Ok(*expected), "{send_from_tab}, seed {seed}");
        *expected += 1;
    }
    // Both have read the newest page.
    for browser in [&mut ana, &mut ben] {
        assert_eq!(browser.get("/api/unread").await.expect(200)["messages"], json!(0));
    }
}
