/* What counts as a loss. */
#ifndef RUNTIME_SHADOW_JUDGE_H
#define RUNTIME_SHADOW_JUDGE_H

void judge_set_threshold(double relative_error);

#endif
