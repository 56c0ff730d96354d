//! Words that may not return: names and comments use the standard terms of the field.

use std::{fs, process::Command};

use anyhow::Result;

use super::Findings;
use crate::{command::output, workspace::Workspace};

/// A word, the term that replaces it, and where it counts.
struct Word {
    word: &'static str,
    instead: &'static str,
    place: Place,
}

/// Where a word is not allowed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Comments, documents, and as a part of identifiers, in any case. String texts may be for clients and are not read.
    Everywhere,
    /// A type, module or file of exactly this name: the word has other, ordinary uses.
    Identifier,
}

const fn word(word: &'static str, instead: &'static str) -> Word {
    Word { word, instead, place: Place::Everywhere }
}

const fn identifier(word: &'static str, instead: &'static str) -> Word {
    Word { word, instead, place: Place::Identifier }
}

/// | word | use instead |
const WORDS: [Word; 37] = [
    word("nobody", "no member, no caller, nothing"),
    word("somebody", "a member, a caller"),
    word("anybody", "any member, any caller"),
    word("everybody", "every member, all callers"),
    word("whoever", "the member, caller, viewer or author that"),
    word("whom", "that, or the name of the role"),
    word("neighbours", "upstreams"),
    word("newsroom", "NewsService"),
    identifier("Told", "Published"),
    identifier("Heard", "Delivery"),
    identifier("Teller", "Snapshotter"),
    identifier("Frame", "ServiceContext"),
    identifier("Soft", "Cache"),
    identifier("Lots", "Rng"),
    identifier("Deed", "NotificationTrigger or AdminAction"),
    identifier("Wish", "SearchQuery"),
    identifier("Hunt", "SearchExecutor"),
    identifier("Bell", "Notifier"),
    identifier("Talk", "Conversation"),
    identifier("Kept", "the stored type"),
    identifier("Unsaid", "the deleted type"),
    identifier("Doings", "Activity"),
    identifier("Thing", "SavedItemRef"),
    identifier("Which", "the query type, such as ListPostsQuery"),
    identifier("Asked", "the request type"),
    identifier("door", "router, server, or the name of the feature"),
    identifier("lots", "rng"),
    identifier("told", "published, or the name of the value"),
    identifier("Ties", "Relationships"),
    identifier("Scene", "Fixture"),
    identifier("scene", "fixture"),
    identifier("teller", "publisher"),
    identifier("bites", "batches"),
    identifier("glance", "get_once, or the verb of the API"),
    identifier("hear", "subscribe, or on_event"),
    identifier("hunt", "search"),
    identifier("wish", "query"),
];

/// Files that are read.
const EXTENSIONS: [&str; 13] =
    ["rs", "ts", "tsx", "mjs", "js", "css", "sql", "proto", "sh", "md", "toml", "yaml", "yml"];

/// Paths that are not read, each with the reason.
const EXEMPT: [(&str, &str); 9] = [
    ("deploy/xtask/src/check/vocabulary.rs", "contains the list"),
    ("web/src/locales/", "texts that members read"),
    ("web/src/api/schema.gen.ts", "generated"),
    ("web/e2e/SPEC.md", "sentences of the specification"),
    ("deploy/bench/src/world/words.rs", "words of generated posts"),
    (".snap", "bodies that clients see"),
    ("gateway/tests/it/snapshots/", "bodies that clients see"),
    ("/assets/", "demo data and vendored files"),
    ("/demo/", "texts that members read"),
];

/// Lines that may contain a word: path, part of the line, reason.
const ALLOWED: [(&str, &str, &str); 12] = [
    ("deploy/postgres/src/account.rs", "nobody", "the Unix user"),
    ("deploy/postgres/src/location.rs", "`nobody`", "the Unix user"),
    ("deploy/postgres/src/error.rs", "'nobody'", "the Unix user"),
    ("deploy/xtask/src/check/specification.rs", "| Kept. |", "a text of a test over two lines"),
    ("services/lib/crawler/src/feed/tests.rs", "Nobody objected", "the text of a feed"),
    ("gateway/src/edge/server/idle.rs", "Frame", "the type of http_body"),
    ("gateway/src/edge/unread_body.rs", "Frame", "the type of http_body"),
    ("services/lib/telemetry/src/grpc.rs", "Frame", "the type of http_body"),
    ("services/lib/telemetry/tests/it/trace.rs", "http_body::Frame", "the type of http_body"),
    ("web/src/app/member-controls.tsx", "Bell", "the icon of lucide"),
    ("web/src/features/resources/suggest-dialog.test.tsx", "Somebody looks at it", "a text that members read"),
    ("web/src/routes/notifications.tsx", "Bell", "the icon of lucide"),
];

pub(super) fn check(workspace: &Workspace) -> Result<Findings> {
    let mut list = Command::new("git");
    list.args(["ls-files", "--cached"]).current_dir(&workspace.root);
    let mut found = Findings::new();
    for path in output(&mut list)?.lines().filter(|path| is_read(path)) {
        // A deleted file stays in the index until the commit.
        let Ok(text) = fs::read_to_string(workspace.root.join(path)) else {
            continue;
        };
        found.extend(findings(path, &text));
    }
    Ok(found)
}

