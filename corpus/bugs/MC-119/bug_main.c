/* One round with two clients. */
#include <stdio.h>

#include "fed.h"

int main(void)
{
    struct state server, clients[2];
    state_init(&server);
    for (int i = 0; i < 2; i++) {
        state_init(&clients[i]);
        state_train(&clients[i], 2 * (i + 1));
    }
    server_average(&server, clients, 2, 1.0);
    printf("%d batches on average\n", (int)mc_item_int(server.batches));
    return 0;
}
