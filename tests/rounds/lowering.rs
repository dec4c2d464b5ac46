//! Rounds across the two ways of counting branches in translated code: where a block is left, and before each branch.
//! What has been recorded by one is replayed by the other, and rr compares the ticks of each event with those that are
//! recorded.

use super::{SOFT, Way, campaign, number, prepared, retrograde_rr, soft_replay, words};
use std::process::Command;

/// How many rounds each way has.
const ROUNDS: usize = 30;

const TO_EXITS: Way =
    Way { name: "by branch to exits", record: || words(by_branch(), &["record"]), replay: soft_replay };

const FROM_EXITS: Way =
    Way { name: "exits to by branch", record: SOFT.record, replay: || words(by_branch(), &["replay", "-a"]) };

/// An rr whose translations count each branch by itself.
fn by_branch() -> Command {
    let mut command = retrograde_rr();
    command.env("RETROGRADE_SOFT_MODE", "branch");
    command
}

#[test]
fn rounds_across_ways_of_counting() {
    let (count, programs) = (number("RETROGRADE_ROUNDS", ROUNDS), prepared());
    let failures: Vec<String> = [TO_EXITS, FROM_EXITS].iter().flat_map(|way| campaign(way, &programs, count)).collect();
    assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), failures.join("\n"));
}
