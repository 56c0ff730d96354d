//! deploy/observability: alerts, runbook, dashboards and scrape configurations fit each other and the code.
//!
//! That the metrics exist is tested with running processes (deploy/standalone/tests/it/metrics.rs), the rules by promtool.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::repository::{PROCESSES, between, document, documents, files, text};

const FOLDER: &str = "deploy/observability";

fn rules(file: &str) -> Vec<Value> {
    let [file] = documents(&format!("{FOLDER}/rules/{file}.yml")).try_into().unwrap();
    let Value::Object(fields) = file else { panic!("no mapping") };
    let groups = fields["groups"].as_array().unwrap().clone();
    groups.iter().flat_map(|group| group["rules"].as_array().unwrap().clone()).collect()
}

#[test]
fn every_alert_has_a_severity_and_a_section_of_the_runbook() {
    let runbook = text(&format!("{FOLDER}/runbook.md"));
    let sections: BTreeSet<String> =
        runbook.lines().filter_map(|line| line.strip_prefix("## ")).map(str::to_owned).collect();
    let mut alerts = BTreeSet::new();
    for rule in rules("alerts") {
        let name = rule["alert"].as_str().unwrap();
        alerts.insert(name.to_owned());
        assert!(matches!(rule["labels"]["severity"].as_str(), Some("page" | "ticket")), "{name}");
        let anchor = format!("{FOLDER}/runbook.md#{}", name.to_lowercase());
        assert_eq!(rule["annotations"]["runbook"], anchor, "{name}");
        assert!(!rule["annotations"]["summary"].as_str().unwrap().is_empty(), "{name}");
    }
    assert_eq!(alerts, sections);
}

#[test]
fn the_objectives_are_bounds_of_buckets() {
    let code = text("services/lib/telemetry/src/metrics.rs");
    let buckets = code.split("DURATION_BUCKETS: [f64;").nth(1).and_then(|rest| rest.split(';').next()).unwrap();
    let recorded: String = rules("recording").iter().map(|rule| rule["expr"].as_str().unwrap().to_owned()).collect();
    for (bound, matcher) in [("0.3", "le=\"0.3\""), ("0.8", "le=\"0.8\""), ("2.0", "le=~\"2|2.0\"")] {
        assert!(buckets.split([',', '[', ']']).any(|bucket| bucket.trim() == bound), "{bound}");
        assert!(recorded.contains(matcher), "{matcher}");
    }
}

#[test]
fn the_absence_of_every_process_is_an_alert() {
    let rules = rules("alerts");
    let absent = rules.iter().find(|rule| rule["alert"] == "PortiaProcessAbsent").unwrap();
    let named = between(absent["expr"].as_str().unwrap(), "absent(up{process=\"", "\"})");
    assert_eq!(named, BTreeSet::from(PROCESSES));
}

#[test]
fn uploads_are_no_slow_writes() {
    let rules = rules("recording");
    let written: BTreeSet<&str> = rules
        .iter()
        .filter(|rule| rule["record"].as_str().unwrap().starts_with("portia:slow_writes:"))
        .flat_map(|rule| between(rule["expr"].as_str().unwrap(), "route!~\"", "\""))
        .collect();
    let [written] = Vec::from_iter(written).try_into().expect("all windows leave out the same routes");
    let mut excluded = alternatives(written);
    // It waits for crawls.
    assert!(excluded.remove("/api/(jobs|news)/refresh"));
    let uploads: BTreeSet<String> = uploads().iter().map(|path| pattern(path)).collect();
    assert!(uploads.len() > 4, "{uploads:?}");
    assert_eq!(excluded, uploads);
}

/// The alternatives of `/api/(a|b/(c|d))`.
fn alternatives(pattern: &str) -> BTreeSet<String> {
    let inner = pattern.strip_prefix("/api/(").and_then(|rest| rest.strip_suffix(')')).unwrap();
    let (mut found, mut depth) = (vec![String::new()], 0);
    for letter in inner.chars() {
        match letter {
            '(' => depth += 1,
            ')' => depth -= 1,
            '|' if depth == 0 => {
                found.push(String::new());
                continue;
            }
            _ => {}
        }
        found.last_mut().unwrap().push(letter);
    }
    found.into_iter().map(|route| format!("/api/{route}")).collect()
}

