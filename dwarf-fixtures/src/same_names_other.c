/* The other unit of the program `same_names.c`. */
static int twice = 10;
static int hidden = 11;

int elsewhere(void)
{
    return twice + hidden;
}
