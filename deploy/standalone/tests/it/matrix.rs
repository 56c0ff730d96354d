//! The authorisation matrix on the real services and their SQL: every route, called by ten callers with different relations to its owner.

mod existence;
pub mod fixture;
mod fresh;
mod leaks;
mod parts;
mod privacy;
mod setup;
pub mod table;

use std::collections::BTreeSet;

use fixture::Fixture;
use leaks::Leaks;
use parts::Parts;
use table::{CALLERS, rows};

#[tokio::test(flavor = "multi_thread")]
async fn every_route_admits_exactly_the_callers_of_the_matrix_and_reveals_nothing_to_others() {
    let mut fixture = Fixture::open().await;
    let mut leaks = Leaks::new(&fixture);
    let mut parts = Parts::new(&fixture);
    let mut wrong = Vec::new();
    for row in rows() {
        for (caller, expected) in CALLERS.into_iter().zip(row.statuses) {
            let response = fixture.send(&row, caller, expected < 400).await;
            if response.status != expected {
                wrong.push(format!(
                    "{} {} as {caller}: {} instead of {expected}: {}",
                    row.method,
                    row.path,
                    response.status,
                    response.text.chars().take(300).collect::<String>()
                ));
            }
            leaks.check(&row, caller, &response);
            parts.check(&row, caller, &response);
        }
    }
    fixture.stack.stop().await.unwrap();
    let wrong = [wrong, leaks.found(), parts.found()].concat();
    assert!(wrong.is_empty(), "wrong statuses, leaks and wrong parts:\n{}", wrong.join("\n"));
}

/// The routes of the gateway that are not in the document.
const UNDOCUMENTED: [&str; 7] = [
    "get /api/openapi.json",
    "get /api/docs",
    "get /media/{name}",
    "get /media/signed/{name}",
    "get /.well-known/security.txt",
    "get /.well-known/change-password",
    "get /profile/{id}",
];

#[test]
fn every_operation_and_undocumented_route_has_a_row() {
    let document: serde_json::Value = serde_json::from_str(&gateway::api::routes::document_json()).unwrap();
    let operations = document["paths"].as_object().unwrap().iter().flat_map(|(path, item)| {
        let methods = item.as_object().unwrap().keys().filter(|key| !["parameters", "summary"].contains(&key.as_str()));
        methods.map(move |method| format!("{method} {path}"))
    });
    let expected: BTreeSet<String> = operations.chain(UNDOCUMENTED.map(str::to_owned)).collect();
    let rows: BTreeSet<String> = rows().iter().map(|row| format!("{} {}", row.method, row.route())).collect();
    assert_eq!(rows, expected);
}
