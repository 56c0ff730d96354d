//! profile: members with their experience, education, skills, endorsements and views.

use chrono::TimeDelta;
use sqlx::PgConnection;

use super::Progress;
use crate::{
    copy::copy,
    world::{Stamps, World, rng::Rng, words},
};

const STREAM: u64 = 12;
const VIEWS: u64 = 13;
const CAREERS: u64 = 14;

const BIO: &str = "I came to the law by way of debate, stayed for the people, and write about procedure when time \
    permits. Ask me about clinics, clerkships and where to eat between classes.";
const TITLES: [&str; 6] =
    ["Summer Associate", "Research Assistant", "Legal Intern", "Paralegal", "Judicial Extern", "Teaching Fellow"];
const FIRMS: [&str; 8] = [
    "Salazar and Partners",
    "City Legal Aid",
    "Office of the Public Defender",
    "Whitlock LLP",
    "Court of Appeals",
    "Harbor Human Rights Clinic",
    "Ministry of Justice",
    "Lim, Ong and Cruz",
];

/// A skill of a member, and its endorsers.
struct Skill {
    member: u32,
    position: i16,
    name: &'static str,
    endorsers: Vec<u32>,
}

pub(super) async fn fill(db: &mut PgConnection, world: &World, progress: Progress<'_>) -> anyhow::Result<()> {
    progress("Writing profiles ...");
    let skills = skills(world);
    let views: Vec<_> = views(world).collect();
    members(db, world, &views).await?;
    careers(db, world).await?;
    let columns = "profile.skills (member_id, name, position, endorsement_count)";
    copy(db, columns, &skills, |row, skill| {
        let count = i64::try_from(skill.endorsers.len()).unwrap_or_default();
        row.put(world.members[skill.member].id).put(skill.name).put(skill.position).put(count);
    })
    .await?;
    let mut rng = Rng::of(STREAM);
    let given = skills.iter().flat_map(|skill| skill.endorsers.iter().map(move |endorser| (skill, *endorser)));
    let columns = "profile.endorsements (member_id, skill, endorser_id, created_at, hidden)";
    copy(db, columns, given, |row, (skill, endorser)| {
        let at = rng.between(world.now - TimeDelta::days(500), world.now);
        row.put(world.members[skill.member].id).put(skill.name).put(world.members[endorser].id).put(at).put(false);
    })
    .await?;
    copy(db, "profile.views (member_id, day, viewer_id)", &views, |row, (member, days_ago, viewer)| {
        let day = (world.now - TimeDelta::days(i64::from(*days_ago))).date_naive();
        row.put(world.members[*member].id).put(day).put(world.members[*viewer].id);
    })
    .await?;
    Ok(())
}

async fn members(db: &mut PgConnection, world: &World, views: &[(u32, u32, u32)]) -> anyhow::Result<()> {
    let columns = "profile.members (id, username, full_name, headline, location, bio, website, linkedin, school, \
        graduation_year, created_at, connection_count)";
    let mut rng = Rng::of(STREAM);
    copy(db, columns, world.members.numbered(), |row, (number, member)| {
        let school = member.school.map(words::school);
        let field = rng.choose(&words::FIELDS);
        let headline = match &school {
            Some(school) => format!("{field} | {school}"),
            None => format!("{field}, looking for a clerkship"),
        };
        let link = rng.chance(0.2).then(|| format!("https://{}.example/", member.username));
        let place = member.place.map(words::place);
        row.put(member.id).put(&*member.username).put(&*member.name).put(&*headline).put(place.as_deref());
        row.put(rng.chance(0.6).then_some(BIO)).put(link.as_deref()).put(None::<&str>).put(school.as_deref());
        let year = format!("{}", 2024 + rng.below(6));
        row.put(Some(&*year).filter(|_| member.school.is_some())).put(member.joined_at);
        row.put(i64::from(world.relationships.degrees[number]));
    })
    .await?;
    let mut seen = vec![0_i64; world.members.len() as usize];
    for (member, _, _) in views {
        if let Some(seen) = seen.get_mut(*member as usize) {
            *seen += 1;
        }
    }
    let counts = world.members.iter().zip(seen).filter(|(_, seen)| *seen > 0);
    copy(db, "profile.view_counts (member_id, n)", counts, |row, (member, seen)| {
        row.put(member.id).put(seen);
    })
    .await?;
    Ok(())
}

/// Experience and education.
async fn careers(db: &mut PgConnection, world: &World) -> anyhow::Result<()> {
    let (mut rng, mut stamps) = (Rng::of(CAREERS), Stamps::of(CAREERS));
    let held: Vec<_> = world.members.iter().map(|member| (member, rng.below(4))).collect();
    let rows = held.into_iter().flat_map(|(member, count)| (0..count).map(move |position| (member, position)));
    let columns = "profile.experiences (member_id, id, position, title, company, start_date, end_date, \
        is_current_position, description, location)";
    copy(db, columns, rows, |row, (member, position)| {
        let (year, present) = (2025 - position, position == 0);
        let id = stamps.owned_by(member.id, member.joined_at).to_string();
        row.put(member.id).put(&*id).put(i16::try_from(position).unwrap_or_default());
        row.put(*rng.choose(&TITLES)).put(*rng.choose(&FIRMS)).put(&*format!("{year}-06"));
        row.put((!present).then(|| format!("{year}-12")).as_deref()).put(present);
        row.put(Some("Drafted, researched, proofread, and carried the binders.")).put(None::<&str>);
    })
    .await?;
    let columns = "profile.educations (member_id, id, position, institution, degree, field_of_study, start_date, \
        end_date, description)";
    let studied = world.members.iter().filter_map(|member| Some((member, member.school?)));
    copy(db, columns, studied, |row, (member, school)| {
        let id = stamps.owned_by(member.id, member.joined_at).to_string();
        row.put(member.id).put(&*id).put(0_i16).put(&*words::school(school)).put("Juris Doctor").put("Law");
        row.put("2023-08").put(None::<&str>).put(None::<&str>);
    })
    .await?;
    Ok(())
}

/// About four skills per member, some endorsed by connections.
fn skills(world: &World) -> Vec<Skill> {
    let mut rng = Rng::of(STREAM + 100);
    let connections = world.relationships.connections();
    let fields = u32::try_from(words::FIELDS.len()).unwrap_or(1);
    let mut skills = Vec::new();
    for (member, circle) in connections.numbered() {
        let chosen = 2 + rng.below(5);
        for (position, field) in (0..).zip(rng.distinct(chosen, fields).collect::<Vec<_>>()) {
            let known = u32::try_from(circle.len()).unwrap_or(u32::MAX);
            let count = rng.below(4) * rng.below(2);
            let places = rng.distinct(if known == 0 { 0 } else { count }, known);
            let endorsers = places.filter_map(|place| circle.get(place as usize).copied()).collect();
            skills.push(Skill { member, position, name: words::field(field), endorsers });
        }
    }
    skills
}

/// Viewer, member, and days ago: at most one view per pair and day.
fn views(world: &World) -> impl Iterator<Item = (u32, u32, u32)> {
    let mut rng = Rng::of(VIEWS);
    world.members.numbered().flat_map(move |(member, _)| {
        let viewers: Vec<u32> = {
            let count = rng.below(5);
            rng.distinct(count, world.members.len()).filter(|viewer| *viewer != member).collect()
        };
        viewers.into_iter().map(|viewer| (member, rng.below(60), viewer)).collect::<Vec<_>>()
    })
}
