//! What a posting is, from what its source says: the tables of words, and nothing else decides.
//!
//! A table is read from the top and the first rule that applies wins. A term stands for whole words in any case, whatever
//! is written between them: `part time` is in 'Part-time' and not in 'counterpart timetable'.

mod place;
mod salary;
mod words;

use chassis::input::Link;
use chrono::{DateTime, Utc};
use crawler::{canonical, text};
use url::Url;

use crate::{
    connectors::{Broken, Connector, Told},
    ingest::Found,
};
pub use salary::money;
use words::Words;

/// The longest description kept, in characters.
pub const LONGEST_DESCRIPTION: usize = 12_000;
const LONGEST_TITLE: usize = 200;
const LONGEST_COMPANY: usize = 120;
const LONGEST_SALARY: usize = 120;
/// As much of a description says what kind of work it is; the rest is about the employer.
const TELLING: usize = 3_000;

/// What a column comes to hold when a posting says one of the terms.
type Rules = &'static [(&'static str, &'static [&'static str])];

/// By the source's own words for it; of several, the one that says most.
const EMPLOYMENT_BY_COMMITMENT: Rules = &[
    ("internship", &["intern", "interns", "internship", "internships", "extern", "externship", "summer", "student"]),
    ("contract", &["contract", "contractor", "temporary", "temp", "fixed term", "term", "freelance", "seasonal"]),
    ("part-time", &["part time", "parttime", "intermittent"]),
    ("full-time", &["full time", "fulltime", "permanent", "regular"]),
];

const EMPLOYMENT_BY_TITLE: Rules = &[
    ("internship", INTERNS),
    ("part-time", &["part time"]),
    (
        "contract",
        &["contract attorney", "contract lawyer", "contract paralegal", "temporary", "temp", "fixed term", "contractor"],
    ),
    ("full-time", &["full time"]),
];

const EMPLOYMENT_BY_DESCRIPTION: Rules = &[
    ("part-time", &["this is a part time", "part time position", "part time role"]),
    ("contract", &["this is a contract", "this is a temporary", "contract position", "temporary position"]),
    ("full-time", &["full time"]),
];

const INTERNS: &[&str] = &[
    "intern",
    "interns",
    "internship",
    "internships",
    "extern",
    "externs",
    "externship",
    "externships",
    "summer associate",
    "summer associates",
    "summer clerk",
    "summer law clerk",
    "summer fellow",
    "law student",
    "law students",
];

const LEVEL_BY_TITLE: Rules = &[
    ("entry-level", INTERNS),
    (
        "senior",
        &[
            "senior",
            "sr",
            "partner",
            "principal",
            "director",
            "head",
            "chief",
            "lead",
            "general counsel",
            "vice president",
            "vp",
            "managing attorney",
            "managing counsel",
            "supervising attorney",
            "supervisory",
        ],
    ),
    (
        "entry-level",
        &[
            "entry level",
            "junior",
            "jr",
            "law clerk",
            "judicial clerk",
            "fellow",
            "fellowship",
            "trainee",
            "graduate",
            "graduates",
            "new grad",
            "first year",
            "honors attorney",
            "honors program",
            "legal assistant",
            "assistant",
        ],
    ),
    ("mid-level", &["mid level", "midlevel", "experienced"]),
];

/// By the source's own word for it.
const LEVEL_BY_SOURCE: Rules = &[
    ("senior", &["senior", "executive", "director", "principal", "lead", "manager"]),
    ("entry-level", &["entry level", "entry", "junior", "intern", "internship", "graduate", "associate level"]),
    ("mid-level", &["mid level", "midlevel", "mid", "intermediate", "experienced"]),
];

/// When the title says no more than what one is: that alone wants an admission and some practice.
const LEVEL_BY_OFFICE: Rules = &[("mid-level", &["attorney", "counsel", "lawyer", "associate"])];

/// The years of experience asked for at least, and what they make.
const LEVEL_BY_YEARS: [(u32, &str); 3] = [(7, "senior"), (3, "mid-level"), (0, "entry-level")];

