//! The memory and CPU time of the most expensive responses.

use std::{env, fs, process::Command};

use chrono::DateTime;
use crawler::{
    feed,
    fetch::{FetchOutcome, Fetcher, Policy},
    text,
};

use crate::{
    bodies::{compress, gzip},
    feeds::rss,
    server::{Answer, PATIENT, Server, answer, ok, request},
};

/// The response that the child process requests.
const BOMB: &str = "PORTIA_TEST_BOMB";
/// The most memory of a crawl in MiB: the longest document, decoded, repaired and parsed.
const MAX_MEMORY: u64 = 96;

/// The most CPU time of a crawl in seconds, which does not depend on other load.
const MAX_CPU_TIME: u64 = 15;
/// The ticks of Linux in a second of CPU time.
const TICKS: u64 = 100;

const TOO_LARGE: &str = "It sent more than 2 MiB.";
const EXCESSIVE: &str = "It repeats or nests elements beyond measure.";

/// Expensive responses, with their policy and outcome.
fn bombs() -> Vec<(&'static str, Policy, &'static str)> {
    vec![
        ("nothing", Policy::FEED, "1 entries, 0 bytes"),
        ("gzip, as a feed", Policy::FEED, TOO_LARGE),
        ("gzip, as a board", Policy::BOARD, "It sent more than 64 MiB."),
        ("a body without end, as a feed", Policy::FEED, TOO_LARGE),
        ("a body without end, as a board", Policy::BOARD, "It sent more than 64 MiB."),
        ("a header without end", Policy::BOARD, "The answer was not understood."),
        ("a million items", Policy::FEED, "500 entries, 0 bytes"),
        ("full items", Policy::FEED, "500 entries, 2000 bytes"),
        ("categories", Policy::FEED, "1 entries, 0 bytes"),
        ("nesting", Policy::FEED, EXCESSIVE),
        ("attributes", Policy::FEED, EXCESSIVE),
        ("laughs", Policy::FEED, "It brings a document type of its own."),
        ("a title", Policy::FEED, "1 entries, 0 bytes"),
        ("windows-1252", Policy::FEED, "1 entries, 0 bytes"),
        ("ampersands", Policy::FEED, "1 entries, 5002 bytes"),
        ("tags", Policy::FEED, "1 entries, 5002 bytes"),
        ("plain text of Atom", Policy::FEED, "1 entries, 5002 bytes"),
        ("dates", Policy::FEED, "500 entries, 0 bytes"),
    ]
}

fn sent(bomb: &str) -> Answer {
    let head = |more: &str| format!("HTTP/1.1 200 OK\r\n{more}\r\n").into_bytes();
    let filled = |piece: &str| rss(&piece.repeat((2 << 20) / piece.len() - 100));
    Answer::Bytes(match bomb {
        "gzip, as a feed" | "gzip, as a board" => gzip(&compress(&vec![b'a'; 65 << 20])),
        "a body without end, as a feed" | "a body without end, as a board" => {
            return Answer::Endless(head(""), vec![b'a'; 64 << 10]);
        }
        "a header without end" => return Answer::Endless(b"HTTP/1.1 200 OK\r\nx: ".to_vec(), vec![b'a'; 64 << 10]),
        "a million items" => ok(filled("<item/>")),
        "full items" => ok(filled(
            "<item><title>A title of some length</title><link>https://example.org/a</link><category>Courts</category>\
             <category>Law</category><description>&lt;p&gt;Text&lt;/p&gt;</description></item>",
        )),
        "categories" => ok(rss(&format!("<item>{}</item>", "<category>a</category>".repeat(90_000)))),
        "nesting" => ok(filled("<a>")),
        "attributes" => {
            let attributes: String = (0..150_000).map(|at| format!(" a{at}=''")).collect();
            ok(rss(&format!("<item{attributes}/>")))
        }
        "laughs" => ok(format!("<!DOCTYPE rss [{}]><rss/>", "<!ENTITY a \"&b;&b;\">".repeat(90_000))),
        "a title" => ok(rss(&format!("<item><title>{}</title></item>", "a".repeat(2_000_000)))),
        "windows-1252" => answer(
            "200 OK",
            &["content-type: text/xml; charset=windows-1252"],
            [
                b"<rss version='2.0'><channel><item><title>".to_vec(),
                vec![0x80; 2_000_000],
                b"</title></item></channel></rss>".to_vec(),
            ]
            .concat(),
        ),
        "ampersands" => ok(rss(&format!("<item><description>{}</description></item>", "&".repeat(2_000_000)))),
        "tags" => ok(rss(&format!("<item><description>{}</description></item>", "&lt;p&gt;a".repeat(200_000)))),
        "plain text of Atom" => ok(format!(
            "<feed xmlns='http://www.w3.org/2005/Atom'><entry><title>{0}</title><content>{0}</content></entry></feed>",
            format_args!("<![CDATA[{}]]>", "&".repeat(1_000_000)),
        )),
        "dates" => ok(filled(
            "<item><pubDate>1/a a/1 a/2 a/3 a/4 a/5 a/6 a/7 a/8 a/9 b/1 b/2 b/3 b/4 b/5 b/6</pubDate></item>",
        )),
        _ => ok(rss("<item><title>small</title></item>")),
    })
}

