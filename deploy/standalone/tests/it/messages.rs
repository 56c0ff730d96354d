//! Two members who talk while what carries their words is killed: nothing acknowledged is lost, doubled or moved.

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
    browser::{Answer, Browser, Live},
    processes::Processes,
};

/// What two members say to each other, half of it each.
const MESSAGES: usize = 2_000;
/// Tabs each of them writes in at once.
const LANES: usize = 4;
/// As long as one message may take, whatever dies.
const PATIENCE: Duration = Duration::from_secs(60);
/// As long as may pass until what was acknowledged is shown everywhere.
const SOON: Duration = Duration::from_secs(30);

/// The sender's view of a message.
struct Acknowledged {
    id: String,
    content: String,
}

/// What the two did.
#[derive(Default)]
struct Done {
    acknowledged: Mutex<Vec<Acknowledged>>,
    /// Answers that were no acknowledgement, by status.
    failed: Mutex<BTreeMap<u16, usize>>,
}

/// One tab: says its share in order, each until it is acknowledged, at whichever gateway answers.
async fn lane(mut gateways: [Browser; 2], conversation: String, name: String, done: Arc<Done>) {
    let path = format!("/api/conversations/{conversation}/messages");
    let mut gateway = 0;
    for n in 0..MESSAGES / 2 / LANES {
        let content = format!("{name} {n}");
        let begun = Instant::now();
        loop {
            assert!(begun.elapsed() < PATIENCE, "{content} is not taken: {:?}", done.failed);
            let (body, key) = (json!({"content": content}), format!("{name}-{n}"));
            let answer = gateways[gateway].send(Method::POST, &path, Some(body), &[("idempotency-key", &key)]).await;
            // An answer that broke off acknowledges nothing.
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

/// What a tab shows that only listens, and comes again whenever its line breaks.
#[derive(Default)]
struct Shown {
    messages: Mutex<HashSet<String>>,
    lines: AtomicUsize,
}

async fn listen(mut browser: Browser, conversation: String, shown: Arc<Shown>) {
    loop {
        if let Ok(mut line) = Live::open(&browser).await {
            shown.lines.fetch_add(1, Ordering::Relaxed);
            // Its hello has been read.
            let mut next = Some(("hello".to_owned(), json!({})));
            while let Some((event, data)) = next {
                match event.as_str() {
                    "message" => shown.add(&data["messageId"]),
                    "hello" if !shown.look(&mut browser, &conversation).await => break,
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

    /// Looks at everything, back to a page that has nothing new; whether it could.
    async fn look(&self, browser: &mut Browser, conversation: &str) -> bool {
        let mut next = Some(format!("/api/conversations/{conversation}?limit=100"));
        let mut found = Vec::new();
        while let Some(path) = next.take() {
            let answer = browser.glance(&path).await;
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

    fn has_all(&self, acknowledged: &[Acknowledged]) -> bool {
        let messages = self.messages.lock().unwrap();
        acknowledged.iter().all(|message| messages.contains(&message.id))
    }
}

/// Where a thread goes on.
fn older(answer: &Answer) -> Option<String> {
    let link = answer.headers.get("link")?.to_str().unwrap();
    Some(link.trim_start_matches('<').split_once('>').unwrap().0.to_owned())
}

/// Numbers that differ from run to run: the seed is printed.
struct Chance(u64);

impl Chance {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % n
    }
}

/// Kills one after the other and starts it again, until the work is done. How often each died.
async fn kill(
    processes: &mut Processes,
    mut chance: Chance,
    is_done: impl Fn() -> bool,
) -> BTreeMap<&'static str, usize> {
    let mut deaths = BTreeMap::new();
    while !is_done() {
        let victim = ["messaging", "messaging", "gateway", "gateway-2"][chance.below(4) as usize];
        processes.kill(victim);
        *deaths.entry(victim).or_default() += 1;
        tokio::time::sleep(Duration::from_millis(chance.below(400))).await;
        processes.spawn(victim);
        // Long enough that something is said between two deaths, and short enough that some meet a start.
        tokio::time::sleep(Duration::from_millis(300 + chance.below(2_500))).await;
    }
    deaths
}

/// The whole thread as its participant reads it, page by page, the oldest first: ids and words.
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
async fn every_acknowledged_message_is_there_once_and_in_one_order_whatever_dies() {
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
    let mut lanes = Vec::new();
    let mut listening = HashMap::new();
    for (name, browser) in [("ana", &ana), ("ben", &ben)] {
        let gateways = |n: usize| [browser.at(&bases[n % 2]), browser.at(&bases[(n + 1) % 2])];
        for n in 0..LANES {
            let (conversation, done) = (conversation.clone(), Arc::clone(&done));
            lanes.push(tokio::spawn(lane(gateways(n), conversation, format!("{name}-{n}"), done)));
        }
        for (n, base) in bases.iter().enumerate() {
            let shown = Arc::new(Shown::default());
            tokio::spawn(listen(browser.at(base), conversation.clone(), Arc::clone(&shown)));
            listening.insert(format!("{name} at {n}"), shown);
        }
    }
    let seed = u64::from(std::process::id()).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let deaths = kill(&mut processes, Chance(seed), || lanes.iter().all(|lane| lane.is_finished())).await;
    for lane in lanes {
        lane.await.unwrap();
    }
    let took = begun.elapsed();

    let acknowledged = std::mem::take(&mut *done.acknowledged.lock().unwrap());
    assert_eq!(acknowledged.len(), MESSAGES);
    let asked = Instant::now();
    while let Some((tab, _)) = listening.iter().find(|(_, shown)| !shown.has_all(&acknowledged)) {
        assert!(asked.elapsed() < SOON, "{tab} does not show everything (seed {seed})");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let lines: usize = listening.values().map(|shown| shown.lines.load(Ordering::Relaxed)).sum();
    println!(
        "{MESSAGES} messages in {took:.1?} while {deaths:?} died (seed {seed}); answers that were none: {:?}; {lines} \
         lines for 4 tabs",
        done.failed.lock().unwrap()
    );
    assert!(
        deaths.values().sum::<usize>() >= 5 && deaths.contains_key("messaging"),
        "nothing was survived: {deaths:?}"
    );

    let up = Instant::now();
    for browser in [&mut ana, &mut ben] {
        while browser.get("/api/conversations").await.status != 200 {
            assert!(up.elapsed() < PATIENCE, "what was killed does not come back");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
    let (hers, his) = (thread(&mut ana, &conversation).await, thread(&mut ben, &conversation).await);
    assert_eq!(hers, his, "one order, seed {seed}");
    let said: HashMap<&str, &str> = hers.iter().map(|(id, content)| (id.as_str(), content.as_str())).collect();
    assert_eq!((hers.len(), said.len()), (MESSAGES + 2, MESSAGES + 2), "none is there twice");
    for message in &acknowledged {
        assert_eq!(said.get(message.id.as_str()), Some(&message.content.as_str()), "seed {seed}");
    }
    // Each tab's words in the order in which it said them.
    let mut next: HashMap<&str, usize> = HashMap::new();
    for (_, content) in hers.iter().skip(2) {
        let (lane, n) = content.split_once(' ').unwrap();
        let expected = next.entry(lane).or_default();
        assert_eq!(n.parse(), Ok(*expected), "{lane}, seed {seed}");
        *expected += 1;
    }
    // Both have read the newest page.
    for browser in [&mut ana, &mut ben] {
        assert_eq!(browser.get("/api/unread").await.expect(200)["messages"], json!(0));
    }
}
