int fine(int a)
{
    return a;
}
