set sum 0
for {set i 0} {$i < 5000} {incr i} { incr sum [expr {$i * $i % 17}] }
puts "$sum [string length [join [lsort [split [string repeat "one two three " 300]]] ,]]"
