//! What is asked of what was found in the world: postings, articles, resources. Each filter, word and depth whose cost may
//! be another's.

use anyhow::Context as _;
use serde_json::Value;

use super::{DEEP, PAGE, spread};
use crate::{
    client::{Ask, Member},
    place::Note,
    world::words::{COMMON, RARE},
};

/// The last page of news that anybody is shown.
const LAST_PAGE: u32 = 1_000;

/// As the report calls each, and what is asked for it.
///
/// # Errors
/// When a page cannot be read, or is empty.
pub(super) async fn lists(member: &Member, note: &Note) -> anyhow::Result<Vec<(String, Vec<Ask>)>> {
    let jobs = |query: &str| format!("/api/jobs?{query}");
    let news = |query: &str| format!("/api/news?{query}");
    let pages = (note.posts / PAGE / 2).clamp(1, LAST_PAGE);
    let mut lists = Vec::new();
    let mut list = |name: &str, path: String| lists.push((name.to_owned(), vec![Ask::get(path)]));
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
    let one = |ids: Vec<String>, path: &str| ids.iter().map(|id| Ask::get(format!("{path}/{id}"))).collect();
    lists.push(("job".to_owned(), one(ids(member, "/api/jobs?limit=100", "").await?, "/api/jobs")));
    lists.push(("article".to_owned(), one(ids(member, "/api/news", "/articles").await?, "/api/news")));
    Ok(lists)
}

/// The page that is so many pages down, or the last one.
async fn down(member: &Member, first: &str, pages: u32) -> anyhow::Result<String> {
    let mut path = first.to_owned();
    for _ in 0..pages {
        let answer = member.ask(&Ask::get(&path)).await?;
        answer.json()?;
        match answer.next {
            Some(next) => path = next,
            None => break,
        }
    }
    Ok(path)
}

/// What a list names.
async fn ids(member: &Member, path: &str, list: &str) -> anyhow::Result<Vec<String>> {
    let page = member.ask(&Ask::get(path)).await?.json()?;
    let entries = page.pointer(list).and_then(Value::as_array).with_context(|| format!("{path} is no list"))?;
    let id = |entry: &Value| entry.get("id").and_then(Value::as_str).map(str::to_owned);
    let mut ids: Vec<String> = entries.iter().filter_map(id).collect();
    anyhow::ensure!(!ids.is_empty(), "{path} is empty");
    spread(&mut ids);
    Ok(ids)
}
