//! What scripts can call, as pages: made from the tables that bind the functions, so that they cannot differ from them.

mod definitions;
mod reference;

pub use definitions::definitions;
pub use reference::reference;

use crate::api::Param;

/// A parameter's or a field's name without the mark of one that may be left out.
fn plain_name(param: &Param) -> &'static str {
    param.name.trim_end_matches('?')
}

/// Whether it may be left out.
fn is_optional(param: &Param) -> bool {
    param.name.ends_with('?')
}
