//! Names of files, first lines and words of fences, each with the grammar that reads it.

use super::{FENCES, FILES, INTERPRETERS, Language, TEMPLATES, Templates};
use std::collections::BTreeSet;

#[track_caller]
fn check(path: &str, first_line: Option<&str>, expected: Option<&str>) {
    let language = Language::of_file(path, first_line, Templates::Highlighted);
    assert_eq!(language.map(Language::grammar), expected, "{path}");
}

#[test]
fn a_file_is_known_by_its_name() {
    for (path, grammar) in [
        ("src/main/java/Rocket.java", "Java"),
        ("build.gradle.kts", "Kotlin"),
        ("build.gradle", "Groovy"),
        ("Jenkinsfile", "Groovy"),
        ("ci/Jenkinsfile.nightly", "Groovy"),
        ("app/View.tsx", "TypeScriptReact"),
        ("app/view.jsx", "TypeScriptReact"),
        ("app/api.ts", "TypeScript"),
        ("Program.cs", "C#"),
        ("tool.py", "Python"),
        ("cmd/main.go", "Go"),
        ("db/V1__seed.SQL", "SQL"),
        (".gitlab-ci.yml", "YAML"),
        ("Cargo.toml", "TOML"),
        ("Cargo.lock", "TOML"),
        ("Dockerfile", "Dockerfile"),
        ("Dockerfile.prod", "Dockerfile"),
        ("prod.Dockerfile", "Dockerfile"),
        ("infra/main.tf", "Terraform"),
        ("run.sh", "Bourne Again Shell (bash)"),
        ("pom.xml", "XML"),
        ("App.csproj", "XML"),
        ("messages_de.properties", "Java Properties"),
        (".env.local", "DotENV"),
        ("mail.html.erb", "HTML (Rails)"),
        ("list.js.erb", "JavaScript (Rails)"),
        ("dir.py/plain.java", "Java"),
        ("dir\\Program.cs", "C#"),
        ("burn.rs", "Rust"),
    ] {
        check(path, None, Some(grammar));
    }
}

#[test]
fn a_file_of_no_known_name_is_known_by_its_first_line_or_not_at_all() {
    let shell = Some("Bourne Again Shell (bash)");
    for (path, first_line, grammar) in [
        ("tool", "#!/bin/bash", shell),
        ("tool", "#!/usr/bin/env -S FOO=1 bash -e", shell),
        ("tool", "#! /usr/bin/python3.12\r", Some("Python")),
        ("data", "\u{feff}<?xml version=\"1.0\"?>", Some("XML")),
        ("tool", "#!", None),
        ("tool", "#!/usr/bin/env", None),
        ("LICENSE", "Permission is hereby granted", None),
        ("noise.bin", "\u{0}\u{fffd}", None),
        ("", "", None),
        // The name wins.
        ("tool.rb", "#!/bin/sh", Some("Ruby")),
    ] {
        check(path, Some(first_line), grammar);
    }
    check(&"a.".repeat(200_000), None, None);
}

#[test]
fn a_fence_is_known_by_its_word() {
    for (words, grammar) in [
        ("java", Some("Java")),
        ("JS", Some("JavaScript")),
        ("javascript", Some("JavaScript")),
        ("ts", Some("TypeScript")),
        ("typescript", Some("TypeScript")),
        ("json", Some("JSON")),
        ("python", Some("Python")),
        ("py", Some("Python")),
        ("ruby", Some("Ruby")),
        ("go", Some("Go")),
        ("rust", Some("Rust")),
        ("c", Some("C")),
        ("c++", Some("C++")),
        ("cpp", Some("C++")),
        ("csharp", Some("C#")),
        ("c#", Some("C#")),
        ("sh", Some("Bourne Again Shell (bash)")),
        ("shell", Some("Bourne Again Shell (bash)")),
        ("zsh", Some("Bourne Again Shell (bash)")),
        ("sql", Some("SQL")),
        ("xml", Some("XML")),
        ("html", Some("HTML")),
        ("css", Some("CSS")),
        ("less", Some("Less")),
        ("yaml", Some("YAML")),
        ("yml", Some("YAML")),
        ("groovy", Some("Groovy")),
        ("scala", Some("Scala")),
        ("kotlin", Some("Kotlin")),
        ("swift", Some("Swift")),
        ("perl", Some("Perl")),
        ("diff", Some("Diff")),
        ("dockerfile", Some("Dockerfile")),
        ("makefile", Some("Makefile")),
        ("properties", Some("Java Properties")),
        ("ini", Some("INI")),
        ("toml", Some("TOML")),
        ("markdown", Some("Markdown")),
        ("hcl", Some("Terraform")),
        ("java title=\"A.java\"", Some("Java")),
        ("{.python}", Some("Python")),
        ("plain", None),
        ("text", None),
        ("suggestion", None),
        ("mermaid", None),
        ("", None),
    ] {
        let language = Language::of_fence(words, Templates::Plain);
        assert_eq!(language.map(Language::grammar), grammar, "{words}");
    }
}

#[test]
fn a_template_is_plain_unless_it_is_asked_for() {
    for path in [
        "mail.html.erb",
        "a.jsp",
        "a.php",
        "a.vue",
        "a.svelte",
        "a.cfm",
        "a.haml",
        "a.slim",
        "a.twig",
        "a.html.j2",
        "a.j2",
        "a.asp",
        "a.heex",
        "a.js.erb",
        "a.sql.erb",
        "a.yaws",
        "a.adp",
        "a.builder",
    ] {
        assert_eq!(
            Language::of_file(path, None, Templates::Plain),
            None,
            "{path}"
        );
        let asked = Language::of_file(path, None, Templates::Highlighted);
        assert!(asked.is_some_and(Language::is_template), "{path}");
    }
    assert_eq!(Language::of_fence("php", Templates::Plain), None);
    assert!(Language::of_fence("php", Templates::Highlighted).is_some());
}

#[test]
fn the_tables_name_each_grammar_and_each_name_once() {
    let grammars: BTreeSet<_> = FILES.iter().map(|(grammar, _)| *grammar).collect();
    assert_eq!(grammars.len(), FILES.len());
    let mut names = BTreeSet::new();
    for (grammar, known) in FILES {
        for name in *known {
            assert!(names.insert(*name), "{grammar}: {name} stands twice");
            assert_eq!(name.to_lowercase(), *name);
        }
    }
    let templates = TEMPLATES.iter();
    let others = FENCES
        .iter()
        .chain(INTERPRETERS)
        .map(|(grammar, _)| grammar);
    for grammar in templates.chain(others) {
        assert!(grammars.contains(grammar), "{grammar} reads no file");
    }
}
