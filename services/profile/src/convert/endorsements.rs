//! Endorsements: which skill of whom, and pages of who gave them.

use portia_proto::profile as proto;
use primitives::{
    error::Violation,
    ids,
    input::{Cursor as _, Form, InvalidRequest, Line, PageSize},
};
use uuid::Uuid;

use super::timestamp;
use crate::endorsements::{Endorsed, Endorsement, Skill};

/// A page of a skill's endorsements.
#[derive(Debug)]
pub struct Asked {
    /// Which skill.
    pub skill: Skill,
    /// How many.
    pub size: PageSize,
    /// Where the last page ended.
    pub after: Option<Endorsed>,
}

/// An endorsement of the actor's own skill, to be hidden or shown.
#[derive(Debug)]
pub struct Hiding {
    /// The skill's name.
    pub skill: Line<60>,
    /// Who gave it.
    pub endorser_id: Uuid,
    /// Whether others see it.
    pub hidden: bool,
}

impl TryFrom<proto::EndorseSkillRequest> for Skill {
    type Error = InvalidRequest;

    fn try_from(request: proto::EndorseSkillRequest) -> Result<Self, InvalidRequest> {
        let mut form = Form::default();
        let skill = skill(&mut form, &request.member_id, &request.skill);
        form.finish(skill)
    }
}

impl TryFrom<proto::WithdrawEndorsementRequest> for Skill {
    type Error = InvalidRequest;

    fn try_from(request: proto::WithdrawEndorsementRequest) -> Result<Self, InvalidRequest> {
        let mut form = Form::default();
        let skill = skill(&mut form, &request.member_id, &request.skill);
        form.finish(skill)
    }
}

impl TryFrom<proto::HideEndorsementRequest> for Hiding {
    type Error = InvalidRequest;

    fn try_from(request: proto::HideEndorsementRequest) -> Result<Self, InvalidRequest> {
        let mut form = Form::default();
        let skill = form.take(name(&request.skill));
        let endorser_id = form.take(ids::parse("endorserId", &request.endorser_id));
        let (skill, endorser_id) = form.finish(skill.zip(endorser_id))?;
        Ok(Self { skill, endorser_id, hidden: request.hidden })
    }
}

impl TryFrom<proto::ListEndorsementsRequest> for Asked {
    type Error = InvalidRequest;

    fn try_from(request: proto::ListEndorsementsRequest) -> Result<Self, InvalidRequest> {
        let mut form = Form::default();
        let skill = skill(&mut form, &request.member_id, &request.skill);
        let size = form.take(PageSize::parse(request.page_size));
        let after = form.take(Endorsed::from_token(&request.page_token));
        let ((skill, size), after) = form.finish(skill.zip(size).zip(after))?;
        Ok(Self { skill, size, after })
    }
}

impl From<Endorsement> for proto::Endorsement {
    fn from(endorsement: Endorsement) -> Self {
        Self {
            endorser_id: endorsement.endorser_id.to_string(),
            created_at: Some(timestamp(endorsement.created_at)),
            hidden: endorsement.hidden,
        }
    }
}

fn skill(form: &mut Form, member_id: &str, raw: &str) -> Option<Skill> {
    let member_id = form.take(ids::parse("memberId", member_id));
    let name = form.take(name(raw));
    let (member_id, name) = member_id.zip(name)?;
    Some(Skill { member_id, name: name.into_string() })
}

fn name(raw: &str) -> Result<Line<60>, Violation> {
    Line::parse("skill", raw, 1, "Name a skill.")
}
