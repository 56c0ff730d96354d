//! deploy/kubernetes: ports, variables, probes, policies and security contexts match the code and the images.
//!
//! The schemas of Kubernetes are checked by `cargo xtask check manifests`.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::repository::{
    PROCESSES, between, document, documents, files, number_after, sources, strings, text, variables,
};

const BASE: &str = "deploy/kubernetes/base";

fn base(file: &str) -> String {
    format!("{BASE}/{file}")
}

fn deployment(process: &str) -> Value {
    document(&base(&format!("{process}.yaml")), "Deployment")
}

/// Returns the pod specification that every Deployment shares.
fn shared() -> Value {
    document(&base("process.yaml"), "Deployment")["spec"]["template"]["spec"].clone()
}

fn setting(name: &str) -> String {
    let config = text(&base("config.env"));
    let line = config.lines().find_map(|line| line.strip_prefix(&format!("{name}=")).map(str::to_owned));
    line.unwrap_or_else(|| panic!("config.env has no {name}"))
}

fn label<'a>(deployment: &'a Value, name: &str) -> Option<&'a str> {
    deployment["spec"]["template"]["metadata"]["labels"][name].as_str()
}

#[test]
fn every_process_has_a_deployment_and_a_service_on_its_port() {
    for process in PROCESSES {
        let deployment = deployment(process);
        let containers = deployment["spec"]["template"]["spec"]["containers"].as_array().unwrap();
        let [container] = containers.as_slice() else { panic!("{process} has several containers") };
        assert_eq!(container["name"], "process", "process.yaml is merged into the container of this name");
        assert_eq!(container["image"], format!("portia-{process}"));
        let own = container["env"].as_array().unwrap().iter().find(|variable| variable["name"] == "PORTIA_LISTEN");
        let listen = own.map_or_else(|| setting("PORTIA_LISTEN"), |own| own["value"].as_str().unwrap().to_owned());
        let port = &container["ports"][0];
        assert_eq!(listen, format!("0.0.0.0:{}", port["containerPort"]), "{process}");

        let service = document(&base(&format!("{process}.yaml")), "Service");
        let served = &service["spec"]["ports"][0];
        assert_eq!(served["targetPort"], port["name"], "{process}");
        assert_eq!(service["spec"]["selector"], deployment["spec"]["selector"]["matchLabels"], "{process}");
        assert_eq!(label(&deployment, "app.kubernetes.io/name"), Some(process));
        if process == "gateway" {
            continue;
        }
        assert_eq!(service["spec"]["clusterIP"], "None", "{process}: the callers balance themselves");
        let variable = format!("PORTIA_{}_URL", process.replace('-', "_").to_uppercase());
        assert_eq!(setting(&variable), format!("https://{process}:{}", served["port"]));
    }
}

#[test]
fn the_probes_are_those_of_the_admin_port() {
    let container = shared()["containers"][0].clone();
    assert_eq!(container["ports"][0]["name"], "admin");
    assert_eq!(setting("PORTIA_ADMIN_LISTEN"), format!("0.0.0.0:{}", container["ports"][0]["containerPort"]));
    // Without spaces: a route may be written on several lines.
    let code: String = text("services/lib/chassis/src/lifecycle/admin.rs").split_whitespace().collect();
    let served = between(&code, ".route(\"", "\"");
    for (probe, path) in [("startupProbe", "/startupz"), ("readinessProbe", "/readyz"), ("livenessProbe", "/livez")] {
        assert_eq!(container[probe]["httpGet"]["path"], path);
        assert_eq!(container[probe]["httpGet"]["port"], "admin");
        assert!(served.contains(path), "the admin port does not serve {path}");
    }
    let annotations = &document(&base("process.yaml"), "Deployment")["spec"]["template"]["metadata"]["annotations"];
    assert_eq!(annotations["prometheus.io/port"], container["ports"][0]["containerPort"].to_string());
    assert!(served.contains(annotations["prometheus.io/path"].as_str().unwrap()));
}

