//! The export of all data of a member as a ZIP archive: JSON files and an HTML page.
//!
//! The services are called one after the other. Their records pass a bounded channel to a thread that writes the archive,
//! and its chunks pass another one to the browser, so a slow browser slows down the services and memory stays bounded.
//! A failure breaks the download, so that an incomplete archive is never valid.

use std::{io, sync::Arc, time::Duration};

use axum::{
    body::Body,
    extract::State,
    response::{IntoResponse as _, Response},
};
use bytes::{Bytes, BytesMut};
use futures::stream;
use http::{HeaderMap, header};
use portia_proto::profile::GetMemberRequest;
use primitives::error::ErrorChain;
use tokio::{runtime::Handle, sync::mpsc, task::spawn_blocking, time::timeout};
use tracing::Instrument as _;
use utoipa::ToSchema;

use crate::api::export::{
    about::About,
    archive::Part,
    records::{ExportClient, Records, Service},
};
use crate::api::export::{archive, records};
use crate::api::ids::OfUser;
use crate::api::rate_limits;
use crate::{
    api::state::Gateway,
    edge::{authentication::Member, extract::Id, problem::Problem},
};

/// The timeout of a stalled browser or service.
const STALL_TIMEOUT: Duration = Duration::from_secs(60);
/// The size of a chunk.
const CHUNK: usize = 32 * 1024;
/// The buffered chunks for the browser.
const CHUNKS: usize = 4;
/// The buffered records for the thread.
const PARTS: usize = 4;

/// A ZIP archive.
#[derive(ToSchema)]
#[schema(value_type = String, format = Binary)]
#[expect(dead_code, reason = "only for the OpenAPI document")]
pub struct Zip(Vec<u8>);

/// Exports all data of the signed-in member as a ZIP archive. 403 `STEP_UP_REQUIRED` without a recent proof.
#[utoipa::path(get, path = "/api/users/{id}/export", operation_id = "exportUser", tag = "users",
    security(("session" = [])),
    params(("id" = Uuid, Path, description = "The id of the signed-in member.")),
    responses((status = 200, content_type = "application/zip", body = inline(Zip),
        description = "`<service>/<section>.json` with a list each, and `index.html`. An interrupted download is not \
                       a valid archive.")))]
pub async fn download(
    State(gateway): State<Arc<Gateway>>,
    member: Member,
    id: Id<OfUser>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    member.require_owner(id.0)?;
    let permit = Arc::clone(&gateway.exports).try_acquire_owned().map_err(|_| Problem::busy("EXPORTS_BUSY"))?;
    let request = member.call.request(GetMemberRequest { member_id: member.id.to_string(), ..Default::default() })?;
    let found = gateway.clients.profile().get_member(request).await?.into_inner();
    let username = found.member.map(|member| member.username).unwrap_or_default();
    member.limit(&gateway.limits, rate_limits::EXPORTS).await?;
    let about = About { username, at: gateway.clock.now() };
    let disposition = format!("attachment; filename=\"{}\"", about.file_name());
    let cookie = gateway.authentication.cookies.read(&headers).unwrap_or_default().to_owned();
    let limits = gateway.limits.clone();
    let client = ExportClient::new(gateway, cookie);
    // Opened before the response starts, so that the usual failures have an error status. auth, the first one, refuses an export
    // without a recent proof; the others are not asked then.
    let first = match client.open(Service::FIRST).await {
        Ok(first) => first,
        // No data was read: the next attempt, after a proof, must not be the second one.
        Err(refused) => {
            limits.give_back(rate_limits::EXPORTS, &member.id.to_string()).await;
            return Err(refused);
        }
    };

    let (chunks, outlet) = mpsc::channel(CHUNKS);
    let work = async move {
        let _permit = permit;
        if let Err(error) = pack(&client, first, about, chunks.clone()).await {
            tracing::warn!(error = %ErrorChain(&error), "an export is not complete");
            // When the browser left, the error has no reader.
            let _ = chunks.send(Err(error)).await;
        }
    };
    tokio::spawn(work.in_current_span());
    let chunks = stream::unfold(outlet, async |mut outlet| outlet.recv().await.map(|chunk| (chunk, outlet)));
    let headers = [(header::CONTENT_TYPE, "application/zip"), (header::CONTENT_DISPOSITION, disposition.as_str())];
    Ok((headers, Body::from_stream(chunks)).into_response())
}

type Chunks = mpsc::Sender<io::Result<Bytes>>;

async fn pack(client: &ExportClient, first: Records, about: About, chunks: Chunks) -> io::Result<()> {
    let (parts, inbox) = mpsc::channel(PARTS);
    let outlet = Outlet { chunks, handle: Handle::current(), buffer: BytesMut::new() };
    let packing = spawn_blocking(move || archive::pack(inbox, outlet, &about));
    let sent = send_records(client, first, parts).await;
    // When packing failed, its error is the reason.
    packing.await.map_err(io::Error::other)?.and(sent)
}

/// The records of all services, in the order of the archive. `Part::End` marks completeness.
async fn send_records(client: &ExportClient, first: Records, parts: mpsc::Sender<Part>) -> io::Result<()> {
    let mut first = Some(first);
    for service in Service::ALL {
        let mut records = match first.take() {
            Some(records) => records,
            None => client.open(service).await.map_err(|problem| io::Error::other(problem.error))?,
        };
        parts.send(Part::Service(service)).await.map_err(io::Error::other)?;
        while let Some(record) = timeout(STALL_TIMEOUT, records::next(&mut records)).await?? {
            parts.send(Part::Record(record)).await.map_err(io::Error::other)?;
        }
    }
    parts.send(Part::End).await.map_err(io::Error::other)
}

/// The way from the packing thread to the browser.
struct Outlet {
    chunks: Chunks,
    handle: Handle,
    buffer: BytesMut,
}

impl io::Write for Outlet {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.buffer.extend_from_slice(bytes);
        if self.buffer.len() >= CHUNK {
            self.flush()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.buffer.is_empty() {
            return Ok(());
        }
        let chunk = self.buffer.split().freeze();
        let sent = self.handle.block_on(async { timeout(STALL_TIMEOUT, self.chunks.send(Ok(chunk))).await });
        sent?.map_err(|_| io::ErrorKind::BrokenPipe.into())
    }
}
