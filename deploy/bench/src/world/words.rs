//! Names, schools and texts: enough words that no two pages are alike.

use super::rng::Rng;

const FIRST: [&str; 40] = [
    "Maria", "Jose", "Ana", "Juan", "Isabel", "Miguel", "Sofia", "Gabriel", "Camille", "Rafael", "Andrea", "Paolo",
    "Bianca", "Marco", "Patricia", "Luis", "Katrina", "Antonio", "Angela", "Carlo", "Emily", "James", "Hannah",
    "Daniel", "Olivia", "William", "Grace", "Henry", "Naomi", "Samuel", "Priya", "Arjun", "Mei", "Wei", "Aisha",
    "Omar", "Nia", "Kwame", "Ingrid", "Lars",
];

const LAST: [&str; 50] = [
    "Santos",
    "Reyes",
    "Cruz",
    "Bautista",
    "Garcia",
    "Mendoza",
    "Torres",
    "Ramos",
    "Flores",
    "Aquino",
    "Villanueva",
    "Castillo",
    "Navarro",
    "Domingo",
    "Salazar",
    "Tan",
    "Lim",
    "Chua",
    "Ong",
    "Sy",
    "Smith",
    "Johnson",
    "Williams",
    "Brown",
    "Miller",
    "Davis",
    "Wilson",
    "Anderson",
    "Taylor",
    "Moore",
    "Clark",
    "Walker",
    "Young",
    "King",
    "Wright",
    "Patel",
    "Sharma",
    "Nguyen",
    "Kim",
    "Park",
    "Chen",
    "Wang",
    "Khan",
    "Ahmed",
    "Okafor",
    "Mensah",
    "Larsen",
    "Schmidt",
    "Rossi",
    "Silva",
];

/// Towns with a law school, and their time zones.
pub const TOWNS: [(&str, &str, &str); 36] = [
    ("Manila", "Philippines", "Asia/Manila"),
    ("Quezon City", "Philippines", "Asia/Manila"),
    ("Cebu City", "Philippines", "Asia/Manila"),
    ("Davao City", "Philippines", "Asia/Manila"),
    ("Makati", "Philippines", "Asia/Manila"),
    ("Baguio", "Philippines", "Asia/Manila"),
    ("Iloilo City", "Philippines", "Asia/Manila"),
    ("New York", "NY", "America/New_York"),
    ("Boston", "MA", "America/New_York"),
    ("Washington", "DC", "America/New_York"),
    ("Chicago", "IL", "America/Chicago"),
    ("Austin", "TX", "America/Chicago"),
    ("Denver", "CO", "America/Denver"),
    ("Los Angeles", "CA", "America/Los_Angeles"),
    ("San Francisco", "CA", "America/Los_Angeles"),
    ("Seattle", "WA", "America/Los_Angeles"),
    ("Atlanta", "GA", "America/New_York"),
    ("Miami", "FL", "America/New_York"),
    ("New Orleans", "LA", "America/Chicago"),
    ("Ann Arbor", "MI", "America/Detroit"),
    ("New Haven", "CT", "America/New_York"),
    ("Durham", "NC", "America/New_York"),
    ("Honolulu", "HI", "Pacific/Honolulu"),
    ("Toronto", "Canada", "America/Toronto"),
    ("London", "United Kingdom", "Europe/London"),
    ("Edinburgh", "United Kingdom", "Europe/London"),
    ("Dublin", "Ireland", "Europe/Dublin"),
    ("Leiden", "Netherlands", "Europe/Amsterdam"),
    ("Heidelberg", "Germany", "Europe/Berlin"),
    ("Singapore", "Singapore", "Asia/Singapore"),
    ("Hong Kong", "China", "Asia/Hong_Kong"),
    ("Tokyo", "Japan", "Asia/Tokyo"),
    ("Sydney", "Australia", "Australia/Sydney"),
    ("Melbourne", "Australia", "Australia/Melbourne"),
    ("Nairobi", "Kenya", "Africa/Nairobi"),
    ("Lagos", "Nigeria", "Africa/Lagos"),
];

/// Fields of law, for skills, studies and communities.
pub const FIELDS: [&str; 40] = [
    "Constitutional Law",
    "Contracts",
    "Torts",
    "Civil Procedure",
    "Criminal Law",
    "Evidence",
    "Legal Writing",
    "Moot Court",
    "Mock Trial",
    "Negotiation",
    "Mediation",
    "Arbitration",
    "Tax Law",
    "Labor Law",
    "Family Law",
    "Immigration",
    "Human Rights",
    "Environmental Law",
    "Maritime Law",
    "Banking and Finance",
    "Corporate Governance",
    "Mergers and Acquisitions",
    "Antitrust",
    "Intellectual Property",
    "Patents",
    "Privacy",
    "Technology Law",
    "Health Law",
    "Real Estate",
    "Bankruptcy",
    "Administrative Law",
    "Legal Aid",
    "Public Interest",
    "Bar Review",
    "Law Review",
    "Legal Research",
    "International Law",
    "Remedial Law",
    "Commercial Law",
    "Legal Ethics",
];

