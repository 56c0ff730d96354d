//! Calls to several replicas of an upstream: shared by all, and moved away from replicas that stop.

use std::{
    io,
    net::SocketAddr,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use axum::{
    extract::{Request as HttpRequest, State},
    middleware::{Next, from_fn_with_state},
    response::Response,
};
use rpc::Transport;
use tokio::{net::TcpListener, runtime::Runtime, sync::Semaphore, time::timeout};
use tokio_util::sync::CancellationToken;
use tonic::{Code, Request, Status, service::Routes};
use tonic_health::pb::{HealthCheckRequest, health_client::HealthClient};

/// The timeout of a wait, also on a busy machine.
const TIMEOUT: Duration = Duration::from_mins(2);

/// A replica in a runtime of its own, so that it can end like a killed process.
struct Replica {
    address: SocketAddr,
    calls: Arc<Calls>,
    stopped: CancellationToken,
    runtime: Option<Runtime>,
}

struct Calls {
    arrived: AtomicUsize,
    /// A call waits for a permit.
    gate: Semaphore,
}

async fn count(State(calls): State<Arc<Calls>>, request: HttpRequest, next: Next) -> Response {
    calls.arrived.fetch_add(1, Ordering::SeqCst);
    calls.gate.acquire().await.unwrap().forget();
    calls.gate.add_permits(1);
    next.run(request).await
}

impl Replica {
    async fn start(address: &str) -> Self {
        let calls = Arc::new(Calls { arrived: AtomicUsize::default(), gate: Semaphore::new(1) });
        let stopped = CancellationToken::new();
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let (counted, until) = (Arc::clone(&calls), stopped.clone());
        let address: SocketAddr = address.parse().unwrap();
        let (ready, started) = tokio::sync::oneshot::channel();
        runtime.spawn(async move {
            let listener = TcpListener::bind(address).await.unwrap();
            ready.send(listener.local_addr().unwrap()).unwrap();
            let (_, health) = tonic_health::server::health_reporter();
            let router = Routes::new(health).into_axum_router().layer(from_fn_with_state(counted, count));
            rpc::serve(Routes::from(router), listener, None, async move { until.cancelled().await }).await.unwrap();
        });
        Self { address: started.await.unwrap(), calls, stopped, runtime: Some(runtime) }
    }

    fn calls(&self) -> usize {
        self.calls.arrived.load(Ordering::SeqCst)
    }

    /// Keeps the calls that arrive from now on.
    fn hold(&self) {
        self.calls.gate.forget_permits(1);
    }

    fn release(&self) {
        self.calls.gate.add_permits(1);
    }

    async fn wait_for_calls(&self, count: usize) {
        wait_until("calls arrive", async || self.calls() >= count).await;
    }

    /// Ends without finishing anything.
    fn kill(&mut self) {
        self.runtime.take().unwrap().shutdown_background();
    }
}

impl Drop for Replica {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

/// The addresses that the test has published.
#[derive(Clone, Default)]
struct Names(Arc<Mutex<Vec<SocketAddr>>>);

impl Names {
    fn of(replicas: &[&Replica]) -> Self {
        let names = Self::default();
        names.publish(replicas);
        names
    }

    fn publish(&self, replicas: &[&Replica]) {
        *self.0.lock().unwrap() = replicas.iter().map(|replica| replica.address).collect();
    }

    fn transport(&self) -> Transport {
        let names = self.clone();
        Transport::resolved("feed", move || {
            let addresses = names.0.lock().unwrap().clone();
            async move { if addresses.is_empty() { Err(io::ErrorKind::NotFound.into()) } else { Ok(addresses) } }
        })
    }
}

/// A call that is not repeated by its caller. The server of the health service has no service of this name.
async fn call(transport: &Transport) -> Result<(), Status> {
    let mut request = Request::new(HealthCheckRequest { service: "none".into() });
    request.set_timeout(TIMEOUT);
    match HealthClient::new(transport.clone()).check(request).await {
        Err(status) if status.code() != Code::NotFound => Err(status),
        _ => Ok(()),
    }
}

async fn wait_until(what: &str, holds: impl AsyncFn() -> bool) {
    let waited = timeout(TIMEOUT, async {
        while !holds().await {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    });
    waited.await.unwrap_or_else(|_| panic!("in vain: {what}"));
}

#[tokio::test]
async fn two_addresses_share_the_calls() {
    let (one, two) = (Replica::start("127.0.0.1:0").await, Replica::start("127.0.0.2:0").await);
    let transport =
        Transport::remote("feed", &format!("http://{}, http://{}", one.address, two.address), None).unwrap();
    for _ in 0..400 {
        call(&transport).await.unwrap();
    }
    assert!((160..=240).contains(&one.calls()), "{} and {}", one.calls(), two.calls());
    assert_eq!(one.calls() + two.calls(), 400);
}

#[tokio::test]
async fn a_busy_replica_gets_fewer_calls() {
    let (one, two) = (Replica::start("127.0.0.1:0").await, Replica::start("127.0.0.2:0").await);
    let transport = Names::of(&[&one, &two]).transport();
    for replica in [&one, &two] {
        replica.hold();
    }
    let held = tokio::spawn({
        let transport = transport.clone();
        async move { call(&transport).await }
    });
    wait_until("the call arrives", async || one.calls() + two.calls() == 1).await;
    let (busy, idle) = if one.calls() == 1 { (one, two) } else { (two, one) };
    idle.release();
    for _ in 0..50 {
        call(&transport).await.unwrap();
    }
    assert_eq!((busy.calls(), idle.calls()), (1, 50));
    busy.release();
    held.await.unwrap().unwrap();
}

#[tokio::test]
async fn a_replica_that_appears_is_used_and_one_that_disappears_is_not() {
    let (one, two) = (Replica::start("127.0.0.1:0").await, Replica::start("127.0.0.2:0").await);
    let third = Replica::start("127.0.0.3:0").await;
    let names = Names::of(&[&one, &two]);
    let transport = names.transport();
    call(&transport).await.unwrap();
    names.publish(&[&one, &two, &third]);
    wait_until("the third is used", async || call(&transport).await.is_ok() && third.calls() > 0).await;
    names.publish(&[&third]);
    let others = || one.calls() + two.calls();
    wait_until("only the third is used", async || {
        let before = others();
        for _ in 0..6 {
            call(&transport).await.unwrap();
        }
        others() == before
    })
    .await;
    // A name server that fails changes nothing.
    names.publish(&[]);
    for _ in 0..10 {
        call(&transport).await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_orderly_stop_fails_no_call() {
    let (stopping, other) = (Replica::start("127.0.0.1:0").await, Replica::start("127.0.0.2:0").await);
    let transport = Names::of(&[&stopping, &other]).transport();
    let finished = CancellationToken::new();
    let callers: Vec<_> = (0..8)
        .map(|_| {
            let (transport, finished) = (transport.clone(), finished.clone());
            tokio::spawn(async move {
                while !finished.is_cancelled() {
                    call(&transport).await?;
                }
                Ok::<_, Status>(())
            })
        })
        .collect();
    stopping.wait_for_calls(200).await;
    stopping.stopped.cancel();
    wait_until("its port is closed", async || tokio::net::TcpStream::connect(stopping.address).await.is_err()).await;
    other.wait_for_calls(other.calls() + 400).await;
    // The next process on the same address.
    let next = Replica::start(&stopping.address.to_string()).await;
    next.wait_for_calls(50).await;
    finished.cancel();
    for caller in callers {
        caller.await.unwrap().unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_replica_fails_only_the_calls_that_it_has() {
    let (mut killed, other) = (Replica::start("127.0.0.1:0").await, Replica::start("127.0.0.2:0").await);
    let names = Names::of(&[&killed, &other]);
    let transport = names.transport();
    for replica in [&killed, &other] {
        replica.hold();
    }
    let held = tokio::spawn({
        let transport = transport.clone();
        async move { futures::future::join_all((0..20).map(|_| call(&transport))).await }
    });
    wait_until("all calls arrive", async || killed.calls() + other.calls() == 20).await;
    let lost = killed.calls();
    killed.kill();
    other.release();
    let failed: Vec<_> = held.await.unwrap().into_iter().filter_map(Result::err).collect();
    assert_eq!(failed.len(), lost);
    assert!(lost > 0 && failed.iter().all(|status| status.code() == Code::Unavailable), "{failed:?}");
    for _ in 0..100 {
        call(&transport).await.unwrap();
    }
}

#[tokio::test]
async fn each_endpoint_has_a_limit_of_its_own() {
    let (one, two) = (Replica::start("127.0.0.1:0").await, Replica::start("127.0.0.2:0").await);
    let transport = Names::of(&[&one, &two]).transport();
    for replica in [&one, &two] {
        replica.hold();
    }
    let held = tokio::spawn({
        let transport = transport.clone();
        async move { futures::future::join_all((0..129).map(|_| call(&transport))).await }
    });
    wait_until("the limits are reached", async || one.calls() + two.calls() == 128).await;
    assert_eq!((one.calls(), two.calls()), (64, 64));
    for replica in [&one, &two] {
        replica.release();
    }
    let refused: Vec<_> = held.await.unwrap().into_iter().filter_map(Result::err).collect();
    assert_eq!(refused.len(), 1, "{refused:?}");
}
