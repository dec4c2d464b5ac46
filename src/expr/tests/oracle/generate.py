"""Asks GDB what it prints, and writes that down together with everything needed to answer without GDB.

    gcc -g -O0 -no-pie -w values.c -o values
    gdb -nx -batch -x generate.py --args ./values     (with EXPRESSIONS=values.exprs OUTPUT=values.txt set)

One fact a line: `memory`, `symbol`, `type`, `member`, `enumerator`, `variable`, and `print` with the expression, a tab
and GDB's answer.
"""

import os
import re
import subprocess
import gdb

out = open(os.environ["OUTPUT"], "w", encoding="utf-8")
types = {}


def say(*words):
    out.write(" ".join(str(w) for w in words) + "\n")


def word(name):
    return name.replace(" ", "~") if name else "-"




def qualifiers(ty):
    # GDB's Python has no way to ask for them.
    count = lambda text, w: len(re.findall(r"\b" + w + r"\b", text))
    plain = str(ty.unqualified())
    return [w for w in ("const", "volatile") if count(str(ty), w) > count(plain, w)]


def number(ty):
    """The number of a type, after writing it down."""
    key = (str(ty), ty.code, ty.sizeof, ty.tag, ty.name)
    if ty.code in (gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_UNION, gdb.TYPE_CODE_ENUM) and ty.name is None:
        key += tuple((f.name, getattr(f, "bitpos", None), str(f.type)) for f in ty.fields())
    if key in types:
        return types[key]
    n = types[key] = len(types)
    words = qualifiers(ty)
    if words:
        plain = ty.unqualified()
        say("type", n, words[0], number(plain.volatile() if len(words) == 2 else plain))
        return n
    code = ty.code
    if code == gdb.TYPE_CODE_TYPEDEF:
        target = ty.target() if hasattr(ty, "target") else ty.strip_typedefs()
        say("type", n, "typedef", word(ty.name), number(target))
    elif code == gdb.TYPE_CODE_VOID:
        say("type", n, "void")
    elif code in (gdb.TYPE_CODE_INT, gdb.TYPE_CODE_BOOL, gdb.TYPE_CODE_FLT, gdb.TYPE_CODE_COMPLEX, gdb.TYPE_CODE_CHAR):
        signed = code == gdb.TYPE_CODE_INT and "unsigned" not in ty.name
        encoding = {
            gdb.TYPE_CODE_BOOL: "bool",
            gdb.TYPE_CODE_FLT: "float",
            gdb.TYPE_CODE_COMPLEX: "complex",
            gdb.TYPE_CODE_CHAR: "utf",
        }.get(code)
        if encoding is None:
            encoding = ("signed" if signed else "unsigned") + ("-char" if ty.sizeof == 1 else "")
        say("type", n, "base", ty.sizeof, encoding, word(ty.name))
    elif code in (gdb.TYPE_CODE_PTR, gdb.TYPE_CODE_REF, gdb.TYPE_CODE_RVALUE_REF):
        kind = {gdb.TYPE_CODE_PTR: "pointer", gdb.TYPE_CODE_REF: "reference"}.get(code, "rvalue")
        say("type", n, kind, number(ty.target()))
    elif code == gdb.TYPE_CODE_ARRAY:
        low, high = ty.range()
        count = "-" if str(ty).endswith("[]") else high - low + 1
        say("type", n, "array", count, number(ty.target()))
    elif code == gdb.TYPE_CODE_FUNC:
        text = str(ty)
        variadic = int("...)" in text)
        prototyped = int(not text.endswith("()"))
        parameters = [number(f.type) for f in ty.fields()]
        say("type", n, "function", number(ty.target()), variadic, prototyped, *parameters)
    elif code == gdb.TYPE_CODE_ENUM:
        signed = int(any(f.enumval < 0 for f in ty.fields()))
        say("type", n, "enum", ty.sizeof, signed, word(ty.name))
        for f in ty.fields():
            say("enumerator", n, f.name, f.enumval)
    elif code in (gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_UNION):
        kind = "union" if code == gdb.TYPE_CODE_UNION else "struct"
        say("type", n, kind, ty.sizeof, word(ty.name))
        for f in ty.fields():
            if not hasattr(f, "bitpos"):
                continue
            base = int(f.is_base_class)
            name = None if base else f.name
            say("member", n, word(name), number(f.type), f.bitpos, f.bitsize, base)
    else:
        say("type", n, "opaque", word(str(ty)))
    return n


def sections():
    for line in gdb.execute("info files", to_string=True).splitlines():
        m = re.match(r"\s*(0x[0-9a-f]+) - (0x[0-9a-f]+) is (\.rodata|\.data|\.bss|\.data\.rel\.ro)$", line)
        if m:
            yield int(m[1], 16), int(m[2], 16)


binary = gdb.current_progspace().filename
for start, end in sections():
    data = bytes(gdb.selected_inferior().read_memory(start, end - start))
    for at in range(0, len(data), 64):
        if any(data[at : at + 64]):
            say("memory", hex(start + at), data[at : at + 64].hex())
    say("range", hex(start), hex(end))
for line in subprocess.run(["nm", "-S", binary], capture_output=True, text=True).stdout.splitlines():
    fields = line.split()
    if len(fields) == 4 and fields[2] in "tTdDbBrRvVwW":
        name = fields[3].split(".")[0]
        plain = subprocess.run(["c++filt", name], capture_output=True, text=True).stdout.strip()
        say("symbol", "0x" + fields[0], "0x" + fields[1], word(plain))

seen = set()
for scope in (gdb.lookup_global_symbol("main").symtab.global_block(), gdb.lookup_global_symbol("main").symtab.static_block()):
    for symbol in scope:
        if symbol.addr_class == gdb.SYMBOL_LOC_TYPEDEF:
            say("named", word(symbol.name), number(symbol.type))
        elif symbol.addr_class in (gdb.SYMBOL_LOC_STATIC, gdb.SYMBOL_LOC_BLOCK) and symbol.name not in seen:
            seen.add(symbol.name)
            value = symbol.value()
            name = symbol.name.split("(")[0]
            address = int(value.address)
            if symbol.type.code in (gdb.TYPE_CODE_REF, gdb.TYPE_CODE_RVALUE_REF):
                # The address of a reference's value is that of its referent.
                text = gdb.execute("info address " + symbol.name, to_string=True)
                address = int(re.search(r"0x[0-9a-f]+", text)[0], 16)
            say("variable", word(name), hex(address), number(symbol.type))

gdb.execute("set width 0")
variables = sorted(seen)
lines = open(os.environ["EXPRESSIONS"], encoding="utf-8").read().splitlines()
for line in [v for v in variables if "(" not in v] + lines:
    if not line.strip():
        continue
    command = line if line.startswith("whatis ") else "print" + line if line.startswith("/") else "print " + line
    try:
        text = gdb.execute(command, to_string=True).rstrip("\n")
    except gdb.error as error:
        print("no value:", line, "=>", error)
        continue
    text = re.sub(r"^\$\d+ = |^type = ", "", text.splitlines()[-1])
    out.write("print " + line + "\t" + text + "\n")
out.close()
