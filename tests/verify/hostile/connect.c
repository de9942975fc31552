/* Reaches for the network: each kind of socket, then the port given as argument on loopback. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>

static const struct {
    int family, type;
} kinds[] = {
    {AF_INET, SOCK_STREAM},          {AF_INET, SOCK_DGRAM}, {AF_INET6, SOCK_STREAM},
    {AF_UNIX, SOCK_STREAM},          {AF_UNIX, SOCK_DGRAM}, {AF_NETLINK, SOCK_RAW},
    {AF_PACKET, SOCK_RAW},           {AF_INET, SOCK_RAW},   {38 /* AF_ALG */, SOCK_SEQPACKET},
    {40 /* AF_VSOCK */, SOCK_STREAM}};

int main(int argc, char **argv)
{
    int sockets = 0, connected = 0;
    struct sockaddr_in to = {.sin_family = AF_INET,
                             .sin_port = htons((unsigned short)(argc > 1 ? atoi(argv[1]) : 0)),
                             .sin_addr = {htonl(INADDR_LOOPBACK)}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        int fd = socket(kinds[i].family, kinds[i].type, 0);
        sockets += fd >= 0;
        connected += fd >= 0 && i == 0 && connect(fd, (struct sockaddr *)&to, sizeof to) == 0;
    }
    printf("%d sockets, %d connected\n", sockets, connected);
    return sockets || connected;
}
