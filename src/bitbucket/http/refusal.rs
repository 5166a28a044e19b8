//! An answer that is not what was asked for: why not.
//!
//! Never believes a content type alone, never an answer that claims to be JSON and is HTML, and never passes on
//! words before bb's own credentials are hidden in them: a gateway may repeat the request.
//! Start reading at [`of`].

use super::answer::Answer;
use super::request::Takes;
use super::retry;
use crate::bitbucket::address::BaseUrl;
use crate::bitbucket::error::{Messages, SignedInWith, Stranger, Why};
use crate::clean;

/// The most characters shown of a document that is not Bitbucket's.
const MAX_BEGINS_CHARS: usize = 120;

/// Why `answer` is not what was asked for; `None` if it is.
pub(super) fn of(
    base: &BaseUrl,
    answer: &Answer,
    takes: Takes,
    signed_in_with: SignedInWith,
) -> Option<Why> {
    let status = answer.status();
    if (200..300).contains(&status) {
        return match takes {
            Takes::Anything => None,
            Takes::Json => stranger(answer).map(Why::NotBitbucket),
        };
    }
    let said = Messages::read(answer.bytes(), &|text| answer.hide(text))
        .map(|said| said.with_own_links(&|link| base.has(link)));
    if said.is_none() && is_html(answer) && !matches!(status, 401 | 403 | 429) && status < 500 {
        return Some(Why::NotBitbucket(html(answer)));
    }
    let said = said.unwrap_or_else(|| other_words(answer));
    Some(match status {
        401 if is_captcha(answer) => Why::Captcha,
        401 => match answer.user() {
            None => Why::NotSignedIn {
                signed_in_with,
                said,
            },
            user => Why::NotAllowed { status, user, said },
        },
        403 => Why::NotAllowed {
            status,
            user: answer.user(),
            said,
        },
        404 => Why::NotFound(said),
        409 => Why::Conflict(said),
        429 => Why::RateLimited {
            retry_after: retry::seconds(answer.header("retry-after")),
        },
        500.. => Why::ServerFault { status, said },
        400..=499 => Why::BadRequest { status, said },
        _ => Why::NotBitbucket(document(answer)),
    })
}

/// Source: the header that Atlassian's products answer with after too many failed passwords.
fn is_captcha(answer: &Answer) -> bool {
    let reason = answer
        .header("x-authentication-denied-reason")
        .unwrap_or_default();
    reason.to_ascii_uppercase().contains("CAPTCHA")
}

fn stranger(answer: &Answer) -> Option<Stranger> {
    let first = answer.bytes().iter().find(|b| !b.is_ascii_whitespace())?;
    let is_json_type = match answer.content_type() {
        Some(kind) => kind == "application/json" || kind.ends_with("+json"),
        None => matches!(first, b'{' | b'['),
    };
    if is_html(answer) {
        Some(html(answer))
    } else if is_json_type && *first != b'<' {
        None
    } else {
        Some(document(answer))
    }
}

fn is_html(answer: &Answer) -> bool {
    let kind = answer.content_type().unwrap_or_default();
    if kind == "text/html" || kind == "application/xhtml+xml" {
        return true;
    }
    let start = &answer.bytes()[..answer.bytes().len().min(200)];
    let start = String::from_utf8_lossy(start)
        .trim_start()
        .to_ascii_lowercase();
    start.starts_with("<!doctype html") || start.starts_with("<html")
}

fn html(answer: &Answer) -> Stranger {
    Stranger::Html {
        status: answer.status(),
        title: title(answer),
    }
}

fn document(answer: &Answer) -> Stranger {
    let start = &answer.bytes()[..answer.bytes().len().min(4 * MAX_BEGINS_CHARS)];
    let is_text = std::str::from_utf8(start).is_ok_and(|text| !text.contains('\0'))
        || answer
            .content_type()
            .is_some_and(|kind| kind.starts_with("text/"));
    let begins = if is_text {
        let text = answer.hide(&String::from_utf8_lossy(answer.bytes()));
        clean::line(&text, MAX_BEGINS_CHARS)
    } else {
        String::new()
    };
    Stranger::Document {
        status: answer.status(),
        content_type: answer.content_type().map(|kind| clean::line(&kind, 80)),
        begins,
    }
}

/// The words of a refusal that has no JSON: a page's title, or a text's first line.
fn other_words(answer: &Answer) -> Messages {
    if is_html(answer) {
        return match title(answer) {
            Some(title) => Messages::words(&format!("an HTML page titled `{title}`")),
            None => Messages::default(),
        };
    }
    match document(answer) {
        // JSON without Bitbucket's `errors` is nothing that a person reads.
        Stranger::Document { content_type, .. }
            if content_type.as_deref() == Some("application/json") =>
        {
            Messages::default()
        }
        Stranger::Document { begins, .. } => Messages::words(&begins),
        _ => Messages::default(),
    }
}

/// The title of an HTML page, cleaned.
fn title(answer: &Answer) -> Option<String> {
    /// A page whose title comes later than this has none for us.
    const MAX_LOOK_BYTES: usize = 64 * 1024;
    let html = answer.bytes();
    let text = String::from_utf8_lossy(&html[..html.len().min(MAX_LOOK_BYTES)]);
    let lower = text.to_ascii_lowercase();
    let open = lower.find("<title")?;
    let from = open + lower[open..].find('>')? + 1;
    let to = from + lower[from..].find("</title")?;
    let title = ["&lt;<", "&gt;>", "&quot;\"", "&#39;'", "&amp;&"]
        .iter()
        .fold(text[from..to].to_owned(), |text, pair| {
            let (name, sign) = pair.split_at(pair.len() - 1);
            text.replace(name, sign)
        });
    let title = clean::line(&answer.hide(&title), 80);
    (!title.is_empty()).then_some(title)
}
