//! The words of texts, for matching terms.

/// Words in lower case, each between two spaces.
pub struct Words(String);

impl Words {
    /// The words of several texts; a term never matches across two texts.
    pub fn of<S: AsRef<str>>(texts: &[S]) -> Self {
        let mut words = String::from(" ");
        for text in texts {
            for c in text.as_ref().chars() {
                if c.is_alphanumeric() {
                    words.extend(c.to_lowercase());
                } else if !words.ends_with(' ') && !matches!(c, '\'' | '\u{2019}') {
                    words.push(' ');
                }
            }
            words.push_str(" | ");
        }
        Self(words)
    }

    /// Whether a term occurs.
    pub fn contains_any(&self, terms: &[&str]) -> bool {
        terms.iter().any(|term| self.places(term).next().is_some())
    }

    /// The number of occurrences of all terms.
    pub fn count(&self, terms: &[&str]) -> usize {
        terms.iter().map(|term| self.places(term).count()).sum()
    }

    fn places<'a>(&'a self, term: &'a str) -> impl Iterator<Item = usize> + 'a {
        self.0.match_indices(term).map(|(at, _)| at).filter(move |at| {
            let (before, behind) = self.0.split_at(*at);
            before.ends_with(' ') && behind.get(term.len()..).is_some_and(|rest| rest.starts_with(' '))
        })
    }

    /// The least number of years before 'years .. experience', as in '3+ years of experience' or '3 to 5 years'.
    pub fn years(&self) -> Option<u32> {
        let words: Vec<&str> = self.0.split(' ').filter(|word| !word.is_empty()).collect();
        let years = words.iter().enumerate().filter(|(at, word)| {
            let after = words.iter().skip(at + 1).take(8);
            matches!(**word, "year" | "years" | "yrs")
                && after.clone().any(|word| matches!(*word, "experience" | "practice"))
        });
        years.filter_map(|(at, _)| first_number(words.get(at.saturating_sub(3)..at)?)).min()
    }
}

/// The first number of '3', '3 5', '3 to 5' right before 'years'.
fn first_number(before: &[&str]) -> Option<u32> {
    let mut found = None;
    for word in before.iter().rev() {
        match number(word) {
            Some(number) => found = Some(number),
            None if matches!(*word, "to" | "or" | "and" | "plus" | "more") => {}
            None => break,
        }
    }
    found.filter(|years| *years <= 40)
}

fn number(word: &str) -> Option<u32> {
    const WRITTEN: [&str; 11] = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
    let written = WRITTEN.iter().position(|written| *written == word).and_then(|n| u32::try_from(n).ok());
    written.or_else(|| word.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_are_whole_words_in_any_case_whatever_is_between_them() {
        let words = Words::of(&["Part-time LAW CLERK (Attorney's office)"]);
        assert!(
            words.contains_any(&["part time"])
                && words.contains_any(&["law clerk"])
                && words.contains_any(&["attorneys office"])
        );
        for term in ["clerk attorney office", "torney", "art time", "law", "time law clerk attorneys off"] {
            assert_eq!(words.contains_any(&[term]), term == "law", "{term}");
        }
        assert!(!Words::of(&["law", "clerk"]).contains_any(&["law clerk"]), "not from one text into the next");
        assert!(!Words::of(&["Flawless outlaw lawn"]).contains_any(&["law"]));
        assert!(!Words::of::<&str>(&[]).contains_any(&["law"]));
    }

    #[test]
    fn terms_are_counted() {
        assert_eq!(Words::of(&["trial, trial; trials and retrial"]).count(&["trial", "trials"]), 3);
    }

    #[test]
    fn years_of_experience_are_the_least_asked_for() {
        for (text, years) in [
            ("3+ years of experience", Some(3)),
            ("at least 5-7 years of relevant experience", Some(5)),
            ("2 to 4 years of litigation experience", Some(2)),
            ("seven or more years of practice", Some(7)),
            ("seven years of practice", Some(7)),
            ("10 years of experience, or 6 years of in-house practice", Some(6)),
            ("a two-year fellowship", None),
            ("founded 40 years ago", None),
            ("more than 100 years of experience as a firm", None),
            ("", None),
        ] {
            assert_eq!(Words::of(&[text]).years(), years, "{text}");
        }
    }
}
