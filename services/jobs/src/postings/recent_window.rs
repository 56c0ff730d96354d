//! Windows of time, recent ones first, by which the index is read when it finds too much. The column `facets` contains the
//! month and the day of a posting.

use chrono::{DateTime, Utc};

/// Days of a month in `facets`.
const MONTH: i64 = 32;
/// Seconds.
const DAY: i64 = 86_400;

/// Months or days since 1970, both ends inclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Window {
    Months(i64, i64),
    Days(i64, i64),
}

/// The months with postings.
#[derive(Clone, Copy)]
pub struct Extent {
    first: i64,
    last: i64,
}

impl Extent {
    /// Returns the months from `first` to `last`.
    pub fn between(first: DateTime<Utc>, last: DateTime<Utc>) -> Self {
        let month = |at: DateTime<Utc>| at.timestamp().div_euclid(DAY * MONTH);
        Self { first: month(first), last: month(last) }
    }
}

impl Window {
    /// Returns values of the column `facets`. A posting of the window has one of them.
    pub fn facets(self) -> Vec<String> {
        match self {
            Self::Months(from, until) => (from..=until).map(|month| format!("m{month}")).collect(),
            Self::Days(from, until) => (from..=until).map(|day| format!("d{day}")).collect(),
        }
    }

    /// The start of the window.
    pub fn start(self) -> DateTime<Utc> {
        let day = match self {
            Self::Months(month, _) => month * MONTH,
            Self::Days(day, _) => day,
        };
        DateTime::from_timestamp(day * DAY, 0).unwrap_or_default()
    }

    /// Returns the older and the newer half; `None` for a day.
    pub fn halves(self) -> Option<[Self; 2]> {
        let half = |from: i64, until: i64| from + (until - from) / 2;
        match self {
            Self::Months(month, until) if month == until => {
                Self::Days(month * MONTH, month * MONTH + MONTH - 1).halves()
            }
            Self::Months(from, until) => {
                Some([Self::Months(from, half(from, until)), Self::Months(half(from, until) + 1, until)])
            }
            Self::Days(day, until) if day == until => None,
            Self::Days(from, until) => {
                Some([Self::Days(from, half(from, until)), Self::Days(half(from, until) + 1, until)])
            }
        }
    }
}

/// Returns windows that cover all months, the newest at the end of the list. The newest of a hundred matches shows
/// where to start, because few are newer.
pub fn around(extent: Extent, newest: Option<DateTime<Utc>>) -> Vec<Window> {
    let Some(newest) = newest else { return widening(extent) };
    let day = newest.timestamp().div_euclid(DAY);
    let month = day.div_euclid(MONTH);
    let mut windows = widening(Extent { last: month - 1, ..extent });
    windows.push(Window::Days(month * MONTH, day));
    if month == (day + 1).div_euclid(MONTH) {
        windows.push(Window::Days(day + 1, month * MONTH + MONTH - 1));
    }
    if month < extent.last {
        windows.push(Window::Months(month + 1, extent.last));
    }
    windows
}

/// Windows from the newest back, each as long as all newer ones together.
fn widening(Extent { first, last }: Extent) -> Vec<Window> {
    let (mut windows, mut last, mut months) = (Vec::new(), last, 1);
    while last >= first {
        windows.push(Window::Months(first.max(last - months + 1), last));
        last -= months;
        months *= 2;
    }
    windows.reverse();
    windows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_widen_from_the_newest_back_without_gaps() {
        let months = |first, last| widening(Extent { first, last });
        assert_eq!(
            months(600, 611),
            [Window::Months(600, 604), Window::Months(605, 608), Window::Months(609, 610), Window::Months(611, 611)]
        );
        assert_eq!(months(-1, 0), [Window::Months(-1, -1), Window::Months(0, 0)]);
    }

    #[test]
    fn windows_newer_than_the_newest_match_come_first() {
        let around = |day: i64, last| around(Extent { first: 600, last }, DateTime::from_timestamp(day * DAY + 7, 0));
        let days = |from, until| Window::Days(from, until);
        assert_eq!(
            around(601 * 32 + 4, 603),
            [
                Window::Months(600, 600),
                days(601 * 32, 601 * 32 + 4),
                days(601 * 32 + 5, 601 * 32 + 31),
                Window::Months(602, 603)
            ]
        );
        assert_eq!(around(600 * 32 + 31, 600), [days(600 * 32, 600 * 32 + 31)]);
        assert_eq!(super::around(Extent { first: 600, last: 600 }, None), [Window::Months(600, 600)]);
    }

    #[test]
    fn a_window_is_halved_into_days_each_once() {
        let mut windows = vec![Window::Months(600, 604)];
        let mut days = Vec::new();
        while let Some(window) = windows.pop() {
            match window.halves() {
                Some(halves) => windows.extend(halves),
                None => days.extend(window.facets()),
            }
        }
        let newest_first: Vec<String> = (600 * 32..605 * 32).rev().map(|day| format!("d{day}")).collect();
        assert_eq!(days, newest_first);
        assert_eq!(Window::Months(3, 5).facets(), ["m3", "m4", "m5"]);
    }
}
