//! The answers of the fake services by RPC: one gRPC server for all, whose messages it reads and writes as the table says.

use std::{
    collections::HashMap,
    fmt::Debug,
    pin::Pin,
    sync::{Arc, LazyLock},
};

use axum::body::Body;
use bytes::{Buf as _, BufMut as _};
use prost::Message;
use rpc::identity::Actor;
use tokio_stream::{Stream, StreamExt as _};
use tonic::{
    Request, Response, Status, Streaming,
    codec::{Codec, DecodeBuf, Decoder, EncodeBuf, Encoder},
    server::Grpc,
};
use uuid::Uuid;

use super::{FakeServices, services};

/// Encoded messages of a response.
type Messages = Pin<Box<dyn Stream<Item = Result<Vec<u8>, Status>> + Send>>;

/// The answer to a message, or to a message and its file.
type ToMessage<Q, R> = fn(&Arc<FakeServices>, Q, Option<Uuid>) -> Result<R, Status>;
type ToFile<Q, R> = fn(Q, &[u8], Option<Uuid>) -> Result<R, Status>;

type Describe = dyn Fn(&[Vec<u8>]) -> String + Send + Sync;
type Answer = dyn Fn(&Arc<FakeServices>, &[Vec<u8>], Option<Uuid>) -> Result<Messages, Status> + Send + Sync;

/// An RPC of the table.
struct Rpc {
    name: &'static str,
    /// The request as text, for the test.
    describe: Box<Describe>,
    answer: Box<Answer>,
}

/// RPCs by service and name: `feed.get_post`. Any other RPC is unimplemented.
#[derive(Default)]
pub struct Table(HashMap<&'static str, Rpc>);

static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let mut table = Table::default();
    services::add_to(&mut table);
    table
});

impl Table {
    /// An RPC with one message as its answer.
    pub fn answers<Q: Message + Default + Debug + 'static, R: Message + 'static>(
        &mut self,
        rpc: &'static str,
        answer: ToMessage<Q, R>,
    ) {
        let answer: Box<Answer> = Box::new(move |fakes, messages, actor| {
            let message = answer(fakes, decode(&messages[0]), actor)?;
            Ok(Box::pin(tokio_stream::once(Ok(message.encode_to_vec()))))
        });
        self.add(rpc, name(rpc), Box::new(|messages| text::<Q>(&decode(&messages[0]))), answer);
    }

    /// A download: some messages.
    pub fn streams<Q: Message + Default + Debug + 'static, R: Message + 'static>(
        &mut self,
        rpc: &'static str,
        answer: fn(Q, Option<Uuid>) -> Result<Vec<R>, Status>,
    ) {
        let answer: Box<Answer> = Box::new(move |_, messages, actor| {
            let answer = answer(decode(&messages[0]), actor)?;
            Ok(Box::pin(tokio_stream::iter(answer.into_iter().map(|message| Ok(message.encode_to_vec())))))
        });
        self.add(rpc, name(rpc), Box::new(|messages| text::<Q>(&decode(&messages[0]))), answer);
    }

    /// An upload: the first message with the whole file. The test gets the size of the file, because it may have megabytes.
    pub fn uploads<Q: Message + Default + Debug + 'static, R: Message + 'static>(
        &mut self,
        rpc: &'static str,
        chunk: fn(&mut Q) -> &mut Vec<u8>,
        answer: ToFile<Q, R>,
    ) {
        let read = move |messages: &[Vec<u8>]| {
            let chunks = messages.iter().map(|message| std::mem::take(chunk(&mut decode::<Q>(message))));
            (decode::<Q>(&messages[0]), chunks.collect::<Vec<_>>())
        };
        let describe = move |messages: &[Vec<u8>]| {
            let (mut first, chunks) = read(messages);
            let (size, largest) = (chunks.concat().len(), chunks.iter().map(Vec::len).max().unwrap_or_default());
            *chunk(&mut first) = format!("{size} bytes, at most {largest} at once").into_bytes();
            text(&first)
        };
        let answer: Box<Answer> = Box::new(move |_, messages, actor| {
            let (first, chunks) = read(messages);
            let message = answer(first, &chunks.concat(), actor)?;
            Ok(Box::pin(tokio_stream::once(Ok(message.encode_to_vec()))))
        });
        self.add(rpc, name(rpc), Box::new(describe), answer);
    }

