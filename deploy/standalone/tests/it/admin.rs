//! What an operator types on the machine Portia runs on, and what the member does with the answer.

use std::{
    path::Path,
    process::{Command, Output},
};

use chassis::rpc::Call;
use portia::stack::Stack;
use portia_proto::auth::{ResetPasswordRequest, auth_service_client::AuthServiceClient};
use serde_json::json;

use crate::{
    browser::Browser,
    local::{folder, start},
};

/// `portia admin reset-link ..` as a process of its own, told nothing by this one's environment.
fn reset_link(data: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_portia"))
        .args(["admin", "reset-link"])
        .args(arguments)
        .arg("--data")
        .arg(data)
        .env_remove("PORTIA_DATABASE_URL")
        .env_remove("PORTIA_AUTH_DATABASE_URL")
        .env_remove("PORTIA_PUBLIC_ORIGIN")
        .output()
        .unwrap()
}

fn said(text: &[u8]) -> String {
    String::from_utf8(text.to_vec()).unwrap()
}

/// One sentence on standard error, nothing else, and a code that says no.
fn assert_refused(output: &Output, sentence: &str) {
    let told = said(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(told.contains(sentence) && told.trim().lines().count() == 1, "{told}");
    assert_eq!(said(&output.stdout), "");
}

async fn reset(stack: &Stack, username: &str, token: &str) -> Result<(), tonic::Status> {
    let gateway = stack.frame("gateway").unwrap();
    let own = gateway.signer.service(gateway.clock.now()).unwrap();
    let call = Call::new(&own, std::time::Duration::from_secs(10)).unwrap();
    let message = ResetPasswordRequest {
        username: username.into(),
        password: "a new password".into(),
        link_token: Some(token.into()),
        ..ResetPasswordRequest::default()
    };
    let mut auth = AuthServiceClient::new(gateway.neighbours.transport("auth").unwrap());
    auth.reset_password(call.request(message)?).await.map(drop)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reset_link_is_printed_once_and_works_once() {
    let data = folder();
    let home = data.path().join("data");
    let stack = start(&data, true).await;
    let mut browser = Browser::new(format!("http://{}", stack.address));
    browser.register("Locked+Out").await;

    let output = reset_link(&home, &["locked+out", "--origin", "https://portia.example/"]);
    let printed = said(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output.stderr));
    let link = printed.lines().next().unwrap();
    let fields = link.strip_prefix("https://portia.example/forgot-password#token=").unwrap();
    let (token, username) = fields.split_once("&username=").unwrap();
    assert_eq!((token.len(), username), (43, "Locked%2BOut"), "as a browser reads fields");
    assert!(printed.contains("It works once, until 20") && printed.contains(" UTC."), "{printed}");

    reset(&stack, "locked+out", token).await.unwrap();
    assert!(reset(&stack, "locked+out", token).await.is_err(), "once");
    browser.get("/api/auth/me").await.expect(401);
    let credentials = json!({"username": "locked+out", "password": "a new password"});
    browser.post("/api/auth/login", credentials).await.expect(200);

    assert_refused(&reset_link(&home, &["nobody.here"]), "There is no account named 'nobody.here'.");
    let nowhere = reset_link(&home, &["locked+out", "--origin", "portia.example"]);
    assert_refused(&nowhere, "is not where members reach Portia");
    stack.stop().await.unwrap();
    assert_refused(&reset_link(&home, &["locked+out"]), "Portia is not running on the data in");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_that_is_not_there_is_not_made() {
    let data = folder();
    let nowhere = data.path().join("nowhere");
    assert_refused(&reset_link(&nowhere, &["locked.out"]), "Portia is not running on the data in");
    assert!(!nowhere.exists());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_configured_database_is_asked_instead() {
    let data = folder();
    let stack = start(&data, true).await;
    let mut browser = Browser::new(format!("http://{}", stack.address));
    browser.register("locked.out").await;
    let database = stack.frame("auth").unwrap().database.clone().unwrap();
    let url = sqlx::ConnectOptions::to_url_lossy(&database).to_string();
    for variable in ["PORTIA_DATABASE_URL", "PORTIA_AUTH_DATABASE_URL"] {
        let output = Command::new(env!("CARGO_BIN_EXE_portia"))
            .args(["admin", "reset-link", "locked.out", "--data"])
            .arg(data.path().join("nowhere"))
            .env_remove("PORTIA_PUBLIC_ORIGIN")
            .env(variable, &url)
            .output()
            .unwrap();
        let printed = said(&output.stdout);
        assert!(printed.starts_with("http://127.0.0.1:8080/forgot-password#token="), "{}", said(&output.stderr));
    }
    stack.stop().await.unwrap();
}
