// A just-in-time compiler that switches pages between writable and executable, and a function hot enough for it.
function step(n) {
  return n % 2 === 0 ? n / 2 : 3 * n + 1;
}
let steps = 0;
for (let start = 1; start < 3000; start++) for (let n = start; n !== 1; n = step(n)) steps++;
console.log(`hello after ${steps}`);
