//! Every RPC: who asks, parse, call, answer. Owns the transactions; the only one who commits.

use outbox::Outbox;
use picture_store::{Owner, Pictures};
use portia_proto::profile::{self as proto, profile_service_server::ProfileService};
use primitives::{clock::Clock, ids::Ids};
use rpc::identity::Actor;
use sqlx::PgPool;
use tonic::{Request, Response, Status};
use uuid::Uuid;

use crate::{
    card::{self, Changes, NewPicture, Shown},
    convert::{Asked, Called, Hiding, NewMember, Update, looked_for, member_id, member_ids},
    endorsements::{self, Skill},
    error::Error,
    export::{Exports, Records},
    facts,
    life::{self, Life},
    members::{self, Member, Standing},
    pictures, search,
    views::{View, Views},
};

/// The longer side of an avatar, in pixels.
const AVATAR: u32 = 400;

/// portia.profile.v1.ProfileService.
pub struct Rpc {
    /// The pool on schema profile.
    pub db: PgPool,
    /// Where facts are told.
    pub outbox: Outbox,
    /// The time.
    pub clock: Clock,
    /// Ids of entries.
    pub ids: Ids,
    /// The store of pictures.
    pub pictures: Pictures,
    /// Who looked at whom.
    pub views: Views,
    /// Members' own copies.
    pub exports: Exports,
}

type Answer<T> = Result<Response<T>, Status>;

#[tonic::async_trait]
impl ProfileService for Rpc {
    async fn ensure_member(&self, request: Request<proto::EnsureMemberRequest>) -> Answer<proto::EnsureMemberResponse> {
        Actor::require_service(&request, "gateway")?;
        let new = NewMember::try_from(request.into_inner()).map_err(Error::from)?;
        let mut tx = db::begin(&self.db).await.map_err(Error::from)?;
        facts::ensure(&self.outbox, &mut tx, &new, self.clock.now()).await?;
        let member = members::with_id(&mut *tx, new.id, None).await?;
        tx.commit().await.map_err(Error::from)?;
        Ok(Response::new(proto::EnsureMemberResponse { member: Some(member.into()) }))
    }

    async fn get_member(&self, request: Request<proto::GetMemberRequest>) -> Answer<proto::GetMemberResponse> {
        let viewer = Actor::viewer(&request)?;
        let id = member_id(&request.get_ref().member_id).map_err(Error::from)?;
        let member = members::with_id(&self.db, id, viewer).await?;
        if let Some(viewer_id) = viewer {
            self.views.note(View { member_id: id, viewer_id, day: self.clock.now().date_naive() });
        }
        let stats = (viewer == Some(id)).then(|| member.stats.into());
        Ok(Response::new(proto::GetMemberResponse { member: Some(member.into()), stats }))
    }

    async fn batch_get_members(
        &self,
        request: Request<proto::BatchGetMembersRequest>,
    ) -> Answer<proto::BatchGetMembersResponse> {
        Actor::of(&request)?;
        let ids = member_ids(&request.get_ref().member_ids).map_err(Error::from)?;
        let cards = members::cards(&self.db, &ids).await?;
        Ok(Response::new(proto::BatchGetMembersResponse { members: cards.into_iter().map(Into::into).collect() }))
    }

    async fn match_names(&self, request: Request<proto::MatchNamesRequest>) -> Answer<proto::MatchNamesResponse> {
        Actor::of(&request)?;
        let called = Called::try_from(request.into_inner()).map_err(Error::from)?;
        let found = search::called(&self.db, &called).await?;
        Ok(Response::new(proto::MatchNamesResponse { member_ids: found.iter().map(ToString::to_string).collect() }))
    }

    async fn search_members(
        &self,
        request: Request<proto::SearchMembersRequest>,
    ) -> Answer<proto::SearchMembersResponse> {
        let viewer = Actor::viewer(&request)?;
        let asked = looked_for(&request.into_inner()).map_err(Error::from)?;
        let mut conn = self.db.acquire().await.map_err(Error::from)?;
        let found = search::members(&mut conn, asked, viewer).await?;
        let (members, next_page_token, terms) = found.into_wire();
        Ok(Response::new(proto::SearchMembersResponse { members, next_page_token, terms }))
    }

    async fn update_member(&self, request: Request<proto::UpdateMemberRequest>) -> Answer<proto::UpdateMemberResponse> {
        let member = Actor::member(&request)?;
        let Update { changes, picture } = request.into_inner().try_into().map_err(Error::from)?;
        let member = self.update(member, changes, picture).await?;
        Ok(Response::new(proto::UpdateMemberResponse { member: Some(member.into()) }))
    }

    async fn replace_profile(
        &self,
        request: Request<proto::ReplaceProfileRequest>,
    ) -> Answer<proto::ReplaceProfileResponse> {
        let member = Actor::member(&request)?;
        let life = Life::try_from(request.into_inner()).map_err(Error::from)?;
        let member = self.replace(member, life.with_ids(&self.ids, member)).await?;
        Ok(Response::new(proto::ReplaceProfileResponse { member: Some(member.into()) }))
    }

    async fn endorse_skill(&self, request: Request<proto::EndorseSkillRequest>) -> Answer<proto::EndorseSkillResponse> {
        let endorser = Actor::member(&request)?;
        let skill = Skill::try_from(request.into_inner()).map_err(Error::from)?;
        let standing = self.endorse(&skill, endorser).await?;
        Ok(Response::new(proto::EndorseSkillResponse { endorsements: Some(standing.into()) }))
    }

