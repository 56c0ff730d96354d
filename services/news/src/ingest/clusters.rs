//! Clusters: articles of several sources on one story. The earliest copy leads a cluster; lists show the leader.

use chrono::{DateTime, TimeDelta, Utc};
use crawler::canonical::similarity;
use sqlx::PgConnection;
use uuid::Uuid;

use super::keys::{DAYS, Keys};
use crate::connectors::Item;

/// The least similarity of titles that suffices alone, and with similar descriptions. The tests show the result: 'Milbank
/// Announces Bonuses' and 'Cravath Announces Bonuses' differ by a word and are two stories. A story listed twice is a smaller
/// fault than one hidden behind another.
const SIMILAR: f32 = 0.87;
const SIMILAR_WITH_DESCRIPTION: f32 = 0.7;
/// The least similarity of descriptions.
const SIMILAR_DESCRIPTION: f32 = 0.4;

/// The fewest words of a title that can be compared: 'Morning Docket' is the name of a column.
const MIN_TITLE: usize = 4;

/// The most candidates that are compared.
const MAX_CANDIDATES: i64 = 200;

/// Finds a cluster of other sources within three days, without a copy of this source. An equal description decides before the
/// most similar title. The keys of a copy without a date are of the day when it was found.
pub async fn find(
    db: &mut PgConnection,
    source: &str,
    item: &Item,
    listed_at: DateTime<Utc>,
) -> Result<Option<Uuid>, sqlx::Error> {
    let article = ComparedText { title: &item.title, description: item.description.as_deref() };
    let keys = Keys::of(article.title, article.description);
    let candidates = sqlx::query!(
        r#"select a.story_id, a.title, a.description, a.keys && $2 as "same_text!"
        from news.articles a
        where a.keys && $1
            and a.source_id <> $3
            and (a.listed_at between $4 and $5 or a.published_at is null)
            and not exists (
                select
                from news.articles own
                where own.story_id = a.story_id
                    and own.source_id = $3
            )
        order by a.listed_at, a.id
        limit $6"#,
        &keys.around(listed_at),
        &keys.fingerprints_around(listed_at),
        source,
        listed_at - TimeDelta::days(DAYS),
        listed_at + TimeDelta::days(DAYS),
        MAX_CANDIDATES,
    )
    .fetch_all(db)
    .await?;
    let mut found: Option<(f32, Uuid)> = None;
    for candidate in candidates {
        let other = ComparedText { title: &candidate.title, description: candidate.description.as_deref() };
        let similarity = if candidate.same_text { Some(f32::INFINITY) } else { article.similarity(&other) };
        // The earliest of equal ones stays.
        if let Some(similarity) = similarity.filter(|similarity| found.is_none_or(|(best, _)| *similarity > best)) {
            found = Some((similarity, candidate.story_id));
        }
    }
    Ok(found.map(|(_, cluster)| cluster))
}

/// The compared texts of an article.
struct ComparedText<'a> {
    title: &'a str,
    description: Option<&'a str>,
}

impl ComparedText<'_> {
    /// Returns the similarity of the titles, if both articles are probably on one story.
    fn similarity(&self, other: &ComparedText<'_>) -> Option<f32> {
        let is_heading = |title: &str| title.split_whitespace().count() < MIN_TITLE;
        if is_heading(self.title) || is_heading(other.title) {
            return None;
        }
        let titles = similarity(self.title, other.title);
        let descriptions = || self.description.zip(other.description).map(|(one, other)| similarity(one, other));
        let supported = || descriptions().is_some_and(|similarity| similarity >= SIMILAR_DESCRIPTION);
        (titles >= SIMILAR || (titles >= SIMILAR_WITH_DESCRIPTION && supported())).then_some(titles)
    }
}

/// Makes the earliest copy the leader of its cluster, preferably one with a date. A copy without a date then stands
/// after the leader: no copy is older than it. The caller holds [`super::lock_articles`], so no copy is added
/// meanwhile.
pub async fn elect_leader(db: &mut PgConnection, cluster: Uuid) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update news.articles a
        set story_id = earliest.id
        from (
            select id
            from news.articles
            where story_id = $1
            order by published_at is null, listed_at, id
            limit 1
        ) earliest
        where a.story_id = $1
            and earliest.id <> $1",
        cluster,
    )
    .execute(&mut *db)
    .await?;
    sqlx::query!(
        "update news.articles a
        set found_at = leader.listed_at + interval '1 second'
        from news.articles member
        join news.articles leader on leader.id = member.story_id
        where member.id = $1
            and a.story_id = leader.id
            and a.published_at is null
            and a.listed_at <= leader.listed_at
            and a.id <> leader.id",
        cluster,
    )
    .execute(db)
    .await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn same_story(a: (&str, &str), b: (&str, &str)) -> bool {
        let text = |(title, description)| ComparedText { title, description: Some(description) };
        let (forward, backward) = (text(a).similarity(&text(b)), text(b).similarity(&text(a)));
        assert_eq!(forward, backward, "symmetric");
        forward.is_some()
    }

    fn same_story_by_title(a: &str, b: &str) -> bool {
        same_story((a, ""), (b, ""))
    }

    #[test]
    fn nearly_equal_titles_are_one_story() {
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
            assert!(same_story_by_title(a, b), "{a} / {b}: {}", similarity(a, b));
        }
    }

    #[test]
    fn titles_of_one_pattern_are_different_stories() {
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
            assert!(!same_story_by_title(a, b), "{a} / {b}: {}", similarity(a, b));
        }
    }

    #[test]
    fn similar_titles_are_one_story_if_the_descriptions_are_similar() {
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
        assert!(same_story(wine, same));
        assert!(!same_story_by_title(wine.0, same.0), "not by the titles alone");
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
        assert!(!same_story(milbank, cravath));
    }
}