const AREAS: Rules = &[
    (
        "immigration",
        &["immigration", "immigrant", "immigrants", "asylum", "visa", "visas", "deportation", "refugee", "refugees"],
    ),
    (
        "intellectual-property",
        &[
            "intellectual property",
            "patent",
            "patents",
            "trademark",
            "trademarks",
            "copyright",
            "copyrights",
            "trade secret",
            "trade secrets",
            "ip counsel",
            "ip attorney",
            "ip litigation",
        ],
    ),
    (
        "government",
        &[
            "attorney general",
            "district attorney",
            "prosecutor",
            "prosecutors",
            "city attorney",
            "county counsel",
            "attorney adviser",
            "attorney advisor",
            "government",
            "federal agency",
            "judicial",
            "judiciary",
            "legislative",
            "administrative law",
        ],
    ),
    (
        "public-interest",
        &[
            "civil rights",
            "civil liberties",
            "legal aid",
            "legal services",
            "public interest",
            "public defender",
            "public defenders",
            "pro bono",
            "nonprofit",
            "human rights",
            "voting rights",
            "disability rights",
            "reproductive",
            "tenant",
            "tenants",
            "housing justice",
            "racial justice",
            "social justice",
            "death penalty",
            "capital punishment",
            "advocacy",
        ],
    ),
    (
        "litigation",
        &[
            "litigation",
            "litigator",
            "litigators",
            "trial",
            "trials",
            "appellate",
            "appeals",
            "dispute resolution",
            "disputes",
            "arbitration",
            "class action",
            "class actions",
            "ediscovery",
            "e discovery",
            "depositions",
        ],
    ),
    (
        "corporate",
        &[
            "corporate",
            "mergers",
            "acquisitions",
            "m a",
            "securities",
            "commercial",
            "transactional",
            "transactions",
            "contracts",
            "privacy",
            "compliance",
            "product counsel",
            "employment counsel",
            "in house",
            "finance",
            "banking",
            "tax",
            "real estate",
            "venture",
            "governance",
            "general counsel",
        ],
    ),
];

/// Titles of legal work, whatever else they say.
const LEGAL_OFFICES: &[&str] = &[
    "attorney",
    "attorneys",
    "counsel",
    "lawyer",
    "lawyers",
    "paralegal",
    "paralegals",
    "litigator",
    "prosecutor",
    "solicitor",
    "barrister",
    "law clerk",
    "law clerks",
    "law fellow",
    "law intern",
    "law interns",
    "law student",
    "law students",
    "summer associate",
    "summer associates",
    "judicial clerk",
    "legal assistant",
    "legal assistants",
    "legal director",
    "legal fellow",
    "legal fellowship",
    "legal intern",
    "legal interns",
    "legal internship",
    "legal extern",
    "legal externship",
    "legal secretary",
    "legal operations",
    "legal specialist",
    "legal analyst",
    "chief legal officer",
];

/// Words of a title or a department that mean legal work unless the title names one of [`OTHER_TRADES`].
const LEGAL_WORDS: &[&str] = &[
    "legal",
    "law",
    "litigation",
    "compliance",
    "general counsel",
    "regulatory affairs",
    "contracts",
    "immigration",
    "patent",
    "trademark",
    "privacy",
];

const OTHER_TRADES: &[&str] = &[
    "engineer",
    "engineers",
    "engineering",
    "developer",
    "developers",
    "designer",
    "design",
    "scientist",
    "product manager",
    "product management",
    "program manager",
    "sales",
    "account executive",
    "account manager",
    "business development",
    "marketing",
    "communications",
    "recruiter",
    "recruiting",
    "talent",
    "customer success",
    "customer support",
    "customer experience",
    "solutions",
    "accountant",
    "accounting",
    "finance manager",
    "executive assistant",
    "office manager",
    "security",
    "data",
    "software",
    "it",
    "devops",
    "enforcement officer",
];