fn is_read(path: &str) -> bool {
    let extension = path.rsplit_once('.').map_or("", |(_, extension)| extension);
    EXTENSIONS.contains(&extension) && !EXEMPT.iter().any(|(part, _)| path.contains(part))
}

fn findings(path: &str, text: &str) -> Findings {
    let mut found = Findings::new();
    let stem = path.rsplit('/').next().and_then(|name| name.split('.').next()).unwrap_or_default();
    for rule in WORDS.iter().filter(|rule| rule.word.eq_ignore_ascii_case(stem)) {
        found.push(format!("{path}: the file is named '{stem}'; use {}", rule.instead));
    }
    let extension = path.rsplit_once('.').map_or("", |(_, extension)| extension);
    for (number, line) in (1..).zip(text.lines()) {
        if ALLOWED.iter().any(|(file, part, _)| *file == path && line.contains(part)) {
            continue;
        }
        let (code, comment) = split(line, extension);
        for rule in &WORDS {
            let is_name = identifiers(&code).any(|name| name == rule.word);
            let words = || identifiers(&code).chain(identifiers(comment)).flat_map(parts);
            if is_name || rule.place == Place::Everywhere && words().any(|part| part.eq_ignore_ascii_case(rule.word)) {
                found.push(format!("{path}:{number}: '{}'; use {}", rule.word, rule.instead));
            }
        }
    }
    found
}

/// The code of a line without its string texts, which clients may see, and the comment. A document is a comment.
fn split<'a>(line: &'a str, extension: &str) -> (String, &'a str) {
    let (marks, quotes): (&[&str], &[char]) = match extension {
        "md" => return (String::new(), line),
        "sql" => (&["--"], &['\'']),
        "sh" | "toml" | "yaml" | "yml" => (&["#"], &['"', '\'']),
        "rs" | "proto" => (&["//", "/*"], &['"']),
        _ => (&["//", "/*"], &['"', '\'', '`']),
    };
    if line.trim_start().starts_with("* ") {
        return (String::new(), line);
    }
    let mut code = String::new();
    let mut quote = None;
    let mut previous = ' ';
    for (at, letter) in line.char_indices() {
        let rest = line.get(at..).unwrap_or_default();
        match quote {
            None if marks.iter().any(|mark| rest.starts_with(mark)) => return (code, rest),
            // A quotation mark as a character of Rust begins no text.
            None if quotes.contains(&letter) && !(previous == '\'' && rest.starts_with("\"'")) => quote = Some(letter),
            None => code.push(letter),
            Some(open) if letter == open && previous != '\\' => quote = None,
            Some(_) => {}
        }
        previous = letter;
    }
    (code, "")
}

/// Runs of letters, digits and underscores.
fn identifiers(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|name| !name.is_empty())
}

/// The words of an identifier in any case: `readBy_nobodyElse` is read, By, nobody, Else.
fn parts(identifier: &str) -> impl Iterator<Item = &str> {
    identifier.split('_').flat_map(|part| {
        let mut starts: Vec<usize> = vec![0];
        let mut previous = 'A';
        for (at, letter) in part.char_indices() {
            if at > 0 && letter.is_uppercase() && !previous.is_uppercase() {
                starts.push(at);
            }
            previous = letter;
        }
        starts.push(part.len());
        let bounds = starts.clone().into_iter().zip(starts.into_iter().skip(1));
        bounds.filter_map(|(start, end)| part.get(start..end)).collect::<Vec<_>>()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_in_comments_and_within_identifiers() {
        let lines = [
            "call('it'); // Nobody's business.",
            "fn for_nobody() {}",
            "class ForNobody {}",
            "const byNobodyElse = 1;",
        ];
        for line in lines {
            let expected = ["web/src/app.ts:1: 'nobody'; use no member, no caller, nothing"];
            assert_eq!(findings("web/src/app.ts", line), expected, "{line}");
        }
        assert!(findings("README.md", "It is said to whoever asks.").len() == 1);
    }

    #[test]
    fn ordinary_words_count_only_as_names() {
        assert_eq!(findings("gateway/src/lib.rs", "let door = start();").len(), 1);
        assert_eq!(findings("services/feed/src/a.rs", "struct Told(u64);").len(), 1);
        let harmless =
            ["// The frame of a picture; lots of rows.", "let text = \"Which door?\";", "let frame_rate = 1;"];
        for line in harmless {
            assert_eq!(findings("services/feed/src/a.rs", line), Vec::<String>::new(), "{line}");
        }
        assert_eq!(findings("README.md", "Which of the two is told"), Vec::<String>::new());
    }

    #[test]
    fn file_names_count() {
        let expected =
            ["services/auth/src/door.rs: the file is named 'door'; use router, server, or the name of the feature"];
        assert_eq!(findings("services/auth/src/door.rs", ""), expected);
    }

    #[test]
    fn texts_for_members_and_generated_files_are_not_read() {
        assert!(is_read("services/feed/src/lib.rs") && is_read("deploy/README.md"));
        assert!(!is_read("web/src/locales/en/landing.json"));
        assert!(!is_read("web/src/locales/en/landing.ts"));
        assert!(!is_read("web/src/api/schema.gen.ts"));
        assert!(!is_read("web/package-lock.json"));
    }
}
