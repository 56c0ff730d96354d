//! Communities and who belongs to them: messages to what `communities` takes, and back.

use portia_proto::social_graph as wire;
use primitives::{
    clock::timestamp,
    error::Violation,
    ids,
    input::{Form, Line, Text},
};
use search::Asked;
use uuid::Uuid;

use super::{Browse, BrowseCommunities, key};
use crate::{
    communities::{Belonging, Community, Largest, Longest, Role, Wording},
    error::Error,
    idempotency::Keyed,
    members::Key,
};

impl TryFrom<wire::ListCommunitiesRequest> for BrowseCommunities {
    type Error = Error;

    fn try_from(request: wire::ListCommunitiesRequest) -> Result<Self, Error> {
        Self::parse(request.page_size, &request.page_token, Largest::FIRST)
    }
}

/// Which community.
pub fn community_id(raw: &str) -> Result<Uuid, Error> {
    Ok(ids::parse("communityId", raw)?)
}

/// Which communities are looked for.
pub fn looked_for(request: &wire::SearchCommunitiesRequest) -> Result<Asked, Error> {
    Ok(Asked::parse(&request.query, request.page_size, &request.page_token)?)
}

/// A page of a community's members.
pub struct BrowseMembers {
    pub community: Uuid,
    pub page: Browse<Longest>,
}

impl TryFrom<wire::ListMembersRequest> for BrowseMembers {
    type Error = Error;

    fn try_from(request: wire::ListMembersRequest) -> Result<Self, Error> {
        let community = community_id(&request.community_id)?;
        Ok(Self { community, page: Browse::parse(request.page_size, &request.page_token, Longest::FIRST)? })
    }
}

/// What a community says of itself. Spaces of any kind in its name are as good as one: nobody sees the difference. What
/// only controls a terminal is no space, and refused as everywhere.
fn wording(form: &mut Form, text: Option<wire::CommunityText>) -> Option<Wording> {
    let text = text.unwrap_or_default();
    let spaces = |c: char| c.is_whitespace() && !c.is_control();
    let words: Vec<&str> = text.name.split(spaces).filter(|word| !word.is_empty()).collect();
    let name = form.take(Line::parse("name", &words.join(" "), 1, "Give the community a name."));
    let description = form.take(Text::parse_optional("description", text.description.as_deref()));
    let rules = form.take(Text::parse_optional("rules", text.rules.as_deref()));
    let ((name, description), rules) = name.zip(description).zip(rules)?;
    let name_key = Key::of(Some(&*name)).0.unwrap_or_default();
    Some(Wording { name, name_key, description, rules })
}

impl TryFrom<wire::CreateCommunityRequest> for Keyed<Wording> {
    type Error = Error;

    fn try_from(request: wire::CreateCommunityRequest) -> Result<Self, Error> {
        let mut form = Form::default();
        let wording = wording(&mut form, request.text);
        let key = form.take(key(request.idempotency_key.as_deref()));
        let (what, key) = form.finish(wording.zip(key))?;
        Ok(Self { what, key })
    }
}

/// A community, and what it says of itself from now on.
pub struct Reworded {
    pub community: Uuid,
    pub wording: Wording,
}

impl TryFrom<wire::UpdateCommunityRequest> for Reworded {
    type Error = Error;

    fn try_from(request: wire::UpdateCommunityRequest) -> Result<Self, Error> {
        let mut form = Form::default();
        let community = form.take(ids::parse("communityId", &request.community_id));
        let wording = wording(&mut form, request.text);
        let (community, wording) = form.finish(community.zip(wording))?;
        Ok(Self { community, wording })
    }
}

/// A member of a community, and what they are to be.
pub struct Appointed {
    pub community: Uuid,
    pub member: Uuid,
    pub role: Role,
}

impl TryFrom<wire::SetMemberRoleRequest> for Appointed {
    type Error = Error;

    fn try_from(request: wire::SetMemberRoleRequest) -> Result<Self, Error> {
        let mut form = Form::default();
        let community = form.take(ids::parse("communityId", &request.community_id));
        let member = form.take(ids::parse("memberId", &request.member_id));
        let role = form.take(match request.role() {
            wire::CommunityRole::Owner => Ok(Role::Owner),
            wire::CommunityRole::Member => Ok(Role::Member),
            wire::CommunityRole::Unspecified => Err(Violation::new("role", "This must be owner or member.")),
        });
        let ((community, member), role) = form.finish(community.zip(member).zip(role))?;
        Ok(Self { community, member, role })
    }
}

impl From<Role> for wire::CommunityRole {
    fn from(role: Role) -> Self {
        match role {
            Role::Owner => Self::Owner,
            Role::Member => Self::Member,
        }
    }
}

impl From<Community> for wire::Community {
    fn from(community: Community) -> Self {
        Self {
            id: community.id.to_string(),
            name: community.name,
            description: community.description,
            member_count: community.member_count,
            rules: community.rules,
            role: community.role.map_or(wire::CommunityRole::Unspecified, Into::into).into(),
            created_at: Some(timestamp(community.created_at)),
        }
    }
}

impl From<Belonging> for wire::CommunityMember {
    fn from(belonging: Belonging) -> Self {
        Self {
            member_id: belonging.member_id.to_string(),
            role: wire::CommunityRole::from(belonging.role).into(),
            joined_at: Some(timestamp(belonging.joined_at)),
        }
    }
}
