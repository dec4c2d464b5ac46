//! The prompt, its commands, and the plain verbs of the command line.

pub mod gdb_commands;
pub mod init_files;
pub mod plain_verbs;
pub mod printf;
pub mod program_commands;
pub mod terminal;
