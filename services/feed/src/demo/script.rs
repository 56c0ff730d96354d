//! Reads the demo's script: who posts what, and who says what about it.

/// Names in the order of their numbers, which every service's demo shares, with the schools they are or were at.
const CAST: &str = include_str!("cast.txt");
/// The same of communities.
const COMMUNITIES: &str = include_str!("communities.txt");
const SCRIPT: &str = include_str!("posts.txt");

/// A post and what is said under it, in order. Members and communities are numbers, from 1.
#[derive(Debug, PartialEq, Eq)]
pub struct Scene {
    pub author: usize,
    pub school: Option<&'static str>,
    pub community: Option<usize>,
    pub words: String,
    pub comments: Vec<(usize, String)>,
}

/// The whole script, newest post first.
///
/// # Errors
/// Names the line that is neither a post, a comment nor words of either, or the name nobody has.
pub fn read() -> anyhow::Result<Vec<Scene>> {
    parse(SCRIPT)
}

/// `== Name` begins a post, `== Name @ Community` one in a community, `-- Name` a comment on it, `#` a remark; everything else is what they say.
fn parse(script: &str) -> anyhow::Result<Vec<Scene>> {
    let mut scenes: Vec<Scene> = Vec::new();
    for line in script.lines().filter(|line| !line.starts_with('#')) {
        if let Some(place) = line.strip_prefix("== ") {
            let (name, community) = place.split_once(" @ ").map_or((place, None), |(name, in_it)| (name, Some(in_it)));
            let (author, school) = member(name)?;
            let community = community.map(number_of_community).transpose()?;
            scenes.push(Scene { author, school, community, words: String::new(), comments: Vec::new() });
        } else if let Some(name) = line.strip_prefix("-- ") {
            let scene = scenes.last_mut().ok_or_else(|| anyhow::anyhow!("{name} comments on nothing"))?;
            scene.comments.push((member(name)?.0, String::new()));
        } else if let Some(scene) = scenes.last_mut() {
            let words = scene.comments.last_mut().map_or(&mut scene.words, |(_, words)| words);
            words.push_str(line);
            words.push('\n');
        } else if !line.is_empty() {
            anyhow::bail!("nobody says {line:?}");
        }
    }
    for scene in &mut scenes {
        for words in scene.comments.iter_mut().map(|(_, words)| words).chain([&mut scene.words]) {
            *words = words.trim().to_owned();
        }
    }
    Ok(scenes)
}

fn member(name: &str) -> anyhow::Result<(usize, Option<&'static str>)> {
    let mut cast = (1..).zip(CAST.lines().map(|line| match line.split_once(" | ") {
        Some((name, school)) => (name, Some(school)),
        None => (line, None),
    }));
    let found = cast.find(|(_, (of_cast, _))| *of_cast == name);
    found.map(|(number, (_, school))| (number, school)).ok_or_else(|| anyhow::anyhow!("{name} is not in the cast"))
}

fn number_of_community(name: &str) -> anyhow::Result<usize> {
    let place = COMMUNITIES.lines().position(|line| line == name);
    place.map(|place| place + 1).ok_or_else(|| anyhow::anyhow!("{name} is no community"))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use primitives::input::Text;

    use super::*;

    #[test]
    fn a_scene_is_a_post_and_its_comments() {
        let script = "# a remark\n== Isabel Reyes\nOne.\n\nTwo.\n\n-- Marco Villanueva\nQuite.\n\n\
            == Priya Raghavan @ Public Interest Lawyers\nThree.\n";
        let scene = |author, community, words: &str, comments| Scene {
            author,
            school: member(CAST.lines().nth(author - 1).unwrap().split(" | ").next().unwrap()).unwrap().1,
            community,
            words: words.to_owned(),
            comments,
        };
        let first = scene(1, None, "One.\n\nTwo.", vec![(4, "Quite.".to_owned())]);
        assert_eq!(first.school, Some("Ateneo de Manila University School of Law"));
        assert_eq!(parse(script).unwrap(), [first, scene(3, Some(5), "Three.", vec![])]);
    }

    #[test]
    fn strangers_and_stray_words_are_refused() {
        assert!(parse("== Nobody Here\nHello.").is_err());
        assert!(parse("== Isabel Reyes @ Nowhere\nHello.").is_err());
        assert!(parse("Hello.").is_err());
        assert!(parse("-- Isabel Reyes\nHello.").is_err());
    }

    #[test]
    fn the_script_is_some_two_hundred_posts_nobody_could_not_have_written() {
        let scenes = read().unwrap();
        assert!((190..=220).contains(&scenes.len()), "{}", scenes.len());
        let mut said = HashSet::new();
        for scene in &scenes {
            assert!(Text::<{ crate::posts::LONGEST }>::parse("content", &scene.words).is_ok(), "{}", scene.words);
            assert!(said.insert(&scene.words), "said twice: {}", scene.words);
            for (author, words) in &scene.comments {
                assert!(Text::<{ crate::comments::LONGEST }>::parse("content", words).is_ok(), "{author}: {words}");
                assert!(said.insert(words), "said twice: {words}");
            }
        }
        for sign_in in [1, 2] {
            assert!(scenes.iter().filter(|scene| scene.author == sign_in).count() >= 5);
        }
        let in_communities = scenes.iter().filter(|scene| scene.community.is_some()).count();
        assert!((10..=30).contains(&in_communities), "{in_communities}");
        let authors: HashSet<usize> = scenes.iter().map(|scene| scene.author).collect();
        assert_eq!(authors.len(), 60, "everybody has something to say");
    }
}
