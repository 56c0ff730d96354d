//! Parses `posts.txt`: posts with their authors, communities and comments.

/// Names and schools of the demo members, in the order of their numbers, which every service shares.
const MEMBERS: &str = include_str!("cast.txt");
/// Names of the communities, in the order of their numbers.
const COMMUNITIES: &str = include_str!("communities.txt");
const SCRIPT: &str = include_str!("posts.txt");

/// A post with its comments in order. Members and communities are numbers, from 1.
#[derive(Debug, PartialEq, Eq)]
pub struct ScriptedPost {
    pub author: usize,
    pub school: Option<&'static str>,
    pub community: Option<usize>,
    pub content: String,
    pub comments: Vec<(usize, String)>,
}

/// Returns the whole script, newest post first.
///
/// # Errors
/// Names the line that cannot be parsed, or the unknown name.
pub fn read() -> anyhow::Result<Vec<ScriptedPost>> {
    parse(SCRIPT)
}

/// Parses a script: `== Name` begins a post, `== Name @ Community` a post in a community, `-- Name` a comment on it,
/// `#` a remark; other lines are text.
fn parse(script: &str) -> anyhow::Result<Vec<ScriptedPost>> {
    let mut posts: Vec<ScriptedPost> = Vec::new();
    for line in script.lines().filter(|line| !line.starts_with('#')) {
        if let Some(place) = line.strip_prefix("== ") {
            let (name, community) = place.split_once(" @ ").map_or((place, None), |(name, in_it)| (name, Some(in_it)));
            let (author, school) = member(name)?;
            let community = community.map(community_number).transpose()?;
            posts.push(ScriptedPost { author, school, community, content: String::new(), comments: Vec::new() });
        } else if let Some(name) = line.strip_prefix("-- ") {
            let post = posts.last_mut().ok_or_else(|| anyhow::anyhow!("{name} comments on nothing"))?;
            post.comments.push((member(name)?.0, String::new()));
        } else if let Some(post) = posts.last_mut() {
            let text = post.comments.last_mut().map_or(&mut post.content, |(_, text)| text);
            text.push_str(line);
            text.push('\n');
        } else if !line.is_empty() {
            anyhow::bail!("no author of {line:?}");
        }
    }
    for post in &mut posts {
        for text in post.comments.iter_mut().map(|(_, text)| text).chain([&mut post.content]) {
            *text = text.trim().to_owned();
        }
    }
    Ok(posts)
}

fn member(name: &str) -> anyhow::Result<(usize, Option<&'static str>)> {
    let mut members = (1..).zip(MEMBERS.lines().map(|line| match line.split_once(" | ") {
        Some((name, school)) => (name, Some(school)),
        None => (line, None),
    }));
    let found = members.find(|(_, (known, _))| *known == name);
    found.map(|(number, (_, school))| (number, school)).ok_or_else(|| anyhow::anyhow!("{name} is not a demo member"))
}

fn community_number(name: &str) -> anyhow::Result<usize> {
    let position = COMMUNITIES.lines().position(|line| line == name);
    position.map(|position| position + 1).ok_or_else(|| anyhow::anyhow!("{name} is not a community"))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use primitives::input::Text;

    use super::*;

    #[test]
    fn a_post_is_parsed_with_its_comments() {
        let script = "# a remark\n== Isabel Reyes\nOne.\n\nTwo.\n\n-- Marco Villanueva\nQuite.\n\n\
            == Priya Raghavan @ Public Interest Lawyers\nThree.\n";
        let scripted = |author, community, content: &str, comments| ScriptedPost {
            author,
            school: member(MEMBERS.lines().nth(author - 1).unwrap().split(" | ").next().unwrap()).unwrap().1,
            community,
            content: content.to_owned(),
            comments,
        };
        let first = scripted(1, None, "One.\n\nTwo.", vec![(4, "Quite.".to_owned())]);
        assert_eq!(first.school, Some("Ateneo de Manila University School of Law"));
        assert_eq!(parse(script).unwrap(), [first, scripted(3, Some(5), "Three.", vec![])]);
    }

    #[test]
    fn unknown_names_and_text_without_an_author_are_refused() {
        assert!(parse("== Nobody Here\nHello.").is_err());
        assert!(parse("== Isabel Reyes @ Nowhere\nHello.").is_err());
        assert!(parse("Hello.").is_err());
        assert!(parse("-- Isabel Reyes\nHello.").is_err());
    }

    #[test]
    fn the_script_contains_about_200_valid_posts() {
        let posts = read().unwrap();
        assert!((190..=220).contains(&posts.len()), "{}", posts.len());
        let mut texts = HashSet::new();
        for post in &posts {
            assert!(Text::<{ crate::posts::MAX_POST }>::parse("content", &post.content).is_ok(), "{}", post.content);
            assert!(texts.insert(&post.content), "duplicate: {}", post.content);
            for (author, text) in &post.comments {
                assert!(Text::<{ crate::comments::MAX_COMMENT }>::parse("content", text).is_ok(), "{author}: {text}");
                assert!(texts.insert(text), "duplicate: {text}");
            }
        }
        for sign_in in [1, 2] {
            assert!(posts.iter().filter(|post| post.author == sign_in).count() >= 5);
        }
        let in_communities = posts.iter().filter(|post| post.community.is_some()).count();
        assert!((10..=30).contains(&in_communities), "{in_communities}");
        let authors: HashSet<usize> = posts.iter().map(|post| post.author).collect();
        assert_eq!(authors.len(), 60, "every member has a post");
    }
}
