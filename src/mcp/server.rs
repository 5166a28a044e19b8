//! The method table, and the loop that reads one line after the other.
//!
//! Quick methods are answered here, on the reading thread, so that none waits behind a slow call; every
//! `tools/call` gets a thread of its own. Never keeps anything of a conversation but what `initialize`
//! said. Start reading at [`serve`].

use crate::mcp::caller::{Caller, UI_EXTENSION, Version};
use crate::mcp::calls::batch::{Batch, Sink};
use crate::mcp::calls::{Calls, Handle, Start};
use crate::mcp::error::{
    INTERNAL_ERROR, INVALID_PARAMS, INVALID_REQUEST, METHOD_NOT_FOUND, RESOURCE_NOT_FOUND, RpcError,
};
use crate::mcp::lines::{Line, Lines, MAX_LINE_BYTES, Writer};
use crate::mcp::message::{self, Content, Flaw, Id, Message, Notification, Request};
use crate::mcp::wire::{
    About, Keep, Page, Reply, Resource, Tool, answer, dressed, initialized, replied,
};
use serde_json::{Map, Value, json};
use std::io::{self, BufRead, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::time::Duration;

/// What is written when the input ends has this long to leave.
const LAST_LINES: Duration = Duration::from_secs(2);

/// A list or a page changes only with the program, so a client may keep it for a day.
const KEPT: Keep = Keep {
    ttl_ms: 24 * 60 * 60 * 1000,
    is_public: true,
};

/// What a server offers: the product behind the protocol.
pub trait Service: Send + Sync + 'static {
    /// Its names, and what the model reads first.
    fn about(&self) -> About;
    /// Every tool, in one order, the same for every caller.
    fn tools(&self) -> Vec<Tool>;
    /// The resources that are listed.
    fn resources(&self) -> Vec<Resource>;
    /// The page at an address, listed or not.
    fn page(&self, uri: &str) -> Option<Page>;
    /// Runs a tool, on a thread of the call's own.
    ///
    /// # Errors
    /// There is no such tool, or the client cannot do what the call needs. What the model can fix is a
    /// [`Reply`] instead.
    fn call(&self, call: ToolCall, handle: &Handle) -> Result<Reply, RpcError>;
}

/// A `tools/call` as it came.
#[derive(Clone, Debug, Default)]
pub struct ToolCall {
    /// The tool.
    pub name: String,
    /// Absent and null are an empty object.
    pub arguments: Map<String, Value>,
    /// The client's answers to questions that an earlier answer carried (from MCP 2026-07-28 on).
    pub input_responses: Option<Map<String, Value>>,
    /// What that answer gave the client to bring back: to be trusted only once it is proven bb's own.
    pub request_state: Option<String>,
}

/// Serves until the input ends and what is in flight has answered. `on_closed` runs on the writing thread
/// when nothing can be written any more, and is told why: a broken pipe where the client reads no more.
///
/// # Errors
/// A phrase that ends one about serving: no thread can be had, or the input cannot be read; what was in flight has
/// answered then all the same.
pub fn serve(
    service: Arc<dyn Service>,
    input: impl BufRead,
    output: impl Write + Send + 'static,
    on_closed: impl FnOnce(io::Error) + Send + 'static,
) -> Result<(), String> {
    let no_thread = |error: io::Error| format!("cannot start the threads that serve: {error}");
    let (writer, thread) = Writer::start(output, on_closed).map_err(no_thread)?;
    let calls = Calls::new(writer.clone()).map_err(no_thread)?;
    let mut server = Server {
        about: service.about(),
        tools: json!(service.tools()),
        service,
        calls,
        writer: writer.clone(),
        caller: Caller::SILENT,
    };
    let mut lines = Lines::new(input);
    let ended = loop {
        match lines.read() {
            Ok(Some(line)) => server.take(&line),
            Ok(None) => break Ok(()),
            Err(error) => break Err(format!("cannot read from stdin: {error}")),
        }
    };
    server.calls.drain();
    writer.end();
    // A client that reads nothing holds the writing thread, but not the process.
    let (done, is_done) = channel();
    let waiter = std::thread::Builder::new().name("bb-last-lines".to_owned());
    let join = move || {
        let _ = thread.join();
        let _ = done.send(());
    };
    waiter.spawn(join).map_err(no_thread)?;
    let _ = is_done.recv_timeout(LAST_LINES);
    ended
}

struct Server {
    service: Arc<dyn Service>,
    about: About,
    /// Written once: it is the same for every caller.
    tools: Value,
    calls: Arc<Calls>,
    writer: Writer,
    /// What `initialize` said, for requests without metadata of their own.
    caller: Caller,
}

/// What a method comes to, before it is written.
enum Outcome {
    /// A result, and how long a modern client may keep it.
    Answer(Map<String, Value>, Option<Keep>),
    /// The handshake's result, which no revision dresses.
    Handshake(Value),
    /// Nothing yet: a thread, or the end of input, will answer.
    Later,
}

