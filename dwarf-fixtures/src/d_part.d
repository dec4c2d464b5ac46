// Dynamic arrays and strings of D. `d_part.s` is made of it:
// gdc -S -g -O0 -fno-ident -fno-druntime -fno-bounds-check -fPIC d_part.d
module part;

struct Entry
{
    string key;
    int[] counts;
}

extern (C) void d_stop();

extern (C) void d_part(int n)
{
    int[4] store;
    foreach (i; 0 .. 4)
        store[i] = n * i;
    int[] all = store[];
    int[] middle = store[1 .. 3];
    int[] none;
    string text = "text";
    wstring wide = "wide"w;
    Entry[2] entries;
    entries[0] = Entry("first", all);
    entries[1] = Entry("second", middle);
    Entry[] seen = entries[];
    d_stop();
}
