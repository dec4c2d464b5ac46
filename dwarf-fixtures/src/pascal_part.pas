unit pascal_part;
interface
var
  Total: LongInt; cvar; public name 'pascal_total';
function AddTwo(First, Second: LongInt): LongInt; cdecl; public name 'pascal_add_two';
implementation
function AddTwo(First, Second: LongInt): LongInt; cdecl;
var
  Sum: LongInt;
begin
  Sum := First + Second;
  Total := Total + Sum;
  AddTwo := Sum;
end;
end.
