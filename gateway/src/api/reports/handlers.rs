//! Reports to the people who run Portia.

use std::sync::Arc;

use axum::extract::State;
use http::StatusCode;
use portia_proto::{jobs::GetJobRequest, messaging::GetMessageRequest, profile::GetMemberRequest};
use tonic::{Response, Status};

use crate::api::rate_limits;
use crate::{
    api::{
        reports::views::{Report, Reported, ReportedKind},
        state::Gateway,
    },
    edge::{authentication::Member, extract::Body, problem::Problem},
};

/// Tells the people who run Portia what is wrong with something I see. Nobody else is told.
#[utoipa::path(post, path = "/api/reports", operation_id = "report", tag = "reports", request_body = Report,
    security(("session" = [])),
    responses((status = 202, description = "They look at it. The same again changes nothing.")))]
pub async fn report(
    State(gateway): State<Arc<Gateway>>,
    member: Member,
    Body(body): Body<Report>,
) -> Result<StatusCode, Problem> {
    member.limit(&gateway.limits, rate_limits::REPORTS).await?;
    let reported = shown(&gateway, &member, &body).await?;
    gateway.clients.feed().report_item(member.call.request(body.about(reported))?).await?;
    Ok(StatusCode::ACCEPTED)
}

/// Content that feed does not own, as its owner shows it to the member: a member cannot report what is not visible.
async fn shown(gateway: &Gateway, member: &Member, report: &Report) -> Result<Reported, Problem> {
    let (services, call, id) = (&gateway.clients, &member.call, report.id.clone());
    match report.kind {
        ReportedKind::Post | ReportedKind::Comment => Ok(Reported::default()),
        ReportedKind::Member => {
            let asked = services.profile().get_member(call.request(GetMemberRequest { member_id: id })?).await;
            answered(asked, "memberId")?.member.map(Reported::from).ok_or(Problem::internal())
        }
        ReportedKind::Message => {
            let asked = services.messaging().get_message(call.request(GetMessageRequest { message_id: id })?).await;
            answered(asked, "messageId")?.message.map(Reported::from).ok_or(Problem::internal())
        }
        ReportedKind::Job => {
            let asked = services.jobs().get_job(call.request(GetJobRequest { job_id: id })?).await;
            answered(asked, "jobId")?.job.map(Reported::from).ok_or(Problem::internal())
        }
    }
}

/// An owner's answer; what it has against the id it calls by a name of its own.
fn answered<T>(asked: Result<Response<T>, Status>, id: &str) -> Result<T, Problem> {
    asked.map(Response::into_inner).map_err(|status| Problem::from(status).renamed(id, "id"))
}
