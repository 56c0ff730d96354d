//! Everything Portia keeps of a member, as one ZIP: JSON for programs and a page for people.
//!
//! The services are asked one after the other. Their records go through a bounded channel to a thread that packs them,
//! and its chunks through another to the browser, so that a slow reader holds everybody back and nobody holds more than
//! a few records. What cannot be completed breaks the download: half an archive must not pass for a whole one.

use std::{io, sync::Arc, time::Duration};

use axum::{
    body::Body,
    extract::State,
    response::{IntoResponse as _, Response},
};
use axum_extra::extract::CookieJar;
use bytes::{Bytes, BytesMut};
use futures::stream;
use http::header;
use portia_proto::profile::GetMemberRequest;
use primitives::error::ErrorChain;
use tokio::{runtime::Handle, sync::mpsc, task::spawn_blocking, time::timeout};
use tracing::Instrument as _;
use utoipa::ToSchema;

use crate::api::export::{
    about::About,
    archive::Part,
    records::{Asking, Records, Service},
};
use crate::api::export::{archive, records};
use crate::api::ids::OfUser;
use crate::api::rate_limits;
use crate::{
    api::state::Gateway,
    edge::{authentication::Member, extract::Id, problem::Problem},
};

/// The timeout of a stalled browser or service.
const PATIENCE: Duration = Duration::from_secs(60);
/// What is sent at once.
const CHUNK: usize = 32 * 1024;
/// Chunks on their way to the browser.
const CHUNKS: usize = 4;
/// Records on their way to the thread.
const PARTS: usize = 4;

/// A ZIP archive.
#[derive(ToSchema)]
#[schema(value_type = String, format = Binary)]
#[expect(dead_code, reason = "only the document knows it")]
pub struct Zip(Vec<u8>);

/// Everything Portia keeps of me.
#[utoipa::path(get, path = "/api/users/{id}/export", operation_id = "exportUser", tag = "users",
    security(("session" = [])),
    params(("id" = Uuid, Path, description = "The signed-in member's id.")),
    responses((status = 200, content_type = "application/zip", body = inline(Zip),
        description = "`<service>/<section>.json` with a list each, and `index.html`. A download that ends early is \
                       not complete.")))]
pub async fn download(
    State(gateway): State<Arc<Gateway>>,
    member: Member,
    id: Id<OfUser>,
    jar: CookieJar,
) -> Result<Response, Problem> {
    member.require_owner(id.0)?;
    let place = Arc::clone(&gateway.exports).try_acquire_owned().map_err(|_| Problem::busy("EXPORTS_BUSY"))?;
    let request = member.call.request(GetMemberRequest { member_id: member.id.to_string() })?;
    let asked = gateway.clients.profile().get_member(request).await?.into_inner();
    let username = asked.member.map(|member| member.username).unwrap_or_default();
    member.limit(&gateway.limits, rate_limits::EXPORTS).await?;
    let about = About { username, at: gateway.clock.now() };
    let named = format!("attachment; filename=\"{}\"", about.file_name());
    let cookie = gateway.authentication.cookies.read(&jar).unwrap_or_default();
    let asking = Asking::new(gateway, cookie);
    // Asked before anything is answered, so that the usual failures still get an honest status.
    let first = asking.ask(Service::FIRST).await?;

    let (chunks, outlet) = mpsc::channel(CHUNKS);
    let work = async move {
        let _place = place;
        if let Err(error) = pack(&asking, first, about, chunks.clone()).await {
            tracing::warn!(error = %ErrorChain(&error), "an export is not complete");
            // When the browser left, the error has no reader.
            let _ = chunks.send(Err(error)).await;
        }
    };
    tokio::spawn(work.in_current_span());
    let chunks = stream::unfold(outlet, async |mut outlet| outlet.recv().await.map(|chunk| (chunk, outlet)));
    let headers = [(header::CONTENT_TYPE, "application/zip"), (header::CONTENT_DISPOSITION, named.as_str())];
    Ok((headers, Body::from_stream(chunks)).into_response())
}

type Chunks = mpsc::Sender<io::Result<Bytes>>;

async fn pack(asking: &Asking, first: Records, about: About, chunks: Chunks) -> io::Result<()> {
    let (parts, inbox) = mpsc::channel(PARTS);
    let outlet = Outlet { chunks, handle: Handle::current(), waiting: BytesMut::new() };
    let packing = spawn_blocking(move || archive::pack(inbox, outlet, &about));
    let sent = send_records(asking, first, parts).await;
    // When packing failed, its error is the reason.
    packing.await.map_err(io::Error::other)?.and(sent)
}

/// The records of all services, in the order of the archive. `Part::End` marks completeness.
async fn send_records(asking: &Asking, first: Records, parts: mpsc::Sender<Part>) -> io::Result<()> {
    let mut first = Some(first);
    for service in Service::ALL {
        let mut records = match first.take() {
            Some(records) => records,
            None => asking.ask(service).await.map_err(|problem| io::Error::other(problem.error))?,
        };
        parts.send(Part::Service(service)).await.map_err(io::Error::other)?;
        while let Some(record) = timeout(PATIENCE, records::next(&mut records)).await?? {
            parts.send(Part::Record(record)).await.map_err(io::Error::other)?;
        }
    }
    parts.send(Part::End).await.map_err(io::Error::other)
}

/// The way from the packing thread to the browser.
struct Outlet {
    chunks: Chunks,
    handle: Handle,
    waiting: BytesMut,
}

impl io::Write for Outlet {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.waiting.extend_from_slice(bytes);
        if self.waiting.len() >= CHUNK {
            self.flush()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.waiting.is_empty() {
            return Ok(());
        }
        let chunk = self.waiting.split().freeze();
        let sent = self.handle.block_on(async { timeout(PATIENCE, self.chunks.send(Ok(chunk))).await });
        sent?.map_err(|_| io::ErrorKind::BrokenPipe.into())
    }
}
