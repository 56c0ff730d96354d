//! Reads the demo's talks: who says what to whom, how long ago, and what of it nobody has read yet.

use anyhow::Context as _;
use chrono::TimeDelta;

const SCRIPT: &str = include_str!("talks.txt");

/// A conversation of two of the cast, by their numbers, from 1.
#[derive(Debug, PartialEq, Eq)]
pub struct Talk {
    /// The first of a request is who asks.
    pub members: [usize; 2],
    /// How long ago its last message was sent.
    pub ago: TimeDelta,
    /// How many of the last messages wait for the other.
    pub unread: usize,
    pub request: bool,
    /// Who of the two says what, in order.
    pub said: Vec<(usize, String)>,
}

/// All of them.
///
/// # Errors
/// Names the line that nobody says, or that does not say who talks.
pub fn read() -> anyhow::Result<Vec<Talk>> {
    parse(SCRIPT)
}

fn parse(script: &str) -> anyhow::Result<Vec<Talk>> {
    let mut talks: Vec<Talk> = Vec::new();
    let mut names = ["", ""];
    for line in script.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
        if let Some(head) = line.strip_prefix("== ") {
            let (talk, called) = begin(head).with_context(|| format!("{line:?} does not say who talks"))?;
            names = called;
            talks.push(talk);
            continue;
        }
        let said = line.split_once(": ").zip(talks.last_mut()).and_then(|((name, words), talk)| {
            let [one, other] = talk.members;
            let who = if name == names[0] { one } else { Some(other).filter(|_| name == names[1])? };
            talk.said.push((who, words.to_owned()));
            Some(())
        });
        said.with_context(|| format!("nobody says {line:?}"))?;
    }
    Ok(talks)
}

/// `1 Isabel, 2 Daniel | 25m | request, 1 unread`, and what the two are called.
fn begin(head: &str) -> Option<(Talk, [&str; 2])> {
    let mut parts = head.split(" | ");
    let (one, other) = parts.next()?.split_once(", ")?;
    let ((one, first), (other, second)) = (one.split_once(' ')?, other.split_once(' ')?);
    let ago = parts.next()?;
    let count: i64 = ago.get(..ago.len().checked_sub(1)?)?.parse().ok()?;
    let ago = match ago.chars().last()? {
        'm' => TimeDelta::minutes(count),
        'h' => TimeDelta::hours(count),
        'd' => TimeDelta::days(count),
        _ => return None,
    };
    let (mut unread, mut request) = (0, false);
    for special in parts.next().into_iter().flat_map(|special| special.split(", ")) {
        match special.strip_suffix(" unread") {
            Some(count) => unread = count.parse().ok()?,
            None if special == "request" => request = true,
            None => return None,
        }
    }
    let members = [one.parse().ok()?, other.parse().ok()?];
    Some((Talk { members, ago, unread, request, said: Vec::new() }, [first, second]))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use primitives::input::Text;

    use super::*;
    use crate::messages::send::LONGEST;

    #[test]
    fn a_talk_is_two_members_and_what_they_say() {
        let script = "# a remark\n== 1 Isabel, 36 Paolo | 2h | 1 unread\nPaolo: Tanong: kailan?\nIsabel: Bukas.\n\n\
            == 15 Noor, 1 Isabel | 3d | request\nNoor: Hello.\n";
        let talk = |members, ago, unread, request, said: &[(usize, &str)]| Talk {
            members,
            ago,
            unread,
            request,
            said: said.iter().map(|(who, words)| (*who, (*words).to_owned())).collect(),
        };
        let expected = [
            talk([1, 36], TimeDelta::hours(2), 1, false, &[(36, "Tanong: kailan?"), (1, "Bukas.")]),
            talk([15, 1], TimeDelta::days(3), 0, true, &[(15, "Hello.")]),
        ];
        assert_eq!(parse(script).unwrap(), expected);
    }

    #[test]
    fn what_nobody_says_is_refused() {
        for bad in ["Isabel: Hello.", "== 1 Isabel | 2h\n", "== 1 Isabel, 2 Daniel | 2y\n", "== a b, c d | 1h\n"] {
            assert!(parse(bad).is_err(), "{bad}");
        }
        for bad in ["Thea: Hello.", "Hello."] {
            assert!(parse(&format!("== 1 Isabel, 2 Daniel | 2h\n{bad}")).is_err(), "{bad}");
        }
    }

    #[test]
    fn the_talks_are_some_anybody_could_have() {
        let talks = read().unwrap();
        assert!((12..=15).contains(&talks.len()), "{}", talks.len());
        let pairs: HashSet<_> =
            talks.iter().map(|talk| talk.members.iter().min().zip(talk.members.iter().max())).collect();
        assert_eq!(pairs.len(), talks.len(), "one conversation a pair");
        let mut said = HashSet::new();
        for talk in &talks {
            let most = if talk.request { 1..=5 } else { 6..=15 };
            assert!(most.contains(&talk.said.len()), "{talk:?}");
            for (_, words) in &talk.said {
                assert!(Text::<LONGEST>::parse("content", words).is_ok(), "{words}");
                assert!(said.insert(words), "said twice: {words}");
            }
            let (waiting, rest) = (talk.said.iter().rev().take(talk.unread), talk.said.len() - talk.unread);
            let last = talk.said.last().unwrap().0;
            assert!(waiting.map(|(who, _)| who).all(|who| *who == last), "{talk:?}: one's own words are read");
            let asker = talk.members[0];
            assert!(!talk.request || (rest == 0 && talk.said.iter().all(|(who, _)| *who == asker)), "{talk:?}");
        }
        for sign_in in [1, 2] {
            let waits = |talk: &&Talk| talk.members.contains(&sign_in) && talk.said.last().unwrap().0 != sign_in;
            let waiting: Vec<&Talk> = talks.iter().filter(waits).filter(|talk| talk.unread > 0).collect();
            assert_eq!(waiting.iter().filter(|talk| talk.request).count(), 1, "{sign_in} has a request");
            assert!(waiting.len() >= 3, "{sign_in} has something to read");
        }
    }
}
