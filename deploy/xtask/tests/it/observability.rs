//! deploy/observability: alerts, runbook, dashboards and scrape configurations fit each other and the code.
//!
//! That the metrics exist is tested with running processes (deploy/standalone/tests/it/metrics.rs), the rules by promtool.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::repository::{PROCESSES, document, documents, files, text};

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
    for needed in ["annotation_prometheus_io_scrape", "regex: admin", "label_app_kubernetes_io_name"] {
        assert!(cluster.contains(needed), "{needed}");
    }
}
