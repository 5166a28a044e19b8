//! `refresh_view`: the same as `show`, for a view that may hold it already.
//!
//! Never sends again what the view draws: the fingerprint that it holds tells. Start reading at [`refresh`].

use crate::show::drawing;
use crate::show::kinds::Kind;
use crate::show::{Outcome, Reading, draw, now};

/// Reads what `kind` draws, and draws it unless `held` is its fingerprint.
pub fn refresh(kind: &Kind, reading: &Reading, held: Option<&str>) -> Outcome {
    let read_at = now();
    let gathered = match (kind.gather)(reading) {
        Ok(gathered) => gathered,
        Err(error) => return Outcome::error(&error),
    };
    let fingerprint = drawing::fingerprint(&gathered.facts, reading.offers);
    if held == Some(fingerprint.as_str()) {
        return Outcome {
            view: Some(drawing::unchanged(
                read_at,
                gathered.motion,
                reading.retry_after_ms(),
            )),
            is_unchanged: true,
            ..Outcome::text("Nothing has changed.")
        };
    }
    draw(kind, reading, gathered, fingerprint, read_at)
}
