//! The JSON schema of scenes, made from the types that read them.

use crate::format::Scene;

/// The schema as pretty JSON with a final newline; `scenes/scene.schema.json` holds the same.
#[must_use]
pub fn schema() -> String {
    let schema = schemars::schema_for!(Scene);
    // A schema is plain JSON: writing it as text cannot fail.
    let mut text = serde_json::to_string_pretty(&schema).unwrap_or_default();
    text.push('\n');
    text
}
