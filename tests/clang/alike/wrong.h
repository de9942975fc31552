#ifndef WRONG_H
#define WRONG_H
int wrong(void)
{
    return missing;
}
#endif
