// SPDX-License-Identifier: MIT
#include "cli/app.h"

int main(int count, char** arguments) { return vramlint::cli::run_app(count, arguments); }
