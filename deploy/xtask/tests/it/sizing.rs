//! deploy/manual/sizing.md: its numbers match the manifests and the code.

use crate::repository::{PROCESSES, document, number_after, text};

const PAGE: &str = "deploy/manual/sizing.md";

#[test]
fn the_memory_is_that_of_the_manifests() {
    let page = text(PAGE);
    for process in PROCESSES {
        let deployment = document(&format!("deploy/kubernetes/base/{process}.yaml"), "Deployment");
        let resources = &deployment["spec"]["template"]["spec"]["containers"][0]["resources"];
        let mebibytes = |part: &str| resources[part]["memory"].as_str().unwrap().trim_end_matches("Mi").to_owned();
        let row = format!("| {process} | {} | {} |\n", mebibytes("requests"), mebibytes("limits"));
        assert!(page.contains(&row), "{PAGE} lacks {row}");
    }
}

#[test]
fn the_limits_are_those_of_the_code() {
    let page = text(PAGE);
    let with_commas = |number: u64| match (number / 1000, number % 1000) {
        (0, _) => number.to_string(),
        (thousands, rest) => format!("{thousands},{rest:03}"),
    };
    for (file, mark, sentence) in [
        ("gateway/src/edge/server.rs", "MAX_CONNECTIONS: usize = ", "has at most {} connections"),
        ("services/lib/rpc/src/circuit_breaker.rs", "IN_FLIGHT: usize = ", "has {} calls at one address"),
        ("gateway/src/config.rs", "fn default_in_flight() -> usize {\n    ", "runs {} requests at the same time"),
    ] {
        let number = number_after(&text(file).replace("8_192", "8192"), mark);
        let sentence = sentence.replace("{}", &with_commas(number));
        assert!(page.contains(&sentence), "{PAGE} lacks '{sentence}', as {file} has it");
    }
    for file in ["docker-compose.yml", "deploy/kubernetes/overlays/small/postgres.yaml"] {
        assert_eq!(number_after(&text(file), "max_connections="), 200, "{file}");
    }
    assert!(page.contains("compose and `small` set 200"));
}