#[test]
fn every_variable_is_read_by_a_process() {
    let known = variables();
    let mut seen = BTreeSet::new();
    for path in files("deploy/kubernetes").into_iter().filter(|path| !path.ends_with(".md")) {
        let text = text(&path);
        for word in text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_') {
            let Some(name) = word.strip_prefix("PORTIA_").filter(|name| !name.is_empty()) else { continue };
            assert!(known.contains_key(&format!("PORTIA_{name}")), "{path}: no process reads PORTIA_{name}");
            seen.insert(name.to_owned());
        }
    }
    for needed in [
        "SIGNING_KEYS",
        "CREDENTIAL_KEYS",
        "DATABASE_URL",
        "SERVICE_KEY",
        "PUBLIC_KEYS",
        "PICTURE_KEYS",
        "PUBLIC_ORIGIN",
    ] {
        assert!(seen.contains(needed), "PORTIA_{needed} is not set");
    }
}

#[test]
fn a_stop_takes_no_longer_than_its_grace_period() {
    let drain: u64 = setting("PORTIA_DRAIN_SECONDS").parse().unwrap();
    let finish =
        number_after(&text("services/lib/chassis/src/lifecycle.rs"), "FINISH_TIMEOUT: Duration = Duration::from_secs(");
    let export =
        number_after(&text("services/lib/telemetry/src/lib.rs"), "EXPORT_TIMEOUT: Duration = Duration::from_secs(");
    let grace = shared()["terminationGracePeriodSeconds"].as_u64().unwrap();
    assert!(grace > drain + finish + export, "{grace} s are too short");
}

#[test]
fn the_callers_of_a_service_are_the_gateway_and_the_consumers_of_its_facts() {
    let policies = documents(&base("network.yaml"));
    for source in PROCESSES.into_iter().filter(|process| *process != "gateway") {
        let subscribes = |process: &&str| {
            let folder = if *process == "gateway" { return true } else { format!("services/{process}/src") };
            sources(&folder).contains(&format!("context, db, \"{source}\""))
        };
        let expected: BTreeSet<&str> = PROCESSES.into_iter().filter(subscribes).collect();
        let policy = policies.iter().find(|policy| policy["metadata"]["name"] == format!("{source}-callers")).unwrap();
        let from = &policy["spec"]["ingress"][0]["from"][0]["podSelector"]["matchExpressions"][0];
        assert_eq!(from["key"], "app.kubernetes.io/name");
        assert_eq!(strings(&from["values"]), expected, "the callers of {source}");
        assert_eq!(policy["spec"]["podSelector"]["matchLabels"]["app.kubernetes.io/name"], source);
        let port = policy["spec"]["ingress"][0]["ports"][0]["port"].as_u64().unwrap();
        assert_eq!(setting("PORTIA_LISTEN"), format!("0.0.0.0:{port}"));
    }
    let deny = policies.iter().find(|policy| policy["metadata"]["name"] == "default-deny").unwrap();
    assert_eq!(deny["spec"]["podSelector"], serde_json::json!({}));
    assert_eq!(strings(&deny["spec"]["policyTypes"]), BTreeSet::from(["Egress", "Ingress"]));
}

#[test]
fn only_processes_that_fetch_pages_reach_the_internet() {
    for process in PROCESSES {
        let folder = if process == "gateway" { "gateway".to_owned() } else { format!("services/{process}") };
        let deployment = deployment(process);
        let fetches = text(&format!("{folder}/Cargo.toml")).contains("\ncrawler.workspace");
        assert_eq!(label(&deployment, "portia/internet").is_some(), fetches, "{process}: internet");
        let stores = sources(&format!("{folder}/src")).contains("Pictures::open(");
        assert_eq!(label(&deployment, "portia/pictures").is_some(), stores, "{process}: pictures");
        let component = if process == "gateway" { "gateway" } else { "service" };
        assert_eq!(label(&deployment, "app.kubernetes.io/component"), Some(component));
    }
}

