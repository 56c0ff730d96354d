//! Requests about endorsements.

use portia_proto::profile as pb;
use primitives::{
    error::Violation,
    ids,
    input::{Cursor as _, Form, InvalidRequest, Line, PageSize},
};

use super::timestamp;
use crate::endorsements::{Endorsement, EndorsementCursor, EndorsementVisibility, ListQuery, Skill};

impl TryFrom<pb::EndorseSkillRequest> for Skill {
    type Error = InvalidRequest;

    fn try_from(request: pb::EndorseSkillRequest) -> Result<Self, InvalidRequest> {
        let mut form = Form::default();
        let skill = parse_skill(&mut form, &request.member_id, &request.skill);
        form.finish(skill)
    }
}

impl TryFrom<pb::WithdrawEndorsementRequest> for Skill {
    type Error = InvalidRequest;

    fn try_from(request: pb::WithdrawEndorsementRequest) -> Result<Self, InvalidRequest> {
        let mut form = Form::default();
        let skill = parse_skill(&mut form, &request.member_id, &request.skill);
        form.finish(skill)
    }
}

impl TryFrom<pb::HideEndorsementRequest> for EndorsementVisibility {
    type Error = InvalidRequest;

    fn try_from(request: pb::HideEndorsementRequest) -> Result<Self, InvalidRequest> {
        let mut form = Form::default();
        let skill = form.take(parse_name(&request.skill));
        let endorser_id = form.take(ids::parse("endorserId", &request.endorser_id));
        let (skill, endorser_id) = form.finish(skill.zip(endorser_id))?;
        Ok(Self { skill, endorser_id, hidden: request.hidden })
    }
}

impl TryFrom<pb::ListEndorsementsRequest> for ListQuery {
    type Error = InvalidRequest;

    fn try_from(request: pb::ListEndorsementsRequest) -> Result<Self, InvalidRequest> {
        let mut form = Form::default();
        let skill = parse_skill(&mut form, &request.member_id, &request.skill);
        let size = form.take(PageSize::parse(request.page_size));
        let after = form.take(EndorsementCursor::from_token(&request.page_token));
        let ((skill, size), after) = form.finish(skill.zip(size).zip(after))?;
        Ok(Self { skill, size, after })
    }
}

impl From<Endorsement> for pb::Endorsement {
    fn from(endorsement: Endorsement) -> Self {
        Self {
            endorser_id: endorsement.endorser_id.to_string(),
            created_at: Some(timestamp(endorsement.created_at)),
            hidden: endorsement.hidden,
        }
    }
}

fn parse_skill(form: &mut Form, member_id: &str, raw: &str) -> Option<Skill> {
    let member_id = form.take(ids::parse("memberId", member_id));
    let name = form.take(parse_name(raw));
    let (member_id, name) = member_id.zip(name)?;
    Some(Skill { member_id, name: name.into_string() })
}

fn parse_name(raw: &str) -> Result<Line<60>, Violation> {
    Line::parse("skill", raw, 1, "Name a skill.")
}
