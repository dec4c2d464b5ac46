//! A frame: what is asked about it, and what unwinding makes of it.

use super::die::DieId;
use arch::{Bias, LinkAddr};

/// Why a thread-local variable has no address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoTls {
    /// It is not known where the thread keeps those of the module.
    #[error("the thread-local storage of the module cannot be located")]
    Unknown,
    /// The thread gets storage for those of the module when it first uses one: until then they have their initial
    /// values.
    #[error("this thread has not used the module's thread-local storage yet")]
    Unused,
}

/// What evaluating a location or an unwind rule may ask about a frame.
pub trait FrameContext {
    /// Returns a register of this frame by DWARF number, zero-extended; `None` if it was not preserved.
    fn register(&mut self, number: u16) -> Option<u64>;
    /// Returns the bytes of a register at its full width.
    fn register_bytes(&mut self, number: u16) -> Option<Vec<u8>>;
    /// Fills the buffer from the process's memory, or returns false.
    fn read(&mut self, address: u64, buffer: &mut [u8]) -> bool;
    /// Returns the canonical frame address.
    fn cfa(&mut self) -> Option<u64>;
    /// Returns whether the function has left by a tail call: its frame has no place on the stack any more.
    fn has_left(&self) -> bool {
        false
    }
    /// Returns the address of a thread-local variable of this module for this frame's thread.
    fn tls(&mut self, offset: u64) -> Result<u64, NoTls>;
    /// Returns the address of a thread-local variable of the module with this number of the dynamic linker's.
    fn tls_of(&mut self, module: u64, offset: u64) -> Result<u64, NoTls> {
        let _ = (module, offset);
        Err(NoTls::Unknown)
    }
    /// Returns the thread pointer, from which thread-local variables are counted.
    fn thread_pointer(&mut self) -> Option<u64> {
        None
    }
    /// Returns the value that a register had when the function was entered, as the caller's call site tells.
    fn entry_value(&mut self, register: u16) -> Option<u64>;
    /// Returns the value of a parameter that was optimized away, as the caller's call site tells
    /// ([`Image::call_site_parameter`](crate::Image::call_site_parameter)): a copy of a function that is
    /// specialized for it does not even receive it.
    fn entry_parameter(&mut self, parameter: DieId) -> Option<u64> {
        let _ = parameter;
        None
    }
    /// Returns whether places are asked for, not values: a parameter has its place before anything is stored there.
    fn asks_for_places(&self) -> bool {
        false
    }
    /// Returns the pc to choose from location lists by.
    fn pc(&self) -> LinkAddr;
    /// Returns where the module is loaded.
    fn bias(&self) -> Bias;
}

/// A caller's frame, reconstructed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unwound {
    /// CFA of the frame that was unwound.
    pub cfa: u64,
    /// The caller's registers by DWARF number; absent if not preserved. The pc is under
    /// [`Unwound::return_address`] only.
    pub registers: Vec<(u16, u64)>,
    /// Where the caller goes on; `None` if the rule says that there is no caller (undefined return address).
    pub return_address: Option<u64>,
    /// The unwound frame is a signal frame (augmentation `S`): its caller was interrupted, not calling.
    pub signal_frame: bool,
}
