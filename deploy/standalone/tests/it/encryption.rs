//! Encryption between machines: the settings that a process refuses at its start, and the connections to Postgres.

use std::{io, path::Path, sync::Arc, time::Duration};

use chassis::config::Source;
use portia_postgres::{Options, Postgres, Profile, Source as Binaries};
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use rpc::Transport;
use rustls::{
    ClientConfig, RootCertStore,
    pki_types::{CertificateDer, ServerName, pem::PemObject as _},
};
use sqlx::{ConnectOptions as _, Connection as _, PgConnection};
use tokio::{
    io::AsyncReadExt as _,
    net::TcpStream,
    time::{sleep, timeout},
};
use tokio_rustls::TlsConnector;
use tonic::Code;
use tonic_health::pb::{HealthCheckRequest, health_client::HealthClient};

use crate::{local::folder, processes::Processes};

/// Long, because the machine may be busy.
const TIMEOUT: Duration = Duration::from_secs(60);

#[tokio::test(flavor = "multi_thread")]
async fn processes_refuse_plaintext_to_other_machines_and_callers_without_a_certificate() {
    let processes = Processes::start(&[]).await;
    let elsewhere = "10.1.2.3";
    for (process, more, variable) in [
        ("feed", vec![("PORTIA_TLS_DIR", ""), ("PORTIA_LISTEN", "0.0.0.0:0")], "PORTIA_LISTEN"),
        ("feed", vec![("PORTIA_AUTH_URL", "http://auth:50051")], "PORTIA_AUTH_URL"),
        ("gateway", vec![("PORTIA_NEWS_URL", "http://news:50051")], "PORTIA_NEWS_URL"),
        ("gateway", vec![("PORTIA_TLS_DIR", "")], "PORTIA_TLS_DIR"),
        ("gateway", vec![("PORTIA_TLS_DIR", "/nowhere")], "PORTIA_TLS_DIR"),
        ("gateway", vec![("PORTIA_REDIS_URL", "redis://:hunter2@redis:6379")], "PORTIA_REDIS_URL"),
        ("news", vec![("OTEL_EXPORTER_OTLP_ENDPOINT", "http://collector:4317")], "OTEL_EXPORTER_OTLP_ENDPOINT"),
        (
            "news",
            vec![("PORTIA_DATABASE_URL", &format!("postgres://portia@{elsewhere}/portia"))],
            "sslmode=verify-full",
        ),
    ] {
        let sentence = processes.refusal(process, &more);
        assert!(sentence.contains(variable) && sentence.trim().lines().count() == 1, "{process} {more:?}: {sentence}");
        assert!(!sentence.contains("hunter2"), "{sentence}");
    }
    let https = processes.address("feed");
    assert_eq!(health(&processes.transport("feed")).await, Ok(()));
    let plain = Transport::remote("feed", &https.replace("https://", "http://"), None).unwrap();
    assert_eq!(health(&plain).await, Err(Code::Unavailable), "plaintext");
    let authority = Path::new(processes.variable("gateway", "PORTIA_TLS_DIR")).join("ca.crt");
    let refused = without_certificate(https.trim_start_matches("https://"), &authority).await;
    assert!(refused.to_string().contains("CertificateRequired"), "{refused}");
}

/// The refusal of a client that knows the authority and presents no certificate.
async fn without_certificate(address: &str, authority: &Path) -> io::Error {
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from_pem_file(authority).unwrap()).unwrap();
    let config = ClientConfig::builder_with_provider(Arc::new(rustls::crypto::aws_lc_rs::default_provider()))
        .with_protocol_versions(&[&rustls::version::TLS13])
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    let stream = TcpStream::connect(address).await.unwrap();
    let name = ServerName::try_from("feed").unwrap();
    // In TLS 1.3 the client is ready before the server looks at its certificate: the refusal is the first that it reads.
    let mut stream = TlsConnector::from(Arc::new(config)).connect(name, stream).await.unwrap();
    stream.read(&mut [0; 64]).await.unwrap_err()
}

