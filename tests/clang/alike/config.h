#ifndef CONFIG_H
#define CONFIG_H
#define _FILE_OFFSET_BITS 64
#define LIMIT             12
#endif
