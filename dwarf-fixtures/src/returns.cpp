// Functions that return a value of each kind that the System V ABI for x86-64 and the Itanium C++ ABI put somewhere else.
// They are called in the order in which they stand here, through pointers that no compiler sees through. A test that
// leaves each of them by its return compares the value with the one that is written here.
#include <array>
#include <atomic>
#include <chrono>
#include <complex>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#define RETURNS(type, name, ...)                     \
    __attribute__((noinline)) type name()            \
    {                                                \
        __asm__ volatile("");                        \
        return __VA_ARGS__;                          \
    }

// Scalars.
enum Plain { ZERO, ONE };
enum class Byte : unsigned char { A = 7 };
enum class Wide : long { B = -9 };
struct Two { int x, y; int sum() const { return x + y; } int other() const { return x; } };
static int target = 11;

RETURNS(bool, a_bool, true)
RETURNS(char, a_char, 'c')
RETURNS(signed char, a_signed_char, -3)
RETURNS(short, a_short, -300)
RETURNS(unsigned short, an_unsigned_short, 65000)
RETURNS(int, an_int, -5)
RETURNS(unsigned, an_unsigned, 4000000000u)
RETURNS(long, a_long, -5000000000)
RETURNS(__int128, an_int128, (__int128)1 << 100)
RETURNS(wchar_t, a_wchar, L'\u00fc')
RETURNS(char16_t, a_char16, u'\u20ac')
RETURNS(char32_t, a_char32, U'\U0001F600')
RETURNS(float, a_float, 1.5f)
RETURNS(double, a_double, 2.25)
RETURNS(long double, a_long_double, 3.125L)
RETURNS(__float128, a_float128, 4.5)
RETURNS(_Complex float, a_complex_float, 1.5f + 2.5fj)
RETURNS(_Complex double, a_complex_double, 1.5 + 2.5j)
RETURNS(_Complex long double, a_complex_long_double, 1.5L + 2.5Lj)
RETURNS(Plain, a_plain_enum, ONE)
RETURNS(Byte, a_byte_enum, Byte::A)
RETURNS(Wide, a_wide_enum, Wide::B)
RETURNS(int *, a_pointer, &target)
RETURNS(int &, a_reference, target)
RETURNS(int &&, an_rvalue_reference, std::move(target))
RETURNS(int Two::*, a_data_member, &Two::y)
__attribute__((noinline)) int (Two::*a_function_member())() const { __asm__ volatile(""); return &Two::sum; }
RETURNS(decltype(nullptr), a_nullptr, nullptr)

// Aggregates in registers.
struct Empty {};
struct One { char c; };
struct Three { char a, b, c; };
struct Doubles { double a, b; };
struct Floats { float a, b, c; };
struct FloatInt { float f; int i; };
struct DoubleInt { double d; int i; };
struct IntDouble { long i; double d; };
struct ArrayOf { float f[4]; };
struct Nested { struct { short s; char c; } in; double d; };
struct Fields { unsigned a : 3; int b : 13; unsigned long c : 40; };
struct FieldsAndDouble { double d; unsigned a : 3, : 5, b : 7; };
struct Empties : Empty { Empty inner; float f; };
struct Derived : Two { double d; };
struct Unaddressed { [[no_unique_address]] Empty e; double d; float f; };
struct Int128 { __int128 i; };
struct LongDouble { long double d; };
struct Quad { __float128 q; };
struct ComplexFloat { _Complex float c; };
struct ComplexDouble { _Complex double c; };
struct FloatComplexFloat { float f; _Complex float c; };
struct HasMember { int (Two::*m)() const; };
union Number { int i; float f; };
union Pair { double d[2]; char c; };
union Real { float f; double d; };

