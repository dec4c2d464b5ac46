//! Hermetic tests: no rr, no compiler, no debugger.

mod imports;
mod layering;
mod mcp_surface;
mod plugin;
mod second_opinion;
