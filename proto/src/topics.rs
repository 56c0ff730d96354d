//! Topics in texts of feed: `#` and a name of letters, digits and `_`, compared without case.

use std::ops::RangeInclusive;

/// The length of a topic without its `#`, in characters.
const LENGTH: RangeInclusive<usize> = 2..=50;

/// The form in which topics are compared: lower case. `None` if the text is no topic.
#[must_use]
pub fn parse(raw: &str) -> Option<String> {
    let is_topic = LENGTH.contains(&raw.chars().count()) && raw.chars().all(is_topic_character);
    // The lower case of some letters ends with a mark, which is no letter.
    is_topic.then(|| raw.to_lowercase().chars().filter(|c| is_topic_character(*c)).collect())
}

/// The topics of a text in lower case, each once, in its order. Addresses contain none.
pub fn topics_in(text: &str) -> impl Iterator<Item = String> {
    let words = text.split_whitespace().filter(|word| !word.contains("://") && !word.starts_with("www."));
    words.flat_map(|word| {
        word.match_indices('#').filter_map(|(at, _)| {
            let before = word.get(..at)?.chars().next_back();
            if before.is_some_and(|c| is_topic_character(c) || matches!(c, '#' | '&' | '/')) {
                return None;
            }
            let after = word.get(at + 1..)?;
            let end = after.find(|c| !is_topic_character(c)).unwrap_or(after.len());
            parse(after.get(..end)?)
        })
    })
}

fn is_topic_character(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<String> {
        topics_in(text).collect()
    }

    #[test]
    fn topics_are_found_in_lower_case() {
        assert_eq!(found("For #BarExam_2027, see #Piñas! (#moot) #法律"), ["barexam_2027", "piñas", "moot", "法律"]);
        assert_eq!(found("#ΟΔΟΣ #İstanbul #CIVPRO-1"), ["οδος", "istanbul", "civpro"]);
        assert_eq!(found(&format!("#{} #{}", "a".repeat(50), "a".repeat(51))), ["a".repeat(50)]);
    }

    #[test]
    fn other_signs_are_text() {
        for text in [
            "#",
            "# Heading",
            "#a",
            "##moot",
            "a#moot",
            "&#39;",
            "/#moot",
            "https://a.example/?q#moot",
            "www.a.example#moot",
            "(https://a.example/,#moot)",
            "#-moot",
        ] {
            assert_eq!(found(text), Vec::<String>::new(), "{text}");
        }
        for raw in ["", "a", "a b", "#moot", "moot!", "moot\0", "\u{307}\u{307}"] {
            assert_eq!(parse(raw), None, "{raw:?}");
        }
    }
}
