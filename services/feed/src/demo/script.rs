//! Reads the demo's script: who posts what, and who says what about it.

/// Names in the order of their numbers, which every service's demo shares.
const CAST: &str = include_str!("cast.txt");
const SCRIPT: &str = include_str!("posts.txt");

/// A post and what is said under it, in order. Members are numbers, from 1.
#[derive(Debug, PartialEq, Eq)]
pub struct Scene {
    pub author: usize,
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

/// `== Name` begins a post, `-- Name` a comment on it, `#` a remark; everything else is what they say.
fn parse(script: &str) -> anyhow::Result<Vec<Scene>> {
    let mut scenes: Vec<Scene> = Vec::new();
    for line in script.lines().filter(|line| !line.starts_with('#')) {
        if let Some(name) = line.strip_prefix("== ") {
            scenes.push(Scene { author: number(name)?, words: String::new(), comments: Vec::new() });
        } else if let Some(name) = line.strip_prefix("-- ") {
            let scene = scenes.last_mut().ok_or_else(|| anyhow::anyhow!("{name} comments on nothing"))?;
            scene.comments.push((number(name)?, String::new()));
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

fn number(name: &str) -> anyhow::Result<usize> {
    let place = CAST.lines().position(|line| line == name);
    place.map(|place| place + 1).ok_or_else(|| anyhow::anyhow!("{name} is not in the cast"))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use chassis::input::Text;

    use super::*;

    #[test]
    fn a_scene_is_a_post_and_its_comments() {
        let script =
            "# a remark\n== Isabel Reyes\nOne.\n\nTwo.\n\n-- Marco Villanueva\nQuite.\n\n== Priya Raghavan\nThree.\n";
        let scene = |author, words: &str, comments| Scene { author, words: words.to_owned(), comments };
        let first = scene(1, "One.\n\nTwo.", vec![(4, "Quite.".to_owned())]);
        assert_eq!(parse(script).unwrap(), [first, scene(3, "Three.", vec![])]);
    }

    #[test]
    fn strangers_and_stray_words_are_refused() {
        assert!(parse("== Nobody Here\nHello.").is_err());
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
        let authors: HashSet<usize> = scenes.iter().map(|scene| scene.author).collect();
        assert_eq!(authors.len(), 60, "everybody has something to say");
    }
}