/// The peak memory of this process in KiB, from Linux.
fn peak() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().trim_end_matches(" kB").parse().ok()
}

/// The CPU time of this process in ticks.
fn cpu_time() -> u64 {
    let stat = fs::read_to_string("/proc/self/stat").unwrap();
    // After the name, which may contain any character: the twelfth and the thirteenth field, user and system time.
    let (_, fields) = stat.rsplit_once(')').unwrap();
    fields.split_whitespace().skip(11).take(2).map(|ticks| ticks.parse::<u64>().unwrap()).sum()
}

/// Crawls for the test below in a child process, so that the peak memory belongs to one crawl.
async fn crawl_once(report: &str) {
    let (bomb, address) = report.split_once('|').unwrap();
    let (_, policy, _) = bombs().into_iter().find(|(name, ..)| *name == bomb).unwrap();
    let policy = Policy { timeout: PATIENT.timeout, ..policy };
    let fetcher = Fetcher::new(address.parse().unwrap(), []).unwrap();
    let (before, start) = (peak().unwrap(), cpu_time());
    let outcome = match fetcher.fetch(&request(&format!("http://{address}/")), &policy).await {
        Ok(FetchOutcome::Document(mut document)) => {
            let read = feed::read(&mut document, DateTime::UNIX_EPOCH);
            read.map_or_else(
                |error| error.to_string(),
                |entries| {
                    let texts = entries.iter().filter_map(|entry| entry.html.as_deref());
                    format!(
                        "{} entries, {} bytes",
                        entries.len(),
                        texts.map(|html| text::plain(html, 5_000).len()).sum::<usize>()
                    )
                },
            )
        }
        Ok(FetchOutcome::Unchanged) => "unchanged".to_owned(),
        Err(failure) => failure.to_string(),
    };
    println!("took {} KiB {} ticks: {outcome}", peak().unwrap() - before, cpu_time() - start);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_memory_and_time_of_a_crawl_are_bounded() {
    if let Some(report) = env::var_os(BOMB) {
        return crawl_once(&report.into_string().unwrap()).await;
    }
    if peak().is_none() {
        return;
    }
    for (bomb, _, expected) in bombs() {
        let server = Server::start(move |_| sent(bomb)).await;
        let report = format!("{bomb}|{}", server.address);
        let child = tokio::task::spawn_blocking(move || {
            Command::new(env::current_exe().unwrap())
                .args(["--exact", "memory::the_memory_and_time_of_a_crawl_are_bounded", "--nocapture"])
                .env(BOMB, report)
                .output()
                .unwrap()
        });
        let child = child.await.unwrap();
        let report = String::from_utf8(child.stdout).unwrap();
        assert!(child.status.success(), "{bomb}: {report}");
        let (_, report) = report.split_once("took ").unwrap();
        let (took, report) = report.split_once(" KiB ").unwrap();
        let (ticks, outcome) = report.split_once(" ticks: ").unwrap();
        let (took, ticks): (u64, u64) = (took.parse().unwrap(), ticks.parse().unwrap());
        let outcome = outcome.lines().next().unwrap();
        println!("{bomb}: {} MiB, {} ms: {outcome}", took >> 10, ticks * 1_000 / TICKS);
        assert_eq!(outcome, expected, "{bomb}");
        assert!(took <= MAX_MEMORY << 10, "{bomb} took {took} KiB");
        assert!(ticks <= MAX_CPU_TIME * TICKS, "{bomb} took {} s", ticks / TICKS);
    }
}
