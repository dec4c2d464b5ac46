/* A just-in-time compiler with many threads, and a method hot enough to be compiled. */
public class Hello {
    static int step(int n) {
        return n % 2 == 0 ? n / 2 : 3 * n + 1;
    }

    public static void main(String[] arguments) {
        long steps = 0;
        for (int start = 1; start < 3000; start++) {
            for (int n = start; n != 1; n = step(n)) {
                steps++;
            }
        }
        System.out.println("hello after " + steps);
    }
}
