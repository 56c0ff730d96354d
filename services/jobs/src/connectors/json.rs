//! Streams the items of a list inside a JSON document from a reader.

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

use super::UnreadableResponse;

/// The most bytes of an item, which is in memory as a whole.
const MAX_ITEM: u64 = 1 << 20;

/// Receives the items as JSON.
pub type RawItemHandler<'a> = dyn FnMut(&RawValue) -> ControlFlow<()> + 'a;

/// Passes the items of the list at `path` to the handler and returns their number.
///
/// # Errors
/// When there is no such list, the document is incomplete or continues after its end, or an item is too long.
pub fn each(body: impl Read, path: &[&str], handle: &mut RawItemHandler<'_>) -> Result<u32, UnreadableResponse> {
    let (left, count) = (Cell::new(MAX_ITEM), Cell::new(None));
    let metered = Metered { inner: body, left: &left };
    let mut document = serde_json::Deserializer::from_reader(BufReader::new(metered));
    let list = List { path, left: &left, count: &count, handle };
    list.deserialize(&mut document).map_err(|_| UnreadableResponse)?;
    document.end().map_err(|_| UnreadableResponse)?;
    // A JSON error response is a document without the list.
    count.get().ok_or(UnreadableResponse)
}

/// Parses an item; `None` for another shape.
pub fn item<T: DeserializeOwned>(raw: &RawValue) -> Option<T> {
    serde_json::from_str(raw.get()).ok()
}

/// Deserializes an optional field; a value of another type is missing.
pub fn lenient<'de, D: Deserializer<'de>, T: DeserializeOwned>(from: D) -> Result<Option<T>, D::Error> {
    let value = Value::deserialize(from)?;
    Ok(T::deserialize(value).ok())
}

/// Deserializes a list; elements of another type are left out.
pub fn lenient_list<'de, D: Deserializer<'de>, T: DeserializeOwned>(from: D) -> Result<Vec<T>, D::Error> {
    Ok(match Value::deserialize(from)? {
        Value::Array(values) => values.into_iter().filter_map(|value| T::deserialize(value).ok()).collect(),
        one => T::deserialize(one).into_iter().collect(),
    })
}

/// A reader with a limit of bytes.
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
    handle: &'a mut RawItemHandler<'e>,
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
                let list = List { path: rest, left: self.left, count: self.count, handle: &mut *self.handle };
                map.next_value_seed(list)?;
            } else {
                map.next_value::<IgnoredAny>()?;
            }
            self.left.set(MAX_ITEM);
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        let mut count = self.count.get().unwrap_or_default();
        self.count.set(Some(count));
        // Raw, so that an error within one item (a number out of range, an invalid character) affects only that item.
        while let Some(item) = list.next_element::<Box<RawValue>>()? {
            self.left.set(MAX_ITEM);
            count = count.saturating_add(1);
            self.count.set(Some(count));
            if (self.handle)(&item).is_break() {
                return Err(A::Error::custom("stopped by the handler"));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn items_of(document: &str, path: &[&str]) -> Result<Vec<String>, UnreadableResponse> {
        let mut items = Vec::new();
        each(document.as_bytes(), path, &mut |item| {
            items.push(item.get().to_owned());
            ControlFlow::Continue(())
        })?;
        Ok(items)
    }

    #[test]
    fn a_list_is_found_by_its_path() {
        assert_eq!(items_of("[1, {\"a\": 2}]", &[]).unwrap(), ["1", "{\"a\": 2}"]);
        assert_eq!(items_of("{\"meta\": {\"n\": [9]}, \"jobs\": [1, 2], \"x\": null}", &["jobs"]).unwrap(), ["1", "2"]);
        assert_eq!(items_of("{\"a\": {\"b\": [1]}}", &["a", "b"]).unwrap(), ["1"]);
        assert_eq!(items_of("{\"jobs\": []}", &["jobs"]).unwrap(), Vec::<String>::new());
    }

    #[test]
    fn a_missing_or_incomplete_list_is_an_error() {
        for bad in
            ["", "{}", "[]", "null", "{\"jobs\": null}", "{\"jobs\": {}}", "{\"error\": \"not found\"}", "<html>"]
        {
            assert!(items_of(bad, &["jobs"]).is_err(), "{bad}");
        }
        for bad in ["{\"jobs\": [1, 2", "{\"jobs\": [1, 2]", "{\"jobs\": [1, 2]} x", "{\"jobs\": [1, \"\u{1}\"]}"] {
            assert!(items_of(bad, &["jobs"]).is_err(), "{bad}");
        }
    }

    #[test]
    fn an_invalid_value_affects_only_its_item() {
        let raw = items_of("[{\"a\": 1e999}, {\"a\": \"\\ud800\"}, {\"a\": 3}]", &[]).unwrap();
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
    fn an_item_that_is_too_long_is_an_error() {
        let endless = b"[\"".iter().copied().chain(std::iter::repeat_n(b'a', 3 << 20));
        let bytes: Vec<u8> = endless.collect();
        assert!(each(&*bytes, &[], &mut |_| ControlFlow::Continue(())).is_err());
        // The number of short items is not limited.
        let many = format!("[{}1]", "\"0123456789\",".repeat(300_000));
        assert_eq!(each(many.as_bytes(), &[], &mut |_| ControlFlow::Continue(())), Ok(300_001));
    }

    #[test]
    fn endless_nesting_is_an_error() {
        assert!(items_of(&format!("{{\"jobs\": [{}", "[".repeat(100_000)), &["jobs"]).is_err());
    }

    #[test]
    fn a_handler_can_stop() {
        let mut count = 0;
        let ended = each(&b"[1, 2, 3]"[..], &[], &mut |_| {
            count += 1;
            if count == 2 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        assert_eq!((ended, count), (Err(UnreadableResponse), 2));
    }
}
