! Names that `use` adds, restricts and replaces, and those of the procedure around another one. `fortran_names.s` is made
! of it:
! gfortran -S -g -O0 -fno-ident -fdebug-prefix-map=$PWD=. fortran_names.f90
module first
  implicit none
  integer :: x = 11, y = 12
end module first

module second
  use first
  implicit none
  integer :: z = 23
end module second

module third
  implicit none
  integer :: x = 31, y = 32
end module third

subroutine fortran_only()
  use first, only: q => x
  use third, only: y
  implicit none
  integer :: sum
  sum = q + y
  call names_stop()
end subroutine fortran_only

subroutine fortran_renamed()
  use second
  implicit none
  integer :: sum
  sum = x + y + z
  call names_stop()
  call inner()
contains
  subroutine inner()
    use third, w => x
    integer :: more
    more = w + y + sum + z
    call names_stop()
  end subroutine inner
end subroutine fortran_renamed

subroutine fortran_names()
  implicit none
  call fortran_only()
  call fortran_renamed()
end subroutine fortran_names