RETURNS(Empty, an_empty, Empty{})
RETURNS(One, one_char, One{'o'})
RETURNS(Three, three_chars, Three{'a', 'b', 'c'})
RETURNS(Two, two_ints, Two{1, -2})
RETURNS(Doubles, two_doubles, Doubles{1.5, 2.5})
RETURNS(Floats, three_floats, Floats{1.5f, 2.5f, 3.5f})
RETURNS(FloatInt, float_int, FloatInt{1.5f, 2})
RETURNS(DoubleInt, double_int, DoubleInt{1.5, 2})
RETURNS(IntDouble, int_double, IntDouble{1, 2.5})
RETURNS(ArrayOf, array_of_floats, ArrayOf{{1, 2, 3, 4}})
RETURNS(Nested, nested, Nested{{-1, 'n'}, 2.5})
RETURNS(Fields, bit_fields, Fields{5, -77, 1ul << 39})
RETURNS(FieldsAndDouble, bit_fields_and_double, FieldsAndDouble{1.5, 5, 99})
RETURNS(Empties, with_empty_parts, Empties{{}, {}, 1.5f})
RETURNS(Derived, derived, Derived{{1, 2}, 3.5})
RETURNS(Unaddressed, no_unique_address, Unaddressed{{}, 1.5, 2.5f})
RETURNS(Int128, int128_inside, Int128{(__int128)1 << 100})
RETURNS(LongDouble, long_double_inside, LongDouble{3.125L})
RETURNS(Quad, float128_inside, Quad{4.5})
RETURNS(ComplexFloat, complex_float_inside, ComplexFloat{1.5f + 2.5fj})
RETURNS(ComplexDouble, complex_double_inside, ComplexDouble{1.5 + 2.5j})
RETURNS(FloatComplexFloat, float_and_complex, FloatComplexFloat{0.5f, 1.5f + 2.5fj})
RETURNS(HasMember, member_inside, HasMember{&Two::sum})
RETURNS(Number, union_of_both, Number{42})
RETURNS(Pair, union_of_doubles_and_char, Pair{{1.5, 2.5}})
RETURNS(Real, union_of_floats, Real{.d = 1.5})

// Aggregates in memory.
struct __attribute__((packed)) Packed { char c; int i; };
struct Large { long a[3]; };
struct ComplexLong { _Complex long double c; };
union LongDoubleOrInt { long double d; int i; };
struct LongDoubleAndInt { long double d; int i; };

RETURNS(Packed, packed, Packed{'p', 7})
RETURNS(Large, large, Large{{1, 2, 3}})
RETURNS(ComplexLong, complex_long_double_inside, ComplexLong{1.5L + 2.5Lj})
RETURNS(LongDoubleOrInt, long_double_or_int, LongDoubleOrInt{3.125L})
RETURNS(LongDoubleAndInt, long_double_and_int, LongDoubleAndInt{3.125L, 4})

// Classes: what their constructors and destructors are decides.
struct HasDestructor { int n; ~HasDestructor() { __asm__ volatile(""); } };
struct HasCopy {
    int n;
    explicit HasCopy(int n) : n(n) {}
    HasCopy(const HasCopy &other) : n(other.n) { __asm__ volatile(""); }
};
struct HasMove {
    int n;
    explicit HasMove(int n) : n(n) {}
    HasMove(HasMove &&other) : n(other.n) { __asm__ volatile(""); }
};
struct Defaulted {
    int n;
    explicit Defaulted(int n) : n(n) {}
    Defaulted(const Defaulted &) = default;
    Defaulted(Defaulted &&) = default;
    ~Defaulted() = default;
};
struct DefaultedLater {
    int n;
    explicit DefaultedLater(int n) : n(n) {}
    DefaultedLater(const DefaultedLater &);
};
DefaultedLater::DefaultedLater(const DefaultedLater &) = default;
struct OnlyMoved {
    int n;
    explicit OnlyMoved(int n) : n(n) {}
    OnlyMoved(const OnlyMoved &) = delete;
    OnlyMoved(OnlyMoved &&) = default;
};
struct NeverMoved {
    int n;
    explicit NeverMoved(int n) : n(n) {}
    NeverMoved(const NeverMoved &) = delete;
};
struct OnlyAssigned {
    int n;
    explicit OnlyAssigned(int n) : n(n) {}
    OnlyAssigned &operator=(OnlyAssigned &&) = default;
};
struct Assigned {
    int n;
    Assigned &operator=(const Assigned &other) { n = other.n; return *this; }
};
struct FromAnything {
    int n;
    template <class T> explicit FromAnything(const T &n) : n(n) {}
};
struct Converted {
    int n;
    Converted(int n) : n(n) {}
    Converted(const Two &two) : n(two.x) {}
};
struct Virtual { int n = 5; virtual int get() const { return n; } };
struct VirtualBase : virtual Two { VirtualBase() : Two{1, 2} {} };
struct HoldsDestructor { HasDestructor part; };
struct InheritsCopy : HasCopy { using HasCopy::HasCopy; };
struct ArrayOfMoves { HasMove part[2]; };
struct HoldsOnlyMoved { OnlyMoved part; };
struct DefaultedAround {
    HasCopy part;
    explicit DefaultedAround(int n) : part(n) {}
    DefaultedAround(const DefaultedAround &) = default;
};
struct HoldsReference { HasDestructor &part; };
template <class T> struct Generic {
    T n;
    explicit Generic(T n) : n(n) {}
    Generic(const Generic &other) : n(other.n) {}
};
template <class T> struct GenericPlain {
    T n;
    explicit GenericPlain(T n) : n(n) {}
    template <class U> GenericPlain(const GenericPlain<U> &other) : n(other.n) {}
};
static HasDestructor kept{8};

