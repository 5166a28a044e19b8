//! A team's manifest: any bytes are judged, and what is sound can be reviewed.

use bb::catalog::TOOLS;
use bb::manifests::manifest::check;
use bb::manifests::table::Table;
use serde_json::Value;
use std::sync::OnceLock;

pub fn seeds() -> Vec<Vec<u8>> {
    let cases = super::files("manifests/vectors", "cases.jsonl").concat();
    let mut seeds: Vec<Vec<u8>> = cases
        .split(|byte| *byte == b'\n')
        .filter_map(|line| serde_json::from_slice::<Value>(line).ok())
        .filter_map(|case| match &case["manifest"] {
            Value::Null => None,
            Value::String(text) => Some(text.clone().into_bytes()),
            manifest => Some(manifest.to_string().into_bytes()),
        })
        .collect();
    seeds.extend(super::files("manifests/vectors", "base-tools.json"));
    seeds
}

pub fn run(data: &[u8]) {
    static TABLE: OnceLock<Table> = OnceLock::new();
    let table = TABLE.get_or_init(|| Table::of_bb(TOOLS, vec!["code.example.com".to_owned()]));
    let (manifest, findings) = check(data, table);
    assert!(
        manifest.is_some() || !findings.problems.is_empty(),
        "refused without a word"
    );
    for finding in findings.problems.iter().chain(&findings.warnings) {
        let said = finding.to_string();
        assert!(!said.contains(['\n', '\r', '\u{1b}']), "{said:?}");
    }
    // The other thing that may be read from a file.
    let _ = Table::read(data);
}
