//! The table of calls, over sockets and within a process: every process, alone and for a member, calls every RPC of the contract.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

use access::Policy;
use axum::Router;
use prost::Message as _;
use prost_types::{FileDescriptorProto, FileDescriptorSet};
use rpc::{Slot, Transport, identity::MEMBER_HEADER};
use testkit::{Actors, clock, member};
use tokio::net::TcpListener;
use tonic::{
    Code, Request, Status,
    client::Grpc,
    codegen::http::{self, uri::PathAndQuery},
    metadata::{AsciiMetadataKey, MetadataValue},
    service::Routes,
};
use tonic_prost::ProstCodec;

const OUTBOX: &str = "/portia.outbox.v1.Outbox/";

/// The RPCs of each service, from the descriptors of the contract.
fn contract() -> BTreeMap<String, BTreeSet<String>> {
    let set = FileDescriptorSet::decode(portia_proto::DESCRIPTORS).unwrap();
    let of_package = |prefix: &str| -> BTreeSet<String> {
        let files = set.file.iter().filter(|file| file.package() == prefix);
        files
            .flat_map(|file| file.service.iter().map(move |service| (file.package(), service)))
            .flat_map(|(package, service)| {
                service.method.iter().map(move |rpc| format!("/{package}.{}/{}", service.name(), rpc.name()))
            })
            .collect()
    };
    let facts = of_package("portia.outbox.v1");
    assert_eq!(facts.len(), 3);
    let rpcs = |service: &str| {
        let own = of_package(&format!("portia.{}.v1", service.replace('-', "_")));
        assert!(!own.is_empty(), "{service}");
        own.union(&facts).cloned().collect()
    };
    access::services().map(|service| (service.to_owned(), rpcs(service))).collect()
}

fn expects(process: &str, service: &str, path: &str) -> bool {
    match path.strip_prefix(OUTBOX) {
        None => process == access::GATEWAY,
        Some("Tail") if process == access::GATEWAY => access::may_watch(process, service),
        Some(_) => access::may_consume(process, service),
    }
}

/// A service behind its layers, on a socket and in this process. Each handler that a call reaches answers DATA_LOSS.
async fn serve_both(service: &'static str, actors: &Actors) -> [Transport; 2] {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let reached = async || Status::data_loss("reached").into_http::<axum::body::Body>();
    let routes = rpc::wrap(service, Routes::from(Router::new().fallback(reached)), actors.keyring());
    let slot = Slot::default();
    slot.fill(routes.clone());
    tokio::spawn(rpc::serve(routes, listener, None, std::future::pending()));
    [Transport::remote(service, &format!("http://{address}"), None).unwrap(), Transport::local(service, slot)]
}

async fn call(transport: &Transport, path: &str, request: Request<()>) -> Status {
    let mut client = Grpc::new(transport.clone());
    client.ready().await.unwrap();
    let path = PathAndQuery::try_from(path).unwrap();
    client.unary(request, path, ProstCodec::<(), ()>::default()).await.unwrap_err()
}

#[test]
fn the_table_names_every_service_of_the_contract() {
    let set = FileDescriptorSet::decode(portia_proto::DESCRIPTORS).unwrap();
    let of_file = |file: &FileDescriptorProto| {
        let names: Vec<_> =
            file.service.iter().map(|service| format!("{}.{}", file.package(), service.name())).collect();
        names
    };
    let served: BTreeSet<String> = set.file.iter().flat_map(of_file).filter(|name| !OUTBOX.contains(name)).collect();
    let known: BTreeSet<String> =
        access::services().map(|service| Policy::of(service).contract().unwrap().to_owned()).collect();
    assert_eq!(served, known);
}

/// A subscription without a row ends the start of a service; a row without one permits more than is needed.
#[test]
fn a_consumer_of_the_table_subscribes() {
    let services = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for service in access::services() {
        // A service without a source has no such file.
        let code = fs::read_to_string(services.join(service).join("src/consumers.rs")).unwrap_or_default();
        let subscribed: BTreeSet<&str> =
            code.split("outbox.subscribe(context, db, \"").skip(1).filter_map(|call| call.split('"').next()).collect();
        assert_eq!(access::sources_of(service).collect::<BTreeSet<_>>(), subscribed, "{service}");
    }
}

