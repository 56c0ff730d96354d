//! A report with its context.

use std::{borrow::Cow, sync::Arc};

use axum::extract::State;
use http::StatusCode;
use picture_store::Name;
use portia_proto::{auth::GetMemberStandingRequest, feed as pb};
use rpc::Call;

use crate::{
    api::{
        ids::OfReport,
        moderation::{
            attachments::{self, ReportedAttachments},
            views::ReportDetails,
        },
        state::Gateway,
    },
    edge::{
        answer::ApiResponse,
        authentication::Moderator,
        extract::Id,
        problem::Problem,
        signed_addresses::{AddressSigner, Viewer},
    },
};

/// Returns a report with its context, for moderators.
#[utoipa::path(get, path = "/api/moderation/reports/{id}", operation_id = "getReport", tag = "moderation",
    security(("session" = [])),
    params(("id" = Uuid, Path, description = "The id of the report.")),
    responses((status = 200, description = "The report. `X-Degraded` names a service whose data is missing.", body = ReportDetails)))]
pub async fn get(
    State(gateway): State<Arc<Gateway>>,
    Moderator(member): Moderator,
    id: Id<OfReport>,
) -> Result<ApiResponse<ReportDetails>, Problem> {
    let request = pb::GetReportRequest { report_id: id.0.to_string() };
    let mut found = gateway.clients.feed().get_report(member.call.request(request)?).await?.into_inner();
    let subject = found.report.as_ref().and_then(|report| report.subject_member_id.clone());
    let (standing, attached, people) = tokio::join!(
        standing_of(&gateway, &member.call, subject),
        attachments_of(&gateway, &member.call, found.report.as_ref()),
        gateway.members.cards(&member.call, ReportDetails::members(&found)),
    );
    if let Some(report) = &mut found.report {
        report.excerpt = with_signed_pictures(&report.excerpt, gateway.addresses.given_to(Viewer::Moderators));
    }
    // Without messaging, the text and the statements can be read all the same.
    let (attached, missing) = match attached {
        Err(problem) if problem.status == StatusCode::SERVICE_UNAVAILABLE => {
            (ReportedAttachments::default(), Some("messaging"))
        }
        attached => (attached?, None),
    };
    let missing: Vec<&str> = people.degraded().into_iter().chain(missing).collect();
    let details = ReportDetails::of(found, standing?, attached, &people).ok_or(Problem::internal())?;
    Ok(ApiResponse::ok(details).degraded_by(&missing))
}

/// The pictures and the file of a reported message.
async fn attachments_of(
    gateway: &Gateway,
    call: &Call,
    report: Option<&pb::ModeratedReport>,
) -> Result<ReportedAttachments, Problem> {
    match report {
        Some(report) if report.kind() == pb::ReportedKind::Message => {
            attachments::list(gateway.clients.messaging(), call, &report.item_id).await
        }
        _ => Ok(ReportedAttachments::default()),
    }
}

/// The standing of the owner; `None` without an owner, and after the account was erased.
async fn standing_of(
    gateway: &Gateway,
    call: &Call,
    subject: Option<String>,
) -> Result<Option<portia_proto::auth::MemberStanding>, Problem> {
    let Some(member_id) = subject else { return Ok(None) };
    let request = call.request(GetMemberStandingRequest { member_id })?;
    match gateway.clients.auth().get_member_standing(request).await.map_err(Problem::from) {
        Ok(answer) => Ok(answer.into_inner().standing),
        Err(problem) if problem.code == "ACCOUNT_NOT_FOUND" => Ok(None),
        Err(problem) => Err(problem),
    }
}

/// The text of a report with the addresses of pictures signed: each is a line. Moderators need not belong to the community.
fn with_signed_pictures(excerpt: &str, addresses: AddressSigner<'_>) -> String {
    let signed = excerpt.split('\n').map(|line| match Name::from_signed_address(line) {
        Some(_) => Cow::Owned(addresses.temporary(line.to_owned())),
        None => Cow::Borrowed(line),
    });
    signed.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use primitives::clock::Clock;

    use super::*;
    use crate::edge::signed_addresses::SignedAddresses;

    #[test]
    fn lines_that_are_addresses_of_pictures_are_signed() {
        let key = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(key.path(), [b'k'; 32]).unwrap();
        let addresses = SignedAddresses::read(&[key.path().to_owned()], Clock::system()).unwrap();
        let path = format!("/media/signed/{}.jpg", "a".repeat(64));
        let excerpt = format!("Look at {path}\n\n{path}\n/media/signed/x.jpg");
        let signed = with_signed_pictures(&excerpt, addresses.given_to(Viewer::Moderators));
        let lines: Vec<_> = signed.split('\n').collect();
        assert_eq!((lines[0], lines[1], lines[3]), (format!("Look at {path}").as_str(), "", "/media/signed/x.jpg"));
        assert!(lines[2].starts_with(&format!("{path}?expires=")), "{signed}");
    }
}
