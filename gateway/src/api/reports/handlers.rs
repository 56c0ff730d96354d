//! Reports of content to the operators.

use std::sync::Arc;

use axum::extract::State;
use http::StatusCode;
use portia_proto::{
    jobs::GetJobRequest,
    messaging::{GetMessageRequest, PreserveMessageRequest},
    profile::GetMemberRequest,
};
use tonic::{Code, Response, Status};

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
    let message = matches!(body.kind, ReportedKind::Message).then(|| body.id.clone());
    gateway.clients.feed().report_item(member.call.request(body.about(reported))?).await?;
    if let Some(message_id) = message {
        preserve(&gateway, &member, message_id).await?;
    }
    Ok(StatusCode::ACCEPTED)
}

/// Copies the pictures and the file of a message whose report is recorded: a refused report would leave copies. The sender may
/// have deleted the message meanwhile.
async fn preserve(gateway: &Gateway, member: &Member, message_id: String) -> Result<(), Problem> {
    let request = member.call.request(PreserveMessageRequest { message_id })?;
    match gateway.clients.messaging().preserve_message(request).await {
        Err(status) if status.code() != Code::NotFound => Err(status.into()),
        _ => Ok(()),
    }
}

/// Content that feed does not own, as its owner shows it to the member: a member cannot report what is not visible. A block
/// does not matter, because the author could otherwise send something and escape by it.
async fn visible_content(gateway: &Gateway, member: &Member, report: &Report) -> Result<Reported, Problem> {
    let (services, call, id) = (&gateway.clients, &member.call, report.id.clone());
    match report.kind {
        ReportedKind::Post | ReportedKind::Comment => Ok(Reported::default()),
        ReportedKind::Member => {
            let result = services
                .profile()
                .get_member(call.request(GetMemberRequest { member_id: id, for_report: true, ..Default::default() })?)
                .await;
            answered(result, "memberId")?.member.map(Reported::from).ok_or(Problem::internal())
        }
        ReportedKind::Message => {
            let result = services
                .messaging()
                .get_message(call.request(GetMessageRequest { message_id: id, for_report: true })?)
                .await;
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
