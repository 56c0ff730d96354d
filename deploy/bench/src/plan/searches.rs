//! Searches and filtered lists: each filter, word frequency and depth that may differ in cost.

use anyhow::Context as _;
use serde_json::Value;

use super::{DEEP, PAGE, sample_evenly};
use crate::{
    client::{Member, Request},
    data_folder::Note,
    world::words::{COMMON, RARE},
};

/// The last page of news.
const LAST_PAGE: u32 = 1_000;

/// A frequent, a rare, a missing and a mistyped word; two words; names; each kind, and all six together.
const SEARCHES: [(&str, &str); 17] = [
    ("posts, a word in each", "type=posts&q=counsel"),
    ("posts, a word in few", "type=posts&q=usufruct"),
    ("posts, a word in none", "type=posts&q=zeugma"),
    ("posts, a word in few, mistyped", "type=posts&q=usufrcut"),
    ("posts, two words", "type=posts&q=hearsay+dissent"),
    ("posts, a word in each and one in few", "type=posts&q=counsel+usufruct"),
    ("people, by name", "type=people&q=maria+santos"),
    ("people, by name, mistyped", "type=people&q=mria+sntos"),
    ("people, a beginning", "type=people&q=mar"),
    ("people, a word in most", "type=people&q=law"),
    ("communities", "type=communities&q=moot+court"),
    ("resources", "type=resources&q=guide"),
    ("jobs, a word in each", "type=jobs&q=counsel"),
    ("news, a word in each", "type=news&q=counsel"),
    ("all, a word in each", "q=counsel"),
    ("all, a word in few", "q=usufruct"),
    ("all, a word in none", "q=zeugma"),
];

/// The name in the report and the path of each.
///
/// # Errors
/// When a page cannot be read, or is empty.
pub(super) async fn lists(member: &Member, note: &Note) -> anyhow::Result<Vec<(String, Vec<Request>)>> {
    let jobs = |query: &str| format!("/api/jobs?{query}");
    let news = |query: &str| format!("/api/news?{query}");
    let pages = (note.posts / PAGE / 2).clamp(1, LAST_PAGE);
    let mut lists = Vec::new();
    let mut list = |name: &str, path: String| lists.push((name.to_owned(), vec![Request::get(path)]));
    list("jobs", "/api/jobs".to_owned());
    list("jobs, deep", down(member, "/api/jobs", DEEP.min(note.posts / 20) / PAGE).await?);
    list("jobs, two filters", jobs("location=new+york&practiceArea=litigation"));
    list(
        "jobs, four filters and a word",
        jobs(&format!(
            "location=remote&practiceArea=corporate&experienceLevel=senior&employmentType=full-time&search={COMMON}"
        )),
    );
    list("jobs, a word in each", jobs(&format!("search={COMMON}")));
    list("jobs, a word in few", jobs(&format!("search={RARE}")));
    list("applications", "/api/jobs/applications/my".to_owned());
    list("news", news("page=1"));
    list(&format!("news, page {pages}"), news(&format!("page={pages}")));
    list("news, one source", news("page=1&source=aba"));
    list(
        &format!("news, one source, page {}", pages.div_ceil(5)),
        news(&format!("page={}&source=aba", pages.div_ceil(5))),
    );
    list("news, a word in each", news(&format!("page=1&search={COMMON}")));
    list(&format!("news, a word in each, page {pages}"), news(&format!("page={pages}&search={COMMON}")));
    list("news, a word in few", news(&format!("page=1&search={RARE}")));
    list("resources", "/api/resources".to_owned());
    for (name, query) in SEARCHES {
        list(&format!("search, {name}"), format!("/api/search?{query}"));
    }
    let one = |ids: Vec<String>, path: &str| ids.iter().map(|id| Request::get(format!("{path}/{id}"))).collect();
    lists.push(("job".to_owned(), one(ids(member, "/api/jobs?limit=100", "").await?, "/api/jobs")));
    lists.push(("article".to_owned(), one(ids(member, "/api/news", "/articles").await?, "/api/news")));
    Ok(lists)
}

/// The page at this depth, or the last one.
async fn down(member: &Member, first: &str, pages: u32) -> anyhow::Result<String> {
    let mut path = first.to_owned();
    for _ in 0..pages {
        let answer = member.send(&Request::get(&path)).await?;
        answer.json()?;
        match answer.next {
            Some(next) => path = next,
            None => break,
        }
    }
    Ok(path)
}

/// The ids in a list.
async fn ids(member: &Member, path: &str, list: &str) -> anyhow::Result<Vec<String>> {
    let page = member.send(&Request::get(path)).await?.json()?;
    let entries = page.pointer(list).and_then(Value::as_array).with_context(|| format!("{path} is no list"))?;
    let id = |entry: &Value| entry.get("id").and_then(Value::as_str).map(str::to_owned);
    let mut ids: Vec<String> = entries.iter().filter_map(id).collect();
    anyhow::ensure!(!ids.is_empty(), "{path} is empty");
    sample_evenly(&mut ids);
    Ok(ids)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_searched_words_are_those_of_the_world() {
        let query = |name: &str| SEARCHES.iter().find(|(of, _)| *of == name).unwrap().1;
        assert_eq!(query("posts, a word in each"), format!("type=posts&q={COMMON}"));
        assert_eq!(query("posts, a word in few"), format!("type=posts&q={RARE}"));
        assert_eq!(query("all, a word in each"), format!("q={COMMON}"));
    }
}
