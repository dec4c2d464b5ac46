# As many short-lived processes as the first argument says.
i=0
while [ $i -lt "$1" ]; do
    /bin/echo "$i"
    i=$((i + 1))
done
