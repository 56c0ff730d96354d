//! The rules that classify a posting by words.
//!
//! The first matching row of a table wins. A term matches whole words in any case and with any separators: `part time` matches
//! 'Part-time' and not 'counterpart timetable'.

/// Column values and the terms that imply them.
pub type Rules = &'static [(&'static str, &'static [&'static str])];

/// By the employment types of the source; the most specific first.
pub const EMPLOYMENT_BY_COMMITMENT: Rules = &[
    ("internship", &["intern", "interns", "internship", "internships", "extern", "externship", "summer", "student"]),
    ("contract", &["contract", "contractor", "temporary", "temp", "fixed term", "term", "freelance", "seasonal"]),
    ("part-time", &["part time", "parttime", "intermittent"]),
    ("full-time", &["full time", "fulltime", "permanent", "regular"]),
];

pub const EMPLOYMENT_BY_TITLE: Rules = &[
    ("internship", INTERNS),
    ("part-time", &["part time"]),
    (
        "contract",
        &[
            "contract attorney",
            "contract lawyer",
            "contract paralegal",
            "temporary",
            "temp",
            "fixed term",
            "contractor",
        ],
    ),
    ("full-time", &["full time"]),
];

pub const EMPLOYMENT_BY_DESCRIPTION: Rules = &[
    ("part-time", &["this is a part time", "part time position", "part time role"]),
    ("contract", &["this is a contract", "this is a temporary", "contract position", "temporary position"]),
    ("full-time", &["full time"]),
];

pub const INTERNS: &[&str] = &[
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

pub const LEVEL_BY_TITLE: Rules = &[
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
            // Not every assistant: an assistant attorney general is not entry-level.
            "legal assistant",
            "litigation assistant",
            "administrative assistant",
            "program assistant",
            "research assistant",
        ],
    ),
    ("mid-level", &["mid level", "midlevel", "experienced"]),
];

/// By the experience level of the source.
pub const LEVEL_BY_SOURCE: Rules = &[
    ("senior", &["senior", "executive", "director", "principal", "lead", "manager"]),
    ("entry-level", &["entry level", "entry", "junior", "intern", "internship", "graduate", "associate level"]),
    ("mid-level", &["mid level", "midlevel", "mid", "intermediate", "experienced"]),
];

/// For titles without a level: these professions require an admission and some practice.
pub const LEVEL_BY_OFFICE: Rules = &[("mid-level", &["attorney", "counsel", "lawyer", "associate"])];

/// By the required years of experience.
pub const LEVEL_BY_YEARS: [(u32, &str); 3] = [(7, "senior"), (3, "mid-level"), (0, "entry-level")];

pub const AREAS: Rules = &[
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

/// Titles that are always legal work.
pub const LEGAL_OFFICES: &[&str] = &[
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

/// Words of a title or a department that imply legal work, unless the title contains one of [`OTHER_TRADES`].
pub const LEGAL_WORDS: &[&str] = &[
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

pub const OTHER_TRADES: &[&str] = &[
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
