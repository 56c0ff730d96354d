//! Members: registration, school and place.

use chrono::{DateTime, TimeDelta, Utc};
use uuid::Uuid;

use super::{
    List, Stamps,
    rng::{Rng, Weights},
    words,
};
use crate::size::Size;

const STREAM: u64 = 1;

/// A member.
#[derive(Debug)]
pub struct Member {
    /// The account's id.
    pub id: Uuid,
    /// The username, in lower case.
    pub username: String,
    /// The displayed name.
    pub name: String,
    /// The number of the school, see [`words::school`].
    pub school: Option<u32>,
    /// The number of the place, see [`words::place`].
    pub place: Option<u32>,
    /// Registration: before any activity.
    pub joined_at: DateTime<Utc>,
    /// The last activity.
    pub active_at: DateTime<Utc>,
}

impl Member {
    /// The school in lower case, for comparisons.
    #[must_use]
    pub fn school_key(&self) -> Option<String> {
        self.school.map(|number| words::school(number).to_lowercase())
    }

    /// The place in lower case, for comparisons.
    #[must_use]
    pub fn place_key(&self) -> Option<String> {
        self.place.map(|number| words::place(number).to_lowercase())
    }
}

/// One school per 500 members, and at least a dozen.
fn schools(size: Size) -> u32 {
    (size.members / 500).max(12)
}

/// The range of registrations, in days ago: all before the first community and the first post.
const CAME: (i64, i64) = (1_095, 730);

pub(super) fn draw(size: Size, now: DateTime<Utc>) -> List<Member> {
    let (mut rng, mut stamps) = (Rng::of(STREAM), Stamps::of(STREAM));
    let schools = Weights::zipf(schools(size), 0.7);
    let places = Weights::zipf(u32::try_from(words::TOWNS.len()).unwrap_or(1), 0.8);
    let (from, until) = (now - TimeDelta::days(CAME.0), now - TimeDelta::days(CAME.1));
    let members = (0..size.members).map(|number| {
        let joined_at = rng.between(from, until);
        let name = words::name(&mut rng);
        Member {
            id: stamps.new_owner(joined_at),
            username: format!("{}{number}", name.to_ascii_lowercase().replace(' ', ".")),
            name,
            school: rng.chance(0.85).then(|| schools.draw(&mut rng)),
            place: rng.chance(0.9).then(|| places.draw(&mut rng)),
            joined_at,
            // Most members were active within the last days.
            active_at: now - TimeDelta::minutes((20.0 * rng.pareto(0.6)).min(500_000.0) as i64),
        }
    });
    members.collect::<Vec<_>>().into()
}
