//! The nearest name meant.

/// The known name closest to what was written, if any is close enough to have been meant: within a third of its letters, counting
/// letters left out, put in, changed and swapped. Of several as close, the one that is most alike from its beginning on.
#[must_use]
pub fn nearest<'a>(found: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let most = (found.chars().count() / 3).max(1);
    let found = found.to_lowercase();
    let gap = |name: &str| {
        let name = name.to_lowercase();
        (strsim::osa_distance(&found, &name), 1.0 - strsim::jaro_winkler(&found, &name))
    };
    known
        .into_iter()
        .map(|name| (gap(name), name))
        .filter(|((distance, _), _)| *distance <= most)
        .min_by(|((one, unlike), _), ((other, other_unlike), _)| one.cmp(other).then(unlike.total_cmp(other_unlike)))
        .map(|(_, name)| name)
}

/// The end of a refusal: ` (did you mean "x"?)` where a known name is near enough, else nothing.
#[must_use]
pub fn did_you_mean<'a>(found: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    nearest(found, known).map(suggested).unwrap_or_default()
}

/// A name that was probably meant, as it ends a refusal.
pub(crate) fn suggested(name: &str) -> String {
    format!(" (did you mean \"{name}\"?)")
}