/// Asks a service for its health.
async fn health(transport: &Transport) -> Result<(), Code> {
    let answer = HealthClient::new(transport.clone()).check(HealthCheckRequest::default()).await;
    answer.map(drop).map_err(|status| status.code())
}

/// Writes a file of the server as its user, whose mode Postgres requires for a key.
async fn write(db: &mut PgConnection, file: &str, pem: &str) {
    let lines = pem.trim().replace('\n', "','");
    let statement = format!("copy (select unnest(array['{lines}'])) to program 'umask 077; cat > {file}'");
    sqlx::raw_sql(sqlx::AssertSqlSafe(statement)).execute(db).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_postgres_is_verified_by_its_authority_and_its_name() {
    let data = folder();
    let options = Options {
        data: data.path().join("postgres"),
        profile: Profile::Throwaway,
        source: Binaries::Any,
        progress: &|_| {},
    };
    let server = Postgres::start(options).unwrap();
    let issuer = || {
        let mut params = CertificateParams::default();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap()
    };
    let (ours, other) = (issuer(), issuer());
    let key = KeyPair::generate().unwrap();
    let certificate = CertificateParams::new(vec!["localhost".to_owned()]).unwrap().signed_by(&key, &ours).unwrap();
    let mut db = PgConnection::connect(&server.admin_url()).await.unwrap();
    write(&mut db, "server.crt", &certificate.pem()).await;
    write(&mut db, "server.key", &key.serialize_pem()).await;
    sqlx::raw_sql("alter system set ssl = on").execute(&mut db).await.unwrap();
    sqlx::raw_sql("select pg_reload_conf()").execute(&mut db).await.unwrap();
    let loaded = async {
        while sqlx::query_scalar::<_, String>("show ssl").fetch_one(&mut db).await.unwrap() != "on" {
            sleep(Duration::from_millis(10)).await;
        }
    };
    timeout(TIMEOUT, loaded).await.expect("Postgres does not load its certificate");

    let authority = |name: &str, pem: String| {
        let file = data.path().join(name);
        std::fs::write(&file, pem).unwrap();
        file.display().to_string()
    };
    let (ours, other) = (authority("ours.crt", ours.pem()), authority("other.crt", other.pem()));
    for (host, authority, is_accepted) in
        [("localhost", &ours, true), ("localhost", &other, false), ("127.0.0.1", &ours, false)]
    {
        let url =
            server.admin_url().replace("127.0.0.1", host) + &format!("?sslmode=verify-full&sslrootcert={authority}");
        let options = Source::default().with("database_url", url).database("feed").unwrap();
        let connected = options.connect().await;
        assert_eq!(connected.is_ok(), is_accepted, "{host} {authority}: {:?}", connected.err());
        if let Ok(mut db) = connected {
            let encrypted = "select ssl from pg_stat_ssl where pid = pg_backend_pid()";
            assert!(sqlx::query_scalar::<_, bool>(encrypted).fetch_one(&mut db).await.unwrap());
        }
    }
    only_encrypted_connections_are_admitted(&mut db, &server.admin_url().replace("127.0.0.1", "localhost"), &ours)
        .await;
    server.stop().unwrap();
}

/// The rules of the Postgres of compose.
async fn only_encrypted_connections_are_admitted(db: &mut PgConnection, url: &str, authority: &str) {
    write(db, "pg_hba.conf", include_str!("../../../docker/pg_hba.conf")).await;
    sqlx::raw_sql("select pg_reload_conf()").execute(&mut *db).await.unwrap();
    let plain = async || PgConnection::connect(&format!("{url}?sslmode=disable")).await;
    let refused = timeout(TIMEOUT, async {
        loop {
            match plain().await {
                Ok(_) => sleep(Duration::from_millis(10)).await,
                Err(refused) => break refused.to_string(),
            }
        }
    });
    let refused = refused.await.expect("a connection in plaintext is admitted");
    assert!(refused.contains("pg_hba.conf") && refused.contains("no encryption"), "{refused}");
    PgConnection::connect(&format!("{url}?sslmode=verify-full&sslrootcert={authority}")).await.unwrap();
}