const SENTENCES: [&str; 32] = [
    "Finished the outline at last, and it only took the whole weekend.",
    "Does anybody have a good hornbook on this?",
    "Our panel argued the appeal as if rent depended on it.",
    "The professor cold-called me twice, and I lived.",
    "Reading the dissent first is not cheating.",
    "We lost on standing before we could say a word on the merits.",
    "Office hours saved my brief.",
    "Study group meets on Thursday, bring questions and snacks.",
    "I start at the clinic next month and could not be happier.",
    "The citation was right; the case was overruled.",
    "What do you put first, facts or issue?",
    "Three interviews, two callbacks, one very tired applicant.",
    "The registrar posted the grades at midnight, as tradition demands.",
    "If you have ever drafted a will, tell me what you forgot.",
    "Kumusta, bar reviewees, how are you holding up?",
    "Grateful to everybody who shared their notes with me.",
    "The statute says shall, the regulation says may, the client says why.",
    "Our journal is looking for staff editors who enjoy commas.",
    "Passed the ethics exam on the first try.",
    "The oral argument is on the court's site, and worth an hour of your evening.",
    "A short thread on hearsay, because somebody asked.",
    "Nobody told me how much of practice is e-mail.",
    "The judge asked about the record, so know your record.",
    "Summer associates, take the assignments nobody wants.",
    "We won the regional rounds and are on our way to the finals.",
    "Pro bono hours count, and so do the people behind them.",
    "I wrote a note on the new rules of procedure, comments welcome.",
    "How do you brief a case in ten minutes?",
    "My mentor said to read contracts backwards, and it works.",
    "Back to the library, see you in November.",
    "The deadline was extended, and so was my panic.",
    "Congratulations to the new lawyers who took their oath today.",
];

const COMMENTS: [&str; 16] = [
    "This helped me a lot, thank you.",
    "Same here.",
    "Congratulations!",
    "Which casebook do you use?",
    "I had the same professor.",
    "See you on Thursday.",
    "Could you share the outline?",
    "The dissent is better, I agree.",
    "Ask the librarian, they know everything.",
    "Good luck!",
    "We argued that one last year and lost.",
    "There is a newer case on this, look at the annotations.",
    "Sending you a message.",
    "Salamat, this is gold.",
    "I would start with the facts.",
    "Well deserved.",
];

/// A word in every post, posting and article.
pub const COMMON: &str = "counsel";
/// A rare word.
pub const RARE: &str = "usufruct";
/// One text in so many contains the rare word.
pub const RARITY: u32 = 8_000;

/// `Maria Santos`.
pub fn name(rng: &mut Rng) -> String {
    format!("{} {}", rng.choose(&FIRST), rng.choose(&LAST))
}

/// `Boston, MA`; numbers beyond the list wrap around.
#[must_use]
pub fn place(number: u32) -> String {
    let (town, region, _) = town(number);
    format!("{town}, {region}")
}

/// The law school with that number.
#[must_use]
pub fn school(number: u32) -> String {
    let towns = u32::try_from(TOWNS.len()).unwrap_or(1);
    let (town, _, _) = town(number);
    match number / towns {
        0 => format!("{town} Law School"),
        1 => format!("University of {town} College of Law"),
        2 => format!("{town} State University School of Law"),
        more => format!("{town} Law School, Campus {more}"),
    }
}

/// A community's name, unique per number.
#[must_use]
pub fn community(number: u32) -> String {
    let fields = u32::try_from(FIELDS.len()).unwrap_or(1);
    let towns = u32::try_from(TOWNS.len()).unwrap_or(1);
    let (field, (town, _, _)) = (field(number), town(number / fields));
    match number / fields / towns {
        0 => format!("{field} {town}"),
        more => format!("{field} {town} {}", more + 1),
    }
}

/// The field of the community, skill or event with that number.
#[must_use]
pub fn field(number: u32) -> &'static str {
    FIELDS.get(number as usize % FIELDS.len()).copied().unwrap_or_default()
}

/// A town, its region and its time zone.
#[must_use]
pub fn town(number: u32) -> (&'static str, &'static str, &'static str) {
    TOWNS.get(number as usize % TOWNS.len()).copied().unwrap_or_default()
}

/// The text of the post with that number, with the words for searches.
pub fn post(rng: &mut Rng, number: u32) -> String {
    let sentences = 1 + rng.below(3) + rng.below(5);
    prose(rng, sentences, number)
}

/// The text of the post, posting or article with that number, with the words for searches.
pub fn prose(rng: &mut Rng, sentences: u32, number: u32) -> String {
    let said = (0..sentences).map(|_| *rng.choose(&SENTENCES)).collect::<Vec<_>>().join(" ");
    let rare = if number.is_multiple_of(RARITY) { format!(" A {RARE} is a right to use.") } else { String::new() };
    format!("Our {COMMON} says so. {said}{rare}")
}

/// A headline, unique per number.
pub fn headline(rng: &mut Rng, number: u32) -> String {
    let subject =
        rng.choose(&["Court", "Senate", "Appeals panel", "Bar association", "Law school", "Attorney general"]);
    let verb = rng.choose(&["weighs", "upholds", "strikes down", "revisits", "questions", "settles"]);
    format!("{subject} {verb} {} rule in No. {number}", rng.choose(&FIELDS))
}

/// One or two short sentences.
pub fn comment(rng: &mut Rng) -> String {
    let one = *rng.choose(&COMMENTS);
    if rng.chance(0.4) { format!("{one} {}", rng.choose(&SENTENCES)) } else { one.to_owned() }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn no_two_communities_share_a_name() {
        let names: HashSet<String> = (0..5_000).map(|number| community(number).to_lowercase()).collect();
        assert_eq!(names.len(), 5_000);
    }

    #[test]
    fn no_two_schools_share_a_name() {
        let names: HashSet<String> = (0..500).map(school).collect();
        assert_eq!(names.len(), 500);
    }
}
