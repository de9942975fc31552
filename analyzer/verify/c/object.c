/* Objects, checked before they are linked: code of the program must not run before the runtime has
 * read the key of its events, and must not replace what the runtime calls. A compiled object comes
 * in; what in it would do so goes out. The names come from the runtime's library itself. */
#include "analyzer/verify/c/private.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* An ELF file of 64 bits, in this machine's byte order. Nothing outside of it is read. */
struct elf {
    const char *bytes;
    size_t size;
    const Elf64_Ehdr *head;
    const Elf64_Shdr *sections;
};

static const void *elf_at(const struct elf *f, uint64_t offset, uint64_t size)
{
    return offset <= f->size && size <= f->size - offset ? f->bytes + offset : NULL;
}

static bool elf_open(struct elf *f, const char *bytes, size_t size)
{
    *f = (struct elf){.bytes = bytes, .size = size};
    f->head = elf_at(f, 0, sizeof *f->head);
    if (!f->head || memcmp(f->head->e_ident, ELFMAG, SELFMAG) != 0 ||
        f->head->e_ident[EI_CLASS] != ELFCLASS64 || f->head->e_shentsize != sizeof *f->sections)
        return false;
    f->sections = elf_at(f, f->head->e_shoff, f->head->e_shnum * sizeof *f->sections);
    return f->sections && f->head->e_shnum;
}

static const Elf64_Shdr *section_at(const struct elf *f, unsigned nth)
{
    return nth < f->head->e_shnum ? &f->sections[nth] : NULL;
}

/* In a string table; "": not in it. */
static const char *name_in(const struct elf *f, const Elf64_Shdr *strings, uint64_t at)
{
    const char *all = strings ? elf_at(f, strings->sh_offset, strings->sh_size) : NULL;
    return all && at < strings->sh_size && memchr(all + at, '\0', strings->sh_size - at) ? all + at
                                                                                         : "";
}

/* ---- symbols ----------------------------------------------------------------------------------
 */

typedef void see_symbol(void *context, const char *name, const Elf64_Sym *s);

static void each_symbol(const struct elf *f, unsigned kind, see_symbol *see, void *context)
{
    for (unsigned i = 0; i < f->head->e_shnum; i++) {
        const Elf64_Shdr *s = &f->sections[i];
        const Elf64_Sym *table = elf_at(f, s->sh_offset, s->sh_size);
        for (uint64_t k = 1; s->sh_type == kind && table && k < s->sh_size / sizeof *table; k++)
            see(context, name_in(f, section_at(f, s->sh_link), table[k].st_name), &table[k]);
    }
}

static uint64_t key_of(const char *name)
{
    return hash_bytes(name, strlen(name), 0);
}

/* ---- the runtime ------------------------------------------------------------------------------
 */

/* What it calls, and its own functions, which a program could replace. */
static void reserve(void *context, const char *name, const Elf64_Sym *s)
{
    struct map *reserved = context;
    bool is_local = ELF64_ST_BIND(s->st_info) == STB_LOCAL;
    if (*name && !is_local && (s->st_shndx == SHN_UNDEF || !strncmp(name, "mc_", 3)))
        map_put(reserved, key_of(name), reserved);
}

/* Whether the loader initialises it before everything else. */
static bool is_first(const struct elf *f)
{
    for (unsigned i = 0; i < f->head->e_shnum; i++) {
        const Elf64_Shdr *s = &f->sections[i];
        const Elf64_Dyn *d = elf_at(f, s->sh_offset, s->sh_size);
        for (uint64_t k = 0; s->sh_type == SHT_DYNAMIC && d && k < s->sh_size / sizeof *d; k++)
            if (d[k].d_tag == DT_FLAGS_1 && d[k].d_un.d_val & DF_1_INITFIRST)
                return true;
    }
    return false;
}