#[tokio::test]
async fn the_full_matrix_of_processes_and_rpcs() {
    let actors = Actors::new(clock());
    for (service, rpcs) in contract() {
        let service = access::service(&service).unwrap();
        for transport in serve_both(service, &actors).await {
            for (path, process) in rpcs.iter().flat_map(|path| access::processes().map(move |process| (path, process)))
            {
                let may = expects(process, service, path);
                let alone = call(&transport, path, actors.service(process).request(()).unwrap()).await.code();
                let expected = if may { Code::DataLoss } else { Code::PermissionDenied };
                assert_eq!(alone, expected, "{process} calls {path} of {service}");
                // Beside the identity of another process, the token of a member is refused although it is valid.
                let tokens = actors.member(member(1)).request(()).unwrap();
                let mut request = actors.service(process).request(()).unwrap();
                if process == access::GATEWAY {
                    request = tokens;
                } else {
                    attach(&mut request, &actors.member_token(member(1), service));
                }
                let for_member = call(&transport, path, request).await.code();
                let expected = if may && process == access::GATEWAY { Code::DataLoss } else { Code::PermissionDenied };
                assert_eq!(for_member, expected, "{process} calls {path} of {service} for a member");
            }
        }
    }
}

fn attach(request: &mut Request<()>, token: &str) {
    let key = AsciiMetadataKey::from_static("portia-member");
    request.metadata_mut().insert(key, MetadataValue::try_from(format!("Bearer {token}")).unwrap());
}

/// A request with raw headers.
fn bearing(process: Option<http::HeaderValue>, token: Option<&str>) -> Request<()> {
    let mut request = Request::new(());
    if let Some(process) = process {
        let value = MetadataValue::try_from(process.to_str().unwrap()).unwrap();
        request.metadata_mut().insert("authorization", value);
    }
    if let Some(token) = token {
        attach(&mut request, token);
    }
    request
}

#[tokio::test]
async fn a_token_is_not_accepted_where_it_was_not_meant() {
    assert_eq!(MEMBER_HEADER.as_str(), "portia-member");
    let actors = Actors::new(clock());
    let path = "/portia.messaging.v1.MessagingService/ListConversations";
    let [messaging, _] = serve_both("messaging", &actors).await;
    let now = clock().now();
    let gateway = |audience| actors.signer("gateway").service(audience, now).unwrap();
    let of_member = |audience| actors.member_token(member(1), audience);
    let reached = call(&messaging, path, bearing(Some(gateway("messaging")), Some(&of_member("messaging")))).await;
    assert_eq!(reached.code(), Code::DataLoss);
    let invalid = "eyJhbGciOiJub25lIn0.e30.";
    for (what, request) in [
        ("no token", bearing(None, None)),
        ("a member without a process", bearing(None, Some(&of_member("messaging")))),
        ("a member as the process", {
            let token = http::HeaderValue::try_from(format!("Bearer {}", of_member("messaging"))).unwrap();
            bearing(Some(token), None)
        }),
        // A token that feed receives from the gateway, presented to messaging.
        ("the gateway's token for feed", bearing(Some(gateway("feed")), None)),
        ("both tokens for feed", bearing(Some(gateway("feed")), Some(&of_member("feed")))),
        ("the member's token for feed", bearing(Some(gateway("messaging")), Some(&of_member("feed")))),
        ("a token of a process as a member", {
            let own = gateway("messaging").to_str().unwrap().trim_start_matches("Bearer ").to_owned();
            bearing(Some(gateway("messaging")), Some(&own))
        }),
        ("an unsigned member", bearing(Some(gateway("messaging")), Some(invalid))),
    ] {
        assert_eq!(call(&messaging, path, request).await.code(), Code::Unauthenticated, "{what}");
    }
}

#[tokio::test]
async fn an_rpc_of_another_service_is_refused() {
    let actors = Actors::new(clock());
    for feed in serve_both("feed", &actors).await {
        for path in ["/portia.jobs.v1.JobsService/ListJobs", "/other/Call"] {
            let request = actors.service("gateway").request(()).unwrap();
            assert_eq!(call(&feed, path, request).await.code(), Code::PermissionDenied, "{path}");
        }
    }
}
