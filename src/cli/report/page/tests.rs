//! Whatever stands in a report, its page is built as it is of plain words.
