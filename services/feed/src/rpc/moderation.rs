//! The calls of moderators, and of the authors of removed content.

use rpc::identity::Actor;
use tonic::{Request, Response};

use super::{FeedService, RpcResult, commit, pb};
use crate::{
    convert::{parse_appeal, parse_case_id, parse_page},
    error::Error,
    moderation::{AppealDecision, ReportDecision, appeals, decide, reports, reports::ReportFilter, statistics},
};

pub(super) async fn list_reports(
    service: &FeedService,
    request: Request<pb::ListReportsRequest>,
) -> RpcResult<pb::ListReportsResponse> {
    let moderator = Actor::moderator(&request)?;
    let request = request.get_ref();
    let filter = ReportFilter::try_from(request).map_err(Error::from)?;
    let (size, token) = (request.page_size, &request.page_token);
    let page = if request.decided {
        let (size, after) = parse_page(size, token).map_err(Error::from)?;
        reports::list_decided(&mut *service.connection().await?, moderator, filter, size, after).await?
    } else {
        let (size, after) = parse_page(size, token).map_err(Error::from)?;
        reports::list_open(&mut *service.connection().await?, moderator, filter, size, after).await?
    };
    let (reports, next_page_token) = page.into_wire();
    Ok(Response::new(pb::ListReportsResponse { reports, next_page_token }))
}

pub(super) async fn get_report(
    service: &FeedService,
    request: Request<pb::GetReportRequest>,
) -> RpcResult<pb::GetReportResponse> {
    let moderator = Actor::moderator(&request)?;
    let id = parse_case_id(&request.get_ref().report_id).map_err(Error::from)?;
    let db = &mut *service.connection().await?;
    let report = reports::get(db, moderator, id).await?;
    let statements = reports::list_statements(db, id).await?;
    let current = reports::get_current(db, &report).await?;
    let earlier = reports::count_earlier(db, &report).await?;
    Ok(Response::new(pb::GetReportResponse {
        report: Some(report.into()),
        statements: statements.into_iter().map(Into::into).collect(),
        current: current.map(Into::into),
        subject_removed: earlier.removed,
        subject_dismissed: earlier.dismissed,
    }))
}

pub(super) async fn decide_report(
    service: &FeedService,
    request: Request<pb::DecideReportRequest>,
) -> RpcResult<pb::DecideReportResponse> {
    let moderator = Actor::moderator(&request)?;
    let decision = ReportDecision::try_from(request.into_inner()).map_err(Error::from)?;
    let mut tx = service.begin().await?;
    decide::decide(&mut service.work(&mut tx), moderator, &decision).await?;
    let report = reports::get(&mut tx, moderator, decision.report_id).await?;
    commit(tx).await?;
    Ok(Response::new(pb::DecideReportResponse { report: Some(report.into()) }))
}

pub(super) async fn list_appeals(
    service: &FeedService,
    request: Request<pb::ListAppealsRequest>,
) -> RpcResult<pb::ListAppealsResponse> {
    let moderator = Actor::moderator(&request)?;
    let request = request.get_ref();
    let (size, token) = (request.page_size, &request.page_token);
    let page = if request.decided {
        let (size, after) = parse_page(size, token).map_err(Error::from)?;
        appeals::list_decided(&mut *service.connection().await?, moderator, size, after).await?
    } else {
        let (size, after) = parse_page(size, token).map_err(Error::from)?;
        appeals::list_open(&mut *service.connection().await?, moderator, size, after).await?
    };
    let (removals, next_page_token) = page.into_wire();
    Ok(Response::new(pb::ListAppealsResponse { removals, next_page_token }))
}

pub(super) async fn decide_appeal(
    service: &FeedService,
    request: Request<pb::DecideAppealRequest>,
) -> RpcResult<pb::DecideAppealResponse> {
    let moderator = Actor::moderator(&request)?;
    let decision = AppealDecision::try_from(request.into_inner()).map_err(Error::from)?;
    let mut tx = service.begin().await?;
    let work = &mut service.work(&mut tx);
    let removal = appeals::decide(work, &service.link_previews, moderator, &decision).await?;
    commit(tx).await?;
    service.link_previews.notify();
    Ok(Response::new(pb::DecideAppealResponse { removal: Some(removal.into()) }))
}

pub(super) async fn get_stats(
    service: &FeedService,
    request: Request<pb::GetModerationStatsRequest>,
) -> RpcResult<pb::GetModerationStatsResponse> {
    Actor::moderator(&request)?;
    let statistics = statistics::get(&mut *service.connection().await?, service.clock.now()).await?;
    Ok(Response::new(statistics.into()))
}

pub(super) async fn get_removal(
    service: &FeedService,
    request: Request<pb::GetRemovalRequest>,
) -> RpcResult<pb::GetRemovalResponse> {
    let member = Actor::member(&request)?;
    let id = parse_case_id(&request.get_ref().removal_id).map_err(Error::from)?;
    let removal = appeals::get_own(&mut *service.connection().await?, member, id).await?;
    Ok(Response::new(pb::GetRemovalResponse { removal: Some(removal.into()) }))
}

pub(super) async fn appeal(
    service: &FeedService,
    request: Request<pb::AppealRemovalRequest>,
) -> RpcResult<pb::AppealRemovalResponse> {
    let member = Actor::member(&request)?;
    let (id, text) = parse_appeal(request.get_ref()).map_err(Error::from)?;
    let mut tx = service.begin().await?;
    let removal = appeals::appeal(&mut service.work(&mut tx), member, id, &text).await?;
    commit(tx).await?;
    Ok(Response::new(pb::AppealRemovalResponse { removal: Some(removal.into()) }))
}
