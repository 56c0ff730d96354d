//! Bodies: too long, packed to be too long, broken off, lied about.

use std::io::{self, Read as _, Write as _};

use crawler::fetch::{Failure, Policy};
use flate2::{Compression, write::GzEncoder};

use crate::server::{Answer, PATIENT, Server, answer, document, ok};

/// A policy under which little is much.
const SMALL: Policy = Policy { max_bytes: 4_096, ..PATIENT };

pub fn packed(bytes: &[u8]) -> Vec<u8> {
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
async fn as_much_as_is_allowed_is_taken_and_a_byte_more_is_not() {
    for (length, fits) in [(4_095, true), (4_096, true), (4_097, false)] {
        let body = vec![b'a'; length];
        for answer in [
            ok(&body),
            gzip(&packed(&body)),
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
async fn a_large_document_waits_in_a_file() {
    let body: Vec<u8> = (0..3_000_000_u32).flat_map(u32::to_le_bytes).collect();
    for answer in [ok(&body), gzip(&packed(&body))] {
        let server = Server::saying(answer).await;
        let mut document = document(server.fetch_by("/", &Policy { timeout: PATIENT.timeout, ..Policy::BOARD }).await);
        let mut got = Vec::new();
        document.body.read_to_end(&mut got).unwrap();
        assert!(got == body && document.bytes == 12_000_000 && document.body.is_rolled());
    }
}

#[tokio::test]
async fn a_body_without_end_is_left() {
    for head in [b"HTTP/1.1 200 OK\r\n\r\n".as_slice(), CHUNKED] {
        let chunk =
            if head == CHUNKED { [b"400\r\n".as_slice(), &[b'a'; 1_024], b"\r\n"].concat() } else { vec![b'a'; 1_024] };
        let server = Server::start(move |_| Answer::Endless(head.to_vec(), chunk.clone())).await;
        assert_eq!(server.fetch_by("/", &SMALL).await.unwrap_err(), TOO_LARGE);
        assert_eq!(server.failure("/").await.to_string(), "It sent more than 2 MiB.");
    }
}

#[tokio::test]
async fn a_length_is_believed_before_it_comes() {
    let server = Server::start(|_| Answer::Silence(b"HTTP/1.1 200 OK\r\ncontent-length: 4097\r\n\r\n".to_vec())).await;
    assert_eq!(server.fetch_by("/", &SMALL).await.unwrap_err(), TOO_LARGE);
    for lie in ["18446744073709551615", "9223372036854775807"] {
        let answer = format!("HTTP/1.1 200 OK\r\ncontent-length: {lie}\r\n\r\nabc");
        assert!(matches!(failure(answer).await, TOO_LARGE | Failure::NotHttp), "{lie}");
    }
}

#[tokio::test]
async fn a_length_that_lies_cuts_or_breaks_but_never_mixes() {
    let short = Server::saying("HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nbody and what was not announced").await;
    let mut document = document(short.fetch_by("/", &SMALL).await);
    assert_eq!(io::read_to_string(&mut document.body).unwrap(), "body");
    assert_eq!(failure("HTTP/1.1 200 OK\r\ncontent-length: 400\r\n\r\nbody").await, Failure::BrokeOff);
    for wrong in ["-1", "1e3", "0x10", "4, 5", "four"] {
        assert_eq!(
            failure(format!("HTTP/1.1 200 OK\r\ncontent-length: {wrong}\r\n\r\nbody")).await,
            Failure::NotHttp,
            "{wrong}"
        );
    }
}

#[tokio::test]
async fn a_connection_that_ends_in_the_middle_is_told_as_such() {
    for broken in
        ["", "HTTP/1.1 200 OK\r\ncontent-le", "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n10\r\nabc"]
    {
        assert_eq!(failure(broken).await, Failure::BrokeOff, "{broken:?}");
    }
}

#[tokio::test]
async fn what_is_no_http_is_not_understood() {
    for nonsense in [
        "SSH-2.0-OpenSSH_9.2p1\r\n",
        "220 mail.example ESMTP\r\n",
        "<html></html>\r\n\r\n",
        "HTTP/1.1 abc\r\n\r\n",
        "HTTP/9.9 200 OK\r\n\r\n",
    ] {
        assert_eq!(failure(nonsense).await, Failure::NotHttp, "{nonsense}");
    }
}

#[tokio::test]
async fn a_gzip_bomb_is_defused() {
    let bomb = packed(&vec![0; 64 << 20]);
    assert!(bomb.len() < 100 << 10, "{} bytes", bomb.len());
    assert_eq!(failure(gzip(&bomb)).await, Failure::TooLarge { most: 4_096 });
    let server = Server::saying(gzip(&bomb)).await;
    assert_eq!(server.failure("/").await, Failure::TooLarge { most: 2 << 20 });
    // Twice packed: what comes out once is small, and is not unpacked again.
    let twice = Server::saying(gzip(&packed(&bomb))).await;
    let mut document = document(twice.fetch("/").await);
    let mut got = Vec::new();
    document.body.read_to_end(&mut got).unwrap();
    assert_eq!(got, bomb);
}

#[tokio::test]
async fn nothing_at_all_packed_without_end_is_left() {
    let nothing = packed(b"");
    let head = b"HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\n\r\n".to_vec();
    let server = Server::start(move |_| Answer::Endless(head.clone(), nothing.clone())).await;
    assert_eq!(server.fetch_by("/", &SMALL).await.unwrap_err(), TOO_LARGE);
}

#[tokio::test]
async fn several_members_are_one_body() {
    let server = Server::saying(gzip(&[packed(b"one "), packed(b""), packed(b"two")].concat())).await;
    let mut document = document(server.fetch("/").await);
    assert_eq!(io::read_to_string(&mut document.body).unwrap(), "one two");
}

#[tokio::test]
async fn damaged_compression_is_told_as_such() {
    let whole = packed(b"a feed, or so it seemed");
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
async fn only_the_compression_that_was_asked_for_is_taken() {
    let body = packed(b"body");
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
