#!/usr/bin/env node
// Runs the program of this package, and ends as it does.
'use strict';
const { spawn } = require('node:child_process');
const path = require('node:path');

const program = path.join(__dirname, 'bin', 'retrograde');
const child = spawn(program, process.argv.slice(2), { stdio: 'inherit' });

// Who started us knows our process only. Ctrl-C and Ctrl-\ reach both, and the program deals with them.
for (const signal of ['SIGTERM', 'SIGHUP']) {
  process.on(signal, () => child.kill(signal));
}
for (const signal of ['SIGINT', 'SIGQUIT']) {
  process.on(signal, () => {});
}

child.on('error', (error) => {
  console.error(`retrograde: cannot run ${program}: ${error.message}`);
  process.exitCode = 1;
});
child.on('exit', (code, signal) => {
  if (signal === null) {
    process.exitCode = code;
    return;
  }
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
});
