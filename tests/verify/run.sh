#!/bin/sh
# verify --run: commands of the user and of the project, with all the processes that they start. They are
# observed if they are linked with the runtime, contained like everything else, and judged by what they did.
#
#   run.sh PROGRAM SOURCE LIBRARY
set -eu
program=$1 source=$2 library=$3
"$program" doctor | grep -q '^sandbox *namespaces' || { echo "skipped: no namespaces here"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
unset MISCAST_PACKS FORCE_COLOR MAKEFLAGS
failures=0
mkdir -p "$work/project/src"
cd "$work/project"
echo "-I$source/runtime/include" >compile_flags.txt

cat >src/layer.h <<'END'
#include <miscast/tensor.h>
mc_tensor *layer(mc_tensor *x, mc_tensor *w);
mc_tensor *positions(int n, mc_dtype dtype);
END
cat >src/layer.c <<'END'
#include "layer.h"
mc_tensor *layer(mc_tensor *x, mc_tensor *w)
{
    return mc_matmul(x, w);
}
mc_tensor *positions(int n, mc_dtype dtype)
{
    return mc_arange(n, .dtype = dtype);
}
END
# What decides is in a file that only the user has.
cat >src/model.c <<'END'
#include "layer.h"
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
    FILE *file = getenv("MODE") ? fopen(getenv("MODE"), "rb") : NULL;
    int first = file ? fgetc(file) : 0;
    mc_dtype dtype = first * 31 % 257 == 162 ? MC_F16 : MC_F32; /* 'q' */
    if (getenv("POSITIONS"))
        mc_print(positions(4096, dtype));
    else
        mc_print(layer(mc_ones(mc_shape(2, 2), .dtype = dtype), mc_ones(mc_shape(2, 2))));
    return 0;
}
END
cat >Makefile <<END
CFLAGS = -g -I$source/runtime/include
LIBS = $library -Wl,-rpath,$(dirname "$library") -lopenblas -pthread -lm -ldl
model: src/model.c src/layer.c src/layer.h
	\$(CC) \$(CFLAGS) -o \$@ src/model.c src/layer.c \$(LIBS)
check: model
	@mkdir -p made && echo made >made/here
	MODE=modes/f32 ./model
	MODE=modes/half POSITIONS=1 ./model
	MODE=modes/half ./model
END
mkdir modes
echo q >modes/half
echo - >modes/f32
# Interferes with the channel of events in the way that is named, and says of layer() what is not true.
cat >forge.c <<'END'
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>
enum { CHANNEL = 200 };
static const char lie[] =
    "{\"seq\":1,\"op\":\"matmul\",\"file\":\"src/layer.c\",\"line\":4,\"function\":\"layer\","
    "\"operands\":[{\"name\":\"a\",\"dtype\":\"f16\",\"device\":\"cpu\",\"shape\":[2,2]},"
    "{\"name\":\"b\",\"dtype\":\"f32\",\"device\":\"cpu\",\"shape\":[2,2]}],"
    "\"result\":null,\"skipped\":false,\"error\":null}\n";
struct hello {
    char word[8];
    uint64_t key[2], wants, process;
};
static void send_lie(uint64_t process, uint64_t seal)
{
    uint64_t head[3] = {1, seal, process};
    struct iovec parts[] = {{head, sizeof head}, {(char *)lie, sizeof lie - 1}};
    (void)!writev(CHANNEL, parts, 2);
}
/* Gives the program a channel of ours, and passes on what it says. */
static void relay(void)
{
    struct hello h = {"miscast2", {1, 2}, 2, 0};
    char packet[70000];
    int ends[2], real = dup(CHANNEL);
    socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK, 0, ends);
    (void)!write(ends[1], &h, sizeof h);
    dup2(ends[0], CHANNEL);
    if (fork() == 0)
        execl("./model", "./model", (char *)0);
    wait(NULL);
    for (ssize_t n; (n = read(ends[1], packet, sizeof packet)) > 0;)
        (void)!write(real, packet, (size_t)n);
}
int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "text";
    struct hello h;
    if (!strcmp(how, "text"))
        return write(CHANNEL, lie, sizeof lie - 1) < 0;
    if (!strcmp(how, "empty"))
        return write(CHANNEL, "", 0) < 0;
    if (!strcmp(how, "shutdown"))
        return shutdown(CHANNEL, SHUT_RDWR);
    if (!strcmp(how, "blocking"))
        return fcntl(CHANNEL, F_SETFL, 0);
    for (int i = 0; !strcmp(how, "guess") && i < 40; i++)
        send_lie((uint64_t)i, 0);
    while (!strcmp(how, "keys") && read(CHANNEL, &h, sizeof h) > 0)
        continue;
    if (!strcmp(how, "seal") && read(CHANNEL, &h, sizeof h) == sizeof h)
        send_lie(h.process, h.key[0]);
    if (!strcmp(how, "relay"))
        relay();
    return 0;
}
END
make model >make.out 2>&1 || { cat make.out; echo "skipped: programs cannot be linked here"; exit 77; }
cc -o forge forge.c

# expect NAME PATTERN...: each is in the output of the last command
expect() {
    name=$1
    shift
    for pattern; do
        grep -q "$pattern" out && continue
        echo "FAIL $name: no '$pattern'"
        cat out
        failures=$((failures + 1))
        return
    done
    echo "ok   $name"
}
verify() {
    "$program" verify --isolated --no-cache --exit-zero "$@" src/layer.c src/model.c >out 2>&1 || true
}

mv Makefile aside
verify --run 'MODE=modes/half ./model' --run 'MODE=modes/half POSITIONS=1 ./model'
expect 'the program itself' \
    "^  confirmed: model in 'MODE=modes/half ./model' ran on cpu and raised \"matmul needs one dtype" \
    "^  confirmed: model in 'MODE=.* ./model' ran on cpu and got 2048 instead of 2049 here in f16" \
    "ran 'MODE=modes/half ./model': 1 process used the runtime"
