use super::explain;
use serde::Deserialize;

#[derive(Debug, Deserialize)]
#[allow(dead_code)]
struct Page {
    values: Vec<PullRequest>,
}

#[derive(Debug, Deserialize)]
#[allow(dead_code)]
struct PullRequest {
    id: u64,
    author: Person,
    #[serde(default)]
    open: bool,
}

#[derive(Debug, Deserialize)]
#[allow(dead_code)]
struct Person {
    name: String,
    #[serde(default)]
    tags: Vec<String>,
}

#[test]
fn the_part_is_named_and_nothing_of_ours_or_theirs_is_quoted() {
    for (json, words) in [
        (
            r#"{"values":[{"id":1,"author":{"name":"a"}},{"id":2,"author":{"tags":[]}}]}"#,
            "`values[1].author` has no `name`",
        ),
        (
            r#"{"values":[{"id":"secret","author":{"name":"a"}}]}"#,
            "`values[0].id` is a text, not the number that belongs there",
        ),
        (
            r#"{"values":[{"id":1,"author":{"name":["x"]}}]}"#,
            "`values[0].author.name` is a list, not a text",
        ),
        (
            r#"{"values":[{"id":1,"author":{"name":"a","tags":["b",7]}}]}"#,
            "`values[0].author.tags[1]` is a number of another kind, not a text",
        ),
        (
            r#"{"values":[{"id":-1,"author":{"name":"a"}}]}"#,
            "`values[0].id` is a number of another kind, not the number that belongs there",
        ),
        (
            r#"{"values":[{"id":1,"open":"yes, expected u64","author":{"name":"a"}}]}"#,
            "`values[0].open` is a text, not true or false",
        ),
        (
            "{\n \"values\": [\n  {\"id\": 1,\n   \"author\": null}]}",
            "`values[0].author` is null, not an object",
        ),
        (r#"{"values":{"a":1}}"#, "`values` is an object, not a list"),
        (r#""secret""#, "the whole is a text, not an object"),
        (r#"{}"#, "the whole has no `values`"),
        (r#"{"values":[{"id":1,"#, "its JSON is broken off"),
        (r#"{"values":oops}"#, "it is no JSON at line 1, column 11"),
    ] {
        let error = serde_json::from_str::<Page>(json).expect_err(json);
        let found = explain(&error, json.as_bytes(), &str::to_owned);
        assert_eq!(found, words, "{json}\nserde: {error}");
    }
}
