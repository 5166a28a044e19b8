//! The one door: what each call passes before it runs, and what is recorded of it.
//!
//! Never talks JSON-RPC and never words a question. Start reading at `Catalog::pass`.

use crate::catalog::Catalog;
use crate::catalog::audit::{self, Entry, OnFailure};
use crate::catalog::confirm::{Confirmation, Verdict};
use crate::catalog::views::{self, End, ViewTool};
use crate::log::LogLevel;
use crate::mcp::calls::Handle;
use crate::mcp::error::RpcError;
use crate::mcp::server::ToolCall;
use crate::mcp::wire::{CallResult, Reply};
use crate::tool::answer::Answer;
use crate::tool::args::Input;
use crate::tool::outcome::{self, Outcome, Problem};
use crate::tool::{Call, Effect, Tool};

/// What is made of a tool's answer.
pub type Shape<'a> = &'a dyn Fn(&Answer) -> CallResult;

/// The text alone, as bb's own tools answer.
pub(super) fn as_text(answer: &Answer) -> CallResult {
    CallResult::text(answer.text())
}

impl Catalog {
    /// Takes a call of a tool through the door; what it came to is `None` where nothing more may be recorded.
    pub(super) fn pass(
        &self,
        tool: &'static Tool,
        mut call: ToolCall,
        handle: &Handle,
        entry: &mut Entry,
        shape: Shape,
    ) -> (Result<Reply, RpcError>, Option<audit::Outcome>) {
        let scope = self.exposure.scope();
        scope.fill(tool.target, tool.reach, &mut call.arguments);
        entry.arguments = audit::kept(tool, &call.arguments);
        let given = std::mem::take(&mut call.arguments);
        let input = match Input::read(given, tool.target, tool.args, self.bitbucket.base()) {
            Ok(input) => input,
            Err(problems) => {
                let result = CallResult::error(refusal(tool, &problems));
                let result = told(tool, result, || Outcome::of_problems(&problems));
                return (Ok(result.into()), Some(audit::Outcome::Failed));
            }
        };
        entry.arguments = audit::kept(tool, input.values());
        let stopped = |why: String, outcome| (Ok(stop(tool, why).into()), outcome);
        if let Err(why) = scope.admits(tool.reach, &input, self.bitbucket.base()) {
            let why = format!("{} was not called: {why}", tool.name);
            return stopped(why, Some(audit::Outcome::Refused));
        }
        let bitbucket = self
            .bitbucket
            .by(self.bitbucket.http().recording(entry.sent.clone()));
        let mut ready = Call {
            bitbucket: &bitbucket,
            input: &input,
            cancel: &handle.cancel,
            shown: None,
            may_write_to: &|place| scope.holds(place),
            step: &|what| handle.step(what),
        };
        match self.ask(tool, &call, handle, entry, &ready) {
            Ok(shown) => ready.shown = shown,
            Err((reply, outcome)) => return (reply, Some(outcome)),
        }
        if handle.cancel.is_cancelled() {
            let why = format!("{} did not run: the call was cancelled", tool.name);
            return stopped(why, Some(audit::Outcome::Cancelled));
        }
        if !tool.effect.is_reading() {
            if let Err(why) = entry.note(audit::Outcome::Started) {
                self.log.line(LogLevel::Error, &unrecorded(tool.name, &why));
                if self.audit.on_failure() == OnFailure::Deny {
                    let why = format!(
                        "{} did not run: bb could not record that it begins, since {why} (--audit-file). Whoever \
                         runs bb must mend that first",
                        tool.name
                    );
                    return stopped(why, None);
                }
            }
        }
        let answer = (tool.run)(&ready);
        if !tool.effect.is_reading() {
            self.views.written(ready.input);
        }
        let (result, outcome) = match answer {
            Ok(answer) => (
                told(tool, shape(&answer), || {
                    answer.outcome().cloned().unwrap_or_default()
                }),
                audit::Outcome::Done,
            ),
            Err(error) => (
                told(tool, CallResult::error(error.to_string()), || {
                    error.outcome()
                }),
                match handle.cancel.is_cancelled() {
                    true => audit::Outcome::Cancelled,
                    false => audit::Outcome::Failed,
                },
            ),
        };
        (Ok(result.into()), Some(outcome))
    }

    /// Takes a call of a view's tool through the door: it reads, so nobody is asked. A poll that finds nothing new
    /// is not recorded.
    pub(super) fn pass_view(
        &self,
        tool: ViewTool,
        call: ToolCall,
        handle: &Handle,
        entry: &mut Entry,
    ) -> (Result<Reply, RpcError>, Option<audit::Outcome>) {
        let (scope, way) = (self.exposure.scope(), &self.bitbucket);
        entry.arguments = self.views.kept(tool, &call.arguments);
        let (outcome, end) = self
            .views
            .call(tool, call.arguments, scope, way, handle, entry);
        let end = match end {
            End::Ran if outcome.is_unchanged => None,
            End::Ran if !outcome.is_error => Some(audit::Outcome::Done),
            End::Ran if handle.cancel.is_cancelled() => Some(audit::Outcome::Cancelled),
            End::Ran => Some(audit::Outcome::Failed),
            End::OutOfScope => Some(audit::Outcome::Refused),
        };
        (Ok(views::result(outcome).into()), end)
    }

