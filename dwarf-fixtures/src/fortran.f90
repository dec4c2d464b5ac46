! Arrays of every kind that Fortran has, a COMMON block, strings. `fortran.s` is made of it:
! gfortran -S -g -O0 -fno-ident fortran.f90
module sky
  implicit none
  type :: star
     integer :: id
     character(len=6) :: name
     integer, allocatable :: seen(:)
     integer :: counts(0:2)
  end type star
  integer, allocatable :: grid(:,:), unused(:)
contains
  subroutine look(a)
    integer, intent(inout) :: a(:)
    a(1) = a(1) + 1
    call fortran_stop()
  end subroutine look
end module sky

subroutine fortran_part(n)
  use sky
  implicit none
  integer, intent(in) :: n
  integer :: bins(3), limit, i, j
  common /table/ bins, limit
  integer :: counted(n)
  integer, target :: store(6)
  integer, pointer :: every2(:), back(:), nowhere(:)
  character(len=5) :: names(2)
  type(star), target :: stars(2)
  bins = [ 10, 20, 30 ]
  limit = 99
  do i = 1, n
     counted(i) = i * i
  end do
  store = [ 1, 2, 3, 4, 5, 6 ]
  every2 => store(1:5:2)
  back => store(6:2:-2)
  nullify(nowhere)
  names(1) = 'alpha'
  names(2) = 'beta'
  do i = 1, 2
     stars(i)%id = 100 + i
     stars(i)%name = 'vega'
     stars(i)%counts = [ 7, 8, 9 ]
     allocate(stars(i)%seen(-1:1))
     stars(i)%seen = [ 10 * i, 20 * i, 30 * i ]
  end do
  allocate(grid(2:3, 0:2))
  do j = 0, 2
     do i = 2, 3
        grid(i, j) = 10 * i + j
     end do
  end do
  call look(every2)
end subroutine fortran_part
