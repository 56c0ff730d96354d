//! The tables of rules, each rule both ways.

use chrono::TimeDelta;

use super::*;

fn words(text: &str) -> Words {
    Words::of(&[text])
}

#[test]
fn only_legal_work_is_kept_of_an_employers_board() {
    for (title, team) in [
        ("Staff Attorney, Speech Project", "National Legal Department"),
        ("Associate General Counsel", "G&A"),
        ("Product Counsel (Engineering)", "Engineering"),
        ("Paralegal", ""),
        ("Law Clerk", "Chambers"),
        ("Legal Intern - Summer 2027", "Internships"),
        ("Litigation Support Specialist", ""),
        ("Compliance Analyst", ""),
        ("Policy Associate", "Legal"),
        ("Program Coordinator", "Office of General Counsel"),
        ("Patent Agent", "Research"),
        ("SENIOR ATTORNEY", ""),
    ] {
        assert!(is_legal(&words(title), &words(team)), "{title} / {team}");
    }
    for (title, team) in [
        ("Software Engineer", "Engineering"),
        ("Software Engineer, Legal Holds", "Engineering"),
        ("Account Executive, Law Firms", "Sales"),
        ("Data Scientist", "Legal"),
        ("Product Manager, Litigation", "Product"),
        ("Recruiter", "Legal Recruiting"),
        ("Gardener (lawns and flawless hedges)", "Grounds"),
        ("Organizer", "Communications"),
        ("Account Executive", "In-law relations"),
        ("", ""),
    ] {
        let expected = false;
        assert_eq!(is_legal(&words(title), &words(team)), expected, "{title} / {team}");
    }
}

#[test]
fn how_one_is_employed_is_told_by_the_source_then_the_title_then_the_text() {
    for (commitment, title, description, expected) in [
        ("Full-time", "Attorney", "", Some("full-time")),
        ("Regular Full Time (Salary)", "Attorney", "", Some("full-time")),
        ("Permanent | Part-time", "Attorney", "", Some("part-time")),
        ("Fixed-Term", "Attorney", "", Some("contract")),
        ("Temporary", "Paralegal", "", Some("contract")),
        ("Internships", "Legal Assistant", "", Some("internship")),
        ("Full-time", "Legal Intern", "", Some("internship")),
        ("", "Summer Associate 2027", "", Some("internship")),
        ("", "Law Clerk (Part-Time)", "", Some("part-time")),
        ("", "Contract Attorney", "", Some("contract")),
        ("", "Contracts Manager", "", None),
        ("", "International Counsel", "", None),
        ("", "Attorney", "This is a full-time position in Albany.", Some("full-time")),
        ("", "Attorney", "This is a part-time position; full time later.", Some("part-time")),
        ("", "Attorney", "", None),
    ] {
        let found = employment_type(&words(commitment), &words(title), &words(description));
        assert_eq!(found, expected, "{commitment} / {title} / {description}");
    }
}

#[test]
fn how_much_experience_is_told_by_the_title_then_the_source_then_the_years() {
    for (source, title, description, expected) in [
        ("", "Senior Staff Attorney", "1 year of experience", Some("senior")),
        ("", "Deputy General Counsel", "", Some("senior")),
        ("", "Intern, Office of the General Counsel", "", Some("entry-level")),
        ("", "Law Clerk", "", Some("entry-level")),
        ("", "Equal Justice Fellow", "", Some("entry-level")),
        ("", "Junior Associate", "", Some("entry-level")),
        ("", "Mid-Level Associate", "", Some("mid-level")),
        ("Senior level", "Attorney", "", Some("senior")),
        ("entry level", "Attorney", "9 years of experience", Some("entry-level")),
        ("", "Attorney", "at least 8 years of experience", Some("senior")),
        ("", "Paralegal", "3-5 years of experience", Some("mid-level")),
        ("", "Paralegal", "1+ years of experience", Some("entry-level")),
        ("", "Staff Attorney", "", Some("mid-level")),
        ("", "Paralegal", "", None),
        ("", "Legal Assistant", "", Some("entry-level")),
        ("", "Assistant United States Attorney", "five years of practice", Some("mid-level")),
        ("", "Leadership Seminar Host", "", None),
    ] {
        let found = experience_level(&words(source), &words(title), &words(description));
        assert_eq!(found, expected, "{source} / {title} / {description}");
    }
}

