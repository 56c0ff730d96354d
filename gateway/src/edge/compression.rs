//! Compressing what the API answers: a page of posts is a fifth then, and a phone has it a fifth of a second sooner.
//!
//! Only JSON, whole and long enough to be worth it. The client's files are packed when they are built (assets.rs), pictures
//! and exports are packed already, and a live stream has to leave line by line.

use http::{Extensions, HeaderMap, StatusCode, Version, header};
use tower_http::{
    CompressionLevel,
    compression::{
        CompressionLayer, Predicate,
        predicate::{And, SizeAbove},
    },
};

/// Bytes below which an answer fits into a packet as it is.
const WORTH_IT: u64 = 1_200;

type IsJson = fn(StatusCode, Version, &HeaderMap, &Extensions) -> bool;

/// gzip at its fastest level: a better one takes three times as long for a tenth fewer bytes.
pub fn layer() -> CompressionLayer<And<SizeAbove, IsJson>> {
    let json: IsJson = |_, _, headers, _| is_json(headers);
    CompressionLayer::new()
        .gzip(true)
        .quality(CompressionLevel::Fastest)
        .compress_when(SizeAbove::new(WORTH_IT).and(json))
}

fn is_json(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default().trim();
    kind == "application/json" || kind == "application/problem+json"
}
