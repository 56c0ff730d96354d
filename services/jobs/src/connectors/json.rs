//! A list somewhere in a JSON document, item by item, out of a reader.

use std::{
    cell::Cell,
    fmt,
    io::{self, BufReader, Read},
    ops::ControlFlow,
};

use serde::{
    Deserialize, Deserializer,
    de::{DeserializeOwned, DeserializeSeed, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor},
};
use serde_json::{Value, value::RawValue};

use super::Unreadable;

/// No posting is longer, in bytes as sent: one that was would lie in memory whole.
const LONGEST_ITEM: u64 = 1 << 20;

/// Who is told the items, in JSON.
pub type Each<'a> = dyn FnMut(&RawValue) -> ControlFlow<()> + 'a;

/// Tells every item of the list found by following `path` from the top. Returns how many they were.
///
/// # Errors
/// When there is no such list, the document breaks off or goes on after its end, or an item is too long.
pub fn each(body: impl Read, path: &[&str], told: &mut Each<'_>) -> Result<u32, Unreadable> {
    let (left, count) = (Cell::new(LONGEST_ITEM), Cell::new(None));
    let metered = Metered { inner: body, left: &left };
    let mut document = serde_json::Deserializer::from_reader(BufReader::new(metered));
    let list = List { path, left: &left, count: &count, told };
    list.deserialize(&mut document).map_err(|_| Unreadable)?;
    document.end().map_err(|_| Unreadable)?;
    // An error told as JSON is a document without the list.
    count.get().ok_or(Unreadable)
}

/// An item of its source's shape.
pub fn item<T: DeserializeOwned>(raw: &RawValue) -> Option<T> {
    serde_json::from_str(raw.get()).ok()
}

/// For a field one can do without: what is not of its type is as if it were not there.
pub fn lenient<'de, D: Deserializer<'de>, T: DeserializeOwned>(from: D) -> Result<Option<T>, D::Error> {
    let value = Value::deserialize(from)?;
    Ok(T::deserialize(value).ok())
}

/// The same for a list, of which the elements that make sense stay.
pub fn lenient_list<'de, D: Deserializer<'de>, T: DeserializeOwned>(from: D) -> Result<Vec<T>, D::Error> {
    Ok(match Value::deserialize(from)? {
        Value::Array(values) => values.into_iter().filter_map(|value| T::deserialize(value).ok()).collect(),
        one => T::deserialize(one).into_iter().collect(),
    })
}

/// A reader that gives no more than what is left.
struct Metered<'a, R> {
    inner: R,
    left: &'a Cell<u64>,
}

impl<R: Read> Read for Metered<'_, R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(into)?;
        let left = self.left.get().checked_sub(u64::try_from(read).unwrap_or(u64::MAX));
        self.left.set(left.ok_or_else(|| io::Error::other("an item is too long"))?);
        Ok(read)
    }
}

struct List<'a, 'e> {
    path: &'a [&'a str],
    left: &'a Cell<u64>,
    count: &'a Cell<Option<u32>>,
    told: &'a mut Each<'e>,
}

impl<'de> DeserializeSeed<'de> for List<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        if self.path.is_empty() { from.deserialize_seq(self) } else { from.deserialize_map(self) }
    }
}

impl<'de> Visitor<'de> for List<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of postings")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let Some((first, rest)) = self.path.split_first() else {
            return Err(A::Error::custom("no list"));
        };
        while let Some(key) = map.next_key::<String>()? {
            if key == *first {
                let list = List { path: rest, left: self.left, count: self.count, told: &mut *self.told };
                map.next_value_seed(list)?;
            } else {
                map.next_value::<IgnoredAny>()?;
            }
            self.left.set(LONGEST_ITEM);
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        let mut count = self.count.get().unwrap_or_default();
        self.count.set(Some(count));
        // Raw, so that what only one item gets wrong (a number beyond all numbers, half a character) harms only that.
        while let Some(item) = list.next_element::<Box<RawValue>>()? {
            self.left.set(LONGEST_ITEM);
            count = count.saturating_add(1);
            self.count.set(Some(count));
            if (self.told)(&item).is_break() {
                return Err(A::Error::custom("heard enough"));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(document: &str, path: &[&str]) -> Result<Vec<String>, Unreadable> {
        let mut items = Vec::new();
        each(document.as_bytes(), path, &mut |item| {
            items.push(item.get().to_owned());
            ControlFlow::Continue(())
        })?;
        Ok(items)
    }

    #[test]
    fn a_list_is_found_where_it_is() {
        assert_eq!(told("[1, {\"a\": 2}]", &[]).unwrap(), ["1", "{\"a\": 2}"]);
        assert_eq!(told("{\"meta\": {\"n\": [9]}, \"jobs\": [1, 2], \"x\": null}", &["jobs"]).unwrap(), ["1", "2"]);
        assert_eq!(told("{\"a\": {\"b\": [1]}}", &["a", "b"]).unwrap(), ["1"]);
        assert_eq!(told("{\"jobs\": []}", &["jobs"]).unwrap(), Vec::<String>::new());
    }

    #[test]
    fn what_is_no_list_or_breaks_off_is_not_taken_for_an_empty_one() {
        for bad in
            ["", "{}", "[]", "null", "{\"jobs\": null}", "{\"jobs\": {}}", "{\"error\": \"not found\"}", "<html>"]
        {
            assert!(told(bad, &["jobs"]).is_err(), "{bad}");
        }
        for bad in ["{\"jobs\": [1, 2", "{\"jobs\": [1, 2]", "{\"jobs\": [1, 2]} x", "{\"jobs\": [1, \"\u{1}\"]}"] {
            assert!(told(bad, &["jobs"]).is_err(), "{bad}");
        }
    }

    #[test]
    fn one_items_impossible_values_harm_no_other() {
        let raw = told("[{\"a\": 1e999}, {\"a\": \"\\ud800\"}, {\"a\": 3}]", &[]).unwrap();
        #[derive(Deserialize)]
        struct Sample {
            #[serde(default, deserialize_with = "lenient")]
            a: Option<u8>,
        }
        let read: Vec<Option<u8>> =
            raw.iter().map(|raw| serde_json::from_str::<Sample>(raw).ok().and_then(|sample| sample.a)).collect();
        assert_eq!(read, [None, None, Some(3)]);
    }

    #[test]
    fn an_item_that_would_fill_the_memory_is_not_read() {
        let endless = b"[\"".iter().copied().chain(std::iter::repeat_n(b'a', 3 << 20));
        let bytes: Vec<u8> = endless.collect();
        assert!(each(&*bytes, &[], &mut |_| ControlFlow::Continue(())).is_err());
        // Many short ones are as many as they like.
        let many = format!("[{}1]", "\"0123456789\",".repeat(300_000));
        assert_eq!(each(many.as_bytes(), &[], &mut |_| ControlFlow::Continue(())), Ok(300_001));
    }

    #[test]
    fn nesting_without_end_is_refused() {
        assert!(told(&format!("{{\"jobs\": [{}", "[".repeat(100_000)), &["jobs"]).is_err());
    }

    #[test]
    fn whoever_has_heard_enough_is_told_no_more() {
        let mut heard = 0;
        let ended = each(&b"[1, 2, 3]"[..], &[], &mut |_| {
            heard += 1;
            if heard == 2 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        assert_eq!((ended, heard), (Err(Unreadable), 2));
    }
}
