//! Changes of files that are saved together, or not at all when a place is not found.

use std::{
    collections::{BTreeMap, btree_map::Entry},
    fs,
    path::Path,
};

use anyhow::{Context, Result, ensure};

/// The changed texts by path from the root.
pub(super) struct Edits<'a> {
    root: &'a Path,
    texts: BTreeMap<String, String>,
}

impl<'a> Edits<'a> {
    pub(super) const fn of(root: &'a Path) -> Self {
        Self { root, texts: BTreeMap::new() }
    }

    /// Writes the files, and returns their paths.
    pub(super) fn save(self) -> Result<Vec<String>> {
        for (path, text) in &self.texts {
            fs::write(self.root.join(path), text).with_context(|| path.clone())?;
        }
        Ok(self.texts.into_keys().collect())
    }

    pub(super) fn has(&self, path: &str) -> bool {
        self.texts.contains_key(path) || self.root.join(path).is_file()
    }

    pub(super) fn create(&mut self, path: &str, text: &str) -> Result<()> {
        ensure!(!self.has(path), "{path} exists");
        self.texts.insert(path.to_owned(), text.to_owned());
        Ok(())
    }

    pub(super) fn append(&mut self, path: &str, text: &str) -> Result<()> {
        self.text(path)?.push_str(text);
        Ok(())
    }

    /// Inserts lines at the end of the block that begins with `begin` and ends before the next `end`, which begins with a new line.
    pub(super) fn insert_at_end_of(&mut self, path: &str, begin: &str, end: &str, lines: &str) -> Result<()> {
        let (_, at) = self.block(path, begin, end)?;
        self.text(path)?.insert_str(at + 1, lines);
        Ok(())
    }

    /// Inserts lines before the line that begins with `anchor`.
    pub(super) fn insert_before(&mut self, path: &str, anchor: &str, lines: &str) -> Result<()> {
        let text = self.text(path)?;
        let at = text.find(&format!("\n{anchor}")).with_context(|| format!("{path} has no line `{anchor}`"))?;
        text.insert_str(at + 1, lines);
        Ok(())
    }

    /// Inserts lines after the last line that begins with one of `anchors`.
    pub(super) fn insert_after_last(&mut self, path: &str, anchors: &[String], lines: &str) -> Result<()> {
        let text = self.text(path)?;
        let at = anchors.iter().filter_map(|anchor| text.rfind(anchor)).max();
        let at = at.with_context(|| format!("{path} has no line `{}`", anchors.join("` or `")))?;
        let end = text.get(at..).and_then(|rest| rest.find('\n')).map_or(text.len(), |length| at + length + 1);
        text.insert_str(end, lines);
        Ok(())
    }

    /// Inserts an RPC after the last of `methods` in a contract, or at the end of the service when there is none.
    pub(super) fn insert_after_rpcs(&mut self, path: &str, methods: &[String], rpc: &str) -> Result<()> {
        let text = self.text(path)?;
        let begins = methods.iter().filter_map(|method| text.find(&format!("  rpc {}(", pascal_case(method))));
        let Some(begin) = begins.max() else {
            return self.insert_at_end_of(path, "\nservice ", "\n}\n", rpc);
        };
        let rest = text.get(begin..).unwrap_or_default();
        let first = rest.find('\n').with_context(|| format!("{path} ends in an RPC"))?;
        let has_options = rest.get(..first).is_some_and(|line| line.ends_with('{'));
        let length = if has_options { rest.find("\n  }\n").map(|end| end + 5) } else { Some(first + 1) };
        let length = length.with_context(|| format!("the options of an RPC in {path} have no end"))?;
        text.insert_str(begin + length, rpc);
        Ok(())
    }

