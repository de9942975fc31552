#pragma once
#include "another_that_is_missing.h"
