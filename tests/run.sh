#!/usr/bin/env bash
# Installs what the tests need on a Debian-like machine and runs them all.
#
# Needed: Rust, gcc and Python (as README.md says). Added here, where missing: clang and g++ (fixtures are built by both compilers, and with
# both C++ libraries), GDB, which the differential tests use as an oracle, what moves debug info into other files (llvm-dwp, dwp, dwz, xz), and
# what fetches it (curl), programs that are recorded (git), and what the npm package is packed and run by (node, npm). The rr under test installs
# itself into target/rr when there is none; pip fetches what builds the wheel, as pyproject.toml names it.
set -euo pipefail
cd "$(dirname "$0")/.."

missing=()
for need in gcc:gcc g++:g++ python3:python3 git:git awk:mawk kill:procps objcopy:binutils clang:clang gdb:gdb llvm-dwp:llvm dwp:binutils dwz:dwz xz:xz-utils curl:curl gdbserver:gdbserver qemu-x86_64:qemu-user node:nodejs npm:npm; do
    type -P "${need%%:*}" >/dev/null || missing+=("${need##*:}")
done
echo '#include <vector>' | clang++ -stdlib=libc++ -x c++ -fsyntax-only - 2>/dev/null || missing+=(libc++-dev libc++abi-dev)
python3 -c 'import ensurepip, venv' 2>/dev/null || missing+=(python3-venv)
if ((${#missing[@]})); then
    sudo=$([ "$(id -u)" = 0 ] || echo sudo)
    $sudo apt-get update -q
    DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -q --no-install-recommends "${missing[@]}" libc6-dev
fi

cargo test --locked "$@"