#[test]
fn links_of_members_lead_to_no_private_address() {
    let policies = documents(&base("network.yaml"));
    let internet = policies.iter().find(|policy| policy["metadata"]["name"] == "internet").unwrap();
    let pictures = document("deploy/kubernetes/overlays/production/network.yaml", "NetworkPolicy");
    assert_eq!(pictures["spec"]["podSelector"]["matchLabels"]["portia/pictures"], "true");
    assert_eq!(pictures["spec"]["egress"], internet["spec"]["egress"], "feed has both policies");
    for block in internet["spec"]["egress"][0]["to"].as_array().unwrap() {
        assert!(!strings(&block["ipBlock"]["except"]).is_empty(), "{block}");
    }
}

#[test]
fn connections_to_postgres_and_redis_lead_to_the_addresses_of_the_overlay() {
    for name in ["database", "cache"] {
        let egress = |path: &str| {
            let policies = documents(path);
            let policy = policies.into_iter().find(|policy| policy["metadata"]["name"] == name).unwrap();
            policy["spec"]["egress"].as_array().unwrap().clone()
        };
        assert!(egress(&base("network.yaml")).is_empty(), "{name}: the base admits none");
        for (overlay, patch) in [("small", "network.yaml"), ("production", "servers.yaml")] {
            let folder = format!("deploy/kubernetes/overlays/{overlay}");
            let patches = documents(&format!("{folder}/kustomization.yaml")).remove(0)["patches"].clone();
            assert!(patches.as_array().unwrap().iter().any(|listed| listed["path"] == patch), "{overlay}: {patch}");
            for rule in egress(&format!("{folder}/{patch}")) {
                for to in rule["to"].as_array().expect("any address") {
                    let private = ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"];
                    let is_private = to["ipBlock"]["cidr"].as_str().is_none_or(|cidr| private.contains(&cidr));
                    assert!(is_private, "{overlay}, {name}: {to}");
                }
            }
        }
    }
}

#[test]
fn nginx_admits_as_many_requests_of_a_client_as_the_gateway_connections() {
    let most =
        number_after(&text("gateway/src/config.rs"), "const fn default_connections_per_client() -> usize {\n    ");
    let controller = document("deploy/kubernetes/controller.yaml", "ConfigMap")["data"].clone();
    let snippet = |name: &str| controller[name].as_str().unwrap().to_owned();
    assert_eq!(number_after(&snippet("location-snippet"), "limit_conn portia_clients "), most);
    assert!(snippet("http-snippet").contains("limit_conn_zone $portia_client zone=portia_clients:"));
    for overlay in ["small", "production"] {
        let ingress = document(&format!("deploy/kubernetes/overlays/{overlay}/ingress.yaml"), "Ingress");
        let limit = &ingress["metadata"]["annotations"]["nginx.ingress.kubernetes.io/limit-connections"];
        assert_eq!(limit.as_str(), Some(most.to_string().as_str()), "{overlay}");
    }
}

#[test]
fn the_postgres_of_compose_and_of_the_overlay_small_refuses_plaintext() {
    let rules = text("deploy/docker/pg_hba.conf");
    let mut rules = rules.lines().filter(|line| !line.starts_with('#'));
    assert!(rules.all(|line| line.starts_with("local ") || line.starts_with("hostssl ")));
    let compose = documents("docker-compose.yml").remove(0);
    let postgres = &compose["services"]["postgres"];
    assert!(strings(&postgres["command"]).contains("hba_file=/pg_hba.conf"));
    assert!(strings(&postgres_volumes(postgres)).contains("./deploy/docker/pg_hba.conf:/pg_hba.conf:ro"));
    let small =
        document("deploy/kubernetes/overlays/small/postgres.yaml", "StatefulSet")["spec"]["template"]["spec"].clone();
    assert!(strings(&small["containers"][0]["args"]).contains("hba_file=/clients/pg_hba.conf"));
    let volumes = small["volumes"].as_array().unwrap();
    let clients = volumes.iter().find(|volume| volume["name"] == "clients").unwrap();
    let maps = document("deploy/docker/kustomization.yaml", "Kustomization")["configMapGenerator"].clone();
    let map = maps.as_array().unwrap().iter().find(|map| map["name"] == clients["configMap"]["name"]).unwrap();
    assert!(strings(&map["files"]).contains("pg_hba.conf"));
}

