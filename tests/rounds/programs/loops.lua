-- Loops that are run often enough to be compiled, on numbers, strings and tables.
local sum = 0
for j = 1, 10 do
    for i = 1, 100000 do sum = (sum + i * j) % 1000003 end
end
local words = {}
for i = 1, 3000 do words[i] = ("x"):rep(i % 7) .. i end
table.sort(words)
print(sum, #words, words[1], words[#words])
