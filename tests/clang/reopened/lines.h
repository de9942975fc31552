#ifndef LINES_H
#define LINES_H

void noted(const char *file, int line, int a, int b);
#define note(a, b) noted(__FILE__, __LINE__, a, b)

#endif
