/* SPDX-License-Identifier: Apache-2.0 */
/* tpt_labels: the classes as they are printed, and a table of the labels of a release. */
#include "format/tpt/tpt_internal.h"

#define CLASS(name, form, class_, event)                                                           \
    {                                                                                              \
        name, sizeof name - 1, form, class_, event                                                 \
    }

/* The frequent ones first. */
static const struct tpt_class classes[] = {
    CLASS("THREAD", TPT_LABELS, KEV_CLASS_THREAD, 0),
    CLASS("KER_CALL", TPT_CALLS, KEV_CLASS_CALL, 0),
    CLASS("KER_EXIT", TPT_CALLS, KEV_CLASS_CALL, KEV_EXIT),
    CLASS("COMM", TPT_LABELS, KEV_CLASS_COMM, 0),
    CLASS("INT_ENTR", TPT_VECTOR, KEV_CLASS_INTERRUPT, 1),
    CLASS("INT_EXIT", TPT_VECTOR, KEV_CLASS_INTERRUPT, 2),
    CLASS("INT_HANDLER_ENTR", TPT_VECTOR, KEV_CLASS_INTERRUPT, 3),
    CLASS("INT_HANDLER_EXIT", TPT_VECTOR, KEV_CLASS_INTERRUPT, 4),
    CLASS("INTERRUPT", TPT_LABELS, KEV_CLASS_INTERRUPT, 0),
    CLASS("CONTROL", TPT_CONTROL_FORM, KEV_CLASS_CONTROL, 0),
    CLASS("SYSTEM", TPT_LABELS, KEV_CLASS_SYSTEM, 0),
    CLASS("USREVENT", TPT_NUMBERS, KEV_CLASS_USER, 0),
    CLASS("PROCESS", TPT_LABELS, KEV_CLASS_THREAD, 0),
    CLASS("INT_CALL", TPT_CALLS, KEV_CLASS_CALL, KEV_BROKEN_OFF),
    CLASS("VTHREAD", TPT_LABELS, KEV_CLASS_THREAD, 0),
    CLASS("QUIP", TPT_LABELS, KEV_CLASS_QUIP, 0),
    CLASS("SEC", TPT_LABELS, KEV_CLASS_SEC, 0),
    CLASS("QVM", TPT_LABELS, KEV_CLASS_QVM, 0),
    CLASS("PMU", TPT_LABELS, KEV_CLASS_PMU, 0),
    CLASS("EMPTY", TPT_LABELS, KEV_CLASS_EMPTY, 0),
};

const struct tpt_class *tpt_class_find(const uint8_t *name, size_t length)
{
    for (size_t i = 0; i < sizeof classes / sizeof classes[0]; i++) {
        if (classes[i].length == length && memcmp(classes[i].name, name, length) == 0) {
            return &classes[i];
        }
    }
    return NULL;
}

static uint32_t hash_of(uint32_t class_, const uint8_t *name, size_t length)
{
    uint32_t hash = class_ * 0x9e3779b1u;
    for (size_t i = 0; i < length; i++) {
        hash = (hash ^ name[i]) * 0x01000193u;
    }
    return hash >> (32 - TPT_LABEL_BITS);
}

/* Returns the entry of the label, or the free one where it belongs. */
static uint32_t find(const struct tpt_decoder *decoder, uint32_t class_, const uint8_t *name,
                     size_t length)
{
    const uint32_t last = (1u << TPT_LABEL_BITS) - 1;
    uint32_t i = hash_of(class_, name, length);
    const struct tpt_label *labels = decoder->labels;
    while (labels[i].name && (labels[i].length != length || labels[i].class_ != class_ ||
                              memcmp(labels[i].name, name, length) != 0)) {
        i = (i + 1) & last;
    }
    return i;
}

/* The tables have fewer than 300 labels: the table of them is never full. */
void tpt_labels_fill(struct tpt_decoder *decoder)
{
    memset(decoder->labels, 0, sizeof decoder->labels);
    for (uint32_t code = 0; code < KEV_CODES; code++) {
        const struct kev_layout *layout = decoder->kev.layouts[code];
        const uint32_t class_ = kev_class_of(code);
        if (layout && class_ != KEV_CLASS_CALL && class_ != KEV_CLASS_SYSTEM_6_4) {
            const char *name = layout->name;
            const size_t length = strlen(name);
            struct tpt_label *label =
                &decoder->labels[find(decoder, kev_class_of(code), (const uint8_t *)name, length)];
            if (label->count < TPT_CODES_MAX) {
                label->name = name;
                label->length = (uint8_t)length;
                label->class_ = (uint8_t)kev_class_of(code);
                label->codes[label->count++] = (uint16_t)code;
            }
        }
    }
}

const struct tpt_label *tpt_label_find(const struct tpt_decoder *decoder, uint32_t class_,
                                       const uint8_t *name, size_t length)
{
    const struct tpt_label *label = &decoder->labels[find(decoder, class_, name, length)];
    return label->name ? label : NULL;
}
