//! Reports to the people who run Portia.

use std::sync::Arc;

use axum::extract::State;
use http::StatusCode;
use portia_proto::{jobs::GetJobRequest, messaging::GetMessageRequest, profile::GetMemberRequest};
use tonic::{Response, Status};

use crate::{
    Gateway,
    extract::Body,
    identity::Member,
    limits::Bucket,
    problem::Problem,
    views::reports::{Report, Reported, ReportedKind},
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
    member.limit(&gateway, Bucket::Reports).await?;
    let reported = shown(&gateway, &member, &body).await?;
    gateway.services.feed().report_item(member.call.request(body.about(reported))?).await?;
    Ok(StatusCode::ACCEPTED)
}

/// What feed does not own, as its owner shows it to the member: whoever may not see it cannot report it.
async fn shown(gateway: &Gateway, member: &Member, report: &Report) -> Result<Reported, Problem> {
    let (services, call, id) = (&gateway.services, &member.call, report.id.clone());
    match report.kind {
        ReportedKind::Post | ReportedKind::Comment => Ok(Reported::default()),
        ReportedKind::Member => {
            let asked = services.profile().get_member(call.request(GetMemberRequest { member_id: id })?).await;
            answered(asked, "memberId")?.member.map(Reported::from).ok_or(Problem::our_fault())
        }
        ReportedKind::Message => {
            let asked = services.messaging().get_message(call.request(GetMessageRequest { message_id: id })?).await;
            answered(asked, "messageId")?.message.map(Reported::from).ok_or(Problem::our_fault())
        }
        ReportedKind::Job => {
            let asked = services.jobs().get_job(call.request(GetJobRequest { job_id: id })?).await;
            answered(asked, "jobId")?.job.map(Reported::from).ok_or(Problem::our_fault())
        }
    }
}

/// An owner's answer; what it has against the id it calls by a name of its own.
fn answered<T>(asked: Result<Response<T>, Status>, id: &str) -> Result<T, Problem> {
    asked.map(Response::into_inner).map_err(|status| Problem::from(status).renamed(id, "id"))
}
