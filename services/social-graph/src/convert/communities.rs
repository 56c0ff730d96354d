//! Conversion of the messages about communities and memberships.

use idempotency::RequestKey;
use portia_proto::social_graph as pb;
use primitives::{
    clock::timestamp,
    error::Violation,
    ids,
    input::{Form, Line, Text},
};
use search::SearchQuery;
use uuid::Uuid;

use super::{IdempotentRequest, MAX_BATCH, community_admission::access};
use crate::{
    communities::{
        Community, CommunityCursor, CommunityText, ListCommunities, Role,
        changes::{NewCommunity, UpdateCommunity},
        memberships::{ListMembers, Membership, MembershipCursor, SetMemberRole},
    },
    error::Error,
    members::ComparisonKey,
    paging::PageRequest,
};

impl TryFrom<pb::ListCommunitiesRequest> for ListCommunities {
    type Error = Error;

    fn try_from(request: pb::ListCommunitiesRequest) -> Result<Self, Error> {
        Self::parse(request.page_size, &request.page_token, CommunityCursor::FIRST)
    }
}

pub fn community_id(raw: &str) -> Result<Uuid, Error> {
    Ok(ids::parse("communityId", raw)?)
}

pub fn community_ids(request: &pb::BatchGetCommunitiesRequest) -> Result<Vec<Uuid>, Error> {
    Ok(ids::parse_all("communityIds", &request.community_ids, MAX_BATCH)?)
}

pub fn search_query(request: &pb::SearchCommunitiesRequest) -> Result<SearchQuery, Error> {
    Ok(SearchQuery::parse(&request.query, request.page_size, &request.page_token)?)
}

impl TryFrom<pb::ListMembersRequest> for ListMembers {
    type Error = Error;

    fn try_from(request: pb::ListMembersRequest) -> Result<Self, Error> {
        let community = community_id(&request.community_id)?;
        Ok(Self {
            community,
            page: PageRequest::parse(request.page_size, &request.page_token, MembershipCursor::FIRST)?,
        })
    }
}

/// Parses the texts of a community.
fn community_text(form: &mut Form, text: Option<pb::CommunityText>) -> Option<CommunityText> {
    let text = text.unwrap_or_default();
    let name = form.take(Line::parse("name", &text.name, 1, "Give the community a name."));
    let description = form.take(Text::parse_optional("description", text.description.as_deref()));
    let rules = form.take(Text::parse_optional("rules", text.rules.as_deref()));
    let ((name, description), rules) = name.zip(description).zip(rules)?;
    let name_key = ComparisonKey::from_text(Some(&*name)).0.unwrap_or_default();
    Some(CommunityText { name, name_key, description, rules })
}

impl TryFrom<pb::CreateCommunityRequest> for IdempotentRequest<NewCommunity> {
    type Error = Error;

    fn try_from(mut request: pb::CreateCommunityRequest) -> Result<Self, Error> {
        let raw_key = request.idempotency_key.take();
        let key = RequestKey::parse(raw_key.as_deref(), &request);
        let mut form = Form::default();
        let access = access(&mut form, request.visibility, request.joining);
        let text = community_text(&mut form, request.text);
        let key = form.take(key);
        let ((text, access), key) = form.finish(text.zip(access).zip(key))?;
        Ok(Self { body: NewCommunity { text, access }, key })
    }
}

impl TryFrom<pb::UpdateCommunityRequest> for UpdateCommunity {
    type Error = Error;

    fn try_from(request: pb::UpdateCommunityRequest) -> Result<Self, Error> {
        let mut form = Form::default();
        let community = form.take(ids::parse("communityId", &request.community_id));
        let access = access(&mut form, request.visibility, request.joining);
        let text = community_text(&mut form, request.text);
        let ((community, text), access) = form.finish(community.zip(text).zip(access))?;
        Ok(Self { community, text, access })
    }
}

impl TryFrom<pb::SetMemberRoleRequest> for SetMemberRole {
    type Error = Error;

    fn try_from(request: pb::SetMemberRoleRequest) -> Result<Self, Error> {
        let mut form = Form::default();
        let community = form.take(ids::parse("communityId", &request.community_id));
        let member = form.take(ids::parse("memberId", &request.member_id));
        let role = form.take(match request.role() {
            pb::CommunityRole::Owner => Ok(Role::Owner),
            pb::CommunityRole::Moderator => Ok(Role::Moderator),
            pb::CommunityRole::Member => Ok(Role::Member),
            pb::CommunityRole::Unspecified => Err(Violation::new("role", "This must be owner, moderator or member.")),
        });
        let ((community, member), role) = form.finish(community.zip(member).zip(role))?;
        Ok(Self { community, member, role })
    }
}

impl From<Role> for pb::CommunityRole {
    fn from(role: Role) -> Self {
        match role {
            Role::Owner => Self::Owner,
            Role::Moderator => Self::Moderator,
            Role::Member => Self::Member,
        }
    }
}

impl From<Community> for pb::Community {
    fn from(community: Community) -> Self {
        let standing = match (community.is_requested, community.is_invited) {
            (_, true) => pb::CommunityStanding::Invited,
            (true, false) => pb::CommunityStanding::Requested,
            (false, false) => pb::CommunityStanding::Unspecified,
        };
        Self {
            id: community.id.to_string(),
            name: community.name,
            description: community.description,
            member_count: community.member_count,
            rules: community.rules,
            role: community.role.map_or(pb::CommunityRole::Unspecified, Into::into).into(),
            created_at: Some(timestamp(community.created_at)),
            visibility: pb::CommunityVisibility::from(community.visibility).into(),
            joining: pb::CommunityJoining::from(community.joining).into(),
            standing: standing.into(),
        }
    }
}

impl From<Membership> for pb::CommunityMember {
    fn from(membership: Membership) -> Self {
        Self {
            member_id: membership.member_id.to_string(),
            role: pb::CommunityRole::from(membership.role).into(),
            joined_at: Some(timestamp(membership.joined_at)),
        }
    }
}
