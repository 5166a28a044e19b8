//! What bb says of required builds, beside a merge check that others wrote (R24).
//!
//! The stand-in decides by code of its own, from the same conditions and builds. Cases come from a generator with a
//! fixed seed; a failure prints its case.

use crate::support::views::{ROCKET, rendering, shown};
use bb::domain::ref_matcher::{BranchModel, Branches, RefMatcher, matches_pattern};
use serde_json::{Value, json};
use standin::matchers::{Model, Verdict, matches, pattern};
use standin::{Options, REQUIRED_BUILDS_SUMMARY, StandIn, Step};

/// Numbers that look random and are the same in every run (xorshift).
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % sides as u64).expect("few sides")
    }

    fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.roll(of.len())]
    }

    fn some<'a>(&mut self, most: usize, of: &[&'a str]) -> Vec<&'a str> {
        (0..self.roll(most + 1)).map(|_| self.one(of)).collect()
    }

    fn branch(&mut self) -> String {
        let segments = [
            "main", "Main", "release", "feature", "hotfix", "a", "ab", "1.0", "x-1",
        ];
        let above = self.one(&["refs/heads/", "refs/heads/", "refs/heads/", "refs/tags/"]);
        let mut names = self.some(2, &segments);
        names.push(self.one(&segments));
        format!("{above}{}", names.join("/"))
    }

    fn pattern(&mut self) -> String {
        let pieces = [
            "main", "MAIN", "release", "feature", "a", "*", "**", "?", "?.?", "a*", "*b", "*a*",
            "m??n", "refs", "heads", "tags", "x-*", "{a}", "",
        ];
        let mut names = self.some(3, &pieces[..pieces.len() - 2]);
        // The last two decide nothing, so they are rare.
        names.push(match self.roll(12) {
            0 => self.one(&pieces),
            _ => self.one(&pieces[..pieces.len() - 2]),
        });
        let end = self.one(&["", "", "", "/"]);
        format!("{}{end}", names.join("/"))
    }

    /// A matcher as Bitbucket writes one; one in twelve is of a kind that nobody knows.
    fn matcher(&mut self) -> Value {
        let (kind, id) = match self.roll(12) {
            0 => ("ANY_REF", "ANY_REF_MATCHER_ID".to_owned()),
            1 | 2 => (
                "BRANCH",
                self.one(&[
                    "refs/heads/main",
                    "main",
                    "MAIN",
                    "heads/main",
                    "release",
                    "refs/heads/feature/igniter",
                ])
                .to_owned(),
            ),
            3..=7 => ("PATTERN", self.pattern()),
            8 => (
                "MODEL_BRANCH",
                self.one(&["development", "production"]).to_owned(),
            ),
            9 => (
                "MODEL_CATEGORY",
                self.one(&["FEATURE", "HOTFIX", "RELEASE", "BUGFIX"])
                    .to_owned(),
            ),
            10 => ("DEFAULT_BRANCH", String::new()),
            _ => (self.one(&["SOMETHING_NEW", "ANY_REF"]), "x".to_owned()),
        };
        json!({"id": id, "type": {"id": kind}})
    }
}

/// What nothing public tells of: bb says nothing then, which is always right.
fn is_unheard_of(matcher: &str) -> bool {
    matcher.contains("//")
}

fn verdict(found: Option<bool>) -> Verdict {
    match found {
        Some(true) => Verdict::Yes,
        Some(false) => Verdict::No,
        None => Verdict::Unknown,
    }
}

#[test]
fn patterns_mean_the_same_to_both() {
    let mut dice = Dice(0x5eed);
    let mut seen = [0; 3];
    for _ in 0..200_000 {
        let (wanted, branch) = (dice.pattern(), dice.branch());
        let found = verdict(matches_pattern(&wanted, &branch));
        if is_unheard_of(&wanted) {
            assert_eq!(found, Verdict::Unknown, "{wanted:?}");
            continue;
        }
        assert_eq!(found, pattern(&wanted, &branch), "{wanted:?} and {branch}");
        seen[found as usize] += 1;
    }
    assert!(seen.iter().all(|count| *count > 500), "{seen:?}");
}

