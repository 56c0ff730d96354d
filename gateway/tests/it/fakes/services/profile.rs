//! Fake profile: the members of the tests, with one skill.

use portia_proto::profile;
use primitives::error::ErrorKind;
use tonic::Status;
use uuid::Uuid;

use super::{refuse, search_page};
use crate::actors::{self, ANA, BEN, CARL, MODERATOR, PICTURE, SCHOOL, SKILL};
use crate::fakes::table::Table;

fn known_skill(skill: &str, count: i64, endorsed_by_actor: bool) -> Result<Option<profile::SkillEndorsements>, Status> {
    if skill != SKILL {
        return Err(refuse(ErrorKind::NotFound, "SKILL_NOT_FOUND", "Skill not found"));
    }
    Ok(Some(profile::SkillEndorsements { skill: skill.to_owned(), count, endorsed_by_actor }))
}

/// The moderator of the tests is also the steward.
fn steward(actor: Option<Uuid>) -> Result<(), Status> {
    let refused = || refuse(ErrorKind::NotFound, "NOT_FOUND", "This does not exist.");
    (actor == Some(MODERATOR)).then_some(()).ok_or_else(refused)
}

/// The name only.
fn restricted(member: profile::Member) -> profile::Member {
    let profile::Member { id, full_name, created_at, .. } = member;
    profile::Member { id, full_name, created_at, restricted: true, ..Default::default() }
}

