//! What each fake neighbour answers.

use std::pin::Pin;

use chassis::error::{Kind, frame_status};
use tokio_stream::Stream;
use tonic::Status;
use uuid::Uuid;

use super::Fake;

type BoxStream<T> = Pin<Box<dyn Stream<Item = Result<T, Status>> + Send>>;

/// `method(Request) -> Response { expression over (self, request, actor) }` for each RPC of a service, and the stream of
/// those who export.
macro_rules! fake {
    ($service:path $([exports $contract:ident as $name:literal])? {
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
                type ExportMemberStream = BoxStream<$contract::ExportMemberResponse>;

                async fn export_member(
                    &self,
                    request: Request<$contract::ExportMemberRequest>,
                ) -> Result<Response<Self::ExportMemberStream>, Status> {
                    self.0.enter(concat!("export_member of ", $name), &request).await?;
                    signed_in(Actor::viewer(&request)?)?;
                    let told = self.0.export($name).map(|told| {
                        told.map(|(section, json)| $contract::ExportMemberResponse { section, json })
                    });
                    Ok(Response::new(Box::pin(told)))
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

fn refuse(kind: Kind, reason: &'static str, message: &str) -> Status {
    frame_status(kind, reason, message)
}

fn signed_in(actor: Option<Uuid>) -> Result<(), Status> {
    actor.map(drop).ok_or_else(|| refuse(Kind::Unauthenticated, "SIGN_IN_REQUIRED", "Sign in required"))
}