/// What is kept of what a source told; `None` for work that is not legal, and what nobody can apply for any more.
///
/// # Errors
/// [`Broken`] without a title, an employer or an address.
pub fn posting(connector: Connector, told: Told, now: DateTime<Utc>) -> Result<Option<Found>, Broken> {
    let title = text::line(&told.title, LONGEST_TITLE);
    let company = text::line(&told.company, LONGEST_COMPANY);
    let url = Url::parse(told.url.trim()).map_err(|_| Broken)?;
    let external_url = match connector {
        Connector::Demo => None,
        _ => Some(Link::parse("url", url.as_str()).map_err(|_| Broken)?.into_string()),
    };
    if title.is_empty() || company.is_empty() {
        return Err(Broken);
    }
    let (in_title, in_teams) = (Words::of(&[&title]), Words::of(&told.teams));
    if connector.lists_everything() && !is_legal(&in_title, &in_teams) {
        return Ok(None);
    }
    if told.deadline.is_some_and(|deadline| deadline <= now) {
        return Ok(None);
    }
    let in_description = Words::of(&[&told.description]);
    let (location, remote) = place::location(&told.places, told.remote, &in_title);
    let salary = told.salary.as_deref().map(|salary| text::line(salary, LONGEST_SALARY)).filter(|text| !text.is_empty());
    Ok(Some(Found {
        fingerprint: canonical::fingerprint(&[&title, &company, location.as_deref().unwrap_or_default()]),
        url: canonical::canonical(&url),
        employment_type: employment_type(&Words::of(&told.commitments), &in_title, &in_description),
        experience_level: experience_level(&Words::of(&told.levels), &in_title, &in_description),
        practice_area: practice_area(&in_title, &in_teams, &told.description),
        salary: salary.or_else(|| salary::quoted(&told.description)),
        title,
        company,
        location,
        remote,
        description: told.description,
        application_deadline: told.deadline,
        external_url,
        posted_at: told.posted_at.filter(|at| *at <= now),
    }))
}

/// Whether a title, or the department it is in, is legal work.
fn is_legal(title: &Words, teams: &Words) -> bool {
    title.say(LEGAL_OFFICES) || ((title.say(LEGAL_WORDS) || teams.say(LEGAL_WORDS)) && !title.say(OTHER_TRADES))
}

fn employment_type(commitment: &Words, title: &Words, description: &Words) -> Option<&'static str> {
    // An internship is one even where the hours are told beside it.
    let intern = title.say(INTERNS).then_some("internship");
    intern
        .or_else(|| first(EMPLOYMENT_BY_COMMITMENT, commitment))
        .or_else(|| first(EMPLOYMENT_BY_TITLE, title))
        .or_else(|| first(EMPLOYMENT_BY_DESCRIPTION, description))
}

fn experience_level(source: &Words, title: &Words, description: &Words) -> Option<&'static str> {
    first(LEVEL_BY_TITLE, title)
        .or_else(|| first(LEVEL_BY_SOURCE, source))
        .or_else(|| {
            let years = description.years()?;
            LEVEL_BY_YEARS.iter().find(|(least, _)| years >= *least).map(|(_, level)| *level)
        })
        .or_else(|| first(LEVEL_BY_OFFICE, title))
}

fn practice_area(title: &Words, teams: &Words, description: &str) -> Option<&'static str> {
    first(AREAS, title).or_else(|| first(AREAS, teams)).or_else(|| {
        let telling: String = description.chars().take(TELLING).collect();
        let telling = Words::of(&[telling]);
        let counted = AREAS.iter().rev().map(|(area, terms)| (telling.count(terms), *area));
        // Once is in passing. Of equals the last is taken, which is the upper in the table.
        counted.max_by_key(|(times, _)| *times).filter(|(times, _)| *times >= 2).map(|(_, area)| area)
    })
}

fn first(rules: &[(&'static str, &'static [&'static str])], words: &Words) -> Option<&'static str> {
    rules.iter().find(|(_, terms)| words.say(terms)).map(|(value, _)| *value)
}

#[cfg(test)]
mod tests;
