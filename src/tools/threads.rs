//! Comments and their threads as several tools answer them, in Bitbucket's names.
//!
//! A missing part is null here; [`crate::tool::answer`] leaves nulls out. Start reading at [`thread`].

use crate::domain::comment::{Comment, Thread};
use crate::tools::shapes;
use serde_json::{Value, json};

/// The most replies that are told of one thread; the rest is counted.
const MAX_REPLIES: usize = 100;

/// A thread: where it stands, how it stands, its first comment and the replies below it.
pub(super) fn thread(thread: &Thread) -> Value {
    let mut left = MAX_REPLIES;
    let mut value = comment(&thread.root, &mut left);
    let replies = thread.root.all().len() - 1;
    let resolved = thread.root.is_thread_resolved == Some(true);
    value["threadResolved"] = json!(Some(true).filter(|_| resolved));
    value["repliesNotShown"] = json!(Some(replies - (MAX_REPLIES - left)).filter(|n| *n > 0));
    let Some(anchor) = &thread.anchor else {
        return value;
    };
    let spot = thread.spot();
    value["path"] = json!(anchor.path);
    value["srcPath"] = json!(anchor.source_path);
    value["line"] = json!(spot.map(|(_, line)| line));
    value["side"] = json!(spot.map(|(side, _)| side.word()));
    value["startLine"] = json!(thread.first_line());
    value["outdated"] = json!(Some(true).filter(|_| anchor.is_outdated));
    value["commit"] = json!(anchor.commit);
    value
}

/// A comment with its replies, as many as are left.
fn comment(one: &Comment, left: &mut usize) -> Value {
    let mut replies = Vec::new();
    for reply in &one.replies {
        if *left == 0 {
            break;
        }
        *left -= 1;
        replies.push(comment(reply, left));
    }
    json!({
        "id": Some(one.id).filter(|id| *id > 0),
        "author": one.author.as_ref().map(shapes::person),
        "createdDate": shapes::time(one.created),
        "edited": Some(true).filter(|_| one.is_edited()),
        "text": one.text,
        "task": one.task.as_ref().map(|state| state.word()),
        "pending": Some(true).filter(|_| one.is_pending),
        "resolver": one.resolver.as_ref().map(shapes::person),
        "resolvedDate": shapes::time(one.resolved),
        "comments": Some(replies).filter(|replies| !replies.is_empty()),
    })
}

/// JSON Schema of [`thread`].
pub(super) fn schema() -> Value {
    let text = json!({"type": "string"});
    let number = json!({"type": "integer"});
    let truth = json!({"type": "boolean"});
    shapes::object(json!({
        "id": number, "author": text, "createdDate": text, "edited": truth, "text": text, "task": text,
        "pending": truth, "resolver": text, "resolvedDate": text, "threadResolved": truth,
        "comments": {"type": "array", "items": {"type": "object"}}, "repliesNotShown": number,
        "path": text, "srcPath": text, "line": number, "side": text, "startLine": number,
        "outdated": truth, "commit": text, "cut": truth,
    }))
}

#[cfg(test)]
mod tests;
