//! Signing keys change while every process runs.

use std::time::{Duration, Instant, SystemTime};

use portia::{SERVICES, key_rotation};

use crate::{browser::Browser, processes::Processes};

/// Processes look at the files every five seconds.
const TIMEOUT: Duration = Duration::from_secs(120);

/// Waits until each process uses the keys of this number of changes. auth also watches the key for members.
pub async fn wait_until_read(processes: &Processes, changes: f64, changes_of_auth: f64) {
    let begun = Instant::now();
    for process in SERVICES.into_iter().chain(["gateway"]) {
        let expected = if process == "auth" { changes_of_auth } else { changes };
        loop {
            let metrics = reqwest::get(format!("{}/metrics", processes.admin(process))).await.unwrap();
            let metrics = metrics.text().await.unwrap();
            let used = metrics.lines().find_map(|line| line.strip_prefix("key_file_changes_total{result=\"used\"} "));
            if used.and_then(|used| used.parse::<f64>().ok()) == Some(expected) {
                break;
            }
            assert!(begun.elapsed() < TIMEOUT, "{process}: {used:?} instead of {expected}");
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_are_rotated_and_pruned_without_a_restart() {
    let processes = Processes::start_with_admin_ports(&[]).await;
    let folder = processes.keys();
    let mut me = Browser::new(&processes.base);
    me.register("before.rotation").await;
    let later = |seconds| SystemTime::now() + Duration::from_secs(seconds);

    key_rotation::rotate(&folder, later(0)).unwrap();
    wait_until_read(&processes, 2.0, 3.0).await;
    key_rotation::rotate(&folder, later(61)).unwrap();
    wait_until_read(&processes, 4.0, 6.0).await;
    // Tokens of the previous keys are still valid.
    me.get("/api/auth/me").await.expect(200);
    me.get("/api/notifications").await.expect(200);

    key_rotation::prune(&folder, later(121)).unwrap();
    wait_until_read(&processes, 5.0, 7.0).await;
    // The registration is a call of the gateway, and every read one of the member.
    let mut new = Browser::new(&processes.base);
    new.register("after.rotation").await;
    for path in ["/api/auth/me", "/api/posts", "/api/notifications", "/api/communities", "/api/jobs", "/api/news"] {
        let answer = new.get(path).await;
        assert!(!answer.headers.contains_key("x-degraded"), "{path}");
        answer.expect(200);
    }
}
