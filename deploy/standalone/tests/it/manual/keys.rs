//! deploy/manual/keys.md, and the actions of incidents.md: rotations, certificates, passwords, accounts, sessions.

use std::{
    fs,
    path::Path,
    time::{Duration, SystemTime},
};

use chassis::config::field_name;
use portia::{SERVICES, keys};
use rpc::tls::Tls;
use serde_json::json;
use sqlx::ConnectOptions as _;

use super::{
    backup::{password, post, server_of, wait_until},
    shell::Shell,
};
use crate::{browser::Browser, key_rotation::wait_until_read, processes::Processes};

pub const BLOCKS: &[&str] = &[
    "make-secrets",
    "announce-keys",
    "sign-with-next-keys",
    "prune-keys",
    "make-picture-key",
    "make-credential-key",
    "show-credential-keys",
    "renew-certificate",
    "change-password",
    "close-misused-account",
    "reopen-account",
    "note-audit",
    "end-all-sessions",
];

/// Lets the commands see keys that changed earlier, instead of waiting.
fn age(keys: &Path, seconds: u64) {
    let file = fs::File::options().append(true).open(keys.join(keys::PUBLIC)).unwrap();
    file.set_modified(SystemTime::now() - Duration::from_secs(seconds)).unwrap();
}

/// The signing keys change while members use Portia. Each step is read by all processes before the next.
async fn rotate_signing_keys(shell: &mut Shell, processes: &Processes, member: &mut Browser) {
    let folder = processes.keys();
    assert!(shell.run("announce-keys").starts_with("9 next keys are announced."));
    assert!(shell.refused("sign-with-next-keys").contains("Some processes may not know the next keys yet"));
    wait_until_read(processes, 2.0, 3.0).await;
    age(&folder, 61);
    wait_until_read(processes, 3.0, 4.0).await;
    assert!(shell.run("sign-with-next-keys").starts_with("9 next keys sign from now on."));
    wait_until_read(processes, 5.0, 7.0).await;
    // Tokens of the previous keys are still valid.
    member.get("/api/auth/me").await.expect(200);
    assert!(shell.refused("prune-keys").contains("may still be valid"));
    age(&folder, 121);
    wait_until_read(processes, 6.0, 8.0).await;
    assert_eq!(shell.run("prune-keys"), "9 previous keys are removed.\n");
    wait_until_read(processes, 7.0, 9.0).await;
    member.get("/api/notifications").await.expect(200);
}

/// Adds the file at the end of a list, then puts it first: two restarts.
async fn rotate_file(processes: &mut Processes, process: &str, variable: &str, name: &str) {
    let folder = processes.keys();
    let [old, next] = [format!("{name}.key"), format!("{name}-next.key")].map(|file| folder.join(file));
    let secret = fs::read_to_string(&next).unwrap();
    assert!(secret.len() == 64 && secret.bytes().all(|byte| byte.is_ascii_hexdigit()), "{secret}");
    for list in [[&old, &next], [&next, &old]] {
        let list = list.map(|file| file.display().to_string()).join(",");
        processes.set(process, variable, &list);
        processes.restart(process).await;
        processes.wait_until_ready().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_passwords_and_accounts_change_while_portia_runs() {
    let mut processes = Processes::start_with_admin_ports(&[]).await;
    let Some(server) = server_of(&processes).await else { return };
    let secrets = processes.folder();
    let mut shell = Shell::new(&server, &[("SECRETS", &secrets)]);
    shell.run("make-secrets");
    let mut member = Browser::new(&processes.base);
    member.register("long.session").await;
    rotate_signing_keys(&mut shell, &processes, &mut member).await;

    shell.run("make-picture-key");
    rotate_file(&mut processes, "gateway", "PORTIA_PICTURE_KEYS", "pictures").await;
    shell.run("make-credential-key");
    rotate_file(&mut processes, "auth", "PORTIA_CREDENTIAL_KEYS", "credentials").await;
    shell.run("show-credential-keys");
    shell.set("SERVICE", "feed");
    let certificate = processes.keys().join("tls/feed");
    let before = fs::read(certificate.join("tls.crt")).unwrap();
    shell.run("renew-certificate");
    assert_ne!(fs::read(certificate.join("tls.crt")).unwrap(), before);
    Tls::open(&certificate).unwrap();

    shell.set("SCHEMA", "feed");
    shell.run("change-password");
    processes.set("feed", "PORTIA_DATABASE_URL", &server.url("feed", &password(&secrets, "feed")));
    processes.restart("feed").await;
    processes.wait_until_ready().await;
    member.get("/api/auth/me").await.expect(200);
    post(&mut member, "With new keys and a new password").await;

    for service in SERVICES {
        let url = processes.database(service).to_url_lossy().to_string();
        let url = if service == "feed" { server.url("feed", &password(&secrets, "feed")) } else { url };
        shell.set(&format!("PORTIA_{}_DATABASE_URL", field_name(service).to_uppercase()), &url);
    }
    let mut misused = Browser::new(&processes.base);
    misused.register("misused.account").await;
    shell.set("USERNAME", "misused.account");
    shell.set("REASON", "Posts of another person");
    assert!(shell.run("close-misused-account").contains("Posts of another person"));
    let credentials = json!({"username": "misused.account", "password": "correct horse"});
    misused.post("/api/auth/login", credentials.clone()).await.expect(403);
    assert!(shell.run("reopen-account").contains("http"), "a link");
    misused.post("/api/auth/login", credentials).await.expect(200);
    assert!(shell.run("note-audit").contains("Newest row: "));
    shell.run("end-all-sessions");
    wait_until("the sessions end", async || member.get("/api/auth/me").await.status == 401).await;
    shell.finish(BLOCKS);
}
