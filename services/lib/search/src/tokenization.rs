//! Tokenization: words are runs of letters and digits, in lower case and without accents; and their edit distance.
//!
//! Two kinds of texts have words that spaces do not show:
//!
//! - **Abbreviations with stops** (`R.A.`, `LL. M.`, `M.Phil.`, `410 F.3d`) are one word, so that both spellings are found by
//!   both. A document also has their parts, because `J. R. Reyes` may be typed with spaces. In a query, initials that may stand
//!   for a whole name stay apart.
//! - **Scripts without spaces** (Chinese, Japanese, Thai, Lao, Khmer, Burmese) have a word for each two adjacent letters. A
//!   document also has the single letters; a query has one only if it stands alone.

mod abbreviations;

use std::mem;

use unicode_normalization::{UnicodeNormalization as _, char::is_combining_mark};
use unicode_script::{Script, UnicodeScript as _};

use abbreviations::{Glue, Part};

/// The longest indexed word in characters. A longer one is truncated.
const MAX_LENGTH: usize = 40;
/// From this length on, two edits are accepted.
const LONG: usize = 8;

/// Returns the words of a document in order, with duplicates.
pub fn tokenize(text: &str) -> Vec<String> {
    Words::of(text, true)
}

/// Returns the words that a query requires, in order, with duplicates.
pub fn tokenize_query(text: &str) -> Vec<String> {
    Words::of(text, false)
}

/// Whether a word is of a script without spaces: one or two letters of a longer text.
pub fn is_gram(word: &str) -> bool {
    word.chars().next().is_some_and(is_unspaced)
}

/// Letters of scripts that write no space between words.
fn is_unspaced(c: char) -> bool {
    use Script::{Bopomofo, Han, Hiragana, Katakana, Khmer, Lao, Myanmar, Thai};
    // The extension includes the marks of length and repetition that scripts share.
    let scripts = c.script_extension();
    !c.is_ascii()
        && !c.is_numeric()
        && !scripts.is_common()
        && [Han, Hiragana, Katakana, Bopomofo, Thai, Lao, Khmer, Myanmar]
            .into_iter()
            .any(|one| scripts.contains_script(one))
}

struct Words {
    of_document: bool,
    words: Vec<String>,
    /// The words since the last character that is neither part of a word, nor a single stop between two, nor a space behind it.
    chain: Vec<Part>,
}

impl Words {
    fn of(text: &str, of_document: bool) -> Vec<String> {
        let mut words = Self { of_document, words: Vec::new(), chain: Vec::new() };
        let mut word = String::new();
        let mut run: Vec<char> = Vec::new();
        let mut letters = 0;
        let mut follows_stop = false;
        for c in text.nfkd().filter(|c| !is_combining_mark(*c)).flat_map(char::to_lowercase) {
            if c.is_alphanumeric() {
                if is_unspaced(c) {
                    words.end_word(&mut word);
                    words.end_chain();
                    run.push(c);
                } else {
                    words.end_run(&mut run);
                    if word.is_empty() {
                        letters = 0;
                    }
                    if letters < MAX_LENGTH {
                        push_plain(c, &mut word);
                        letters += 1;
                    }
                }
                follows_stop = false;
            } else {
                words.end_run(&mut run);
                words.end_word(&mut word);
                match c {
                    '.' if !follows_stop => words.glue(Glue::Stop),
                    ' ' if follows_stop => words.glue(Glue::StopAndSpace),
                    _ => words.end_chain(),
                }
                follows_stop = c == '.';
            }
        }
        words.end_run(&mut run);
        words.end_word(&mut word);
        words.end_chain();
        words.words
    }

    fn end_word(&mut self, word: &mut String) {
        if !word.is_empty() {
            self.chain.push(Part { word: mem::take(word), glue: Glue::None });
        }
    }

    /// Notes what follows the last word.
    fn glue(&mut self, glue: Glue) {
        if let Some(last) = self.chain.last_mut() {
            last.glue = glue;
        }
    }

