//! Asking the person as one table: what they or their client did, in both eras, what the record calls it, and that
//! only one row runs.
//!
//! What each is told in words is in `confirm`. An answer that comes too late needs a clock that a test can move:
//! `src/catalog/confirm/tests.rs` has that row.

use crate::audit::{flags, told, trail};
use crate::confirm::{agreed, arguments, asked, call_modern, can_ask, created, legacy};
use crate::support::{Bb, modern};
use serde_json::{Value, json};
use standin::{Options, StandIn};

/// What comes back for a question.
#[derive(Clone, Copy, Debug)]
enum Back {
    Accepted,
    Declined,
    Cancelled,
    Unticked,
    /// The client cannot ask.
    NoCapability,
    /// An agreement to a question that bb never asked.
    Forged,
    /// The agreement that was used once.
    Replayed,
    /// The agreement to other arguments.
    Altered,
}

/// The last line of the record, and how many tags were made.
type End = (&'static str, usize);

/// What came back, then the end of it before MCP 2026-07-28 and since.
const TABLE: [(Back, End, End); 8] = {
    use Back::{Accepted, Altered, Cancelled, Declined, Forged, NoCapability, Replayed, Unticked};
    let unused = ("declined declined", 0);
    [
        (Accepted, ("done accepted", 1), ("done accepted", 1)),
        (Declined, ("declined declined", 0), ("declined declined", 0)),
        (
            Cancelled,
            ("cancelled cancelled", 0),
            ("cancelled cancelled", 0),
        ),
        (Unticked, ("declined unticked", 0), ("declined unticked", 0)),
        (
            NoCapability,
            ("refused no_capability", 0),
            ("refused no_capability", 0),
        ),
        // Before 2026-07-28 an answer belongs to the one question with its id, and the call waits for that: an answer
        // to nothing is passed over, and the next question is asked anew.
        (Forged, unused, ("refused forged", 0)),
        (Replayed, ("declined declined", 1), ("refused replayed", 1)),
        (Altered, unused, ("refused altered", 0)),
    ]
};

fn answer(back: Back) -> Value {
    match back {
        Back::Declined => json!({"action": "decline"}),
        Back::Cancelled => json!({"action": "cancel"}),
        Back::Unticked => json!({"action": "accept", "content": {"confirm": false}}),
        _ => agreed(),
    }
}

fn renamed() -> Value {
    let mut other = arguments();
    other["name"] = json!("v0");
    other
}

/// Asks as a client before 2026-07-28 does; gives the call's id and the question's.
fn ask(bb: &mut Bb, arguments: Value) -> (u64, Value) {
    let params = json!({"name": "create_tag", "arguments": arguments});
    let id = bb.request("tools/call", params);
    (id, bb.next()["id"].clone())
}

fn reply(bb: &mut Bb, question: &Value, answer: Value) {
    bb.send(&json!({"jsonrpc": "2.0", "id": question, "result": answer}));
}

fn in_legacy(bb: &mut Bb, back: Back) {
    let no = json!({"action": "decline"});
    match back {
        Back::NoCapability => {
            bb.failure("create_tag", arguments());
        }
        Back::Forged => {
            let (id, question) = ask(bb, arguments());
            reply(bb, &json!("bb-99"), agreed());
            reply(bb, &question, no);
            bb.answer(id);
        }
        Back::Replayed | Back::Altered => {
            let (id, first) = ask(bb, arguments());
            let before = match back {
                Back::Replayed => agreed(),
                _ => no.clone(),
            };
            reply(bb, &first, before);
            bb.answer(id);
            // The next call has a question of its own, which the old one's answer does not reach.
            let (id, second) = ask(bb, renamed());
            assert_ne!(first, second);
            reply(bb, &first, agreed());
            reply(bb, &second, no);
            bb.answer(id);
        }
        _ => {
            let (id, question) = ask(bb, arguments());
            reply(bb, &question, answer(back));
            bb.answer(id);
        }
    }
}

fn in_modern(bb: &mut Bb, back: Back) {
    if matches!(back, Back::NoCapability) {
        let meta = modern(json!({}));
        let params = json!({"name": "create_tag", "arguments": arguments(), "_meta": meta});
        let refused = bb.ask("tools/call", params);
        assert_eq!(refused["error"]["code"], -32021);
        return;
    }
    let (mut state, _) = asked(&call_modern(bb, arguments(), json!({})));
    let mut arguments = arguments();
    match back {
        Back::Forged => state.push('A'),
        Back::Altered => arguments = renamed(),
        _ => {}
    }
    let more = json!({"requestState": state, "inputResponses": {"confirm": answer(back)}});
    call_modern(bb, arguments.clone(), more.clone());
    if matches!(back, Back::Replayed) {
        call_modern(bb, arguments, more);
    }
}

#[test]
fn only_what_the_person_agreed_to_runs_and_each_other_end_is_told_apart() {
    for (back, before, since) in TABLE {
        let can = match back {
            Back::NoCapability => json!({}),
            _ => can_ask(),
        };
        for (era, (line, tags)) in [("legacy", before), ("modern", since)] {
            let stand_in = StandIn::start(Options::default());
            let path = trail(&format!("matrix-{era}-{back:?}"));
            let mut bb = legacy(&stand_in, "2025-11-25", can.clone(), &flags(&path));
            match era {
                "legacy" => in_legacy(&mut bb, back),
                _ => in_modern(&mut bb, back),
            }
            let record = told(&path);
            let what = format!("{era}, {back:?}: {record:?}");
            assert_eq!(record.last().map(String::as_str), Some(line), "{what}");
            assert_eq!(created(&stand_in), tags, "{what}");
        }
    }
}
