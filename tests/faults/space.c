/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs a command of the program as if every file system had BYTES bytes of free space:
 *
 *      space BYTES ARGUMENTS...
 *
 * Its output and its exit status are those of the command.
 */
#include <stdlib.h>

#include "faults.h"

int tt_main(int argc, char **argv);

int main(int argc, char **argv)
{
    if (argc < 3) {
        return 2;
    }
    faults_free_space(strtoull(argv[1], NULL, 10));
    argv[1] = argv[0];
    return tt_main(argc - 1, argv + 1);
}
