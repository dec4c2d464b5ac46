//! Hermetic tests: no rr, no compiler, no debugger.

mod layering;
mod mcp_surface;
mod second_opinion;
