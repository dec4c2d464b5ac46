"""Writes to a cell in the first tenth of its time, and says where that is."""
import ctypes

cell = ctypes.c_long(1)
print(hex(ctypes.addressof(cell)), flush=True)


def work(turns):
    total = 0
    for i in range(turns):
        if i % 3:
            total += i
        else:
            total ^= i
    return total


cell.value = work(600_000) & 0xFFFF
print(work(6_000_000), cell.value)