pub fn add_to(table: &mut Table) {
    table.exports(["profile.export_member", "export_member of profile", "profile"], |section, json| {
        profile::ExportMemberResponse { section, json }
    });
    table.answers("profile.ensure_member", |_, request: profile::EnsureMemberRequest, _| {
        let form = request.form.unwrap();
        Ok(profile::EnsureMemberResponse {
            member: Some(profile::Member {
                id: request.member_id,
                username: request.username,
                full_name: form.full_name,
                headline: form.headline,
                school: form.school,
                ..actors::member(ANA).unwrap()
            }),
        })
    });
    table.answers(
        "profile.check_picture",
        |fakes, profile::CheckPictureRequest { hash, viewer_id }: profile::CheckPictureRequest, actor| {
            assert_eq!(actor, None, "the gateway asks for itself");
            Ok(profile::CheckPictureResponse { visible: fakes.is_visible(&hash, viewer_id.as_deref()) })
        },
    );
    table.answers("profile.search_members", |_, request: profile::SearchMembersRequest, _| {
        let next_page_token = search_page(&request.query, &request.page_token)?;
        let ana = actors::member(ANA).unwrap();
        let card = profile::MemberCard {
            id: ana.id,
            full_name: ana.full_name,
            headline: ana.headline,
            avatar_url: None,
            varies_by_actor: false,
            verification: ana.verification,
        };
        let found = profile::FoundMember {
            card: Some(card),
            username: ana.username,
            location: Some("Quezon City".to_owned()),
            school: None,
        };
        let terms = vec!["ana".to_owned()];
        Ok(profile::SearchMembersResponse { members: vec![found], next_page_token, terms })
    });
    table.answers("profile.get_member", |fakes, request: profile::GetMemberRequest, actor| {
        let id = Uuid::try_parse(&request.member_id).ok();
        let member = id.and_then(actors::member).ok_or_else(actors::no_member)?;
        let member = fakes.member.lock().unwrap().clone().unwrap_or(member);
        let member = match actor {
            None if id == Some(actors::DINA) => return Err(actors::no_member()),
            Some(actor) if id == Some(actors::DINA) && ![BEN, actors::DINA].contains(&actor) => restricted(member),
            _ => member,
        };
        let stats = (actor == id).then_some(profile::MemberStats { profile_views: 12, connections: 3 });
        let onboarding = (actor == id).then(actors::onboarding);
        let steward_of = (actor == id && id == Some(MODERATOR)).then(|| SCHOOL.to_owned());
        let version = if member.restricted { Vec::new() } else { fakes.profile_version.lock().unwrap().clone() };
        let is_known = !version.is_empty() && request.known_version == version;
        let endorsed = member.endorsements.iter().filter(|skill| is_known && skill.endorsed_by_actor);
        let endorsed_skills = endorsed.map(|skill| skill.skill.clone()).collect();
        let member = Some(member).filter(|_| !is_known);
        Ok(profile::GetMemberResponse { member, stats, onboarding, steward_of, version, endorsed_skills })
    });
    table.answers("profile.update_member", |_, request: profile::UpdateMemberRequest, _| {
        if let Some(profile::update_member_request::Picture::SamePicture(address)) = &request.picture
            && address != PICTURE
        {
            return Err(actors::invalid_field(
                ErrorKind::Invalid,
                "INVALID",
                "avatarUrl",
                "The picture must be a PNG or a JPEG.",
            ));
        }
        let member = profile::Member { full_name: request.full_name, ..actors::member(ANA).unwrap() };
        Ok(profile::UpdateMemberResponse { member: Some(member) })
    });
    table.answers("profile.get_privacy_settings", |_, _: profile::GetPrivacySettingsRequest, _| {
        Ok(profile::GetPrivacySettingsResponse { settings: Some(actors::privacy()) })
    });
    table.answers("profile.update_privacy_settings", |_, request: profile::UpdatePrivacySettingsRequest, _| {
        let mut settings = actors::privacy();
        let sent = request.settings.unwrap();
        for path in request.update_mask.unwrap().paths {
            match path.as_str() {
                "profile_audience" => settings.profile_audience = sent.profile_audience,
                "message_audience" => settings.message_audience = sent.message_audience,
                "search_engines" => settings.search_engines = sent.search_engines,
                "activity_shown" => settings.activity_shown = sent.activity_shown,
                "read_receipts" => settings.read_receipts = sent.read_receipts,
                other => panic!("{other}"),
            }
        }
        Ok(profile::UpdatePrivacySettingsResponse { settings: Some(settings) })
    });
    table.answers("profile.update_onboarding", |_, request: profile::UpdateOnboardingRequest, _| {
        let mut onboarding = actors::onboarding();
        match request.change.unwrap() {
            profile::update_onboarding_request::Change::Item(item) => {
                onboarding.items.iter_mut().filter(|known| known.step == item.step).for_each(|known| *known = item);
            }
            profile::update_onboarding_request::Change::Dismissed(dismissed) => onboarding.dismissed = dismissed,
        }
        Ok(profile::UpdateOnboardingResponse { onboarding: Some(onboarding) })
    });
    table.answers("profile.replace_profile", |_, request: profile::ReplaceProfileRequest, _| {
        let member = profile::Member {
            bio: request.bio,
            experiences: request.experiences,
            education: request.education,
            skills: request.skills,
            ..actors::member(ANA).unwrap()
        };
        Ok(profile::ReplaceProfileResponse { member: Some(member) })
    });
    table.answers("profile.endorse_skill", |_, request: profile::EndorseSkillRequest, actor| {
        if actor.map(|actor| actor.to_string()) == Some(request.member_id) {
            return Err(refuse(ErrorKind::Forbidden, "NOT_CONNECTED", "You can endorse skills of your connections."));
        }
        Ok(profile::EndorseSkillResponse { endorsements: known_skill(&request.skill, 2, true)? })
    });
    table.answers("profile.withdraw_endorsement", |_, request: profile::WithdrawEndorsementRequest, _| {
        Ok(profile::WithdrawEndorsementResponse { endorsements: known_skill(&request.skill, 1, false)? })
    });
    table.answers("profile.hide_endorsement", |_, request: profile::HideEndorsementRequest, _| {
        let count = i64::from(!request.hidden);
        Ok(profile::HideEndorsementResponse { endorsements: known_skill(&request.skill, count, false)? })
    });
    table.answers("profile.list_endorsements", |_, request: profile::ListEndorsementsRequest, _| {
        known_skill(&request.skill, 0, false)?;
        let endorsements = vec![actors::endorsement()];
        Ok(profile::ListEndorsementsResponse { endorsements, next_page_token: "more".to_owned() })
    });
    table.answers("profile.batch_get_members", |fakes, request: profile::BatchGetMembersRequest, _| {
        // Blocks hide Carl.
        let is_hidden = |id: &Uuid| request.visible_to_actor && *id == CARL;
        let ids = request.member_ids.iter().filter_map(|id| Uuid::try_parse(id).ok()).filter(|id| !is_hidden(id));
        let varies = *fakes.cards_vary.lock().unwrap();
        let cards = ids.filter_map(actors::card).map(|card| profile::MemberCard { varies_by_actor: varies, ..card });
        Ok(profile::BatchGetMembersResponse { members: cards.collect() })
    });
    // Ben has the name of Carl, a connection of Ana.
    table.answers("profile.match_connection_names", |_, request: profile::MatchConnectionNamesRequest, _| {
        let name = |id: String| profile::ConnectionName { member_id: id, connection_id: CARL.to_string() };
        let names = request.member_ids.into_iter().filter(|id| *id == BEN.to_string()).map(name).collect();
        Ok(profile::MatchConnectionNamesResponse { names })
    });
    table.answers("profile.list_namesakes", |_, request: profile::ListNamesakesRequest, _| {
        let id = Uuid::try_parse(&request.member_id).ok().filter(|id| actors::member(*id).is_some());
        let id = id.ok_or_else(actors::no_member)?;
        let members = actors::card(ANA).into_iter().filter(|_| id == BEN).collect();
        Ok(profile::ListNamesakesResponse { members })
    });
    table.answers("profile.list_school_members", |_, _: profile::ListSchoolMembersRequest, actor| {
        steward(actor)?;
        let next_page_token = "more".to_owned();
        let members = [(ANA, true), (BEN, false)]
            .into_iter()
            .filter_map(|(id, is_verified)| actors::school_member(id, is_verified));
        Ok(profile::ListSchoolMembersResponse { members: members.collect(), next_page_token })
    });
    table.answers("profile.verify_member", |_, request: profile::VerifyMemberRequest, actor| {
        steward(actor)?;
        if request.reason.is_empty() {
            return Err(actors::invalid_field(ErrorKind::Invalid, "INVALID", "reason", "Please state the reason."));
        }
        let member = request.member_id.parse().ok().and_then(|id| actors::school_member(id, true));
        let member = member.ok_or_else(actors::no_member)?;
        if member.card.as_ref().map(|card| &card.full_name) != Some(&request.full_name) {
            return Err(refuse(
                ErrorKind::Conflict,
                "NAME_CHANGED",
                "This member has changed their name. Please check it again.",
            ));
        }
        Ok(profile::VerifyMemberResponse { member: Some(member) })
    });
    table.answers("profile.withdraw_verification", |_, request: profile::WithdrawVerificationRequest, actor| {
        steward(actor)?;
        let member = request.member_id.parse().ok().and_then(|id| actors::school_member(id, false));
        Ok(profile::WithdrawVerificationResponse { member: Some(member.ok_or_else(actors::no_member)?) })
    });
    table.answers("profile.list_verification_decisions", |_, _: profile::ListVerificationDecisionsRequest, actor| {
        steward(actor)?;
        let decisions = vec![actors::verification_decision()];
        Ok(profile::ListVerificationDecisionsResponse { decisions, next_page_token: "more".to_owned() })
    });
    table.answers("profile.match_names", |_, request: profile::MatchNamesRequest, _| {
        let matches = |id: &String| {
            let card = id.parse().ok().and_then(actors::card);
            card.is_some_and(|card| card.full_name.to_lowercase().contains(&request.query.to_lowercase()))
        };
        Ok(profile::MatchNamesResponse {
            member_ids: request.member_ids.iter().filter(|id| matches(id)).cloned().collect(),
        })
    });
}
