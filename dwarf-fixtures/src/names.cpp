// Namespaces, methods, overloads and templates: names and lines only.
namespace shop {
struct Basket {
    int items = 0;
    int add(int n) {
        items += n; // @add
        return items;
    }
};

int price(int n) { return n * 2; }       // @price-int
int price(double d) { return (int)d; }   // @price-double

template <typename T> T largest(T a, T b) {
    return a > b ? a : b; // @largest
}
} // namespace shop

int main() {
    shop::Basket basket;
    basket.add(3); // @call
    int total = shop::price(basket.items) + shop::price(4.5);
    return shop::largest(total, 5) == 10 ? 0 : 1; // @return
}