#[test]
fn matchers_mean_the_same_to_both() {
    let mut dice = Dice(0xb17b);
    for _ in 0..50_000 {
        let categories = vec![
            ("FEATURE".to_owned(), "feature/".to_owned()),
            ("HOTFIX".to_owned(), "hot".to_owned()),
        ];
        let development = Some(dice.branch()).filter(|_| dice.roll(4) > 0);
        let production = Some(dice.branch()).filter(|_| dice.roll(2) > 0);
        let default = dice.branch();
        let theirs = Model {
            development: development.clone(),
            production: production.clone(),
            default_branch: Some(default.clone()),
            categories: categories.clone(),
        };
        let ours = Branches {
            model: Some(BranchModel {
                development,
                production,
                categories,
            }),
            default: Some(default),
        };
        let (matcher, branch) = (dice.matcher(), dice.branch());
        let id = matcher["id"].as_str().expect("a text").to_owned();
        if is_unheard_of(&id) {
            continue;
        }
        let read = match matcher["type"]["id"].as_str() {
            Some("ANY_REF") => RefMatcher::Any,
            Some("BRANCH") => RefMatcher::Branch(id),
            Some("PATTERN") => RefMatcher::Pattern(id),
            Some("MODEL_BRANCH") if id == "development" => RefMatcher::Development,
            Some("MODEL_BRANCH") => RefMatcher::Production,
            Some("MODEL_CATEGORY") => RefMatcher::Category(id),
            Some("DEFAULT_BRANCH") => RefMatcher::DefaultBranch,
            _ => RefMatcher::Unknown,
        };
        let found = verdict(read.matches(&branch, &ours));
        assert_eq!(
            found,
            matches(&matcher, &branch, &theirs),
            "{matcher} and {branch} with {ours:?}"
        );
    }
}

#[test]
fn the_card_says_what_the_merge_check_says() {
    let stand_in = StandIn::start(Options::default());
    let mut bb = rendering(&stand_in);
    let mut dice = Dice(0xca4d);
    let keys = ["ci/build", "ci/test", "CI/build", "ci"];
    let commit = stand_in.commit("igniter-3");
    let (mut silent, mut met, mut unmet) = (0, 0, 0);
    for _ in 0..250 {
        let conditions: Vec<Value> = (0..dice.roll(4))
            .map(|at| {
                let mut condition = json!({
                    "id": at,
                    "buildParentKeys": [dice.one(&keys), dice.one(&keys)],
                    "refMatcher": dice.matcher(),
                });
                if dice.roll(3) == 0 {
                    condition["exemptRefMatcher"] = dice.matcher();
                }
                if dice.roll(6) == 0 {
                    condition["requiredForPullRequest"] = json!(dice.roll(2) == 0);
                }
                condition
            })
            .collect();
        stand_in.step(Step::Conditions {
            repository: ROCKET.to_owned(),
            conditions: conditions.clone(),
        });
        stand_in.step(Step::ClearBuilds {
            commit: commit.clone(),
        });
        let mut builds = Vec::new();
        for at in 0..dice.roll(6) {
            let mut fields = json!({
                "key": format!("k{}", dice.roll(4)),
                "state": dice.one(&["SUCCESSFUL", "SUCCESSFUL", "SUCCESSFUL", "FAILED", "INPROGRESS", "CANCELLED"]),
                "url": format!("https://ci.example.com/{at}"),
            });
            if dice.roll(5) > 0 {
                fields["parent"] = json!(dice.one(&keys));
            }
            if dice.roll(2) == 0 {
                fields["ref"] = json!(dice.one(&["refs/heads/feature/igniter", "refs/heads/main"]));
            }
            builds.push(fields.clone());
            stand_in.step(Step::Build {
                repository: ROCKET.to_owned(),
                commit: commit.clone(),
                fields,
            });
        }
        // It has other vetoes too, so whatever bb makes of the builds, its own verdict stands.
        let facts = shown(&mut bb, 42)["facts"].clone();
        let vetoes = facts["merge_checks"]["vetoes"]
            .as_array()
            .expect("vetoes")
            .clone();
        let is_vetoed = vetoes
            .iter()
            .any(|veto| veto["summary"] == REQUIRED_BUILDS_SUMMARY);
        match facts["builds"]["required"].as_array() {
            None => silent += 1,
            Some(required) => {
                let is_unmet = required.iter().any(|one| one["met"] == false);
                let case =
                    json!({"conditions": conditions, "builds": builds, "required": required});
                assert_eq!(is_unmet, is_vetoed, "{case}");
                *(if is_unmet { &mut unmet } else { &mut met }) += 1;
            }
        }
    }
    assert!(
        met > 40 && unmet > 20 && silent < 140,
        "{met} met, {unmet} unmet, {silent} silent"
    );
}
