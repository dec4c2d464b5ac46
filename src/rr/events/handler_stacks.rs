//! Where the frames of signal handlers are, and whether the kernel would have put them there without rr.
//!
//! rr's library makes system calls on a stack of its own. A signal that comes meanwhile finds the thread there: its handler
//! runs on that stack, or, if it asks for the alternate one, at the beginning of that, even if the thread is in another
//! handler there (sigaltstack(2): the kernel looks at the stack pointer).

use super::frame::{Frame, Kind, Set};

/// The page of rr's from which its library makes system calls, on a stack of its own.
const RR_PAGE: std::ops::Range<u64> = 0x7000_0000..0x7000_1000;
/// How far below the stack pointer of the interrupted code the frame of a signal handler may begin, in bytes.
const LONGEST_FRAME: u64 = 64 << 10;
/// How much of an alternate stack a handler is taken to use at most, in bytes.
const LONGEST_HANDLER: u64 = 1 << 20;
const RT_SIGRETURN: i32 = 15;

/// How the frame of a handler lies to others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Frames {
    /// Where the kernel would have put it without rr.
    Apart,
    /// On a stack of rr's.
    OnStackOfRr,
    /// Over that of another handler, which has not returned.
    Overlaid,
}

/// What is known of the stacks of a thread.
#[derive(Clone, Debug, Default)]
pub(super) struct Stacks {
    /// Where it stood at its last event: instruction and stack pointer.
    stood: Option<(u64, u64)>,
    /// Its last stack pointer outside rr's library.
    of_program: Option<u64>,
    /// The frames of handlers that have not returned; some of them may have been left by a jump.
    handlers: Vec<u64>,
}

impl Stacks {
    /// Adds a handler that begins at a place: instruction and stack pointer.
    pub(super) fn begin_handler(&mut self, stands: Option<(u64, u64)>) -> Frames {
        let Some((_, stack)) = stands else { return Frames::Apart };
        let is_in_rr = self.stood.is_some_and(|(rip, _)| RR_PAGE.contains(&rip));
        let is_below = |upper: u64, most: u64| (1..most).contains(&upper.wrapping_sub(stack));
        let frames = match (is_in_rr, self.stood, self.of_program) {
            (true, Some((_, interrupted)), _) if is_below(interrupted, LONGEST_FRAME) => Frames::OnStackOfRr,
            // What is above the stack pointer of the handler that was interrupted is in use.
            (true, _, Some(in_use)) if in_use <= stack && self.is_in_handler(in_use) && self.is_near(stack) => {
                Frames::Overlaid
            }
            _ => Frames::Apart,
        };
        self.handlers.push(stack);
        frames
    }

    /// Returns whether a stack pointer of the program is one of the last handler that has not returned.
    fn is_in_handler(&self, stack: u64) -> bool {
        self.handlers.last().is_some_and(|frame| frame.wrapping_sub(stack) < LONGEST_HANDLER)
    }

    /// Returns whether a frame covers that of the last handler, or a part of it.
    fn is_near(&self, stack: u64) -> bool {
        self.handlers.last().is_some_and(|frame| frame.abs_diff(stack) < LONGEST_FRAME)
    }

    /// Adds an event of the thread.
    pub(super) fn add(&mut self, frame: &Frame) {
        let returns = matches!(&frame.kind, Kind::Call(call)
            if call.set == Set::X86_64 && call.number == RT_SIGRETURN && call.returns);
        if returns {
            self.handlers.pop();
        }
        self.stood = frame.stands;
        if let Some((rip, stack)) = frame.stands
            && !RR_PAGE.contains(&rip)
        {
            self.of_program = Some(stack);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(rip: u64, stack: u64, kind: Kind) -> Frame {
        Frame { tid: 1, ticks: 0, seconds: 0.0, kind, stands: Some((rip, stack)), writes: vec![] }
    }

    #[test]
    fn a_handler_that_interrupts_a_call_of_the_buffer() {
        let handler = |rip, interrupted, stack| {
            let mut stacks = Stacks::default();
            stacks.add(&at(rip, interrupted, Kind::Other));
            stacks.begin_handler(Some((0x40_1000, stack)))
        };
        assert_eq!(handler(0x7000_0002, 0x681f_fdf0, 0x681f_f4b8), Frames::OnStackOfRr);
        assert_eq!(handler(0x40_2000, 0x7fff_0000, 0x7ffe_f000), Frames::Apart);
        assert_eq!(handler(0x7000_0002, 0x681f_fdf0, 0x7f00_0000), Frames::Apart, "an alternate stack");
    }

    #[test]
    fn a_handler_at_the_beginning_of_the_alternate_stack_where_another_one_is() {
        let second = |last: (u64, u64), in_use: u64| {
            let mut stacks = Stacks::default();
            stacks.add(&at(0x40_2000, 0x7fff_0000, Kind::Other));
            assert_eq!(stacks.begin_handler(Some((0x40_1000, 0x7f00_f000))), Frames::Apart);
            stacks.add(&at(0x40_1000, 0x7f00_f000, Kind::Handler));
            stacks.add(&at(0x40_1010, in_use, Kind::Other));
            stacks.add(&at(last.0, last.1, Kind::Other));
            stacks.begin_handler(Some((0x40_1100, 0x7f00_f000)))
        };
        assert_eq!(second((0x7000_0002, 0x681f_fdf0), 0x7f00_ef00), Frames::Overlaid);
        assert_eq!(second((0x40_1020, 0x7f00_ee00), 0x7f00_ef00), Frames::Apart, "not in rr's library");
        assert_eq!(second((0x7000_0002, 0x681f_fdf0), 0x7ffe_ff00), Frames::Apart, "the first one was left by a jump");
    }
}