RETURNS(HasDestructor, has_destructor, HasDestructor{1})
RETURNS(HasCopy, has_copy, HasCopy{2})
RETURNS(HasMove, has_move, HasMove{3})
RETURNS(Defaulted, defaulted, Defaulted{4})
RETURNS(DefaultedLater, defaulted_later, DefaultedLater{5})
RETURNS(OnlyMoved, only_moved, OnlyMoved{6})
RETURNS(NeverMoved, never_moved, NeverMoved{7})
RETURNS(OnlyAssigned, only_assigned, OnlyAssigned{8})
RETURNS(Assigned, assigned, Assigned{9})
RETURNS(FromAnything, from_anything, FromAnything{10})
RETURNS(Converted, converted, Converted{11})
RETURNS(Virtual, has_virtual, Virtual{})
RETURNS(VirtualBase, has_virtual_base, VirtualBase{})
RETURNS(HoldsDestructor, holds_destructor, HoldsDestructor{{12}})
RETURNS(InheritsCopy, inherits_copy, InheritsCopy{13})
RETURNS(ArrayOfMoves, array_of_moves, ArrayOfMoves{{HasMove{14}, HasMove{15}}})
RETURNS(HoldsOnlyMoved, holds_only_moved, HoldsOnlyMoved{OnlyMoved{16}})
RETURNS(DefaultedAround, defaulted_around, DefaultedAround{17})
RETURNS(HoldsReference, holds_reference, HoldsReference{kept})
RETURNS(Generic<long>, generic, Generic<long>{18})
RETURNS(GenericPlain<long>, generic_plain, GenericPlain<long>{GenericPlain<int>{19}})

// The standard library.
RETURNS(std::complex<float>, std_complex_float, {1.5f, 2.5f})
RETURNS(std::complex<double>, std_complex_double, {1.5, 2.5})
RETURNS(std::complex<long double>, std_complex_long_double, {1.5L, 2.5L})
RETURNS(std::unique_ptr<int>, std_unique_ptr, std::make_unique<int>(20))
RETURNS(std::shared_ptr<int>, std_shared_ptr, std::make_shared<int>(21))
RETURNS(std::weak_ptr<int>, std_weak_ptr, {})
using Ints = std::pair<int, int>;
using IntFloat = std::pair<int, float>;
using Triple = std::tuple<int, float>;
using Owners = std::pair<int, std::unique_ptr<int>>;
using Either = std::variant<int, float>;
using EitherText = std::variant<int, std::unique_ptr<int>>;
using Array = std::array<int, 3>;
RETURNS(Ints, std_pair, {22, 23})
RETURNS(IntFloat, std_pair_of_both, {24, 25.5f})
RETURNS(Triple, std_tuple, {26, 27.5f})
RETURNS(Owners, std_pair_with_owner, {28, nullptr})
RETURNS(std::optional<int>, std_optional, 29)
RETURNS(std::optional<HasDestructor>, std_optional_of_class, std::optional<HasDestructor>{std::in_place, HasDestructor{30}})
RETURNS(Either, std_variant, 31.5f)
RETURNS(EitherText, std_variant_of_owner, 32)
RETURNS(Array, std_array, {33, 34, 35})
RETURNS(std::string, std_string, "text")
RETURNS(std::string_view, std_string_view, "view")
RETURNS(std::vector<int>, std_vector, {36, 37})
RETURNS(std::chrono::milliseconds, std_duration, std::chrono::milliseconds{38})
RETURNS(std::reference_wrapper<int>, std_reference_wrapper, target)
RETURNS(std::vector<int>::iterator, std_iterator, {})
RETURNS(std::atomic<int>, std_atomic, 39)

