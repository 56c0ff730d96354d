//! A TCP proxy that delays and cuts connections.

use std::{
    io,
    net::{Ipv4Addr, SocketAddr},
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::Duration,
};

use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{
        TcpListener, TcpStream,
        tcp::{OwnedReadHalf, OwnedWriteHalf},
    },
    sync::watch,
    task::JoinHandle,
};

/// The bytes that are passed on at once.
const BUFFER: usize = 16 * 1024;

/// A proxy of one upstream on this machine. It ends with the value.
#[derive(Debug)]
pub struct Proxy {
    port: u16,
    state: Arc<State>,
    task: JoinHandle<()>,
}

#[derive(Debug)]
struct State {
    upstream: SocketAddr,
    /// The delay of each packet, in milliseconds.
    delay: AtomicU64,
    refuses: AtomicBool,
    /// Its change ends all connections.
    cuts: watch::Sender<u64>,
}

impl Proxy {
    /// Listens on `port` of the loopback, and connects to `upstream` there.
    ///
    /// # Errors
    /// When the port is taken.
    pub async fn start(port: u16, upstream: u16) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await?;
        let port = listener.local_addr()?.port();
        let state = Arc::new(State {
            upstream: SocketAddr::from((Ipv4Addr::LOCALHOST, upstream)),
            delay: AtomicU64::new(0),
            refuses: AtomicBool::new(false),
            cuts: watch::Sender::new(0),
        });
        let accepting = Arc::clone(&state);
        let task = tokio::spawn(async move {
            loop {
                // A failure concerns one connection, or file descriptors that others free.
                let Ok((client, _)) = listener.accept().await else { continue };
                if !accepting.refuses.load(Ordering::SeqCst) {
                    let state = Arc::clone(&accepting);
                    tokio::spawn(async move { state.connect(client).await.ok() });
                }
            }
        });
        Ok(Self { port, state, task })
    }

    /// Its port.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Delays every packet in both directions from now on.
    pub fn delay(&self, delay: Duration) {
        self.state.delay.store(u64::try_from(delay.as_millis()).unwrap_or(u64::MAX), Ordering::SeqCst);
    }

    /// Ends all connections, and refuses new ones until [`Self::admit`].
    pub fn cut(&self) {
        self.state.refuses.store(true, Ordering::SeqCst);
        self.state.cuts.send_modify(|cuts| *cuts += 1);
    }

    /// Accepts connections again.
    pub fn admit(&self) {
        self.state.refuses.store(false, Ordering::SeqCst);
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl State {
    async fn connect(&self, client: TcpStream) -> io::Result<()> {
        let mut cuts = self.cuts.subscribe();
        let upstream = TcpStream::connect(self.upstream).await?;
        client.set_nodelay(true)?;
        upstream.set_nodelay(true)?;
        let ((from_client, to_client), (from_upstream, to_upstream)) = (client.into_split(), upstream.into_split());
        let passing = async {
            tokio::try_join!(self.pass(from_client, to_upstream), self.pass(from_upstream, to_client)).map(drop)
        };
        tokio::select! {
            done = passing => done,
            _ = cuts.changed() => Ok(()),
        }
    }

    /// Passes the bytes of one direction on, and its end.
    async fn pass(&self, mut from: OwnedReadHalf, mut to: OwnedWriteHalf) -> io::Result<()> {
        let mut buffer = vec![0; BUFFER];
        loop {
            let n = from.read(&mut buffer).await?;
            if n == 0 {
                return to.shutdown().await;
            }
            let delay = self.delay.load(Ordering::SeqCst);
            if delay > 0 {
                tokio::time::sleep(Duration::from_millis(delay)).await;
            }
            to.write_all(buffer.get(..n).unwrap_or_default()).await?;
        }
    }
}
