//! The RPCs of portia.profile.v1.ProfileService. Each file in `rpc/` holds one feature with its transactions.

mod career;
mod endorsements;
mod members;
mod onboarding;
mod privacy;
mod verifications;

use outbox::Outbox;
use picture_store::Pictures;
use portia_proto::profile::{self as pb, profile_service_server};
use primitives::{clock::Clock, ids::Ids};
use tonic::{Request, Response, Status};

use crate::{
    error::Error,
    export::{Exporter, RecordStream},
    members::bodies::ProfileBodies,
    search::SearchCards,
    views::ViewBuffer,
};

pub struct ProfileService {
    pub db: db::Pool,
    pub outbox: Outbox,
    pub clock: Clock,
    pub ids: Ids,
    pub pictures: Pictures,
    pub views: ViewBuffer,
    pub profiles: ProfileBodies,
    pub search_cards: SearchCards,
    pub exports: Exporter,
}

type RpcResult<T> = Result<Response<T>, Status>;

impl ProfileService {
    /// Acquires a connection for a statement without a transaction.
    async fn connection(&self) -> Result<db::Connection, Error> {
        Ok(db::acquire(&self.db).await?)
    }
}

#[tonic::async_trait]
impl profile_service_server::ProfileService for ProfileService {
    type ExportMemberStream = RecordStream;

    async fn ensure_member(&self, request: Request<pb::EnsureMemberRequest>) -> RpcResult<pb::EnsureMemberResponse> {
        members::ensure(self, request).await
    }

    async fn get_member(&self, request: Request<pb::GetMemberRequest>) -> RpcResult<pb::GetMemberResponse> {
        members::get(self, request).await
    }

    async fn check_picture(&self, request: Request<pb::CheckPictureRequest>) -> RpcResult<pb::CheckPictureResponse> {
        members::check_picture(self, request).await
    }

    async fn batch_get_members(
        &self,
        request: Request<pb::BatchGetMembersRequest>,
    ) -> RpcResult<pb::BatchGetMembersResponse> {
        members::batch_get(self, request).await
    }

    async fn match_names(&self, request: Request<pb::MatchNamesRequest>) -> RpcResult<pb::MatchNamesResponse> {
        members::match_names(self, request).await
    }

    async fn search_members(&self, request: Request<pb::SearchMembersRequest>) -> RpcResult<pb::SearchMembersResponse> {
        members::search(self, request).await
    }

    async fn update_member(&self, request: Request<pb::UpdateMemberRequest>) -> RpcResult<pb::UpdateMemberResponse> {
        members::update(self, request).await
    }

    async fn get_privacy_settings(
        &self,
        request: Request<pb::GetPrivacySettingsRequest>,
    ) -> RpcResult<pb::GetPrivacySettingsResponse> {
        privacy::get(self, request).await
    }

    async fn update_privacy_settings(
        &self,
        request: Request<pb::UpdatePrivacySettingsRequest>,
    ) -> RpcResult<pb::UpdatePrivacySettingsResponse> {
        privacy::update(self, request).await
    }

    async fn update_onboarding(
        &self,
        request: Request<pb::UpdateOnboardingRequest>,
    ) -> RpcResult<pb::UpdateOnboardingResponse> {
        onboarding::update(self, request).await
    }

    async fn replace_profile(
        &self,
        request: Request<pb::ReplaceProfileRequest>,
    ) -> RpcResult<pb::ReplaceProfileResponse> {
        career::replace(self, request).await
    }

    async fn endorse_skill(&self, request: Request<pb::EndorseSkillRequest>) -> RpcResult<pb::EndorseSkillResponse> {
        endorsements::create(self, request).await
    }

    async fn withdraw_endorsement(
        &self,
        request: Request<pb::WithdrawEndorsementRequest>,
    ) -> RpcResult<pb::WithdrawEndorsementResponse> {
        endorsements::withdraw(self, request).await
    }

    async fn hide_endorsement(
        &self,
        request: Request<pb::HideEndorsementRequest>,
    ) -> RpcResult<pb::HideEndorsementResponse> {
        endorsements::hide(self, request).await
    }

    async fn list_endorsements(
        &self,
        request: Request<pb::ListEndorsementsRequest>,
    ) -> RpcResult<pb::ListEndorsementsResponse> {
        endorsements::list(self, request).await
    }

    async fn list_namesakes(&self, request: Request<pb::ListNamesakesRequest>) -> RpcResult<pb::ListNamesakesResponse> {
        verifications::list_namesakes(self, request).await
    }

    async fn match_connection_names(
        &self,
        request: Request<pb::MatchConnectionNamesRequest>,
    ) -> RpcResult<pb::MatchConnectionNamesResponse> {
        verifications::match_connection_names(self, request).await
    }

    async fn list_school_members(
        &self,
        request: Request<pb::ListSchoolMembersRequest>,
    ) -> RpcResult<pb::ListSchoolMembersResponse> {
        verifications::list_members(self, request).await
    }

    async fn verify_member(&self, request: Request<pb::VerifyMemberRequest>) -> RpcResult<pb::VerifyMemberResponse> {
        verifications::verify(self, request).await
    }

    async fn withdraw_verification(
        &self,
        request: Request<pb::WithdrawVerificationRequest>,
    ) -> RpcResult<pb::WithdrawVerificationResponse> {
        verifications::withdraw(self, request).await
    }

    async fn list_verification_decisions(
        &self,
        request: Request<pb::ListVerificationDecisionsRequest>,
    ) -> RpcResult<pb::ListVerificationDecisionsResponse> {
        verifications::list_decisions(self, request).await
    }

    async fn export_member(&self, request: Request<pb::ExportMemberRequest>) -> RpcResult<RecordStream> {
        members::export(self, request).await
    }
}
