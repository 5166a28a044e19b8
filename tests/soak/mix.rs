//! What is asked: a mix of every tool that reads, every kind of view, a few writes, and calls that cannot succeed.
//!
//! Walks the catalogue, so a new tool is in the mix at once. Start at [`Mix::new`].

use bb::catalog::TOOLS;
use bb::show::kinds::KINDS;
use serde_json::{Value, json};
use standin::StandIn;

/// Numbers that are the same for the same seed.
pub struct Numbers(u64);

impl Numbers {
    /// Any seed but 0, which would give nothing but zeros.
    pub fn new(seed: usize) -> Self {
        Self((seed.max(1) as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15))
    }

    /// A number below `bound`; 0 if that is 0.
    pub fn below(&mut self, bound: usize) -> usize {
        // Xorshift, by its published triple of shifts.
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 1).unwrap_or_default() % bound.max(1)
    }
}

/// The calls to choose from.
pub struct Mix {
    common: Vec<(&'static str, Value)>,
    /// One in [`RARE`]: what adds to the world would slow the stand-in, not bb.
    rare: Vec<(&'static str, Value)>,
}

const RARE: usize = 200;

impl Mix {
    /// The mix for a stand-in's world.
    pub fn new(standin: &StandIn) -> Self {
        let commit = standin.commit("igniter-3");
        let example = |text: &str| -> Value {
            let mut arguments: Value = serde_json::from_str(text).expect("an example is JSON");
            if arguments.get("commit_id").is_some() {
                // An example's commit is nobody's.
                arguments["commit_id"] = json!(commit);
            }
            arguments
        };
        let reading = TOOLS.iter().filter(|tool| tool.effect.is_reading());
        let mut common: Vec<(&'static str, Value)> = reading
            .map(|tool| (tool.name, example(tool.example)))
            .collect();
        for kind in KINDS {
            let show = example(kind.example);
            common.push(("refresh_view", json!({"show": show, "fingerprint": "none"})));
            common.push(("show", show));
        }
        let rocket = |id: u64| json!({"project": "ACME", "repo": "rocket", "id": id});
        common.extend([
            // Bitbucket does not have it, bb does not take it, nobody offers it.
            ("get_pull_request", rocket(4_000_000)),
            ("get_pull_request", json!({"project": "ACME", "id": "many"})),
            ("no_such_tool", json!({})),
        ]);
        let mut comment = rocket(42);
        comment["text"] = json!("Once more.");
        let mut build = example(
            r#"{"project":"ACME","repo":"rocket","commit_id":"","key":"SOAK","state":"INPROGRESS","url":"https://ci.example.com/1"}"#,
        );
        build["name"] = json!("soak");
        let rare = vec![("add_pr_comment", comment), ("set_build_status", build)];
        Self { common, rare }
    }

    /// One of them.
    pub fn pick(&self, numbers: &mut Numbers) -> &(&'static str, Value) {
        let from = match numbers.below(RARE) {
            0 => &self.rare,
            _ => &self.common,
        };
        &from[numbers.below(from.len())]
    }
}