#[test]
fn the_field_of_law_is_told_by_the_title_then_the_team_then_what_the_text_speaks_of() {
    for (title, team, description, expected) in [
        ("Immigration Attorney", "Litigation", "", Some("immigration")),
        ("IP Counsel", "", "", Some("intellectual-property")),
        ("Patent Litigation Associate", "", "", Some("intellectual-property")),
        ("Assistant District Attorney", "", "", Some("government")),
        ("Attorney-Adviser (General)", "Government", "", Some("government")),
        ("Public Defender", "", "", Some("public-interest")),
        ("Staff Attorney, Voting Rights Project", "", "", Some("public-interest")),
        ("Trial Attorney", "", "", Some("litigation")),
        ("M&A Associate", "", "", Some("corporate")),
        ("Privacy Counsel", "", "", Some("corporate")),
        ("Staff Attorney", "Legal Services", "", Some("public-interest")),
        ("Staff Attorney", "", "You try cases: depositions, a trial, another trial. One visa.", Some("litigation")),
        ("Staff Attorney", "", "One trial a year.", None),
        ("Visage Consultant", "", "Corporately retrialed.", None),
    ] {
        assert_eq!(practice_area(&words(title), &words(team), description), expected, "{title} / {team}");
    }
}

fn source() -> SourcePosting {
    SourcePosting {
        url: "http://www.example.org/jobs/1/?utm_source=feed".to_owned(),
        title: "  Staff\u{202e} Attorney\0 ".to_owned(),
        company: "Legal Aid".to_owned(),
        places: vec!["Albany, NY".to_owned()],
        description: "The salary is $70,000 a year.".to_owned(),
        ..SourcePosting::default()
    }
}

#[test]
fn what_is_kept_is_clean_and_recognisable() {
    let now = DateTime::UNIX_EPOCH + TimeDelta::days(20_000);
    let found = derive(Connector::Greenhouse, source(), now).unwrap().unwrap();
    assert_eq!((found.title.as_str(), found.url.as_str()), ("Staff Attorney", "https://example.org/jobs/1"));
    assert_eq!(found.external_url.as_deref(), Some("http://www.example.org/jobs/1/?utm_source=feed"));
    assert_eq!(found.salary.as_deref(), Some("$70,000 per year"));
    let moved =
        SourcePosting { url: "https://example.org/other".to_owned(), title: "staff attorney".to_owned(), ..source() };
    let moved = derive(Connector::Lever, moved, now).unwrap().unwrap();
    assert_eq!(moved.fingerprint, found.fingerprint, "the same at another address");
    let elsewhere = SourcePosting { places: vec!["Boston, MA".to_owned()], ..source() };
    assert_ne!(derive(Connector::Lever, elsewhere, now).unwrap().unwrap().fingerprint, found.fingerprint);
}

#[test]
fn what_is_no_posting_is_broken_and_what_is_over_left_out() {
    let now = DateTime::UNIX_EPOCH + TimeDelta::days(20_000);
    for broken in [
        SourcePosting { title: " \u{0} ".to_owned(), ..source() },
        SourcePosting { company: String::new(), ..source() },
        SourcePosting { url: "javascript:alert(1)".to_owned(), ..source() },
        SourcePosting { url: "/jobs/1".to_owned(), ..source() },
        SourcePosting { url: "https://user:pw@example.org/".to_owned(), ..source() },
        SourcePosting { url: format!("https://example.org/{}", "a".repeat(3_000)), ..source() },
    ] {
        assert_eq!(derive(Connector::Rss, broken.clone(), now), Err(InvalidItem), "{broken:?}");
    }
    let over = SourcePosting { deadline: Some(DateOrTime::Time(now)), ..source() };
    assert_eq!(derive(Connector::Rss, over, now), Ok(None));
    let engineer = SourcePosting { title: "Software Engineer".to_owned(), ..source() };
    assert_eq!(derive(Connector::Ashby, engineer.clone(), now), Ok(None));
    assert!(derive(Connector::Rss, engineer, now).unwrap().is_some(), "a feed is chosen for what it lists");
    let early = SourcePosting { posted_at: Some(DateOrTime::Time(now + TimeDelta::days(2))), ..source() };
    assert_eq!(derive(Connector::Rss, early, now).unwrap().unwrap().posted_at, None);
}
