use super::{Caller, Version};
use crate::mcp::error::{INVALID_PARAMS, UNSUPPORTED_VERSION};
use serde_json::{Map, Value, json};

fn map(value: Value) -> Map<String, Value> {
    serde_json::from_value(value).expect("an object")
}

fn with_capabilities(capabilities: Value) -> Caller {
    Caller::from_initialize(&map(
        json!({"protocolVersion": "2025-11-25", "capabilities": capabilities}),
    ))
    .expect("a caller")
}

#[test]
fn initialize_is_answered_with_what_was_asked_for_or_the_newest_handshake() {
    for (asked, answered) in [
        (json!("2025-11-25"), "2025-11-25"),
        (json!("2025-06-18"), "2025-06-18"),
        (json!("2025-03-26"), "2025-03-26"),
        (json!("2024-11-05"), "2024-11-05"),
        (json!("2026-07-28"), "2025-11-25"),
        (json!("2031-04-01"), "2025-11-25"),
        (json!(""), "2025-11-25"),
        (json!(null), "2025-11-25"),
    ] {
        let caller =
            Caller::from_initialize(&map(json!({"protocolVersion": asked}))).expect("a caller");
        assert_eq!(caller.version.name(), answered, "{asked}");
    }
    let error = Caller::from_initialize(&map(json!({"protocolVersion": 20_251_125})))
        .expect_err("a number");
    assert_eq!(error.code, INVALID_PARAMS);
}

#[test]
fn a_client_renders_views_if_it_says_so_in_the_extension() {
    let extension = |value: Value| json!({"extensions": {"io.modelcontextprotocol/ui": value}});
    for (capabilities, renders) in [
        (
            extension(json!({"mimeTypes": ["text/html;profile=mcp-app"]})),
            true,
        ),
        (
            extension(json!({"mimeTypes": ["text/html; profile=\"mcp-app\""], "elicitation": {}})),
            true,
        ),
        (extension(json!({})), true),
        (extension(json!({"mimeTypes": []})), true),
        (extension(json!({"mimeTypes": ["image/png"]})), false),
        (extension(json!(null)), false),
        (json!({"io.modelcontextprotocol/ui": {}}), false),
        (
            json!({"experimental": {"io.modelcontextprotocol/ui": {}}}),
            false,
        ),
        (json!([]), false),
        (json!(null), false),
    ] {
        assert_eq!(
            with_capabilities(capabilities.clone()).renders_views,
            renders,
            "{capabilities}"
        );
    }
}

#[test]
fn a_client_can_ask_if_it_has_forms() {
    for (elicitation, asks) in [
        (json!({}), true),
        (json!({"form": {}}), true),
        (json!({"form": {}, "url": {}}), true),
        (json!({"url": {}}), false),
        (json!(null), false),
        (json!(true), false),
    ] {
        assert_eq!(
            with_capabilities(json!({"elicitation": elicitation})).can_ask,
            asks
        );
    }
}

#[test]
fn a_request_with_metadata_of_its_own_is_modern() {
    let meta = |version: Value, capabilities: Value| {
        Caller::from_meta(&map(json!({"_meta": {
            "io.modelcontextprotocol/protocolVersion": version,
            "io.modelcontextprotocol/clientCapabilities": capabilities,
        }})))
    };
    let caller = meta(json!("2026-07-28"), json!({"elicitation": {}}))
        .expect("spoken")
        .expect("modern");
    assert!(caller.version.is_modern() && caller.can_ask && !caller.renders_views);
    let unspoken = meta(json!("2031-01-01"), json!({})).expect_err("not spoken");
    assert_eq!(unspoken.code, UNSUPPORTED_VERSION);
    assert_eq!(unspoken.data.expect("data")["requested"], "2031-01-01");
    assert_eq!(
        meta(json!("2026-07-28"), json!(null))
            .expect_err("no object")
            .code,
        INVALID_PARAMS
    );
    assert_eq!(
        meta(json!(5), json!({})).expect_err("a number").code,
        INVALID_PARAMS
    );
    assert_eq!(
        Caller::from_meta(&map(json!({"_meta": {"progressToken": 0}}))).expect("legacy"),
        None
    );
    assert_eq!(
        Caller::from_meta(&map(json!({"_meta": null}))).expect("legacy"),
        None
    );
}

#[test]
fn versions_are_told_newest_first() {
    assert!(Version::ALL.windows(2).all(|pair| pair[0] > pair[1]));
}
