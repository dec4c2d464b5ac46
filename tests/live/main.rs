//! Live tests: the real binary over stdio, a real rr, programs from `dwarf-fixtures`.
#![allow(
    unsafe_code,
    unreachable_pub,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::unreachable,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a test fails by panicking, and starts and ends processes"
)]

#[path = "../support/mod.rs"]
#[allow(dead_code, reason = "each of the programs that share it uses a part of it")]
mod support;

mod accepted;
mod answers;
mod arguments;
mod attach;
mod begun;
mod between_events;
mod blamed_writes;
mod block_names;
mod bound_names;
mod breakpoint_changes;
mod breakpoints;
mod buffered_calls;
mod busy_sessions;
mod calls;
mod catching;
mod chaos;
mod checkpoints;
mod chosen;
mod commands;
mod conversions;
mod copies;
mod counters;
mod coverage;
mod debug_info;
mod debug_info_progress;
mod direction_changes;
mod early_resolution;
mod editor_client;
mod editor_looks;
mod editor_moves;
mod editor_sessions;
mod enclosing_names;
mod ends;
mod every_call;
mod execution;
mod explaining;
mod files;
mod fixed_places;
mod generated_code;
mod hangs;
mod hardware_breakpoints;
mod heap;
mod hidden_parts;
mod hook;
mod hostile;
mod hostile_traces;
mod http;
mod in_pieces;
mod init_files;
mod inlined_turns;
mod inspection;
mod interposed;
mod interrupts;
mod jobs;
mod judged;
mod kernel_writes;
mod languages;
mod last_wait;
mod last_writes;
mod lean_answers;
mod library;
mod limits;
mod log_points;
mod look_alike;
mod macros;
mod members;
mod name_lookup;
mod named_moments;
mod namesakes;
mod narrowed;
mod nested;
mod notifications;
mod objects;
mod of_units;
mod offered;
mod opened_once;
mod optimised;
mod origin;
mod other_machines;
mod output;
mod own_functions;
mod own_operators;
mod own_rules;
mod own_sizes;
mod parting;
mod permissions;
mod plain_verbs;
mod pointed_members;
mod positions;
mod processes;
mod prologues;
mod promotions;
mod prompt;
mod prompt_commands;
mod queries;
mod races;
mod reading;
mod recording_ends;
mod recordings;
mod recovery;
mod reloaded;
mod repeated;
mod replay;
mod replay_values;
mod report;
mod returns;
mod robustness;
mod rust_returns;
mod rust_values;
mod schemas;
mod scope_ends;
mod sent;
mod sessions;
mod setup;
mod sharing;
mod signals;
mod skipped_hits;
mod spellings;
mod stdio;
mod stops;
mod stored;
mod strangers;
mod timeline;
mod trace_containers;
mod units_and_bodies;
mod untyped;
mod unwinding;
mod vforks;
mod waiting;
mod waits;
mod watchpoints;
mod whose;
mod why;
mod wire;
mod wrapped_calls;
mod writes;
