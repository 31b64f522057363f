//! Sends requests to a collector (OTLP/HTTP): one that is busy or away is waited for, and what it did not take is told.
//!
//! An address may hold a password, a query a token, and an answer anything: none of them is told.

use std::time::Duration;

use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, RETRY_AFTER};
use reqwest::{Client, StatusCode, Url, redirect};
use tokio::runtime::Runtime;

use super::written::{Encoding, Request};
use crate::fault::{Class, Fault, Sorted};

const PATH: &str = "/v1/traces";
const HEADERS: [&str; 2] = ["OTEL_EXPORTER_OTLP_HEADERS", "OTEL_EXPORTER_OTLP_TRACES_HEADERS"];
const CONNECT_TIME: Duration = Duration::from_secs(5);
const SEND_TIME: Duration = Duration::from_secs(30);
/// How often a request is sent at most, and how long may lie between.
const TRIES_MAX: u32 = 6;
/// And where nobody answers.
const AWAY_TRIES_MAX: u32 = 3;
const WAIT_FIRST: Duration = Duration::from_millis(500);
const WAIT_MAX: Duration = Duration::from_secs(30);
/// Of an answer so much is read.
const ANSWER_BYTES_MAX: usize = 64 << 10;
/// What a collector says of refused spans, so often.
const TOLD_MAX: usize = 16;

