int good(int x)
{
    return x + 1;
}

int bad(int x)
{
    return x +;
}
