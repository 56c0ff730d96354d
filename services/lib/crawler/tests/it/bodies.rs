//! Bodies that are too long, compressed, truncated, or of another length than announced.

use std::io::{self, Read as _, Write as _};

use crawler::fetch::{Failure, Policy};
use flate2::{Compression, write::GzEncoder};

use crate::server::{Answer, PATIENT, Server, answer, document, ok};

/// A policy with a small limit.
const SMALL: Policy = Policy { max_bytes: 4_096, ..PATIENT };

pub fn compress(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

pub fn gzip(body: &[u8]) -> Vec<u8> {
    answer("200 OK", &["content-encoding: gzip"], body)
}

const TOO_LARGE: Failure = Failure::TooLarge { most: 4_096 };
const CHUNKED: &[u8] = b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n";

async fn failure(answer: impl Into<Vec<u8>>) -> Failure {
    Server::saying(answer).await.fetch_by("/", &SMALL).await.unwrap_err()
}

#[tokio::test]
async fn a_body_of_the_maximum_length_is_accepted_and_one_more_byte_is_refused() {
    for (length, fits) in [(4_095, true), (4_096, true), (4_097, false)] {
        let body = vec![b'a'; length];
        for answer in [
            ok(&body),
            gzip(&compress(&body)),
            [b"HTTP/1.1 200 OK\r\n\r\n".as_slice(), &body].concat(),
            [CHUNKED, format!("{length:x}\r\n").as_bytes(), &body, b"\r\n0\r\n\r\n"].concat(),
        ] {
            let fetched = Server::saying(answer).await.fetch_by("/", &SMALL).await;
            if fits {
                let mut document = document(fetched);
                let mut got = Vec::new();
                document.body.read_to_end(&mut got).unwrap();
                assert_eq!((got == body, document.bytes), (true, length as u64));
            } else {
                assert_eq!(fetched.unwrap_err(), TOO_LARGE);
            }
        }
    }
}

#[tokio::test]
async fn a_large_document_is_stored_in_a_file() {
    let body: Vec<u8> = (0..3_000_000_u32).flat_map(u32::to_le_bytes).collect();
    for answer in [ok(&body), gzip(&compress(&body))] {
        let server = Server::saying(answer).await;
        let mut document = document(server.fetch_by("/", &Policy { timeout: PATIENT.timeout, ..Policy::BOARD }).await);
        let mut got = Vec::new();
        document.body.read_to_end(&mut got).unwrap();
        assert!(got == body && document.bytes == 12_000_000 && document.body.is_rolled());
    }
}

#[tokio::test]
async fn an_endless_body_is_refused() {
    for head in [b"HTTP/1.1 200 OK\r\n\r\n".as_slice(), CHUNKED] {
        let chunk =
            if head == CHUNKED { [b"400\r\n".as_slice(), &[b'a'; 1_024], b"\r\n"].concat() } else { vec![b'a'; 1_024] };
        let server = Server::start(move |_| Answer::Endless(head.to_vec(), chunk.clone())).await;
        assert_eq!(server.fetch_by("/", &SMALL).await.unwrap_err(), TOO_LARGE);
        assert_eq!(server.failure("/").await.to_string(), "It sent more than 2 MiB.");
    }
}

#[tokio::test]
async fn an_announced_length_above_the_maximum_is_refused_at_once() {
    let server = Server::start(|_| Answer::Silence(b"HTTP/1.1 200 OK\r\ncontent-length: 4097\r\n\r\n".to_vec())).await;
    assert_eq!(server.fetch_by("/", &SMALL).await.unwrap_err(), TOO_LARGE);
    for length in ["18446744073709551615", "9223372036854775807"] {
        let answer = format!("HTTP/1.1 200 OK\r\ncontent-length: {length}\r\n\r\nabc");
        assert!(matches!(failure(answer).await, TOO_LARGE | Failure::InvalidHttp), "{length}");
    }
}

#[tokio::test]
async fn a_wrong_length_truncates_or_fails() {
    let short = Server::saying("HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nbody and what was not announced").await;
    let mut document = document(short.fetch_by("/", &SMALL).await);
    assert_eq!(io::read_to_string(&mut document.body).unwrap(), "body");
    assert_eq!(failure("HTTP/1.1 200 OK\r\ncontent-length: 400\r\n\r\nbody").await, Failure::ConnectionClosed);
    for wrong in ["-1", "1e3", "0x10", "4, 5", "four"] {
        assert_eq!(
            failure(format!("HTTP/1.1 200 OK\r\ncontent-length: {wrong}\r\n\r\nbody")).await,
            Failure::InvalidHttp,
            "{wrong}"
        );
    }
}

#[tokio::test]
async fn an_interrupted_connection_is_a_failure() {
    for broken in
        ["", "HTTP/1.1 200 OK\r\ncontent-le", "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n10\r\nabc"]
    {
        assert_eq!(failure(broken).await, Failure::ConnectionClosed, "{broken:?}");
    }
}

#[tokio::test]
async fn a_response_that_is_not_http_is_a_failure() {
    for nonsense in [
        "SSH-2.0-OpenSSH_9.2p1\r\n",
        "220 mail.example ESMTP\r\n",
        "<html></html>\r\n\r\n",
        "HTTP/1.1 abc\r\n\r\n",
        "HTTP/9.9 200 OK\r\n\r\n",
    ] {
        assert_eq!(failure(nonsense).await, Failure::InvalidHttp, "{nonsense}");
    }
}

#[tokio::test]
async fn a_gzip_bomb_is_refused() {
    let bomb = compress(&vec![0; 64 << 20]);
    assert!(bomb.len() < 100 << 10, "{} bytes", bomb.len());
    assert_eq!(failure(gzip(&bomb)).await, Failure::TooLarge { most: 4_096 });
    let server = Server::saying(gzip(&bomb)).await;
    assert_eq!(server.failure("/").await, Failure::TooLarge { most: 2 << 20 });
    // Compressed twice: it is small after one decompression, and is not decompressed again.
    let twice = Server::saying(gzip(&compress(&bomb))).await;
    let mut document = document(twice.fetch("/").await);
    let mut got = Vec::new();
    document.body.read_to_end(&mut got).unwrap();
    assert_eq!(got, bomb);
}

#[tokio::test]
async fn an_endless_body_that_decompresses_to_nothing_is_refused() {
    let nothing = compress(b"");
    let head = b"HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\n\r\n".to_vec();
    let server = Server::start(move |_| Answer::Endless(head.clone(), nothing.clone())).await;
    assert_eq!(server.fetch_by("/", &SMALL).await.unwrap_err(), TOO_LARGE);
}

#[tokio::test]
async fn several_gzip_members_are_one_body() {
    let server = Server::saying(gzip(&[compress(b"one "), compress(b""), compress(b"two")].concat())).await;
    let mut document = document(server.fetch("/").await);
    assert_eq!(io::read_to_string(&mut document.body).unwrap(), "one two");
}

#[tokio::test]
async fn damaged_compression_is_a_failure() {
    let whole = compress(b"a feed, or so it seemed");
    let mut other = whole.clone();
    let checksum = other.len() - 8;
    other[checksum] ^= 1;
    let mut middle = whole.clone();
    middle[12] ^= 0xff;
    for (what, body) in [
        ("cut off", whole[..whole.len() - 3].to_vec()),
        ("cut in the header", whole[..5].to_vec()),
        ("another checksum", other),
        ("flipped", middle),
        ("no gzip", b"plain text that is none".to_vec()),
        ("nothing", Vec::new()),
        ("something behind it", [whole, b"trailing".to_vec()].concat()),
    ] {
        assert_eq!(failure(gzip(&body)).await, Failure::Damaged, "{what}");
    }
}

#[tokio::test]
async fn only_gzip_is_accepted() {
    let body = compress(b"body");
    for encoding in [
        &["content-encoding: br"][..],
        &["content-encoding: deflate"],
        &["content-encoding: zstd"],
        &["content-encoding: gzip, gzip"],
        &["content-encoding: gzip", "content-encoding: gzip"],
        &["content-encoding: gzip, br"],
    ] {
        assert_eq!(failure(answer("200 OK", encoding, &body)).await, Failure::Encoding, "{encoding:?}");
    }
    for encoding in ["content-encoding: GZIP", "content-encoding: x-gzip"] {
        let server = Server::saying(answer("200 OK", &[encoding], &body)).await;
        assert_eq!(document(server.fetch("/").await).bytes, 4, "{encoding}");
    }
    let plain = Server::saying(answer("200 OK", &["content-encoding: identity"], "body")).await;
    assert_eq!(document(plain.fetch("/").await).bytes, 4);
}
