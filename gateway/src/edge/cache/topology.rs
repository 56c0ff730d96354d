//! One Redis, or a cluster of them: clients and connections.

use redis::{
    AsyncConnectionConfig, Client, Cmd, IntoConnectionInfo as _, Pipeline, RedisFuture, RedisResult, TlsCertificates,
    Value,
    aio::{ConnectionLike, MultiplexedConnection},
    cluster::ClusterClient,
    cluster_async::ClusterConnection,
    cmd,
};

use crate::edge::cache::relay::CONNECT_TIMEOUT;

/// The secrets that are not in the address.
#[derive(Default)]
pub(super) struct Secrets {
    /// The password of the user in the address, or of the default user.
    pub(super) password: Option<String>,
    /// The authority of the server's certificate, in PEM; replaces the system's authorities.
    pub(super) authority: Option<Vec<u8>>,
}

/// The addresses of the setting.
pub(super) struct Topology {
    /// One Redis, or the nodes of a cluster from which the client learns the others.
    nodes: Vec<Client>,
    cluster: Option<ClusterClient>,
}

impl Topology {
    pub(super) fn new(urls: &[&str], secrets: Secrets) -> RedisResult<Self> {
        if urls.is_empty() {
            return Err((redis::ErrorKind::InvalidClientConfig, "there is no address").into());
        }
        let mut nodes = Vec::new();
        let mut addresses = Vec::new();
        for url in urls {
            let mut address = url.into_connection_info()?;
            if let Some(password) = &secrets.password {
                let settings = address.redis_settings().clone().set_password(password);
                address = address.set_redis_settings(settings);
            }
            addresses.push(address.clone());
            nodes.push(match &secrets.authority {
                Some(authority) => Client::build_with_tls(address, certificates(authority))?,
                None => Client::open(address)?,
            });
        }
        let cluster = if nodes.len() > 1 {
            let mut builder =
                ClusterClient::builder(addresses).connection_timeout(CONNECT_TIMEOUT).response_timeout(CONNECT_TIMEOUT);
            if let Some(authority) = &secrets.authority {
                builder = builder.certs(certificates(authority));
            }
            Some(builder.build()?)
        } else {
            None
        };
        Ok(Self { nodes, cluster })
    }

    /// The clients of single nodes. Any node of a cluster delivers every message.
    pub(super) fn nodes(&self) -> &[Client] {
        &self.nodes
    }

    pub(super) async fn connect(&self) -> RedisResult<Connection> {
        if let Some(cluster) = &self.cluster {
            return Ok(Connection::Cluster(cluster.get_async_connection().await?));
        }
        let config = AsyncConnectionConfig::new()
            .set_connection_timeout(Some(CONNECT_TIMEOUT))
            .set_response_timeout(Some(CONNECT_TIMEOUT));
        let Some(node) = self.nodes.first() else {
            return Err((redis::ErrorKind::InvalidClientConfig, "there is no address").into());
        };
        Ok(Connection::One(node.get_multiplexed_async_connection_with_config(&config).await?))
    }
}

fn certificates(authority: &[u8]) -> TlsCertificates {
    TlsCertificates { client_tls: None, root_cert: Some(authority.to_vec()) }
}

/// A connection. Clones share it.
#[derive(Clone)]
pub(super) enum Connection {
    One(MultiplexedConnection),
    /// Sends each command to the master of its key.
    Cluster(ClusterConnection),
}

impl Connection {
    /// Deletes the keys of a pattern.
    pub(super) async fn delete_all(&mut self, pattern: &str) -> RedisResult<()> {
        match self {
            Self::One(connection) => {
                let mut cursor: u64 = 0;
                loop {
                    let mut scan = cmd("SCAN");
                    scan.arg(cursor).arg(&["MATCH", pattern, "COUNT", "500"]);
                    let (next, keys): (u64, Vec<String>) = scan.query_async(connection).await?;
                    unlink(connection, &keys).await?;
                    cursor = next;
                    if cursor == 0 {
                        return Ok(());
                    }
                }
            }
            // A cursor is of one node. KEYS goes to every master, and blocks it for as long as it has keys to compare: only after an
            // outage in which more keys changed than were noted.
            Self::Cluster(connection) => {
                let keys: Vec<String> = cmd("KEYS").arg(pattern).query_async(connection).await?;
                for some in keys.chunks(500) {
                    unlink(connection, some).await?;
                }
                Ok(())
            }
        }
    }
}

async fn unlink(connection: &mut impl ConnectionLike, keys: &[String]) -> RedisResult<()> {
    if keys.is_empty() { Ok(()) } else { cmd("UNLINK").arg(keys).exec_async(connection).await }
}

impl ConnectionLike for Connection {
    fn req_packed_command<'a>(&'a mut self, command: &'a Cmd) -> RedisFuture<'a, Value> {
        match self {
            Self::One(connection) => connection.req_packed_command(command),
            Self::Cluster(connection) => connection.req_packed_command(command),
        }
    }

    fn req_packed_commands<'a>(
        &'a mut self,
        commands: &'a Pipeline,
        offset: usize,
        count: usize,
    ) -> RedisFuture<'a, Vec<Value>> {
        match self {
            Self::One(connection) => connection.req_packed_commands(commands, offset, count),
            Self::Cluster(connection) => connection.req_packed_commands(commands, offset, count),
        }
    }

    fn get_db(&self) -> i64 {
        match self {
            Self::One(connection) => connection.get_db(),
            Self::Cluster(connection) => connection.get_db(),
        }
    }
}
