//! What each fake neighbour answers.

use std::pin::Pin;

use chassis::{
    actor::Actor,
    error::{Kind, frame_status},
};
use portia_proto::{jobs, news};
use tokio_stream::{Stream, StreamExt as _};
use tonic::{Request, Response, Status};
use uuid::Uuid;

use super::Fake;
use crate::cast;

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
mod messaging;
mod profile;

fn refuse(kind: Kind, reason: &'static str, message: &str) -> Status {
    frame_status(kind, reason, message)
}

fn signed_in(actor: Option<Uuid>) -> Result<(), Status> {
    actor.map(drop).ok_or_else(|| refuse(Kind::Unauthenticated, "SIGN_IN_REQUIRED", "Sign in required"))
}

fake!(jobs::jobs_service_server::JobsService [exports jobs as "jobs"] {
    list_jobs(jobs::ListJobsRequest) -> jobs::ListJobsResponse {
        |_, _, _| Ok(jobs::ListJobsResponse { jobs: vec![cast::job()], next_page_token: String::new() })
    }
    get_stats(jobs::GetStatsRequest) -> jobs::GetStatsResponse {
        |_, _, _| Ok(jobs::GetStatsResponse { total_jobs: 4, internships: 1, entry_level: 2, full_time: 3 })
    }
    list_my_applications(jobs::ListMyApplicationsRequest) -> jobs::ListMyApplicationsResponse {
        |_, _, actor| {
            signed_in(actor)?;
            let applications = vec![cast::application()];
            Ok(jobs::ListMyApplicationsResponse { applications, next_page_token: String::new() })
        }
    }
});

fake!(news::news_service_server::NewsService {
    list_articles(news::ListArticlesRequest) -> news::ListArticlesResponse {
        |_, request, _| {
            if !(1..=1000).contains(&request.page) {
                return Err(refuse(Kind::Invalid, "PAGE", "The page must be between 1 and 1000."));
            }
            Ok(news::ListArticlesResponse { articles: vec![cast::article()], has_more: true })
        }
    }
    list_sources(news::ListSourcesRequest) -> news::ListSourcesResponse {
        |_, _, _| {
            let source = news::Source { source: "aba".to_owned(), source_name: "ABA Journal".to_owned() };
            Ok(news::ListSourcesResponse { sources: vec![source] })
        }
    }
    list_resources(news::ListResourcesRequest) -> news::ListResourcesResponse {
        |_, _, _| Ok(news::ListResourcesResponse { resources: vec![cast::resource()], next_page_token: String::new() })
    }
});