    async fn withdraw_endorsement(
        &self,
        request: Request<proto::WithdrawEndorsementRequest>,
    ) -> Answer<proto::WithdrawEndorsementResponse> {
        let endorser = Actor::member(&request)?;
        let skill = Skill::try_from(request.into_inner()).map_err(Error::from)?;
        let standing = self.withdraw(&skill, endorser).await?;
        Ok(Response::new(proto::WithdrawEndorsementResponse { endorsements: Some(standing.into()) }))
    }

    async fn hide_endorsement(
        &self,
        request: Request<proto::HideEndorsementRequest>,
    ) -> Answer<proto::HideEndorsementResponse> {
        let owner = Actor::member(&request)?;
        let Hiding { skill, endorser_id, hidden } = request.into_inner().try_into().map_err(Error::from)?;
        let skill = Skill { member_id: owner, name: skill.into_string() };
        let standing = self.hide(&skill, endorser_id, hidden).await?;
        Ok(Response::new(proto::HideEndorsementResponse { endorsements: Some(standing.into()) }))
    }

    async fn list_endorsements(
        &self,
        request: Request<proto::ListEndorsementsRequest>,
    ) -> Answer<proto::ListEndorsementsResponse> {
        let viewer = Actor::viewer(&request)?;
        let Asked { skill, size, after } = request.into_inner().try_into().map_err(Error::from)?;
        let mut conn = self.db.acquire().await.map_err(Error::from)?;
        let page = endorsements::list(&mut conn, &skill, viewer, size, after).await?;
        let (endorsements, next_page_token) = page.into_wire();
        Ok(Response::new(proto::ListEndorsementsResponse { endorsements, next_page_token }))
    }

    type ExportMemberStream = Records;

    async fn export_member(&self, request: Request<proto::ExportMemberRequest>) -> Answer<Records> {
        let member = Actor::member(&request)?;
        Ok(Response::new(self.exports.stream(member)))
    }
}

impl Rpc {
    async fn update(&self, id: Uuid, changes: Changes, picture: NewPicture) -> Result<Member, Error> {
        let shown = self.stored(id, picture).await?;
        let now = self.clock.now();
        let mut tx = db::begin(&self.db).await?;
        card::change(&mut tx, id, changes, shown, now).await?;
        facts::changed(&self.outbox, &mut tx, id, now).await?;
        let member = members::with_id(&mut *tx, id, Some(id)).await?;
        tx.commit().await?;
        Ok(member)
    }

    /// A file becomes an object here, while no transaction is open.
    async fn stored(&self, id: Uuid, picture: NewPicture) -> Result<Shown, Error> {
        let file = match picture {
            NewPicture::Kept => return Ok(Shown::Kept),
            NewPicture::Same(address) => return Ok(Shown::Same(address)),
            NewPicture::Cleared => return Ok(Shown::Cleared),
            NewPicture::File(file) => file,
        };
        let picture = self.pictures.prepare(Owner { service: "profile", id }, file, AVATAR).await?;
        let mut tx = db::begin(&self.db).await?;
        pictures::claim(&mut tx, &picture.name, id, self.clock.now()).await?;
        tx.commit().await?;
        self.pictures.put(&picture).await?;
        Ok(Shown::Object(picture.name))
    }

    async fn replace(&self, id: Uuid, life: Life) -> Result<Member, Error> {
        let now = self.clock.now();
        let mut tx = db::begin(&self.db).await?;
        for lost in life::replace(&mut tx, id, life).await? {
            let skill = Skill { member_id: id, name: lost.skill };
            facts::endorsement_removed(&self.outbox, &mut tx, &skill, lost.endorser_id, now).await?;
        }
        facts::changed(&self.outbox, &mut tx, id, now).await?;
        let member = members::with_id(&mut *tx, id, Some(id)).await?;
        tx.commit().await?;
        Ok(member)
    }

    async fn endorse(&self, skill: &Skill, endorser: Uuid) -> Result<Standing, Error> {
        let now = self.clock.now();
        let mut tx = db::begin(&self.db).await?;
        let outcome = endorsements::give(&mut tx, skill, endorser, now).await?;
        if outcome.changed {
            facts::endorsed(&self.outbox, &mut tx, skill, endorser, now).await?;
        }
        tx.commit().await?;
        Ok(outcome.standing)
    }

    async fn withdraw(&self, skill: &Skill, endorser: Uuid) -> Result<Standing, Error> {
        let mut tx = db::begin(&self.db).await?;
        let outcome = endorsements::withdraw(&mut tx, skill, endorser).await?;
        if outcome.changed {
            facts::endorsement_removed(&self.outbox, &mut tx, skill, endorser, self.clock.now()).await?;
        }
        tx.commit().await?;
        Ok(outcome.standing)
    }

    async fn hide(&self, skill: &Skill, endorser: Uuid, hidden: bool) -> Result<Standing, Error> {
        let now = self.clock.now();
        let mut tx = db::begin(&self.db).await?;
        let outcome = endorsements::hide(&mut tx, skill, endorser, hidden).await?;
        match (outcome.changed, hidden) {
            (true, true) => facts::endorsement_removed(&self.outbox, &mut tx, skill, endorser, now).await?,
            (true, false) => facts::endorsed(&self.outbox, &mut tx, skill, endorser, now).await?,
            (false, _) => {}
        }
        tx.commit().await?;
        Ok(outcome.standing)
    }
}