impl Server {
    fn take(&mut self, line: &Line) {
        let text = match line {
            Line::Text(text) => *text,
            Line::TooLong => {
                let why = format!("the line is over {MAX_LINE_BYTES} bytes");
                return self
                    .writer
                    .send(answer(None, Err(RpcError::new(INVALID_REQUEST, why))));
            }
        };
        match message::read(text) {
            Content::One(message) => self.handle(message, text.len(), &Sink::Pipe),
            Content::Batch(messages) => self.take_batch(messages, text.len()),
        }
    }

    fn take_batch(&mut self, messages: Vec<Result<Message, Flaw>>, bytes: usize) {
        let refusal = if self.caller.version != Version::V2025_03_26 {
            "batches belong to MCP 2025-03-26 alone; send one message a line"
        } else if messages.is_empty() {
            "a batch holds at least one message"
        } else {
            let batch = Batch::new(messages.len());
            // Each member counts with its share of the line, for the bound on what waits.
            let share = bytes / messages.len();
            for message in messages {
                self.handle(message, share, &Sink::Batch(Arc::clone(&batch)));
            }
            return;
        };
        self.writer
            .send(answer(None, Err(RpcError::new(INVALID_REQUEST, refusal))));
    }

    fn handle(&mut self, message: Result<Message, Flaw>, bytes: usize, sink: &Sink) {
        let line = match message {
            Ok(Message::Request(request)) => {
                let id = request.id.clone();
                match self.request(request, bytes, sink) {
                    Ok((Outcome::Answer(result, keep), caller)) => Some(answer(
                        Some(&id),
                        Ok(dressed(result, &caller, &self.about, keep)),
                    )),
                    Ok((Outcome::Handshake(result), _)) => Some(answer(Some(&id), Ok(result))),
                    Ok((Outcome::Later, _)) => return,
                    Err(error) => Some(answer(Some(&id), Err(error))),
                }
            }
            Ok(Message::Notification(notification)) => {
                self.notice(&notification);
                None
            }
            Ok(Message::Response(response)) => {
                self.calls.answered(response);
                None
            }
            Err(flaw) => Some(answer(flaw.id.as_ref(), Err(flaw.error))),
        };
        sink.clone().deliver(&self.writer, line);
    }

    fn notice(&self, notification: &Notification) {
        // Every other notification tells something that bb does not keep.
        if notification.method == "notifications/cancelled" {
            let id = match notification.params.get("requestId") {
                Some(Value::String(text)) => Id::Text(text.clone()),
                Some(Value::Number(number)) => Id::Number(number.to_string()),
                _ => return,
            };
            self.calls.cancel(&id);
        }
    }

    fn request(
        &mut self,
        request: Request,
        bytes: usize,
        sink: &Sink,
    ) -> Result<(Outcome, Caller), RpcError> {
        if request.method == "initialize" {
            return self.initialize(&request, sink);
        }
        let caller = match Caller::from_meta(&request.params) {
            Ok(caller) => caller.unwrap_or(self.caller),
            // A ping asks whether somebody is there, whatever else is wrong with it.
            Err(_) if request.method == "ping" => self.caller,
            Err(error) => return Err(error),
        };
        let outcome = match request.method.as_str() {
            "ping" => Outcome::Answer(Map::new(), None),
            "server/discover" => return Ok(self.discover(caller)),
            "tools/list" => self.one_page(&request.params, "tools", self.tools.clone())?,
            "tools/call" => self.call(request, caller, bytes, sink)?,
            "resources/list" => self.one_page(
                &request.params,
                "resources",
                json!(self.service.resources()),
            )?,
            "resources/templates/list" => {
                self.one_page(&request.params, "resourceTemplates", json!([]))?
            }
            "resources/read" => self.read(&request.params, caller)?,
            "subscriptions/listen" if caller.version.is_modern() => {
                if matches!(sink, Sink::Batch(_)) {
                    let why = "`subscriptions/listen` cannot be part of a batch";
                    return Err(RpcError::new(INVALID_REQUEST, why));
                }
                self.listen(request.id, caller)
            }
            unknown => {
                return Err(RpcError::new(
                    METHOD_NOT_FOUND,
                    format!("bb has no method `{}`", unknown.escape_debug()),
                ));
            }
        };
        Ok((outcome, caller))
    }

    fn initialize(
        &mut self,
        request: &Request,
        sink: &Sink,
    ) -> Result<(Outcome, Caller), RpcError> {
        if matches!(sink, Sink::Batch(_)) {
            return Err(RpcError::new(
                INVALID_REQUEST,
                "`initialize` cannot be part of a batch",
            ));
        }
        self.caller = Caller::from_initialize(&request.params)?;
        let result = initialized(&self.caller, &self.about, capabilities());
        Ok((Outcome::Handshake(result), self.caller))
    }

    /// A client that probes may not know yet that this method wants metadata, so none is asked for.
    fn discover(&self, mut caller: Caller) -> (Outcome, Caller) {
        caller.version = Version::V2026_07_28;
        let mut result = Map::new();
        result.insert(
            "supportedVersions".to_owned(),
            json!([Version::V2026_07_28.name()]),
        );
        result.insert("capabilities".to_owned(), capabilities());
        result.insert("instructions".to_owned(), json!(self.about.instructions));
        (Outcome::Answer(result, Some(KEPT)), caller)
    }

