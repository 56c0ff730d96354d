//! The rows of the matrix, one line each: method, path, the status for each caller, and the body.

/// The callers, in the order of the columns.
pub const CALLERS: [&str; 10] = [
    "visitor",
    "member",
    "other",
    "blocked",
    "blocker",
    "banned",
    "suspended",
    "moderator",
    "community_moderator",
    "owner",
];

/// The tables beside this file. The rows of the last one end the sessions of the callers.
const TABLES: [&str; 8] =
    ["account", "feed", "network", "communities", "messages", "screens", "moderation", "sessions"];

/// The lines of a file beside this one, without comments.
pub fn lines(name: &str) -> Vec<String> {
    let path = format!("{}/tests/it/matrix/{name}.txt", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).map(str::to_owned).collect()
}

/// One operation with the entities of the owner.
#[derive(Clone)]
pub struct Row {
    pub method: String,
    /// The path with named entities: `/api/posts/{id=post}`. A name with `*` is created anew for a caller who is admitted.
    pub path: String,
    pub statuses: [u16; CALLERS.len()],
    /// JSON, or the name of a file.
    pub body: String,
}

impl Row {
    fn parse(line: &str) -> Self {
        let mut parts = line.split_whitespace();
        let (method, path) = (parts.next().unwrap().to_owned(), parts.next().unwrap().to_owned());
        let statuses = std::array::from_fn(|_| parts.next().unwrap().parse().unwrap());
        let body =
            parts.next().map_or("", |start| &line[start.as_ptr() as usize - line.as_ptr() as usize..]).to_owned();
        Self { method, path, statuses, body }
    }

    /// The path of the document, without names of entities and the query.
    pub fn route(&self) -> String {
        let path = self.path.split('?').next().unwrap();
        let mut route = String::new();
        for part in path.split('/').skip(1) {
            route.push('/');
            match part.split_once('=') {
                Some((parameter, _)) => route.extend([parameter, "}"]),
                None => route.push_str(part),
            }
        }
        route
    }

    pub fn is_read(&self) -> bool {
        self.method == "get"
    }
}

/// Returns all rows, reads first, so that they do not see the changes of later rows.
pub fn rows() -> Vec<Row> {
    let rows = TABLES.iter().flat_map(|name| lines(name)).map(|line| Row::parse(&line));
    let (reads, writes): (Vec<_>, Vec<_>) = rows.partition(Row::is_read);
    [reads, writes].concat()
}