    /// Asks the person where the call asks. Gives the version that they were shown, or what the call comes to
    /// instead of running.
    fn ask(
        &self,
        tool: &Tool,
        call: &ToolCall,
        handle: &Handle,
        entry: &mut Entry,
        ready: &Call,
    ) -> Result<Option<i64>, (Result<Reply, RpcError>, audit::Outcome)> {
        let about = match tool.effect {
            Effect::Reads => None,
            Effect::Writes { asks, .. } => asks.before(ready.input),
        };
        let Some(about) = about else {
            return Ok(None);
        };
        if self.confirm.is_off() {
            entry.confirmation = Confirmation::Off;
            return Ok(None);
        }
        let put = self
            .confirm
            .put(tool, ready.input, call, handle, || about(ready));
        let (verdict, confirmation) = put.map_err(|error| {
            let result = CallResult::error(error.to_string());
            let result = told(tool, result, || error.outcome());
            (Ok(result.into()), audit::Outcome::Failed)
        })?;
        entry.confirmation = confirmation;
        let stopped = |why: String| Ok(stop(tool, why).into());
        Err(match verdict {
            Verdict::Run(shown) => return Ok(shown),
            Verdict::Ask(reply) => (Ok(reply), audit::Outcome::Asked),
            Verdict::NoQuestion(why) => (stopped(why), audit::Outcome::Failed),
            Verdict::Stop(why) => {
                let outcome = match confirmation {
                    Confirmation::Declined | Confirmation::Unticked => audit::Outcome::Declined,
                    Confirmation::Cancelled => audit::Outcome::Cancelled,
                    _ => audit::Outcome::Refused,
                };
                (stopped(why), outcome)
            }
            Verdict::CannotAsk(_) if handle.caller.version.is_modern() => (
                Err(RpcError::missing_elicitation()),
                audit::Outcome::Refused,
            ),
            Verdict::CannotAsk(why) => {
                let why = format!(
                    "{} did not run: {why}. The person can do it in Bitbucket, at {}, or start bb with --no-confirm \
                     if their client itself asks before each call",
                    tool.name,
                    self.page_of(ready.input),
                );
                (stopped(why), audit::Outcome::Refused)
            }
        })
    }

    /// Where a person sees what a call is about.
    fn page_of(&self, input: &Input) -> String {
        let base = self.bitbucket.base();
        match (input.pull_request(), input.repository()) {
            (Some(id), _) => {
                base.pull_request_page(&id.repository.project, &id.repository.slug, id.number)
            }
            (None, Some(place)) => base.repository_page(&place.project, &place.slug),
            (None, None) => base.to_string(),
        }
    }

    /// Closes the record of a call, and says so where that cannot be done.
    pub(super) fn record(
        &self,
        entry: Entry,
        outcome: audit::Outcome,
        (name, is_write): (&str, bool),
        reply: Result<Reply, RpcError>,
    ) -> Result<Reply, RpcError> {
        let Err(why) = entry.close(outcome) else {
            return reply;
        };
        self.log.line(LogLevel::Error, &unrecorded(name, &why));
        if self.audit.on_failure() == OnFailure::Warn {
            return reply;
        }
        self.audit.forbid(&why);
        match reply {
            Ok(Reply::Complete(mut result)) if is_write || result.is_error => {
                let what = match outcome {
                    audit::Outcome::Done => "This was done, but not recorded",
                    _ => "This was not recorded",
                };
                result.text = format!(
                    "{}\n{what}: {why} (--audit-file). bb takes no more calls until that is mended and it is \
                     started anew.",
                    result.text
                );
                Ok(result.into())
            }
            // What nobody could see in the record is not handed out.
            Ok(_) => Ok(CallResult::error(format!(
                "{name} has no answer, because it could not be recorded: {why} (--audit-file). bb takes no more calls \
                 until that is mended and it is started anew."
            ))
            .into()),
            Err(error) => Err(error),
        }
    }
}

fn unrecorded(tool: &str, why: &str) -> String {
    format!("cannot record {tool}: {why} (--audit-file)")
}

/// A call that did not run, for a reason that its text tells.
fn stop(tool: &Tool, why: String) -> CallResult {
    told(tool, CallResult::error(&why), || {
        Outcome::failed(vec![Problem::general(why)])
    })
}

/// Adds what a page is told, where a tool writes.
fn told(tool: &Tool, mut result: CallResult, outcome: impl FnOnce() -> Outcome) -> CallResult {
    if !tool.effect.is_reading() {
        result
            .meta
            .insert(outcome::META.to_owned(), outcome().json());
    }
    result
}

/// What the model is told of arguments that cannot be used: each problem, and arguments that can.
fn refusal(tool: &Tool, problems: &[String]) -> String {
    format!(
        "{} was not called: {}. Example: {}",
        tool.name,
        problems.join("; "),
        tool.example
    )
}
