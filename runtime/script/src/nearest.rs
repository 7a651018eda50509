//! The name that was probably meant.

/// The candidate closest to a name, where one is close enough to be worth naming: at most a third of its letters and one
/// more are left out, put in, changed or swapped. Of several as close, the one that is most alike from its beginning on.
pub(crate) fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let unlike = |known: &str| 1.0 - strsim::jaro_winkler(name, known);
    let (gap, found) = candidates
        .into_iter()
        .map(|known| (strsim::osa_distance(name, known), known))
        .min_by(|(gap, one), (other_gap, other)| gap.cmp(other_gap).then_with(|| unlike(one).total_cmp(&unlike(other))))?;
    (gap <= 1 + name.chars().count() / 3).then_some(found)
}

/// `; did you mean 'x'?`, or nothing.
pub(crate) fn did_you_mean<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> String {
    nearest(name, candidates).map(|known| format!("; did you mean '{known}'?")).unwrap_or_default()
}

/// The end of a refusal: the name that was probably meant, and all that are accepted.
pub(crate) fn accepted<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> String {
    let all: Vec<&str> = candidates.into_iter().collect();
    let list = if all.is_empty() { "none".to_owned() } else { all.join(", ") };
    match nearest(name, all.iter().copied()) {
        Some(known) => format!("; did you mean '{known}'? Accepted: {list}"),
        None => format!("; accepted: {list}"),
    }
}