/// The pattern of a route, whose parameters are any segment.
fn pattern(route: &str) -> String {
    let segments = route.split('/').map(|segment| if segment.starts_with('{') { "[^/]+" } else { segment });
    segments.collect::<Vec<_>>().join("/")
}

/// The routes of the gateway whose long body is a file or contains one, and not a long text.
fn uploads() -> BTreeSet<String> {
    let routes = text("gateway/src/api/routes.rs");
    let mut found = BTreeSet::new();
    for call in routes.split("attributes.long_body(").skip(1) {
        let (attributes, handlers) = call.split_once("routes!(").unwrap();
        let [method, limit, ..] = attributes.split(',').map(str::trim).collect::<Vec<_>>()[..] else {
            panic!("no method and limit: {attributes}")
        };
        if limit == "LONG_TEXT" {
            continue;
        }
        let method = method.strip_prefix("Method::").unwrap().to_lowercase();
        let handlers = handlers.split(')').next().unwrap().split(',').map(str::trim);
        let paths: BTreeSet<String> = handlers.filter_map(|handler| path_of(&routes, &method, handler)).collect();
        assert_eq!(paths.len(), 1, "{call}");
        found.extend(paths);
    }
    found
}

/// The path in the documentation of a handler, if it has this method.
fn path_of(routes: &str, method: &str, handler: &str) -> Option<String> {
    let (alias, function) = handler.split_once("::").unwrap();
    // The name before `as`, where the module is imported by another one.
    let module = routes.split_once(&format!(" as {alias}")).map_or(alias, |(before, _)| {
        before.rsplit(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_').next().unwrap()
    });
    let start = format!("#[utoipa::path({method}, path = \"");
    let documented = |path: &String| {
        let code = text(path);
        let paths = code.split(&start).skip(1).filter(|rest| {
            let signature = rest.split_once("pub async fn ").unwrap().1;
            signature.split('(').next() == Some(function)
        });
        paths.map(|rest| rest.split('"').next().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let files: Vec<String> = files("gateway/src/api").into_iter().filter(|path| path.ends_with(".rs")).collect();
    let within = |name: &str| -> Vec<String> {
        let is_named = |path: &&String| path.trim_end_matches(".rs").split('/').any(|part| part == name);
        files.iter().filter(is_named).flat_map(documented).collect()
    };
    let named = within(alias);
    let found = if named.is_empty() { within(module) } else { named };
    assert!(found.len() <= 1, "{handler}: {found:?}");
    found.into_iter().next()
}

#[test]
fn dashboards_have_their_own_uid_and_titled_panels() {
    let mut uids = BTreeSet::new();
    for path in files(&format!("{FOLDER}/grafana/dashboards")) {
        let dashboard: Value = serde_json::from_str(&text(&path)).unwrap();
        assert!(uids.insert(dashboard["uid"].as_str().unwrap().to_owned()), "{path}");
        let panels = dashboard["panels"].as_array().unwrap();
        assert!(!panels.is_empty(), "{path}");
        for panel in panels {
            assert!(panel["title"].is_string(), "{path}");
            assert_eq!(panel["datasource"]["uid"], "${datasource}", "{path}: {}", panel["title"]);
        }
    }
    assert_eq!(uids.len(), 4);
}

#[test]
fn every_process_is_scraped() {
    let [compose] = documents(&format!("{FOLDER}/prometheus.yml")).try_into().unwrap();
    let targets = compose["scrape_configs"][0]["static_configs"].as_array().unwrap();
    let scraped: Vec<_> =
        targets.iter().map(|target| (target["targets"][0].clone(), target["labels"]["process"].clone())).collect();
    let expected = PROCESSES.map(|process| (Value::from(format!("{process}:9090")), Value::from(process)));
    assert_eq!(scraped, expected);
    assert!(text("docker-compose.yml").contains("PORTIA_ADMIN_LISTEN: 0.0.0.0:9090"));

    let cluster = text(&format!("{FOLDER}/kubernetes-scrape.yml"));
    let pods = document("deploy/kubernetes/base/process.yaml", "Deployment");
    let template = &pods["spec"]["template"];
    assert_eq!(template["metadata"]["annotations"]["prometheus.io/scrape"], "true");
    assert_eq!(template["spec"]["containers"][0]["ports"][0]["name"], "admin");
    for needed in
        ["annotation_prometheus_io_scrape", "regex: admin", "label_app_kubernetes_io_name", "regex: Failed|Succeeded"]
    {
        assert!(cluster.contains(needed), "{needed}");
    }
}
