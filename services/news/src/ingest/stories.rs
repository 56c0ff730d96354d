//! One story, told by several sources: finding it, and which of its copies stands for it.

use chrono::{DateTime, TimeDelta, Utc};
use crawler::canonical::likeness;
use sqlx::PgConnection;
use uuid::Uuid;

use super::keys::{self, DAYS};
use crate::connectors::Item;

/// How alike two titles are at least to tell one story by themselves, and where what is told under them backs it. The
/// tests show what that joins and what it keeps apart: 'Milbank Announces Bonuses' and 'Cravath Announces Bonuses' differ
/// by a word, and are two stories. One that stands there twice is a smaller fault than one hidden behind another.
const ALIKE: f32 = 0.87;
const ALIKE_IF_BACKED: f32 = 0.7;
/// How alike two descriptions are at least to back it.
const BACKED: f32 = 0.4;

/// Words a title needs before another with nearly the same ones tells the same: 'Morning Docket' is a heading.
const TELLING: usize = 4;

/// Copies that are compared, at most.
const COMPARED: i64 = 200;

/// The story another source tells already within three days, if there is one in which this source has no copy yet: a
/// source tells a story once. The same text is the same story whatever its title; else the most alike title is.
///
/// # Errors
/// As any statement.
pub async fn told_elsewhere(
    db: &mut PgConnection,
    source: &str,
    item: &Item,
    listed_at: DateTime<Utc>,
) -> Result<Option<Uuid>, sqlx::Error> {
    let here = Told { title: &item.title, text: item.description.as_deref() };
    let keys = keys::of(here.title, here.text);
    let copies = sqlx::query!(
        r#"select a.story_id, a.title, a.description, a.keys && $2 as "same_text!"
        from news.articles a
        where a.keys && $1
            and a.source_id <> $3
            and a.listed_at between $4 and $5
            and not exists (
                select
                from news.articles own
                where own.story_id = a.story_id
                    and own.source_id = $3
            )
        order by a.listed_at, a.id
        limit $6"#,
        &keys.around(listed_at),
        &keys.mark_around(listed_at),
        source,
        listed_at - TimeDelta::days(DAYS),
        listed_at + TimeDelta::days(DAYS),
        COMPARED,
    )
    .fetch_all(db)
    .await?;
    let mut found: Option<(f32, Uuid)> = None;
    for copy in copies {
        let there = Told { title: &copy.title, text: copy.description.as_deref() };
        let alike = if copy.same_text { Some(f32::INFINITY) } else { here.alike(&there) };
        // Of equals the earliest stays.
        if let Some(alike) = alike.filter(|alike| found.is_none_or(|(best, _)| *alike > best)) {
            found = Some((alike, copy.story_id));
        }
    }
    Ok(found.map(|(_, story)| story))
}

/// What is compared of two articles.
struct Told<'a> {
    title: &'a str,
    text: Option<&'a str>,
}

impl Told<'_> {
    /// How alike the titles are, if both may well tell one story.
    fn alike(&self, other: &Told<'_>) -> Option<f32> {
        let is_heading = |title: &str| title.split_whitespace().count() < TELLING;
        if is_heading(self.title) || is_heading(other.title) {
            return None;
        }
        let alike = likeness(self.title, other.title);
        let is_backed = || self.text.zip(other.text).is_some_and(|(here, there)| likeness(here, there) >= BACKED);
        (alike >= ALIKE || (alike >= ALIKE_IF_BACKED && is_backed())).then_some(alike)
    }
}

