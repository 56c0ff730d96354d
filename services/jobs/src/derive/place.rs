//! The location of a posting in one line. For a remote posting, it contains 'remote'.

use crawler::text;

use super::words::Words;

const MAX_LOCATION: usize = 200;
const REMOTE: &[&str] = &["remote", "work from home", "anywhere", "telecommute", "fully distributed"];

/// Returns the location, and whether the work is remote.
pub fn location(places: &[String], stated_remote: bool, title: &Words) -> (Option<String>, bool) {
    let mut named: Vec<String> = Vec::new();
    for place in places {
        let place = text::line(place, MAX_LOCATION);
        if !place.is_empty() && !named.contains(&place) {
            named.push(place);
        }
    }
    let line = text::line(&named.join("; "), MAX_LOCATION);
    let remote = stated_remote || title.contains_any(REMOTE) || Words::of(&named).contains_any(REMOTE);
    match (remote, line.is_empty()) {
        (false, true) => (None, false),
        (false, false) => (Some(line), false),
        (true, true) => (Some("Remote".to_owned()), true),
        (true, false) if contains_remote(&line) => (Some(line), true),
        (true, false) => (Some(text::line(&format!("Remote ({line})"), MAX_LOCATION)), true),
    }
}

/// Whether 'remote' is a word for regular expressions of every locale: between ASCII characters that are not letters.
fn contains_remote(line: &str) -> bool {
    let apart = |c: Option<char>| c.is_none_or(|c| c.is_ascii() && !c.is_ascii_alphanumeric() && c != '_');
    let folded = line.to_ascii_lowercase();
    folded.match_indices("remote").any(|(at, _)| {
        let (before, behind) = folded.split_at(at);
        apart(before.chars().next_back()) && apart(behind.chars().nth("remote".len()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_location_of_a_remote_posting_contains_remote() {
        for (places, stated, title, expected) in [
            (&["Albany, NY"][..], false, "Clerk", (Some("Albany, NY"), false)),
            (&["Albany, NY", "Boston, MA", "Albany, NY"], false, "Clerk", (Some("Albany, NY; Boston, MA"), false)),
            (&["Albany, NY"], true, "Clerk", (Some("Remote (Albany, NY)"), true)),
            (&["Remote - US"], false, "Clerk", (Some("Remote - US"), true)),
            (&["US (REMOTE)"], true, "Clerk", (Some("US (REMOTE)"), true)),
            (&["Anywhere"], false, "Clerk", (Some("Remote (Anywhere)"), true)),
            (&["US_remote_east"], true, "Clerk", (Some("Remote (US_remote_east)"), true)),
            (&["Remoteville, OH"], false, "Clerk", (Some("Remoteville, OH"), false)),
            (&["United States"], false, "Remote Paralegal", (Some("Remote (United States)"), true)),
            (&[], true, "Clerk", (Some("Remote"), true)),
            (&[" ", ""], false, "Clerk", (None, false)),
        ] {
            let places: Vec<String> = places.iter().map(|place| (*place).to_owned()).collect();
            let (line, remote) = location(&places, stated, &Words::of(&[title]));
            assert_eq!((line.as_deref(), remote), expected, "{places:?} {stated} {title}");
        }
    }

    #[test]
    fn a_shortened_location_still_contains_remote() {
        let (line, remote) = location(&["x ".repeat(300)], true, &Words::of::<&str>(&[]));
        assert!(
            remote && line.is_some_and(|line| line.starts_with("Remote (") && line.chars().count() <= MAX_LOCATION)
        );
    }
}
