//! Whether code can be read: each class has its color, and each color its contrast on every ground beneath it.
//!
//! Reads the page's own colors as text; what a host puts in their place is the host's to answer for.

use crate::support::root;
use bb::highlight::Class;
use std::fs;

/// Source: WCAG 2.2, 1.4.3, for text of any size.
const LEAST_CONTRAST: f64 = 4.5;

/// What code may lie on.
const GROUNDS: &[&str] = &[
    "--bb-ground",
    "--bb-raised",
    "--bb-hover",
    "--bb-added-ground",
    "--bb-added-word-ground",
    "--bb-removed-ground",
    "--bb-removed-word-ground",
];

fn style(name: &str) -> String {
    fs::read_to_string(root().join("view/styles").join(name)).expect("a style")
}

/// The light and the dark color of a token, as its first declaration has them.
fn colors(tokens: &str, name: &str) -> [String; 2] {
    let value = tokens
        .split(&format!("{name}:"))
        .nth(1)
        .and_then(|rest| rest.split(';').next())
        .unwrap_or_else(|| panic!("{name} is not declared"));
    let pair = value
        .split("light-dark(")
        .nth(1)
        .and_then(|rest| rest.split(')').next())
        .unwrap_or_else(|| panic!("{name} is no light and dark pair: {value}"));
    let (light, dark) = pair.split_once(',').expect("two colors");
    [light.trim().to_owned(), dark.trim().to_owned()]
}

/// How light a color is, from 0 to 1.
///
/// Source: WCAG 2.2, "relative luminance".
fn luminance(color: &str) -> f64 {
    let channel = |at: usize| {
        let digits = color.get(at..at + 2).expect("six digits");
        let value = f64::from(u8::from_str_radix(digits, 16).expect("hex digits")) / 255.0;
        if value <= 0.04045 {
            value / 12.92
        } else {
            ((value + 0.055) / 1.055).powf(2.4)
        }
    };
    0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5)
}

fn contrast(one: &str, other: &str) -> f64 {
    let (one, other) = (luminance(one), luminance(other));
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

#[test]
fn black_on_white_is_twenty_one_to_one() {
    assert!((contrast("#000000", "#ffffff") - 21.0).abs() < 1e-9);
}

#[test]
fn code_can_be_read_in_both_themes_on_every_ground() {
    let (tokens, code) = (style("tokens.css"), style("code.css"));
    let mut weak = Vec::new();
    for class in Class::ALL
        .into_iter()
        .filter(|class| *class != Class::Plain)
    {
        let rule = format!(".code-{} {{ color: var(", class.letter());
        let token = code
            .split(&rule)
            .nth(1)
            .and_then(|rest| rest.split(')').next())
            .unwrap_or_else(|| panic!("{class:?} has no color"));
        for ground in GROUNDS {
            let pairs = colors(&tokens, token)
                .into_iter()
                .zip(colors(&tokens, ground));
            for (color, ground_color) in pairs {
                let contrast = contrast(&color, &ground_color);
                if contrast < LEAST_CONTRAST {
                    weak.push(format!("{token} on {ground}: {contrast:.2}"));
                }
            }
        }
    }
    assert!(weak.is_empty(), "{weak:#?}");
}
