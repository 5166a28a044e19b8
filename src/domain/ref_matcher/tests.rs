use super::{BranchModel, Branches, RefMatcher, matches_pattern};

#[test]
fn a_pattern_matches_what_bitbuckets_own_engine_matches() {
    for (pattern, branch, matches) in [
        ("release/*", "refs/heads/release/1.0", Some(true)),
        ("release/*", "refs/heads/Release/1.0", Some(true)),
        ("RELEASE/*", "refs/heads/release/1.0", Some(true)),
        ("release/*", "refs/heads/release/1/0", Some(false)),
        ("release/**", "refs/heads/release/1/0", Some(true)),
        ("release/", "refs/heads/release/1/0", Some(true)),
        ("release/", "refs/heads/release", Some(true)),
        ("release/*", "refs/heads/release", Some(false)),
        ("main", "refs/heads/domain", Some(false)),
        ("*main", "refs/heads/domain", Some(true)),
        ("main", "refs/heads/main", Some(true)),
        ("main", "refs/heads/team/main", Some(true)),
        ("main", "refs/heads/main/team", Some(false)),
        ("heads/main", "refs/heads/main", Some(true)),
        ("refs/heads/main", "refs/heads/main", Some(true)),
        ("heads/**/master", "refs/heads/a/b/master", Some(true)),
        ("heads/**/master", "refs/heads/master", Some(true)),
        ("heads/**/master", "refs/tags/master", Some(false)),
        ("feature/*", "refs/heads/x/feature/a", Some(true)),
        ("feature/*", "refs/heads/feature/a/b", Some(false)),
        ("tags/", "refs/heads/tags/x", Some(true)),
        ("PROJECT-*", "refs/heads/stable/PROJECT-1234", Some(true)),
        ("PROJECT-*", "refs/heads/PROJECT-1/more", Some(false)),
        ("?.?", "refs/heads/1.2", Some(true)),
        ("?.?", "refs/heads/1.22", Some(false)),
        ("?", "refs/heads/\u{e9}", Some(true)),
        ("*", "refs/heads/any/thing", Some(true)),
        ("**", "refs/heads/any/thing", Some(true)),
        ("**/**/**", "refs/heads/any", Some(true)),
        ("a**c", "refs/heads/abbc", Some(true)),
        ("a**c", "refs/heads/a/c", Some(false)),
        ("a{b}", "refs/heads/ab", None),
        ("a}", "refs/heads/ab", None),
        ("", "refs/heads/ab", None),
        ("/", "refs/heads/ab", None),
        ("/main", "refs/heads/main", None),
        ("a//b", "refs/heads/a/b", None),
    ] {
        assert_eq!(
            matches_pattern(pattern, branch),
            matches,
            "{pattern} and {branch}"
        );
    }
}

#[test]
fn a_pattern_made_to_take_long_does_not() {
    let pattern = "**/*a*a*a*a*a*a*a*a*b/".repeat(40);
    let branch = format!("refs/heads/{}", "aaaaaaaaaaaaaaaaaaaaaaaa/".repeat(40));
    assert_eq!(matches_pattern(&pattern, &branch), Some(false));
}

#[test]
fn a_branch_is_named_whole_or_short_in_any_case() {
    let matches = |name: &str, branch: &str| {
        RefMatcher::Branch(name.to_owned()).matches(branch, &Branches::default())
    };
    for name in [
        "refs/heads/main",
        "heads/main",
        "main",
        "MAIN",
        "refs/heads/Main",
    ] {
        assert_eq!(matches(name, "refs/heads/main"), Some(true), "{name}");
    }
    for name in ["ain", "domain", "refs/heads/main2", "", "refs/tags/main"] {
        assert_eq!(matches(name, "refs/heads/main"), Some(false), "{name}");
    }
}

#[test]
fn the_branch_model_is_read_in_its_own_letter_case() {
    let branches = Branches {
        model: Some(BranchModel {
            development: Some("refs/heads/develop".to_owned()),
            production: None,
            categories: vec![("HOTFIX".to_owned(), "hotfix/".to_owned())],
        }),
        default: Some("refs/heads/main".to_owned()),
    };
    let category = |id: &str| RefMatcher::Category(id.to_owned());
    for (matcher, branch, matches) in [
        (RefMatcher::Development, "refs/heads/develop", true),
        (RefMatcher::Development, "refs/heads/Develop", false),
        (RefMatcher::Production, "refs/heads/main", false),
        (category("HOTFIX"), "refs/heads/hotfix/1", true),
        (category("HOTFIX"), "refs/heads/Hotfix/1", false),
        (category("HOTFIX"), "refs/heads/a/hotfix/1", false),
        (category("RELEASE"), "refs/heads/release/1", false),
        (RefMatcher::DefaultBranch, "refs/heads/main", true),
        (RefMatcher::DefaultBranch, "refs/heads/develop", false),
    ] {
        assert_eq!(
            matcher.matches(branch, &branches),
            Some(matches),
            "{matcher:?} and {branch}"
        );
        let is_told_without_the_model = matcher.matches(branch, &Branches::default());
        assert_eq!(
            is_told_without_the_model, None,
            "{matcher:?} with nothing read"
        );
    }
    assert_eq!(
        RefMatcher::Unknown.matches("refs/heads/main", &branches),
        None
    );
    assert_eq!(
        RefMatcher::Any.matches("refs/heads/main", &branches),
        Some(true)
    );
}