/* The library has megabytes, of which the names are a small part: only that is read. */
static const char *map_library(const char *path, size_t *size, struct error *e)
{
    struct stat st;
    void *bytes = MAP_FAILED;
    errno = 0;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd >= 0 && !fstat(fd, &st) && st.st_size > 0)
        bytes = mmap(NULL, *size = (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (bytes == MAP_FAILED)
        error_at(e, path, 0, 0, "%s", errno ? strerror(errno) : "is empty");
    if (fd >= 0)
        close(fd);
    return bytes == MAP_FAILED ? NULL : bytes;
}

static bool read_runtime(struct verifier *v, struct error *e)
{
    const char *library = c_tools(v)->library;
    struct map *reserved = map_new(v->arena);
    struct elf f;
    size_t size;
    const char *bytes = map_library(library, &size, e);
    bool ok = bytes && (elf_open(&f, bytes, size) ||
                        error_at(e, library, 0, 0, "is not a library that can be read"));
    if (ok && !is_first(&f))
        ok = error_at(e, library, 0, 0, "is not the runtime for verification, libmiscast_run.so");
    if (ok)
        each_symbol(&f, SHT_DYNSYM, reserve, reserved);
    c_state(v)->reserved = ok ? reserved : NULL;
    if (bytes)
        munmap((void *)(uintptr_t)bytes, size);
    return ok;
}

/* ---- objects ----------------------------------------------------------------------------------
 */

struct looking {
    struct map *reserved;
    bool sanitizes;
    struct build_error *e;
};

static void fail(struct looking *l, const char *what, const char *name)
{
    if (!l->e->tampered)
        error_set(&l->e->error, "%s%.200s", what, name);
    l->e->tampered = true;
}

/* What the loader and the C library share and call before anything else, and functions by which a
 * program configures AddressSanitizer's reports. */
static bool is_of_others(const char *name, bool sanitizes)
{
    static const char *const loaders[] = {"_dl_", "_rtld_", "__libc_", "__tls_get_addr"};
    static const char *const sanitizers[] = {"__asan_", "__sanitizer_", "__lsan_", "__ubsan_",
                                             "__interceptor_"};
    for (size_t i = 0; i < sizeof loaders / sizeof *loaders; i++)
        if (!strncmp(name, loaders[i], strlen(loaders[i])))
            return true;
    for (size_t i = 0; sanitizes && i < sizeof sanitizers / sizeof *sanitizers; i++)
        if (!strncmp(name, sanitizers[i], strlen(sanitizers[i])))
            return true;
    return false;
}

static void look_at_symbol(void *context, const char *name, const Elf64_Sym *s)
{
    struct looking *l = context;
    bool is_here = s->st_shndx != SHN_UNDEF && ELF64_ST_BIND(s->st_info) != STB_LOCAL;
    if (ELF64_ST_TYPE(s->st_info) == STT_GNU_IFUNC)
        fail(l, "a function is chosen before the program begins, which could run anything: ", name);
    if (strchr(name, '@'))
        fail(l, "a symbol has a version: ", name);
    if (is_here && map_get(l->reserved, key_of(name)))
        fail(l, "it defines a function of the runtime, or one that the runtime calls: ", name);
    if (is_here && is_of_others(name, l->sanitizes))
        fail(l, "it defines a function that is called before the runtime, or that reports to it: ",
             name);
    if (l->sanitizes && !strcmp(name, "__asan_set_error_report_callback"))
        fail(l, "it takes the reports of AddressSanitizer for itself: ", name);
}

/* Relocations for the linker. Other sections with such a name would become relocations of the
 * loader, which can call functions before any other code runs. */
static bool is_relocations(const struct elf *f, const Elf64_Shdr *s)
{
    const Elf64_Shdr *symbols = section_at(f, s->sh_link);
    return (s->sh_type == SHT_RELA || s->sh_type == SHT_REL) && !(s->sh_flags & SHF_ALLOC) &&
           s->sh_info != 0 && s->sh_info < f->head->e_shnum && symbols &&
           symbols->sh_type == SHT_SYMTAB;
}

/* Sections with code that runs first, or that change how the program is linked. */
static void look_at_section(struct looking *l, const struct elf *f, const Elf64_Shdr *s,
                            const char *name)
{
    static const char *const kinds[] = {
        ".preinit_array", ".interp", ".dyn",  ".gnu.lto_", ".linker-options", ".deplibs",    ".got",
        ".igot",          ".plt",    ".iplt", ".gnu.hash", ".hash",           ".gnu.version"};
    if (s->sh_type == SHT_PREINIT_ARRAY)
        fail(l, "code would run before the runtime: ", name);
    if (!strncmp(name, ".rel", 4) && !is_relocations(f, s))
        fail(l, "a section that only linkers make: ", name);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (!strncmp(name, kinds[i], strlen(kinds[i])))
            fail(l, "a section that only linkers make: ", name);
}

bool object_is_plain(struct verifier *v, const char *path, bool sanitizes, struct build_error *e)
{
    struct elf f;
    size_t size;
    if (!c_state(v)->reserved && !read_runtime(v, &e->error))
        return false;
    struct looking l = {c_state(v)->reserved, sanitizes, e};
    struct arena *a = arena_new();
    const char *bytes = file_read(a, path, &size, &e->error);
    if (bytes && !elf_open(&f, bytes, size))
        bytes = (error_at(&e->error, path, 0, 0, "is not an object that can be read"), NULL);
    for (unsigned i = 0; bytes && i < f.head->e_shnum; i++)
        look_at_section(&l, &f, &f.sections[i],
                        name_in(&f, section_at(&f, f.head->e_shstrndx), f.sections[i].sh_name));
    if (bytes)
        each_symbol(&f, SHT_SYMTAB, look_at_symbol, &l);
    arena_free(a);
    return bytes && !e->tampered;
}
