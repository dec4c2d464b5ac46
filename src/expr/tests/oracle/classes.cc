// Static data of C++: what GDB prints of it is in classes.txt (see generate.py).
struct Base { int b; virtual void f(){} }; struct B2 { int b2; }; struct Derived : Base, B2 { int d; int &r; Derived(int&x):r(x){b=1;b2=2;d=3;} static int st; struct In {int q;} in; void m(){} };
int Derived::st=9; int gi=5; int &gr=gi; int &&grr=static_cast<int&&>(gi); const int &gcr=gi;
namespace ns { int v=7; struct S { int a; char *s; } s={1,0}; enum class E : unsigned char {A,B,C}; E e=E::B; enum Old{OA,OB}; Old o=OB; namespace in2 { int w=8; } template<class T> struct T1 { T t; }; T1<int> ti={3}; typedef S SS; SS *ssp=&s;}
Derived *dp; ns::S *sp=&ns::s; ns::S &sr=ns::s; bool bt=true; unsigned long ul=5; char16_t c16=u'x'; char32_t c32=U'y'; wchar_t wc=L'z'; wchar_t wcs[4]=L"abc";
int (*fp)(ns::S*, int&)=0; struct E0{} e0; class K { int a=1; public: K(){} int g(){return a;} } k; K *kp=&k; int arr[2]={1,2}; int (&ra)[2]=arr; ns::S const csv={2,0}; struct D2 : Base, B2 {int z;} d2; D2 *d2p = &d2; B2 *b2p = &d2; struct VB { int y; }; 
enum fz {ZZ=0,ZA=1,ZB=2,ZB2=2} fz3=(fz)3, fz0=(fz)0, fz6=(fz)6; long double ldx=1; struct U { union { int i; float f; }; int k; } uu; long long llv; unsigned long ulv; short unsigned su; 
int main(){ static int cnt=3; Derived d(gi); dp=&d; return d.d+cnt; }