/// The volumes in the short form.
fn postgres_volumes(postgres: &Value) -> Value {
    postgres["volumes"].as_array().unwrap().iter().filter(|volume| volume.is_string()).cloned().collect()
}

#[test]
fn pods_that_connect_to_postgres_know_its_authority() {
    let job = document("deploy/kubernetes/bootstrap/job.yaml", "Job")["spec"]["template"]["spec"].clone();
    let migrate = document("deploy/kubernetes/bootstrap/migrate.yaml", "Job")["spec"]["template"]["spec"].clone();
    let operator = document("deploy/kubernetes/operator.yaml", "Pod")["spec"].clone();
    let pods = [("process.yaml", shared()), ("job.yaml", job), ("migrate.yaml", migrate), ("operator.yaml", operator)];
    for (name, pod) in pods {
        let sources = pod["volumes"].as_array().unwrap().iter().flat_map(|volume| {
            let projected = volume["projected"]["sources"].as_array().into_iter().flatten();
            projected.chain([volume]).map(|source| (volume["name"].clone(), source["configMap"].clone()))
        });
        let (volume, map) = sources.into_iter().find(|(_, map)| map["name"] == "database-ca").unwrap();
        assert_eq!(map["optional"], true, "{name}");
        let mounts = pod["containers"][0]["volumeMounts"].as_array().unwrap();
        let mount = mounts.iter().find(|mount| mount["name"] == volume).unwrap();
        assert_eq!(mount["mountPath"], "/keys", "{name}");
    }
    let production = text("deploy/kubernetes/overlays/production/bootstrap.env");
    assert!(production.contains("\nPGSSLMODE=verify-full\nPGSSLROOTCERT=/keys/database-ca.crt\n"));
}

#[test]
fn every_process_has_its_certificate_and_no_connection_is_in_plaintext() {
    let folder = setting("PORTIA_TLS_DIR");
    let compose = documents("docker-compose.yml").remove(0);
    let environment = |process: &str| compose["services"][process]["environment"].clone();
    for process in PROCESSES {
        let pod = &deployment(process)["spec"]["template"]["spec"];
        let mounts = pod["containers"][0]["volumeMounts"].as_array().unwrap();
        let mount = mounts.iter().find(|mount| mount["mountPath"] == folder).unwrap();
        let volumes = pod["volumes"].as_array().unwrap();
        let secret = &volumes.iter().find(|volume| volume["name"] == mount["name"]).unwrap()["secret"];
        assert_eq!(secret["secretName"], process);
        let items = secret["items"].as_array().unwrap();
        for file in ["tls.crt", "tls.key", "ca.crt"] {
            assert!(items.iter().any(|item| item["path"] == file), "{process}: {file}");
        }
        let service = &compose["services"][process];
        let own = format!("keys/tls/{process}");
        let volumes = service["volumes"].as_array().unwrap();
        let volume = volumes.iter().find(|volume| volume["volume"]["subpath"] == *own).unwrap();
        assert_eq!(volume["target"], environment(process)["<<"]["PORTIA_TLS_DIR"], "{process}");
    }
    for path in files("deploy/kubernetes").into_iter().chain(["docker-compose.yml".to_owned()]) {
        let text = text(&path);
        assert!(!text.contains("ALLOW_PLAINTEXT"), "{path}");
        for line in text.lines() {
            for (address, encrypted) in [
                (":50051", "https://"),
                ("OTLP_ENDPOINT=", "https://"),
                ("OTLP_ENDPOINT:", "https://"),
                ("REDIS_URL=", "rediss://"),
                ("REDIS_URL:", "rediss://"),
                ("@postgres/", "sslmode=verify-full"),
            ] {
                let is_connection = line.contains(address) && line.contains("://");
                assert!(!is_connection || line.contains(encrypted), "{path}: {line}");
            }
        }
    }
    assert!(environment("gateway")["PORTIA_TRUSTED_HOPS"].is_string());
    assert!(environment("auth")["PORTIA_PASSWORD_POLICY"].is_string());
}

