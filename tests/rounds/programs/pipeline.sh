# Many short processes that talk through pipes, with subshells, background jobs and a here document.
numbers() { i=0; while [ $i -lt "$1" ]; do echo $((i * 7 % 50)); i=$((i + 1)); done; }
numbers 60 | sort -n | uniq -c | awk '{ n += $1 * $2 } END { print n, NR }'
(echo b; echo a) | tr ab xy | sort | head -n 1
for word in one two three; do echo "$word" | sed 's/o/0/g'; done | cat -n
sleep 0.01 & wait $!
echo "waited: $?"
wc -w <<END
a here document
END
exit 3
