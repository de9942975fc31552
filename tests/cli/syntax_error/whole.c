int whole(void)
{
    return 0;
}
