/* Defines a function and a variable: they belong to every unit that includes it. */
#ifndef OWNER_H
#define OWNER_H
int owned = 7;
int own(int x)
{
    return x + owned;
}
#endif
