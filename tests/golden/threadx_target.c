/* SPDX-License-Identifier: Apache-2.0 */
/* A program with the image of a ThreadX trace buffer in its memory: target IMAGE. The header's addresses
 * are those of the copy, as on a target. `false_header` has the identification only. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define ROOM (256u << 10)

uint32_t memory[ROOM / 4];
void *_tx_trace_header_ptr;

/* GDB stops here. */
void target_stopped(void)
{
    __asm__ volatile("");
}

int main(int argc, char **argv)
{
    FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
    uint32_t *image = memory + 1000;
    memory[10] = 0x54585442u; /* a false header */
    memory[11] = 0xffffffffu;
    memcpy(memory + 500, "BTXTBTXT", 8);
    if (!file || fread(image, 1, ROOM - 8000, file) < 48) {
        return 1;
    }
    fclose(file);
    /* The words with addresses: base, registry start and end, buffer start, end and oldest. */
    static const unsigned words[] = {2, 3, 5, 6, 7, 8};
    uint32_t base = image[2];
    for (unsigned i = 0; i < sizeof words / sizeof *words; i++) {
        image[words[i]] += (uint32_t)(uintptr_t)image - base;
    }
    _tx_trace_header_ptr = image;
    target_stopped();
    return 0;
}