/// Has the earliest copy stand for its story. Whoever writes holds the pen, so the copies are all there is.
///
/// # Errors
/// As any statement.
pub async fn elect(db: &mut PgConnection, story: Uuid) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update news.articles a
        set story_id = earliest.id
        from (
            select id
            from news.articles
            where story_id = $1
            order by listed_at, id
            limit 1
        ) earliest
        where a.story_id = $1
            and earliest.id <> $1",
        story,
    )
    .execute(db)
    .await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn alike(a: (&str, &str), b: (&str, &str)) -> bool {
        let told = |(title, text)| Told { title, text: Some(text) };
        let (there, back) = (told(a).alike(&told(b)), told(b).alike(&told(a)));
        assert_eq!(there, back, "whichever came first");
        there.is_some()
    }

    fn titles_alone(a: &str, b: &str) -> bool {
        alike((a, ""), (b, ""))
    }

    #[test]
    fn titles_nearly_the_same_tell_one_story() {
        for (a, b) in [
            (
                "Supreme Court Rules Police Need a Warrant to Search Doorbell Videos",
                "Police Need Warrant for Doorbell Videos, Supreme Court Rules",
            ),
            (
                "ABA House of Delegates Votes to Let Law Schools Drop the LSAT",
                "ABA House of Delegates votes to let schools drop LSAT requirement",
            ),
            (
                "Ninth Circuit Revives Students' Claims Against For-Profit Law School",
                "9th Circuit revives students\u{2019} claims against for-profit law school",
            ),
            (
                "Justice Department Sues Ticket Seller, Alleging Monopoly",
                "Justice Department sues ticket seller alleging illegal monopoly",
            ),
            (
                "Report: Law School Applications Up 18% From Last Year",
                "Law school applications up 18 percent from last year, report says",
            ),
            (
                "Bar Exam Pass Rate Falls to Lowest Level in Decade in California",
                "California bar exam pass rate falls to lowest level in decade",
            ),
        ] {
            assert!(titles_alone(a, b), "{a} / {b}: {}", likeness(a, b));
        }
    }

    #[test]
    fn titles_of_one_pattern_are_stories_of_their_own() {
        for (a, b) in [
            (
                "Supreme Court to Hear Case on Gun Rights of Veterans",
                "Supreme Court to Hear Case on Tax Liens of Churches",
            ),
            ("Milbank Announces Year-End Bonuses for Associates", "Cravath Announces Year-End Bonuses for Associates"),
            (
                "Kirkland Hires Antitrust Partner From Justice Department",
                "Latham Hires Antitrust Partner From Justice Department",
            ),
            ("Morning Docket: 11.20.26", "Morning Docket: 11.21.26"),
            ("Morning Docket", "Morning Docket"),
            (
                "Judge Denies Motion to Dismiss in Antitrust Case Against Airline",
                "Judge Denies Motion to Dismiss in Privacy Case Against Hospital",
            ),
            ("Senate Confirms Rivera to Seat on Federal Circuit", "Senate Confirms Okafor to Seat on Ninth Circuit"),
            (
                "Texas Supreme Court Suspends Lawyer Over AI Citations",
                "Ohio Supreme Court Suspends Lawyer Over Trust Account",
            ),
            (
                "Ninth Circuit Upholds Injunction in Immigration Case",
                "Fifth Circuit Stays Injunction in Immigration Case",
            ),
            ("Law School Applications Up 18% From Last Year", "Law School Tuition Up 4% From Last Year"),
            ("Biglaw Partner Leaves for Boutique", "Biglaw Associate Leaves for Boutique"),
            ("Quiz: How Well Do You Know the Fourth Amendment?", "Quiz: How Well Do You Know the Fifth Amendment?"),
            ("Supreme Court Adjourns for the Summer", "Supreme Court Returns From the Summer"),
        ] {
            assert!(!titles_alone(a, b), "{a} / {b}: {}", likeness(a, b));
        }
    }

    #[test]
    fn titles_rather_alike_tell_one_story_where_the_texts_say_so() {
        let wine = (
            "Supreme Court Strikes Down State's Ban on Interstate Wine Sales",
            "The U.S. Supreme Court on Thursday struck down a Michigan law that bars out-of-state wineries from shipping \
                to consumers, in a 5-4 decision by Justice Hale.",
        );
        let same = (
            "Ban on Interstate Wine Sales Struck Down by Supreme Court",
            "In a 5-4 decision by Justice Hale the Supreme Court struck down Michigan's law barring wineries from \
                shipping to consumers out of state.",
        );
        assert!(alike(wine, same));
        assert!(!titles_alone(wine.0, same.0), "not by the titles alone");
        let milbank = (
            "Milbank Announces Year-End Bonuses for Associates",
            "Milbank will pay its associates between $20,000 and $115,000 on December 20, the firm's chairman wrote in a \
                memo, and added a special prize for those who billed most.",
        );
        let cravath = (
            "Cravath Announces Year-End Bonuses for Associates",
            "Cravath has spoken at last: its scale follows the market to the dollar, and lawyers of counsel are left out \
                for the second year running.",
        );
        assert!(!alike(milbank, cravath));
    }
}
