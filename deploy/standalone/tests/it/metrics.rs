//! deploy/observability: the rules and dashboards name metrics that a scrape of the processes contains.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use portia::SERVICES;
use serde_json::Value;

use crate::{browser::use_as_new_member, processes::Processes};

/// The lag of facts is reported every 5 to 15 s.
const TIMEOUT: Duration = Duration::from_secs(60);
/// A metric of Prometheus itself.
const OF_PROMETHEUS: &str = "up";
const KEYWORDS: [&str; 4] = ["and", "or", "unless", "bool"];
/// Words before a list of labels.
const GROUPINGS: [&str; 4] = ["by", "without", "on", "ignoring"];

#[tokio::test(flavor = "multi_thread")]
async fn every_metric_of_the_rules_and_dashboards_is_scraped() {
    // A Redis that is not there reports its absence.
    let processes = Processes::start_with_admin_ports(&[("PORTIA_REDIS_URL", "redis://127.0.0.1:1")]).await;
    use_as_new_member(&processes.base).await;
    let (used, recorded) = used_and_recorded();
    assert!(used.len() > 30, "{used:?}");

    let begun = Instant::now();
    let scraped = loop {
        let scraped = scrape(&processes).await;
        let names: BTreeSet<&str> = scraped.values().flat_map(|text| names(text)).collect();
        let is_known = |name: &str| names.contains(name) || recorded.contains(name) || name == OF_PROMETHEUS;
        let missing: Vec<_> = used.iter().filter(|(name, _)| !is_known(name)).collect();
        if missing.is_empty() {
            break scraped;
        }
        assert!(begun.elapsed() < TIMEOUT, "no process has {missing:#?}");
        tokio::time::sleep(Duration::from_millis(500)).await;
    };
    for (process, text) in &scraped {
        for name in ["portia_build_info", "process_cpu_seconds_total", "process_open_fds", "panics_total"] {
            assert!(
                !cfg!(target_os = "linux") || names(text).any(|scraped| scraped == name),
                "{process} has no {name}"
            );
        }
    }
    let gateway = &scraped["gateway"];
    for bound in ["0.3", "0.8"] {
        assert!(gateway.contains(&format!("le=\"{bound}\"")), "an objective needs the bucket {bound}");
    }
    assert!(
        scraped["feed"]
            .lines()
            .any(|line| line.starts_with("outbox_delivery_duration_seconds_bucket") && line.contains("le=\"2\""))
    );
    // Consumers ask for positions meanwhile.
    assert!(value(&scraped["feed"], "rpc_server_in_flight").unwrap() < 3.0, "an RPC that ends is not in flight");
    let hits = scraped["gateway"].lines().filter(|line| line.starts_with("cache_requests_total{"));
    assert!(hits.filter(|line| !line.ends_with(" 0")).count() >= 3, "sessions, members and posts are cached");
}

/// The metrics in all expressions, each with a file that contains it, and the names that rules record.
fn used_and_recorded() -> (BTreeMap<String, PathBuf>, BTreeSet<String>) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../observability");
    let (mut used, mut recorded) = (BTreeMap::new(), BTreeSet::new());
    let files = ["rules/recording.yml", "rules/alerts.yml"].map(|file| folder.join(file));
    let dashboards = fs::read_dir(folder.join("grafana/dashboards")).unwrap().map(|entry| entry.unwrap().path());
    for path in files.into_iter().chain(dashboards) {
        // JSON is YAML.
        let file: Value = serde_norway::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
        let mut expressions = Vec::new();
        collect(&file, &mut expressions, &mut recorded);
        assert!(!expressions.is_empty(), "{}", path.display());
        for expression in expressions {
            used.extend(metrics_of(expression).into_iter().map(|name| (name, path.clone())));
        }
    }
    (used, recorded)
}

fn collect<'a>(value: &'a Value, expressions: &mut Vec<&'a str>, recorded: &mut BTreeSet<String>) {
    match value {
        Value::Array(list) => list.iter().for_each(|each| collect(each, expressions, recorded)),
        Value::Object(fields) => {
            expressions.extend(fields.get("expr").and_then(Value::as_str));
            recorded.extend(fields.get("record").and_then(Value::as_str).map(str::to_owned));
            fields.values().for_each(|each| collect(each, expressions, recorded));
        }
        _ => {}
    }
}

/// The names of series in an expression of PromQL.
fn metrics_of(expression: &str) -> Vec<String> {
    let without = |text: String, open: char, close: char| {
        let mut depth = 0_u32;
        text.chars()
            .filter(move |letter| {
                let inside = depth > 0 || *letter == open;
                if *letter == close {
                    depth = depth.saturating_sub(1)
                } else if *letter == open {
                    depth += 1
                }
                !inside
            })
            .collect::<String>()
    };
    let bare = without(without(expression.to_owned(), '{', '}'), '[', ']');
    let is_name = |letter: char| letter.is_ascii_alphanumeric() || letter == '_' || letter == ':';
    let (mut found, mut rest) = (Vec::new(), bare.as_str());
    while let Some(start) = rest.find(is_name) {
        let end = rest[start..].find(|letter| !is_name(letter)).map_or(rest.len(), |length| start + length);
        let word = &rest[start..end];
        rest = rest[end..].trim_start();
        if GROUPINGS.contains(&word) {
            rest = rest.split_once(')').unwrap().1;
        } else if !(["(", "by ", "without "].iter().any(|next| rest.starts_with(next))
            || KEYWORDS.contains(&word)
            || word.starts_with(|c: char| c.is_ascii_digit()))
        {
            found.push(word.to_owned());
        }
    }
    found
}

#[test]
fn metrics_are_found_in_expressions() {
    let expression = "histogram_quantile(0.99, sum by (le, route) (rate(a_bucket{route!~\"/b/(c|{d})\"}[5m]))) / 2 > 1 \
        and on (process) e:f:rate5m unless g == bool 1";
    assert_eq!(metrics_of(expression), ["a_bucket", "e:f:rate5m", "g"]);
}

async fn scrape(processes: &Processes) -> BTreeMap<&'static str, String> {
    let mut scraped = BTreeMap::new();
    for process in SERVICES.into_iter().chain(["gateway"]) {
        let response = reqwest::get(format!("{}/metrics", processes.admin(process))).await.unwrap();
        scraped.insert(process, response.text().await.unwrap());
    }
    scraped
}

fn names(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split(['{', ' ']).next())
}

fn value(text: &str, name: &str) -> Option<f64> {
    text.lines().find_map(|line| line.strip_prefix(name)?.trim().parse().ok())
}
