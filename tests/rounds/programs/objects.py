# An interpreter at work: objects, exceptions, a sort, threads under one lock, a child process.
import hashlib, subprocess, threading

words = sorted({str(n * 7919 % 1009) for n in range(500)}, key=lambda w: (len(w), w))
caught = 0
for n in range(50):
    try:
        [1, 2, 3][n]
    except IndexError:
        caught += 1
results = []
lock = threading.Lock()


def work(n):
    with lock:
        results.append(sum(range(n)))


threads = [threading.Thread(target=work, args=(n * 100,)) for n in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
child = subprocess.run(["/bin/echo", "from a child"], capture_output=True, text=True)
print(len(words), caught, sorted(results), child.stdout.strip())
print(hashlib.sha256(" ".join(words).encode()).hexdigest())