    /// Returns the methods that the first list of RPCs leaves to the functions of a feature.
    pub(super) fn methods_of(&mut self, list: &str, feature: &str) -> Result<Vec<String>> {
        let (begin, end) = self.block(list, "messages of pb {", "\n    }\n")?;
        let mark = format!(" => {feature}::");
        let lines = self.text(list)?.get(begin..end).unwrap_or_default().lines();
        Ok(lines.filter_map(|line| Some(line.split_once(&mark)?.0.trim().to_owned())).collect())
    }

    pub(super) fn contains(&mut self, path: &str, wanted: &str) -> bool {
        self.text(path).is_ok_and(|text| text.contains(wanted))
    }

    /// Inserts a line before each line that contains `anchor`, as far from the margin.
    pub(super) fn insert_beside(&mut self, path: &str, anchor: &str, line: &str) -> Result<()> {
        let text = self.text(path)?;
        ensure!(text.contains(anchor), "{path} has no line with `{anchor}`");
        let with = |each: &str| {
            let margin: String = each.chars().take_while(|letter| *letter == ' ').collect();
            if each.contains(anchor) { format!("{margin}{line}{each}") } else { each.to_owned() }
        };
        *text = text.split_inclusive('\n').map(with).collect();
        Ok(())
    }

    /// Returns what stands between `before` and the next `after`, in the line after the first list of RPCs begins.
    pub(super) fn word_after(&mut self, path: &str, before: &str, after: &str) -> Result<String> {
        let (begin, _) = self.block(path, "rpc::forward! {", "\n    }\n")?;
        let rest = self.text(path)?.get(begin..).unwrap_or_default();
        let (_, rest) = rest.split_once(before).with_context(|| format!("{path} has no `{before}`"))?;
        let (word, _) = rest.split_once(after).with_context(|| format!("{path} has no `{after}`"))?;
        Ok(word.to_owned())
    }

    /// Returns the greatest `= number;` of a block.
    pub(super) fn greatest_number_in(&mut self, path: &str, begin: &str, end: &str) -> Result<u32> {
        let (begin, end) = self.block(path, begin, end)?;
        let lines = self.text(path)?.get(begin..end).unwrap_or_default().lines();
        let numbers = lines.filter_map(|line| line.split_once(" = ")?.1.split([' ', ';']).next()?.parse::<u32>().ok());
        numbers.max().with_context(|| format!("{path} has no number"))
    }

    /// Returns the greatest number with which a name in a folder begins; empty without files.
    pub(super) fn newest_in(&self, folder: &str) -> Result<String> {
        let names = fs::read_dir(self.root.join(folder)).with_context(|| folder.to_owned())?;
        let names = names.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()));
        let names = names.collect::<Result<Vec<_>>>()?;
        Ok(names.iter().filter_map(|name| name.split('_').next()).max().unwrap_or_default().to_owned())
    }

    #[cfg(test)]
    pub(super) fn into_text(mut self, path: &str) -> String {
        self.texts.remove(path).unwrap()
    }

    /// Where a block begins, and the new line before its end.
    fn block(&mut self, path: &str, begin: &str, end: &str) -> Result<(usize, usize)> {
        let text = self.text(path)?;
        let start = text.find(begin).with_context(|| format!("{path} has no `{}`", begin.trim()))?;
        let length = text
            .get(start..)
            .and_then(|rest| rest.find(end))
            .with_context(|| format!("`{}` of {path} has no end", begin.trim()))?;
        Ok((start, start + length))
    }

    fn text(&mut self, path: &str) -> Result<&mut String> {
        match self.texts.entry(path.to_owned()) {
            Entry::Occupied(text) => Ok(text.into_mut()),
            Entry::Vacant(place) => {
                let text = fs::read_to_string(self.root.join(path)).with_context(|| path.to_owned())?;
                Ok(place.insert(text))
            }
        }
    }
}

/// `PinCommunity` of `pin_community`.
fn pascal_case(method: &str) -> String {
    let capitalised = |word: &str| {
        let mut letters = word.chars();
        letters.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(letters).collect::<String>()
    };
    method.split('_').map(capitalised).collect()
}