#[derive(Debug, thiserror::Error)]
pub enum SendError {
    #[error("that is no address: http://HOST:4318 is one")]
    Address,
    #[error(
        "no name or password belongs into an address: OTEL_EXPORTER_OTLP_HEADERS names headers"
    )]
    Password,
    #[error("{0} is no list of headers: NAME=VALUE,NAME=VALUE, percent-encoded")]
    Headers(&'static str),
    #[error("{place} does not answer ({why})")]
    Away { place: String, why: &'static str },
    #[error("{place} answers with {status}{}", hint(*status))]
    Refused { place: String, status: u16 },
    #[error("no connection can be made")]
    Here(#[source] std::io::Error),
}

/// What a person may look for.
fn hint(status: u16) -> &'static str {
    match status {
        401 | 403 => ": who sends is told by OTEL_EXPORTER_OTLP_HEADERS",
        404 => ": its path for traces may be another",
        413 => ": it takes no request of that size",
        415 => ": it takes the other encoding (--protobuf)",
        429 | 502..=504 => ", however often it is asked",
        _ => "",
    }
}

impl Fault for SendError {
    fn sorted(&self) -> Sorted {
        match self {
            Self::Address | Self::Password | Self::Headers(_) => Class::Refused.alone(),
            Self::Away { .. } | Self::Refused { .. } | Self::Here(_) => Class::Io.alone(),
        }
    }
}

/// What was taken.
#[derive(Debug, Default)]
pub struct Sent {
    pub spans: u64,
    pub rejected: u64,
    /// What the collector said of what it did not take, or warned of.
    pub told: Vec<String>,
}

pub struct Sender {
    runtime: Runtime,
    client: Client,
    address: Url,
    headers: HeaderMap,
    encoding: Encoding,
    place: String,
    sent: Sent,
}

enum Answer {
    Taken(Vec<u8>),
    /// Later, perhaps, and not before.
    Busy(Option<Duration>, SendError),
    Refused(SendError),
}

impl Sender {
    pub fn of(address: &str, encoding: Encoding) -> Result<Self, SendError> {
        let mut address = Url::parse(address).map_err(|_| SendError::Address)?;
        if !address.username().is_empty() || address.password().is_some() {
            return Err(SendError::Password);
        }
        if address.path() == "/" {
            address.set_path(PATH);
        }
        let mut shown = address.clone();
        shown.set_query(None);
        shown.set_fragment(None);
        let headers = headers()?;
        let builder = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = builder.map_err(SendError::Here)?;
        // What is sent there is sent nowhere else.
        let client = Client::builder().redirect(redirect::Policy::none());
        let client = client.connect_timeout(CONNECT_TIME).timeout(SEND_TIME).build();
        let client =
            client.map_err(|error| SendError::Here(std::io::Error::other(error.without_url())))?;
        let (place, sent) = (shown.to_string(), Sent::default());
        Ok(Self { runtime, client, address, headers, encoding, place, sent })
    }

    /// Its address, without what may be a secret in it.
    pub fn place(&self) -> &str {
        &self.place
    }

    pub fn sent(&self) -> &Sent {
        &self.sent
    }

    pub fn send(&mut self, request: &Request) -> Result<(), SendError> {
        let mut wait = WAIT_FIRST;
        let mut tries = 1;
        let answer = loop {
            match self.post(&request.bytes) {
                Answer::Taken(answer) => break answer,
                Answer::Refused(error) => return Err(error),
                Answer::Busy(_, error @ SendError::Away { .. }) if tries >= AWAY_TRIES_MAX => {
                    return Err(error);
                }
                Answer::Busy(_, error) if tries >= TRIES_MAX => return Err(error),
                Answer::Busy(asked, _) => std::thread::sleep(asked.unwrap_or(wait).min(WAIT_MAX)),
            }
            tries += 1;
            wait *= 2;
        };
        let (rejected, message) = match self.encoding {
            Encoding::Json => of_json(&answer),
            Encoding::Protobuf => super::protobuf::partial_success(&answer),
        };
        let rejected = rejected.min(request.spans);
        self.sent.spans += request.spans - rejected;
        self.sent.rejected += rejected;
        let message = message.filter(|it| !it.is_empty() && !self.sent.told.contains(it));
        self.sent.told.extend(message.filter(|_| self.sent.told.len() < TOLD_MAX));
        Ok(())
    }

    fn post(&self, body: &[u8]) -> Answer {
        let kind = match self.encoding {
            Encoding::Json => "application/json",
            Encoding::Protobuf => "application/x-protobuf",
        };
        let _within = self.runtime.enter();
        let request = self.client.post(self.address.clone()).headers(self.headers.clone());
        let request = request.header(CONTENT_TYPE, kind).body(body.to_vec());
        let mut answer = match self.runtime.block_on(request.send()) {
            Ok(answer) => answer,
            Err(error) => return Answer::Busy(None, self.away(&error)),
        };
        let status = answer.status();
        if status.is_success() {
            let mut told = Vec::new();
            while told.len() < ANSWER_BYTES_MAX {
                match self.runtime.block_on(answer.chunk()) {
                    Ok(Some(more)) => told.extend(more),
                    // It was taken: what else it has to say is not worth sending it again.
                    Ok(None) | Err(_) => break,
                }
            }
            return Answer::Taken(told);
        }
        let error = SendError::Refused { place: self.place.clone(), status: status.as_u16() };
        const BUSY: [StatusCode; 4] = [
            StatusCode::TOO_MANY_REQUESTS,
            StatusCode::BAD_GATEWAY,
            StatusCode::SERVICE_UNAVAILABLE,
            StatusCode::GATEWAY_TIMEOUT,
        ];
        match BUSY.contains(&status) {
            true => Answer::Busy(answer.headers().get(RETRY_AFTER).and_then(seconds), error),
            false => Answer::Refused(error),
        }
    }

    fn away(&self, error: &reqwest::Error) -> SendError {
        let why = match error {
            _ if error.is_timeout() => "in time",
            _ if error.is_connect() => "no connection",
            _ => "the connection broke off",
        };
        SendError::Away { place: self.place.clone(), why }
    }
}

/// Seconds; of a date it is not known how far off it is by the collector's own clock.
fn seconds(value: &HeaderValue) -> Option<Duration> {
    let seconds = value.to_str().ok()?.trim().parse().ok()?; // a date
    Some(Duration::from_secs(seconds))
}

/// What the environment names, as the standard says it: a list of `name=value`, percent-encoded; what is of traces alone
/// goes before the rest.
fn headers() -> Result<HeaderMap, SendError> {
    let mut headers = HeaderMap::new();
    for name in HEADERS {
        let Some(list) = std::env::var_os(name) else { continue };
        let list = list.into_string().map_err(|_| SendError::Headers(name))?;
        for pair in list.split(',').filter(|it| !it.trim().is_empty()) {
            let (key, value) = pair.split_once('=').ok_or(SendError::Headers(name))?;
            let key = HeaderName::from_bytes(key.trim().as_bytes());
            let mut value = HeaderValue::from_bytes(&decoded(value.trim()));
            value.iter_mut().for_each(|value| value.set_sensitive(true));
            let (Ok(key), Ok(value)) = (key, value) else { return Err(SendError::Headers(name)) };
            headers.insert(key, value);
        }
    }
    Ok(headers)
}

fn decoded(text: &str) -> Vec<u8> {
    let bytes = text.as_bytes();
    let (mut out, mut at) = (Vec::with_capacity(bytes.len()), 0);
    while let Some(&byte) = bytes.get(at) {
        let digits = bytes.get(at + 1..at + 3).filter(|_| byte == b'%');
        let digits = digits.and_then(|it| std::str::from_utf8(it).ok()); // no escape
        match digits.and_then(|it| u8::from_str_radix(it, 16).ok()) {
            Some(decoded) => {
                out.push(decoded);
                at += 3;
            }
            None => {
                out.push(byte);
                at += 1;
            }
        }
    }
    out
}

/// Of an answer how many spans were not taken, and what was said of it.
fn of_json(answer: &[u8]) -> (u64, Option<String>) {
    let answer: serde_json::Value = serde_json::from_slice(answer).unwrap_or_default(); // none: all was taken
    let partial = &answer["partialSuccess"];
    let rejected = &partial["rejectedSpans"];
    let count = rejected.as_u64().or_else(|| rejected.as_str()?.parse().ok()); // no number: none
    (count.unwrap_or(0), partial["errorMessage"].as_str().map(str::to_owned))
}

#[cfg(test)]
mod tests;
