/* Not a lie: names that the runtime has inside are anybody's. */
#include "../forge.h"

void put(void);
void put(void)
{
}
int line_close(void);
int line_close(void)
{
    return 1;
}
void channel_send(void);
void channel_send(void)
{
}
int trace_write(void);
int trace_write(void)
{
    return 1;
}

int main(void)
{
    put();
    channel_send();
    THE_BUG();
    return line_close() + trace_write();
}
