// As much as to have the engine compile something: a loop that is run often, an object, a promise.
function sum(limit) {
    let total = 0;
    for (let i = 0; i < limit; i++) total = (total + (i % 3 ? i : 1)) % 65521;
    return total;
}

const words = new Map([["hello", 1], ["world", 2]]);
console.log([...words.keys()].join(" "), sum(3000));
Promise.resolve(sum(7)).then(value => console.log("later", value));
