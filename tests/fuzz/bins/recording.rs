#![no_main]

#[path = "../targets/mod.rs"]
#[expect(dead_code, reason = "each binary runs one of the targets")]
mod targets;

libfuzzer_sys::fuzz_target!(|data: &[u8]| targets::recording(data));
