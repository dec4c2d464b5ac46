// Declarations of classes: who may use what, member functions of all kinds, typedefs.
namespace shop {
struct Plain {
    int x;
    Plain(int x);
    int get() const volatile;
    void log(const char *format, ...);
    static void reset();
    typedef int number;
};

class Base {
  public:
    virtual ~Base();
    Base(int shared);
    int shared;

  protected:
    int kept;

  private:
    int hidden;
    virtual int area() const;

  public:
    static int count;
    static int make(int a, const char *b);
    void over(int by);
    void over(double by) const;
    Base &operator=(const Base &other);
    operator bool() const;
    void take() &&;
};

class Derived : public Base, protected virtual Plain {
    int own;

  public:
    Derived();
};
}

shop::Plain::Plain(int x) : x(x) {}
int shop::Plain::get() const volatile {
    number found = x;
    return found;
}
void shop::Plain::log(const char *, ...) {}
void shop::Plain::reset() {}
shop::Base::~Base() {}
shop::Base::Base(int shared) : shared(shared), kept(0), hidden(0) {}
int shop::Base::area() const { return hidden; }
int shop::Base::count;
int shop::Base::make(int a, const char *) { return a; }
void shop::Base::over(int) {}
void shop::Base::over(double) const {}
shop::Base &shop::Base::operator=(const Base &) { return *this; }
shop::Base::operator bool() const { return true; }
void shop::Base::take() && {}
shop::Derived::Derived() : Base(1), Plain(2), own(3) {}

int main() {
    shop::Derived derived;
    return derived.shared;
}
