--  A packed array, arrays counted from other numbers than 0, records with variants. `ada_part.s` is made of it:
--  gcc -S -g -O0 -gnatp -fno-ident ada_part.adb
procedure Ada_Part is
   type Slot is range 1 .. 3;
   type Color is (Red, Green, Blue);
   type Amounts is array (Slot) of Integer;
   type Per_Color is array (Color) of Integer;
   type Bits is array (0 .. 7) of Boolean;
   pragma Pack (Bits);
   type Nibble is range 0 .. 15;
   type Nibbles is array (1 .. 4) of Nibble;
   pragma Pack (Nibbles);
   type Matrix is array (-1 .. 0, 2 .. 4) of Integer;

   type Shape (Round : Boolean := True) is record
      Name : Integer;
      case Round is
         when True  => Radius : Integer;
         when False => W, H : Integer;
      end case;
   end record;

   procedure Ada_Stop;
   pragma Import (C, Ada_Stop, "ada_stop");

   function Doubled (X : Integer) return Integer is (2 * X);

   Held   : Amounts := (11, 22, 33);
   Colors : Per_Color := (4, 5, 6);
   Flags  : Bits := (0 | 3 | 5 => True, others => False);
   Packed : Nibbles := (1, 2, 15, 4);
   Grid   : Matrix := ((1, 2, 3), (4, 5, 6));
   Circle : Shape := (Round => True, Name => 1, Radius => 25);
   Box    : Shape := (Round => False, Name => 2, W => 3, H => 4);
   Here   : Slot := 2;
   Shade  : Color := Blue;
begin
   Ada_Stop;
   Held (Here) := Held (Here) + Grid (-1, 3) + Doubled (Integer (Packed (1)));
   if Flags (3) and Circle.Round and Shade = Blue then
      Colors (Red) := Box.Name;
   end if;
end Ada_Part;