    /// Takes the words of the chain.
    fn end_chain(&mut self) {
        let mut chain = mem::take(&mut self.chain);
        let Some(last) = chain.last_mut() else { return };
        if last.glue != Glue::None {
            last.glue = Glue::FinalStop;
        }
        if self.of_document {
            abbreviations::of_document(chain, &mut self.words);
        } else {
            let is_first = self.words.iter().all(|word| word.chars().all(char::is_numeric));
            abbreviations::of_query(&chain, is_first, &mut self.words);
        }
    }

    /// Takes the pairs of adjacent letters of a script without spaces, and the single letters.
    fn end_run(&mut self, run: &mut Vec<char>) {
        for pair in run.windows(2) {
            self.words.push(pair.iter().collect());
        }
        if self.of_document || run.len() == 1 {
            self.words.extend(run.iter().map(char::to_string));
        }
        run.clear();
    }
}

/// Replaces letters without a decomposition by their common transcription.
fn push_plain(c: char, word: &mut String) {
    match c {
        'ß' => word.push_str("ss"),
        'æ' => word.push_str("ae"),
        'œ' => word.push_str("oe"),
        'ø' => word.push('o'),
        'đ' | 'ð' => word.push('d'),
        'ł' => word.push('l'),
        'þ' => word.push_str("th"),
        'ı' => word.push('i'),
        c => word.push(c),
    }
}