// Vectors.
typedef float Float2 __attribute__((vector_size(8)));
typedef int Int2 __attribute__((vector_size(8)));
typedef float Float4 __attribute__((vector_size(16)));
typedef double Double2 __attribute__((vector_size(16)));
typedef int Int4 __attribute__((vector_size(16)));
typedef short Short8 __attribute__((vector_size(16)));
struct HasVector { Float4 v; };

RETURNS(Float2, two_float_vector, Float2{1, 2})
RETURNS(Int2, two_int_vector, Int2{1, 2})
RETURNS(Float4, float_vector, Float4{1, 2, 3, 4})
RETURNS(Double2, double_vector, Double2{1.5, 2.5})
RETURNS(Int4, int_vector, Int4{1, 2, 3, 4})
RETURNS(Short8, short_vector, Short8{1, 2, 3, 4, 5, 6, 7, 8})
RETURNS(HasVector, vector_inside, HasVector{Float4{1, 2, 3, 4}})

// What its declaration does not say.
struct Deducing {
    int n;
    auto deduced() const;
};
auto Deducing::deduced() const { __asm__ volatile(""); return n + 0.5; }

template <class R> __attribute__((noinline)) void call(R (*function)())
{
    R (*volatile hidden)() = function;
    auto &&result = hidden();
    __asm__ volatile("" : : "r"(&result) : "memory");
}

int main()
{
#define EACH(name) call(name);
    EACH(a_bool) EACH(a_char) EACH(a_signed_char) EACH(a_short) EACH(an_unsigned_short) EACH(an_int) EACH(an_unsigned)
    EACH(a_long) EACH(an_int128) EACH(a_wchar) EACH(a_char16) EACH(a_char32) EACH(a_float) EACH(a_double)
    EACH(a_long_double) EACH(a_float128) EACH(a_complex_float) EACH(a_complex_double) EACH(a_complex_long_double)
    EACH(a_plain_enum) EACH(a_byte_enum) EACH(a_wide_enum) EACH(a_pointer) EACH(a_reference) EACH(an_rvalue_reference)
    EACH(a_data_member) EACH(a_function_member) EACH(a_nullptr)
    EACH(an_empty) EACH(one_char) EACH(three_chars) EACH(two_ints) EACH(two_doubles) EACH(three_floats)
    EACH(float_int) EACH(double_int) EACH(int_double) EACH(array_of_floats) EACH(nested) EACH(bit_fields)
    EACH(bit_fields_and_double) EACH(with_empty_parts) EACH(derived) EACH(no_unique_address) EACH(int128_inside)
    EACH(long_double_inside) EACH(float128_inside) EACH(complex_float_inside) EACH(complex_double_inside)
    EACH(float_and_complex) EACH(member_inside) EACH(union_of_both) EACH(union_of_doubles_and_char)
    EACH(union_of_floats)
    EACH(packed) EACH(large) EACH(complex_long_double_inside) EACH(long_double_or_int) EACH(long_double_and_int)
    EACH(has_destructor) EACH(has_copy) EACH(has_move) EACH(defaulted) EACH(defaulted_later) EACH(only_moved)
    EACH(never_moved) EACH(only_assigned) EACH(assigned) EACH(from_anything) EACH(converted) EACH(has_virtual)
    EACH(has_virtual_base) EACH(holds_destructor) EACH(inherits_copy) EACH(array_of_moves) EACH(holds_only_moved)
    EACH(defaulted_around) EACH(holds_reference) EACH(generic) EACH(generic_plain)
    EACH(std_complex_float) EACH(std_complex_double) EACH(std_complex_long_double) EACH(std_unique_ptr)
    EACH(std_shared_ptr) EACH(std_weak_ptr) EACH(std_pair) EACH(std_pair_of_both) EACH(std_tuple)
    EACH(std_pair_with_owner) EACH(std_optional) EACH(std_optional_of_class) EACH(std_variant)
    EACH(std_variant_of_owner) EACH(std_array) EACH(std_string) EACH(std_string_view) EACH(std_vector)
    EACH(std_duration) EACH(std_reference_wrapper) EACH(std_iterator) EACH(std_atomic)
    EACH(two_float_vector) EACH(two_int_vector) EACH(float_vector) EACH(double_vector) EACH(int_vector)
    EACH(short_vector) EACH(vector_inside)
    Deducing deducing{40};
    double (Deducing::*volatile hidden)() const = &Deducing::deduced;
    return static_cast<int>((deducing.*hidden)()) - 40;
}