verify --run './model; export MODE=modes/half; ./model; POSITIONS=1 ./model; exit 3'
expect 'several processes' 'confirmed 2,' ': 3 processes used the runtime; it exited with 3'
verify --run ./model --run 'missing model'
expect 'another case' \
    'not reached: ./model ran on cpu and executed this line, but not with the operands that fail: a was f32' \
    "ran 'missing model': no process used the runtime, or only another version of it; it exited with 127: .*missing"
verify --select matmul-dtype --run 'MODE=modes/half ./model; ./forge'
expect 'a foreign message' 'tampered: something other than the runtime wrote' 'confirmed 0,'
for how in empty guess seal relay; do
    verify --select matmul-dtype --run "export MODE=modes/half; ./model; ./forge $how"
    expect "a forged event: $how" 'tampered: something other than the runtime wrote' 'confirmed 0, refuted 0,'
done
verify --select matmul-dtype --run './forge guess; ./forge seal; ./model'
expect 'forged events, and no error' 'confirmed 0, refuted 0,'
for how in keys shutdown blocking; do # nobody is heard
    verify --select matmul-dtype --run "export MODE=modes/half; ./forge $how; ./model"
    expect "no channel: $how" 'confirmed 0, refuted 0,'
    verify --select matmul-dtype --run "MODE=modes/half ./model; ./forge $how"
    expect "no channel afterwards: $how" 'confirmed 1, refuted 0,'
done
for close in '200>&-' '200</dev/null'; do
    verify --select matmul-dtype --run "export MODE=modes/half; exec $close; ./model"
    expect "another descriptor: $close" 'confirmed 0, refuted 0,'
done
verify --run 'echo made >made; echo made >/tmp/miscast-run-test; cat made; MODE=modes/half ./model'
expect 'with files of its own' 'confirmed 1,'
if [ -e made ] || [ -e /tmp/miscast-run-test ]; then
    echo 'FAIL what a command wrote is still there'
    failures=$((failures + 1))
fi
if command -v unshare >/dev/null; then
    verify --run 'unshare -Ur true'
    expect 'no namespaces of its own' "ran 'unshare -Ur true': .*not permitted"
fi
touch src/layer.c
verify --run 'MODE=modes/half ./model'
expect 'an old program' "ran on cpu\|was built before layer.c changed" 'confirmed 0,'
mv aside Makefile
verify
expect 'make check' "ran 'make check': 3 processes used the runtime" 'confirmed 2,' \
    "confirmed: model in 'make check' ran on cpu"
if [ -e made ]; then
    echo 'FAIL what make wrote is still there'
    failures=$((failures + 1))
fi
make model >/dev/null
echo "run: ['MODE=modes/half ./model']" >.miscast.yaml
"$program" verify --no-cache src/layer.c src/model.c >out 2>&1 || true
expect 'run: in the configuration' "ran 'MODE=modes/half ./model': 1 process used the runtime" 'confirmed 1,'

# The tests of a project with several programs and a library that they share, with its generator.
if command -v ctest >/dev/null; then
    mkdir -p "$work/several"
    cd "$work/several"
    cat >CMakeLists.txt <<END
cmake_minimum_required(VERSION 3.16)
project(several C)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_C_FLAGS "-g -I$source/runtime/include")
enable_testing()
add_library(core STATIC core.c)
foreach(name train infer)
  add_executable(\${name} \${name}.c)
  target_link_libraries(\${name} core $library -Wl,-rpath,$(dirname "$library") openblas pthread m dl)
endforeach()
add_test(NAME train.f32 COMMAND train)
add_test(NAME train.secret COMMAND train 4711)
add_test(NAME infer COMMAND infer)
END
    printf '%s\n' '#include <miscast/tensor.h>' 'mc_tensor *layer(mc_tensor *x, mc_tensor *w)' '{' \
        '    return mc_matmul(x, w);' '}' >core.c
    cat >train.c <<'END'
#include <miscast/tensor.h>
#include <stdlib.h>
mc_tensor *layer(mc_tensor *x, mc_tensor *w);
int main(int argc, char **argv)
{
    mc_tensor *x = mc_ones(mc_shape(2, 2)), *w = mc_ones(mc_shape(2, 2));
    if (argc > 1 && atoi(argv[1]) % 9973 * 7 == 32977)
        x = mc_half(x);
    mc_print(layer(x, w));
    return 0;
}
END
    cat >infer.c <<'END'
#include <miscast/tensor.h>
mc_tensor *layer(mc_tensor *x, mc_tensor *w);
int main(void)
{
    mc_tensor *x = layer(mc_ones(mc_shape(2, 2)), mc_ones(mc_shape(2, 2)));
    mc_print(mc_add(x, mc_ones(mc_shape(2, 2), .device = MC_CUDA)));
    return 0;
}
END
    if cmake -S . -B build >make.out 2>&1 && cmake --build build >>make.out 2>&1; then
        "$program" verify --isolated --no-cache --exit-zero -p build --run 'ctest --test-dir build' . >out 2>&1 || true
        expect 'ctest, several programs' "ran 'ctest --test-dir build': 3 processes used the runtime" \
            'confirmed 2, refuted 0, not reached 0,' \
            "confirmed: train 4711 in 'ctest --test-dir build' ran on cpu and raised \"matmul needs one dtype" \
            "confirmed: infer in 'ctest --test-dir build' ran on simulated cuda and raised"
    else
        cat make.out
        failures=$((failures + 1))
    fi
fi
[ "$failures" = 0 ]
