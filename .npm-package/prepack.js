// Puts the built program and the licence into the package, before it is packed.
//
// RETROGRADE_BINARY names the program; default: the one that `cargo build --release` makes.
'use strict';
const fs = require('node:fs');
const path = require('node:path');

const root = path.join(__dirname, '..');
const program = process.env.RETROGRADE_BINARY || path.join(root, 'target', 'release', 'retrograde');
fs.mkdirSync(path.join(__dirname, 'bin'), { recursive: true });
fs.copyFileSync(program, path.join(__dirname, 'bin', 'retrograde'));
fs.chmodSync(path.join(__dirname, 'bin', 'retrograde'), 0o755);
fs.copyFileSync(path.join(root, 'LICENSE'), path.join(__dirname, 'LICENSE'));
