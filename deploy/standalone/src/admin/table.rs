//! Rows in columns, for a terminal.

/// Titles and rows, each column as wide as its content. Cells contain no control characters: input of members is
/// checked by the services, and the rest is from operators.
pub(super) fn table<const COLUMNS: usize>(titles: [&str; COLUMNS], rows: &[[String; COLUMNS]]) -> String {
    let mut widths = titles.map(|title| title.chars().count());
    for row in rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.chars().count());
        }
    }
    let line = |cells: [&str; COLUMNS]| {
        let cells = cells.iter().zip(widths).map(|(cell, width)| format!("{cell:<width$}"));
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    let lines = rows.iter().map(|row| line(row.each_ref().map(String::as_str)));
    std::iter::once(line(titles)).chain(lines).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_what_is_in_them() {
        let rows = [["a".to_owned(), "Ñandú".to_owned()], ["long one".to_owned(), String::new()]];
        assert_eq!(table(["name", "it"], &rows), "name      it\na         Ñandú\nlong one");
        assert_eq!(table(["name", "it"], &[]), "name  it");
    }
}
