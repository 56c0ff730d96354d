//! A balancer without a server accepts connections and closes them: the database is unavailable.

use std::net::Ipv4Addr;

use primitives::error::ErrorKind;
use sqlx::{ConnectOptions as _, postgres::PgConnectOptions};
use tokio::{io::AsyncReadExt as _, net::TcpListener};

#[tokio::test]
async fn a_connection_that_ends_in_its_handshake_is_an_unavailable_database() {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let balancer = async {
        let (mut connection, _) = listener.accept().await.unwrap();
        // Closing a socket with unread bytes resets the connection, which is another error.
        connection.read_exact(&mut [0; 8]).await.unwrap();
    };
    let options = PgConnectOptions::new().host("127.0.0.1").port(port).username("portia_feed");
    let (failure, ()) = tokio::join!(options.connect(), balancer);
    let failure = db::Error::from(failure.unwrap_err());
    assert_eq!(failure.kind(), ErrorKind::Unavailable, "{failure:?}");
}
