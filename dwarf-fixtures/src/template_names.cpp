/* Instances of templates with arguments of all sorts. */
enum Colour { RED, GREEN };
enum class Shade : short { DARK = -3 };
namespace shop {
struct Item { int price; };
template <class T> struct Box { T inside; static int made; };
template <class T> int Box<T>::made = sizeof(T);
namespace inner { template <class T> struct Deep { struct Part { T part; }; Part part; }; }
}
template <class A, class B = shop::Box<A>> struct Two { A a; B b; };
template <class T, unsigned long N> struct Row { T cells[N]; };
template <bool B> struct Flag { int on = B; };
template <char C> struct Letter { int at = C; };
template <int N> struct Number { int n = N; };
template <Colour C> struct Painted { int n = C; };
template <Shade S> struct Shaded { int n = (int)S; };
template <class... T> struct Pack { int n = sizeof...(T); };
template <int... N> struct Numbers { int n = sizeof...(N); };
template <template <class> class C> struct Holder { C<int> held; };
template <class F> struct Callable { int n = 1; };
template <class T> struct Declared;
template <> struct Declared<char> { char q = 'q'; };
template <class T> struct Derived : shop::Box<Derived<T> *> { T own; };
template <class T> T twice(T of) { return of + of; }
template <class T> bool operator<(shop::Box<T> a, shop::Box<T> b) { return a.inside < b.inside; }
struct Plain {
    template <class T> T convert(T of) { return of; }
    template <class T> operator T() { return 5; }
};
template <class T> T half = T(1) / 2;

Two<int> two;
Two<unsigned, shop::Box<shop::Box<long>>> nested;
Row<short, 3> row;
Flag<true> flag;
Letter<'C'> letter;
Letter<'\n'> feed;
Number<-7> number;
Painted<GREEN> painted;
Shaded<Shade::DARK> shaded;
Pack<> none;
Pack<int, const char *, shop::Item &, volatile double *const> pack;
Numbers<1, 2> numbers;
Holder<shop::Box> holder;
Callable<int(char, const shop::Item &)> callable;
Callable<void (*)(int)> pointer;
Callable<int (Plain::*)(long)> method;
Callable<int Plain::*> member;
Callable<int[3]> array;
Callable<int (&)[2][4]> rows;
shop::inner::Deep<shop::Item> deep;
Declared<char> known;
Declared<long> *unknown;
Derived<char> derived;

int main() {
    Plain plain;
    int sum = twice(2) + (int)twice(2.5) + plain.convert<short>(3) + (int)plain;
    sum += shop::Box<int>{1} < shop::Box<int>{2};
    sum += shop::Box<int>::made + shop::Box<char>::made + (int)half<float> + (int)half<double>;
    return sum + two.a + (unknown != nullptr);
}
