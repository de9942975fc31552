/* Memory that is in use without being resident: shared, touched, then unmapped from view. */
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <unistd.h>

int main(void)
{
    size_t size = 16 << 20;
    void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int fd = memfd_create("kept", 0), id = shmget(IPC_PRIVATE, size, IPC_CREAT | 0600);
    printf("shared %s, file %s, segment %s\n", p == MAP_FAILED ? "refused" : "got",
           fd < 0 ? "refused" : "got", id < 0 ? "refused" : "got");
    return p != MAP_FAILED || fd >= 0 || id >= 0;
}