#[test]
fn the_ingress_controller_reaches_the_gateway_and_challenges_of_certificates() {
    let policies = documents(&base("network.yaml"));
    let ingress = |name: &str| {
        let policy = policies.iter().find(|policy| policy["metadata"]["name"] == name).unwrap();
        (policy["spec"]["podSelector"]["matchLabels"].clone(), policy["spec"]["ingress"].clone())
    };
    let (_, gateway) = ingress("gateway-callers");
    let (labels, challenges) = ingress("certificate-challenges");
    assert_eq!(labels, serde_json::json!({ "acme.cert-manager.io/http01-solver": "true" }));
    assert_eq!(challenges[0]["from"], gateway[0]["from"]);
    assert_eq!(challenges[0]["ports"][0]["port"], 8089);
}

#[test]
fn every_pod_is_restricted() {
    let user = number_after(&text("deploy/docker/Dockerfile"), "USER ");
    let mut pods = vec![("process.yaml".to_owned(), shared())];
    for path in
        files("deploy/kubernetes").into_iter().filter(|path| path.ends_with(".yaml") && !path.contains("/base/"))
    {
        for document in documents(&path) {
            let pod = if document["kind"] == "Pod" { &document["spec"] } else { &document["spec"]["template"]["spec"] };
            // A patch has no image.
            if pod["containers"][0]["image"].is_string() {
                pods.push((path.clone(), pod.clone()));
            }
        }
    }
    assert_eq!(pods.len(), 6, "process.yaml, bootstrap, migrate, operator, postgres, redis: {pods:?}");
    for (path, pod) in &pods {
        let context = &pod["securityContext"];
        assert_eq!(context["runAsNonRoot"], true, "{path}");
        assert_eq!(context["seccompProfile"]["type"], "RuntimeDefault", "{path}");
        assert_eq!(pod["automountServiceAccountToken"], false, "{path}");
        for container in pod["containers"].as_array().unwrap() {
            let context = &container["securityContext"];
            assert_eq!(context["allowPrivilegeEscalation"], false, "{path}");
            assert_eq!(context["readOnlyRootFilesystem"], true, "{path}");
            assert_eq!(strings(&context["capabilities"]["drop"]), BTreeSet::from(["ALL"]), "{path}");
        }
    }
    assert_eq!(pods[0].1["securityContext"]["runAsUser"], user, "the user of the images");
}

#[test]
fn overlays_name_every_image_and_production_scales_every_process() {
    for overlay in ["small", "production"] {
        let kustomization =
            document(&format!("deploy/kubernetes/overlays/{overlay}/kustomization.yaml"), "Kustomization");
        let images = kustomization["images"].as_array().unwrap();
        let named: Vec<String> = images.iter().map(|image| image["name"].as_str().unwrap().to_owned()).collect();
        let expected: Vec<String> =
            PROCESSES.iter().chain(&["secrets"]).map(|image| format!("portia-{image}")).collect();
        assert_eq!(named, expected, "{overlay}");
        assert!(images.iter().all(|image| image["newName"].is_null()), "{overlay}: a registry is not ours to name");
    }
    for (file, kind) in [("autoscaling", "HorizontalPodAutoscaler"), ("disruption", "PodDisruptionBudget")] {
        let all = documents(&format!("deploy/kubernetes/overlays/production/{file}.yaml"));
        assert!(all.iter().all(|each| each["kind"] == kind), "{file}");
        let names: Vec<&str> = all.iter().map(|each| each["metadata"]["name"].as_str().unwrap()).collect();
        assert_eq!(names, PROCESSES, "{file}");
    }
}
