//! A cluster of Redis: three masters, each with a replica.

use std::{process::Command, time::Duration};

use gateway::edge::cache::{Cache, ChannelEvent, Limit};
use tokio::time::timeout;

use super::{MINUTE, bytes, contract, eventually, message, moment, next_event, redis_server::Redis};

/// Six servers of one cluster.
struct Cluster(Vec<Redis>);

fn redis_cli(arguments: &[&str]) -> String {
    let output = Command::new("redis-cli").args(arguments).output().expect("redis-cli comes with redis-server");
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

impl Cluster {
    async fn start() -> Self {
        let servers: Vec<Redis> = (0..6).map(|_| Redis::start_node()).collect();
        for server in &servers {
            let port = server.port.to_string();
            eventually("a node did not start", async || redis_cli(&["-p", &port, "ping"]).contains("PONG")).await;
        }
        let addresses: Vec<String> = servers.iter().map(|server| format!("127.0.0.1:{}", server.port)).collect();
        let mut arguments = vec!["--cluster", "create", "--cluster-replicas", "1", "--cluster-yes"];
        arguments.splice(2..2, addresses.iter().map(String::as_str));
        let said = redis_cli(&arguments);
        assert!(said.contains("All 16384 slots covered"), "{said}");
        let cluster = Self(servers);
        eventually("the replicas do not follow", async || {
            cluster.0.iter().all(|server| {
                server.info().contains("master_link_status:up") || server.info().contains("connected_slaves:1")
            })
        })
        .await;
        cluster
    }

    /// Returns the setting without the first master: the client learns its address from the others.
    fn url(&self) -> String {
        self.0.iter().skip(1).map(Redis::address).collect::<Vec<_>>().join(",")
    }

    async fn cache(&self) -> Cache {
        let cache = Cache::connect_with_timeout(Some(&self.url()), Duration::from_secs(2)).unwrap();
        eventually("the cluster is not connected", async || cache.is_shared()).await;
        cache
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cluster_fulfils_the_contract_and_survives_the_end_of_a_master() {
    let mut cluster = Cluster::start().await;
    let (one, two) = (cluster.cache().await, cluster.cache().await);
    contract(&one).await;

    // Keys of every master.
    let (limit, start) = (Limit::new(1, MINUTE), moment());
    for n in 0..20 {
        let key = n.to_string();
        assert_eq!(one.take("shared", &key, limit, start).await, Ok(()));
        assert!(two.take("shared", &key, limit, start).await.is_err(), "{n}: one limit for both");
        one.set("card", &key, bytes(b"value"), MINUTE).await;
        assert_eq!(two.get("card", &key).await, Some(bytes(b"value")));
    }
    let mut subscriber = two.subscribe("member").await;
    one.publish("member", bytes(b"before")).await;
    assert_eq!(message(&mut subscriber).await, bytes(b"before"));

    cluster.0[0].kill();
    // Every call is answered meanwhile, in process when the master of its key is gone.
    let mut answered = 0;
    eventually("no replica was promoted", async || {
        for n in 0..20 {
            let key = format!("degraded {answered}.{n}");
            assert_eq!(one.take("degraded", &key, limit, start).await, Ok(()));
        }
        answered += 1;
        let promoted = cluster.0.iter().skip(1).filter(|server| server.info().contains("role:master")).count();
        promoted == 3 && one.is_shared() && two.is_shared()
    })
    .await;
    eventually("the limits are not shared again", async || {
        let mut shared = 0;
        for n in 0..20 {
            let key = format!("after {answered}.{n}");
            let first = one.take("after", &key, limit, start).await.is_ok();
            shared += usize::from(first && two.take("after", &key, limit, start).await.is_err());
        }
        answered += 1;
        shared == 20
    })
    .await;
    let mut again = two.subscribe("another").await;
    // A subscription or a message that meets the end of the failover stays in its process, and the subscriber is told.
    loop {
        one.publish("another", bytes(b"after")).await;
        match timeout(Duration::from_secs(1), next_event(&mut again)).await {
            Ok(ChannelEvent::Message(message)) => break assert_eq!(message, bytes(b"after")),
            Ok(ChannelEvent::Missed) | Err(_) => {}
        }
    }
}
