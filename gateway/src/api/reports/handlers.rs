//! Reports of content to the operators.

use std::sync::Arc;

use axum::extract::State;
use http::StatusCode;
use portia_proto::{jobs::GetJobRequest, messaging::PreserveMessageRequest, profile::GetMemberRequest};
use tonic::{Response, Status};

use crate::api::rate_limits;
use crate::{
    api::{
        reports::views::{Report, Reported, ReportedKind},
        state::Gateway,
    },
    edge::{authentication::Member, extract::Body, problem::Problem},
};

/// Reports a post, comment, member, message or job to the operators. The report is confidential.
#[utoipa::path(post, path = "/api/reports", operation_id = "report", tag = "reports", request_body = Report,
    security(("session" = [])),
    responses((status = 202, description = "The report is recorded. Repeated reports have no effect.")))]
pub async fn report(
    State(gateway): State<Arc<Gateway>>,
    member: Member,
    Body(body): Body<Report>,
) -> Result<StatusCode, Problem> {
    member.limit(&gateway.limits, rate_limits::REPORTS).await?;
    let reported = visible_content(&gateway, &member, &body).await?;
    gateway.clients.feed().report_item(member.call.request(body.about(reported))?).await?;
    Ok(StatusCode::ACCEPTED)
}

/// Content that feed does not own, as its owner shows it to the member: a member cannot report what is not visible.
async fn visible_content(gateway: &Gateway, member: &Member, report: &Report) -> Result<Reported, Problem> {
    let (services, call, id) = (&gateway.clients, &member.call, report.id.clone());
    match report.kind {
        ReportedKind::Post | ReportedKind::Comment => Ok(Reported::default()),
        ReportedKind::Member => {
            let result = services.profile().get_member(call.request(GetMemberRequest { member_id: id })?).await;
            answered(result, "memberId")?.member.map(Reported::from).ok_or(Problem::internal())
        }
        ReportedKind::Message => {
            let request = call.request(PreserveMessageRequest { message_id: id })?;
            let result = services.messaging().preserve_message(request).await;
            answered(result, "messageId")?.message.map(Reported::from).ok_or(Problem::internal())
        }
        ReportedKind::Job => {
            let result = services.jobs().get_job(call.request(GetJobRequest { job_id: id })?).await;
            answered(result, "jobId")?.job.map(Reported::from).ok_or(Problem::internal())
        }
    }
}

/// The response of the owner. Violations of its id field are renamed to `id`.
fn answered<T>(result: Result<Response<T>, Status>, id: &str) -> Result<T, Problem> {
    result.map(Response::into_inner).map_err(|status| Problem::from(status).renamed(id, "id"))
}
