//! A measured number beside its bound, and how both are written.
//!
//! Never measures anything. Start at [`Reading`].

use std::fmt;
use std::time::Duration;

/// What a number counts.
#[derive(Clone, Copy)]
pub enum Unit {
    /// Milliseconds.
    Ms,
    /// How many times something else of the same run.
    Times,
    /// Bytes, written in full.
    Bytes,
    /// Bytes, written in KiB.
    KiB,
    /// Bytes, written in MiB.
    MiB,
    /// Things.
    Count,
}

/// One number, the most that it may be, and a few words on how it came about.
pub struct Reading {
    value: f64,
    at_most: f64,
    unit: Unit,
    detail: String,
}

/// Why a row has no number: what it measures is not there, or did not answer.
pub struct Missing(pub String);

impl Reading {
    /// A number in `unit` that may be `at_most`; `detail` stands behind it in the table.
    pub fn new(unit: Unit, value: f64, at_most: f64, detail: impl Into<String>) -> Self {
        Self {
            value,
            at_most,
            unit,
            detail: detail.into(),
        }
    }

    /// A size in bytes, written in `unit`.
    pub fn bytes(unit: Unit, bytes: usize, at_most: usize, detail: impl Into<String>) -> Self {
        #[expect(clippy::cast_precision_loss, reason = "sizes here are far below 2^52")]
        Self::new(unit, bytes as f64, at_most as f64, detail)
    }

    /// Whether the number is within its bound.
    pub fn holds(&self) -> bool {
        self.value <= self.at_most
    }

    /// The number as the table shows it.
    pub fn measured(&self) -> String {
        let number = written(self.unit, self.value);
        if self.detail.is_empty() {
            number
        } else {
            format!("{number} ({})", self.detail)
        }
    }

    /// Its bound as the table shows it.
    pub fn at_most(&self) -> String {
        written(self.unit, self.at_most)
    }
}

fn written(unit: Unit, value: f64) -> String {
    match unit {
        Unit::Ms => format!("{value:.2} ms"),
        Unit::Times => format!("{value:.2} x"),
        Unit::Bytes => format!("{value:.0} bytes"),
        Unit::KiB => format!("{:.1} KiB", value / 1024.0),
        Unit::MiB => format!("{:.2} MiB", value / 1024.0 / 1024.0),
        Unit::Count => format!("{value:.0}"),
    }
}

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A duration as the table counts it.
pub fn ms(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1000.0
}

/// The middle one of some durations: at least one of them.
pub fn median(mut durations: Vec<Duration>) -> Duration {
    durations.sort_unstable();
    durations
        .get(durations.len() / 2)
        .copied()
        .expect("there is at least one")
}
