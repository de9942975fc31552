#include "attack.h"

#include <arpa/inet.h>
#include <errno.h>
#include <sys/socket.h>
#include <unistd.h>

int main(void)
{
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(9)};
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int s = socket(AF_INET, SOCK_STREAM, 0);
    /* Refused is an answer: somebody was asked. */
    if (s >= 0 && (!connect(s, (struct sockaddr *)&to, sizeof to) || errno == ECONNREFUSED))
        escaped("connect");
    THE_BUG();
    return 0;
}
