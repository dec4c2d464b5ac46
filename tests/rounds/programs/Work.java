import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Threads whose work is enough for the virtual machine to compile it, and a collection of garbage. */
public class Work {
    static int fibonacci(int n) {
        return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
    }

    static long work(int thread) {
        long sum = 0;
        Map<Integer, String> map = new HashMap<>();
        for (int i = 0; i < 20000; i++) {
            map.put(i % 1000, "value " + i + thread);
            sum += map.size();
        }
        return sum + fibonacci(20);
    }

    public static void main(String[] arguments) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(3);
        List<Future<Long>> results = new ArrayList<>();
        for (int thread = 0; thread < 3; thread++) {
            int number = thread;
            results.add(pool.submit(() -> work(number)));
        }
        long sum = 0;
        for (Future<Long> result : results) sum += result.get();
        pool.shutdown();
        System.gc();
        System.out.println(sum);
    }
}
