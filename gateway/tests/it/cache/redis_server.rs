//! A redis-server of one test.

use std::{
    net::TcpListener,
    process::{Child, Command, Stdio},
    time::Duration,
};

use gateway::edge::cache::Cache;
use tempfile::TempDir;

use super::eventually;

/// A redis-server of one test, killed on drop.
pub struct Redis {
    pub folder: TempDir,
    pub port: u16,
    server: Child,
}

impl Redis {
    pub fn start() -> Self {
        let free = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = free.local_addr().unwrap().port();
        drop(free);
        let folder = tempfile::tempdir().unwrap();
        let server = spawn(&folder, port);
        Self { folder, port, server }
    }

    /// A node of a cluster. Its port is below 55,535: the port of the cluster is 10,000 higher.
    pub fn start_node() -> Self {
        let port = loop {
            let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
            // Out of the range of outgoing connections.
            let port = 10_000 + free % 10_000;
            let both = [port, port + 10_000].map(|port| TcpListener::bind(("127.0.0.1", port)));
            if both.iter().all(Result::is_ok) {
                break port;
            }
        };
        let folder = tempfile::tempdir().unwrap();
        let more = ["--cluster-enabled", "yes", "--cluster-node-timeout", "1000"];
        let server = command(&folder, port).args(more).spawn().unwrap();
        Self { folder, port, server }
    }

    pub fn address(&self) -> String {
        format!("redis://127.0.0.1:{}", self.port)
    }

    /// Returns the server's report on its replication; empty when it does not run.
    pub fn info(&self) -> String {
        let output = Command::new("redis-cli").args(["-p", &self.port.to_string(), "info", "replication"]).output();
        String::from_utf8_lossy(&output.unwrap().stdout).into_owned()
    }

    /// A server with a password, which accepts TLS only. Its folder has the files of a client.
    pub fn start_encrypted(password: &str) -> Self {
        let free = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = free.local_addr().unwrap().port();
        drop(free);
        let folder = tempfile::tempdir().unwrap();
        let own = rcgen::generate_simple_self_signed(vec!["localhost".to_owned()]).unwrap();
        let other = rcgen::generate_simple_self_signed(vec!["localhost".to_owned()]).unwrap();
        let config = format!(
            "port 0\nbind 127.0.0.1\ntls-port {port}\ntls-auth-clients no\ntls-cert-file ca.crt\ntls-key-file own.key\n\
             tls-ca-cert-file ca.crt\nrequirepass {password}\nsave \"\"\n"
        );
        for (file, content) in [
            ("ca.crt", own.cert.pem()),
            ("own.key", own.signing_key.serialize_pem()),
            ("other.crt", other.cert.pem()),
            ("password", format!("{password}\n")),
            ("wrong", "guess".to_owned()),
            ("redis.conf", config),
        ] {
            std::fs::write(folder.path().join(file), content).unwrap();
        }
        let server =
            Command::new("redis-server").arg("redis.conf").current_dir(folder.path()).stdout(Stdio::null()).spawn();
        Self { folder, port, server: server.unwrap() }
    }

    pub fn url(&self) -> String {
        format!("redis://127.0.0.1:{}/0", self.port)
    }

    /// A connected cache with a long timeout, because the machine may be busy.
    pub async fn cache(&self) -> Cache {
        let cache = Cache::connect_with_timeout(Some(&self.url()), Duration::from_secs(2)).unwrap();
        eventually("redis-server did not start", async || cache.is_shared()).await;
        cache
    }

    pub fn run(&mut self) {
        self.server = spawn(&self.folder, self.port);
    }

    pub fn kill(&mut self) {
        self.server.kill().unwrap();
        self.server.wait().unwrap();
    }

    pub fn signal(&self, signal: &str) {
        // The builtin of the shell, because a slim machine has no other kill.
        let sent = Command::new("sh").args(["-c", &format!("kill -{signal} {}", self.server.id())]).status().unwrap();
        assert!(sent.success());
    }
}

impl Drop for Redis {
    fn drop(&mut self) {
        // Fails when the process is dead already.
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

fn command(folder: &TempDir, port: u16) -> Command {
    let mut command = Command::new("redis-server");
    command
        .args(["--bind", "127.0.0.1", "--port", &port.to_string()])
        .args(["--save", "", "--appendonly", "no", "--dir"])
        .arg(folder.path())
        .stdout(Stdio::null());
    command
}

fn spawn(folder: &TempDir, port: u16) -> Child {
    command(folder, port)
        .spawn()
        .expect("redis-server is needed on the PATH for this test (Debian: apt-get install redis-server)")
}
