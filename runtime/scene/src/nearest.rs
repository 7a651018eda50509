//! The nearest name meant.

/// The known name closest to what was written, if any is close enough to have been meant: within a third of its letters, counting
/// letters left out, put in, changed and swapped.
#[must_use]
pub fn nearest<'a>(found: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let most = (found.chars().count() / 3).max(1);
    known
        .into_iter()
        .map(|name| (strsim::osa_distance(&found.to_lowercase(), &name.to_lowercase()), name))
        .filter(|(distance, _)| *distance <= most)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}