    /// The export of a service: the records that the test sets, generated on demand.
    pub fn exports<R: Message + 'static>(
        &mut self,
        [rpc, name, service]: [&'static str; 3],
        record: fn(String, String) -> R,
    ) {
        let answer: Box<Answer> = Box::new(move |fakes, _, _| {
            let records = fakes.export(service);
            Ok(Box::pin(records.map(move |entry| entry.map(|(section, json)| record(section, json).encode_to_vec()))))
        });
        self.add(rpc, name, Box::new(|_| String::new()), answer);
    }

    fn add(&mut self, rpc: &'static str, name: &'static str, describe: Box<Describe>, answer: Box<Answer>) {
        assert!(self.0.insert(rpc, Rpc { name, describe, answer }).is_none(), "{rpc} is answered twice");
    }
}

/// `get_post` of `feed.get_post`.
fn name(rpc: &'static str) -> &'static str {
    rpc.split_once('.').unwrap().1
}

fn decode<Q: Message + Default>(message: &[u8]) -> Q {
    Q::decode(message).unwrap()
}

/// Debug redacts secrets; the encoded message contains them.
fn text<Q: Message + Debug>(message: &Q) -> String {
    format!("{message:?} {}", String::from_utf8_lossy(&message.encode_to_vec()))
}

/// Answers a request for `/portia.feed.v1.FeedService/GetPost` as `feed.get_post`.
pub async fn answer(fakes: Arc<FakeServices>, request: http::Request<Body>) -> http::Response<tonic::body::Body> {
    let mut path = request.uri().path().split(['.', '/']).map(str::to_owned);
    let (service, rpc) = (path.nth(2).unwrap_or_default(), path.next_back().unwrap_or_default());
    let upper = |letter: char| letter.is_uppercase().then_some('_').into_iter().chain(letter.to_lowercase());
    let rpc = format!("{service}.{}", rpc.chars().flat_map(upper).skip(1).collect::<String>());
    let call = tower::service_fn(move |request: Request<Streaming<Vec<u8>>>| {
        let (fakes, rpc) = (Arc::clone(&fakes), rpc.clone());
        async move {
            let rpc = TABLE.0.get(&*rpc).ok_or_else(|| Status::unimplemented(rpc))?;
            let actor = Actor::viewer(&request)?;
            let messages: Vec<_> = request.into_inner().collect::<Result<_, _>>().await?;
            fakes.enter(rpc.name, actor, (rpc.describe)(&messages)).await?;
            (rpc.answer)(&fakes, &messages, actor).map(Response::new)
        }
    });
    Grpc::new(Encoded).streaming(call, request).await
}

/// Messages stay encoded.
#[derive(Clone, Copy)]
struct Encoded;

impl Codec for Encoded {
    type Encode = Vec<u8>;
    type Decode = Vec<u8>;
    type Encoder = Self;
    type Decoder = Self;

    fn encoder(&mut self) -> Self {
        *self
    }

    fn decoder(&mut self) -> Self {
        *self
    }
}

impl Encoder for Encoded {
    type Item = Vec<u8>;
    type Error = Status;

    fn encode(&mut self, message: Vec<u8>, to: &mut EncodeBuf<'_>) -> Result<(), Status> {
        to.put_slice(&message);
        Ok(())
    }
}

impl Decoder for Encoded {
    type Item = Vec<u8>;
    type Error = Status;

    fn decode(&mut self, from: &mut DecodeBuf<'_>) -> Result<Option<Vec<u8>>, Status> {
        Ok(Some(from.copy_to_bytes(from.remaining()).to_vec()))
    }
}
