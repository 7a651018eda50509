//! The command: arguments, prompt, report.
