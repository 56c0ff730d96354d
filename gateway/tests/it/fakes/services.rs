//! The responses of the fake services.

use std::pin::Pin;

use primitives::error::{ErrorKind, new_status};
use tokio_stream::Stream;
use tonic::Status;
use uuid::Uuid;

use super::Fake;
use crate::actors;

type BoxStream<T> = Pin<Box<dyn Stream<Item = Result<T, Status>> + Send>>;

/// `method(Request) -> Response { expression over (self, request, actor) }` for each RPC of a service, and the
/// stream of exports.
macro_rules! fake {
    ($service:path $([exports $contract:ident as $name:literal $(with $part:ident)?])? $([uploads $piece:ty])? $([also { $($extra:tt)* }])? {
        $($method:ident($request:ty) -> $response:ty $body:block)+
    }) => {
        #[tonic::async_trait]
        impl $service for Fake {
            $(async fn $method(&self, request: Request<$request>) -> Result<Response<$response>, Status> {
                self.0.enter(stringify!($method), &request).await?;
                let answer: fn(&Self, $request, Option<Uuid>) -> Result<$response, Status> = $body;
                let actor = Actor::viewer(&request)?;
                answer(self, request.into_inner(), actor).map(Response::new)
            })+
            $(
                async fn upload_picture(
                    &self,
                    request: Request<tonic::Streaming<$piece>>,
                ) -> Result<Response<feed::UploadPictureResponse>, Status> {
                    let (metadata, extensions, mut pieces) = request.into_parts();
                    let (mut file, mut key, mut largest) = (Vec::new(), None, 0);
                    while let Some(piece) = pieces.message().await? {
                        largest = largest.max(piece.chunk.len());
                        key = key.or(piece.idempotency_key);
                        file.extend_from_slice(&piece.chunk);
                    }
                    // A summary, because the file may have megabytes.
                    let chunk = format!("{} bytes, at most {largest} at once", file.len()).into_bytes();
                    let seen = Request::from_parts(metadata, extensions, feed::UploadPictureRequest { chunk, idempotency_key: key });
                    self.0.enter("upload_picture", &seen).await?;
                    signed_in(Actor::viewer(&seen)?)?;
                    uploaded(&file).map(Response::new)
                }
            )?
            $($($extra)*)?
            $(
                type ExportMemberStream = BoxStream<$contract::ExportMemberResponse>;

                async fn export_member(
                    &self,
                    request: Request<$contract::ExportMemberRequest>,
                ) -> Result<Response<Self::ExportMemberStream>, Status> {
                    self.0.enter(concat!("export_member of ", $name), &request).await?;
                    signed_in(Actor::viewer(&request)?)?;
                    let records = self.0.export($name).map(|record| {
                        record.map(|(section, json)| $contract::ExportMemberResponse { section, json, $($part: None)? })
                    });
                    Ok(Response::new(Box::pin(records)))
                }
            )?
        }
    };
}

// Below the macro, which they use.
mod auth;
mod feed;
mod graph;
mod jobs;
mod messaging;
mod news;
mod profile;

fn refuse(kind: ErrorKind, reason: &'static str, message: &str) -> Status {
    new_status(kind, reason, message)
}

/// The next page token of a search. Every search has two pages.
fn search_page(query: &str, page_token: &str) -> Result<String, Status> {
    if query.trim().is_empty() || query.chars().count() > 200 {
        return Err(actors::invalid_field(ErrorKind::Invalid, "INVALID", "query", "This must not be empty."));
    }
    Ok(if page_token.is_empty() { "page-2" } else { "" }.to_owned())
}

fn signed_in(actor: Option<Uuid>) -> Result<(), Status> {
    actor.map(drop).ok_or_else(|| refuse(ErrorKind::Unauthenticated, "SIGN_IN_REQUIRED", "Sign in required"))
}