/// The number of insertions, deletions, substitutions and swaps of adjacent letters. `None` above the accepted number: one,
/// or two in a long word.
pub fn edit_distance(typed: &str, meant: &str) -> Option<usize> {
    let (typed, meant): (Vec<char>, Vec<char>) = (typed.chars().collect(), meant.chars().collect());
    let most = if typed.len() < LONG { 1 } else { 2 };
    if typed.len().abs_diff(meant.len()) > most {
        return None;
    }
    let mut before: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=meant.len()).collect();
    for (i, t) in typed.iter().enumerate() {
        let mut row = Vec::with_capacity(above.len());
        row.push(i + 1);
        for (j, m) in meant.iter().enumerate() {
            let at = |row: &[usize], j: usize| row.get(j).copied().unwrap_or(usize::MAX - 1);
            let mut least = (at(&above, j) + usize::from(t != m)).min(at(&above, j + 1) + 1).min(at(&row, j) + 1);
            let swapped = i > 0 && j > 0 && typed.get(i - 1) == Some(m) && meant.get(j - 1) == Some(t);
            if swapped {
                least = least.min(at(&before, j - 1) + 1);
            }
            row.push(least);
        }
        before = mem::replace(&mut above, row);
    }
    above.last().copied().filter(|distance| *distance <= most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_in_lower_case_and_without_accents() {
        for (text, expected) in [
            ("José Núñez-Ångström", vec!["jose", "nunez", "angstrom"]),
            ("isabel.reyes@up.edu", vec!["isabel", "reyes", "up", "edu"]),
            ("O\u{2019}Brien \u{ab}Straße\u{bb} № 5", vec!["o", "brien", "strasse", "no", "5"]),
            ("  \u{200b} !? ", vec![]),
            ("ｆｕｌｌ ﬁle", vec!["full", "file"]),
            ("право law 2024-25", vec!["право", "law", "2024", "25"]),
        ] {
            assert_eq!(tokenize(text), expected, "{text}");
            assert_eq!(tokenize_query(text), expected, "{text}");
        }
    }

    #[test]
    fn a_long_word_is_truncated() {
        assert_eq!(tokenize(&"a".repeat(5_000)), ["a".repeat(MAX_LENGTH)]);
        assert_eq!(tokenize(&"ß".repeat(5_000)), ["s".repeat(2 * MAX_LENGTH)]);
        assert_eq!(tokenize_query(&"a.".repeat(5_000)), ["a".repeat(MAX_LENGTH)]);
    }

    #[test]
    fn abbreviations_are_found_with_and_without_stops() {
        for (with, without) in [
            ("R.A. 10173", "RA 10173"),
            ("r.a.10173", "ra 10173"),
            ("G.R. No. 225442", "GR No. 225442"),
            ("G.R.No.225442", "GR No 225442"),
            ("LL.M.", "LLM"),
            ("(LL.B.)", "LLB"),
            ("a Ph.D. in law", "a PhD in law"),
            ("J.D.", "JD"),
            ("S.J.D.", "SJD"),
            ("M.Sc.", "MSc"),
            ("U.S. v. Reyes", "US v. Reyes"),
            ("410 U.S. 113", "410 US 113"),
            ("U.S.C.", "usc"),
            ("140 S.Ct. 1731", "140 SCt 1731"),
            ("12 F.3d 1", "12 F3d 1"),
            ("5 L.Ed.2d 1", "5 LEd2d 1"),
            ("Ñ.A.", "ÑA"),
            ("5 p.m.", "5 pm"),
            ("Г.К. РФ", "ГК РФ"),
            ("Ｒ．Ａ．", "RA"),
            ("M.Phil.", "MPhil"),
            ("an M.Phil in law", "an MPhil in law"),
            ("(D.Phil.)", "DPhil"),
            ("B.Com.", "BCom"),
            ("D.Litt. 1999", "DLitt 1999"),
            ("M.Pharm.", "MPharm"),
            ("Psy.D.", "PsyD"),
            ("9 So.2d 1", "9 So2d 1"),
            ("9 F.Supp.2d 1", "9 FSupp2d 1"),
            ("9 F.Supp. 1", "9 FSupp 1"),
            ("9 Cal.App.4th 1", "9 CalApp4th 1"),
            ("9 Wash.2d 1", "9 Wash2d 1"),
            ("9 N.Y.S.2d 1", "9 NYS2d 1"),
            ("12 S.C.R.A. 5", "12 SCRA 5"),
            ("U.S.v.Reyes", "US v Reyes"),
            ("C.V.", "CV"),
            ("Atty. Reyes", "Atty Reyes"),
        ] {
            let (both, plain) = (tokenize_query(with), tokenize_query(without));
            assert_eq!(both, plain, "{with}");
            let has_all = |document: &str| both.iter().all(|word| tokenize(document).contains(word));
            assert!(has_all(with) && has_all(without), "{with}");
        }
    }

    #[test]
    fn abbreviations_are_found_with_and_without_spaces() {
        for (spaced, stops, plain) in [
            ("LL. M. in taxation", "LL.M. in taxation", "LLM in taxation"),
            ("a Ph. D. in law", "a Ph.D. in law", "a PhD in law"),
            ("M. Phil.", "M.Phil.", "MPhil"),
            ("B. Com.", "B.Com.", "BCom"),
            ("J. D.", "J.D.", "JD"),
            ("S. J. D.", "S.J.D.", "SJD"),
            ("S. C. R. A.", "S.C.R.A.", "SCRA"),
            ("under R. A. 10173", "under R.A. 10173", "under RA 10173"),
            ("in G. R. No. 225442", "in G.R. No. 225442", "in GR No 225442"),
            ("410 U. S. 113", "410 U.S. 113", "410 US 113"),
            ("U. S. v. Reyes", "U.S. v. Reyes", "US v Reyes"),
            ("9 S. Ct. 1", "9 S.Ct. 1", "9 SCt 1"),
            ("9 F. 3d 1", "9 F.3d 1", "9 F3d 1"),
            ("9 So. 2d 1", "9 So.2d 1", "9 So2d 1"),
            ("9 L. Ed. 2d 1", "9 L.Ed.2d 1", "9 LEd2d 1"),
            ("9 F. Supp. 2d 1", "9 F.Supp.2d 1", "9 FSupp2d 1"),
            ("9 F. Supp. 1", "9 F.Supp. 1", "9 FSupp 1"),
            ("9 Cal. App. 4th 1", "9 Cal.App.4th 1", "9 CalApp4th 1"),
            ("9 N. Y. S. 2d 1", "9 N.Y.S.2d 1", "9 NYS2d 1"),
        ] {
            let forms = [spaced, stops, plain];
            for (query, document) in forms.iter().flat_map(|query| forms.map(|document| (query, document))) {
                let known = tokenize(document);
                let missing: Vec<_> = tokenize_query(query).into_iter().filter(|word| !known.contains(word)).collect();
                assert!(missing.is_empty(), "{query} in {document}: {missing:?}");
            }
        }
    }

    #[test]
    fn names_and_sentences_are_no_abbreviations() {
        for (query, document) in [
            ("J. R. Santos", "Jos\u{e9} Rizal: J. Santos R."),
            ("Reyes, J. D.", "J. P. D. Reyes"),
            ("Ma. L. Santos", "Ma. Luz L. Santos"),
            ("M. Cruz", "M. A. Cruz"),
            ("J.Cruz", "J. R. Cruz"),
            ("U.P.Law", "UP Law"),
            ("up law", "U.P.Law."),
            ("JP Cruz", "J.P.Cruz"),
            ("JP", "Ma. J.P. Cruz"),
            ("PhD", "Cruz, Ma. Ph. D."),
            ("the court the", "of the court.The"),
            ("the court.The law", "law: of the court. The"),
            ("plan B. It works", "works it plan b"),
            ("x.com", "www.x.com/law"),
            ("Fed.R.Civ.P. 12", "Fed. R. Civ. P. 12"),
            ("Fed R Civ P", "Fed.R.Civ.P. 12"),
        ] {
            let known = tokenize(document);
            let missing: Vec<_> = tokenize_query(query).into_iter().filter(|word| !known.contains(word)).collect();
            assert!(missing.is_empty(), "{query} in {document}: {missing:?}");
        }
    }

    #[test]
    fn every_text_is_found_by_itself() {
        const WORDS: [&str; 7] = ["a", "v", "ph", "no", "2d", "phil", "cruz"];
        const BETWEEN: [&str; 3] = [".", ". ", " "];
        let ends = || WORDS.iter().flat_map(|word| BETWEEN.map(|between| format!("{word}{between}")));
        for text in ends().flat_map(|one| ends().map(move |two| one.clone() + &two)) {
            for text in ends().map(|three| text.clone() + &three) {
                let (query, document) = (tokenize_query(&text), tokenize(&text));
                assert!(query.iter().all(|word| document.contains(word)), "{text}: {query:?} {document:?}");
            }
        }
    }

    #[test]
    fn other_stops_separate_words() {
        for (text, expected) in [
            ("up.edu.ph", vec!["up", "edu", "ph"]),
            ("up.edu", vec!["up", "edu"]),
            ("x.com", vec!["x", "com"]),
            ("I chose plan B. A new day", vec!["i", "chose", "plan", "b", "a", "new", "day"]),
            ("We won.A new day", vec!["we", "won", "a", "new", "day"]),
            ("He left U.P. The end", vec!["he", "left", "up", "the", "end"]),
            ("a..b", vec!["a", "b"]),
            ("A. B. Cruz", vec!["a", "b", "cruz"]),
            ("J.Cruz", vec!["j", "cruz"]),
            ("J.P.Rizal", vec!["jp", "rizal"]),
            ("3.14 1.a", vec!["3", "14", "1", "a"]),
            ("isa.go.up", vec!["isa", "go", "up"]),
            ("No.5 Mr.Go", vec!["no", "5", "mr", "go"]),
            ("...a.", vec!["a"]),
        ] {
            assert_eq!(tokenize_query(text), expected, "{text}");
        }
    }

    #[test]
    fn a_document_also_has_the_parts_of_an_abbreviation() {
        assert_eq!(tokenize("J.R. Reyes"), ["jr", "j", "r", "reyes"]);
        assert_eq!(tokenize("LL.M."), ["llm", "ll", "m"]);
    }

    #[test]
    fn initials_of_a_document_may_have_spaces() {
        for (text, expected) in [
            ("J. R. Santos", vec!["jr", "j", "r", "santos"]),
            ("under R. A. No. 10173", vec!["under", "ra", "r", "a", "no", "10173"]),
            ("S. J. D.", vec!["sjd", "s", "j", "d"]),
            ("U. S. v. Reyes", vec!["us", "u", "s", "v", "reyes"]),
            ("U.S. v. Reyes", vec!["us", "u", "s", "v", "reyes"]),
            ("plan B. A new day", vec!["plan", "b", "a", "new", "day"]),
            ("plan B.\nA. Cruz", vec!["plan", "b", "a", "cruz"]),
            ("J.  R. Santos", vec!["j", "r", "santos"]),
            ("5. 6. 7.", vec!["5", "6", "7"]),
            ("A. 法律", vec!["a", "法律", "法", "律"]),
        ] {
            assert_eq!(tokenize(text), expected, "{text}");
        }
        assert_eq!(tokenize_query("J. R. Santos"), ["j", "r", "santos"], "of José Rizal Santos");
    }

    #[test]
    fn every_part_of_a_text_without_spaces_is_found() {
        for text in [
            "昨日最高裁判所は違憲判決を出した",
            "李小明",
            "ศาลรัฐธรรมนูญวินิจฉัย",
            "スーパーマーケット",
            "人々",
            "ສານປະຊາຊົນ",
            "តុលាការកំពូល",
            "တရားရုံးချုပ်",
            "𠮷野家",
        ] {
            let (document, letters) = (tokenize(text), text.chars().collect::<Vec<char>>());
            for start in 0..letters.len() {
                for end in start + 1..=letters.len() {
                    let part: String = letters[start..end].iter().collect();
                    let missing: Vec<_> =
                        tokenize_query(&part).into_iter().filter(|word| !document.contains(word)).collect();
                    assert!(missing.is_empty(), "{text} {part} {missing:?}");
                }
            }
        }
        assert_eq!(tokenize_query("小明"), ["小明"]);
        assert_eq!(tokenize_query("明"), ["明"]);
        assert_eq!(tokenize_query("最高裁"), ["最高", "高裁"]);
        assert_eq!(tokenize("法律"), ["法律", "法", "律"]);
    }

    #[test]
    fn scripts_with_spaces_keep_their_words() {
        assert_eq!(
            tokenize("第3条 iPhone用 헌법재판소"),
            ["第", "3", "条", "iphone", "用", tokenize("헌법재판소")[0].as_str()]
        );
        assert_eq!(tokenize("право हिन्दी ２０２４ ๒๕๖๐").len(), 4);
        assert!(is_gram("法") && is_gram("กข") && !is_gram("law") && !is_gram("5") && !is_gram(""));
    }

    #[test]
    fn the_edit_distance_is_limited_by_the_length_of_the_word() {
        for (typed, meant, expected) in [
            ("isabl", "isabel", Some(1)),
            ("reys", "reyes", Some(1)),
            ("reeys", "reyes", Some(1)),
            ("isobel", "isabel", Some(1)),
            ("isabell", "isabel", Some(1)),
            ("isbl", "isabel", None),
            ("litigatoin", "litigation", Some(1)),
            ("constituional", "constitutional", Some(1)),
            ("jurisprudance", "jurisprudence", Some(1)),
            ("jurispudance", "jurisprudence", Some(2)),
            ("law", "law", Some(0)),
            ("", "a", Some(1)),
        ] {
            assert_eq!(edit_distance(typed, meant), expected, "{typed} {meant}");
        }
    }
}