    fn one_page(
        &self,
        params: &Map<String, Value>,
        name: &str,
        entries: Value,
    ) -> Result<Outcome, RpcError> {
        if params.get("cursor").is_some_and(|cursor| !cursor.is_null()) {
            return Err(RpcError::invalid_params(
                "unknown cursor: the list is on one page, ask for it without one",
            ));
        }
        let mut result = Map::new();
        result.insert(name.to_owned(), entries);
        Ok(Outcome::Answer(result, Some(KEPT)))
    }

    fn read(&self, params: &Map<String, Value>, caller: Caller) -> Result<Outcome, RpcError> {
        let Some(Value::String(uri)) = params.get("uri") else {
            return Err(RpcError::invalid_params(
                "`uri` is missing: it must be a resource's address",
            ));
        };
        let Some(page) = self.service.page(uri) else {
            return Err(RpcError {
                code: if caller.version.is_modern() {
                    INVALID_PARAMS
                } else {
                    RESOURCE_NOT_FOUND
                },
                message: "there is no resource at this address".to_owned(),
                data: Some(json!({"uri": uri})),
            });
        };
        let Page {
            text,
            mime_type,
            meta,
            is_public,
        } = page;
        let contents = json!([{"uri": uri, "mimeType": mime_type, "text": text, "_meta": meta}]);
        let mut result = Map::new();
        result.insert("contents".to_owned(), contents);
        Ok(Outcome::Answer(result, Some(Keep { is_public, ..KEPT })))
    }

    /// Nothing that bb lists changes while it runs, so an empty set is honoured and the request stays open.
    fn listen(&self, id: Id, caller: Caller) -> Outcome {
        let key = "io.modelcontextprotocol/subscriptionId";
        self.writer.send(
            json!({"jsonrpc": "2.0", "method": "notifications/subscriptions/acknowledged",
                "params": {"notifications": {}, "_meta": {key: id}}})
            .to_string()
            .into_bytes(),
        );
        let mut result = Map::new();
        result.insert("_meta".to_owned(), json!({key: id}));
        let at_end = answer(Some(&id), Ok(dressed(result, &caller, &self.about, None)));
        self.calls.listen(id, at_end);
        Outcome::Later
    }

    fn call(
        &self,
        mut request: Request,
        caller: Caller,
        bytes: usize,
        sink: &Sink,
    ) -> Result<Outcome, RpcError> {
        let call = tool_call(&mut request.params)?;
        let token = request
            .params
            .get("_meta")
            .and_then(|meta| meta.get("progressToken"));
        let start = Start {
            id: request.id.clone(),
            caller,
            token: token
                .filter(|token| token.is_string() || token.is_number())
                .cloned(),
            bytes,
            sink: sink.clone(),
        };
        let (service, about) = (Arc::clone(&self.service), self.about.clone());
        let id = request.id;
        let is_started = self.calls.start(start, move |handle| {
            let name = call.name.clone();
            let ran = catch_unwind(AssertUnwindSafe(|| service.call(call, handle)));
            let outcome = ran.unwrap_or_else(|_| Err(crashed(&name)));
            answer(
                Some(&id),
                outcome.map(|reply| dressed(replied(reply), &handle.caller, &about, None)),
            )
        });
        if is_started {
            Ok(Outcome::Later)
        } else {
            Err(RpcError::new(
                INTERNAL_ERROR,
                "too much is waiting for an answer already; call again when some have come",
            ))
        }
    }
}

fn tool_call(params: &mut Map<String, Value>) -> Result<ToolCall, RpcError> {
    let name = match params.remove("name") {
        Some(Value::String(name)) => name,
        None | Some(Value::Null) => {
            return Err(RpcError::invalid_params(
                "`name` is missing: it must be a tool's name",
            ));
        }
        Some(_) => {
            return Err(RpcError::invalid_params(
                "`name` must be a text: a tool's name",
            ));
        }
    };
    Ok(ToolCall {
        name,
        arguments: object(params, "arguments")?.unwrap_or_default(),
        input_responses: object(params, "inputResponses")?,
        request_state: match params.remove("requestState") {
            None | Some(Value::Null) => None,
            Some(Value::String(state)) => Some(state),
            Some(_) => return Err(RpcError::invalid_params("`requestState` must be a text")),
        },
    })
}

fn object(
    params: &mut Map<String, Value>,
    name: &str,
) -> Result<Option<Map<String, Value>>, RpcError> {
    match params.remove(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::Object(members)) => Ok(Some(members)),
        Some(_) => Err(RpcError::invalid_params(format!(
            "`{name}` must be an object"
        ))),
    }
}

fn crashed(tool: &str) -> RpcError {
    RpcError::new(
        INTERNAL_ERROR,
        format!("bb failed while it ran `{tool}`: this is a fault of bb's own; the server goes on"),
    )
}

fn capabilities() -> Value {
    json!({"tools": {}, "resources": {}, "extensions": {UI_EXTENSION: {}}})
}

#[cfg(test)]
mod tests;
